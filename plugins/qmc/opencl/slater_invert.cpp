// SPDX-License-Identifier: BSD-3-Clause
// qmc.slater_invert (slater.cl).
#include "slater.hpp"

namespace suite::qmc::cl {
namespace {

class SlaterInvertCL : public opencl::WithEngine<Engine, SlaterInvert> {
public:
  using WithEngine::WithEngine;

  void execute(const suite_array* arguments) {
    const SlaterInvert c(arguments);
    const int64_t n = c.n(), nwalker = c.nwalker();
    const int lanes = engine.lanes(n), items = engine.local();
    const int64_t groups = engine.groups(nwalker, items), padded = ceil_div(n, lanes) * lanes, size = (n + 1) * padded;
    const cl_mem dbar = memory_of(c.dbar);
    as_int(n * padded);
    engine.start(slater_text(), "slater_invert", work_in_global, nwalker, lanes, items, memory_of(c.phi), dbar, memory_or(c.logdet, dbar),
                 cl_int(c.logdet ? 1 : 0), memory_or(c.sign, dbar), cl_int(c.sign ? 1 : 0), complaints_.clear(nwalker),
                 work_.at_least(doubles(size * groups)), static_cast<cl_ulong>(size),
                 order_.at_least(sizeof(cl_int) * static_cast<size_t>(2 * n * groups)), as_int(n), as_int(nwalker));
    const std::vector<double> found = complaints_.read();
    for (int64_t w = 0; w < nwalker; ++w)
      if (found[static_cast<size_t>(2 * w)] > 0) check_determinant(0, w);
  }

private:
  opencl::Scratch work_{engine.scratch("matrices under elimination")}, order_{engine.scratch("the order of pivots")};
  Complaints complaints_{engine};
};

}  // namespace

extern const suite_kernel_table slater_invert_table;
constexpr suite_kernel_table slater_invert_table = kernel_table<SlaterInvert, SlaterInvertCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
