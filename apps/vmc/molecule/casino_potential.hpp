// SPDX-License-Identifier: BSD-3-Clause
// CASINO's tabulated pseudopotentials, x_pp.data: r V_l(r) of each angular momentum on a grid of distances.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "molecule.hpp"

namespace suite::vmc {

struct CasinoPotential {
  long atomic_number = 0;
  double charge = 0;  // e, of the nucleus and the electrons it stands for
  std::vector<PotentialTerm> terms;  // tables, of ion 0
  long rule = 0;  // NLRULE of VMC and DMC; 0: not given
};

// Of r V_l(r) of each l, Ha bohr, on a grid: V_l - V_local by tables that end where r times it is felt no more, and V_local + charge/r.
std::vector<PotentialTerm> semilocal_terms(const std::vector<double>& r, const std::map<long, std::vector<double>>& times_r, long local,
                                           double charge);

// Throws app::InputErrors with file, line and column.
CasinoPotential parse_casino_potential(const std::string& name, const std::string& text);

// Gives the atoms of each element the potential of "o_pp.data" in the folder, where there is one. Returns the number of points of the
// quadrature that the files ask for, if any. Throws app::InputErrors; Failure for charges that are neither those of the nuclei nor those of
// such files.
std::optional<int> add_casino_potentials(const std::filesystem::path& folder, Molecule& molecule);

// Points of the quadrature of CASINO's rule NLRULE, non_local_grid: 6, 12, 18, 26, 50 for 3 to 7; 0 for any other.
int points_of_casino_rule(long rule);

}  // namespace suite::vmc
