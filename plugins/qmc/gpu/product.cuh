// SPDX-License-Identifier: BSD-3-Clause
// A product of matrices by one block: tiles of 64 by 32 and eight elements of the sum at a time in shared memory, multiplied by tensor
// or matrix cores where the GPU has them (suite/gpu/matrix.hpp).
#pragma once

#include <suite/gpu/matrix.hpp>

#include "device.cuh"

namespace suite::qmc {

inline constexpr int tile_rows = 64, tile_columns = 32, tile_depth = 8;
static_assert(block_threads == 2 * tile_rows);

enum class Fast { inner, outer };  // which index of a matrix lies side by side: that of the sum, or the other

// Where element k of row (or column) m of M lies in shared memory. The order is that in which threads store them, which is that of the
// memory they come from; threads that store or load together meet different banks.
template <Fast fast, int M> __device__ __forceinline__ int shelf_place(int m, int k) {
  if constexpr (fast == Fast::outer) return k * (M + 4) + m;
  return m * tile_depth + (k ^ (gpu::MatrixUnit::lanes == 64 ? m / 2 & 7 : (m / 2 & 1) * 4));
}
inline constexpr int shelf_size(int M) { return (M + 4) * tile_depth; }

// Declared once in a kernel, in shared memory, for all its products; two of each, so that some warps fill one while others read the other.
struct Tiles {
  double a[2][shelf_size(tile_rows)], b[2][shelf_size(tile_columns)];
};

// A matrix whose rows (or columns) lie `stride` apart where they are Fast::inner, and whose elements of the sum do where they are outer.
struct Operand {
  const double* data;
  int stride;
};

// What a thread brings of M rows (or columns) from `first` on into shared memory. Beyond the last there are others of the last: no sum that
// they are in is stored.
template <Fast fast, int M> class Fill {
public:
  __device__ __forceinline__ Fill(const Operand& from, int first, int count) : step_(tile_depth * (fast == Fast::inner ? 1 : from.stride)) {
    SUITE_GPU_UNROLL
    for (int part = 0; part < parts; ++part) {
      const int row = first + m(part) < count ? first + m(part) : count - 1;
      const int outer = fast == Fast::inner ? from.stride : 1, inner = fast == Fast::inner ? 1 : from.stride;
      at_[part] = from.data + static_cast<int64_t>(row) * outer + static_cast<int64_t>(k(part)) * inner;
    }
  }
  // The next elements of the sum, of which `rest` are there.
  __device__ __forceinline__ void operator()(double* to, int rest) {
    SUITE_GPU_UNROLL
    for (int part = 0; part < parts; ++part) {
      to[shelf_place<fast, M>(m(part), k(part))] = k(part) < rest ? *at_[part] : 0.0;
      at_[part] += step_;
    }
  }

private:
  static constexpr int parts = M * tile_depth / block_threads;
  __device__ __forceinline__ static int m(int part) {
    const int e = part * block_threads + thread();
    return fast == Fast::inner ? e / tile_depth : e % M;
  }
  __device__ __forceinline__ static int k(int part) {
    const int e = part * block_threads + thread();
    return fast == Fast::inner ? e % tile_depth : e / M;
  }
  const double* at_[parts];
  int step_;
};

// store(i, j, sum_k a(i,k) b(k,j)) for i < rows, j < columns, k < depth. Before the next product, or a look at what was stored, the
// caller has the block meet.
template <Fast fast_a, Fast fast_b, class Store>
__device__ __forceinline__ void block_product(Tiles& tiles, int rows, int columns, int depth, const Operand& a, const Operand& b,
                                              const Store& store) {
  using Unit = gpu::MatrixUnit;
  // 32 threads have 32 x 16 numbers of a tile, or 64 threads 32 x 32.
  constexpr int teams_across = 64 / Unit::lanes, down = 32 / Unit::rows, across = tile_columns / teams_across / Unit::columns;
  int turn = 0;
  for (int i0 = 0; i0 < rows; i0 += tile_rows)
    for (int j0 = 0; j0 < columns; j0 += tile_columns) {
      const int first_row = Unit::team() / teams_across * 32, first_column = Unit::team() % teams_across * (tile_columns / teams_across);
      Fill<fast_a, tile_rows> fill_a(a, i0, rows);
      Fill<fast_b, tile_columns> fill_b(b, j0, columns);
      double sum[down][across][Unit::sums] = {};
      SUITE_GPU_NO_UNROLL
      for (int k0 = 0; k0 < depth; k0 += tile_depth) {
        fill_a(tiles.a[turn], depth - k0);
        fill_b(tiles.b[turn], depth - k0);
        __syncthreads();
        SUITE_GPU_UNROLL
        for (int k = 0; k < tile_depth; k += Unit::depth) {
          double x[down], y[across];
          SUITE_GPU_UNROLL
          for (int i = 0; i < down; ++i)
            x[i] = tiles.a[turn][shelf_place<fast_a, tile_rows>(first_row + i * Unit::rows + Unit::outer(), k + Unit::inner())];
          SUITE_GPU_UNROLL
          for (int j = 0; j < across; ++j)
            y[j] = tiles.b[turn][shelf_place<fast_b, tile_columns>(first_column + j * Unit::columns + Unit::outer(), k + Unit::inner())];
          gpu::multiply_tiles(sum, x, y);
        }
        turn ^= 1;
      }
      SUITE_GPU_UNROLL
      for (int i = 0; i < down; ++i) SUITE_GPU_UNROLL
      for (int j = 0; j < across; ++j) SUITE_GPU_UNROLL
      for (int n = 0; n < Unit::sums; ++n) {
        const int row = i0 + first_row + i * Unit::rows + Unit::sum_row(n);
        const int column = j0 + first_column + j * Unit::columns + Unit::sum_column(n);
        if (row < rows && column < columns) store(row, column, sum[i][j][n]);
      }
    }
}

}  // namespace suite::qmc
