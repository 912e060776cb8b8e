// SPDX-License-Identifier: BSD-3-Clause
// lfd.nlp_prop in OpenCL: Spheres::propagate() of spheres.hpp.
#include "kernels.hpp"

namespace suite::lfd::cl {
namespace {

class NlpPropCL : public Nonlocal<NlpProp, parameter::order> {
public:
  NlpPropCL(const suite_backend* b, suite_queue* q, const int64_t* p) : Nonlocal(b, q, p), descending_(p[0] != 0) {}
  void execute(const suite_array* a) {
    const NlpProp c(a);
    const Grid g = orbital_grid(c.psi, h.x);
    if (spheres.empty()) return;
    tables.set(g, memory_of(c.k), nullptr, three(c.A, "A"), g.h, ones);
    spheres.set_time(c.dt);
    spheres.propagate(memory_of(c.psi), nullptr, c.A || c.k, tables.waves(), descending_);
  }

private:
  bool descending_;
};

}  // namespace

extern const suite_kernel_table nlp_prop_table;
constexpr suite_kernel_table nlp_prop_table = kernel_table<NlpProp, NlpPropCL>("opencl", "opencl");

}  // namespace suite::lfd::cl
