// SPDX-License-Identifier: BSD-3-Clause
// qmc.slater_update on a GPU: a block has one walker and makes its moves one after the other.
#include "call.hpp"
#include "slater.hpp"

namespace suite::qmc {
namespace {

// What a walker could not do: the move, from 1, and its ratio. Behind those of all walkers: move is 1 where a window or an electron of the
// call is none, and then nothing is done.
struct Refused {
  double ratio;
  int move;
};

struct Moves {
  double* dbar;
  const int* ie;  // null: only what waits
  const double* phi;
  double* ratio;  // may be null
  int n, count;
  Refused *refused, *call;  // of each walker, and of the call
};

__device__ __forceinline__ bool usable(double ratio) { return ::fabs(ratio) > 0 && ::fabs(ratio) <= 1.7976931348623157e308; }

__global__ void find_wrong_moves(const int* ie, int64_t count, int n, Refused* call) {
  const int64_t m = static_cast<int64_t>(blockIdx.x) * block_threads + thread();
  if (m < count && (ie[m] < 0 || ie[m] > n)) call->move = 1;
}

// The same in all threads.
__device__ __forceinline__ double ratio_of(const double* column, const double* phi, int n, double* parts) {
  double sum[1] = {0};
  for (int a = thread(); a < n; a += block_threads) sum[0] += column[a] * phi[a];
  block_sums(sum, parts);
  return sum[0];
}

// The whole inverse after every move: each warp takes columns, for their product with phi and for the change.
__global__ void __launch_bounds__(block_threads) update_at_once(Moves c) {
  SUITE_GPU_DYNAMIC_SHARED(double, column);
  __shared__ double parts[most_warps];
  if (c.call->move) return;
  const int64_t walker = blockIdx.x;
  double* const dbar = c.dbar + walker * c.n * c.n;
  if (thread() == 0) c.refused[walker].move = 0;
  for (int m = 0; m < c.count; ++m) {
    const int i = c.ie[walker * c.count + m] - 1;
    const double* const phi = c.phi + (walker * c.count + m) * c.n;
    double ratio = 1;
    if (i >= 0) {
      for (int a = thread(); a < c.n; a += block_threads) column[a] = dbar[static_cast<int64_t>(i) * c.n + a];
      __syncthreads();
      ratio = ratio_of(column, phi, c.n, parts);
      if (!usable(ratio)) {
        if (thread() == 0) c.refused[walker] = {ratio, m + 1};
        return;
      }
      for (int j = warp_number(); j < c.n; j += warps_of_block()) {
        double* const to = dbar + static_cast<int64_t>(j) * c.n;
        double sum = 0;
        for (int a = gpu::lane(); a < c.n; a += warpSize) sum += to[a] * phi[a];
        const double factor = gpu::warp_sum(sum) / ratio;
        for (int a = gpu::lane(); a < c.n; a += warpSize) to[a] = j == i ? column[a] / ratio : to[a] - factor * column[a];
      }
      __syncthreads();
    }
    if (c.ratio && thread() == 0) c.ratio[walker * c.count + m] = ratio;
  }
}

// Moves wait in the window until it is full. keep: the window belongs to the caller, and moves may wait in it
// when the call is over; else all is done in the end.
__global__ void __launch_bounds__(block_threads) update_delayed(Moves c, Windows windows, bool keep, double* scratch) {
  SUITE_GPU_DYNAMIC_SHARED(double, column);
  __shared__ Tiles tiles;
  __shared__ double parts[most_warps];
  if (c.call->move) return;
  const int64_t walker = blockIdx.x;
  const Window window = windows.of_walker(walker);
  const WindowWork work = window_work(column + c.n, window.kmax);
  double* const dbar = c.dbar + walker * c.n * c.n;
  double* const flushed = scratch + walker * flush_numbers(window.kmax);
  if (thread() == 0) {
    c.refused[walker].move = 0;
    if (!keep) window.electron[0] = 0;
  }
  __syncthreads();
  const auto empty = [&] {
    flush(window, dbar, tiles, flushed);
    if (!keep) return;
    for (int e = thread(); e < window.n * window.kmax; e += block_threads) window.phi[e] = window.columns[e] = 0;
    for (int e = thread(); e < window.kmax * window.kmax; e += block_threads) window.binv[e] = 0;
    for (int e = thread(); e < window.kmax; e += block_threads) window.electron[1 + e] = 0;
    __syncthreads();
  };
  for (int m = 0; m < c.count; ++m) {
    const int i = c.ie[walker * c.count + m] - 1;
    const double* const phi = c.phi + (walker * c.count + m) * c.n;
    double ratio = 1;
    if (i >= 0) {
      bool again = false;
      for (int l = 0; l < window.count(); ++l) again = again || window.electron[1 + l] == i + 1;
      __syncthreads();
      if (again) empty();
      current_column(window, dbar, i, work, column);
      ratio = ratio_of(column, phi, c.n, parts);
      if (!usable(ratio)) {
        if (thread() == 0) c.refused[walker] = {ratio, m + 1};
        return;
      }
      join(window, dbar, i, phi, ratio, work);
      if (window.count() == window.kmax) empty();
    }
    if (c.ratio && thread() == 0) c.ratio[walker * c.count + m] = ratio;
  }
  if (!c.ie || !keep) empty();
}

class SlaterUpdateGpu {
public:
  static constexpr suite_parameter parameters[] = {
      parameter::update_variant, knob("delay", 32, 1, 64, "moves", "maximum number of delayed moves, if the call has no window")};
  SlaterUpdateGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : step_(static_cast<UpdateStep>(p[0])),
        delay_(p[1]),
        queue_(backend, queue),
        refused_(queue_, "the moves that are refused"),
        window_(queue_, "the windows of delayed updates"),
        electrons_(queue_, "the electrons of delayed moves"),
        scratch_(queue_, "the products of delayed updates") {}

