// SPDX-License-Identifier: BSD-3-Clause
// qmc.slater_ratio (slater.cl).
#include "slater.hpp"

namespace suite::qmc::cl {
namespace {

class SlaterRatioCL : public opencl::WithEngine<Engine, SlaterRatio> {
public:
  using WithEngine::WithEngine;

  void execute(const suite_array* arguments) {
    const SlaterRatio c(arguments);
    const SlaterMove move = check_slater_ratio(c);
    const bool delayed = has_delayed(c);
    const int64_t n = c.n(), nwalker = c.nwalker(), npos = c.npos();
    const int lanes = engine.lanes(n), items = engine.local();
    if (delayed) window_.set(c, lanes, items);
    const int64_t rows = move.one ? nwalker : nwalker * npos;
    const int64_t size = small_size(n, window_.capacity, lanes, items);
    const cl_mem work = work_.at_least(doubles(size * engine.groups(rows, items)));
    const cl_mem dbar = memory_of(c.dbar), ratio = memory_of(c.ratio);
    as_int(nwalker * npos);
    engine.start(slater_text(), "slater_ratio", work_in_global, rows, lanes, items, dbar, memory_of(c.phi), memory_or(c.dphi, dbar),
                 memory_or(c.d2phi, dbar), memory_or(c.delayed_dbar, dbar), memory_or(c.delayed_binv, dbar),
                 memory_or(c.delayed_electron, dbar), delayed ? window_.V : dbar, work, static_cast<cl_ulong>(size), ratio,
                 memory_or(c.drift, ratio), memory_or(c.laplacian, ratio), cl_int(delayed), cl_int(c.drift ? 1 : 0),
                 cl_int(c.laplacian ? 1 : 0), move.one ? as_int(move.which) : cl_int(-1), as_int(n), as_int(npos),
                 as_int(delayed ? window_.kmax : 0), as_int(delayed ? window_.capacity : 1), as_int(nwalker));
  }

private:
  CallersWindow window_{engine};
  opencl::Scratch work_{engine.scratch("a column of dbar")};
};

}  // namespace

extern const suite_kernel_table slater_ratio_table;
constexpr suite_kernel_table slater_ratio_table = kernel_table<SlaterRatio, SlaterRatioCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
