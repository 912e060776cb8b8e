// SPDX-License-Identifier: BSD-3-Clause
// qmc.slater_ratio on a GPU: a block has one electron of one walker; its column of dbar, as the moves that
// wait make it, lies in shared memory, and each warp takes positions.
#include "call.hpp"
#include "slater.hpp"

namespace suite::qmc {
namespace {

struct RatioCall {
  const double *dbar, *phi, *dphi, *d2phi;
  double *ratio, *drift, *laplacian;
  int n, npos, which;  // which: -1 where every electron has its own position
  int positions;       // of a block
  const int* wrong;    // null: there are no windows
};

__global__ void __launch_bounds__(block_threads) sum_columns(RatioCall c, Windows windows) {
  SUITE_GPU_DYNAMIC_SHARED(double, column);
  if (c.wrong && *c.wrong) return;
  const int groups = (c.npos + c.positions - 1) / c.positions;
  const int64_t walker = blockIdx.x / groups;
  const int first = static_cast<int>(blockIdx.x % groups) * c.positions;
  const int last = first + c.positions < c.npos ? first + c.positions : c.npos;
  const int i = c.which < 0 ? first : c.which;
  const double* const dbar = c.dbar + walker * c.n * c.n;
  if (windows.phi) {
    current_column(windows.of_walker(walker), dbar, i, window_work(column + c.n, windows.kmax), column);
  } else {
    for (int a = thread(); a < c.n; a += block_threads) column[a] = dbar[static_cast<int64_t>(i) * c.n + a];
    __syncthreads();
  }
  for (int m = first + warp_number(); m < last; m += warps_of_block()) {
    const int64_t position = walker * c.npos + m;
    const double* const phi = c.phi + position * c.n;
    Local sum{};
    for (int a = gpu::lane(); a < c.n; a += warpSize) {
      sum.value += column[a] * phi[a];
      for (int d = 0; d < 3 && c.drift; ++d) sum.gradient[d] += column[a] * c.dphi[(3 * position + d) * c.n + a];
      if (c.laplacian) sum.laplacian += column[a] * c.d2phi[position * c.n + a];
    }
    warp_sums(sum);
    if (gpu::lane() > 0) continue;
    c.ratio[position] = sum.value;
    for (int d = 0; d < 3 && c.drift; ++d) c.drift[3 * position + d] = sum.gradient[d] / sum.value;
    if (c.laplacian) c.laplacian[position] = sum.laplacian / sum.value;
  }
}

__global__ void find_wrong_windows(Windows windows, int64_t nwalker, int* wrong) {
  const int64_t w = static_cast<int64_t>(blockIdx.x) * block_threads + thread();
  if (w >= nwalker) return;
  const int* const electron = windows.electron + w * (windows.kmax + 1);
  const int count = electron[0];
  bool good = count >= 0 && count <= windows.kmax;
  for (int l = 1; good && l <= count; ++l) {
    good = electron[l] >= 1 && electron[l] <= windows.n;
    for (int m = 1; m < l; ++m) good = good && electron[m] != electron[l];
  }
  if (!good) *wrong = 1;
}

class SlaterRatioGpu : public OnGpu {
public:
  using OnGpu::OnGpu;

  void execute(const suite_array* arguments) {
    const SlaterRatio c(arguments);
    queue_.select();
    const SlaterMove move = check_slater_ratio(c);
    const int64_t n = c.n(), npos = c.npos(), nwalker = c.nwalker();
    const Windows windows = windows_ = windows_of(c);
    nwalker_ = nwalker;
    if (windows.phi) {
      queue_.set_zero(wrong_.at_least(1), sizeof(int));
      look_at_windows(queue_, windows, nwalker, wrong_.data());
    }
    constexpr int64_t several = 4 * most_warps;
    const RatioCall call{c.dbar.data(),
                         c.phi.data(),
                         c.dphi.data(),
                         c.d2phi.data(),
                         c.ratio.data(),
                         c.drift.data(),
                         c.laplacian.data(),
                         static_cast<int>(n),
                         static_cast<int>(npos),
                         move.one ? static_cast<int>(move.which) : -1,
                         static_cast<int>(move.one ? std::min(npos, several) : 1),
                         windows.phi ? wrong_.data() : nullptr};
    const int64_t groups = (npos + call.positions - 1) / call.positions;
    SUITE_GPU_LAUNCH(sum_columns, grid_of(groups * nwalker), block_threads, shared_numbers(queue_, n + window_lists * windows.kmax),
                     queue_.stream(), call, windows);
  }

  void finish() {
    if (!windows_.phi) return;
    queue_.select();
    int wrong = 0;
    wrong_.download(&wrong, 1);
    queue_.wait();
    if (wrong) refuse_wrong_windows(queue_, windows_, nwalker_);
  }

private:
  Windows windows_{};
  int64_t nwalker_ = 0;
  gpu::Buffer<int> wrong_{queue_, "whether a window is wrong"};
};

}  // namespace

void look_at_windows(const gpu::Queue& queue, const Windows& windows, int64_t nwalker, int* wrong) {
  SUITE_GPU_LAUNCH(find_wrong_windows, blocks_for(nwalker, block_threads), block_threads, 0, queue.stream(), windows, nwalker, wrong);
}

void refuse_wrong_windows(const gpu::Queue& queue, const Windows& windows, int64_t nwalker) {
  const int64_t row = windows.kmax + 1;
  std::vector<int32_t> electron(static_cast<size_t>(row * nwalker));
  queue.download(electron.data(), windows.electron, electron.size() * sizeof(int32_t));
  queue.wait();
  for (int64_t w = 0; w < nwalker; ++w) check_window(&electron[static_cast<size_t>(row * w)], windows.kmax, windows.n, w);
}

const suite_kernel_table* slater_ratio_table() { return gpu_table<SlaterRatio, SlaterRatioGpu>(); }

}  // namespace suite::qmc
