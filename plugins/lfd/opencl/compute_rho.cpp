// SPDX-License-Identifier: BSD-3-Clause
// lfd.compute_rho in OpenCL: the rows of all orbitals.
#include "kernels.hpp"

namespace suite::lfd::cl {
namespace {

class ComputeRhoCL : public Plain<ComputeRho> {
public:
  ComputeRhoCL(const suite_backend* b, suite_queue* q, const int64_t* p) : Plain(b, q, p), tables_(engine) {}
  void execute(const suite_array* a) {
    const ComputeRho c(a);
    check_precision("psi", c.psi, "rho", c.rho);
    const Grid g = orbital_grid(c.psi);
    const Counts n(g);
    engine.set_single(is_single(c.psi.array()));
    tables_.set(g, nullptr, memory_of(c.f), {}, ones, ones);
    opencl::Range range = engine.orbital_shares(1, n.points);
    if (!engine.coarse()) range = {{1, range.global[1], 1}, {1, 1, 1}};
    on_orbitals("density", range, memory_of(c.psi), tables_.f_double(), memory_of(c.rho), n.nx, n.ny, n.nz, n.norb);
  }

private:
  Tables tables_;
};

}  // namespace

extern const suite_kernel_table compute_rho_table;
constexpr suite_kernel_table compute_rho_table = kernel_table<ComputeRho, ComputeRhoCL>("opencl", "opencl");

}  // namespace suite::lfd::cl
