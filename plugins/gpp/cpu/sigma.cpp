// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma on the processor: which of the sums (fast.cpp, general.cpp, ladder.cpp) serves a call.
#include <algorithm>
#include <cmath>

#include <suite/cpu/threads.hpp>

#include "../step_cost.hpp"
#include "sums.hpp"

namespace suite::gpp {

Call::Call(const suite_array* a)
    : wtilde(static_cast<const double*>(a[Sigma::wtilde_array].data)),
      I(static_cast<const double*>(a[Sigma::I_eps_array].data)),
      aqsn(static_cast<const double*>(a[Sigma::aqsntemp].data)),
      aqsm(static_cast<const double*>(a[Sigma::aqsmtemp].data)),
      vcoul(static_cast<const double*>(a[Sigma::vcoul].data)),
      wx(static_cast<const double*>(a[Sigma::wx_array].data)),
      occ(static_cast<const double*>(a[Sigma::occ_array].data)),
      indigp(static_cast<const int32_t*>(a[Sigma::indigp].data)),
      gamma(scalar_or(a[Sigma::gamma], 0.5)),
      sexcut(scalar_or(a[Sigma::sexcut], 4.0)),
      asx(static_cast<std::complex<double>*>(a[Sigma::asxtemp].data)),
      ach(static_cast<std::complex<double>*>(a[Sigma::achtemp].data)),
      ach_n1(static_cast<std::complex<double>*>(a[Sigma::acht_n1].data)),
      ach_static(static_cast<std::complex<double>*>(a[Sigma::achstemp].data)),
      ncouls(a[Sigma::wtilde_array].extent[0]),
      ngpown(a[Sigma::wtilde_array].extent[1]),
      ntband(a[Sigma::wx_array].extent[1]),
      nw(a[Sigma::wx_array].extent[0]),
      nex(a[Sigma::wx_array].extent[2]),
      real(a[Sigma::I_eps_array].type == SUITE_REAL64) {}

std::vector<Column> owned_columns(const Call& call) {
  std::vector<Column> owned;
  for (int64_t igp = 0; igp < call.ngpown; ++igp)
    if (const int64_t g = call.indigp[igp]; g > 0) owned.push_back({igp, g - 1, call.vcoul[g - 1]});
  return owned;
}

namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {
      {"variant", best_variant, 0, fixed_length_variant, sigma_variants,
       "v1: collapse the loops over n', G' and G into one, all energies inside" SUITE_GPP_V1_PUBLISHED
       "v2: n' inside, the loops over G' and G collapsed; sums stay in registers" SUITE_GPP_V2_PUBLISHED
       "v3: wider groups: 512 pairs (G,G') go together as vectors" SUITE_GPP_V3_PUBLISHED
       "v4: one energy at a time, its loop outermost, so that fewer sums are live" SUITE_GPP_V4_PUBLISHED
       "v5: wx_array with n' as its first index, read contiguously" SUITE_GPP_V5_PUBLISHED
       "v6: simplified: w^2, Omega^2 and the cutoff hoisted, two branches instead of "
       "three" SUITE_GPP_V6_PUBLISHED
       "v7: complex divisions replaced by a real reciprocal and complex products" SUITE_GPP_V7_PUBLISHED
       "v8: |z|^2 against limits squared instead of |z|" SUITE_GPP_V8_PUBLISHED
       "v9: blocks of G and of n' that stay in cache" SUITE_GPP_V9_PUBLISHED
       "best: real w, one reciprocal for all energies, bands n' as vectors over lists of modes, infinite and zero "
       "ones apart, tests for branches per list" SUITE_GPP_BEST_EXPECTED
       "fixed_length: a step back: groups of 16 rows whatever the data, as a vector length fixed at a poor "
       "value" SUITE_GPP_FIXED_LENGTH_PUBLISHED},
      {"panel", 8 << 10, 1, 1 << 22, nullptr, "KiB of packed rows G, and of packed columns G', at a time"},
      {"block", 64, 1, 1 << 16, nullptr, "KiB of packed rows G that stay in cache while columns G' go by"},
      cpu::threads_parameter,
  };

  Cpu(const suite_backend*, suite_queue*, const int64_t* parameters)
      : variant_(static_cast<int>(parameters[0])),
        threads_(static_cast<int>(parameters[3])),
        fast_(parameters[1] << 10, parameters[2] << 10) {}

  static int cost(const suite_array* arguments, const int64_t* parameters, suite_cost* cost) {
    return step_cost({true, true, true, int64_t{1} << 31, false}, parameters[0], arguments, cost);
  }

  // Looks at w: real and not negative serves the fast sums.
  void prepare(const suite_array* arguments) {
    const Call call(arguments);
    bool real = true;
    double lowest = largest_w;
    const int64_t n = call.ncouls * call.ngpown;
#pragma omp parallel for schedule(static) reduction(&& : real) reduction(min : lowest) if (n > 65536)
    for (int64_t i = 0; i < n; ++i) {
      const double re = call.wtilde[2 * i], im = call.wtilde[2 * i + 1];
      real = real && im == 0 && re >= 0 && re <= largest_w;
      if (re > 0 && re < lowest) lowest = re;
    }
    real_w_ = real;
    lowest_w_ = lowest;
  }

  void execute(const suite_array* arguments) {
    check_columns(arguments);
    const Call call(arguments);
    const double triples =
        static_cast<double>(call.ncouls) * static_cast<double>(call.ngpown * call.ntband * call.nex);
    // Below some 20 us of work a second thread costs more than it brings.
    const int threads = triples < 3e4 ? 1 : cpu::team_size(threads_);
    const bool is_fast = fast(call);
    if (variant_ != best_variant)
      ladder_sums(call, threads, step_of(variant_));
    else if (is_fast)
      return fast_.run(call, threads, true);
    else
      return general_sums(call, threads, true);
    if (!call.ach_n1) return;
    if (is_fast)
      fast_.run(call, threads, false);
    else
      general_sums(call, threads, false);
  }

private:
  // Branch C (|w| <= 1e-6 |D| where |D| <= gamma) is not in the fast sums; nor are energies beyond physics.
  bool fast(const Call& call) const {
    if (!real_w_ || !(lowest_w_ > 1e-6 * call.gamma)) return false;
    const int64_t n = call.nw * call.ntband * call.nex;
    return std::all_of(call.wx, call.wx + n, [](double x) { return std::abs(x) < 1e9; });
  }

  int variant_, threads_;
  bool real_w_ = false;
  double lowest_w_ = 0;
  FastSums fast_;
};

constexpr suite_kernel_table table = kernel_table<Sigma, Cpu>("cpu", "cpu");

}  // namespace

extern const suite_kernel_table offdiag_table;  // sigma_offdiag.cpp

}  // namespace suite::gpp

SUITE_PLUGIN("gpp", "cpu", &suite::gpp::table, &suite::gpp::offdiag_table)