  void execute(const suite_array* arguments) {
    const SlaterUpdate c(arguments);
    queue_.select();
    const bool delayed = check_slater_update(c);
    const int64_t n = c.n(), nwalker = c.nwalker(), count = c.nupdate();
    Refused* const refused = refused_.at_least(nwalker + 1);
    call_ = {c.ie.array(), windows_of(c), n, nwalker};
    const Moves moves{c.dbar.data(),           c.ie.data(), c.phi.data(),     c.ratio.data(), static_cast<int>(n),
                      static_cast<int>(count), refused,     refused + nwalker};
    look_at_inputs(moves);
    // With one or two moves a window only costs.
    const bool at_once = step_ == UpdateStep::sherman_morrison || (step_ == UpdateStep::best && count <= 2);
    if (!delayed && at_once)
      SUITE_GPU_LAUNCH(update_at_once, grid_of(nwalker), block_threads, shared_numbers(queue_, n), queue_.stream(), moves);
    else wait_and_update(moves, delayed ? call_.windows : own_windows(n, std::min(delay_, count), nwalker), delayed, nwalker);
  }

  void finish() {
    queue_.select();
    std::vector<Refused> refused(static_cast<size_t>(call_.nwalker + 1));
    refused_.download(refused.data(), call_.nwalker + 1);
    queue_.wait();
    if (refused.back().move) refuse_inputs();
    for (int64_t w = 0; w < call_.nwalker; ++w)
      if (const Refused& one = refused[static_cast<size_t>(w)]; one.move > 0) check_ratio(one.ratio, w, one.move - 1);
  }

private:
  // What finish() asks about.
  struct Asked {
    suite_array ie;
    Windows windows;
    int64_t n, nwalker;
  };

  void look_at_inputs(const Moves& moves) const {
    queue_.set_zero(moves.call, sizeof(Refused));
    const int64_t count = call_.nwalker * moves.count;
    if (moves.ie)
      SUITE_GPU_LAUNCH(find_wrong_moves, blocks_for(count, block_threads), block_threads, 0, queue_.stream(), moves.ie, count, moves.n,
                       moves.call);
    if (call_.windows.phi) look_at_windows(queue_, call_.windows, call_.nwalker, &moves.call->move);
  }

  void refuse_inputs() const {
    if (call_.windows.phi) refuse_wrong_windows(queue_, call_.windows, call_.nwalker);
    const std::vector<int32_t> electrons = on_host<int32_t>(queue_, call_.ie);
    for (size_t e = 0; e < electrons.size(); ++e) {
      const auto m = static_cast<int64_t>(e) % call_.ie.extent[0], w = static_cast<int64_t>(e) / call_.ie.extent[0];
      check_electron("ie(" + text_of(m + 1) + "," + text_of(w + 1) + ")", electrons[e], call_.n, true);
    }
  }

  Windows own_windows(int64_t n, int64_t kmax, int64_t nwalker) {
    double* const all = window_.at_least((2 * n + kmax) * kmax * nwalker);
    return {static_cast<int>(n),      static_cast<int>(kmax),       all,
            all + n * kmax * nwalker, all + 2 * n * kmax * nwalker, electrons_.at_least((kmax + 1) * nwalker)};
  }

  void wait_and_update(const Moves& moves, const Windows& windows, bool keep, int64_t nwalker) {
    double* const scratch = scratch_.at_least(flush_numbers(windows.kmax) * nwalker);
    SUITE_GPU_LAUNCH(update_delayed, grid_of(nwalker), block_threads,
                     shared_numbers(queue_, moves.n + window_lists * windows.kmax, sizeof(Tiles)), queue_.stream(), moves, windows, keep,
                     scratch);
  }

  UpdateStep step_;
  int64_t delay_;
  Asked call_{};
  gpu::Queue queue_;
  gpu::Buffer<Refused> refused_;
  gpu::Buffer<double> window_;
  gpu::Buffer<int> electrons_;
  gpu::Buffer<double> scratch_;
};

}  // namespace

const suite_kernel_table* slater_update_table() { return gpu_table<SlaterUpdate, SlaterUpdateGpu>(); }

}  // namespace suite::qmc
