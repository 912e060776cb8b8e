// SPDX-License-Identifier: BSD-3-Clause
// What the device code of lfd shares: its names for numbers and sums, momenta, rows of orbitals.
#pragma once

#include <cstdint>
#include <type_traits>

#include "../functional.hpp"
#include "../lfd.hpp"

#include <suite/gpu.hpp>
#include <suite/gpu/numbers.hpp>

namespace suite::lfd {

template <class T> using Number = gpu::Complex<T>;
// Elements of wavefunctions: T or Number<T>.
template <class E> struct RealOfElement {
  using type = E;
};
template <class T> struct RealOfElement<Number<T>> {
  using type = T;
};
template <class E> using RealOf = typename RealOfElement<E>::type;
template <class E> __device__ __forceinline__ Number<RealOf<E>> as_number(E x) {
  if constexpr (std::is_floating_point_v<E>) return {x, 0};
  else return x;
}
template <class E> __device__ __forceinline__ void add_number(E& to, Number<RealOf<E>> x) {
  if constexpr (std::is_floating_point_v<E>) to += x.re;
  else to = to + x;
}
using gpu::section_sum, gpu::block_sum;
using gpu::unit, gpu::unit_as;

__device__ __forceinline__ int64_t thread_index() { return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; }

// A + k of each orbital, in memory of the device; either may be null.
struct Momenta {
  const double *A, *k;  // (3), (3,Norb)
  __device__ __forceinline__ double operator()(int d, int64_t n) const { return (A ? A[d] : 0.0) + (k ? k[3 * n + d] : 0.0); }
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

}  // namespace suite::lfd
