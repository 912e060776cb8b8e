// SPDX-License-Identifier: BSD-3-Clause
// lfd.compute_rho: rho(r) = sum_n f_n |psi_n(r)|^2; its integral is the number of electrons.
#include "kernels.hpp"

namespace suite::lfd::reference {

Field compute_rho(const Orbitals& psi, const Grid& g, const double* f) {
  Field rho(static_cast<size_t>(g.points()));
  for (int64_t i = 0; i < g.points(); ++i)
    for (int64_t n = 0; n < g.norb; ++n) rho[i] += f[n] * std::norm(psi[n + g.norb * i]);
  return rho;
}

namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* arguments) {
    const ComputeRho c(arguments);
    check_precision("psi", c.psi, "rho", c.rho);
    const Grid g = orbital_grid(c.psi);
    write(compute_rho(read_orbitals(c.psi), g, c.f.data()), c.rho);
  }
};

}  // namespace

extern const suite_kernel_table compute_rho_table;
constexpr suite_kernel_table compute_rho_table = kernel_table<ComputeRho, Reference>("reference", "cpu");

}  // namespace suite::lfd::reference
