// SPDX-License-Identifier: BSD-3-Clause
// qmc.ewald: both sums for every pair.
#include <numbers>

#include "kernels.hpp"

namespace suite::qmc::reference {

EwaldSums sums_of(const Lattice& lattice, const EwaldAlpha& ewald_alpha, double ewald_tolerance) {
  constexpr double alpha_L = 2.8;  // about as many terms here as there
  return ewald_sums(lattice, ewald_alpha_of(ewald_alpha, lattice, alpha_L), ewald_tolerance_of(ewald_tolerance));
}

double ewald_potential(const Lattice& lattice, const EwaldSums& sums, const Vector& r, Vector* field) {
  const double alpha = sums.alpha, two_alpha_by_root_pi = 2 * alpha / std::sqrt(std::numbers::pi);
  double v = -sums.background;
  Vector from_lattice_point = r;
  closest_image(lattice.images, from_lattice_point.x[0], from_lattice_point.x[1], from_lattice_point.x[2]);
  for (int64_t i = 0; i < sums.image_count(); ++i) {
    const Vector d = difference(from_lattice_point.x, &sums.images[static_cast<size_t>(3 * i)]);
    const double x = std::sqrt(dot(d, d)), screened = std::erfc(alpha * x) / x;
    v += screened;
    if (!field) continue;
    const double slope = (screened + two_alpha_by_root_pi * std::exp(-alpha * alpha * x * x)) / (x * x);
    for (int c = 0; c < 3; ++c) field->x[c] += slope * d.x[c];
  }
  for (int64_t g = 0; g < sums.g_count(); ++g) {
    const Vector G = vector_at(&sums.G[static_cast<size_t>(3 * g)]);
    const double weight = sums.weight[static_cast<size_t>(g)], phase = dot(G, r);
    v += weight * std::cos(phase);
    if (field)
      for (int c = 0; c < 3; ++c) field->x[c] += weight * std::sin(phase) * G.x[c];
  }
  return v;
}

double ewald_total(const Lattice& lattice, const EwaldSums& sums, int64_t n, const double* charge, const double* rele) {
  double total = 0;
  for (int64_t i = 0; i < n; ++i) {
    total += 0.5 * charge[i] * charge[i] * sums.xi;
    for (int64_t j = 0; j < i; ++j)
      total += charge[i] * charge[j] * ewald_potential(lattice, sums, difference(rele + 3 * i, rele + 3 * j), nullptr);
  }
  return total;
}

namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const Ewald c(arguments);
    const Moved moved = check_ewald(c);
    const Lattice lattice = lattice_of(c.cell.data());
    const EwaldSums sums = sums_of(lattice, c.ewald_alpha, c.ewald_tolerance);
    // Pairs do not need it, but it is refused as it is elsewhere.
    if (c.gvec) ewald_sums_of_list(lattice, c.ewald_alpha, ewald_tolerance_of(c.ewald_tolerance), c.gvec.data(), c.gvec.extent(1));
    for (int64_t w = 0; w < c.nwalker(); ++w) {
      if (c.total) c.total(w) = ewald_total(lattice, sums, c.netot(), c.charge.data(), &c.rele(0, 0, w));
      if (!c.energy && !c.field) continue;
      for (int64_t m = 0; m < moved.npos; ++m) {
        const Place p = place_of(moved, c, m, w);
        const double q = c.charge(p.i);
        double energy = q * q * sums.xi;
        Vector field;
        for (int64_t j = 0; j < c.netot(); ++j) {
          if (j == p.i) continue;
          Vector minus_gradient;
          energy += q * c.charge(j) * ewald_potential(lattice, sums, difference(p.at, p.rele + 3 * j), &minus_gradient);
          for (int d = 0; d < 3; ++d) field.x[d] += c.charge(j) * minus_gradient.x[d];
        }
        if (c.energy) c.energy(m, w) = energy;
        for (int d = 0; d < 3 && c.field; ++d) c.field(d, m, w) = field.x[d];
      }
    }
  }
};

}  // namespace

extern const suite_kernel_table ewald_table;
constexpr suite_kernel_table ewald_table = kernel_table<Ewald, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
