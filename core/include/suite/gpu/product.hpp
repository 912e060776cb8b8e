// SPDX-License-Identifier: BSD-3-Clause
// suite/gpu/product.hpp - a matrix product whose operands pass through shared memory, by the matrix units of a block's warps. Include it
// after gpu.hpp.
#pragma once

#include <suite/gpu/matrix.hpp>

namespace suite::gpu {

// sum(row, column) += sum over k of a(row, k) b(k, column). Of Rows x Columns sums, 32 threads have 16 x Columns/2, next to
// those of the next 32 threads; where a team has 64, 16 x Columns. A complex product is four real ones.
// Element: a struct of doubles, re alone or re and im.
template <class Element, int Rows, int Columns> struct Product {
  using N = Element;
  using Unit = MatrixUnit;
  static constexpr bool is_real = sizeof(Element) == sizeof(double);
  static constexpr int rows = Rows, columns = Columns, threads = 4 * Rows;
  static constexpr int depth = 8;  // of the inner index, in one step
  // Doubles of shared memory, for one step: real parts of the rows' elements, of the columns', then the imaginary parts.
  static constexpr int plane = (Rows + Columns) * depth, doubles = (is_real ? 1 : 2) * plane;
  // Blocks of its kind that a processor is to hold at least: as many as leave 128 registers to a thread.
  static constexpr int resident = 512 / threads;

  // Real parts of the sums, then the imaginary ones.
  static constexpr int parts = is_real ? 1 : 2, down = 16 / Unit::rows, across = Columns * Unit::lanes / 64 / Unit::columns;
  double sum[parts][down][across][Unit::sums] = {};

  // Puts the element of inner index k of a row, or of a column, in its place.
  __device__ __forceinline__ static void put_row(double* shared, int row, int k, N z) { put(shared, row, k, z); }
  __device__ __forceinline__ static void put_column(double* shared, int column, int k, N z) { put(shared, Rows + column, k, z); }

  __device__ __forceinline__ void add(const double* shared) {
    // One after the other: with the operands of both in registers at once there are not enough.
    SUITE_GPU_NO_UNROLL
    for (int k = 0; k < depth; k += Unit::depth) {
      const double* const row = shared + place(first_row() + Unit::outer(), k + Unit::inner());
      const double* const column = shared + place(Rows + first_column() + Unit::outer(), k + Unit::inner());
      double a[parts][down], b[parts][across];
      SUITE_GPU_UNROLL
      for (int part = 0; part < parts; ++part) {
        SUITE_GPU_UNROLL
        for (int i = 0; i < down; ++i) a[part][i] = row[part * plane + i * Unit::rows * depth];
        SUITE_GPU_UNROLL
        for (int j = 0; j < across; ++j) b[part][j] = column[part * plane + j * Unit::columns * depth];
      }
      multiply_tiles(sum[0], a[0], b[0]);
      if constexpr (!is_real) {
        double minus[down];
        SUITE_GPU_UNROLL
        for (int i = 0; i < down; ++i) minus[i] = -a[1][i];
        multiply_tiles(sum[1], a[0], b[1]);
        multiply_tiles(sum[0], minus, b[1]);
        multiply_tiles(sum[1], a[1], b[0]);
      }
    }
  }

  // f(row, column, sum) for each of the thread's sums.
  template <class F> __device__ __forceinline__ void each(const F& f) const {
    SUITE_GPU_UNROLL
    for (int j = 0; j < across; ++j) SUITE_GPU_UNROLL
    for (int i = 0; i < down; ++i) SUITE_GPU_UNROLL
    for (int n = 0; n < Unit::sums; ++n) {
      N value;
      value.re = sum[0][i][j][n];
      if constexpr (!is_real) value.im = sum[1][i][j][n];
      f(first_row() + i * Unit::rows + Unit::sum_row(n), first_column() + j * Unit::columns + Unit::sum_column(n), value);
    }
  }

private:
  static constexpr int teams_across = 64 / Unit::lanes;
  __device__ __forceinline__ static int first_row() { return Unit::team() / teams_across * 16; }
  __device__ __forceinline__ static int first_column() { return Unit::team() % teams_across * (Columns / teams_across); }

  // A row's elements lie side by side, some exchanged so that threads that load together (four of each of four rows; one of each of
  // 16 rows where a team has 64 threads), and those that store two rows, meet different banks.
  __device__ __forceinline__ static int place(int m, int k) { return m * depth + (k ^ (Unit::lanes == 64 ? m / 2 & 7 : (m / 2 & 1) * 4)); }
  __device__ __forceinline__ static void put(double* shared, int m, int k, N z) {
    shared[place(m, k)] = z.re;
    if constexpr (!is_real) shared[plane + place(m, k)] = z.im;
  }
};

}  // namespace suite::gpu
