// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma on a GPU: which of the sums (best.cu, general.cu, ladder.cu) serves a call. One source for CUDA, HIP and the
// emulation.
#include "../step_cost.hpp"
#include "best.hpp"
#include "columns.hpp"
#include "general.hpp"
#include "interpolated.hpp"
#include "ladder.hpp"
#include "offdiag.hpp"

namespace suite::gpp {

namespace {

constexpr auto steps = with_meaning(
    sigma_steps,
    {{"v1", "collapse3: one thread for each (n',G',G), all energies inside"},
     {"v2", "n' inside: one thread for each (G',G), which goes through all n'"},
     {"v3", "blocks of 512 threads instead of 128"},
     {"v4", "the loop over energies outside of the kernel, one launch each"},
     {"v5", "wx_array with n' as its first index"},
     {"v9", "blocks of G and of n', strided over threads so that those running together share rows in cache"},
     {"best", "real w, one reciprocal for all energies, register tiles of G x G' over n' in shared memory, tests for branches per tile"},
     {"fixed_length", "a step back: v8 with blocks of 64 threads, as a vector length fixed at a poor value"}});
constexpr suite_choice precisions[] = {
    choice("double", "all in double precision"),
    {"mixed", "best sums up to 32 bands in single precision where no test is due, all else in double", 1e-5, nullptr, SUITE_UNKNOWN, 0,
     nullptr},
};
constexpr suite_choice groups[] = {
    choice("2", "best keeps 2 columns G' of a row in a thread's registers"),
    choice("4", "best keeps 4 columns"),
    choice("8", "best keeps 8 columns, and fewer threads at a time"),
};

class SigmaGpu {
public:
  static constexpr suite_parameter parameters[] = {
      sigma_variant(steps),
      variant("precision", 0, precisions, "precision of the sums"),
      variant("columns", 2, groups, "columns G' of a thread"),
      knob("scratch", 0, 0, int64_t{1} << 30, "KiB",
           "memory that best may take for packed columns and sums of blocks; 0: 70 % of what is free"),
      variant("energies", 0, energy_sums, "how the sums depend on the number of energies"),
  };

  SigmaGpu(const suite_backend* backend, suite_queue* queue, const int64_t* parameters)
      : variant_(static_cast<int>(parameters[0])),
        mixed_(parameters[1] != 0),
        interpolated_(parameters[4] != 0),
        queue_(backend, queue),
        columns_(queue_),
        best_(queue_, backend, queue, 2 << parameters[2], parameters[3] << 10),
        moments_(queue_),
        general_(queue_),
        ladder_(queue_),
        wx_(queue_, "wx_array") {}

  static int cost(const suite_array* arguments, const int64_t* parameters, suite_cost* cost) {
    if (parameters[0] == best_variant && parameters[4] != 0 && Sigma(arguments).nw() >= fewest_energies)
      return Sigma::cost_of_moments(arguments, moments, cost);
    return step_cost({false, false, false, 3, true}, parameters[0], arguments, cost);
  }

  // Looks at indigp and w. Waits for the device.
  void prepare(const suite_array* arguments) {
    queue_.select();
    check_addresses<Sigma>(arguments);
    const Sigma call(arguments);
    columns_.prepare(call);
    best_.prepare(call, columns_.columns());
    if (interpolated_) moments_.prepare(call, columns_.columns());
  }

  void execute(const suite_array* given) {
    queue_.select();
    check_addresses<Sigma>(given);
    const FilledEnergies arguments(given, [this](const Sigma& c) { return fill_differences(queue_, c, wx_); });
    const Sigma call(arguments);
    const Columns& owned = columns_.columns();
    const bool rational = variant_ == best_variant && best_.serves(call);
    const bool by_moments = rational && interpolated_ && call.nw() >= fewest_energies;
    if (by_moments) moments_.run(call, owned);
    best_.run(call, owned, rational && !by_moments, mixed_);
    if (variant_ != best_variant) ladder_.run(call, owned, step_of(variant_));
    const bool totals = variant_ == best_variant && !rational;
    if (totals || call.by_band()) general_.run(call, owned, totals);
  }

private:
  int variant_;
  bool mixed_, interpolated_;
  gpu::Queue queue_;
  ColumnList columns_;
  Best best_;
  Interpolated moments_;
  General general_;
  Ladder ladder_;
  gpu::Buffer<double> wx_;
};

}  // namespace

static const suite_kernel_table* sigma_table() { return gpu_table<Sigma, SigmaGpu>(); }

}  // namespace suite::gpp

SUITE_GPU_PLUGIN("gpp", suite::gpp::sigma_table(), suite::gpp::offdiag_table())
