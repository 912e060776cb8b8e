// SPDX-License-Identifier: BSD-3-Clause
#include "../ceilings.hpp"

#include <suite/gpu/matrix.hpp>

namespace suite::ceilings {
namespace {

constexpr int threads = 256;

// Enough independent chains for each thread, and threads for each processor, to cover the latency of the units.
constexpr int chains = 8, blocks_per_processor = 8;

// One step of a chain. c: the operation's factor; an argument of the kernel, so that no compiler folds the loop.
template <int kind, class T> __device__ T step(T x, T c) {
  if constexpr (kind == divide.kind) {
    return c / x;
  } else if constexpr (kind == reciprocal.kind) {
    return T(1) / x;
  } else if constexpr (kind == fma.kind) {
    return ::fma(x, c, c);
  } else {
    // Each compiler has its own way not to fuse.
#if defined(__clang__)
#pragma clang fp contract(off)
    const T product = x * c;
    return product + c;
#elif defined(__CUDA_ARCH__)
    if constexpr (sizeof(T) == sizeof(float)) return __fmul_rn(x, c) + c;
    else return __dmul_rn(x, c) + c;
#else
    const volatile T product = x * c;
    return product + c;
#endif
  }
}

// Mean of the chains of each block, to one slot per block. A chain of quotients is multiplied with its first number.
template <int kind, class T> __global__ void __launch_bounds__(threads) run_chains(int64_t repeats, T c, double* slots) {
  constexpr bool quotient = kind == divide.kind || kind == reciprocal.kind;
  const T first = static_cast<T>(2 + threadIdx.x % 7);
  T x[chains];
  SUITE_GPU_UNROLL
  for (int i = 0; i < chains; ++i) x[i] = first + static_cast<T>(i);
  for (int64_t r = 0; r < repeats; ++r) {
    SUITE_GPU_UNROLL
    for (int i = 0; i < chains; ++i) x[i] = step<kind>(x[i], c);
  }
  double sum = 0;
  SUITE_GPU_UNROLL
  for (int i = 0; i < chains; ++i) sum += static_cast<double>(x[i]) * (quotient ? static_cast<double>(first + static_cast<T>(i)) : 1.0);
  gpu::block_sum<1, threads>({sum}, [&](int, double total) { slots[blockIdx.x] = total / (threads * chains); });
}

// What the blocks left, added up and scaled.
template <class T> __global__ void add_up(const double* slots, int count, double scale, int64_t n, T* result) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += slots[i];
  for (int64_t i = 0; i < n; ++i) result[i] = static_cast<T>(sum * scale);
}

template <const Operation& one> class Peak {
public:
  Peak(const suite_backend* backend, suite_queue* queue, const int64_t*)
      : queue_(backend, queue), slots_(queue_, "the sums of the blocks") {}

  void execute(const suite_array* arguments) {
    queue_.select();
    const Chains<one> call(arguments);
    by_precision(call.result.array(), [&](auto zero) { run<decltype(zero)>(call); });
  }

private:
  template <class T> void run(const Chains<one>& call) {
    const int blocks = queue_.properties().multiprocessors * blocks_per_processor;
    const int64_t repeats = (call.count / (int64_t{blocks} * threads * chains) + 1) | one.odd();
    double* const slots = slots_.at_least(blocks);
    SUITE_GPU_LAUNCH((run_chains<one.kind, T>), static_cast<unsigned>(blocks), threads, 0, queue_.stream(), repeats,
                     static_cast<T>(one.factor()), slots);
    SUITE_GPU_LAUNCH(add_up<T>, 1, 1, 0, queue_.stream(), slots, blocks, 1.0 / blocks, call.result.extent(0),
                     gpu::device_data<T>(call.result.array()));
  }

  gpu::Queue queue_;
  gpu::Buffer<double> slots_;
};

// C <- A B + C for eight tiles of each team of threads, until a thread has had its multiply-adds. a b is a quarter, so that each product
// adds 1 to the first tile, and other powers of 2 to the others, which no compiler can take for the same.
__global__ void __launch_bounds__(threads) run_products(int64_t of_thread, double a, double b, double* slots) {
  using Unit = gpu::MatrixUnit;
  constexpr int rows = 4, columns = 2;
  constexpr int64_t each = int64_t{rows} * columns * Unit::rows * Unit::columns * Unit::depth / Unit::lanes;
  const int64_t products = (of_thread + each - 1) / each;
  double x[rows], y[columns], c[rows][columns][Unit::sums] = {};
  SUITE_GPU_UNROLL
  for (int i = 0; i < rows; ++i) x[i] = a * (1 << i);
  SUITE_GPU_UNROLL
  for (int j = 0; j < columns; ++j) y[j] = b * (1 << (rows * j));
  for (int64_t r = 0; r < products; ++r) gpu::multiply_tiles(c, x, y);
  double sum = 0;
  SUITE_GPU_UNROLL
  for (int i = 0; i < rows; ++i) SUITE_GPU_UNROLL
  for (int j = 0; j < columns; ++j) SUITE_GPU_UNROLL
  for (int n = 0; n < Unit::sums; ++n) sum += c[i][j][n] / (1 << (i + rows * j));
  const double mean = sum / (rows * columns * Unit::sums * static_cast<double>(products));
  gpu::block_sum<1, threads>({mean}, [&](int, double total) { slots[blockIdx.x] = total / threads; });
}

class MatrixPeak {
public:
  MatrixPeak(const suite_backend* backend, suite_queue* queue, const int64_t*)
      : queue_(backend, queue), slots_(queue_, "the sums of the blocks") {}

