// SPDX-License-Identifier: BSD-3-Clause
#include "wave_rows.hpp"

namespace suite::qmc {

WaveRows::WaveRows(const WaveList& waves, const double* weight) : waves_(waves), count_(waves.count()) {
  for (int d = 0; d < 3; ++d) top_[d] = waves.top(d);
  for (int64_t g = 0; g < count_; ++g) {
    const int32_t* const n = waves.n(g);
    if (!rows_.empty()) {
      Row& last = rows_.back();
      if (last.n1 == n[0] && last.n2 == n[1] && last.n3 + last.count == n[2]) {
        ++last.count;
        continue;
      }
    }
    rows_.push_back({n[0], n[1], n[2], 1, g, 0});
  }
  for (Row& row : rows_) {
    row.weight = std::ssize(weight_);
    if (weight) weight_.insert(weight_.end(), weight + row.first, weight + row.first + row.count);
    weight_.resize(static_cast<size_t>(row.weight + padded(row.count)));
  }
  for (int64_t i = 0; i < std::ssize(rows_); ++i) {
    const Row& row = rows_[static_cast<size_t>(i)];
    const int64_t vectors = padded(row.count) / lanes;
    if (row.first + padded(row.count) <= count_) {
      if (groups_.empty() || groups_.back().vectors != vectors) groups_.push_back({i, i, vectors});
      groups_.back().end = i + 1;
    }
    const bool next =
        i > 0 && planes_.back().n1 == row.n1 && rows_[static_cast<size_t>(i - 1)].n2 + 1 == row.n2;
    if (!next) planes_.push_back({i, i, row.n1, row.n2});
    planes_.back().end = i + 1;
  }
}

void WaveRows::tabulate(const double* r, double* tables) const {
  double s[3];
  waves_.turns(r, s);
  for (int d = 0; d < 3; ++d) {
    const double x = s[d] - std::nearbyint(s[d]);
    double *const re = tables + zero(d) - top_[d], *const im = re + length(d);
    // To the end, where vectors reach whose weights are 0.
    for (int64_t m = 0; m < length(d); m += lanes) {
      const Vector number = __builtin_convertvector(lane_numbers() + (m - top_[d]), Vector);
      Vector c, n;
      turn(number * x, c, n);
      store(re + m, c);
      store(im + m, n);
    }
  }
  double *const re = tables + powers_size(), *const im = re + factors_size();
  for (const Plane& plane : planes_) {
    const double *const one = tables + zero(0) + plane.n1, *const two = tables + zero(1) + plane.n2;
    const Vector a = fill(one[0]), b = fill(one[length(0)]);
    for (int64_t i = 0; i < plane.end - plane.begin; i += lanes) {
      const int64_t some = plane.end - plane.begin - i;
      const Vector c = load_first(two + i, std::min<int64_t>(some, lanes)),
                   e = load_first(two + length(1) + i, std::min<int64_t>(some, lanes));
      store(re + plane.begin + i, a * c - b * e);  // what is behind the last one comes with the next plane
      store(im + plane.begin + i, a * e + b * c);
    }
  }
}

namespace {
// Two vectors of interleaved complex numbers, the first `some` of them.
inline void load_complex(const double* z, int64_t some, Vector& re, Vector& im) {
  const Vector low = load_first(z, std::min<int64_t>(2 * some, lanes)),
               high = 2 * some > lanes ? load_first(z + lanes, 2 * some - lanes) : Vector{};
  separate(low, high, re, im);
}
// Read once for several uses; left to itself the compiler reads memory again for each of them, and most of
// these reads go over the end of a cache line.
inline Vector load_once(const double* from) {
  Vector v = load(from);
#if defined(__x86_64__)
  asm("" : "+v"(v));
#endif
  return v;
}
}  // namespace

template <int vectors>
inline Vector WaveRows::sum_rows(const Group& group, const double* tables, const double* rho) const {
  const double *const third = tables + zero(2), *const p = factors(tables), *const q = p + factors_size();
  const int64_t imaginary = length(2), more = vectors > 0 ? vectors : group.vectors;
  Vector total{};
  for (int64_t r = group.begin; r < group.end; ++r) {
    const Row& row = rows_[static_cast<size_t>(r)];
    const double *const x = third + row.n3, *const w = weight_.data() + row.weight,
                        *const z = rho + 2 * row.first;
    Vector xx{}, yy{}, yx{}, xy{};
#pragma GCC unroll 4
    for (int64_t i = 0; i < lanes * more; i += lanes) {
      Vector re, im;
      separate(load_once(z + 2 * i), load_once(z + 2 * i + lanes), re, im);
      const Vector f = load_once(w + i), c = load_once(x + i), s = load_once(x + imaginary + i);
      re *= f;
      im *= f;
      xx += c * re;
      yy += s * im;
      yx += s * re;
      xy += c * im;
    }
    total += (xx + yy) * p[r] - (yx - xy) * q[r];
  }
  return total;
}

double WaveRows::sum(const double* tables, const double* rho) const {
  Vector total{};
  for (const Group& group : groups_) switch (group.vectors) {
      case 1:
        total += sum_rows<1>(group, tables, rho);
        break;
      case 2:
        total += sum_rows<2>(group, tables, rho);
        break;
      case 3:
        total += sum_rows<3>(group, tables, rho);
        break;
      case 4:
        total += sum_rows<4>(group, tables, rho);
        break;
      default:
        total += sum_rows<0>(group, tables, rho);
    }
  // The last rows, whose vectors would reach beyond the end.
  const double *const third = tables + zero(2), *const p = factors(tables), *const q = p + factors_size();
  double rest = 0;
  for (int64_t r = groups_.empty() ? 0 : groups_.back().end; r < std::ssize(rows_); ++r) {
    const Row& row = rows_[static_cast<size_t>(r)];
    for (int64_t i = 0; i < row.count; ++i) {
      const double c = third[row.n3 + i], s = third[length(2) + row.n3 + i], f = weight_[row.weight + i];
      const double re = f * rho[2 * (row.first + i)], im = f * rho[2 * (row.first + i) + 1];
      rest += (c * re + s * im) * p[r] - (s * re - c * im) * q[r];
    }
  }
  return qmc::sum(total) + rest;
}

double WaveRows::sum(const double* tables) const {
  const double *const third = tables + zero(2), *const p = factors(tables), *const q = p + factors_size();
  const int64_t imaginary = length(2);
  Vector total{};
  for (size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    const double *const x = third + row.n3, *const w = weight_.data() + row.weight;
    Vector even{}, odd{};
    for (int64_t i = 0; i < row.count; i += lanes) {
      even += load(x + i) * load(w + i);
      odd += load(x + imaginary + i) * load(w + i);
    }
    total += even * p[r] - odd * q[r];
  }
  return qmc::sum(total);
}

void WaveRows::add_difference(const double* tables, const double* old_tables, double q, double* rho) const {
  const double *const now = tables + zero(2), *const old = old_tables + zero(2);
  const double *const p_now = factors(tables), *const p_old = factors(old_tables);
  const int64_t imaginary = length(2), size = factors_size();
  for (size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    const double a = q * p_now[r], b = q * p_now[size + r], c = q * p_old[r], e = q * p_old[size + r];
    double* const z = rho + 2 * row.first;
    for (int64_t i = 0; i < row.count; i += lanes) {
      const int64_t some = std::min<int64_t>(lanes, row.count - i);
      const Vector x = load(now + row.n3 + i), y = load(now + imaginary + row.n3 + i),
                   u = load(old + row.n3 + i), v = load(old + imaginary + row.n3 + i);
      const Vector re = (x * a - y * b) - (u * c - v * e), im = (x * b + y * a) - (u * e + v * c);
      Vector low, high;
      interleave(re, im, low, high);
      double* const to = z + 2 * i;
      if (some == lanes) {
        store(to, load(to) + low);
        store(to + lanes, load(to + lanes) + high);
        continue;
      }
      const int64_t first = std::min<int64_t>(2 * some, lanes), rest = 2 * some - first;
      store_first(to, load_first(to, first) + low, first);
      if (rest > 0) store_first(to + lanes, load_first(to + lanes, rest) + high, rest);
    }
  }
}

}  // namespace suite::qmc
