// SPDX-License-Identifier: BSD-3-Clause
// Builds the arguments of the kernels of family dfpt from a molecule and a choice of basis: radial tables, basis functions, points with
// weights, batches. All arrays have the shapes of plugins/dfpt/dfpt.hpp, first subscript fastest, with indices from 1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/xc/xc.hpp"
#include "images.hpp"
#include "lattice.hpp"
#include "species_definition.hpp"

namespace suite::all_electron {

using app::Xc;

struct Atom {
  int Z = 0;
  std::array<double, 3> position{};  // bohr
};

struct Molecule {
  std::vector<Atom> atoms;
  int charge = 0;
  int unpaired = 0;  // electrons of spin up without a partner
  // (n_atoms) electrons of spin up less those of spin down, of the first density; empty: either spin has its share everywhere
  std::vector<double> initial_moments = {};
  bool two_spins() const { return unpaired > 0 || !initial_moments.empty(); }  // else closed shells
  int electrons() const;  // sum of Z minus the charge
};

// Choices of a run; unset values are those of the level (light or tight).
struct Choices {
  Xc xc = Xc::pw92;
  Level level = Level::light;           // confinement, shells, angular grids, l_hartree
  int tier = 1;                         // of the numeric basis: 0 is the minimal one
  std::map<int, SpeciesDefinition> own_species;  // by Z, instead of the built-in ones
  std::optional<double> onset;                   // bohr, of the confinement of all numeric orbitals
  std::filesystem::path gaussian_file;  // a basis in NWChem format instead of the numeric one
  std::optional<int> l_hartree;         // at most 8
  std::optional<int> radial_multiplier;
  std::optional<int> angular_points;  // of all shells, instead of the level's increasing numbers
  int n_knots = 256;                  // of the tables of multipole potentials
  int batch_target = 200;             // maximum number of points per batch
};

// Of the numeric basis, with the confinement that was chosen. Throws Failure for an element that has none.
SpeciesDefinition species_of(int Z, const Choices& choices);

// Origin and extent of a radial function R_f = u_f/r of a species.
struct RadialFunction {
  std::string origin;  // "atomic 2p", "hydro 3d 7.6", "ionic 3s", "gaussian p 2"
  int l = 0;
  double energy = 0;        // Ha, of the radial equation; 0 for a gaussian
  double outer_radius = 0;  // bohr
};

struct FreeAtom {
  double energy = 0;  // Ha
  struct Shell {
    int n, l;
    double occupation, energy;
  };
  std::vector<Shell> shells;
  double hartree_at_nucleus = 0;  // Ha, electrostatic potential of its electrons there
  double radius = 0;              // bohr, extent of its density
};

struct Species {
  int Z = 0;
  std::string symbol;
  FreeAtom free;
  std::vector<RadialFunction> functions;
  int l_hartree = 0;
};

// Tables by species, as passed to the kernels.
struct Tables {
  int32_t n_species = 0, n_grid = 0, n_radial = 0, n_knots = 0;
  std::vector<double> r_grid_min, r_grid_inc;  // (n_species)
  // Functions of all species, concatenated.
  int32_t n_basis_fns = 0;
  std::vector<double> basis_wave_spl;  // (4,n_grid,n_basis_fns) R_f
  std::vector<double> basis_kin_spl;   // the same of -1/2 lap: [e - v_f - v_cut] R_f
  std::vector<double> outer_radius;    // (n_basis_fns)
  // Free atoms as tables of dfpt.sum_up with n_lm = 1 on the logarithmic grid (hence times sqrt(4 pi)): moments 0, multipole_radius =
  // free_radius.
  std::vector<double> free_density_spl;    // (1,4,n_grid,n_species,1) bohr^-3
  std::vector<double> free_potential_spl;  // (1,4,n_grid,n_species,1) Ha, Hartree and nucleus
  std::vector<double> free_radius;         // (n_species)
  // Shells, and the tables of multipole potentials by shells.
  std::vector<double> r_radial;          // (n_radial,n_species)
  std::vector<int32_t> radial_points;    // (n_species)
  std::vector<double> grid_shell;        // (n_grid,n_species)
  std::vector<double> knots;             // (n_knots,n_species)
  std::vector<double> grid_scale;        // (n_species)
  std::vector<double> grid_max;          // (n_species)
  std::vector<double> multipole_radius;  // (n_species) just below grid_max
};

struct BasisSet {
  int32_t n_basis = 0;
  std::vector<int32_t> basis_atom, basis_fn, basis_l, basis_m;  // (n_basis); atom after atom
};

struct Grid {
  size_t raw_points = 0;                           // before dropping those without weight
  std::vector<double> coords;                      // (3,n_points)
  std::vector<double> partition_tab;               // (n_points) integration weight, bohr^3
  std::vector<double> projection_weight;           // (n_points) 4 pi angular weight, partition
  std::vector<int32_t> point_atom, point_shell;    // (n_points)
  std::vector<int32_t> batch_points, batch_basis;  // (n_batches+1)
  std::vector<int32_t> i_basis;                    // (n_list)
  size_t n_points() const { return partition_tab.size(); }
  size_t n_batches() const { return batch_points.empty() ? 0 : batch_points.size() - 1; }
  size_t n_wave() const;  // sum over the batches of functions times points
};

// Of a crystal, the atoms are those of the home cell and, behind them, the images whose functions reach the points, which are those of the
// home cell's atoms.
struct Crystal {
  Lattice lattice;
  double ewald_radius = 0;    // bohr
  std::vector<int32_t> home;  // (n_atoms) atom of the home cell, from 0
  std::vector<Cell> cell;     // (n_atoms)
};

struct Setup {
  std::vector<double> atom_coords;    // (3,n_atoms)
  std::vector<int32_t> atom_species;  // (n_atoms)
  std::vector<double> atom_charge;    // (n_home) Z
  std::optional<Crystal> crystal;     // none: a molecule
  int electrons = 0, unpaired = 0;
  bool two_spins = false;
  std::vector<double> initial_moments;  // as of Molecule
  int l_hartree = 0;  // of all atoms: n_lm = (l_hartree+1)^2
  std::vector<Species> species;
  Tables tables;
  BasisSet basis;
  Grid grid;
  size_t n_home() const { return atom_charge.size(); }  // all atoms, of a molecule
};

// Throws Failure naming the first two atoms closer than 0.3 angstrom: coinciding atoms are an input error, and integration grids are not
// made for closer ones.
void refuse_close_atoms(const Molecule& molecule);

// Throws Failure for an element without a basis, an invalid line of a file, an unknown level or tier, or atoms closer than 0.3 angstrom.
Setup prepare(const Molecule& molecule, const Choices& choices);
// The same for a crystal with these atoms in its cell.
Setup prepare(const Molecule& atoms, const Choices& choices, const Lattice& lattice, double ewald_radius);

// Any points as batches with the functions that reach them, for evaluating functions there: without weights, atoms and shells. coords:
// (3,n_points) bohr.
Grid points_at(const Setup& setup, std::vector<double> coords, size_t batch_target);

// The batches [first, last), from 0, with their points and lists, renumbered from 1.
Grid part(const Grid& grid, size_t first, size_t last);

// The atoms whose spheres reach points, those of the home cell first; all atoms of a molecule. radius: of each species, bohr.
Images atoms_reaching(const Setup& setup, const std::vector<double>& radius, std::span<const double> points);

// (n_home) Ha, electrostatic potential of the free atoms at each nucleus, without its own -Z/r.
std::vector<double> free_potential_at_nuclei(const Setup& setup);

// "H" to "Kr"; 0 for anything else.
int atomic_number(const std::string& symbol);
const char* element_symbol(int Z);

}  // namespace suite::all_electron
