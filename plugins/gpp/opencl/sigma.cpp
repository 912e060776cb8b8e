// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma in OpenCL: which of the sums (fast.cpp, general.cpp, ladder.cpp) serves a call.
#include <algorithm>
#include <cmath>
#include <limits>

#include "../step_cost.hpp"
#include "sources.hpp"
#include "sums.hpp"

namespace suite::gpp {

Call::Call(const suite_array* arguments)
    : Sigma(arguments),
      ncouls(count_of(I_eps_array.array(), 0, "I_eps_array")),
      ngpown(count_of(I_eps_array.array(), 1, "I_eps_array")),
      ntband(count_of(occ_array.array(), 0, "occ_array")),
      nw(count_of(asxtemp.array(), 0, "asxtemp")),
      nex(count_of(asxtemp.array(), 1, "asxtemp")) {
  if (static_cast<int64_t>(nex) * std::max(ntband, nw) > std::numeric_limits<cl_int>::max() / 16)
    throw Failure(SUITE_UNSUPPORTED, concat(nex, " external bands with ", ntband, " bands and ", nw,
                                            " energies are more than the OpenCL kernels count; split the external bands"));
}

void gather(Engine& engine, const Call& call, cl_int count, cl_int energies, cl_int iw, cl_int e0, cl_int externals, bool with_static,
            bool again) {
  const auto local = static_cast<size_t>(engine.local(64));
  const auto& kernel = engine.kernel(sums_cl, "gather", define("LOCAL", static_cast<int64_t>(local)));
  // An argument that is not used must still be a buffer.
  const cl_mem achs = call.achstemp ? memory_of(call.achstemp) : memory_of(call.achtemp);
  opencl::launch(engine.device, kernel, "gather",
                 {{local, static_cast<size_t>(4 * energies + 2), static_cast<size_t>(externals)}, {local, 1, 1}},
                 engine.partial.at_least(0), memory_of(call.asxtemp), memory_of(call.achtemp), achs, count, energies, call.nw, iw, e0,
                 cl_int(with_static), cl_int(again));
}

namespace {

constexpr auto steps = with_meaning(
    sigma_steps,
    {{"best", "real w, one reciprocal for all energies, register tiles of G x G' over packed bands, tests for branches per tile"},
     {"fixed_length", "a step back: v8 with vectors of 2 rows, whatever the device has"}});
constexpr suite_choice precisions[] = {
    choice("double", "all in FP64"),
    {"mixed", "empty bands away from resonance in FP32, added in FP64 every 32 bands; only in `best` with real w", 1e-6, nullptr,
     SUITE_UNKNOWN, 0, nullptr},
};

class OpenCL {
public:
  static constexpr suite_parameter parameters[] = {
      sigma_variant(steps),
      variant("precision", 0, precisions, "precision of the sums"),
      opencl::vector_parameter,
      local_parameter,
      knob("columns", 2, 1, 4, "columns", "columns G' of a register tile of `best`"),
      variant("energies", 0, energy_sums, "how the sums depend on the number of energies"),
  };

  OpenCL(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : variant_(static_cast<int>(p[0])),
        interpolated_(p[5] != 0),
        engine_(backend, queue,
                {static_cast<int>(p[2]), static_cast<int>(p[3]), static_cast<int>(p[4]), p[1] == 1 && p[0] == best_variant}),
        fast_(engine_),
        by_band_(engine_),
        moments_(engine_),
        wx_(backend, queue, "wx_array") {}

  static int cost(const suite_array* arguments, const int64_t* parameters, suite_cost* cost) {
    if (parameters[0] == best_variant && parameters[5] != 0 && Sigma(arguments).nw() >= fewest_energies)
      return Sigma::cost_of_moments(arguments, moments, cost);
    return step_cost({true, true, false, 8, false}, parameters[0], arguments, cost);
  }

  // Lists the columns that count, and looks at w: real and not negative serves the fast sums.
  void prepare(const suite_array* arguments) {
    const Call call(arguments);
    list_columns(engine_, call);
    poles_ = look_at_poles(engine_, call);
    if (interpolated_ && poles_.real) moments_.prepare(call, poles_.lowest);
  }

  void execute(const suite_array* given) {
    std::vector<double> differences;
    const FilledEnergies arguments(given, [&](const Sigma& c) {
      const auto energies = engine_.read(c.energies.array(), "energies"), ekq = engine_.read(c.ekq.array(), "ekq");
      differences = energy_differences(energies.data(), ekq.data(), c.nw(), c.ntband(), c.nex());
      return wx_.at_least(differences.size() * sizeof(double));
    });
    const Call call(arguments);
    const bool by_energies = !differences.empty();
    const Bands bands{by_energies ? differences : engine_.read(call.wx_array.array(), "wx_array"),
                      engine_.read(call.occ_array.array(), "occ_array"), call};
    const bool by_band = call.by_band(), with_static = static_cast<bool>(call.achstemp);
    const bool by_moments = variant_ == best_variant && interpolated_ && call.nw >= fewest_energies && fast(call, bands);
    if (variant_ == best_variant && by_band && !by_moments && fast(call, bands) && by_band_.serves(call)) return by_band_.run(call, bands);
    // Moments, what works with complex w, and the steps, read wx_array on the device.
    if (by_energies) wx_.upload(differences);
    if (by_moments) return moments_.run(call, bands);
    if (variant_ != best_variant) {
      ladder_sums(engine_, call, bands, step_of(variant_));
      // The static CH is in the source a matrix product of its own.
      if (by_band || with_static) general_sums(engine_, call, {false, with_static});
    } else if (fast(call, bands)) {
      fast_.run(call, bands);
      if (by_band) general_sums(engine_, call, {false, false});
    } else {
      general_sums(engine_, call, {true, with_static});
    }
  }

private:
  // Branch C (|w| <= 1e-6 |D| where |D| <= gamma) is not in the fast sums; nor are energies beyond physics.
  bool fast(const Call& call, const Bands& bands) const {
    return poles_.real && poles_.lowest > 1e-6 * call.gamma &&
           std::all_of(bands.wx.begin(), bands.wx.end(), [](double x) { return std::abs(x) < 1e9; });
  }

  int variant_;
  bool interpolated_;
  Poles poles_;
  Engine engine_;
  FastSums fast_;
  BandSums by_band_;
  Moments moments_;
  opencl::Scratch wx_;
};

constexpr suite_kernel_table table = kernel_table<Sigma, OpenCL>("opencl", "opencl");

}  // namespace

extern const suite_kernel_table offdiag_table;  // sigma_offdiag.cpp

}  // namespace suite::gpp

SUITE_PLUGIN("gpp", "opencl", &suite::gpp::table, &suite::gpp::offdiag_table)
