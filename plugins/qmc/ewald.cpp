// SPDX-License-Identifier: BSD-3-Clause
#include "ewald.hpp"

#include <cmath>
#include <numbers>

#include "text.hpp"

namespace suite::qmc {

double ewald_reach(double tolerance) { return std::sqrt(-std::log(tolerance)) + 0.5; }

double ewald_alpha_of(const suite_array& ewald_alpha, const Lattice& lattice, double alpha_L) {
  const double alpha = scalar_or(ewald_alpha, alpha_L / std::cbrt(lattice.volume));
  if (!(alpha > 0) || !std::isfinite(alpha))
    throw Failure(SUITE_INVALID_ARGUMENT,
                  "ewald_alpha is " + text_of(alpha) + " bohr^-1; it must be positive");
  return alpha;
}

double ewald_tolerance_of(const suite_array& ewald_tolerance) {
  const double tolerance = scalar_or(ewald_tolerance, 1e-12);
  if (!(tolerance >= 1e-16 && tolerance <= 1e-2))
    throw Failure(SUITE_INVALID_ARGUMENT,
                  "ewald_tolerance is " + text_of(tolerance) + "; it must be from 1e-16 to 1e-2");
  return tolerance;
}

EwaldSums ewald_sums(const Lattice& lattice, double alpha, double tolerance) {
  constexpr double pi = std::numbers::pi;
  const double s = ewald_reach(tolerance);
  EwaldSums sums;
  sums.alpha = alpha;
  sums.background = pi / (alpha * alpha * lattice.volume);
  sums.r_cut = s / alpha;
  const std::string which = "ewald_alpha = " + text_of(alpha) + " bohr^-1";
  const std::vector<int32_t> R = vectors_within(lattice.a, sums.r_cut + lattice.circumscribed_radius, false,
                                                (which + ": the sum over images").c_str());
  sums.n = vectors_within(lattice.b, 2 * alpha * s, true, (which + ": the sum over G").c_str());
  // The short-range sum of a single charge with its own images, and the constants.
  sums.xi = -2 * alpha / std::sqrt(pi) - sums.background;
  for (size_t i = 0; i < R.size(); i += 3) {
    double v[3];
    for (int d = 0; d < 3; ++d)
      v[d] = R[i] * lattice.a[0][d] + R[i + 1] * lattice.a[1][d] + R[i + 2] * lattice.a[2][d];
    sums.images.insert(sums.images.end(), v, v + 3);
    const double length = std::hypot(v[0], v[1], v[2]);
    if (length > 0) sums.xi += std::erfc(alpha * length) / length;
  }
  for (size_t i = 0; i < sums.n.size(); i += 3) {
    double G[3];
    reciprocal_vector(lattice, &sums.n[i], G);
    const double square = G[0] * G[0] + G[1] * G[1] + G[2] * G[2];
    sums.G.insert(sums.G.end(), G, G + 3);
    sums.weight.push_back(8 * pi / lattice.volume * std::exp(-square / (4 * alpha * alpha)) / square);
    sums.xi += sums.weight.back();
  }
  return sums;
}

}  // namespace suite::qmc
