// SPDX-License-Identifier: BSD-3-Clause
#include "density_of_states.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace suite::gw {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double tail = 5;  // widths: 4e-6 of the peak

}  // namespace

double StatesOnGrid::share(size_t i) const {
  return states_of_band_ * points_[i].weight / (static_cast<double>(grid_[0]) * grid_[1] * grid_[2]);
}

double StatesOnGrid::complete_below(Level level) const {
  double lowest = infinity;
  for (const LevelsOfSpins& at : levels_)
    for (const LevelsAtK& of_spin : at) lowest = std::min(lowest, level(of_spin, of_spin.mean_field.size() - 1));
  return lowest;
}

std::vector<double> StatesOnGrid::density_of(size_t spin, Level level, const std::vector<double>& energy) const {
  std::vector<double> out(energy.size());
  const double low = energy.front(), step = energy[1] - energy[0];
  for (size_t i = 0; i < levels_.size(); ++i) {
    const LevelsAtK& levels = levels_[i][spin];
    const double height = share(i) / (width_ * std::sqrt(2 * std::numbers::pi));
    for (size_t band = 0; band < levels.mean_field.size(); ++band) {
      const double e = level(levels, band);
      const auto from = static_cast<size_t>(std::max(0.0, std::floor((e - tail * width_ - low) / step)));
      for (size_t j = from; j < out.size() && energy[j] <= e + tail * width_; ++j) {
        const double x = (energy[j] - e) / width_;
        out[j] += height * std::exp(-x * x / 2);
      }
    }
  }
  return out;
}

DensityOfStates StatesOnGrid::density(Level mean_field, Level quasiparticle) const {
  DensityOfStates dos;
  dos.grid = grid_;
  dos.k_points = static_cast<int>(points_.size());
  dos.width = width_;
  double low = infinity, high = -infinity;
  for (const LevelsOfSpins& at : levels_)
    for (const LevelsAtK& levels : at)
      for (size_t band = 0; band < levels.mean_field.size(); ++band) {
        low = std::min({low, mean_field(levels, band), quasiparticle(levels, band)});
        high = std::max({high, mean_field(levels, band), quasiparticle(levels, band)});
      }
  dos.complete_below = std::min(complete_below(mean_field), complete_below(quasiparticle));
  constexpr int most_energies = 4000;
  low -= tail * width_, high += tail * width_;
  const int count = std::clamp(static_cast<int>(std::ceil(4 * (high - low) / width_)), 1, most_energies) + 1;
  for (int i = 0; i < count; ++i) dos.energy.push_back(low + i * ((high - low) / (count - 1)));
  for (size_t spin = 0; spin < levels_[0].size(); ++spin) {
    dos.mean_field.push_back(density_of(spin, mean_field, dos.energy));
    dos.quasiparticle.push_back(density_of(spin, quasiparticle, dos.energy));
  }
  return dos;
}

double StatesOnGrid::electrons_below(double energy, Level level) const {
  double electrons = 0;
  for (size_t i = 0; i < levels_.size(); ++i)
    for (const LevelsAtK& levels : levels_[i])
      for (size_t band = 0; band < levels.mean_field.size(); ++band)
        electrons += share(i) * std::erfc((level(levels, band) - energy) / (width_ * std::numbers::sqrt2)) / 2;
  return electrons;
}

std::optional<double> StatesOnGrid::fermi_level(double electrons, Level level) const {
  double low = infinity, high = complete_below(level);
  for (const LevelsOfSpins& at : levels_)
    for (const LevelsAtK& levels : at) low = std::min(low, level(levels, 0));
  low -= 2 * tail * width_;
  if (!(electrons > 0 && electrons_below(high, level) >= electrons)) return {};
  constexpr double exact = 1e-7;  // eV
  while (high - low > exact) {
    const double middle = (low + high) / 2;
    (electrons_below(middle, level) < electrons ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace suite::gw
