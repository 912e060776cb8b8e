// SPDX-License-Identifier: BSD-3-Clause
// Local energies of walkers, their parts and squared deviations from a reference, with reblocking per walker. Sums over walkers are in
// walker order, whichever process moves them.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "run.hpp"
#include "statistics.hpp"

namespace suite::vmc {

// Estimates of the rows part::..., and the error of the variance.
struct Energies {
  std::array<Reblocked, part::count> part;
  double variance_error = 0;  // of the variance of the local energy, Ha^2
};

class EnergySeries {
public:
  // For the walkers of this process. reference: of the squared deviations, Ha; near the mean and the same for all walkers.
  EnergySeries(const Share& share, double reference) : share_(share), walkers_(static_cast<size_t>(share.own)) { reference_ = reference; }

  double reference() const { return reference_; }
  // energies(part::count,own) of a step. Throws Failure if one is not finite.
  void add(std::span<const double> energies, int64_t step);
  // State of all walkers' series, on every process. Collective.
  std::vector<double> states(const app::Communicator& world) const;
  void restore(std::span<const double> states);
  // Computes the estimates from states().
  static Energies estimate(std::span<const double> states, int64_t walkers);

private:
  static constexpr size_t rows = part::count + 1;  // the last row: squares

  Share share_;
  double reference_ = 0;
  std::vector<std::array<Reblocking, rows>> walkers_;
};

// Mean over all walkers of energies(part::count,own), row part::total, for use as reference.
double mean_energy(const app::Communicator& world, const Share& share, std::span<const double> energies);

}  // namespace suite::vmc
