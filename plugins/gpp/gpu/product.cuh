// SPDX-License-Identifier: BSD-3-Clause
// A matrix product whose operands pass through shared memory: the register tile of a thread and its place in the block.
#pragma once

#include "device.cuh"

namespace suite::gpp {

// c += a b. Complex: four fused multiply-adds.
__device__ __forceinline__ void multiply_add(Number<double, true> a, Number<double, true> b, Number<double, true>& c) {
  c.re = fused(a.re, b.re, c.re);
}
__device__ __forceinline__ void multiply_add(Z a, Z b, Z& c) {
  c.re = fused(a.re, b.re, c.re);
  c.im = fused(a.re, b.im, c.im);
  c.re = fused(-a.im, b.im, c.re);
  c.im = fused(a.im, b.re, c.im);
}

// A block has Across x 16 threads, each with a register tile of Rows x Columns: Across * Rows rows and 16 * Columns
// columns together. A thread's rows lie Across apart and its columns 16 apart, so that neighbouring threads read neighbouring
// numbers of shared memory.
template <bool Real, int Rows, int Columns, int Across> struct Product {
  using N = Number<double, Real>;
  static constexpr bool is_real = Real;
  static constexpr int across = Across, down = 16, threads = Across * down;
  static constexpr int rows = Across * Rows, columns = down * Columns;
  static constexpr int depth = 8;  // of the inner index, between two barriers
  // Blocks of its kind that a processor is to hold at least: as many as leave 128 registers to a thread, or 256 to one with
  // twice the sums. Small blocks, whose threads fetch more numbers each, get some more. clang would read it as waves.
#if defined(__HIP_PLATFORM_AMD__)
  static constexpr int resident = 1;
#else
  static constexpr int resident = (Rows * Columns * (Real ? 1 : 2) > 32 ? 256 : threads > 64 ? 512 : 320) / threads;
#endif

  // One more than is used, so that threads that fill them along the inner index meet different banks.
  struct Shared {
    N row[depth][rows + 1], column[depth][columns + 1];
  };

  N sum[Rows][Columns] = {};

  __device__ static int row(int i) { return static_cast<int>(threadIdx.x) % Across + i * Across; }
  __device__ static int column(int j) { return static_cast<int>(threadIdx.x) / Across + j * down; }

  __device__ __forceinline__ void add(const Shared& s) {
    SUITE_GPU_NO_UNROLL
    for (int k = 0; k < depth; ++k) {
      N a[Rows];
      SUITE_GPU_UNROLL
      for (int i = 0; i < Rows; ++i) a[i] = s.row[k][row(i)];
      SUITE_GPU_UNROLL
      for (int j = 0; j < Columns; ++j) {
        const N b = s.column[k][column(j)];
        SUITE_GPU_UNROLL
        for (int i = 0; i < Rows; ++i) multiply_add(a[i], b, sum[i][j]);
      }
    }
  }
};

}  // namespace suite::gpp
