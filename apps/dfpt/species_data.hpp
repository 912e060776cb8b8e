// SPDX-License-Identifier: BSD-3-Clause
// Settings of the levels light and tight for an element, and the numeric basis functions of its tiers: published choices of Blum et al.,
// Comput. Phys. Commun. 180, 2175 (2009), and of inputs in the literature.
#pragma once

#include <vector>

#include "free_atom.hpp"
#include "integration_setup.hpp"

namespace suite::all_electron {

// A function in addition to the free atom's own: bound state n, l of -z/r, or of the ion if z is 0.
struct NumericFunction {
  int n, l;
  double z;
  bool operator==(const NumericFunction&) const = default;
};

struct AngularRegion {
  double radius;  // bohr, radius of the first shell beyond this region
  int points;
};

struct SpeciesDefaults {
  Confinement confinement;
  int base_shells, radial_multiplier;
  double outermost;                    // bohr, radius of shell base_shells
  std::vector<AngularRegion> regions;  // ascending
  int outer_points;
  int l_hartree;
  std::vector<Shell> ion;  // for functions with z = 0
};

// Any element up to argon; elements without published angular regions use those of O (up to Ne) or Si.
SpeciesDefaults species_defaults(int Z, Level level);

// The functions of tiers 1 to `tier`. Throws Failure for elements other than H, C, N, O, Si and for tiers beyond 2.
std::vector<NumericFunction> tier_functions(int Z, Level level, int tier);

inline constexpr double bohr_per_angstrom = 1 / 0.52917721;

}  // namespace suite::all_electron
