// SPDX-License-Identifier: BSD-3-Clause
#include "coulomb.hpp"

#include <numbers>

namespace suite::qmc {

double fastest_alpha(const Lattice& lattice, int64_t charges, double tolerance) {
  // In cycles, from measurements: an image of 8 pairs, a sum over 8 electrons, the end of a sum.
  constexpr double image = 45, wave = 2, end = 30;
  const double n = static_cast<double>(charges), reach = ewald_reach(tolerance);
  const auto within = [&](double radius) { return 4.19 * radius * radius * radius / lattice.volume; };
  double best = 0, least = HUGE_VAL;
  for (const double factor : {1.0, 1.5, 2.0, 2.5, 3.0}) {
    const double r_cut = factor * lattice.inscribed_radius, alpha = reach / r_cut, G = 2 * alpha * reach;
    const double waves = G * G * G * lattice.volume / (12 * std::numbers::pi * std::numbers::pi);
    const double images = factor == 1 ? 1 : std::max(1.0, within(r_cut + 0.7 * lattice.circumscribed_radius));
    const double cycles = n * n / 16 * (20 + image * images) + waves / 2 * (n / 8 * wave + end);
    if (cycles < least) {
      least = cycles;
      best = alpha;
    }
  }
  return best * std::cbrt(lattice.volume);
}

Coulomb::Coulomb(const Lattice& lattice, const EwaldSums& sums)
    : sums_(sums),
      waves_(lattice, sums.n.data(), sums.g_count()),
      rule_(lattice.images),
      frame_(lattice.images) {
  // Inside the inscribed sphere a vector is its own closest image.
  const bool closest_only = sums.r_cut <= lattice.inscribed_radius * (1 + 1e-12);
  for (int64_t m = 0; m < (closest_only ? 1 : sums.image_count()); ++m) {
    double f[3];
    frame_.into(&sums.images[static_cast<size_t>(3 * m)], f);
    images_.insert(images_.end(), f, f + 3);
  }
}

double Coulomb::reciprocal(const double* rele, const double* charge, int64_t n, double* memory) const {
  waves_.structure_factor(rele, charge, n, memory, memory + 2 * waves_.count());
  double squares = 0, total = 0;
  for (int64_t j = 0; j < n; ++j) squares += charge[j] * charge[j];
#pragma omp simd reduction(+ : total)
  for (int64_t g = 0; g < waves_.count(); ++g)
    total += sums_.weight[static_cast<size_t>(g)] *
             (memory[2 * g] * memory[2 * g] + memory[2 * g + 1] * memory[2 * g + 1] - squares);
  return total / 2;
}

double Coulomb::constants(const double* charge, int64_t n) const {
  double squares = 0, all = 0;
  for (int64_t j = 0; j < n; ++j) {
    squares += charge[j] * charge[j];
    all += charge[j];
  }
  return (sums_.xi * squares - sums_.background * (all * all - squares)) / 2;
}

}  // namespace suite::qmc
