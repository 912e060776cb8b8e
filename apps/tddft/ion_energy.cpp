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

double along(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// visit(a, b, r, |r|) for all pairs within reach, r = R_a - R_b and its images; both orders of a pair.
template <class F> void for_near_pairs(const Vec3& lengths, const std::vector<PointCharge>& charges, double alpha, F&& visit) {
  std::array<int, 3> images;
  for (int d = 0; d < 3; ++d) images[d] = static_cast<int>(std::ceil(reach / (alpha * lengths[d]) + 0.5));
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
            const Vec3 apart{r[0] + x * lengths[0], r[1] + y * lengths[1], r[2] + z * lengths[2]};
            const double distance = std::hypot(apart[0], apart[1], apart[2]);
            if (alpha * distance < reach) visit(a, b, apart, distance);
          }
    }
}

double real_space(const Vec3& lengths, const std::vector<PointCharge>& charges, double alpha) {
  double sum = 0;
  for_near_pairs(lengths, charges, alpha, [&](size_t a, size_t b, const Vec3&, double distance) {
    sum += charges[a].charge * charges[b].charge * std::erfc(alpha * distance) / distance;
  });
  return sum / 2;
}

// visit(G, exp(-G^2/(4 alpha^2))/G^2, sum_a Z_a exp(-iG R_a)) for all G that count.
template <class F> void for_waves(const Vec3& lengths, const std::vector<PointCharge>& charges, double alpha, F&& visit) {
  Vec3 unit;
  std::array<int, 3> largest;
  for (int d = 0; d < 3; ++d) {
    unit[d] = 2 * pi / lengths[d];
    largest[d] = static_cast<int>(std::ceil(2 * alpha * reach / unit[d]));
  }
  for (int x = -largest[0]; x <= largest[0]; ++x)
    for (int y = -largest[1]; y <= largest[1]; ++y)
      for (int z = -largest[2]; z <= largest[2]; ++z) {
        const Vec3 g{x * unit[0], y * unit[1], z * unit[2]};
        const double g2 = g[0] * g[0] + g[1] * g[1] + g[2] * g[2], exponent = g2 / (4 * alpha * alpha);
        if (g2 == 0 || exponent > reach * reach) continue;
        std::complex<double> structure = 0;
        for (const PointCharge& c : charges) structure += std::polar(c.charge, -along(g, c.position));
        visit(g, std::exp(-exponent) / g2, structure);
      }
}

double volume_of(const Vec3& lengths) { return lengths[0] * lengths[1] * lengths[2]; }

double reciprocal_space(const Vec3& lengths, const std::vector<PointCharge>& charges, double alpha) {
  double sum = 0;
  for_waves(lengths, charges, alpha,
            [&](const Vec3&, double weight, const std::complex<double>& structure) { sum += weight * std::norm(structure); });
  return 2 * pi / volume_of(lengths) * sum;
}

// Balances the numbers of terms in the two sums for a cube.
double balanced_alpha(const Vec3& lengths) { return std::sqrt(pi) / std::cbrt(volume_of(lengths)); }

std::vector<PointCharge> charges_of(const System& system) {
  std::vector<PointCharge> charges;
  for (const Atom& atom : system.atoms) charges.push_back({pseudopotential(system, atom).charge, atom.position});
  if (system.sphere) charges.push_back({system.sphere->charge, {}});
  return charges;
}

Vec3 lengths_of(const System& system) { return {system.grid.length(0), system.grid.length(1), system.grid.length(2)}; }

}  // namespace

double ewald_energy(const Vec3& lengths, const std::vector<PointCharge>& charges) {
  const double volume = volume_of(lengths), alpha = balanced_alpha(lengths);
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
  const std::vector<PointCharge> charges = charges_of(system);
  double energy = 0;
  if (periodic && !charges.empty()) energy = ewald_energy(lengths_of(system), charges);
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

std::vector<Vec3> ewald_forces(const Vec3& lengths, const std::vector<PointCharge>& charges) {
  const double alpha = balanced_alpha(lengths);
  std::vector<Vec3> forces(charges.size(), Vec3{});
  // Half of each pair's energy stands in the visits (a, b) and (b, a) each: the whole of it moves a.
  for_near_pairs(lengths, charges, alpha, [&](size_t a, size_t b, const Vec3& r, double distance) {
    const double x = alpha * distance;
    const double over_r = charges[a].charge * charges[b].charge * (std::erfc(x) / distance + 2 * alpha / std::sqrt(pi) * std::exp(-x * x)) /
                          (distance * distance);
    for (size_t d = 0; d < 3; ++d) forces[a][d] += over_r * r[d];
  });
  const double factor = 4 * pi / volume_of(lengths);
  for_waves(lengths, charges, alpha, [&](const Vec3& g, double weight, const std::complex<double>& structure) {
    for (size_t a = 0; a < charges.size(); ++a) {
      const std::complex<double> own = std::polar(charges[a].charge, -along(g, charges[a].position));
      const double slope = -factor * weight * std::imag(std::conj(structure) * own);
      for (size_t d = 0; d < 3; ++d) forces[a][d] += slope * g[d];
    }
  });
  return forces;
}

std::vector<Vec3> coulomb_forces(const std::vector<PointCharge>& charges) {
  std::vector<Vec3> forces(charges.size(), Vec3{});
  for (size_t a = 0; a < charges.size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      Vec3 r;
      for (size_t d = 0; d < 3; ++d) r[d] = charges[a].position[d] - charges[b].position[d];
      const double distance = std::hypot(r[0], r[1], r[2]);
      const double over_r = charges[a].charge * charges[b].charge / (distance * distance * distance);
      for (size_t d = 0; d < 3; ++d) forces[a][d] += over_r * r[d], forces[b][d] -= over_r * r[d];
    }
  return forces;
}

std::vector<Vec3> ion_forces(const System& system) {
  const std::vector<PointCharge> charges = charges_of(system);
  if (charges.empty()) return {};
  std::vector<Vec3> forces = system.boundary == Boundary::periodic ? ewald_forces(lengths_of(system), charges) : coulomb_forces(charges);
  forces.resize(system.atoms.size());
  return forces;
}

}  // namespace suite::tddft
