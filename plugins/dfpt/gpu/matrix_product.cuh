// SPDX-License-Identifier: BSD-3-Clause
// Products of N matrices with one in common, by the matrix units of a block's warps: sum_q(i,j) = sum_k a(i,k) b_q(k,j).
#pragma once

#include <suite/gpu/matrix.hpp>

#include "product.cuh"

namespace suite::dfpt {

// Where element k of row m lies in shared memory, of matrices with M rows (or columns) and Depth elements of the sum. The order is that
// in which threads store them, which is the order of memory; threads that store or load together meet different banks.
template <Fast fast, int M, int Depth> struct Shelf;
template <int M, int Depth> struct Shelf<Fast::inner, M, Depth> {
  static constexpr int size = M * Depth;
  __device__ __forceinline__ static int place(int m, int k) {
    static_assert(Depth == 8);
    return m * Depth + (k ^ (gpu::MatrixUnit::lanes == 64 ? m / 2 & 7 : (m / 2 & 1) * 4));
  }
};
template <int M, int Depth> struct Shelf<Fast::outer, M, Depth> {
  static constexpr int width = M + 4, size = width * Depth;
  __device__ __forceinline__ static int place(int m, int k) { return k * width + m; }
};

// A tile of Rows x Columns, of which 32 threads have 32 x Columns/2, next to those of the next 32 threads; where a team has 64 threads,
// 32 x Columns.
template <Fast fast_a, Fast fast_b, int Rows, int Columns, int N> struct MatrixTiles {
  using Unit = gpu::MatrixUnit;
  static constexpr int rows = Rows, columns = Columns, threads = 2 * Rows, depth = 8;
  using A = Shelf<fast_a, Rows, depth>;
  using B = Shelf<fast_b, Columns, depth>;
  // Declared once in a kernel, in shared memory; two, so that some warps fill one while others read the other.
  struct Shared {
    double a[2][A::size], b[2][N][B::size];
  };

  static constexpr int teams_across = 64 / Unit::lanes;
  static constexpr int down = 32 / Unit::rows, across = Columns / teams_across / Unit::columns;
  static constexpr int row_slots = down * Unit::sum_rows;  // rows that a thread's sums lie in
  double sum[N][down][across][Unit::sums] = {};

  // a(i, k) and b(k, j, x[N]) give the elements of the tile, 0 where a row or column is none; k is below `inner`.
  template <class GiveA, class GiveB> __device__ __forceinline__ void multiply(Shared& s, int inner, const GiveA& a, const GiveB& b) {
    int turn = 0;
    for (int k0 = 0; k0 < inner; k0 += depth) {
      fill(s.a[turn], s.b[turn], k0, inner, a, b);
      __syncthreads();
      add(s.a[turn], s.b[turn]);
      turn ^= 1;
    }
    // Before the next product is filled in.
    __syncthreads();
  }

  // f(slot, row, column, x[N]) for each place of the thread's sums; those of one row have one slot.
  template <class F> __device__ __forceinline__ void each(const F& f) const {
    SUITE_GPU_UNROLL
    for (int i = 0; i < down; ++i) SUITE_GPU_UNROLL
    for (int j = 0; j < across; ++j) SUITE_GPU_UNROLL
    for (int n = 0; n < Unit::sums; ++n) {
      double x[N];
      SUITE_GPU_UNROLL
      for (int q = 0; q < N; ++q) x[q] = sum[q][i][j][n];
      f(i * Unit::sum_rows + n % Unit::sum_rows, first_row() + i * Unit::rows + Unit::sum_row(n),
        first_column() + j * Unit::columns + Unit::sum_column(n), x);
    }
  }
  __device__ __forceinline__ static int row(int slot) {
    return first_row() + slot / Unit::sum_rows * Unit::rows + Unit::sum_row(slot % Unit::sum_rows);
  }

  // Of teams side by side; and whether the thread is the first of those with sums of its rows.
  __device__ __forceinline__ static int team_column() { return Unit::team() % teams_across; }
  __device__ __forceinline__ static bool leads_row() { return thread() % Unit::row_lanes == 0; }

private:
  __device__ __forceinline__ static int first_row() { return Unit::team() / teams_across * 32; }
  __device__ __forceinline__ static int first_column() { return team_column() * (Columns / teams_across); }

  template <class GiveA, class GiveB>
  __device__ __forceinline__ static void fill(double* to_a, double (&to_b)[N][B::size], int k0, int inner, const GiveA& a, const GiveB& b) {
    SUITE_GPU_UNROLL
    for (int part = 0; part < Rows * depth / threads; ++part) {
      const int e = part * threads + thread();
      const int i = fast_a == Fast::inner ? e / depth : e % Rows, k = fast_a == Fast::inner ? e % depth : e / Rows;
      to_a[A::place(i, k)] = k0 + k < inner ? a(i, k0 + k) : 0.0;
    }
    SUITE_GPU_UNROLL
    for (int part = 0; part < Columns * depth / threads; ++part) {
      const int e = part * threads + thread();
      const int j = fast_b == Fast::inner ? e / depth : e % Columns, k = fast_b == Fast::inner ? e % depth : e / Columns;
      double x[N] = {};
      if (k0 + k < inner) b(k0 + k, j, x);
      SUITE_GPU_UNROLL
      for (int q = 0; q < N; ++q) to_b[q][B::place(j, k)] = x[q];
    }
  }

  __device__ __forceinline__ void add(const double* a, const double (&b)[N][B::size]) {
    // One after the other: with the operands of both in registers at once there are not enough.
    SUITE_GPU_NO_UNROLL
    for (int k = 0; k < depth; k += Unit::depth) {
      double x[down];
      SUITE_GPU_UNROLL
      for (int i = 0; i < down; ++i) x[i] = a[A::place(first_row() + i * Unit::rows + Unit::outer(), k + Unit::inner())];
      SUITE_GPU_UNROLL
      for (int q = 0; q < N; ++q) {
        double y[across];
        SUITE_GPU_UNROLL
        for (int j = 0; j < across; ++j) y[j] = b[q][B::place(first_column() + j * Unit::columns + Unit::outer(), k + Unit::inner())];
        gpu::multiply_tiles(sum[q], x, y);
      }
    }
  }
};

}  // namespace suite::dfpt
