// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma on the CPU: which of the sums (fast.cpp, general.cpp, ladder.cpp) serves a call.
#include <algorithm>
#include <cmath>

#include <suite/cpu/threads.hpp>

#include "../step_cost.hpp"
#include "sums.hpp"

namespace suite::gpp {

std::vector<WeightedColumn> weighted_columns(const Screening& call) {
  std::vector<WeightedColumn> weighted;
  for (const Column& column : owned_columns(call)) weighted.push_back({column, call.vcoul(column.g)});
  return weighted;
}

namespace {

constexpr auto steps = with_meaning(
    sigma_steps, {{"v3", "wider groups: 512 pairs (G,G') go together as vectors"},
                  {"best",
                   "real w, one reciprocal for all energies, bands n' as vectors over lists of modes, infinite and zero ones apart, tests "
                   "for branches per list"},
                  {"fixed_length", "a step back: groups of 16 rows whatever the data, as a vector length fixed at a poor value"}});

// The sample that bins of w are made for.
constexpr int64_t most_of_sample = 4096;

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {
      sigma_variant(steps),
      variant("energies", 0, energy_sums, "how the sums depend on the number of energies"),
      knob("panel", 8 << 10, 1, 1 << 22, "KiB", "packed rows G, and packed columns G', at a time"),
      knob("block", 64, 1, 1 << 16, "KiB", "packed rows G that stay in cache while columns G' go by"),
      cpu::threads_parameter,
  };

  Cpu(const suite_backend*, suite_queue*, const int64_t* parameters)
      : variant_(static_cast<int>(parameters[0])),
        interpolated_(parameters[1] != 0),
        threads_(static_cast<int>(parameters[4])),
        fast_(parameters[2] << 10, parameters[3] << 10) {}

  static int cost(const suite_array* arguments, const int64_t* parameters, suite_cost* cost) {
    if (parameters[0] == best_variant && parameters[1] != 0 && Sigma(arguments).nw() >= fewest_energies)
      return Sigma::cost_of_moments(arguments, moments, cost);
    return step_cost({true, true, true, int64_t{1} << 31, false}, parameters[0], arguments, cost);
  }

  // Looks at w: real and not negative serves the fast sums.
  void prepare(const suite_array* arguments) {
    const Sigma call(arguments);
    const double* const w = poles_of(call).w;
    int64_t others = 0;
    double lowest = largest_w;
    const int64_t n = call.ncouls() * call.ngpown();
    // Without branches, so that it becomes vectors.
#pragma omp parallel for simd schedule(static) reduction(+ : others) reduction(min : lowest) if (parallel : n > 65536)
    for (int64_t i = 0; i < n; ++i) {
      const double re = w[2 * i], im = w[2 * i + 1];
      const bool real = (im == 0) & (re >= 0) & (re <= largest_w);
      others += real ? 0 : 1;
      lowest = std::min(lowest, re > 0 ? re : largest_w);
    }
    real_w_ = others == 0;
    lowest_w_ = lowest;
    if (interpolated_ && real_w_) find_bins(w, n);
  }

  void execute(const suite_array* given) {
    const FilledEnergies arguments(given);
    const Sigma call(arguments);
    const double triples = static_cast<double>(call.ncouls()) * static_cast<double>(call.ngpown() * call.ntband() * call.nex());
    // Below some 20 us of work a second thread costs more than it brings.
    const int threads = triples < 3e4 ? 1 : cpu::team_size(threads_);
    const bool is_fast = fast(call);
    if (variant_ != best_variant) ladder_sums(call, threads, step_of(variant_));
    else if (is_fast) return fast_.run(arguments, threads, true, interpolated_ ? &bins_ : nullptr);
    else return general_sums(call, threads, true);
    if (!call.by_band()) return;
    if (is_fast) fast_.run(arguments, threads, false, nullptr);
    else general_sums(call, threads, false);
  }

private:
  // Branch C (|w| <= 1e-6 |D| where |D| <= gamma) is not in the fast sums; nor are energies beyond physics.
  bool fast(const Sigma& call) const {
    if (!real_w_ || !(lowest_w_ > 1e-6 * call.gamma)) return false;
    const double* const wx = call.wx_array.data();
    const int64_t n = call.nw() * call.ntband() * call.nex();
    return std::all_of(wx, wx + n, [](double x) { return std::abs(x) < 1e9; });
  }

  void find_bins(const double* w, int64_t n) {
    const auto finite = [](double x) { return x > 0 && x < largest_w; };
    bins_ = {};
    bins_.lowest = lowest_w_;
    std::vector<double> sample;
    const int64_t step = std::max<int64_t>(n / most_of_sample, 1);
    for (int64_t i = 0; i < n; ++i) {
      if (!finite(w[2 * i])) continue;
      bins_.highest = std::max(bins_.highest, w[2 * i]);
      if (i % step == 0) sample.push_back(w[2 * i]);
    }
    bins_.spread(std::move(sample));
  }

  int variant_;
  bool interpolated_;
  int threads_;
  bool real_w_ = false;
  double lowest_w_ = 0;
  PoleBins<bins> bins_;
  FastSums fast_;
};

constexpr suite_kernel_table table = kernel_table<Sigma, Cpu>("cpu", "cpu");

}  // namespace

extern const suite_kernel_table offdiag_table;  // sigma_offdiag.cpp

}  // namespace suite::gpp

SUITE_PLUGIN("gpp", "cpu", &suite::gpp::table, &suite::gpp::offdiag_table)
