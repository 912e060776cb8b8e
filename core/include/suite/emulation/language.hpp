// SPDX-License-Identifier: BSD-3-Clause
// suite/emulation/language.hpp - the language of CUDA and HIP kernels, for a host compiler.
// Include it after every other header: it defines names such as __shared__ that no system header should see.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <suite/emulation/launch.hpp>

using dim3 = suite::emulation::Index3;
struct alignas(16) double2 {
  double x, y;
};
struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(8) int2 {
  int x, y;
};
inline double2 make_double2(double x, double y) { return {x, y}; }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline int2 make_int2(int x, int y) { return {x, y}; }

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
// A block runs on one CPU thread from its first to its last instruction.
#define __shared__ static thread_local

#define threadIdx (::suite::emulation::current_block->thread_index())
#define blockIdx (::suite::emulation::current_block->block_index())
#define blockDim (::suite::emulation::current_block->block_extent())
#define gridDim (::suite::emulation::current_block->grid_extent())
#define warpSize (::suite::emulation::current_block->warp())

inline void __syncthreads(const std::source_location where = std::source_location::current()) {
  ::suite::emulation::current_block->barrier(where);
}
inline void __threadfence() { std::atomic_thread_fence(std::memory_order_seq_cst); }

template <class T> T __ldg(const T* address) { return *address; }

// Returns the old value, as on a device.
template <class T> T atomicAdd(T* address, std::type_identity_t<T> value) {
  if constexpr (std::is_floating_point_v<T>) {
    std::atomic_ref<T> shared(*address);
    T old = shared.load(std::memory_order_relaxed);
    while (!shared.compare_exchange_weak(old, old + value)) continue;
    return old;
  } else {
    return std::atomic_ref<T>(*address).fetch_add(value);
  }
}
template <class T> T atomicMax(T* address, std::type_identity_t<T> value) {
  std::atomic_ref<T> shared(*address);
  T old = shared.load(std::memory_order_relaxed);
  while (old < value && !shared.compare_exchange_weak(old, value)) continue;
  return old;
}

inline double rsqrt(double x) { return 1 / std::sqrt(x); }
