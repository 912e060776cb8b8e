// SPDX-License-Identifier: BSD-3-Clause
// What the device code of lfd shares: numbers, phases, rows of orbitals, sums in a fixed order.
#pragma once

#include <cstdint>

#include "../functional.hpp"
#include "../lfd.hpp"

#include <suite/gpu.hpp>

namespace suite::lfd {

// A complex number that a thread loads in one piece.
template <class T>
struct alignas(2 * sizeof(T)) Number {
  T re, im;
};
template <class T>
__device__ __forceinline__ Number<T> operator*(Number<T> a, Number<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
__device__ __forceinline__ Number<T> operator+(Number<T> a, Number<T> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
__device__ __forceinline__ Number<T> conjugate(Number<T> a) {
  return {a.re, -a.im};
}
template <class T>
__device__ __forceinline__ double norm(Number<T> a) {
  return static_cast<double>(a.re * a.re + a.im * a.im);
}

// e^{i angle}. In units of pi no angle is too large for the device's fast path, which needs no stack.
__device__ __forceinline__ Number<double> unit(double angle) {
  Number<double> z;
#if defined(SUITE_GPU_EMULATED)
  z.re = std::cos(angle);
  z.im = std::sin(angle);
#else
  ::sincospi(angle * 0.31830988618379067154, &z.im, &z.re);
#endif
  return z;
}
template <class T>
__device__ __forceinline__ Number<T> unit_as(double angle) {
  if constexpr (sizeof(T) == sizeof(double)) {
    return unit(angle);
  } else {
    Number<float> z;
#if defined(SUITE_GPU_EMULATED)
    z.re = static_cast<float>(std::cos(angle));
    z.im = static_cast<float>(std::sin(angle));
#else
    const double turns = angle * 0.31830988618379067154;
    ::sincospif(static_cast<float>(turns - 2 * ::rint(0.5 * turns)), &z.im, &z.re);
#endif
    return z;
  }
}

// A + k of each orbital, in memory of the device; either may be null.
struct Momenta {
  const double *A, *k;  // (3), (3,Norb)
  __device__ __forceinline__ double operator()(int d, int64_t n) const {
    return (A ? A[d] : 0.0) + (k ? k[3 * n + d] : 0.0);
  }
};

// Rows of orbitals: a section of 2^shift lanes (8, 16 or 32) takes one row, orbital after orbital.
inline constexpr int row_threads = 128;
inline int row_shift(int64_t norb) { return norb > 16 ? 5 : norb > 8 ? 4 : 3; }
struct Lane {
  int64_t row;
  int first, width;
};
__device__ __forceinline__ Lane row_lane(int shift) {
  const int thread = static_cast<int>(threadIdx.x), width = 1 << shift;
  const int64_t rows_of_block = row_threads >> shift;
  return {blockIdx.x * rows_of_block + (thread >> shift), thread & (width - 1), width};
}
inline unsigned row_blocks(int64_t rows, int shift) {
  const int64_t rows_of_block = row_threads >> shift;
  return static_cast<unsigned>((rows + rows_of_block - 1) / rows_of_block);
}
// The sum over a section; every lane of it gets it.
__device__ __forceinline__ double section_sum(double value, int width) {
  for (int mask = width / 2; mask > 0; mask /= 2) value += gpu::shuffle_xor<32>(value, mask);
  return value;
}

// Sums over the block in an order that does not change; write(n, sum) gets them.
template <int N, int Threads, class Write>
__device__ __forceinline__ void block_sum(const double (&value)[N], Write write) {
  __shared__ double parts[N][Threads / 32];
  const int thread = static_cast<int>(threadIdx.x), warp = thread / warpSize, warps = Threads / warpSize;
  __syncthreads();  // the last sums may still be read
  SUITE_GPU_UNROLL
  for (int n = 0; n < N; ++n) {
    const double sum = gpu::warp_sum(value[n]);
    if (gpu::lane() == 0) parts[n][warp] = sum;
  }
  __syncthreads();
  for (int n = thread; n < N; n += Threads) {
    double sum = 0;
    for (int w = 0; w < warps; ++w) sum += parts[n][w];
    write(n, sum);
  }
}

}  // namespace suite::lfd
