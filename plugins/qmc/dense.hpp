// SPDX-License-Identifier: BSD-3-Clause
// The inverse of a small dense matrix and a system of equations in plain loops: for inputs, the reference and
// tests, not for speed.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace suite::qmc {

// What an elimination finds of D: ln|det D| and its sign, 0 where D is singular.
struct Determinant {
  double log = 0, sign = 1;
};

// Gauss and Jordan with pivots. D(a,j) lies at a + n j. The result M has sum_a M(a,i) D(a,j) = delta_ij, the
// transposed inverse, as dbar is stored.
inline Determinant invert_transposed(const double* D, int64_t n, double* M) {
  std::vector<double> work(D, D + n * n);  // rows of the transposed matrix: electron j, orbital a
  for (int64_t i = 0; i < n * n; ++i) M[i] = i % (n + 1) == 0;
  Determinant determinant;
  std::vector<double> inverse(M, M + n * n);  // rows as well
  for (int64_t c = 0; c < n; ++c) {
    int64_t pivot = c;
    for (int64_t j = c + 1; j < n; ++j)
      if (std::abs(work[c + n * j]) > std::abs(work[c + n * pivot])) pivot = j;
    const double p = work[c + n * pivot];
    if (!(std::abs(p) > 0)) return {-HUGE_VAL, 0};
    if (pivot != c) {
      determinant.sign = -determinant.sign;
      for (int64_t a = 0; a < n; ++a) {
        std::swap(work[a + n * c], work[a + n * pivot]);
        std::swap(inverse[a + n * c], inverse[a + n * pivot]);
      }
    }
    determinant.log += std::log(std::abs(p));
    if (p < 0) determinant.sign = -determinant.sign;
    for (int64_t a = 0; a < n; ++a) {
      work[a + n * c] /= p;
      inverse[a + n * c] /= p;
    }
    for (int64_t j = 0; j < n; ++j) {
      const double factor = work[c + n * j];
      if (j == c || factor == 0) continue;
      for (int64_t a = 0; a < n; ++a) {
        work[a + n * j] -= factor * work[a + n * c];
        inverse[a + n * j] -= factor * inverse[a + n * c];
      }
    }
  }
  // `inverse` is that of work(j,a) = D(a,j): rows by orbital, columns by electron.
  for (int64_t a = 0; a < n; ++a)
    for (int64_t i = 0; i < n; ++i) M[a + n * i] = inverse[i + n * a];
  return determinant;
}

// d with sum_m d_m B(m,l) = d_l as given, B(m,l) at m + n l: Gauss with pivots.
inline void solve(std::vector<double> B, std::vector<double>& d) {
  const auto n = std::ssize(d);
  for (int64_t c = 0; c < n; ++c) {
    int64_t pivot = c;
    for (int64_t l = c + 1; l < n; ++l)
      if (std::abs(B[c + n * l]) > std::abs(B[c + n * pivot])) pivot = l;
    for (int64_t m = c; m < n && pivot != c; ++m) std::swap(B[m + n * c], B[m + n * pivot]);
    std::swap(d[c], d[pivot]);
    for (int64_t l = c + 1; l < n; ++l) {
      const double factor = B[c + n * l] / B[c + n * c];
      for (int64_t m = c; m < n; ++m) B[m + n * l] -= factor * B[m + n * c];
      d[l] -= factor * d[c];
    }
  }
  for (int64_t c = n; c-- > 0;) {
    for (int64_t m = c + 1; m < n; ++m) d[c] -= d[m] * B[m + n * c];
    d[c] /= B[c + n * c];
  }
}

}  // namespace suite::qmc
