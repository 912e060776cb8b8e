// SPDX-License-Identifier: BSD-3-Clause
#include "waves.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace suite::lfd {
namespace {

// out[r][0..W) = sum_c matrix[r][c] in[c][0..W) for R rows at a time, W vectors wide.
template <class T, int R, int W>
[[gnu::always_inline]] inline void rows_of_product(const T* matrix, int64_t columns, const T* in, int64_t in_row, T* out, int64_t out_row) {
  Vector<T> sum[R][W] = {};
  for (int64_t c = 0; c < columns; ++c) {
    Vector<T> x[W];
    for (int w = 0; w < W; ++w) x[w] = load(in + c * in_row + w * lanes<T>);
    for (int r = 0; r < R; ++r) {
      const T m = matrix[r * columns + c];
      for (int w = 0; w < W; ++w) sum[r][w] += m * x[w];
    }
  }
  for (int r = 0; r < R; ++r)
    for (int w = 0; w < W; ++w) store(out + r * out_row + w * lanes<T>, sum[r][w]);
}

template <class T, int W>
void product(const T* matrix, int64_t rows, int64_t columns, const T* in, int64_t in_row, T* out, int64_t out_row) {
  constexpr int tall = W == 4 ? 4 : W == 2 && vector_bytes < 64 ? 6 : 8;
  int64_t r = 0;
  for (; r + tall <= rows; r += tall) rows_of_product<T, tall, W>(matrix + r * columns, columns, in, in_row, out + r * out_row, out_row);
  for (; r + 3 <= rows; r += 3) rows_of_product<T, 3, W>(matrix + r * columns, columns, in, in_row, out + r * out_row, out_row);
  for (; r < rows; ++r) rows_of_product<T, 1, W>(matrix + r * columns, columns, in, in_row, out + r * out_row, out_row);
}

// One axis for W vectors of columns. workspace: 2 (half + 1) rows of W vectors.
template <class T, int W> void forward_columns(const Axis<T>& a, const T* in, int64_t in_row, T* out, int64_t out_row, T* workspace) {
  constexpr int64_t width = W * lanes<T>;
  const int64_t n = a.points;
  T *const even = workspace, *const odd = workspace + (a.half + 1) * width;
  const auto copy = [&](int64_t i, T* to) {
    for (int64_t l = 0; l < width; l += lanes<T>) store(to + l, load(in + i * in_row + l));
  };
  copy(0, even);
  copy(a.half, even + a.half * width);
  copy(0, odd);
  for (int64_t i = 1; i < a.half; ++i)
    for (int64_t l = 0; l < width; l += lanes<T>) {
      const Vector<T> x = load(in + i * in_row + l), y = load(in + (n - i) * in_row + l);
      store(even + i * width + l, x + y);
      store(odd + i * width + l, x - y);
    }
  product<T, W>(a.to_even.data(), a.evens, a.half + 1, even, width, out, out_row);
  product<T, W>(a.to_odd.data(), a.odds, a.odd_points(), odd + a.first_odd * width, width, out + a.evens * out_row, out_row);
}

template <class T, int W> void backward_columns(const Axis<T>& a, const T* in, int64_t in_row, T* out, int64_t out_row, T* workspace) {
  constexpr int64_t width = W * lanes<T>;
  const int64_t n = a.points;
  T *const even = workspace, *const odd = workspace + (a.half + 1) * width;
  std::fill_n(odd, width, T(0));
  product<T, W>(a.from_even.data(), a.half + 1, a.evens, in, in_row, even, width);
  product<T, W>(a.from_odd.data(), a.odd_points(), a.odds, in + a.evens * in_row, in_row, odd + a.first_odd * width, width);
  for (int64_t i = 0; i < std::max<int64_t>(a.half, 1); ++i)
    for (int64_t l = 0; l < width; l += lanes<T>) {
      const Vector<T> e = load(even + i * width + l), o = load(odd + i * width + l);
      store(out + i * out_row + l, e + o);
      if (i > 0) store(out + (n - i) * out_row + l, e - o);
    }
  for (int64_t l = 0; a.half > 0 && l < width; l += lanes<T>) store(out + a.half * out_row + l, load(even + a.half * width + l));
}

// The tail of a line is copied to and from a padded place.
template <class T, bool back>
void columns(const Axis<T>& a, const T* in, int64_t in_row, T* out, int64_t out_row, int64_t count, T* workspace) {
  const auto some = [&]<int W>(std::integral_constant<int, W>, const T* from, int64_t from_row, T* to, int64_t to_row) {
    if constexpr (back) backward_columns<T, W>(a, from, from_row, to, to_row, workspace);
    else forward_columns<T, W>(a, from, from_row, to, to_row, workspace);
  };
  int64_t c = 0;
  if constexpr (vector_bytes == 64)  // with fewer registers, the sums of four vectors do not fit
    for (; c + 4 * lanes<T> <= count; c += 4 * lanes<T>) some(std::integral_constant<int, 4>{}, in + c, in_row, out + c, out_row);
  for (; c + 2 * lanes<T> <= count; c += 2 * lanes<T>) some(std::integral_constant<int, 2>{}, in + c, in_row, out + c, out_row);
  for (; c + lanes<T> <= count; c += lanes<T>) some(std::integral_constant<int, 1>{}, in + c, in_row, out + c, out_row);
  if (c == count) return;
  const int64_t rows_in = back ? a.waves : a.points, rows_out = back ? a.points : a.waves;
  T *const padded = workspace + 8 * lanes<T> * (a.waves + 2), *const result = padded + rows_in * lanes<T>;
  for (int64_t r = 0; r < rows_in; ++r)
    std::fill_n(std::copy_n(in + r * in_row + c, count - c, padded + r * lanes<T>), c + lanes<T> - count, T(0));
  some(std::integral_constant<int, 1>{}, padded, lanes<T>, result, lanes<T>);
  for (int64_t r = 0; r < rows_out; ++r) std::copy_n(result + r * lanes<T>, count - c, out + r * out_row + c);
}

// out[line][w] = sum_p in[line][p] matrix[p][w] of R lines. The last vector of a line begins where it fits.
template <class T, int R> void rows_times(const T* matrix, int64_t from, int64_t to, const T* in, int64_t in_row, T* out, int64_t out_row) {
  const auto tile = [&]<int W>(std::integral_constant<int, W>, int64_t w) {
    Vector<T> sum[R][W] = {};
    for (int64_t p = 0; p < from; ++p) {
      Vector<T> m[W];
      for (int v = 0; v < W; ++v) m[v] = load(matrix + p * to + w + v * lanes<T>);
      for (int r = 0; r < R; ++r)
        for (int v = 0; v < W; ++v) sum[r][v] += in[r * in_row + p] * m[v];
    }
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < W; ++v) store(out + r * out_row + w + v * lanes<T>, sum[r][v]);
  };
  int64_t w = 0;
  for (; w + 2 * lanes<T> <= to; w += 2 * lanes<T>) tile(std::integral_constant<int, 2>{}, w);
  for (; w + lanes<T> <= to; w += lanes<T>) tile(std::integral_constant<int, 1>{}, w);
  if (w < to && to >= lanes<T>) return tile(std::integral_constant<int, 1>{}, to - lanes<T>);
  for (; w < to; ++w)
    for (int r = 0; r < R; ++r) {
      T sum = 0;
      for (int64_t p = 0; p < from; ++p) sum += in[r * in_row + p] * matrix[p * to + w];
      out[r * out_row + w] = sum;
    }
}

