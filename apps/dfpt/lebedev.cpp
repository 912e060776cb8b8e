// SPDX-License-Identifier: BSD-3-Clause
#include "lebedev.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "lebedev_orbits.hpp"

namespace suite::all_electron {
namespace {

std::array<double, 3> representative(const lebedev::Orbit& orbit) {
  using lebedev::Orbit;
  const double a = orbit.a, b = orbit.b;
  switch (orbit.kind) {
    case Orbit::vertices: return {0, 0, 1};
    case Orbit::edges: return {0, std::sqrt(0.5), std::sqrt(0.5)};
    case Orbit::corners: return {std::sqrt(1.0 / 3), std::sqrt(1.0 / 3), std::sqrt(1.0 / 3)};
    case Orbit::aab: return {a, a, std::sqrt(1 - 2 * a * a)};
    case Orbit::ab0: return {a, std::sqrt(1 - a * a), 0};
    case Orbit::abc: break;
  }
  return {a, b, std::sqrt(1 - a * a - b * b)};
}

// Adds all distinct points with permuted and negated coordinates.
void add_orbit(const lebedev::Orbit& orbit, AngularGrid& grid) {
  std::array<double, 3> point = representative(orbit);
  std::sort(point.begin(), point.end());
  do {
    for (int signs = 0; signs < 8; ++signs) {
      std::array<double, 3> direction = point;
      bool again = false;  // a zero has one sign only
      for (int i = 0; i < 3; ++i) {
        if (!(signs >> i & 1)) continue;
        again = again || direction[i] == 0;
        direction[i] = -direction[i];
      }
      if (again) continue;
      grid.directions.push_back(direction);
      grid.weights.push_back(orbit.weight);
    }
  } while (std::next_permutation(point.begin(), point.end()));
}

std::map<int, AngularGrid> all_grids() {
  std::map<int, AngularGrid> grids;
  for (const lebedev::Rule& rule : lebedev::rules) {
    AngularGrid& grid = grids[rule.points];
    grid.degree = rule.degree;
    for (int i = 0; i < rule.count; ++i) add_orbit(lebedev::orbits[rule.first + i], grid);
  }
  return grids;
}

const std::map<int, AngularGrid>& grids() {
  static const std::map<int, AngularGrid> all = all_grids();
  return all;
}

}  // namespace

std::vector<int> angular_grid_sizes() {
  std::vector<int> sizes;
  for (const auto& [points, grid] : grids()) sizes.push_back(points);
  return sizes;
}

const AngularGrid& angular_grid(int points) {
  const auto found = grids().find(points);
  if (found != grids().end()) return found->second;
  std::string known;
  for (int size : angular_grid_sizes()) known += fmt::format("{}{}", known.empty() ? "" : ", ", size);
  throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("no angular grid has {} points; choose one of {}", points, known));
}

}  // namespace suite::all_electron
