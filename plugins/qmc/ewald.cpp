// SPDX-License-Identifier: BSD-3-Clause
#include "ewald.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "call.hpp"

namespace suite::qmc {

double ewald_reach(double tolerance) { return std::sqrt(-std::log(tolerance)) + 0.5; }

double ewald_reach_of_list(double tolerance) {
  double s = ewald_reach(tolerance);
  // erfc(s) = e^(-s^2)/(s pi^(1/2)) but for a part in 2 s^2.
  for (int step = 0; step < 4; ++step) s = std::sqrt(std::max(1.0, -std::log(tolerance * s * std::sqrt(std::numbers::pi))));
  return s;
}

double ewald_alpha_of(const EwaldAlpha& ewald_alpha, const Lattice& lattice, double alpha_L) {
  const double alpha = ewald_alpha.is_set() ? ewald_alpha : alpha_L / std::cbrt(lattice.volume);
  if (!(alpha > 0) || !std::isfinite(alpha))
    throw Failure(SUITE_INVALID_ARGUMENT, "ewald_alpha is " + text_of(alpha) + " bohr^-1; it must be positive");
  return alpha;
}

double ewald_tolerance_of(double tolerance) {
  if (!(tolerance >= 1e-16 && tolerance <= 1e-2))
    throw Failure(SUITE_INVALID_ARGUMENT, "ewald_tolerance is " + text_of(tolerance) + "; it must be from 1e-16 to 1e-2");
  return tolerance;
}

namespace {

EwaldSums sums_over(const Lattice& lattice, double alpha, double reach, std::vector<int32_t> n) {
  constexpr double pi = std::numbers::pi;
  EwaldSums sums;
  sums.alpha = alpha;
  sums.background = pi / (alpha * alpha * lattice.volume);
  sums.r_cut = reach / alpha;
  sums.n = std::move(n);
  const std::vector<int32_t> R = vectors_within(lattice.a, sums.r_cut + lattice.circumscribed_radius, false,
                                                ("ewald_alpha = " + text_of(alpha) + " bohr^-1: the sum over images").c_str());
  // The short-range sum of a single charge with its own images, and the constants.
  sums.xi = -2 * alpha / std::sqrt(pi) - sums.background;
  for (size_t i = 0; i < R.size(); i += 3) {
    double v[3];
    for (int d = 0; d < 3; ++d) v[d] = R[i] * lattice.a[0][d] + R[i + 1] * lattice.a[1][d] + R[i + 2] * lattice.a[2][d];
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

}  // namespace

EwaldSums ewald_sums(const Lattice& lattice, double alpha, double tolerance, Order order) {
  std::vector<int32_t> n = vectors_within(lattice.b, 2 * alpha * ewald_reach(tolerance), true,
                                          ("ewald_alpha = " + text_of(alpha) + " bohr^-1: the sum over G").c_str());
  if (order == Order::by_rows) n = in_rows(n);
  return sums_over(lattice, alpha, ewald_reach(tolerance), std::move(n));
}

EwaldSums ewald_sums_of_list(const Lattice& lattice, const EwaldAlpha& ewald_alpha, double tolerance, const int32_t* gvec, int64_t count) {
  check_vectors("gvec", gvec, count);
  std::vector<double> lengths;  // sorted
  for (int64_t i = 0; i < count; ++i) {
    double G[3];
    reciprocal_vector(lattice, gvec + 3 * i, G);
    lengths.push_back(std::hypot(G[0], G[1], G[2]));
  }
  std::sort(lengths.begin(), lengths.end());
  // All lengths up to the first one that a whole sphere of the list's size may leave out.
  double step = 0;
  for (const auto& b : lattice.b) step = std::max(step, std::hypot(b[0], b[1], b[2]));
  std::vector<double> all;
  const std::vector<int32_t> n = vectors_within(lattice.b, lengths.back() + step, true, "gvec");
  for (size_t i = 0; i < n.size(); i += 3) {
    double G[3];
    reciprocal_vector(lattice, &n[i], G);
    all.push_back(std::hypot(G[0], G[1], G[2]));
  }
  std::sort(all.begin(), all.end());
  const double reach = ewald_reach_of_list(tolerance), next = all[static_cast<size_t>(count)];
  const double alpha = ewald_alpha_of(ewald_alpha, lattice, next / (2 * reach) * std::cbrt(lattice.volume));
  // G of one length differ by rounding: none of those at the end counts as lacking.
  const double needed = ewald_alpha.is_set() ? 2 * alpha * reach * (1 - 1e-9) : lengths.back() * (1 + 1e-9);
  const auto within = [&](const std::vector<double>& sorted) {
    return static_cast<int64_t>(std::upper_bound(sorted.begin(), sorted.end(), needed) - sorted.begin());
  };
  const bool beyond = needed > lengths.back() + step;
  const int64_t wanted = beyond ? count + 1 : within(all);
  if (within(lengths) < wanted)
    throw Failure(SUITE_INVALID_ARGUMENT, "gvec has " + text_of(within(lengths)) + " of the " + text_of(wanted) +
                                              (beyond ? " or more" : "") + " vectors up to " + text_of(needed) +
                                              " bohr^-1; the sum over G needs all of them");
  return sums_over(lattice, alpha, reach, {gvec, gvec + 3 * count});
}

}  // namespace suite::qmc