// The contiguous axis, R lines of it. workspace: 2 R (half + 1) numbers.
template <class T, int R> void forward_lines(const Axis<T>& a, const T* in, T* out, T* workspace) {
  const int64_t row = a.half + 1;
  T *const even = workspace, *const odd = workspace + R * row;
  for (int r = 0; r < R; ++r) {
    const T* const line = in + r * a.points;
    T *const e = even + r * row, *const o = odd + r * row;
    e[0] = o[0] = line[0];
    e[a.half] = line[a.half];
    for (int64_t i = 1; i < a.half; ++i) e[i] = line[i] + line[a.points - i], o[i] = line[i] - line[a.points - i];
  }
  rows_times<T, R>(a.from_even.data(), row, a.evens, even, row, out, a.waves);
  rows_times<T, R>(a.from_odd.data(), a.odd_points(), a.odds, odd + a.first_odd, row, out + a.evens, a.waves);
}
template <class T, int R> void backward_lines(const Axis<T>& a, const T* in, T* out, T* workspace) {
  const int64_t row = a.half + 1;
  T *const even = workspace, *const odd = workspace + R * row;
  rows_times<T, R>(a.to_even.data(), a.evens, row, in, a.waves, even, row);
  rows_times<T, R>(a.to_odd.data(), a.odds, a.odd_points(), in + a.evens, a.waves, odd + a.first_odd, row);
  for (int r = 0; r < R; ++r) {
    T* const line = out + r * a.points;
    T *const e = even + r * row, *const o = odd + r * row;
    if (a.first_odd > 0) o[0] = 0;
    line[a.half] = e[a.half];
    if (a.half > 0) line[0] = e[0] + o[0];
    for (int64_t i = 1; i < a.half; ++i) line[i] = e[i] + o[i], line[a.points - i] = e[i] - o[i];
  }
}
template <class T, int R, bool back> void last_axis(const Axis<T>& a, const T* in, T* out, int64_t lines, T* workspace) {
  const int64_t in_row = back ? a.waves : a.points, out_row = back ? a.points : a.waves;
  const auto some = [&](auto rows, int64_t l) {
    if constexpr (back) backward_lines<T, rows()>(a, in + l * in_row, out + l * out_row, workspace);
    else forward_lines<T, rows()>(a, in + l * in_row, out + l * out_row, workspace);
  };
  int64_t l = 0;
  for (; l + R <= lines; l += R) some(std::integral_constant<int, R>{}, l);
  for (; l < lines; ++l) some(std::integral_constant<int, 1>{}, l);
}

}  // namespace

