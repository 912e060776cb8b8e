// SPDX-License-Identifier: BSD-3-Clause
#include "coulomb.hpp"

#include <numbers>

namespace suite::qmc {

double fastest_alpha(const Lattice& lattice, int64_t charges, double tolerance, int64_t npos) {
  // In cycles, from measurements: an image of 8 pairs, a sum over 8 electrons, the end of a sum.
  constexpr double image = 45, wave = 2, end = 30;
  const double n = static_cast<double>(charges), reach = ewald_reach(tolerance);
  const auto within = [&](double radius) { return 4.19 * radius * radius * radius / lattice.volume; };
  double best = 0, least = HUGE_VAL;
  const double pairs = npos > 0 ? n * static_cast<double>(npos) : n * n / 2;
  for (const double factor : {1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0}) {
    const double r_cut = factor * lattice.inscribed_radius, alpha = reach / r_cut, G = 2 * alpha * reach;
    const double waves = G * G * G * lattice.volume / (12 * std::numbers::pi * std::numbers::pi);
    const double images = factor == 1 ? 1 : std::max(1.0, within(r_cut + 0.7 * lattice.circumscribed_radius));
    const double cycles = pairs / 8 * (20 + image * images) + waves / 2 * (n / 8 * wave + end);
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
      frame_(lattice.images),
      screened_(sums.alpha, sums.alpha * sums.r_cut, frame_.unit) {
  // Inside the inscribed sphere a vector is its own closest image.
  const bool closest_only = sums.r_cut <= lattice.inscribed_radius * (1 + 1e-12);
  for (int64_t m = 0; m < (closest_only ? 1 : sums.image_count()); ++m) {
    double f[3];
    frame_.into(&sums.images[static_cast<size_t>(3 * m)], f);
    images_.insert(images_.end(), f, f + 3);
  }
}

void Coulomb::prepare_own(const Lattice& lattice, double tolerance) {
  constexpr double alpha_L = 3.2;
  own_sums_ = ewald_sums(lattice, alpha_L / std::cbrt(lattice.volume), tolerance, Order::by_rows);
  own_rows_ = WaveRows(WaveList(lattice, own_sums_.n.data(), own_sums_.g_count()), own_sums_.weight.data());
  const int64_t count = own_sums_.image_count() - 1, capacity = padded(count);
  own_images_.assign(static_cast<size_t>(3 * capacity), 1e3 * own_sums_.r_cut);
  for (int64_t m = 0; m < count; ++m)
    for (int d = 0; d < 3; ++d) own_images_[d * capacity + m] = own_sums_.images[3 * (m + 1) + d];
}

double Coulomb::own(const Lattice& lattice, const double* d, double* memory) const {
  const double alpha = sums_.alpha, far = own_sums_.alpha;
  double x = d[0], y = d[1], z = d[2];
  closest_image(lattice.images, x, y, z);
  own_rows_.tabulate(d, memory);
  double value = own_rows_.sum(memory) + sums_.background - own_sums_.background;
  // erfc(far r)/r - erfc(alpha r)/r, at 0 the limit.
  const double r = std::sqrt(x * x + y * y + z * z);
  value += r > 0 ? (std::erf(alpha * r) - std::erf(far * r)) / r : 2 * (alpha - far) * std::numbers::inv_sqrtpi;
  const int64_t capacity = std::ssize(own_images_) / 3;
  Vector others{};
  for (int64_t m = 0; m < capacity; m += lanes) {
    const Vector u = x - load(&own_images_[m]), v = y - load(&own_images_[capacity + m]), w = z - load(&own_images_[2 * capacity + m]),
                 distance = root(u * u + v * v + w * w);
    const auto add = [&](double range, double reach, double sign) {
      const Mask inside = distance < reach;
      if (!any(inside)) return;
      const Vector s = short_range<false>(inside ? distance : fill(0.5 * reach), range).value;
      others += inside ? s * sign : Vector{};
    };
    add(far, own_sums_.r_cut, 1);
    add(alpha, sums_.r_cut, -1);
  }
  return value + sum(others);
}

double Coulomb::reciprocal(const double* rele, const double* charge, int64_t n, double* memory) const {
  waves_.structure_factor(rele, charge, n, memory, memory + 2 * waves_.count());
  return reciprocal(memory, charge, n);
}

double Coulomb::reciprocal(const double* rho, const double* charge, int64_t n) const {
  double squares = 0, total = 0;
  for (int64_t j = 0; j < n; ++j) squares += charge[j] * charge[j];
#pragma omp simd reduction(+ : total)
  for (int64_t g = 0; g < waves_.count(); ++g)
    total += sums_.weight[static_cast<size_t>(g)] * (rho[2 * g] * rho[2 * g] + rho[2 * g + 1] * rho[2 * g + 1] - squares);
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
