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
  void prepare(const suite_array* a) { cell_.set(a[OrbitalsBlip::cell]); }
  void execute(const suite_array* a) {
    using K = OrbitalsBlip;
    const suite_array &c = a[K::c], &phi = a[K::phi];
    check_blips(c, phi);
    const int64_t norb = phi.extent[0], rows = phi.extent[1] * phi.extent[2];
    const Outputs out = outputs_of(phi, a[K::dphi], a[K::d2phi], memory_of(phi));
    engine.start(text::blips, "orbitals_blip",
                 c.type == SUITE_REAL32 ? " -DKIND=0 -DREAL=float" : " -DKIND=0 -DREAL=double", rows,
                 engine.lanes(norb), engine.local(), memory_of(c), memory_of(a[K::r]), cell_.numbers(),
                 out.value, out.gradient, out.laplacian, out.has, as_int(norb), count_of(c, 3, "c"),
                 count_of(c, 2, "c"), count_of(c, 1, "c"), as_int(rows));
  }

private:
  Cell cell_;
};

class BranchCL : public opencl::WithEngine<Engine, Branch> {
public:
  using WithEngine::WithEngine;
  void execute(const suite_array* a) {
    using K = Branch;
    const int64_t nwalker = a[K::from].extent[0];
    const std::vector<int32_t> from = engine.fetch<int32_t>(a[K::from], "from");
    check_branch(from.data(), nwalker, a[K::rele].extent[2]);
    for (const int which : {K::rele, K::dbar_up, K::dbar_dn, K::carry}) {
      const suite_array& array = a[which];
      if (!array.data) continue;
      const int64_t size = which == K::carry ? array.extent[0] : array.extent[0] * array.extent[1];
      engine.start(text::blips, "copy_slots", " -DKIND=0 -DREAL=double", nwalker, 1, engine.local(),
                   memory_of(a[K::from]), memory_of(array), static_cast<cl_ulong>(size), as_int(nwalker));
    }
  }
};

}  // namespace

extern const suite_kernel_table orbitals_blip_table, branch_table;
constexpr suite_kernel_table orbitals_blip_table =
    kernel_table<OrbitalsBlip, OrbitalsBlipCL>("opencl", "opencl");
constexpr suite_kernel_table branch_table = kernel_table<Branch, BranchCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
