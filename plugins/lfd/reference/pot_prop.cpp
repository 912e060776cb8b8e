// SPDX-License-Identifier: BSD-3-Clause
// lfd.pot_prop: psi_n(r) times u(r).
#include "kernels.hpp"

namespace suite::lfd::reference {

void pot_prop(Orbitals& psi, const Grid& g, const std::vector<Complex>& u) {
  for (int64_t i = 0; i < g.points(); ++i)
    for (int64_t n = 0; n < g.norb; ++n) psi[n + g.norb * i] *= u[i];
}

namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* arguments) {
    const PotProp c(arguments);
    const Grid g = orbital_grid(c.psi);
    Orbitals psi = read_orbitals(c.psi);
    pot_prop(psi, g, read_orbitals(c.u));
    write(psi, c.psi);
  }
};

}  // namespace

extern const suite_kernel_table pot_prop_table;
constexpr suite_kernel_table pot_prop_table = kernel_table<PotProp, Reference>("reference", "cpu");

}  // namespace suite::lfd::reference
