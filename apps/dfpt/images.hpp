// SPDX-License-Identifier: BSD-3-Clause
// The images of a crystal's atoms that reach some points.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lattice.hpp"

namespace suite::all_electron {

struct Images {
  std::vector<double> coords;  // (3,n) bohr
  std::vector<int32_t> home;   // (n) atom of the home cell, from 1
  std::vector<Cell> cell;
  int64_t count() const { return static_cast<int64_t>(home.size()); }
  // values of the atoms of the home cell, for each image
  std::vector<int32_t> spread(const std::vector<int32_t>& values) const;
};

// atoms: (3,n_home) of the home cell, which come first whether they reach a point or not; reach: (n_home) bohr; points: (3,n_points).
Images images_reaching(const Lattice& lattice, std::span<const double> atoms, const std::vector<double>& reach,
                       std::span<const double> points);

}  // namespace suite::all_electron
