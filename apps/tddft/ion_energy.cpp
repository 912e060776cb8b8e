// SPDX-License-Identifier: BSD-3-Clause
// Ewald: each point charge is screened by a Gaussian of inverse width alpha, and the Gaussians are summed in reciprocal space,
//   E = 1/2 sum' Z_a Z_b erfc(alpha r)/r + (2 pi/V) sum_{G != 0} exp(-G^2/(4 alpha^2))/G^2 |sum_a Z_a exp(-iG R_a)|^2
//       - alpha/sqrt(pi) sum_a Z_a^2 - pi/(2 V alpha^2) (sum_a Z_a)^2
// The last term is that of a homogeneous background.
#include "ion_energy.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "pseudopotential.hpp"

namespace suite::tddft {

namespace {

using std::numbers::pi;

// erfc(6.2) and exp(-6.2^2) are below 2e-17.
constexpr double reach = 6.2;

double real_space(const Vec3& lengths, const std::vector<PointCharge>& charges, double alpha) {
  std::array<int, 3> images;
  for (int d = 0; d < 3; ++d) images[d] = static_cast<int>(std::ceil(reach / (alpha * lengths[d]) + 0.5));
  double sum = 0;
  for (size_t a = 0; a < charges.size(); ++a)
    for (size_t b = 0; b < charges.size(); ++b) {
      Vec3 r;
      for (int d = 0; d < 3; ++d) {
        r[d] = charges[a].position[d] - charges[b].position[d];
        r[d] -= lengths[d] * std::round(r[d] / lengths[d]);
      }
      for (int x = -images[0]; x <= images[0]; ++x)
        for (int y = -images[1]; y <= images[1]; ++y)
          for (int z = -images[2]; z <= images[2]; ++z) {
            if (a == b && x == 0 && y == 0 && z == 0) continue;
            const double distance = std::hypot(r[0] + x * lengths[0], r[1] + y * lengths[1], r[2] + z * lengths[2]);
            if (alpha * distance < reach) sum += charges[a].charge * charges[b].charge * std::erfc(alpha * distance) / distance;
          }
    }
  return sum / 2;
}

double reciprocal_space(const Vec3& lengths, const std::vector<PointCharge>& charges, double alpha) {
  Vec3 unit;
  std::array<int, 3> largest;
  for (int d = 0; d < 3; ++d) {
    unit[d] = 2 * pi / lengths[d];
    largest[d] = static_cast<int>(std::ceil(2 * alpha * reach / unit[d]));
  }
  double sum = 0;
  for (int x = -largest[0]; x <= largest[0]; ++x)
    for (int y = -largest[1]; y <= largest[1]; ++y)
      for (int z = -largest[2]; z <= largest[2]; ++z) {
        const Vec3 g{x * unit[0], y * unit[1], z * unit[2]};
        const double g2 = g[0] * g[0] + g[1] * g[1] + g[2] * g[2], exponent = g2 / (4 * alpha * alpha);
        if (g2 == 0 || exponent > reach * reach) continue;
        std::complex<double> structure = 0;
        for (const PointCharge& c : charges)
          structure += std::polar(c.charge, -(g[0] * c.position[0] + g[1] * c.position[1] + g[2] * c.position[2]));
        sum += std::exp(-exponent) / g2 * std::norm(structure);
      }
  return 2 * pi / (lengths[0] * lengths[1] * lengths[2]) * sum;
}

}  // namespace

double ewald_energy(const Vec3& lengths, const std::vector<PointCharge>& charges) {
  const double volume = lengths[0] * lengths[1] * lengths[2];
  // Balances the numbers of terms in the two sums for a cube.
  const double alpha = std::sqrt(pi) / std::cbrt(volume);
  double total = 0, squares = 0;
  for (const PointCharge& c : charges) {
    total += c.charge;
    squares += c.charge * c.charge;
  }
  return real_space(lengths, charges, alpha) + reciprocal_space(lengths, charges, alpha) - alpha / std::sqrt(pi) * squares -
         pi / (2 * volume * alpha * alpha) * total * total;
}

double coulomb_energy(const std::vector<PointCharge>& charges) {
  double sum = 0;
  for (size_t a = 0; a < charges.size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      const Vec3 &r = charges[a].position, &s = charges[b].position;
      sum += charges[a].charge * charges[b].charge / std::hypot(r[0] - s[0], r[1] - s[1], r[2] - s[2]);
    }
  return sum;
}

double ion_energy(const System& system) {
  const bool periodic = system.boundary == Boundary::periodic;
  std::vector<PointCharge> charges;
  for (const Atom& atom : system.atoms) charges.push_back({double(pseudopotential(atom.element).charge), atom.position});
  if (system.sphere) charges.push_back({system.sphere->charge, {}});
  double energy = 0;
  if (periodic && !charges.empty()) energy = ewald_energy({system.grid.length(0), system.grid.length(1), system.grid.length(2)}, charges);
  if (!periodic) energy = coulomb_energy(charges);
  if (system.sphere) {
    // The sphere's Coulomb self-energy; in a crystal its potential, and that of its images with their background, also differs from that of
    // a point charge by constants due to <r^2> = 3 R^2/5.
    const double charge = system.sphere->charge, radius = system.sphere->radius();
    energy += 0.6 * charge * charge / radius;
    if (periodic) energy += 0.4 * pi * charge * charge * radius * radius / system.grid.volume();
  }
  return energy;
}

}  // namespace suite::tddft
