// SPDX-License-Identifier: BSD-3-Clause
// Radial parts of basis functions on the solver grid.
#pragma once

#include <string>
#include <vector>

#include "free_atom.hpp"
#include "gaussian.hpp"
#include "species_definition.hpp"

namespace suite::all_electron {

struct Orbital {
  std::string origin;  // "atomic 2p", "hydro 3d 7.6", "ionic 3s", "confined 3d 5", "gaussian p 2"
  int l = 0;
  double energy = 0;            // Ha, of its equation; 0 for a gaussian
  double onset = 0;             // bohr, of its confinement; 0 for a gaussian
  std::vector<double> u;        // chi = u/r Y_lm
  std::vector<double> kinetic;  // of -1/2 lap chi: (e - v_f - v_cut) u
};

// The free atom's functions, then the ion's, then the others of the tiers. The confinement of ionic and hydrogen-like ones begins where less
// than 1e-4 of the function is left (basis_dep_cutoff). Each is orthogonalised to the previous ones and dropped if the remainder's norm is
// below 1e-4. Throws Failure for a function that is not bound or does not end within the confinement.
std::vector<Orbital> numeric_orbitals(const LogGrid& grid, const SpeciesDefinition& species, Level level, int tier,
                                      const SphericalAtom& free, Xc xc);

std::vector<Orbital> gaussian_orbitals(const LogGrid& grid, const std::vector<GaussianShell>& shells);

inline constexpr double smallest_numeric = 1e-6;  // |u| where a numeric function ends

// The first table point from which on |u| stays below `threshold`.
double outer_radius(const LogGrid& grid, const std::vector<double>& u, double threshold);

}  // namespace suite::all_electron
