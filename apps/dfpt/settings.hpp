// SPDX-License-Identifier: BSD-3-Clause
// What an input of the dfpt app asks for, in Hartree atomic units.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/app.hpp"
#include "integration_setup.hpp"

namespace suite::all_electron {

// How a density is found: mixed until what comes out of it is what went in.
struct Iteration {
  double mixing = 0.3;
  int history = 8;
  double tolerance = 1e-9;  // of sqrt(int (out - in)^2)
  int max_iterations = 100;
};

// How densities and matrices go with the kernels: by matrices over the basis, or by the occupied orbitals.
enum class Form { automatic, matrix, orbitals };

struct Settings {
  Molecule molecule;
  Choices choices;
  bool polarizability = true;  // else the ground state alone
  Iteration scf, response;
  std::vector<int> directions{0, 1, 2};  // of the field
  Form form = Form::automatic;
  double finite_field = 0;  // Ha/bohr; 0: no check
  double memory_B = 0;      // for the functions at the points
  int64_t checkpoint_interval = 0;
  std::filesystem::path restart;
};

// The keys of an input, in the order in which they are explained.
const std::vector<app::Key>& input_keys();

// The settings that an input means. What is wrong with it goes to input.fail(); the caller finishes the
// input.
Settings read_settings(const app::Input& input);

// Everything that the numbers of a run depend on but its length, as text: equal texts may continue each
// other.
std::string fingerprint(const Settings& settings);

}  // namespace suite::all_electron
