// SPDX-License-Identifier: BSD-3-Clause
// The electrostatic energy of the ions and of the jellium sphere.
#pragma once

#include <vector>

#include "system.hpp"

namespace suite::tddft {

struct PointCharge {
  double charge = 0;
  Vec3 position{};
};

// Energy per cell of point charges in an orthorhombic cell by Ewald's sum (Ann. Phys. 369, 253 (1921)), Ha; a
// homogeneous background makes the cell neutral where the charges do not.
double ewald_energy(const Vec3& lengths, const std::vector<PointCharge>& charges);

// sum_{a<b} Z_a Z_b / |R_a - R_b|, Ha
double coulomb_energy(const std::vector<PointCharge>& charges);

// Of this system, with its boundary conditions; the self-energy of a jellium sphere included.
double ion_energy(const System& system);

}  // namespace suite::tddft
