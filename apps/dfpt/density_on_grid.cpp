// SPDX-License-Identifier: BSD-3-Clause
#include "density_on_grid.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "grid_matrices.hpp"

namespace suite::all_electron {
namespace {

constexpr double margin = 6;         // bohr beyond the outermost atoms
constexpr double most_points = 5e7;  // a file of 650 MB

app::DensityGrid empty_grid(const Settings& settings) {
  app::DensityGrid grid;
  grid.title = fmt::format("ground state of {} atoms", settings.molecule.atoms.size());
  double points = 1;
  for (size_t d = 0; d < 3; ++d) {
    double low = INFINITY, high = -INFINITY;
    for (const Atom& atom : settings.molecule.atoms) low = std::min(low, atom.position[d]), high = std::max(high, atom.position[d]);
    const double count = std::ceil((high - low + 2 * margin) / settings.density_spacing) + 1;
    points *= count;
    if (!(points <= most_points))
      throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("output.spacing {:g} bohr makes a density file of more than {:g} points",
                                                        settings.density_spacing, most_points));
    grid.points[d] = static_cast<int>(count);
    grid.step[d] = settings.density_spacing;
    grid.origin[d] = (low + high - (count - 1) * settings.density_spacing) / 2;
  }
  for (const Atom& atom : settings.molecule.atoms)
    grid.atoms.push_back({element_symbol(atom.Z), static_cast<double>(atom.Z), atom.position});
  return grid;
}

std::vector<double> coordinates_of(const app::DensityGrid& grid) {
  std::vector<double> coords;
  coords.reserve(3 * static_cast<size_t>(grid.points[0]) * static_cast<size_t>(grid.points[1]) * static_cast<size_t>(grid.points[2]));
  for (int x = 0; x < grid.points[0]; ++x)
    for (int y = 0; y < grid.points[1]; ++y)
      for (int z = 0; z < grid.points[2]; ++z)
        coords.insert(coords.end(),
                      {grid.origin[0] + x * grid.step[0], grid.origin[1] + y * grid.step[1], grid.origin[2] + z * grid.step[2]});
  return coords;
}

}  // namespace

app::DensityGrid density_on_grid(const Settings& settings, const Setup& setup, const Matrix& occupied, Kernels& kernels,
                                 const app::Context& context) {
  constexpr double memory_B = 256 << 20;  // for the functions at the points of a part
  app::DensityGrid grid = empty_grid(settings);
  Setup there = setup;
  there.grid = points_at(setup, coordinates_of(grid), static_cast<size_t>(settings.choices.batch_target));
  GridMatrices at_points(there, batch_units(there, context), kernels, {memory_B});
  const std::vector<double> density = at_points.density_of_orbitals(occupied);
  // The points have been sorted into batches: their coordinates tell where they belong.
  grid.values.assign(there.grid.n_points(), 0.0);
  const std::vector<double>& coords = at_points.grid().coords;
  for (size_t i = 0; i < density.size(); ++i) {
    size_t at = 0;
    for (size_t d = 0; d < 3; ++d)
      at = at * static_cast<size_t>(grid.points[d]) + static_cast<size_t>(std::lround((coords[3 * i + d] - grid.origin[d]) / grid.step[d]));
    grid.values[at] = density[i];
  }
  context.world.sum(grid.values);
  return grid;
}

}  // namespace suite::all_electron
