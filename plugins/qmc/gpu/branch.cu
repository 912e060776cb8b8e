// SPDX-License-Identifier: BSD-3-Clause
// qmc.branch on a GPU: a block copies a piece of one walker to one slot; slots that keep what they have cost
// nothing.
#include "call.hpp"

namespace suite::qmc {
namespace {

constexpr int copy_threads = 256, numbers_of_thread = 8;

__global__ void __launch_bounds__(copy_threads) copy_walkers(const int* from, const int* moved, int pieces, int64_t size, double* walkers) {
  const int64_t to = moved[blockIdx.x / pieces], source = from[to] - 1;
  const int64_t first = static_cast<int64_t>(blockIdx.x % pieces) * (copy_threads * numbers_of_thread);
  const double* const read = walkers + source * size;
  double* const write = walkers + to * size;
  SUITE_GPU_UNROLL
  for (int i = 0; i < numbers_of_thread; ++i) {
    const int64_t at = first + i * copy_threads + threadIdx.x;
    if (at < size) write[at] = read[at];
  }
}

class BranchGpu {
public:
  BranchGpu(const suite_backend* backend, suite_queue* queue, const int64_t*)
      : queue_(backend, queue), moved_(queue_, "the slots that change") {}

  void execute(const suite_array* arguments) {
    const Branch c(arguments);
    queue_.select();
    const std::vector<int32_t> from = on_host<int32_t>(queue_, c.from);
    check_branch(from.data(), c.nwalker(), c.nslot());
    std::vector<int> moved;
    for (size_t w = 0; w < from.size(); ++w)
      if (from[w] != static_cast<int32_t>(w) + 1) moved.push_back(static_cast<int>(w));
    if (moved.empty()) return;
    moved_.upload(moved.data(), std::ssize(moved));
    constexpr int64_t of_block = copy_threads * numbers_of_thread;
    for (const auto& [array, size] : arrays_of_slots(c)) {
      const int64_t pieces = (size + of_block - 1) / of_block;
      SUITE_GPU_LAUNCH(copy_walkers, grid_of(std::ssize(moved) * pieces), copy_threads, 0, queue_.stream(), c.from.data(), moved_.data(),
                       pieces, size, device_data<double>(*array));
    }
  }

private:
  gpu::Queue queue_;
  gpu::Buffer<int> moved_;
};

}  // namespace

const suite_kernel_table* branch_table() { return gpu_table<Branch, BranchGpu>(); }

}  // namespace suite::qmc
