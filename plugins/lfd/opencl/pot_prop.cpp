// SPDX-License-Identifier: BSD-3-Clause
// lfd.pot_prop in OpenCL: each row of orbitals times the phase of its point.
#include "kernels.hpp"

namespace suite::lfd::cl {
namespace {

class PotPropCL : public Plain<PotProp> {
public:
  using Plain::Plain;
  void execute(const suite_array* a) {
    const PotProp c(a);
    check_precision("psi", c.psi, "u", c.u);
    const Counts n(orbital_grid(c.psi));
    engine.set_single(is_single(c.psi.array()));
    on_orbitals("pot_prop", engine.orbital_shares(engine.vectors(n.norb), n.points), memory_of(c.psi), memory_of(c.u), n.nx, n.ny, n.nz,
                n.norb);
  }
};

}  // namespace

extern const suite_kernel_table pot_prop_table;
constexpr suite_kernel_table pot_prop_table = kernel_table<PotProp, PotPropCL>("opencl", "opencl");

}  // namespace suite::lfd::cl
