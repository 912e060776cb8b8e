// SPDX-License-Identifier: BSD-3-Clause
// Products of N matrices with one in common, by one block, in tiles of shared memory: sum_q(i,j) = sum_k
// a(i,k) b_q(k,j). A thread has R rows and C columns of a tile of R Threads/8 by 8 C; its eight columns'
// lanes are neighbours.
#pragma once

#include "device.cuh"

namespace suite::dfpt {

// Declared once in a kernel, in shared memory. One more, so that threads that write a column meet different
// banks.
template <int Threads, int R, int C, int N> struct Tiles {
  static constexpr int rows = Threads / 8 * R, columns = 8 * C, depth = 16;
  double a[depth][rows + 1], b[N][depth][columns + 1];

  __device__ static int row(int i) { return thread() / 8 + i * (Threads / 8); }
  __device__ static int column(int j) { return thread() % 8 + j * 8; }
};

enum class Fast { inner, outer };  // which index of a matrix lies side by side: that of the sum, or the other

// a(i, k) and b(k, j, x[N]) give the elements of the tile, 0 where a row or column is none; k is below depth.
template <Fast fast_a, Fast fast_b, int Threads, int R, int C, int N, class A, class B>
__device__ __forceinline__ void multiply(Tiles<Threads, R, C, N>& tiles, int depth, const A& a, const B& b, double (&sum)[N][R][C]) {
  using T = Tiles<Threads, R, C, N>;
  const int t = thread();
  for (int k0 = 0; k0 < depth; k0 += T::depth) {
    SUITE_GPU_UNROLL
    for (int part = 0; part < T::rows * T::depth / Threads; ++part) {
      const int e = part * Threads + t;
      const int i = fast_a == Fast::inner ? e / T::depth : e % T::rows, k = fast_a == Fast::inner ? e % T::depth : e / T::rows;
      tiles.a[k][i] = k0 + k < depth ? a(i, k0 + k) : 0.0;
    }
    SUITE_GPU_UNROLL
    for (int part = 0; part < T::columns * T::depth / Threads; ++part) {
      const int e = part * Threads + t;
      const int j = fast_b == Fast::inner ? e / T::depth : e % T::columns, k = fast_b == Fast::inner ? e % T::depth : e / T::columns;
      double x[N] = {};
      if (k0 + k < depth) b(k0 + k, j, x);
      SUITE_GPU_UNROLL
      for (int q = 0; q < N; ++q) tiles.b[q][k][j] = x[q];
    }
    __syncthreads();
    // Four at a time: with all of them in registers at once there are not enough.
    SUITE_GPU_NO_UNROLL
    for (int k4 = 0; k4 < T::depth; k4 += 4) {
      SUITE_GPU_UNROLL
      for (int k = 0; k < 4; ++k) {
        double x[R];
        SUITE_GPU_UNROLL
        for (int i = 0; i < R; ++i) x[i] = tiles.a[k4 + k][T::row(i)];
        SUITE_GPU_UNROLL
        for (int q = 0; q < N; ++q) SUITE_GPU_UNROLL
        for (int j = 0; j < C; ++j) {
          const double y = tiles.b[q][k4 + k][T::column(j)];
          SUITE_GPU_UNROLL
          for (int i = 0; i < R; ++i) sum[q][i][j] += x[i] * y;
        }
      }
    }
    __syncthreads();
  }
}

}  // namespace suite::dfpt
