// SPDX-License-Identifier: BSD-3-Clause
// What an input of the vmc app asks for, in Hartree atomic units.
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
  int64_t walkers = 64;         // of all processes
  int64_t equilibration = 500;  // sweeps
  int64_t steps = 1000;         // energies of each walker
  int64_t decorrelation = 3;    // sweeps from one to the next
  double tau = 0;               // variance of a Gaussian move; 0: tuned to half of the moves accepted
  double first_tau = 0;         // where tuning starts; 0: at a length that suits the density
  Move move = Move::metropolis;
};

struct DmcSettings {
  std::vector<double> time_steps;  // hbar/Ha; several: extrapolated to 0
  int64_t target = 200;            // walkers of all processes
  int64_t equilibration = 200, steps = 1000;
  double alimit = 0.5;        // of Umrigar's drift limit
  double energy_limit = 0.2;  // alpha of E_cut = alpha sqrt(N/tau); 0: none
  double feedback = 10;       // steps in which the population is drawn back to its target
};

struct OptimiseSettings {
  std::string target = "variance";  // variance, energy, mad
  int cycles = 4;
  int64_t configurations = 2000;  // of all processes, in each cycle
  Free free;
  bool cutoff_asked = false;  // correlation.data marks the cutoff as optimisable, which it is not here
};

struct Settings {
  Method method = Method::vmc;
  System system;
  Jastrow jastrow;
  int64_t seed = 1;
  VmcSettings vmc;
  DmcSettings dmc;
  OptimiseSettings optimise;
  int64_t reinvert_interval = 100;  // sweeps from one fresh inversion of the Slater matrices to the next
  bool pair_correlation = true, structure_factor = true, density = false;
  int64_t interval = 4;             // energies from one look at these to the next
  int bins = 100;                   // of g(r)
  int64_t checkpoint_interval = 0;  // energies of each walker; 0: at the end and when interrupted
  std::filesystem::path restart;
  CasinoReport casino;
  std::vector<std::string> unused;  // keys of the input that this method does not look at
};

// Sweeps of the equilibration that finding the time step takes at least.
inline constexpr int64_t fewest_tuning_sweeps = 100;

// The keys of an input, in the order in which they are explained.
const std::vector<app::Key>& input_keys();

// The settings that an input means. Throws app::InputErrors with everything that is wrong with it and with
// the files of CASINO that it names.
Settings read_settings(const app::Input& input);

// Everything that the numbers of a run depend on but its length, as text: equal texts may continue each
// other.
std::string fingerprint(const Settings& settings);

}  // namespace suite::vmc
