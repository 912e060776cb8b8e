// SPDX-License-Identifier: BSD-3-Clause
// qmc.slater_update (slater.cl, windows.cl).
#include "slater.hpp"

namespace suite::qmc::cl {
namespace {

constexpr suite_parameter delay_parameter = knob("delay", 0, 0, 128, "moves", "number of delayed moves, if the call has no window; 0: 32");

class SlaterUpdateCL : public opencl::WithEngine<Engine, SlaterUpdate, parameter::update_variant, delay_parameter> {
public:
  SlaterUpdateCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p), step_(static_cast<UpdateStep>(p[0])), delay_(p[1] > 0 ? p[1] : 32) {}

  void execute(const suite_array* arguments) {
    const SlaterUpdate c(arguments);
    const bool delayed = check_slater_update(c), moves = bool(c.ie);
    const int64_t n = c.n(), nwalker = c.nwalker();
    const int64_t nupdate = c.nupdate();
    if (moves) check_electrons(c.ie, n);
    const int lanes = engine.lanes(n), items = engine.local_of_moves();
    const int64_t groups = engine.groups(nwalker, items);
    const cl_mem complaints = complaints_.clear(nwalker), dbar = memory_of(c.dbar);
    const cl_int has_ratio = c.ratio ? 1 : 0;
    if (!delayed && step_ == UpdateStep::sherman_morrison) {
      const int64_t size = 2 * ceil_div(n, lanes) * lanes;
      engine.start(slater_text(), "sherman_morrison", work_in_global, nwalker, lanes, items, dbar, memory_of(c.ie), memory_of(c.phi),
                   work_.at_least(doubles(size * groups)), static_cast<cl_ulong>(size), memory_or(c.ratio, dbar), has_ratio, complaints,
                   as_int(n), as_int(nupdate), as_int(nwalker));
    } else {
      if (delayed) callers_.set(c, lanes, items);
      const int64_t kmax = delayed ? callers_.kmax : delay_, capacity = capacity_for(kmax, lanes),
                    size = small_size(n, capacity, lanes, items), padded = ceil_div(n, lanes) * lanes;
      const auto own = [&](opencl::Scratch& scratch, int64_t each) { return scratch.at_least(doubles(each * groups)); };
      const cl_mem V = delayed ? callers_.V : own(V_, n * capacity), U = delayed ? callers_.U : own(U_, n * capacity);
      const cl_mem binv = delayed ? memory_of(c.delayed_binv) : own(binv_, kmax * kmax),
                   who = delayed ? memory_of(c.delayed_electron) : own(who_, kmax + 1);
      engine.start(slater_text(), "delayed_updates", work_in_global, nwalker, lanes, items, dbar, memory_or(c.ie, dbar),
                   memory_or(c.phi, dbar), cl_int(moves), memory_or(c.delayed_phi, dbar), memory_or(c.delayed_dbar, dbar), binv, who,
                   cl_int(delayed), V, U, own(P_, (2 * padded + capacity) * kmax), own(T_, n * capacity), own(work_, size),
                   static_cast<cl_ulong>(size), memory_or(c.ratio, dbar), has_ratio, complaints, as_int(n), as_int(nupdate), as_int(kmax),
                   as_int(capacity), as_int(nwalker));
    }
    const std::vector<double> found = complaints_.read();
    for (int64_t w = 0; w < nwalker; ++w)
      if (const double* const f = &found[static_cast<size_t>(2 * w)]; f[0] > 0) check_ratio(f[1], w, static_cast<int64_t>(f[0]) - 1);
  }

private:
  void check_electrons(const suite_array& array, int64_t n) {
    const std::vector<int32_t> ie = engine.fetch<int32_t>(array, "ie");
    for (int64_t w = 0; w < array.extent[1]; ++w)
      for (int64_t m = 0; m < array.extent[0]; ++m)
        check_electron("ie(" + text_of(m + 1) + "," + text_of(w + 1) + ")", ie[static_cast<size_t>(m + array.extent[0] * w)], n, true);
  }
  UpdateStep step_;
  int64_t delay_;
  CallersWindow callers_{engine};
  opencl::Scratch V_{engine.scratch("the columns of delayed moves")}, U_{engine.scratch("the columns of delayed moves")},
      P_{engine.scratch("B, U and B^-1 U")}, T_{engine.scratch("M V - E")}, binv_{engine.scratch("B^-1")},
      who_{engine.scratch("the electrons of delayed moves")}, work_{engine.scratch("the arrays of a move")};
  Complaints complaints_{engine};
};

}  // namespace

extern const suite_kernel_table slater_update_table;
constexpr suite_kernel_table slater_update_table = kernel_table<SlaterUpdate, SlaterUpdateCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
