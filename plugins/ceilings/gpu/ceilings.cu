// SPDX-License-Identifier: BSD-3-Clause
#include "../ceilings.hpp"

#include <suite/gpu.hpp>

namespace suite::ceilings {
namespace {

constexpr int threads = 256;

// Enough independent chains for each thread, and threads for each processor, to cover the latency of the units.
constexpr int chains = 8, blocks_per_processor = 8;

// Mean of the chains of each block, to one slot per block.
template <class T>
__global__ void __launch_bounds__(threads) run_chains(int64_t repeats, T half, double* slots) {
  __shared__ double all[threads];
  T x[chains];
  SUITE_GPU_UNROLL
  for (int i = 0; i < chains; ++i) x[i] = static_cast<T>(1 + i + threadIdx.x % 7);
  for (int64_t r = 0; r < repeats; ++r) {
    SUITE_GPU_UNROLL
    for (int i = 0; i < chains; ++i) x[i] = ::fma(x[i], half, half);
  }
  double sum = 0;
  SUITE_GPU_UNROLL
  for (int i = 0; i < chains; ++i) sum += static_cast<double>(x[i]);
  all[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < threads; ++i) sum += all[i];
  slots[blockIdx.x] = sum / (threads * chains);
}

template <class T>
__global__ void average(const double* slots, int count, int64_t n, T* result) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += slots[i];
  for (int64_t i = 0; i < n; ++i) result[i] = static_cast<T>(sum / count);
}

class FmaPeak {
public:
  FmaPeak(const suite_backend* backend, suite_queue* queue, const int64_t*)
      : queue_(backend, queue), slots_(queue_, "the sums of the blocks") {}

  void execute(const suite_array* arguments) {
    queue_.select();
    if (arguments[Fma::result].type == SUITE_REAL32)
      run<float>(arguments);
    else
      run<double>(arguments);
  }

private:
  template <class T>
  void run(const suite_array* arguments) {
    const int64_t count = *static_cast<const int64_t*>(arguments[Fma::count].data);
    const int blocks = queue_.properties().multiprocessors * blocks_per_processor;
    const int64_t repeats = count / (int64_t{blocks} * threads * chains) + 1;
    double* const slots = slots_.at_least(blocks);
    SUITE_GPU_LAUNCH(run_chains<T>, static_cast<unsigned>(blocks), threads, 0, queue_.stream(), repeats, T(0.5), slots);
    SUITE_GPU_LAUNCH(average<T>, 1, 1, 0, queue_.stream(), slots, blocks, arguments[Fma::result].extent[0],
                     static_cast<T*>(arguments[Fma::result].data));
  }

  gpu::Queue queue_;
  gpu::Buffer<double> slots_;
};

// Elements of a thread: enough loads on the way to keep the memory busy.
constexpr int elements = 4;

__global__ void __launch_bounds__(threads) triad(const double* b, const double* c, double s, double* a, int64_t n) {
  const int64_t first = static_cast<int64_t>(blockIdx.x) * threads * elements + threadIdx.x;
  if (first + (elements - 1) * threads < n) {
    double x[elements], y[elements];
    SUITE_GPU_UNROLL
    for (int i = 0; i < elements; ++i) {
      x[i] = b[first + i * threads];
      y[i] = c[first + i * threads];
    }
    SUITE_GPU_UNROLL
    for (int i = 0; i < elements; ++i) a[first + i * threads] = x[i] + s * y[i];
  } else {
    for (int64_t i = first; i < n; i += threads) a[i] = b[i] + s * c[i];
  }
}

class TriadBandwidth {
public:
  TriadBandwidth(const suite_backend* backend, suite_queue* queue, const int64_t*) : queue_(backend, queue) {}

  void execute(const suite_array* arguments) {
    queue_.select();
    constexpr int64_t per_block = threads * elements, most_blocks = int64_t{1} << 30;
    const int64_t n = arguments[Triad::a].extent[0];
    const auto* const b = static_cast<const double*>(arguments[Triad::b].data);
    const auto* const c = static_cast<const double*>(arguments[Triad::c].data);
    const double s = *static_cast<const double*>(arguments[Triad::s].data);
    auto* const a = static_cast<double*>(arguments[Triad::a].data);
    for (int64_t from = 0; from < n; from += most_blocks * per_block) {
      const int64_t count = n - from < most_blocks * per_block ? n - from : most_blocks * per_block;
      SUITE_GPU_LAUNCH(triad, static_cast<unsigned>((count + per_block - 1) / per_block), threads, 0, queue_.stream(),
                       b + from, c + from, s, a + from, count);
    }
  }

private:
  gpu::Queue queue_;
};

constexpr suite_kernel_table fma_table = kernel_table<Fma, FmaPeak>(SUITE_GPU_BACKEND, SUITE_GPU_BACKEND);
constexpr suite_kernel_table triad_table = kernel_table<Triad, TriadBandwidth>(SUITE_GPU_BACKEND, SUITE_GPU_BACKEND);

}  // namespace
}  // namespace suite::ceilings

SUITE_GPU_PLUGIN("ceilings", &suite::ceilings::fma_table, &suite::ceilings::triad_table)
