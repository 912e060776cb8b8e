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
  constexpr int tall = W == 4 ? 4 : 8;
  int64_t r = 0;
  for (; r + tall <= rows; r += tall) rows_of_product<T, tall, W>(matrix + r * columns, columns, in, in_row, out + r * out_row, out_row);
  for (; r + 4 <= rows; r += 4) rows_of_product<T, 4, W>(matrix + r * columns, columns, in, in_row, out + r * out_row, out_row);
  for (; r < rows; ++r) rows_of_product<T, 1, W>(matrix + r * columns, columns, in, in_row, out + r * out_row, out_row);
}

// One axis for W vectors of columns. workspace: 2 waves rows of W vectors.
template <class T, int W> void forward_columns(const Axis<T>& a, const T* in, int64_t in_row, T* out, int64_t out_row, T* workspace) {
  constexpr int64_t width = W * lanes<T>;
  const int64_t n = a.points;
  if (!a.folded) {
    product<T, W>(a.to_cos.data(), a.cosines, n, in, in_row, out, out_row);
    product<T, W>(a.to_sin.data(), a.sines, n - 1, in + in_row, in_row, out + a.cosines * out_row, out_row);
    return;
  }
  T *const even = workspace, *const odd = workspace + (n / 2 + 1) * width;
  const auto copy = [&](int64_t i) {
    for (int64_t l = 0; l < width; l += lanes<T>) store(even + i * width + l, load(in + i * in_row + l));
  };
  copy(0);
  copy(n / 2);
  for (int64_t i = 1; i < n / 2; ++i)
    for (int64_t l = 0; l < width; l += lanes<T>) {
      const Vector<T> x = load(in + i * in_row + l), y = load(in + (n - i) * in_row + l);
      store(even + i * width + l, x + y);
      store(odd + (i - 1) * width + l, x - y);
    }
  product<T, W>(a.to_cos.data(), a.cosines, n / 2 + 1, even, width, out, out_row);
  product<T, W>(a.to_sin.data(), a.sines, n / 2 - 1, odd, width, out + a.cosines * out_row, out_row);
}

template <class T, int W> void backward_columns(const Axis<T>& a, const T* in, int64_t in_row, T* out, int64_t out_row, T* workspace) {
  constexpr int64_t width = W * lanes<T>;
  const int64_t n = a.points, rows = a.folded ? n / 2 + 1 : n;
  T *const even = workspace, *const odd = workspace + rows * width;
  product<T, W>(a.from_cos.data(), rows, a.cosines, in, in_row, even, width);
  const int64_t odd_rows = a.folded ? n / 2 - 1 : n - 1;  // sin is 0 at the first point, and in the middle
  product<T, W>(a.from_sin.data(), odd_rows, a.sines, in + a.cosines * in_row, in_row, odd, width);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t l = 0; l < width; l += lanes<T>) {
      const Vector<T> e = load(even + i * width + l);
      const Vector<T> o = i > 0 && i <= odd_rows ? load(odd + (i - 1) * width + l) : Vector<T>{};
      store(out + i * out_row + l, e + o);
      if (a.folded && i > 0 && i < n / 2) store(out + (n - i) * out_row + l, e - o);
    }
}

// The tail of a line is copied to and from a padded place.
template <class T, bool back>
void columns(const Axis<T>& a, const T* in, int64_t in_row, T* out, int64_t out_row, int64_t count, T* workspace) {
  const auto some = [&]<int W>(std::integral_constant<int, W>, const T* from, int64_t from_row, T* to, int64_t to_row) {
    if constexpr (back) backward_columns<T, W>(a, from, from_row, to, to_row, workspace);
    else forward_columns<T, W>(a, from, from_row, to, to_row, workspace);
  };
  int64_t c = 0;
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

// The contiguous axis: out[line][w] = sum_p in[line][p] matrix[p][w].
template <class T> void last_axis(const T* matrix, int64_t from, int64_t to, const T* in, T* out, int64_t lines) {
  int64_t l = 0;
  const auto tile = [&]<int R, int W>(std::integral_constant<int, R>, std::integral_constant<int, W>, int64_t w) {
    Vector<T> sum[R][W] = {};
    for (int64_t p = 0; p < from; ++p) {
      Vector<T> m[W];
      for (int v = 0; v < W; ++v) m[v] = load(matrix + p * to + w + v * lanes<T>);
      for (int r = 0; r < R; ++r)
        for (int v = 0; v < W; ++v) sum[r][v] += in[(l + r) * from + p] * m[v];
    }
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < W; ++v) store(out + (l + r) * to + w + v * lanes<T>, sum[r][v]);
  };
  constexpr std::integral_constant<int, 1> one{};
  constexpr std::integral_constant<int, 2> two{};
  constexpr std::integral_constant<int, 8> eight{};
  const auto line = [&](auto rows) {
    int64_t w = 0;
    for (; w + 2 * lanes<T> <= to; w += 2 * lanes<T>) tile(rows, two, w);
    for (; w + lanes<T> <= to; w += lanes<T>) tile(rows, one, w);
    for (; w < to; ++w)
      for (int r = 0; r < rows; ++r) {
        T sum = 0;
        for (int64_t p = 0; p < from; ++p) sum += in[(l + r) * from + p] * matrix[p * to + w];
        out[(l + r) * to + w] = sum;
      }
  };
  for (; l + 8 <= lines; l += 8) line(eight);
  for (; l < lines; ++l) line(one);
}

}  // namespace

