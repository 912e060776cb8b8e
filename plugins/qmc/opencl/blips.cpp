// SPDX-License-Identifier: BSD-3-Clause
// qmc.orbitals_blip and qmc.branch.
#include "texts.hpp"
#include "waves.hpp"

namespace suite::qmc::cl {
namespace {

class OrbitalsBlipCL : public opencl::WithEngine<Engine, OrbitalsBlip> {
public:
  OrbitalsBlipCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p), cell_(engine) {}
  void prepare(const suite_array* arguments) {
    const OrbitalsBlip call(arguments);
    cell_.set(call.cell);
  }
  void execute(const suite_array* arguments) {
    const OrbitalsBlip call(arguments);
    check_blips(call);
    const int64_t norb = call.norb(), rows = call.positions();
    const Outputs out = outputs_of(call.phi, call.dphi, call.d2phi, memory_of(call.phi));
    engine.start(text::blips, "orbitals_blip",
                 call.c.is<single>() ? " -DKIND=0 -DREAL=float" : " -DKIND=0 -DREAL=double", rows,
                 engine.lanes(norb), engine.local(), memory_of(call.c), memory_of(call.r), cell_.numbers(),
                 out.value, out.gradient, out.laplacian, out.has, as_int(norb), count_of(call.c, 3, "c"),
                 count_of(call.c, 2, "c"), count_of(call.c, 1, "c"), as_int(rows));
  }

private:
  Cell cell_;
};

class BranchCL : public opencl::WithEngine<Engine, Branch> {
public:
  using WithEngine::WithEngine;
  void execute(const suite_array* arguments) {
    const Branch c(arguments);
    const int64_t nwalker = c.nwalker();
    const std::vector<int32_t> from = engine.fetch<int32_t>(c.from, "from");
    check_branch(from.data(), nwalker, c.nslot());
    for (const auto& [array, size] : arrays_of_slots(c))
      engine.start(text::blips, "copy_slots", " -DKIND=0 -DREAL=double", nwalker, 1, engine.local(),
                   memory_of(c.from), memory_of(*array), static_cast<cl_ulong>(size), as_int(nwalker));
  }
};

}  // namespace

extern const suite_kernel_table orbitals_blip_table, branch_table;
constexpr suite_kernel_table orbitals_blip_table =
    kernel_table<OrbitalsBlip, OrbitalsBlipCL>("opencl", "opencl");
constexpr suite_kernel_table branch_table = kernel_table<Branch, BranchCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
