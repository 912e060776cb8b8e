// SPDX-License-Identifier: BSD-3-Clause
// The two products of matrices that everything with inverse Slater matrices comes down to, for eight columns
// at a time. Sums stay in registers: 24 with AVX-512, three vectors of one matrix against eight columns.
#pragma once

#include "lanes.hpp"

namespace suite::qmc {

inline constexpr int product_columns = 8;

// As it is in a register: memory is read once for several uses, and a product is rounded before it is added to.
inline void keep(Vector& v) {
#if defined(__x86_64__)
  asm("" : "+v"(v));
#elif defined(__aarch64__)
  asm("" : "+w"(v));
#else
  (void)v;
#endif
}

namespace detail {

#if defined(__AVX512F__)
inline constexpr int rows_together = 3;
#else
inline constexpr int rows_together = 1;
#endif

// `Rows` vectors of rows.
template <int Rows> inline void add_rows(double* c, int64_t ldc, const double* u, int64_t ldu, const double* w, int64_t k) {
  Vector s[Rows][product_columns];
  for (int j = 0; j < product_columns; ++j)
    for (int r = 0; r < Rows; ++r) s[r][j] = load(c + j * ldc + r * lanes);
  for (int64_t l = 0; l < k; ++l) {
    Vector x[Rows];
    for (int r = 0; r < Rows; ++r) x[r] = load(u + l * ldu + r * lanes);
    for (int j = 0; j < product_columns; ++j)
      for (int r = 0; r < Rows; ++r) s[r][j] += x[r] * w[l * product_columns + j];
  }
  for (int j = 0; j < product_columns; ++j)
    for (int r = 0; r < Rows; ++r) store(c + j * ldc + r * lanes, s[r][j]);
}

template <int Columns> inline void project(const double* v, int64_t ldv, const double* c, int64_t ldc, double* t, int64_t rows) {
  Vector s[Columns][product_columns];
  for (int m = 0; m < Columns; ++m)
    for (int j = 0; j < product_columns; ++j) s[m][j] = Vector{};
  for (int64_t r = 0; r < rows; r += lanes) {
    Vector x[Columns];
    for (int m = 0; m < Columns; ++m) x[m] = load(v + m * ldv + r);
    for (int j = 0; j < product_columns; ++j) {
      Vector y = load(c + j * ldc + r);
      keep(y);
      for (int m = 0; m < Columns; ++m) s[m][j] += x[m] * y;
    }
  }
  for (int m = 0; m < Columns; ++m)
    store_eight(t + m * product_columns, sums_of_eight(s[m][0], s[m][1], s[m][2], s[m][3], s[m][4], s[m][5], s[m][6], s[m][7]));
}

}  // namespace detail

// c(:,0..7) += u(:,0..k-1) w(0..k-1,0..7), w with the eight side by side; columns of c and u lie ldc and ldu
// apart, rows are whole vectors.
inline void add_product(double* c, int64_t ldc, const double* u, int64_t ldu, const double* w, int64_t k, int64_t rows) {
  constexpr int many = detail::rows_together;
  int64_t r = 0;
  for (; r + many * lanes <= rows; r += many * lanes) detail::add_rows<many>(c + r, ldc, u + r, ldu, w, k);
  for (; r < rows; r += lanes) detail::add_rows<1>(c + r, ldc, u + r, ldu, w, k);
}

// t(m,0..7) = v(:,m).c(:,0..7)
inline void project(const double* v, int64_t ldv, int64_t k, const double* c, int64_t ldc, double* t, int64_t rows) {
  constexpr int many = detail::rows_together;
  int64_t m = 0;
  for (; m + many <= k; m += many) detail::project<many>(v + m * ldv, ldv, c, ldc, t + m * product_columns, rows);
  for (; m < k; ++m) detail::project<1>(v + m * ldv, ldv, c, ldc, t + m * product_columns, rows);
}

}  // namespace suite::qmc
