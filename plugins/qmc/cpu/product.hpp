// SPDX-License-Identifier: BSD-3-Clause
// The two products of matrices that everything with inverse Slater matrices comes down to, for eight columns
// at a time. Columns of c and u lie ldc and ldu apart, both multiples of the lanes, on a border of 64 bytes.
#pragma once

#include "lanes.hpp"

namespace suite::qmc {

inline constexpr int product_columns = 8;

namespace detail {
// Rows of `Rows` vectors of c(:,0..7) += u(:,0..k-1) w(0..k-1,0..7); w has the eight side by side.
template <int Rows>
inline void add_rows(double* c, int64_t ldc, const double* u, int64_t ldu, const double* w, int64_t k) {
  Vector s[Rows][product_columns];
  for (int j = 0; j < product_columns; ++j)
    for (int r = 0; r < Rows; ++r) s[r][j] = load(c + j * ldc + r * lanes);
  for (int64_t l = 0; l < k; ++l) {
    Vector x[Rows];
    for (int r = 0; r < Rows; ++r) x[r] = load(u + l * ldu + r * lanes);
    for (int j = 0; j < product_columns; ++j) {
      const Vector f = fill(w[l * product_columns + j]);
      for (int r = 0; r < Rows; ++r) s[r][j] += x[r] * f;
    }
  }
  for (int j = 0; j < product_columns; ++j)
    for (int r = 0; r < Rows; ++r) store(c + j * ldc + r * lanes, s[r][j]);
}
}  // namespace detail

inline void add_product(double* c, int64_t ldc, const double* u, int64_t ldu, const double* w, int64_t k,
                        int64_t rows) {
#if defined(__AVX512F__)
  constexpr int many = 3;  // 24 sums, 3 of u and a factor: 28 of 32 registers
#else
  constexpr int many = 1;
#endif
  int64_t r = 0;
  for (; r + many * lanes <= rows; r += many * lanes) detail::add_rows<many>(c + r, ldc, u + r, ldu, w, k);
  for (; r < rows; r += lanes) detail::add_rows<1>(c + r, ldc, u + r, ldu, w, k);
}

namespace detail {
template <int Columns>
inline void project(const double* v, int64_t ldv, const double* c, int64_t ldc, double* t, int64_t rows) {
  Vector s[Columns][product_columns]{};
  for (int64_t r = 0; r < rows; r += lanes) {
    Vector x[Columns];
    for (int m = 0; m < Columns; ++m) x[m] = load(v + m * ldv + r);
    for (int j = 0; j < product_columns; ++j) {
      const Vector y = load(c + j * ldc + r);
      for (int m = 0; m < Columns; ++m) s[m][j] += x[m] * y;
    }
  }
  for (int m = 0; m < Columns; ++m)
    for (int j = 0; j < product_columns; ++j) t[m * product_columns + j] = sum(s[m][j]);
}
}  // namespace detail

// t(m,0..7) = v(:,m).c(:,0..7)
inline void project(const double* v, int64_t ldv, int64_t k, const double* c, int64_t ldc, double* t,
                    int64_t rows) {
#if defined(__AVX512F__)
  constexpr int many = 3;
#else
  constexpr int many = 1;
#endif
  int64_t m = 0;
  for (; m + many <= k; m += many)
    detail::project<many>(v + m * ldv, ldv, c, ldc, t + m * product_columns, rows);
  for (; m < k; ++m) detail::project<1>(v + m * ldv, ldv, c, ldc, t + m * product_columns, rows);
}

}  // namespace suite::qmc
