// SPDX-License-Identifier: BSD-3-Clause
// moment/r^(l+1) Y_lm = moment S_lm(u)/r with u = (point - nucleus)/r^2, so that no power of r is needed. The
// harmonics' factors are multiplied into the moments beforehand (scale_moments).
#pragma once

#include <array>

#include "../harmonics.hpp"
#include "kernels.hpp"

namespace suite::dfpt {

// harmonics::b_monic(l, m).
inline constexpr auto falls = [] {
  std::array<std::array<double, largest_l + 1>, largest_l + 1> all{};
  for (int l = 2; l <= largest_l; ++l)
    for (int m = 0; m <= l - 2; ++m) all[at(l)][at(m)] = harmonics::b_monic(l, m);
  return all;
}();

// sum_m [C_m sum_l Q_lm moment_lm + S_m sum_l Q_lm moment_l-m] (harmonics.hpp) in this order, which spares a
// product for each component; moments: [direction][component]. c and s are C_m and S_m.
template <int l_max, int many, int m = 0>
inline void add_moments(const double* moments, const Vector& x, const Vector& y, const Vector& z, const Vector& r2, const Vector& c,
                        const Vector& s, Vector (&sums)[many]) {
  constexpr int n = components(l_max);
  Vector C[many], S[many], Q = fill(1.0), below{};
#pragma GCC unroll 9
  for (int l = m; l <= l_max; ++l) {
    if (l > m) {
      const Vector up = l == m + 1 ? z * Q : z * Q - r2 * falls[at(l)][m] * below;
      below = Q;
      Q = up;
    }
#pragma GCC unroll 3
    for (int q = 0; q < many; ++q) {
      const double *const with_c = moments + n * q + l * l + l + m, *const with_s = with_c - 2 * m;
      C[q] = l == m ? fill(*with_c) : C[q] + Q * *with_c;
      if constexpr (m > 0) S[q] = l == m ? fill(*with_s) : S[q] + Q * *with_s;
    }
  }
#pragma GCC unroll 3
  for (int q = 0; q < many; ++q)
    if constexpr (m == 0) sums[q] = C[q];
    else sums[q] += C[q] * c + S[q] * s;
  if constexpr (m < l_max) {
    if constexpr (m == 0) add_moments<l_max, many, 1>(moments, x, y, z, r2, x, y, sums);
    else add_moments<l_max, many, m + 1>(moments, x, y, z, r2, c * x - s * y, s * x + c * y, sums);
  }
}

// Potentials of an atom's moments at points.
template <int l_max, int many>
inline void far_values(Vector x, Vector y, Vector z, const double* nucleus, const double* moments, Vector (&values)[many]) {
  x -= nucleus[0];
  y -= nucleus[1];
  z -= nucleus[2];
  const Vector over = 1.0 / (x * x + y * y + z * z), root = cpu::root(over);
  add_moments<l_max>(moments, x * over, y * over, z * over, over, Vector{}, Vector{}, values);
#pragma GCC unroll 3
  for (int q = 0; q < many; ++q) values[q] *= root;
}

}  // namespace suite::dfpt
