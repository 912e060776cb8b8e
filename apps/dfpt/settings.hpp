// SPDX-License-Identifier: BSD-3-Clause
// Settings of a dfpt input, in Hartree atomic units.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/app.hpp"
#include "integration_setup.hpp"

namespace suite::all_electron {

// Parameters of a self-consistency iteration.
struct Iteration {
  double mixing = 0.3;
  int history = 8;
  double tolerance = 1e-9;  // of sqrt(int (out - in)^2)
  int max_iterations = 100;
};

// How the kernels compute densities and matrices: from matrices in the basis, or from the occupied orbitals.
enum class Form { automatic, matrix, orbitals };

// Periodic along the vectors: none of a molecule, one of a chain, two of a slab, three of a crystal.
struct CrystalSettings {
  std::vector<Place> vectors;  // bohr
  std::array<int, 3> k_points{1, 1, 1};
  bool shifted = false;       // k points by half a step
  double ewald_radius = 1.4;  // bohr
};

struct Settings {
  Molecule molecule;  // of a crystal, the atoms of its cell
  CrystalSettings crystal;
  Choices choices;
  bool polarizability = true;  // false: ground state only
  Iteration scf, response;
  std::vector<int> directions{0, 1, 2};  // of the field
  Form form = Form::automatic;
  double finite_field = 0;  // Ha/bohr; 0: no check
  double memory_B = 0;      // for the functions at the points
  bool density_file = false;     // density.cube
  double density_spacing = 0.2;  // bohr, of its grid
  int64_t checkpoint_interval = 0;
  std::filesystem::path restart;
};

Lattice lattice_of(const CrystalSettings& crystal);
std::vector<KPoint> k_points_of(const CrystalSettings& crystal);

// The keys of an input, in the order of the help.
const std::vector<app::Key>& input_keys();

// Reads the settings of an input. Reports errors with input.fail(); the caller calls finish().
Settings read_settings(const app::Input& input);

// All settings that affect the numbers, except the length of the run, as text: runs with equal texts may continue each other.
std::string fingerprint(const Settings& settings);

}  // namespace suite::all_electron
