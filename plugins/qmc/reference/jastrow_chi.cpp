// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_chi. With r the distance from ion I to i and e its direction:  grad_i chi = chi' e,  lap_i chi = chi'' + 2 chi'/r.
#include "../chi.hpp"
#include "kernels.hpp"

namespace suite::qmc::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const JastrowChi c(arguments);
    Lattice lattice;
    if (c.cell) lattice = lattice_of(c.cell.data());
    const Lattice* const cell = c.cell ? &lattice : nullptr;
    const Electrons electrons = electrons_of(c.rele, c.nele.data());
    const ChiTerm chi = chi_term(c, cell, [](const auto& from, const char*, auto& to) { to = copy_of(from); });
    const Moved moved = moved_of(c, c.npos());
    for (int64_t w = 0; w < electrons.nwalker; ++w)
      for (int64_t m = 0; m < moved.npos; ++m) {
        const Place place = place_of(moved, c, m, w);
        const int spin = electrons.spin(place.i);
        const auto sum_over_ions = [&](const auto& function) {
          Local sum;
          for (int64_t ion = 0; ion < c.nion(); ++ion) {
            const int set = chi.set_of_ion[static_cast<size_t>(ion)];
            Vector r = difference(place.at, &c.rion(0, ion));
            if (cell) closest_image(lattice.images, r.x[0], r.x[1], r.x[2]);
            const double distance = std::sqrt(dot(r, r));
            if (set >= 0 && distance < chi.L[static_cast<size_t>(set)]) sum += at_distance(function(set, distance), distance, r);
          }
          return sum;
        };
        put(c, m, w, sum_over_ions([&](int set, double r) {
              return polynomial_u(chi.coefficients(spin, set), chi.nbeta, chi.L[static_cast<size_t>(set)], chi.C, r);
            }));
        for (int64_t l = 0; l < chi.nbeta && has_derivatives(c); ++l)
          for (int of_spin = 0; of_spin < chi.nspin; ++of_spin)
            for (int of_set = 0; of_set < chi.nset; ++of_set) {
              const bool mine = chi.of_spin(spin) == of_spin;
              put_derivative(
                  c, l, of_spin, of_set, m, w, sum_over_ions([&](int set, double r) {
                    return mine && set == of_set ? polynomial_basis(l, chi.L[static_cast<size_t>(set)], chi.C, r) : Radial{0, 0, 0};
                  }));
            }
      }
  }

private:
  static Local at_distance(const Radial& f, double distance, const Vector& r) {
    const double slope = distance > 0 ? f.first / distance : f.second;
    Local local;
    local.value = f.value;
    local.laplacian = f.second + 2 * slope;
    for (int d = 0; d < 3; ++d) local.gradient.x[d] = slope * r.x[d];
    return local;
  }
  static void put_derivative(const JastrowChi& c, int64_t l, int spin, int set, int64_t m, int64_t w, const Local& local) {
    if (c.dvalue) c.dvalue(l, spin, set, m, w) = local.value;
    if (c.dlaplacian) c.dlaplacian(l, spin, set, m, w) = local.laplacian;
    for (int d = 0; d < 3 && c.dgradient; ++d) c.dgradient(d, l, spin, set, m, w) = local.gradient.x[d];
  }
};

}  // namespace

extern const suite_kernel_table jastrow_chi_table;
constexpr suite_kernel_table jastrow_chi_table = kernel_table<JastrowChi, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
