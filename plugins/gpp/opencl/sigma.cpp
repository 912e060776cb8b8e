// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma in OpenCL: which of the sums (fast.cpp, general.cpp, ladder.cpp) serves a call.
#include <algorithm>
#include <cmath>
#include <limits>

#include "../step_cost.hpp"
#include "sources.hpp"
#include "sums.hpp"

namespace suite::gpp {

Call::Call(const suite_array* a)
    : wtilde(opencl::memory_of(a[Sigma::wtilde_array])),
      I(opencl::memory_of(a[Sigma::I_eps_array])),
      aqsn(opencl::memory_of(a[Sigma::aqsntemp])),
      aqsm(opencl::memory_of(a[Sigma::aqsmtemp])),
      wx(opencl::memory_of(a[Sigma::wx_array])),
      occ(opencl::memory_of(a[Sigma::occ_array])),
      asx(opencl::memory_of(a[Sigma::asxtemp])),
      ach(opencl::memory_of(a[Sigma::achtemp])),
      ach_n1(opencl::memory_of(a[Sigma::acht_n1])),
      ach_static(opencl::memory_of(a[Sigma::achstemp])),
      ncouls(count_of(a[Sigma::wtilde_array], 0, "wtilde_array")),
      ngpown(count_of(a[Sigma::wtilde_array], 1, "wtilde_array")),
      ntband(count_of(a[Sigma::wx_array], 1, "wx_array")),
      nw(count_of(a[Sigma::wx_array], 0, "wx_array")),
      nex(count_of(a[Sigma::wx_array], 2, "wx_array")),
      gamma(scalar_or(a[Sigma::gamma], 0.5)),
      sexcut(scalar_or(a[Sigma::sexcut], 4.0)),
      real(a[Sigma::I_eps_array].type == SUITE_REAL64) {
  if (static_cast<int64_t>(nex) * std::max(ntband, nw) > std::numeric_limits<cl_int>::max() / 16)
    throw Failure(SUITE_UNSUPPORTED,
                  std::to_string(nex) + " external bands with " + std::to_string(ntband) + " bands and " +
                      std::to_string(nw) +
                      " energies are more than the OpenCL kernels count; split the external bands");
}

void gather(Engine& engine, const Call& call, cl_int count, cl_int energies, cl_int iw, cl_int e0,
            cl_int externals, bool with_static, bool again) {
  const auto local = static_cast<size_t>(engine.local(64));
  const auto& kernel = engine.kernel(sums_cl, "gather", define("LOCAL", static_cast<int64_t>(local)));
  // An argument that is not used must still be a buffer.
  const cl_mem achs = call.ach_static ? call.ach_static : call.ach;
  opencl::launch(
      engine.device, kernel, "gather",
      {{local, static_cast<size_t>(4 * energies + 2), static_cast<size_t>(externals)}, {local, 1, 1}},
      engine.partial.at_least(0), call.asx, call.ach, achs, count, energies, call.nw, iw, e0,
      cl_int(with_static), cl_int(again));
}

namespace {

constexpr const char* precisions[] = {"double", "mixed", nullptr};

class OpenCL {
public:
  static constexpr suite_parameter parameters[] = {
      {"variant", best_variant, 0, fixed_length_variant, sigma_variants,
       "v1: collapse the loops over n', G' and G into one, all energies inside" SUITE_GPP_V1_PUBLISHED
       "v2: n' inside, the loops over G' and G collapsed; sums stay in registers" SUITE_GPP_V2_PUBLISHED
       "v3: wider groups: 512 pairs (G,G') go together" SUITE_GPP_V3_PUBLISHED
       "v4: one energy at a time, its loop outermost, so that fewer sums are live" SUITE_GPP_V4_PUBLISHED
       "v5: wx_array with n' as its first index, read contiguously" SUITE_GPP_V5_PUBLISHED
       "v6: simplified: w^2, Omega^2 and the cutoff hoisted, two branches instead of "
       "three" SUITE_GPP_V6_PUBLISHED
       "v7: complex divisions replaced by a real reciprocal and complex products" SUITE_GPP_V7_PUBLISHED
       "v8: |z|^2 against limits squared instead of |z|" SUITE_GPP_V8_PUBLISHED
       "v9: blocks of G and of n' that stay in cache" SUITE_GPP_V9_PUBLISHED
       "best: real w, one reciprocal for all energies, register tiles of G x G' over packed bands, tests for "
       "branches per tile" SUITE_GPP_BEST_EXPECTED
       "fixed_length: a step back: v8 with vectors of 2 rows, whatever the device "
       "has" SUITE_GPP_FIXED_LENGTH_PUBLISHED},
      {"precision", 0, 0, 1, precisions,
       "double: all in FP64\n"
       "mixed: empty bands away from resonance in FP32, added in FP64 every 32 bands; only in `best` with "
       "real w "
       "(tolerance 1e-6)"},
      opencl::vector_parameter,
      {"local", 0, 0, 256, nullptr, "work-items of a group; 0: 1 on a processor, 128 on a GPU"},
      {"columns", 2, 1, 4, nullptr, "columns G' of a register tile of `best`"},
  };