  void execute(const suite_array* arguments) {
    queue_.select();
    const Matrix call(arguments);
    const int blocks = queue_.properties().multiprocessors * blocks_per_processor;
    double* const slots = slots_.at_least(blocks);
    SUITE_GPU_LAUNCH(run_products, static_cast<unsigned>(blocks), threads, 0, queue_.stream(), call.count / (int64_t{blocks} * threads) + 1,
                     0.5, 0.5, slots);
    SUITE_GPU_LAUNCH(add_up<double>, 1, 1, 0, queue_.stream(), slots, blocks, 1.0 / blocks, call.result.extent(0), call.result.data());
  }

private:
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
    const Triad call(arguments);
    const int64_t n = call.a.extent(0);
    const double *const b = call.b.data(), *const c = call.c.data(), s = call.s;
    double* const a = call.a.data();
    for (int64_t from = 0; from < n; from += most_blocks * per_block) {
      const int64_t count = n - from < most_blocks * per_block ? n - from : most_blocks * per_block;
      SUITE_GPU_LAUNCH(triad, static_cast<unsigned>((count + per_block - 1) / per_block), threads, 0, queue_.stream(), b + from, c + from,
                       s, a + from, count);
    }
  }

private:
  gpu::Queue queue_;
};

// Loads of a thread in flight, and blocks of a processor: together its 1024 threads and more.
constexpr int loads = 8, read_blocks_per_processor = 4;

// The sum of each block's share of x, read `repeats` times, to one slot per block.
__global__ void __launch_bounds__(threads) read_shares(const double* x, int64_t n, int64_t repeats, double* slots) {
  const int64_t lines = (n + 7) / 8, group = blockIdx.x, groups = gridDim.x;
  const int64_t begin = 8 * (lines * group / groups), last = 8 * (lines * (group + 1) / groups), end = last < n ? last : n;
  double part[loads] = {};
  for (int64_t r = 0; r < repeats; ++r) {
    int64_t at = begin + threadIdx.x;
    for (; at + (loads - 1) * threads < end; at += loads * threads) {
      SUITE_GPU_UNROLL
      for (int k = 0; k < loads; ++k) part[k] += x[at + k * threads];
    }
    SUITE_GPU_UNROLL
    for (int k = 0; k < loads; ++k)
      if (at + k * threads < end) part[k] += x[at + k * threads];
    asm volatile("" : : : "memory");  // x is read each time
  }
  double sum = 0;
  SUITE_GPU_UNROLL
  for (int k = 0; k < loads; ++k) sum += part[k];
  gpu::block_sum<1, threads>({sum}, [&](int, double total) { slots[blockIdx.x] = total; });
}

class ReadBandwidth {
public:
  ReadBandwidth(const suite_backend* backend, suite_queue* queue, const int64_t*)
      : queue_(backend, queue), slots_(queue_, "the sums of the blocks") {}

  void execute(const suite_array* arguments) {
    queue_.select();
    const Read call(arguments);
    const int blocks = queue_.properties().multiprocessors * read_blocks_per_processor;
    double* const slots = slots_.at_least(blocks);
    SUITE_GPU_LAUNCH(read_shares, static_cast<unsigned>(blocks), threads, 0, queue_.stream(), call.x.data(), call.x.extent(0),
                     int64_t{call.repeats}, slots);
    SUITE_GPU_LAUNCH(add_up<double>, 1, 1, 0, queue_.stream(), slots, blocks, 1.0, call.sum.extent(0), call.sum.data());
  }

private:
  gpu::Queue queue_;
  gpu::Buffer<double> slots_;
};

template <const Operation& one>
constexpr suite_kernel_table peak_table = kernel_table<Chains<one>, Peak<one>>(SUITE_GPU_BACKEND, SUITE_GPU_BACKEND);
constexpr suite_kernel_table matrix_table = kernel_table<Matrix, MatrixPeak>(SUITE_GPU_BACKEND, SUITE_GPU_BACKEND);
constexpr suite_kernel_table triad_table = kernel_table<Triad, TriadBandwidth>(SUITE_GPU_BACKEND, SUITE_GPU_BACKEND);
constexpr suite_kernel_table read_table = kernel_table<Read, ReadBandwidth>(SUITE_GPU_BACKEND, SUITE_GPU_BACKEND);

}  // namespace
}  // namespace suite::ceilings

SUITE_GPU_PLUGIN("ceilings", &suite::ceilings::peak_table<suite::ceilings::fma>, &suite::ceilings::peak_table<suite::ceilings::nofma>,
                 &suite::ceilings::peak_table<suite::ceilings::divide>, &suite::ceilings::peak_table<suite::ceilings::reciprocal>,
                 &suite::ceilings::matrix_table, &suite::ceilings::triad_table, &suite::ceilings::read_table)
