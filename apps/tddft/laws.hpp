// SPDX-License-Identifier: BSD-3-Clause
// What the results of a run must obey (conservation laws, sum rules, symmetries) and by how much they miss
// it; what the reader must be warned of; and the numbers that another run of the same input repeats.
#pragma once

#include <optional>
#include <vector>

#include "measure/outcome.hpp"
#include "output.hpp"

namespace suite::tddft {

// What the strengths of all lines add up to on this grid, for the field of these runs.
double expected_sum(const Settings& settings, const Vec3& sums);

// The largest distance of the number of electrons and of energy minus work from what they were at t = 0.
struct Drift {
  double electrons = 0, energy = 0, work = 0, gained = 0;
  std::optional<double> slope;
};
Drift drift_of(const std::vector<TimeSeries>& runs, double dt);

// Eigenvalues at the k points that the ground state has, Ha; those of -k behind them are the same.
std::vector<double> levels_of(const Settings& settings, const GroundState& state);

// From the highest occupied level to the lowest empty one, of all k. Without a gap the occupations are not
// those of the ground state: an open shell, or a metal.
double gap_Ha(const Settings& settings, const GroundState& state);
inline constexpr double least_gap_Ha = 1e-3;

// Its checks, warnings and observables.
void add_outcome(const Solution& solution, app::Outcome& outcome);

}  // namespace suite::tddft
