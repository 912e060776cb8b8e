// SPDX-License-Identifier: BSD-3-Clause
// suite/gpu/matrix.hpp - products of matrices by the lanes of a warp: the FP64 tensor cores of NVIDIA's sm_80 and later (DMMA), the
// matrix cores of AMD's gfx90a and gfx94x (MFMA), and fused multiply-adds with shuffles elsewhere. Include it after gpu.hpp.
//
//   MatrixUnit             which lane has which element; differs between devices, so use it in kernels only
//   multiply_tiles(c, a, b)  C += A B for I x J tiles; all lanes of the warp must come to the same call
//
// A team of MatrixUnit::lanes neighbouring threads multiplies A (rows x depth) with B (depth x columns). Each lane brings one element
// of A and one of B, and has `sums` elements of C. Where a team has 64 lanes its tile of C is four times as large as that of 32.
// Sources: PTX ISA 9.0, "Matrix fragments for mma.m8n8k4 with .f64 floating point type" and "mma.m16n8k4"; AMD CDNA 2 and CDNA 3
// instruction set guides, v_mfma_f64_16x16x4.
#pragma once

#include <suite/gpu.hpp>

namespace suite::gpu {

#if defined(__HIP_DEVICE_COMPILE__) && defined(__HIP_PLATFORM_AMD__) && \
    (defined(__gfx90a__) || defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__) || defined(__gfx950__))
#define SUITE_GPU_MFMA 1
#else
#define SUITE_GPU_MFMA 0
#endif

struct MatrixUnit {
#if SUITE_GPU_MFMA
  static constexpr int lanes = 64, rows = 16, columns = 16, depth = 4, sums = 4;
  static constexpr int sum_rows = 4;    // that the lane's sums of one tile lie in: the n-th in row n % sum_rows of them
  static constexpr int row_lanes = 16;  // neighbours that have sums of the same rows
  // Row of A, or column of B, and inner index of the lane's element.
  __device__ static int outer() { return lane() % 16; }
  __device__ static int inner() { return lane() / 16; }
  // Place of the lane's n-th element of C.
  __device__ static int sum_row(int n) { return 4 * n + lane() / 16; }
  __device__ static int sum_column(int) { return lane() % 16; }
#else
  static constexpr int lanes = 32, rows = 8, columns = 8, depth = 4, sums = 2;
  static constexpr int sum_rows = 1, row_lanes = 4;
  __device__ static int outer() { return lane() / 4; }
  __device__ static int inner() { return lane() % 4; }
  __device__ static int sum_row(int) { return lane() / 4; }
  __device__ static int sum_column(int n) { return lane() % 4 * 2 + n; }
#endif
  // Of blocks that extend along x only.
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % lanes; }
  __device__ static int team() { return static_cast<int>(threadIdx.x) / lanes; }
};

#if defined(SUITE_GPU_EMULATED)

// Lanes look into each other's arguments between two meetings of the warp.
template <int I, int J>
void multiply_tiles(double (&c)[I][J][2], const double (&a)[I], const double (&b)[J], const Where where = Where::current()) {
  struct Operands {
    const double *a, *b;
  };
  Operands all[emulation::largest_warp];
  emulation::current_block->gather(Operands{a, b}, all, "multiply_tiles", where);
  const Operands* const team = all + emulation::current_block->lane() / 32 * 32;
  const int row = MatrixUnit::sum_row(0);
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < J; ++j)
      for (int n = 0; n < 2; ++n) {
        const double y = team[MatrixUnit::sum_column(n) * 4 + k].b[j];
        for (int i = 0; i < I; ++i) c[i][j][n] += team[row * 4 + k].a[i] * y;
      }
  emulation::current_block->warp_barrier("multiply_tiles", where);
}

#elif SUITE_GPU_MFMA

template <int I, int J> __device__ __forceinline__ void multiply_tiles(double (&c)[I][J][4], const double (&a)[I], const double (&b)[J]) {
  using Four = __attribute__((__vector_size__(4 * sizeof(double)))) double;
  SUITE_GPU_UNROLL
  for (int j = 0; j < J; ++j) SUITE_GPU_UNROLL
  for (int i = 0; i < I; ++i) {
    Four sum = {c[i][j][0], c[i][j][1], c[i][j][2], c[i][j][3]};
    sum = __builtin_amdgcn_mfma_f64_16x16x4f64(a[i], b[j], sum, 0, 0, 0);
    SUITE_GPU_UNROLL
    for (int n = 0; n < 4; ++n) c[i][j][n] = sum[n];
  }
}

#else

// volatile: no compiler may move one to where only some lanes come. From sm_90 on two tiles of one column are one instruction.
template <int I, int J> __device__ __forceinline__ void multiply_tiles(double (&c)[I][J][2], const double (&a)[I], const double (&b)[J]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  constexpr int paired = __CUDA_ARCH__ >= 900 ? I / 2 * 2 : 0;
  SUITE_GPU_UNROLL
  for (int j = 0; j < J; ++j) {
#if __CUDA_ARCH__ >= 900
    SUITE_GPU_UNROLL
    for (int i = 0; i < paired; i += 2)
      asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                   : "+d"(c[i][j][0]), "+d"(c[i][j][1]), "+d"(c[i + 1][j][0]), "+d"(c[i + 1][j][1])
                   : "d"(a[i]), "d"(a[i + 1]), "d"(b[j]));
#endif
    SUITE_GPU_UNROLL
    for (int i = paired; i < I; ++i)
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                   : "+d"(c[i][j][0]), "+d"(c[i][j][1])
                   : "d"(a[i]), "d"(b[j]));
  }
#else
  const int row = MatrixUnit::sum_row(0);
  SUITE_GPU_UNROLL
  for (int k = 0; k < 4; ++k) {
    double x[I];
    SUITE_GPU_UNROLL
    for (int i = 0; i < I; ++i) x[i] = shuffle<32>(a[i], row * 4 + k);
    SUITE_GPU_UNROLL
    for (int j = 0; j < J; ++j) SUITE_GPU_UNROLL
    for (int n = 0; n < 2; ++n) {
      const double y = shuffle<32>(b[j], MatrixUnit::sum_column(n) * 4 + k);
      SUITE_GPU_UNROLL
      for (int i = 0; i < I; ++i) c[i][j][n] = ::fma(x[i], y, c[i][j][n]);
    }
  }
#endif
}

#endif

}  // namespace suite::gpu
