// SPDX-License-Identifier: BSD-3-Clause
#include "products.hpp"

#include <algorithm>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define SUITE_PRODUCT_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SUITE_PRODUCT_CLONES
#endif

namespace suite::gw {

namespace {

constexpr int64_t rows_together = 256, columns_together = 4, depth = 64;  // a block of a stays in the second-level cache

// Four columns of c take four columns of a at a time: 16 multiplications for 8 loads and 4 stores.
SUITE_PRODUCT_CLONES void add_block(int64_t rows, int64_t k, const double* a, int64_t lda, const double* b, int64_t ldb, double* c,
                                    int64_t ldc) {
  double* __restrict c0 = c;
  double* __restrict c1 = c + ldc;
  double* __restrict c2 = c + 2 * ldc;
  double* __restrict c3 = c + 3 * ldc;
  for (int64_t l = 0; l < k; l += 4) {
    double f[4][4] = {};  // columns of c, then of a; beyond the last of a zeros
    const double* of_a[4];
    for (int64_t i = 0; i < 4; ++i) {
      of_a[i] = a + std::min(l + i, k - 1) * lda;
      for (int64_t j = 0; j < 4 && l + i < k; ++j) f[j][i] = b[j * ldb + l + i];
    }
    const double* __restrict a0 = of_a[0];
    const double* __restrict a1 = of_a[1];
    const double* __restrict a2 = of_a[2];
    const double* __restrict a3 = of_a[3];
    for (int64_t i = 0; i < rows; ++i) {
      c0[i] += a0[i] * f[0][0] + a1[i] * f[0][1] + a2[i] * f[0][2] + a3[i] * f[0][3];
      c1[i] += a0[i] * f[1][0] + a1[i] * f[1][1] + a2[i] * f[1][2] + a3[i] * f[1][3];
      c2[i] += a0[i] * f[2][0] + a1[i] * f[2][1] + a2[i] * f[2][2] + a3[i] * f[2][3];
      c3[i] += a0[i] * f[3][0] + a1[i] * f[3][1] + a2[i] * f[3][2] + a3[i] * f[3][3];
    }
  }
}

SUITE_PRODUCT_CLONES void add_column(int64_t rows, int64_t k, const double* a, int64_t lda, const double* b, double* __restrict c) {
  for (int64_t l = 0; l < k; ++l) {
    const double* a0 = a + l * lda;
    for (int64_t i = 0; i < rows; ++i) c[i] += a0[i] * b[l];
  }
}

}  // namespace

void add_product(int64_t n, int64_t k, int64_t m, const double* a, const double* b, double* c) {
  for (int64_t l = 0; l < k; l += depth)
    for (int64_t i = 0; i < n; i += rows_together) {
      const int64_t rows = std::min(rows_together, n - i), some = std::min(depth, k - l);
      int64_t j = 0;
      for (; j + columns_together <= m; j += columns_together) add_block(rows, some, a + l * n + i, n, b + j * k + l, k, c + j * n + i, n);
      for (; j < m; ++j) add_column(rows, some, a + l * n + i, n, b + j * k + l, c + j * n + i);
    }
}

}  // namespace suite::gw
