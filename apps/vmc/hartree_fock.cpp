// SPDX-License-Identifier: BSD-3-Clause
#include "hartree_fock.hpp"

#include <cmath>
#include <numbers>

#include <suite/qmc/ewald.hpp>

namespace suite::vmc {
namespace {

using Vector = std::array<double, 3>;

// The filled plane waves of a spin: 0, k_1, -k_1, k_2 ...
std::vector<Vector> filled(const System& system, const qmc::Lattice& lattice, int32_t count) {
  std::vector<Vector> k;
  if (count > 0) k.push_back({0, 0, 0});
  for (size_t i = 0; static_cast<int32_t>(k.size()) < count; ++i) {
    Vector wave;
    qmc::reciprocal_vector(lattice, &system.kvec[3 * i], wave.data());
    k.push_back(wave);
    k.push_back({-wave[0], -wave[1], -wave[2]});
  }
  return k;
}

double square_of_difference(const Vector& a, const Vector& b) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
}

}  // namespace

HartreeFock hartree_fock(const System& system) {
  const qmc::Lattice lattice = qmc::lattice_of(system.cell.data());
  HartreeFock energy;
  double inverse_squares = 0;
  for (const int32_t count : system.nele) {
    const auto k = filled(system, lattice, count);
    for (size_t i = 0; i < k.size(); ++i) {
      energy.kinetic += square_of_difference(k[i], {0, 0, 0}) / 2;
      for (size_t j = 0; j < i; ++j) inverse_squares += 1 / square_of_difference(k[i], k[j]);
    }
  }
  energy.exchange = -4 * std::numbers::pi / lattice.volume * inverse_squares;
  const double alpha = std::sqrt(std::numbers::pi) / std::cbrt(lattice.volume);
  energy.madelung = static_cast<double>(system.netot()) * qmc::ewald_sums(lattice, alpha, 1e-15).xi / 2;
  return energy;
}

}  // namespace suite::vmc
