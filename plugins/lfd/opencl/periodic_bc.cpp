// SPDX-License-Identifier: BSD-3-Clause
// lfd.periodic_bc in OpenCL: the faces of one direction after the other.
#include "kernels.hpp"

namespace suite::lfd::cl {
namespace {

class PeriodicBcCL : public Plain<PeriodicBc> {
public:
  using Plain::Plain;
  void execute(const suite_array* a) {
    const PeriodicBc c(a);
    Grid g;
    g.norb = c.psi.extent(0);
    for (int d = 0; d < 3; ++d) g.n[d] = c.psi.extent(3 - d) - 2;
    if (g.n[0] < 1 || g.n[1] < 1 || g.n[2] < 1) return;
    const Counts n(g);
    engine.set_single(is_single(c.psi.array()));
    for (int d = 0; d < 3; ++d)
      on_orbitals("ghosts", engine.orbital_shares(n.norb, n.points / g.n[d]), memory_of(c.psi), n.nx, n.ny, n.nz, n.norb, cl_int(d));
  }
};

}  // namespace

extern const suite_kernel_table periodic_bc_table;
constexpr suite_kernel_table periodic_bc_table = kernel_table<PeriodicBc, PeriodicBcCL>("opencl", "opencl");

}  // namespace suite::lfd::cl
