// SPDX-License-Identifier: BSD-3-Clause
// Outcome of a run: conservation laws, sum rules and symmetries with their deviations; warnings; and the numbers that another run of the
// same input must reproduce.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/outcome.hpp"
#include "output.hpp"

namespace suite::tddft {

// Exact sum of all line strengths on this grid, for the field of these runs.
double expected_sum(const Settings& settings, const Vec3& sums);

// Largest deviations of the number of electrons and of energy minus work from their values at t = 0. An absorber takes electrons away: lost is
// the largest number of them, grown the largest gain of a single step. Of several runs the largest; work and gained of the last.
struct Drift {
  double electrons = 0, energy = 0, work = 0, gained = 0, lost = 0, grown = 0;
  std::optional<double> slope;
};
Drift drift_of(const std::vector<TimeSeries>& runs, double dt);
// Of ions that move: largest deviation of the conserved energy from that at t = 0, and its slope.
Drift drift_of(const IonEnergies& energies);
// The energies of the ions at their samples; of those that move with the electrons, without the work done on these.
IonEnergies ion_energies(const Settings& settings, const Progress& progress);

// Eigenvalues at the k points of the ground state, Ha, without those appended for -k, which are equal. Of two spins: up, then down.
std::vector<double> levels_of(const Settings& settings, const GroundState& state);

// Gap between the highest occupied and the lowest empty level over all k. Without a gap the occupations are not those of the ground
// state: an open shell, or a metal.
double gap_Ha(const Settings& settings, const GroundState& state);
inline constexpr double least_gap_Ha = 1e-3;
std::string what_no_gap_means(const Settings& settings);

// Adds checks, warnings and observables.
void add_outcome(const Solution& solution, app::Outcome& outcome);

}  // namespace suite::tddft
