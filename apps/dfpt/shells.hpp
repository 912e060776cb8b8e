// SPDX-License-Identifier: BSD-3-Clause
// Radial shells of an atom's integration grid (Baker, Andzelm, Scheiner and Delley, J. Chem. Phys. 101, 8894
// (1994)) with a multiplier m:
//   r(i) = r_o ln{1 - [i/(N+1)]^2}/ln{1 - [N/(N+1)]^2},  i = k/m, k = 1..m(N+1)-1,  weight r^2 dr/di / m
#pragma once

#include <vector>

#include "species_definition.hpp"

namespace suite::all_electron {

struct Shells {
  double scale = 0;                    // bohr: i/(N+1) = sqrt(1 - exp(-r/scale))
  std::vector<double> r;               // bohr, ascending
  std::vector<double> weights;         // bohr^3, weights of int f r^2 dr
  std::vector<int> points;             // of each shell's angular grid
  double number(double radius) const;  // the (fractional) shell number at a radius, 1 at the first shell
};

Shells make_shells(int base_shells, double outermost, int multiplier);
void set_angular(Shells& shells, const std::vector<AngularRegion>& regions, int outer_points);

}  // namespace suite::all_electron
