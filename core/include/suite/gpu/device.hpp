// SPDX-License-Identifier: BSD-3-Clause
// suite/gpu/device.hpp - part of gpu.hpp for CUDA and HIP: launches, and what kernels use.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <type_traits>
#include <utility>

#include <suite/gpu/graph.hpp>
#include <suite/gpu/properties.hpp>
#include <suite/gpu/runtime.hpp>

namespace suite::gpu {

// A block gets more static and dynamic shared memory than this together only where the runtime was asked for it.
inline constexpr size_t shared_without_asking = 48 * 1024;

// Asks for it, once for each kernel, device and larger size.
inline void allow_shared(const void* kernel, size_t dynamic_bytes, const char* name) {
  if (dynamic_bytes == 0) return;
  struct Known {
    size_t fixed = 0, allowed = 0;
  };
  static std::mutex mutex;
  static std::map<std::pair<int, const void*>, Known> all;
  int device = 0;
  check(SUITE_GPU_NAME(GetDevice)(&device), name);
  const std::lock_guard lock(mutex);
  const auto [at, is_new] = all.try_emplace({device, kernel});
  Known& known = at->second;
  if (is_new) {
    SUITE_GPU_NAME(FuncAttributes) attributes{};
    check(SUITE_GPU_NAME(FuncGetAttributes)(&attributes, kernel), name);
    known.fixed = attributes.sharedSizeBytes;
    known.allowed = shared_without_asking - std::min(known.fixed, shared_without_asking);
  }
  if (dynamic_bytes <= known.allowed) return;
  check(SUITE_GPU_NAME(FuncSetAttribute)(kernel, SUITE_GPU_NAME(FuncAttributeMaxDynamicSharedMemorySize), static_cast<int>(dynamic_bytes)),
        name);
  known.allowed = dynamic_bytes;
}

// name: "kernel sums". Arguments are converted to what the kernel declares.
template <class... P, class... A>
void launch(const char* name, void (*kernel)(P...), Dim3 grid, Dim3 threads, size_t shared_bytes, Stream stream, A&&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "a kernel must be given as many arguments as it declares");
  allow_shared(reinterpret_cast<const void*>(kernel), shared_bytes, name);
  kernel<<<grid, threads, shared_bytes, stream>>>(static_cast<P>(arguments)...);
  check(SUITE_GPU_NAME(GetLastError)(), name);
}

inline void set_zero(Stream stream, void* to, size_t bytes) { SUITE_GPU_CALL(MemsetAsync, to, 0, bytes, stream); }
inline void copy(Stream stream, void* to, const void* from, size_t bytes) {
  SUITE_GPU_CALL(MemcpyAsync, to, from, bytes, SUITE_GPU_NAME(MemcpyDeviceToDevice), stream);
}

// Kernel plugins may carry a runtime of their own (linked statically), whose current device is not the
// backend's.
inline void select_device(Stream stream) {
#if CUDART_VERSION >= 12080
  int device = 0;
  SUITE_GPU_CALL(StreamGetDevice, stream, &device);
  SUITE_GPU_CALL(SetDevice, device);
#else
  static_cast<void>(stream);  // the backend, which is called before, has set it
#endif
}

