// SPDX-License-Identifier: BSD-3-Clause
#include "coulomb.hpp"

#include <cmath>
#include <complex>
#include <numbers>

#include <suite/qmc/lattice.hpp>
#include "molecule/molecule.hpp"
#include "walkers.hpp"

namespace suite::vmc {
namespace {

constexpr int64_t most_electrons_of_sample = 1000;
constexpr double pi = std::numbers::pi;
constexpr double reach = 5.3;  // exp(-reach^2) is 6e-13: each sum truncates less than that fraction of a pair's energy

// Wraps r into the parallelepiped around 0.
void wrap(const qmc::Lattice& lattice, double (&r)[3]) {
  for (size_t i = 0; i < 3; ++i) {
    const double fraction = (r[0] * lattice.b[i][0] + r[1] * lattice.b[i][1] + r[2] * lattice.b[i][2]) / (2 * pi);
    for (size_t d = 0; d < 3; ++d) r[d] -= std::rint(fraction) * lattice.a[i][d];
  }
}

// sum_R erfc(alpha |r + R|)/|r + R|, without the term of r + R = 0.
class ShortRange {
public:
  ShortRange(const qmc::Lattice& lattice, double alpha) : alpha_(alpha), cut_(reach / alpha) {
    double corner = 0;  // largest distance of a point of the parallelepiped from 0
    for (const auto& a : lattice.a) corner += std::hypot(a[0], a[1], a[2]) / 2;
    const auto n = qmc::vectors_within(lattice.a, cut_ + corner, false, "the Coulomb energy: the sum over images");
    for (size_t i = 0; i < n.size(); i += 3)
      for (size_t d = 0; d < 3; ++d) images_.push_back(n[i] * lattice.a[0][d] + n[i + 1] * lattice.a[1][d] + n[i + 2] * lattice.a[2][d]);
  }

  double operator()(const double (&r)[3]) const {
    double sum = 0;
    for (size_t i = 0; i < images_.size(); i += 3) {
      const double x = r[0] + images_[i], y = r[1] + images_[i + 1], z = r[2] + images_[i + 2];
      const double square = x * x + y * y + z * z;
      if (square > cut_ * cut_ || square == 0) continue;
      const double distance = std::sqrt(square);
      sum += std::erfc(alpha_ * distance) / distance;
    }
    return sum;
  }

private:
  double alpha_, cut_;
  std::vector<double> images_;
};

// sum_{G /= 0} 2 pi/(V G^2) exp(-G^2/4 alpha^2) |sum_i q_i exp(i G.r_i)|^2.
double long_range(const qmc::Lattice& lattice, double alpha, std::span<const double> r, std::span<const double> charge) {
  const auto n = qmc::vectors_within(lattice.b, 2 * alpha * reach, true, "the Coulomb energy: the sum over G");
  double sum = 0;
  for (size_t g = 0; g < n.size(); g += 3) {
    double G[3];
    qmc::reciprocal_vector(lattice, &n[g], G);
    const double square = G[0] * G[0] + G[1] * G[1] + G[2] * G[2];
    std::complex<double> rho = 0;
    for (size_t i = 0; i < charge.size(); ++i)
      rho += charge[i] * std::polar(1.0, G[0] * r[3 * i] + G[1] * r[3 * i + 1] + G[2] * r[3 * i + 2]);
    sum += 2 * std::norm(rho) * std::exp(-square / (4 * alpha * alpha)) / square;  // G and -G
  }
  return 2 * pi / lattice.volume * sum;
}

}  // namespace

double coulomb_energy(const System& system, std::span<const double> rele, double split) {
  const qmc::Lattice lattice = qmc::lattice_of(system.cell.data());
  const double alpha = split / std::cbrt(lattice.volume);
  std::vector<double> r(rele.begin(), rele.end()), charge(r.size() / 3, -1);
  if (system.crystal()) {
    r.insert(r.end(), system.molecule->rion.begin(), system.molecule->rion.end());
    charge.insert(charge.end(), system.molecule->charge.begin(), system.molecule->charge.end());
  }
  const ShortRange short_range(lattice, alpha);
  double pairs = 0, sum = 0, squares = 0;
  for (size_t i = 0; i < charge.size(); ++i) {
    sum += charge[i], squares += charge[i] * charge[i];
    for (size_t j = 0; j < i; ++j) {
      double d[3] = {r[3 * i] - r[3 * j], r[3 * i + 1] - r[3 * j + 1], r[3 * i + 2] - r[3 * j + 2]};
      wrap(lattice, d);
      pairs += charge[i] * charge[j] * short_range(d);
    }
  }
  const double own_images = squares / 2 * short_range({0, 0, 0});
  const double own_screen = squares * alpha / std::sqrt(pi);
  const double background = pi * sum * sum / (2 * alpha * alpha * lattice.volume);
  return pairs + own_images + long_range(lattice, alpha, r, charge) - own_screen - background;
}

std::optional<CoulombSample> coulomb_sample(const System& system, std::span<const double> rele, std::span<const double> energies) {
  const auto numbers = static_cast<size_t>(3 * system.netot());
  if ((system.molecule && !system.crystal()) || system.netot() > most_electrons_of_sample || rele.size() < numbers ||
      energies.size() < part::count)
    return std::nullopt;
  return CoulombSample{energies[part::ee] + energies[part::en] + energies[part::nn], coulomb_energy(system, rele.first(numbers))};
}

}  // namespace suite::vmc
