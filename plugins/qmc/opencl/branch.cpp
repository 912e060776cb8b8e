// SPDX-License-Identifier: BSD-3-Clause
// qmc.branch (blips.cl).
#include "engine.hpp"
#include "texts.hpp"

namespace suite::qmc::cl {
namespace {

class BranchCL : public opencl::WithEngine<Engine, Branch> {
public:
  using WithEngine::WithEngine;
  void execute(const suite_array* arguments) {
    const Branch c(arguments);
    const int64_t nwalker = c.nwalker();
    const std::vector<int32_t> from = engine.fetch<int32_t>(c.from, "from");
    check_branch(from.data(), nwalker, c.nslot());
    for (const auto& [array, size] : arrays_of_slots(c))
      engine.start(text::blips, "copy_slots", " -DKIND=0 -DREAL=double", nwalker, 1, engine.local(), memory_of(c.from), memory_of(*array),
                   static_cast<cl_ulong>(size), as_int(nwalker));
  }
};

}  // namespace

extern const suite_kernel_table branch_table;
constexpr suite_kernel_table branch_table = kernel_table<Branch, BranchCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
