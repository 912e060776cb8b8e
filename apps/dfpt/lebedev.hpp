// SPDX-License-Identifier: BSD-3-Clause
// Lebedev quadratures on the unit sphere.
#pragma once

#include <array>
#include <vector>

namespace suite::all_electron {

struct AngularGrid {
  int degree = 0;  // spherical harmonics up to this degree are integrated exactly
  std::vector<std::array<double, 3>> directions;
  std::vector<double> weights;  // normalised to sum 1
};

// Throws unless points is 6, 14, 26, 38, 50, 86, 110, 146, 170, 194, 302, 350, 434, 590, 770 or 974.
const AngularGrid& angular_grid(int points);
std::vector<int> angular_grid_sizes();

}  // namespace suite::all_electron
