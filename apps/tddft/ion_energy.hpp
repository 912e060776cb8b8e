// SPDX-License-Identifier: BSD-3-Clause
// Electrostatic energy of the ions and of the jellium sphere.
#pragma once

#include <vector>

#include "system.hpp"

namespace suite::tddft {

struct PointCharge {
  double charge = 0;
  Vec3 position{};
};

// Energy per cell in Ha of point charges in an orthorhombic cell by Ewald summation (Ann. Phys. 369, 253 (1921)); a homogeneous background
// neutralises the cell if the charges do not.
double ewald_energy(const Vec3& lengths, const std::vector<PointCharge>& charges);

// sum_{a<b} Z_a Z_b / |R_a - R_b|, Ha
double coulomb_energy(const std::vector<PointCharge>& charges);

// Energy of this system with its boundary conditions, including the self-energy of a jellium sphere.
double ion_energy(const System& system);

// -dE/dR of each charge, Ha/bohr.
std::vector<Vec3> ewald_forces(const Vec3& lengths, const std::vector<PointCharge>& charges);
std::vector<Vec3> coulomb_forces(const std::vector<PointCharge>& charges);

// -d ion_energy/dR of each atom.
std::vector<Vec3> ion_forces(const System& system);

}  // namespace suite::tddft
