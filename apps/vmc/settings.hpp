// SPDX-License-Identifier: BSD-3-Clause
// Settings of a vmc input, in Hartree atomic units.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/app.hpp"
#include "casino_control.hpp"
#include "jastrow.hpp"
#include "system.hpp"
#include "walkers.hpp"

namespace suite::vmc {

enum class Method { vmc, dmc, optimise };

struct VmcSettings {
  int64_t walkers = 64;         // over all processes
  int64_t equilibration = 500;  // sweeps
  int64_t steps = 1000;         // energies per walker
  int64_t decorrelation = 3;    // sweeps between energies
  double tau = 0;               // variance of a Gaussian move; 0: tuned to an acceptance of one half
  double first_tau = 0;         // initial value for tuning; 0: chosen from the density
  Move move = Move::metropolis;
};

struct DmcSettings {
  std::vector<double> time_steps;  // hbar/Ha; several: extrapolated to 0
  int64_t target = 200;            // walkers over all processes
  int64_t equilibration = 200, steps = 1000;
  double alimit = 0.5;        // of Umrigar's drift limit
  double energy_limit = 0.2;  // alpha of E_cut = alpha sqrt(N/tau); 0: none
  double feedback = 10;       // time scale in steps on which the population returns to its target
  bool t_moves = false;       // pseudopotentials by T-moves instead of the locality approximation
};

struct OptimiseSettings {
  std::string target = "variance";  // variance, energy, mad
  int cycles = 4;
  int64_t configurations = 2000;  // over all processes, per cycle
  Free free;
};

struct TwistSystem {
  std::array<double, 3> twist{};
  double weight = 1;
  System system;
};

struct Settings {
  Method method = Method::vmc;
  System system;
  std::vector<TwistSystem> twists;  // several in one run, of which system is the first; empty: one run of system
  Jastrow jastrow;
  int64_t seed = 1;
  VmcSettings vmc;
  DmcSettings dmc;
  OptimiseSettings optimise;
  int64_t reinvert_interval = 100;  // sweeps between recomputed inverse Slater matrices
  bool pair_correlation = true, structure_factor = true, density = false;
  int64_t interval = 4;             // energies between samples of these
  int bins = 100;                   // of g(r)
  int64_t checkpoint_interval = 0;  // energies per walker; 0: at the end and when interrupted
  std::filesystem::path restart;
  CasinoReport casino;
  std::vector<std::string> unused;  // keys of the input not used by this method
};

// Minimum number of equilibration sweeps for tuning the time step.
inline constexpr int64_t fewest_tuning_sweeps = 100;

// The keys of an input, in the order of the help.
const std::vector<app::Key>& input_keys();

// Reads the settings of an input. Throws app::InputErrors with all errors of the input and of the CASINO files it names.
Settings read_settings(const app::Input& input);

// All settings that affect the numbers, except the length of the run, as text: runs with equal texts may continue each other.
std::string fingerprint(const Settings& settings);

}  // namespace suite::vmc
