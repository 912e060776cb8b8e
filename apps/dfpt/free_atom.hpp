// SPDX-License-Identifier: BSD-3-Clause
// Spherical atoms without spin, with the confining potential of numeric atomic orbitals (Blum et al., Comput. Phys.
// Commun. 180, 2175 (2009)):
//   v_cut = 250 s exp[-w/(r - r_on)]/(r - r_on - w)^2 Ha between r_on and r_on + w, an infinite wall beyond.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/xc/xc.hpp"
#include "elements.hpp"
#include "radial.hpp"

namespace suite::all_electron {

using app::Xc;

struct Confinement {
  double onset, width;  // bohr
  double scale = 1;
  double end() const { return onset + width; }
};

// Ha at all points; 0 at and beyond the wall, which is imposed separately.
std::vector<double> confining_potential(const LogGrid& grid, const Confinement& confinement);

struct SphericalAtom {
  double energy = 0;                // Ha
  std::vector<Shell> shells;        // as given
  std::vector<RadialState> states;  // of the shells
  std::vector<double> density;      // bohr^-3
  std::vector<double> hartree;      // Ha, of the electrons
  double hartree_at_nucleus = 0;
  std::vector<double> potential;  // Ha: nucleus, electrons, exchange and correlation, without the confinement
};

// The grid on which atoms of charge Z are solved: its points 0, 2, 4 ... from table_offset on are those of the tables, which begin at
// 1e-4/Z bohr with the ratio table_ratio.
inline constexpr double table_ratio = 1.0123;
inline constexpr size_t table_offset = 756;
inline constexpr double table_start = 1e-4;
LogGrid solver_grid(int Z, size_t table_points);

// Occupations may be fractional; their sum need not be Z.
SphericalAtom solve_atom(const LogGrid& grid, int Z, const std::vector<Shell>& shells, Xc xc,
                         const std::optional<Confinement>& confinement);

}  // namespace suite::all_electron
