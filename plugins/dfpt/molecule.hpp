// SPDX-License-Identifier: BSD-3-Clause
// Molecules, bases and integration grids for generate(): as those of a calculation in size, shape and
// locality. Not for a calculation: radial functions are Slater's with a smooth end, not solutions of an atom.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace suite::dfpt {

inline constexpr int n_elements = 4;  // species 0..3: H, C, N, O
inline constexpr double cutoff_radius = 9.45;

// Alanine residues of an alpha helix, ten atoms each; after 312 atoms another helix beside it, so that many
// atoms make a globule.
struct Molecule {
  std::vector<double> coords;    // (3,n)
  std::vector<int32_t> species;  // from 0
  int64_t count() const { return static_cast<int64_t>(species.size()); }
  const double* at(int64_t a) const { return &coords[static_cast<size_t>(3 * a)]; }
};
Molecule molecule_of(int64_t n_atoms);
int64_t electrons_of(const Molecule& molecule);

struct RadialFunction {
  int species, n, l;
  double zeta, outer_radius;
  double value(double r) const;
};
struct BasisSet {
  std::vector<RadialFunction> radial;
  std::vector<int32_t> atom, fn, l, m;  // of each function, from 0
  std::vector<int64_t> first;           // function of each atom, and their number
  int64_t count() const { return static_cast<int64_t>(atom.size()); }
};
BasisSet basis_of(const Molecule& molecule, int64_t l_max);

// The shells of a species, as those of Baker's grid with a radius of 5 angstrom.
struct Shells {
  std::vector<double> radius, weight;
  std::vector<int> points;
  double scale;  // of the grid by shells
};
Shells shells_of(int species, int64_t coarse);

struct GridPoint {
  double r[3];
  double weight, projection_weight;
  int32_t atom, shell;  // from 0
};
// The points in batches of at most `points`; `nbatches` of them, evenly from all, where it is not 0.
struct IntegrationGrid {
  std::vector<GridPoint> points;
  std::vector<int64_t> batch;  // first point of each, and their number
  int64_t n_batches() const { return static_cast<int64_t>(batch.size()) - 1; }
};
IntegrationGrid grid_of(const Molecule& molecule, int64_t points, int64_t nbatches, int64_t coarse);

// The functions of each batch that are not 0 at all its points.
struct Active {
  std::vector<int32_t> list;   // from 0
  std::vector<int64_t> first;  // of each batch, and their number
};
Active active_functions(const Molecule& molecule, const BasisSet& basis, const IntegrationGrid& grid);
// Takes their functions from the second, fourth, .. batch, `count` of them, and adds as many without points.
void empty_some(int64_t count, IntegrationGrid& grid, Active& active);
// Where the values of each batch begin, and their number.
std::vector<int64_t> first_in_wave(const IntegrationGrid& grid, const Active& active);

}  // namespace suite::dfpt
