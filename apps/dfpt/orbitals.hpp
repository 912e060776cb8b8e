// SPDX-License-Identifier: BSD-3-Clause
// Radial parts of basis functions on the solver grid.
#pragma once

#include <string>
#include <vector>

#include "free_atom.hpp"
#include "gaussian.hpp"
#include "species_data.hpp"

namespace suite::all_electron {

struct Orbital {
  std::string origin;  // "atomic 2p", "hydro 3d 7.6", "ionic 3s", "gaussian p 2"
  int l = 0;
  double energy = 0;            // Ha, of its equation; 0 for a gaussian
  double onset = 0;             // bohr, of its confinement; 0 for a gaussian
  std::vector<double> u;        // chi = u/r Y_lm
  std::vector<double> kinetic;  // of -1/2 lap chi: (e - v_f - v_cut) u
};

// The free atom's functions, then the ion's, then hydrogen-like ones, whose confinement begins where less than 1e-4 of the function is left
// (basis_dep_cutoff). Each is orthogonalised to the previous ones and dropped if the remainder's norm is below 1e-4.
std::vector<Orbital> numeric_orbitals(const LogGrid& grid, int Z, const SphericalAtom& free, const SpeciesDefaults& defaults,
                                      std::vector<NumericFunction> functions, Xc xc);

std::vector<Orbital> gaussian_orbitals(const LogGrid& grid, const std::vector<GaussianShell>& shells);

// The first table point from which on |u| stays below `threshold`.
double outer_radius(const LogGrid& grid, const std::vector<double>& u, double threshold);

}  // namespace suite::all_electron
