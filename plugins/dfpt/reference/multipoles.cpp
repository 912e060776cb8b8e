// SPDX-License-Identifier: BSD-3-Clause
// dfpt.multipoles: each point adds its share to the components of its own atom's shell.
#include "kernels.hpp"

namespace suite::dfpt::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    using K = Multipoles;
    const int l_max = check_multipoles(arguments);
    const View<const double, 2> coords(arguments[K::coords]), atoms(arguments[K::atom_coords]),
        rho(arguments[K::rho]);
    const View<double, 4> f(arguments[K::rho_multipole]);
    std::fill_n(f.data(), f.extent(0) * f.extent(1) * f.extent(2) * f.extent(3), 0.0);
    for (int64_t p = 0; p < coords.extent(1); ++p) {
      const int64_t a = integers(arguments[K::point_atom])[p] - 1;
      const int64_t s = integers(arguments[K::point_shell])[p] - 1;
      const Way way = way_to(&coords(0, p), &atoms(0, a));
      const Harmonics h = harmonics_of(l_max, way, way.r == 0);
      for (int64_t d = 0; d < rho.extent(1); ++d)
        for (int64_t lm = 0; lm < f.extent(0); ++lm)
          f(lm, s, a, d) += numbers(arguments[K::projection_weight])[p] * rho(p, d) * h.Y[lm];
    }
  }
};

}  // namespace

extern const suite_kernel_table multipoles_table;
constexpr suite_kernel_table multipoles_table = kernel_table<Multipoles, Reference>("reference", "cpu");

}  // namespace suite::dfpt::reference
