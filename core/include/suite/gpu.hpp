// SPDX-License-Identifier: BSD-3-Clause
// suite/gpu.hpp - lets one .cu file compile for CUDA, for HIP and for the emulation, unchanged.
// Include it last.
//
// Kernels use the names that CUDA and HIP share: __global__, __device__, __shared__, __launch_bounds__,
// threadIdx, blockIdx, blockDim, gridDim, warpSize, __syncthreads, __threadfence, __ldg, atomicAdd, double2,
// make_double2. What differs has one name here, in namespace suite::gpu:
//   in kernels   shuffle<W>(v, lane), shuffle_down<W>(v, delta), shuffle_xor<W>(v, mask), warp_sum(v),
//                warp_any(b), sync_warp(), lane(), opaque(i), reciprocal(x), Double4, section_sum, block_sum,
//                SUITE_GPU_DYNAMIC_SHARED(type, name), SUITE_GPU_UNROLL, SUITE_GPU_NO_UNROLL
//   on the host  SUITE_GPU_LAUNCH(kernel, grid, block, shared_bytes, stream, arguments...), Dim3, Queue,
//                Buffer<T>, Graph, resident_blocks(kernel, threads, shared_bytes), blocks_for, device_data<T>(array),
//                on_host<T>(queue, array), check_addresses<Kernel>(arguments)
//   beside it    <suite/gpu/numbers.hpp>: Complex<T>, unit(angle); <suite/gpu/matrix.hpp>: MatrixUnit, multiply_tiles;
//                <suite/gpu/product.hpp>: Product, tiles of a block
//   the plugin   gpu_table<Sigma, Kernel>(), SUITE_GPU_PLUGIN("gpp", gpu_table<Sigma, Kernel>())
// A warp has 32 lanes (NVIDIA, AMD RDNA) or 64 (AMD CDNA): warpSize in a kernel, Queue::properties().warp on
// the host. A template <int Width> is instantiated for 64 lanes only where largest_warp is 64.
// Failures are suite::Failure with the runtime's own name and text of the error. Since 0.1.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <suite/plugin.hpp>

#if defined(SUITE_GPU_EMULATED)
#include <suite/gpu/emulated.hpp>
#else
#include <suite/gpu/device.hpp>
#endif
#include <suite/gpu/queue.hpp>

// Enqueues a kernel; throws if it cannot be started. Errors during its execution are reported by the
// backend's wait, in the emulation at once. Commas of a template need parentheses: SUITE_GPU_LAUNCH((sums<4,
// true>), ...).
#define SUITE_GPU_LAUNCH(kernel, grid, block, shared_bytes, stream, ...) \
  ::suite::gpu::launch("kernel " #kernel, kernel, grid, block, shared_bytes, stream, __VA_ARGS__)

#define SUITE_GPU_PLUGIN(family, ...) SUITE_PLUGIN(family, SUITE_GPU_BACKEND, __VA_ARGS__)

namespace suite {

// The table of a kernel of this plugin. A function, because a constant that other files see would be one of the device as well, for HIP.
template <class Interface, class Kernel> const suite_kernel_table* gpu_table() {
  static constexpr suite_kernel_table table = kernel_table<Interface, Kernel>(SUITE_GPU_BACKEND, SUITE_GPU_BACKEND);
  return &table;
}

}  // namespace suite

namespace suite::gpu {

// The runtime calls of a queue, also for .cpp files of the plugin (suite/gpu/queue.hpp): each .cu has it, the linker takes one.
__attribute__((weak)) void Queue::select() const { select_device(stream_); }
__attribute__((weak)) void Queue::set_zero(void* device, size_t bytes) const { gpu::set_zero(stream_, device, bytes); }
__attribute__((weak)) Properties Queue::properties_of(Stream stream) { return gpu::properties(stream); }

// CUDA's own double4 has changed its alignment between versions; this one is loaded as two halves everywhere.
struct alignas(16) Double4 {
  double x, y, z, w;
};

// Position in the warp, of blocks that extend along x only.
__device__ __forceinline__ int lane() { return static_cast<int>(threadIdx.x) % warpSize; }

// 1/x to within 2 units of the last place, without the branches of a division: for |x| from 2^-1021 to
// 2^1021, NaN or garbage for others (0 and infinity among them). The error of rough_reciprocal is squared
// twice.
__device__ __forceinline__ double reciprocal(double x) {
  double y = rough_reciprocal(x);
  y = ::fma(y, ::fma(-x, y, 1.0), y);
  return ::fma(y, ::fma(-x, y, 1.0), y);
}

// The sum over all lanes of a full warp; every lane gets it.
__device__ __forceinline__ double warp_sum(double value) {
  if (largest_warp == 64 && warpSize == 64) value += shuffle_xor<largest_warp>(value, 32);
  SUITE_GPU_UNROLL
  for (int mask = 16; mask > 0; mask /= 2) value += shuffle_xor<32>(value, mask);
  return value;
}

// The sum over a section of `width` neighbouring lanes, 32 at most; every lane of it gets it.
__device__ __forceinline__ double section_sum(double value, int width) {
  for (int mask = width / 2; mask > 0; mask /= 2) value += shuffle_xor<32>(value, mask);
  return value;
}

// Sums over the block in an order that does not change; write(n, sum) gets them.
template <int N, int Threads, class Write> __device__ __forceinline__ void block_sum(const double (&value)[N], Write write) {
  __shared__ double parts[N][Threads / 32];
  const int thread = static_cast<int>(threadIdx.x), warp = thread / warpSize, warps = Threads / warpSize;
  __syncthreads();  // the last sums may still be read
  SUITE_GPU_UNROLL
  for (int n = 0; n < N; ++n) {
    const double sum = warp_sum(value[n]);
    if (lane() == 0) parts[n][warp] = sum;
  }
  __syncthreads();
  for (int n = thread; n < N; n += Threads) {
    double sum = 0;
    for (int w = 0; w < warps; ++w) sum += parts[n][w];
    write(n, sum);
  }
}

// A thread reads and writes a complex number in one piece.
template <class Kernel> void check_addresses(const suite_array* a) {
  for (size_t i = 0; i < rows<Kernel>.size(); ++i) {
    const size_t bytes = a[i].type == SUITE_COMPLEX128 ? 16 : a[i].type == SUITE_COMPLEX64 ? 8 : 1;
    if (reinterpret_cast<uintptr_t>(a[i].data) % bytes != 0)
      throw Failure(SUITE_INVALID_ARGUMENT,
                    concat(rows<Kernel>[i].name, " lies at an address that is not a multiple of ", bytes, " bytes"));
  }
}

template <class T> T* device_data(const suite_array& array) { return static_cast<T*>(array.data); }

// A host copy of an array on the device; empty if it is unset. Waits for the device.
template <class T> std::vector<T> on_host(const Queue& queue, const suite_array& array) {
  int64_t count = 1;
  for (int d = 0; d < array.rank; ++d) count *= array.extent[d];
  std::vector<T> there(array.data ? static_cast<size_t>(count) : 0);
  if (!there.empty()) queue.download(there.data(), array.data, there.size() * sizeof(T));
  queue.wait();
  return there;
}

}  // namespace suite::gpu
