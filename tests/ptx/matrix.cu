// SPDX-License-Identifier: BSD-3-Clause
// C (24,16) += A (24,depth) B (depth,16), row by row, by one team with multiply_tiles; depth is a multiple of 4. Three tiles in a
// column: one pair and one more.
#include <suite/gpu/matrix.hpp>

namespace gpu = suite::gpu;
using Unit = gpu::MatrixUnit;

extern "C" __global__ void multiply(const double* A, const double* B, double* C, int depth) {
  constexpr int I = 3, J = 2;
  double c[I][J][Unit::sums];
  const auto at = [](int i, int j, int n) {
    return (i * Unit::rows + Unit::sum_row(n)) * J * Unit::columns + j * Unit::columns + Unit::sum_column(n);
  };
  for (int i = 0; i < I; ++i)
    for (int j = 0; j < J; ++j)
      for (int n = 0; n < Unit::sums; ++n) c[i][j][n] = C[at(i, j, n)];
  for (int k = 0; k < depth; k += Unit::depth) {
    double a[I], b[J];
    for (int i = 0; i < I; ++i) a[i] = A[(i * Unit::rows + Unit::outer()) * depth + k + Unit::inner()];
    for (int j = 0; j < J; ++j) b[j] = B[(k + Unit::inner()) * J * Unit::columns + j * Unit::columns + Unit::outer()];
    gpu::multiply_tiles(c, a, b);
  }
  for (int i = 0; i < I; ++i)
    for (int j = 0; j < J; ++j)
      for (int n = 0; n < Unit::sums; ++n) C[at(i, j, n)] = c[i][j][n];
}
