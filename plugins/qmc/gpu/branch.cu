// SPDX-License-Identifier: BSD-3-Clause
// qmc.branch on a GPU: one block lists the slots that change; then blocks copy pieces of walkers, as many blocks as the device runs at a
// time, because the host does not know how many slots change. Slots that keep what they have cost nothing.
#include "call.hpp"

namespace suite::qmc {
namespace {

constexpr int list_threads = 256, copy_threads = 256, numbers_of_thread = 8, blocks_of_multiprocessor = 16;
constexpr int64_t most_slots = int64_t{1} << 30;

// What the device found in `from`.
struct Found {
  int moved;  // slots that change, in no order
  int wrong;  // 1: an element of `from` that cannot be meant, and then nothing is copied
};

__global__ void __launch_bounds__(list_threads) list_moved(const int* from, int nwalker, int nslot, int* moved, Found* found) {
  for (int w = thread(); w < nwalker; w += list_threads) {
    const int source = from[w];
    if (source == w + 1) continue;
    if (source < 1 || source > nslot || (source <= nwalker && from[source - 1] != source)) found->wrong = 1;
    else moved[atomicAdd(&found->moved, 1)] = w;
  }
}

__global__ void __launch_bounds__(copy_threads)
    copy_walkers(const int* from, const int* moved, const Found* found, int64_t pieces, int64_t size, double* walkers) {
  if (found->wrong) return;
  const int64_t count = found->moved * pieces;
  for (int64_t piece = blockIdx.x; piece < count; piece += gridDim.x) {
    const int64_t to = moved[piece / pieces], source = from[to] - 1;
    const int64_t first = piece % pieces * (copy_threads * numbers_of_thread);
    const double* const read = walkers + source * size;
    double* const write = walkers + to * size;
    SUITE_GPU_UNROLL
    for (int i = 0; i < numbers_of_thread; ++i) {
      const int64_t at = first + i * copy_threads + thread();
      if (at < size) write[at] = read[at];
    }
  }
}

class BranchGpu : public OnGpu {
public:
  using OnGpu::OnGpu;

  void execute(const suite_array* arguments) {
    const Branch c(arguments);
    queue_.select();
    asked_ = {c.from.array(), c.nslot()};
    check_slots(c.nwalker(), c.nslot());
    if (c.nslot() > most_slots)
      throw Failure(SUITE_UNSUPPORTED, "nslot is " + text_of(c.nslot()) + "; this implementation supports up to " + text_of(most_slots));
    moved_.at_least(c.nwalker());
    queue_.set_zero(found_.at_least(1), sizeof(Found));
    SUITE_GPU_LAUNCH(list_moved, 1, list_threads, 0, queue_.stream(), c.from.data(), c.nwalker(), c.nslot(), moved_.data(), found_.data());
    constexpr int64_t of_block = copy_threads * numbers_of_thread;
    const int64_t at_a_time = int64_t{blocks_of_multiprocessor} * queue_.properties().multiprocessors;
    for (const auto& [array, size] : arrays_of_slots(c)) {
      const int64_t pieces = (size + of_block - 1) / of_block;
      if (pieces == 0) continue;
      SUITE_GPU_LAUNCH(copy_walkers, grid_of(std::min(c.nwalker() * pieces, at_a_time)), copy_threads, 0, queue_.stream(), c.from.data(),
                       moved_.data(), found_.data(), pieces, size, device_data<double>(*array));
    }
  }

  void finish() {
    queue_.select();
    Found found{};
    found_.download(&found, 1);
    queue_.wait();
    if (found.wrong) check_branch(on_host<int32_t>(queue_, asked_.from).data(), asked_.from.extent[0], asked_.nslot);
  }

private:
  // What finish() asks about.
  struct Asked {
    suite_array from;
    int64_t nslot;
  };
  Asked asked_{};
  gpu::Buffer<int> moved_{queue_, "the slots that change"};
  gpu::Buffer<Found> found_{queue_, "how many slots change"};
};

}  // namespace

const suite_kernel_table* branch_table() { return gpu_table<Branch, BranchGpu>(); }

}  // namespace suite::qmc
