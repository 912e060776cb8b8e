// SPDX-License-Identifier: BSD-3-Clause
// A product of matrices by one block: tiles of 64 by 32 in shared memory, 4 by 4 numbers for each thread.
#pragma once

#include "device.cuh"

namespace suite::qmc {

inline constexpr int tile_rows = 64, tile_columns = 32, tile_depth = 16;
static_assert(tile_rows / 4 * (tile_columns / 4) == block_threads);

// Declared once in a kernel, in shared memory, for all its products. One more, so that threads that write a
// column meet different banks.
struct Tiles {
  double a[tile_depth][tile_rows + 1], b[tile_depth][tile_columns + 1];
};

enum class Fast { inner, outer };  // which index of a matrix lies side by side: that of the sum, or the other

// store(i, j, sum_k a(i,k) b(k,j)) for i < rows, j < columns, k < depth.
template <Fast fast_a, Fast fast_b, class A, class B, class Store>
__device__ __forceinline__ void block_product(Tiles& tiles, int rows, int columns, int depth, const A& a, const B& b, const Store& store) {
  const int t = thread(), tx = t % (tile_rows / 4), ty = t / (tile_rows / 4);
  for (int i0 = 0; i0 < rows; i0 += tile_rows)
    for (int j0 = 0; j0 < columns; j0 += tile_columns) {
      double sum[4][4] = {};
      for (int k0 = 0; k0 < depth; k0 += tile_depth) {
        SUITE_GPU_UNROLL
        for (int part = 0; part < tile_rows * tile_depth / block_threads; ++part) {
          const int e = part * block_threads + t;
          const int i = fast_a == Fast::inner ? e / tile_depth : e % tile_rows, k = fast_a == Fast::inner ? e % tile_depth : e / tile_rows;
          tiles.a[k][i] = i0 + i < rows && k0 + k < depth ? a(i0 + i, k0 + k) : 0.0;
        }
        SUITE_GPU_UNROLL
        for (int part = 0; part < tile_columns * tile_depth / block_threads; ++part) {
          const int e = part * block_threads + t;
          const int j = fast_b == Fast::inner ? e / tile_depth : e % tile_columns,
                    k = fast_b == Fast::inner ? e % tile_depth : e / tile_columns;
          tiles.b[k][j] = j0 + j < columns && k0 + k < depth ? b(k0 + k, j0 + j) : 0.0;
        }
        __syncthreads();
        // Four at a time: with all of them in registers at once there are not enough.
        SUITE_GPU_NO_UNROLL
        for (int k4 = 0; k4 < tile_depth; k4 += 4) {
          SUITE_GPU_UNROLL
          for (int k = 0; k < 4; ++k) {
            double x[4], y[4];
            SUITE_GPU_UNROLL
            for (int i = 0; i < 4; ++i) {
              x[i] = tiles.a[k4 + k][tx + i * (tile_rows / 4)];
              y[i] = tiles.b[k4 + k][ty + i * (tile_columns / 4)];
            }
            SUITE_GPU_UNROLL
            for (int i = 0; i < 4; ++i) SUITE_GPU_UNROLL
            for (int j = 0; j < 4; ++j) sum[i][j] += x[i] * y[j];
          }
        }
        __syncthreads();
      }
      SUITE_GPU_UNROLL
      for (int j = 0; j < 4; ++j) SUITE_GPU_UNROLL
      for (int i = 0; i < 4; ++i) {
        const int row = i0 + tx + i * (tile_rows / 4), column = j0 + ty + j * (tile_columns / 4);
        if (row < rows && column < columns) store(row, column, sum[i][j]);
      }
    }
}

}  // namespace suite::qmc