template <class T> void Axis<T>::set(int64_t n, bool padded) {
  const int64_t all = padded ? 2 * n : n;
  points = n;
  waves = all;
  half = n / 2;
  first_odd = padded ? 0 : 1;
  struct Wave {
    int64_t m;
    bool sine;
  };
  std::vector<Wave> order[2];  // even, odd
  for (const bool sine : {false, true})
    for (int64_t m = sine ? 1 : 0; sine ? 2 * m < all : 2 * m <= all; ++m)
      order[n > 1 && (padded && m % 2 != 0) != sine].push_back({m, sine});
  evens = std::ssize(order[0]);
  odds = std::ssize(order[1]);
  number.clear();
  for (const auto& part : order)
    for (const Wave& wave : part) number.push_back(static_cast<int32_t>(wave.m));
  const auto value = [&](const Wave& wave, int64_t i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(wave.m * i % all) / static_cast<double>(all);
    const double norm = std::sqrt((wave.m == 0 || 2 * wave.m == all ? 1.0 : 2.0) / static_cast<double>(all));
    return static_cast<T>(norm * (wave.sine ? std::sin(angle) : std::cos(angle)));
  };
  const auto set_part = [&](const std::vector<Wave>& part, int64_t first, int64_t end, std::vector<T>& to, std::vector<T>& from) {
    to.clear();
    from.clear();
    for (const Wave& wave : part)
      for (int64_t i = first; i < end; ++i) to.push_back(value(wave, i));
    for (int64_t i = first; i < end; ++i)
      for (const Wave& wave : part) from.push_back(value(wave, i));
  };
  set_part(order[0], 0, half + 1, to_even, from_even);
  set_part(order[1], first_odd, half, to_odd, from_odd);
}

template <class T> void Waves<T>::set(const int64_t* n, bool padded) {
  if (set_ && padded == padded_ && axis_[0].points == n[0] && axis_[1].points == n[1] && axis_[2].points == n[2]) return;
  for (int d = 0; d < 3; ++d) axis_[d].set(n[d], padded);
  padded_ = padded;
  set_ = true;
  first_.at_least(n[0] * n[1] * waves(2));
  second_.at_least(n[0] * waves(1) * waves(2));
}

template <class T> void Waves<T>::forward_planes(const Team& team, const T* in, T* out, int64_t plane) {
  const Axis<T>&x = axis_[0], &y = axis_[1], &z = axis_[2];
  T* const a = first_.data();
  T* const workspace = this->workspace(team);
  team.share(x.points, [&](int64_t i) {
    T* const lines = a + i * y.points * z.waves;
    last_axis<T, lines_together, false>(z, in + i * y.points * z.points, lines, y.points, workspace);
    columns<T, false>(y, lines, z.waves, out + i * plane, z.waves, z.waves, workspace);
  });
}

template <class T> void Waves<T>::backward_planes(const Team& team, const T* in, T* out, int64_t plane) {
  const Axis<T>&x = axis_[0], &y = axis_[1], &z = axis_[2];
  T* const a = first_.data();
  T* const workspace = this->workspace(team);
  team.share(x.points, [&](int64_t i) {
    T* const lines = a + i * y.points * z.waves;
    columns<T, true>(y, in + i * plane, z.waves, lines, z.waves, z.waves, workspace);
    last_axis<T, lines_together, true>(z, lines, out + i * y.points * z.points, y.points, workspace);
  });
}

template <class T> void Waves<T>::forward(const Team& team, const T* in, T* out) {
  const Axis<T>&x = axis_[0], &y = axis_[1], &z = axis_[2];
  T *const b = second_.data(), *const workspace = this->workspace(team);
  const int64_t plane = y.waves * z.waves, chunk = 4 * lanes<T>;
  forward_planes(team, in, b, plane);
  team.share((plane + chunk - 1) / chunk, [&](int64_t part) {
    const int64_t c = part * chunk;
    columns<T, false>(x, b + c, plane, out + c, plane, std::min(chunk, plane - c), workspace);
  });
}

template <class T> void Waves<T>::backward(const Team& team, const T* in, T* out) {
  const Axis<T>&x = axis_[0], &y = axis_[1], &z = axis_[2];
  T *const b = second_.data(), *const workspace = this->workspace(team);
  const int64_t plane = y.waves * z.waves, chunk = 4 * lanes<T>;
  team.share((plane + chunk - 1) / chunk, [&](int64_t part) {
    const int64_t c = part * chunk;
    columns<T, true>(x, in + c, plane, b + c, plane, std::min(chunk, plane - c), workspace);
  });
  backward_planes(team, b, out, plane);
}

template struct Axis<float>;
template struct Axis<double>;
template class Waves<float>;
template class Waves<double>;

}  // namespace suite::lfd