inline Properties properties(Stream stream) {
  select_device(stream);
  int device = 0, multiprocessors = 0, warp = 0, shared = 0;
  SUITE_GPU_CALL(GetDevice, &device);
#if defined(__HIP_PLATFORM_AMD__)
  SUITE_GPU_CALL(DeviceGetAttribute, &multiprocessors, hipDeviceAttributeMultiprocessorCount, device);
  SUITE_GPU_CALL(DeviceGetAttribute, &warp, hipDeviceAttributeWarpSize, device);
  SUITE_GPU_CALL(DeviceGetAttribute, &shared, hipDeviceAttributeMaxSharedMemoryPerBlock, device);
#else
  SUITE_GPU_CALL(DeviceGetAttribute, &multiprocessors, cudaDevAttrMultiProcessorCount, device);
  SUITE_GPU_CALL(DeviceGetAttribute, &warp, cudaDevAttrWarpSize, device);
  SUITE_GPU_CALL(DeviceGetAttribute, &shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
#endif
  return {multiprocessors, warp, static_cast<size_t>(shared)};
}

// Blocks of a kernel that one multiprocessor holds at a time.
template <class... P> int resident_blocks(void (*kernel)(P...), unsigned threads, size_t shared_bytes) {
  int blocks = 0;
  allow_shared(reinterpret_cast<const void*>(kernel), shared_bytes, "occupancy");
  SUITE_GPU_CALL(OccupancyMaxActiveBlocksPerMultiprocessor, &blocks, kernel, static_cast<int>(threads), shared_bytes);
  return blocks;
}

// Lanes of a warp: `from` is the value of another lane of the same section of Width lanes. All lanes of the
// warp must come to the same call.
#if defined(__HIP_PLATFORM_AMD__)
inline constexpr int largest_warp = 64;
template <int Width, class T> __device__ __forceinline__ T shuffle(T value, int lane) { return __shfl(value, lane, Width); }
template <int Width, class T> __device__ __forceinline__ T shuffle_down(T value, unsigned delta) {
  return __shfl_down(value, delta, Width);
}
template <int Width, class T> __device__ __forceinline__ T shuffle_xor(T value, int mask) { return __shfl_xor(value, mask, Width); }
__device__ __forceinline__ bool warp_any(bool mine) { return __any(mine); }
// A wavefront runs in step; this keeps the compiler from moving memory accesses across.
__device__ __forceinline__ void sync_warp() {
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
}
#else
inline constexpr int largest_warp = 32;
template <int Width, class T> __device__ __forceinline__ T shuffle(T value, int lane) {
  static_assert(Width <= largest_warp);
  return __shfl_sync(0xffffffffu, value, lane, Width);
}
template <int Width, class T> __device__ __forceinline__ T shuffle_down(T value, unsigned delta) {
  static_assert(Width <= largest_warp);
  return __shfl_down_sync(0xffffffffu, value, delta, Width);
}
template <int Width, class T> __device__ __forceinline__ T shuffle_xor(T value, int mask) {
  static_assert(Width <= largest_warp);
  return __shfl_xor_sync(0xffffffffu, value, mask, Width);
}
__device__ __forceinline__ bool warp_any(bool mine) { return __any_sync(0xffffffffu, mine); }
__device__ __forceinline__ void sync_warp() { __syncwarp(); }
#endif

// The same number, whose origin the compiler cannot see: what follows from it in a loop is computed there again instead of being kept in
// registers, or spilled, all the way.
__device__ __forceinline__ int opaque(int x) {
#if defined(__HIP_DEVICE_COMPILE__) && defined(__HIP_PLATFORM_AMD__)
  asm volatile("" : "+v"(x));
#elif defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(x));
#endif
  return x;
}

// 1/x to about 20 bits; reciprocal() makes it exact to rounding.
__device__ __forceinline__ double rough_reciprocal(double x) {
#if defined(__HIP_PLATFORM_AMD__)
  return __builtin_amdgcn_rcp(x);
#elif defined(__CUDA_ARCH__)
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
#else
  return 1 / x;
#endif
}
// To one unit of the last place, for |x| from 2^-126 to 2^126.
__device__ __forceinline__ float rough_reciprocal(float x) {
#if defined(__HIP_PLATFORM_AMD__)
  return __builtin_amdgcn_rcpf(x);
#elif defined(__CUDA_ARCH__)
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return 1 / x;
#endif
}

}  // namespace suite::gpu

#define SUITE_GPU_DYNAMIC_SHARED(type, name)                                               \
  extern __shared__ __attribute__((aligned(16))) unsigned char suite_gpu_dynamic_shared[]; \
  type* const name = reinterpret_cast<type*>(suite_gpu_dynamic_shared)
// __launch_bounds__ with the blocks that one multiprocessor shall hold at a time: the registers of a thread are held to their share.
// HIP's second number is the wavefronts of one of the four SIMD units instead.
#if defined(__HIP_PLATFORM_AMD__)
#define SUITE_GPU_RESIDENT_BOUNDS(threads, blocks) __launch_bounds__(threads, ((threads) * (blocks) < 256 ? 1 : (threads) * (blocks) / 256))
#else
#define SUITE_GPU_RESIDENT_BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#endif
#define SUITE_GPU_UNROLL _Pragma("unroll")
#define SUITE_GPU_NO_UNROLL _Pragma("unroll 1")
