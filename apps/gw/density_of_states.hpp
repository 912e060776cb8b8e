// SPDX-License-Identifier: BSD-3-Clause
// Densities of states, and the Fermi levels that belong to them, from levels on a grid of k points.
#pragma once

#include "kp_bands.hpp"

namespace suite::gw {

// Energies in eV; densities in states per eV and cell, by spin, or of both spins where they are the same.
struct DensityOfStates {
  Miller grid{};
  int k_points = 0;  // irreducible
  double width = 0;  // standard deviation of the Gaussians
  std::vector<double> energy;
  std::vector<std::vector<double>> mean_field, quasiparticle;
  double complete_below = 0;  // above it bands that were not computed contribute
};

class StatesOnGrid {
public:
  // states_of_band: electrons that a band of one of the spins in `levels` takes.
  StatesOnGrid(const Miller& grid, const std::vector<WedgePoint>& points, const std::vector<LevelsOfSpins>& levels, int states_of_band,
               double width)
      : grid_(grid), points_(points), levels_(levels), states_of_band_(states_of_band), width_(width) {}

  using Level = double (*)(const LevelsAtK&, size_t band);
  DensityOfStates density(Level mean_field, Level quasiparticle) const;
  // Electrons in states below an energy.
  double electrons_below(double energy, Level level) const;
  // The energy below which there are so many; nothing where bands that were not computed could hold some of them.
  std::optional<double> fermi_level(double electrons, Level level) const;

private:
  double share(size_t i) const;  // electrons of a band at a point
  double complete_below(Level level) const;
  std::vector<double> density_of(size_t spin, Level level, const std::vector<double>& energy) const;

  const Miller& grid_;
  const std::vector<WedgePoint>& points_;
  const std::vector<LevelsOfSpins>& levels_;
  int states_of_band_;
  double width_;
};

}  // namespace suite::gw