  OpenCL(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : variant_(static_cast<int>(p[0])),
        engine_(backend, queue,
                {static_cast<int>(p[2]), static_cast<int>(p[3]), static_cast<int>(p[4]),
                 p[1] == 1 && p[0] == best_variant}),
        fast_(engine_) {}

  static int cost(const suite_array* arguments, const int64_t* parameters, suite_cost* cost) {
    return step_cost({true, true, false, 8, false}, parameters[0], arguments, cost);
  }

  // Lists the columns that count, and looks at w: real and not negative serves the fast sums.
  void prepare(const suite_array* arguments) {
    const Call call(arguments);
    list_columns(engine_, arguments);
    poles_ = look_at_poles(engine_, call.wtilde, int64_t(call.ncouls) * call.ngpown);
  }

  void execute(const suite_array* arguments) {
    const Call call(arguments);
    const Bands bands{read_back<double>(arguments, Sigma::wx_array),
                      read_back<double>(arguments, Sigma::occ_array), call};
    const bool by_band = call.ach_n1 != nullptr, with_static = call.ach_static != nullptr;
    if (variant_ != best_variant) {
      ladder_sums(engine_, call, bands, step_of(variant_));
      // The static CH is in the source a matrix product of its own.
      if (by_band || with_static) general_sums(engine_, call, {false, with_static, by_band});
    } else if (fast(call, bands)) {
      fast_.run(call, bands);
      if (by_band) general_sums(engine_, call, {false, false, true});
    } else {
      general_sums(engine_, call, {true, with_static, by_band});
    }
  }

private:
  template <class T>
  std::vector<T> read_back(const suite_array* arguments, int which) const {
    return opencl::read_back<T>(engine_.backend, engine_.queue, arguments[which],
                                Sigma::arguments[which].name);
  }

  // Branch C (|w| <= 1e-6 |D| where |D| <= gamma) is not in the fast sums; nor are energies beyond physics.
  bool fast(const Call& call, const Bands& bands) const {
    return poles_.real && poles_.lowest > 1e-6 * call.gamma &&
           std::all_of(bands.wx.begin(), bands.wx.end(), [](double x) { return std::abs(x) < 1e9; });
  }

  int variant_;
  Poles poles_;
  Engine engine_;
  FastSums fast_;
};

constexpr suite_kernel_table table = kernel_table<Sigma, OpenCL>("opencl", "opencl");

}  // namespace

extern const suite_kernel_table offdiag_table;  // sigma_offdiag.cpp

}  // namespace suite::gpp

SUITE_PLUGIN("gpp", "opencl", &suite::gpp::table, &suite::gpp::offdiag_table)