template <class T> void Axis<T>::set(int64_t n, bool padded) {
  const int64_t all = padded ? 2 * n : n;
  points = n;
  waves = all;
  cosines = all / 2 + 1;
  sines = all - cosines;
  folded = !padded && n > 1;
  const auto value = [&](int64_t w, int64_t i) {
    const int64_t m = wave_number(w, all);
    const double angle = 2 * std::numbers::pi * static_cast<double>(m * i % all) / static_cast<double>(all);
    const double norm = std::sqrt((m == 0 || 2 * m == all ? 1.0 : 2.0) / static_cast<double>(all));
    return static_cast<T>(norm * (w < cosines ? std::cos(angle) : std::sin(angle)));
  };
  const auto matrix = [&](int64_t r0, int64_t r1, int64_t c0, int64_t c1, bool rows_are_waves) {
    std::vector<T> m;
    for (int64_t r = r0; r < r1; ++r)
      for (int64_t c = c0; c < c1; ++c) m.push_back(rows_are_waves ? value(r, c) : value(c, r));
    return m;
  };
  const int64_t half = folded ? n / 2 + 1 : n, odd = folded ? n / 2 : n;
  to_cos = matrix(0, cosines, 0, half, true);
  to_sin = matrix(cosines, all, 1, odd, true);
  from_cos = matrix(0, half, 0, cosines, false);
  from_sin = matrix(1, odd, cosines, all, false);
  to = matrix(0, n, 0, all, false);
  from = matrix(0, all, 0, n, true);
}

template <class T> void Waves<T>::set(const int64_t* n, bool padded) {
  if (set_ && padded == padded_ && axis_[0].points == n[0] && axis_[1].points == n[1] && axis_[2].points == n[2]) return;
  for (int d = 0; d < 3; ++d) axis_[d].set(n[d], padded);
  padded_ = padded;
  set_ = true;
  first_.at_least(n[0] * n[1] * waves(2));
  second_.at_least(n[0] * waves(1) * waves(2));
}

template <class T> void Waves<T>::forward(const Team& team, const T* in, T* out) {
  const Axis<T>&x = axis_[0], &y = axis_[1], &z = axis_[2];
  T *const a = first_.data(), *const b = second_.data();
  T* const workspace = this->workspace(team);
  team.share(x.points, [&](int64_t i) {
    last_axis(z.to.data(), z.points, z.waves, in + i * y.points * z.points, a + i * y.points * z.waves, y.points);
    columns<T, false>(y, a + i * y.points * z.waves, z.waves, b + i * y.waves * z.waves, z.waves, z.waves, workspace);
  });
  const int64_t plane = y.waves * z.waves, chunk = 4 * lanes<T>;
  team.share((plane + chunk - 1) / chunk, [&](int64_t part) {
    const int64_t c = part * chunk;
    columns<T, false>(x, b + c, plane, out + c, plane, std::min(chunk, plane - c), workspace);
  });
}

template <class T> void Waves<T>::backward(const Team& team, const T* in, T* out) {
  const Axis<T>&x = axis_[0], &y = axis_[1], &z = axis_[2];
  T *const a = first_.data(), *const b = second_.data();
  T* const workspace = this->workspace(team);
  const int64_t plane = y.waves * z.waves, chunk = 4 * lanes<T>;
  team.share((plane + chunk - 1) / chunk, [&](int64_t part) {
    const int64_t c = part * chunk;
    columns<T, true>(x, in + c, plane, b + c, plane, std::min(chunk, plane - c), workspace);
  });
  team.share(x.points, [&](int64_t i) {
    columns<T, true>(y, b + i * y.waves * z.waves, z.waves, a + i * y.points * z.waves, z.waves, z.waves, workspace);
    last_axis(z.from.data(), z.waves, z.points, a + i * y.points * z.waves, out + i * y.points * z.points, y.points);
  });
}

template struct Axis<float>;
template struct Axis<double>;
template class Waves<float>;
template class Waves<double>;

}  // namespace suite::lfd
