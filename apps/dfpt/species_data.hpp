// SPDX-License-Identifier: BSD-3-Clause
// What the levels light and tight set for an element, and the numeric basis functions of its tiers: published
// choices of Blum et al., Comput. Phys. Commun. 180, 2175 (2009), and of inputs in the literature.
#pragma once

#include <vector>

#include "free_atom.hpp"
#include "integration_setup.hpp"

namespace suite::all_electron {

// A function beyond the free atom's own: bound state n, l of -z/r, or, where z is 0, of the ion.
struct NumericFunction {
  int n, l;
  double z;
  bool operator==(const NumericFunction&) const = default;
};

struct AngularRegion {
  double radius;  // bohr, of the first shell that is not of this region
  int points;
};

struct SpeciesDefaults {
  Confinement confinement;
  int base_shells, radial_multiplier;
  double outermost;                    // bohr, radius of shell base_shells
  std::vector<AngularRegion> regions;  // rising
  int outer_points;
  int l_hartree;
  std::vector<Shell> ion;  // of functions with z = 0
};

// Any element up to argon; angular regions of one without published ones are those of O (up to Ne) and Si.
SpeciesDefaults species_defaults(int Z, Level level);

// The functions of tiers 1 to `tier`. Failure for elements other than H, C, N, O, Si and tiers beyond 2.
std::vector<NumericFunction> tier_functions(int Z, Level level, int tier);

inline constexpr double bohr_per_angstrom = 1 / 0.52917721;

}  // namespace suite::all_electron
