// SPDX-License-Identifier: BSD-3-Clause
// lfd.kin_prop in OpenCL: the pairs of one part of one direction, in place.
#include "../splitting.hpp"
#include "kernels.hpp"

namespace suite::lfd::cl {
namespace {

class KinPropCL : public Plain<KinProp, parameter::d, parameter::p, parameter::mass_correction> {
public:
  KinPropCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain(b, q, p), d_(static_cast<int>(p[0])), part_(static_cast<Part>(p[1])), mass_correction_(p[2] != 0), tables_(engine) {}
  void execute(const suite_array* a) {
    const KinProp c(a);
    const Grid g = orbital_grid(c.psi, h.x);
    check_time_step(c.dt, g.h, g.n, mass_correction_);
    engine.set_single(is_single(c.psi.array()));
    if (g.n[d_] == 1) return;
    const Counts n(g);
    tables_.set(g, memory_of(c.k), nullptr, three(c.A, "A"), g.h, ones);
    const Rotation r = rotation(splitting_angle(c.dt, g.h[d_], mass_correction_), part_);
    on_orbitals("kin_prop", engine.orbital_shares(engine.vectors(n.norb), n.points / 2), memory_of(c.psi), tables_.bonds(), n.nx, n.ny,
                n.nz, n.norb, cl_int(d_), cl_int(part_ == Part::full), r.em.real(), r.em.imag());
  }

private:
  int d_;
  Part part_;
  bool mass_correction_;
  Tables tables_;
};

}  // namespace

extern const suite_kernel_table kin_prop_table;
constexpr suite_kernel_table kin_prop_table = kernel_table<KinProp, KinPropCL>("opencl", "opencl");

}  // namespace suite::lfd::cl
