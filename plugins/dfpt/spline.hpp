// SPDX-License-Identifier: BSD-3-Clause
// Cubic splines in the knot's number with the end condition not-a-knot (the first two and the last two
// intervals have one cubic each pair), for many functions at once. With the second derivatives M and the
// second differences D of the values:
//   M_(k-1) + 4 M_k + M_(k+1) = 6 D_k,  M_0 - 2 M_1 + M_2 = 0  =>  M_1 = D_1, and so at the other end.
// Three knots have a parabola, two a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace suite::dfpt {

namespace detail {

// M of all functions, values(n_functions,n_knots).
inline std::vector<double> second_derivatives(const double* values, int64_t n_knots, int64_t n_functions) {
  const int64_t n = n_knots, m = n_functions;
  std::vector<double> M(static_cast<size_t>(n * m)), pivot(static_cast<size_t>(n));
  if (n < 3) return M;
  for (int64_t k = 1; k < n - 1; ++k)
    for (int64_t f = 0; f < m; ++f) M[k * m + f] = values[(k - 1) * m + f] - 2 * values[k * m + f] + values[(k + 1) * m + f];
  // M_1 and M_(n-2) stand; between them Thomas' algorithm with pivots 4 - 1/pivot.
  for (int64_t k = 2; k < n - 2; ++k) {
    const bool first = k == 2, last = k == n - 3;
    pivot[k] = first ? 4 : 4 - 1 / pivot[k - 1];
    for (int64_t f = 0; f < m; ++f) {
      double right = 6 * M[k * m + f];
      right -= first ? M[(k - 1) * m + f] : M[(k - 1) * m + f] / pivot[k - 1];
      if (last) right -= M[(k + 1) * m + f];
      M[k * m + f] = right;
    }
  }
  for (int64_t k = n - 3; k >= 2; --k)
    for (int64_t f = 0; f < m; ++f) {
      const double above = k == n - 3 ? 0 : M[(k + 1) * m + f];
      M[k * m + f] = (M[k * m + f] - above) / pivot[k];
    }
  for (int64_t f = 0; f < m; ++f) {
    const bool parabola = n == 3;
    M[f] = parabola ? M[m + f] : 2 * M[m + f] - M[2 * m + f];
    M[(n - 1) * m + f] = parabola ? M[m + f] : 2 * M[(n - 2) * m + f] - M[(n - 3) * m + f];
  }
  return M;
}

}  // namespace detail

// From values(n_functions,n_knots) to spline(n_functions,4,n_knots), first index fastest; the last knot's
// b, c and e are 0. One function gives spline(4,n_knots).
inline void interleaved_splines(const double* values, int64_t n_knots, int64_t n_functions, double* spline) {
  const int64_t n = n_knots, m = n_functions;
  const std::vector<double> M = detail::second_derivatives(values, n, m);
  for (int64_t k = 0; k < n; ++k)
    for (int64_t f = 0; f < m; ++f) {
      double* const s = spline + 4 * m * k + f;
      s[0] = values[k * m + f];
      s[m] = s[2 * m] = s[3 * m] = 0;
      if (k == n - 1) continue;
      const double here = M[k * m + f], next = M[(k + 1) * m + f];
      s[m] = values[(k + 1) * m + f] - values[k * m + f] - (2 * here + next) / 6;
      s[2 * m] = here / 2;
      s[3 * m] = (next - here) / 6;
    }
}

}  // namespace suite::dfpt
