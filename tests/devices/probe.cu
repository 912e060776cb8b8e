// SPDX-License-Identifier: BSD-3-Clause
// probe.words: a kernel that needs what a GPU backend gives - shared memory, barriers, shuffles, atomics,
// buffers of its own - and whose answer is known.
#include <cstring>
#include <span>

#include <suite/gpu.hpp>

namespace gpu = suite::gpu;

namespace {

constexpr int block = 128, section = 32, bins = 8;

using namespace suite::element;
using suite::Arguments, suite::tolerance;

struct Words : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "probe.words";
  static constexpr const char* summary = "blocks reversed, sections summed, everything binned";
  // clang-format off
  SUITE_ARGUMENT(in,  real, x,        "n", "1", "any numbers");
  SUITE_ARGUMENT(out, real, reversed, "n", "1", "each full block of 128 in reverse order");
  SUITE_ARGUMENT(out, real, sums,     "n", "1", "the sum over the section of 32 that an element is in",  tolerance{1e-14});
  SUITE_ARGUMENT(out, real, binned,   "n", "1", "element b < 8: the sum of x(b), x(b+8), ...; others 0", tolerance{1e-14});
  // clang-format on
  static int cost(const suite_array* arrays, suite_cost* cost) {
    const auto n = static_cast<double>(Words(arrays).x.extent(0));
    cost->flops = 2 * n;
    cost->bytes = 32 * n;
    return SUITE_OK;
  }
  static int generate(const char* size, uint64_t seed, suite_array* arrays, suite_error* error) {
    if (std::strcmp(size, "small") != 0) {
      suite::tell(error, "probe.words knows the size small only");
      return SUITE_NOT_FOUND;
    }
    for (suite_array& array : std::span(arrays, suite::rows<Words>.size())) {
      array.type = SUITE_REAL64;
      array.rank = 1;
      array.extent[0] = 1000;
    }
    if (auto* values = static_cast<double*>(arrays[suite::position<Words>("x")].data))
      for (int i = 0; i < 1000; ++i) values[i] = static_cast<double>((static_cast<uint64_t>(i) * 7919 + seed) % 1000);
    return SUITE_OK;
  }
};

__global__ void __launch_bounds__(block) words(const double* __restrict__ x, int n, double* reversed, double* sums, double* binned) {
  __shared__ double fixed[block];
  SUITE_GPU_DYNAMIC_SHARED(double, partial);
  const int i = static_cast<int>(blockIdx.x * block + threadIdx.x), t = static_cast<int>(threadIdx.x);
  const double mine = i < n ? x[i] : 0;
  fixed[t] = mine;
  if (t < bins) partial[t] = 0;
  __syncthreads();
  double sum = mine;
  SUITE_GPU_UNROLL
  for (int mask = section / 2; mask > 0; mask /= 2) sum += gpu::shuffle_xor<section>(sum, mask);
  atomicAdd(&partial[i % bins], mine);
  __syncthreads();
  if (i < n) {
    const bool full = static_cast<int>(blockIdx.x + 1) * block <= n;
    reversed[i] = full ? fixed[block - 1 - t] : mine;
    sums[i] = sum;
  }
  if (t < bins) atomicAdd(&binned[t], partial[t]);
}

__global__ void copy_bins(const double* bins_found, double* binned, int n) {
  const int i = static_cast<int>(blockIdx.x * block + threadIdx.x);
  if (i < n) binned[i] = i < bins ? bins_found[i] : 0;
}

class Kernel {
public:
  Kernel(const suite_backend* backend, suite_queue* queue, const int64_t*) : queue_(backend, queue), bins_(queue_, "the bins") {}
  void execute(const suite_array* arrays) {
    queue_.select();
    const Words c(arrays);
    const auto n = static_cast<int>(c.x.extent(0));
    const auto blocks = static_cast<unsigned>((n + block - 1) / block);
    queue_.set_zero(bins_.at_least(bins), bins * sizeof(double));
    SUITE_GPU_LAUNCH(words, blocks, block, bins * sizeof(double), queue_.stream(), c.x.data(), n, c.reversed.data(), c.sums.data(),
                     bins_.data());
    SUITE_GPU_LAUNCH(copy_bins, blocks, block, 0, queue_.stream(), bins_.data(), c.binned.data(), n);
  }

private:
  gpu::Queue queue_;
  gpu::Buffer<double> bins_;
};

constexpr suite_kernel_table table = suite::kernel_table<Words, Kernel>(SUITE_GPU_BACKEND, SUITE_GPU_BACKEND);

}  // namespace

SUITE_GPU_PLUGIN("probe", &table)
