// SPDX-License-Identifier: BSD-3-Clause
// dfpt.multipoles: each point adds its share to the components of its own atom's shell.
#include "kernels.hpp"

namespace suite::dfpt::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const Multipoles c(arguments);
    const int l_max = check_multipoles(c);
    std::fill_n(c.rho_multipole.data(), c.n_lm() * c.n_radial() * c.n_atoms() * c.n_dir(), 0.0);
    for (int64_t p = 0; p < c.n_points(); ++p) {
      const int64_t a = c.point_atom(p) - 1, s = c.point_shell(p) - 1;
      const Displacement displacement = displacement_to(&c.coords(0, p), &c.atom_coords(0, a));
      const Harmonics h = harmonics_of(l_max, displacement, displacement.r == 0);
      for (int64_t d = 0; d < c.n_dir(); ++d)
        for (int64_t lm = 0; lm < c.n_lm(); ++lm) c.rho_multipole(lm, s, a, d) += c.projection_weight(p) * c.rho(p, d) * h.Y[lm];
    }
  }
};

}  // namespace

extern const suite_kernel_table multipoles_table;
constexpr suite_kernel_table multipoles_table = kernel_table<Multipoles, Reference>("reference", "cpu");

}  // namespace suite::dfpt::reference
