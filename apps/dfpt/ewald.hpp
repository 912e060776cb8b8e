// SPDX-License-Identifier: BSD-3-Clause
// Ewald's splitting of the potentials of a crystal's multipoles: what is taken from their tables, and the plane waves that dfpt.reciprocal
// sums instead (docs/theory/dfpt.md). Of a slab, they come from copies of it that do not interact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "integration_setup.hpp"
#include "kernels.hpp"

namespace suite::all_electron {

// Where tables end when the moments are split with radius r0.
double reach_of_tables(double last_shell, double ewald_radius);

class Ewald {
public:
  Ewald(const Setup& setup, int64_t n_lm);

  // Takes the smooth potentials of moments (n_lm,n_atoms,n_dir) from tables (n_lm,4,n_knots,n_atoms,n_dir).
  void split(std::span<double> tables, std::span<const double> moments, int64_t n_dir) const;
  // Sets everything of a call of dfpt.reciprocal but moments and potential. coords: (3,n_points), stays in use.
  void set_points(Kernel& reciprocal, std::span<const double> coords) const;
  // What to take from the sum of the split tables and the plane waves, of one direction's moments: the mean of the tables in a crystal, whose
  // potential has the mean 0; in a slab the mean that -2 pi |z| has in the plane waves' cell. Both are 0 but for the grid's charge.
  double offset(std::span<const double> moments) const;

private:
  const Setup& setup_;
  int64_t n_lm_, n_atoms_;
  std::vector<double> smooth_;  // (4,l,n_knots,n_species) splines for moment 1
  std::vector<int32_t> g_index_;
  std::vector<double> g_weight_, reciprocal_;
  double period_ = 0;  // of the plane waves across a slab, bohr
};

}  // namespace suite::all_electron
