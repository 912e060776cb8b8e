// SPDX-License-Identifier: BSD-3-Clause
// The sums of powers_of_z.hpp with half as many multiplications and twice as many additions (Winograd, IEEE
// Trans. Comput. C-17, 693 (1968)), for processors whose adders are idle beside multiply-adds: with functions
// b and b' of a point and their coefficients c and c',
//   b c + b' c' = (b + c')(b' + c) - b b' - c c'
// where b b' is the same for all sums and c c' for all points. The first power of the spline is summed by
// multiply-adds, which then take as long as the additions of the others.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "powers_of_z.hpp"

namespace suite::dfpt {

// A table's powers of z behind a knot, [power of the spline][component], as PairedSums takes them: those of
// all but the first power over the number that is returned, so that c is no larger than a few b and nothing
// cancels, and -sum c c' in their first component, which has no partner.
template <int l_max> inline double prepare_pairs(double* p) {
  constexpr int n = components(l_max);
  Vector most{};
  for (int i = n; i < 4 * n; i += lanes) {
    const Vector v = load_first(p + i, std::min(lanes, 4 * n - i));
    most = cpu::larger(most, cpu::larger(v, -v));
  }
  double largest = 0;
  for (int i = 0; i < lanes; ++i) largest = std::max(largest, most[i]);
  // The power of two below it; what is smaller than all normal numbers needs none.
  const double below = std::bit_cast<double>(std::bit_cast<uint64_t>(largest) & 0x7ff0000000000000);
  const double scale = below > 0 ? below : 1, over = 1 / scale;
  double sums[3] = {};
  for (int i = n; i < 4 * n; ++i) p[i] *= over;
  const auto add = [&](int one, int other) {
    for (int k = 0; k < 3; ++k) sums[k] += p[n * (k + 1) + one] * p[n * (k + 1) + other];
  };
  for (int l = 1; l < l_max; l += 2) add(l * l + l, (l + 1) * (l + 1) + l + 1);
  for (int l = 1; l <= l_max; ++l)
    for (int m = 1; m <= l; ++m) add(l * l + l + m, l * l + l - m);
  for (int k = 0; k < 3; ++k) p[n * (k + 1)] -= sums[k];
  return scale;
}

// At unit vectors; of `many` directions.
template <int l_max, int many> class PairedSums {
public:
  PairedSums(const double* p, const Vector& x, const Vector& y, const Vector& z) : p_(p) {
#pragma GCC unroll 3
    for (int q = 0; q < many; ++q) {
      first_[q] = fill(p[4 * n * q]);
#pragma GCC unroll 3
      for (int k = 1; k < 4; ++k) others_[q][k - 1] = fill(p[4 * n * q + n * k]);
    }
    add_z(z);
    if constexpr (l_max > 0) add_order<1>(x, y, z, x, y);
  }
  // Of direction q: the sum of the spline's first power, and that of the others times those of f, but for f
  // itself and the scale.
  Vector first(int q) const { return first_[q]; }
  Vector others(int q, const Vector& f) const {
    const Vector* const c = others_[q];
    return c[0] + f * (c[1] + f * c[2]) - own_ * (f * f + f + 1.0);
  }

private:
  static constexpr int n = components(l_max);

  // Those of m = 0: pairs of powers of z, the last alone if their number is odd.
  void add_z(const Vector& z) {
    Vector up = z;
#pragma GCC unroll 9
    for (int l = 1; l < l_max; l += 2) {
      const Vector next = up * z;
      add(up, next, l * l + l, (l + 1) * (l + 1) + l + 1);
      up = next * z;
    }
    if constexpr (l_max % 2 == 1) {
#pragma GCC unroll 3
      for (int q = 0; q < many; ++q) {
        const double* const p = p_ + 4 * n * q + l_max * l_max + l_max;
        first_[q] += up * p[0];
        for (int k = 1; k < 4; ++k) others_[q][k - 1] += up * p[n * k];
      }
    }
  }
  // Those of m: C_m z^k and S_m z^k.
  template <int m> void add_order(const Vector& x, const Vector& y, const Vector& z, const Vector& C, const Vector& S) {
    Vector c = C, s = S;
#pragma GCC unroll 9
    for (int l = m; l <= l_max; ++l) {
      add(c, s, l * l + l + m, l * l + l - m);
      c = c * z;
      s = s * z;
    }
    if constexpr (m < l_max) add_order<m + 1>(x, y, z, C * x - S * y, S * x + C * y);
  }
  void add(const Vector& b, const Vector& c, int one, int other) {
    own_ += b * c;
#pragma GCC unroll 3
    for (int q = 0; q < many; ++q) {
      const double* const p = p_ + 4 * n * q;
      first_[q] += b * p[one];
      first_[q] += c * p[other];
#pragma GCC unroll 3
      for (int k = 1; k < 4; ++k) others_[q][k - 1] += (b + p[n * k + other]) * (c + p[n * k + one]);
    }
  }

  const double* p_;
  Vector first_[many], others_[many][3], own_{};
};

}  // namespace suite::dfpt
