// SPDX-License-Identifier: BSD-3-Clause
// A run: set-up, ground state, response, and verification by finite fields.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/density_files.hpp"
#include "ground_state.hpp"
#include "response.hpp"
#include "settings.hpp"

namespace suite::all_electron {

// Polarizability from ground states in fields of +-strength, and its largest difference from the response's.
struct FiniteField {
  double strength = 0;  // Ha/bohr
  Tensor polarizability{};
  double largest_difference = 0;  // bohr^3
  int iterations = 0;
};

struct Sizes {
  size_t atoms = 0, functions = 0, states = 0, points = 0, raw_points = 0, batches = 0;
  int l_hartree = 0;
  double points_per_batch = 0, functions_per_batch = 0;
  size_t parts = 1;  // parts in which the functions at the points are evaluated; 1: evaluated once and kept
};

class GridMatrices;
struct Setup;
// Of a grid and its basis, whose functions count as states.
Sizes sizes_of(const Setup& setup, const GridMatrices& grid);

// The diagonal as a row of an iteration prints it; "-" for a direction that was not asked for.
std::string diagonal_text(const Tensor& polarizability);

struct CrystalOutcome {
  int dimensions = 3;
  double volume = 0;  // of the cell, bohr^3; the area of a slab, the period of a chain
  size_t k_points = 0, home_functions = 0;
  double highest_occupied = 0, lowest_empty = 0;  // of all k points and spins, Ha
  std::array<double, 2> gaps{};                   // of two spins, up and down, Ha; infinite without electrons or empty states
};

struct Calculated {
  std::optional<CrystalOutcome> crystal;  // energies, charges and polarizabilities are then those of a cell
  Sizes sizes;
  std::vector<Species> species;
  int electrons = 0;
  std::vector<double> nuclei;                       // charges
  double free_electrons_error = 0, norm_error = 0;  // as of GroundStateSolver
  GroundState ground;
  std::vector<double> moments;  // of two spins: moments_of_atoms()
  std::optional<app::DensityGrid> density;  // if the input asks for its file
  std::optional<Response> response;
  std::optional<FiniteField> finite_field;
  bool orbital_density = false, orbital_response = false;
  std::string far_field;                          // Electrostatics::far_field()
  std::string linear_algebra;                     // name of the library
  int restarted_scf = 0, restarted_response = 0;  // iterations restored from a checkpoint
  double setup_s = 0, scf_s = 0, response_s = 0, finite_field_s = 0;
  std::map<std::string, double> kernel_s, response_kernel_s;  // by kernel: total, and in the response
  int stopped_by = 0;                                         // signal that stopped the run, or 0
};

Calculated calculate(const Settings& settings, app::Context& context);
Calculated calculate_crystal(const Settings& settings, app::Context& context);

// 1 + 4 pi alpha/Omega.
Tensor dielectric_tensor(const Tensor& alpha, double volume);

// Output of a run (output.cpp, figures.cpp).
std::string table(const Settings& settings, const Calculated& outcome);
nlohmann::ordered_json results(const Settings& settings, const Calculated& outcome);
nlohmann::ordered_json results_schema();
std::vector<app::TextFile> files(const Settings& settings, const Calculated& outcome);
std::string convergence_figure(const Calculated& outcome);

// One third of the trace, and sqrt(1/2 [(xx-yy)^2 + (yy-zz)^2 + (zz-xx)^2 + 6 (xy^2 + yz^2 + zx^2)]).
double isotropic(const Tensor& alpha);
double anisotropy(const Tensor& alpha);

}  // namespace suite::all_electron
