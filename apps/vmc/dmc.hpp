// SPDX-License-Identifier: BSD-3-Clause
// Fixed-node diffusion Monte Carlo (Umrigar, Nightingale, Runge, J. Chem. Phys. 99, 2865 (1993)): state and results of a run.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include "coulomb.hpp"
#include "energy_series.hpp"
#include "run.hpp"
#include "statistics.hpp"

namespace suite::vmc {

// The population of all processes at the end of a step.
struct DmcStep {
  double energy = 0, weight = 0;  // sum w E_L/sum w and sum w, before branching
  double population = 0;          // number of walkers after branching
  double best = 0, trial = 0;     // best estimate of the energy, and E_T of the step
};

// Run at one time step.
struct DmcRun {
  double tau = 0;
  std::vector<DmcStep> steps;                // including equilibration
  std::array<Reblocking, part::count> part;  // without equilibration, like the following sums
  Reblocking squares;                        // of (E_L - reference)^2
  double weight = 0, square = 0;             // sum w, sum w (E_L - reference)^2
  double reference = 0;
  double accepted = 0, moves = 0;
  double diffused = 0, proposed = 0;  // sums of tau g^2 over accepted and all moves, including equilibration
  double best_energy = 0, best_weight = 0;  // sums of the running energy estimate
  double best = 0, trial = 0;

  double variance() const {
    if (!(weight > 0)) return 0;
    const double off = part[part::total].mean() - reference;
    return square / weight - off * off;
  }
  // Time step corrected for rejected moves.
  double effective_tau() const { return proposed > 0 ? tau * diffused / proposed : tau; }
};

// Energy of the trial function, sampled by VMC with the initial walkers of DMC.
struct TrialFunction {
  Reblocked energy;
  double variance_error = 0, acceptance = 0, tau = 0;
};

// State needed to continue a calculation, the same on every process.
struct DmcProgress {
  int64_t sweeps = 0;    // since the start
  double deviation = 0;  // largest deviation reported by Walkers::reinvert()
  TrialFunction trial;   // VMC results of the trial function
  std::vector<DmcRun> runs;
  std::vector<double> rele;      // rele(3,netot,walkers) of the population, by slot
  std::vector<double> energies;  // E_L of each walker
};

void save_checkpoint(const std::filesystem::path& file, const Settings& settings, const DmcProgress& progress);
// Throws Failure if the file has other settings, naming the first that differs.
DmcProgress read_dmc_checkpoint(const std::filesystem::path& file, const Settings& settings);

struct DmcResult {
  DmcProgress progress;
  int64_t restarted_at = 0;  // steps, summed over all time steps
  double equilibration_s = 0, sampling_s = 0;
  std::optional<CoulombSample> coulomb;  // of the root's first walker at the end
  int stopped_by = 0;
};

// Runs the populations of all time steps. Collective; every process does the accounting of the whole population in the same order, so that
// the number of processes only determines which process moves which walker.
DmcResult diffuse(const Settings& settings, app::Context& context);

// Linear fit through the energies of several time steps, if there are enough.
struct Extrapolated {
  LinearFit fit;
  size_t points = 0;
};
std::optional<Extrapolated> extrapolated(const DmcResult& result);

// Output of a run (dmc_output.cpp).
std::string table(const Settings& settings, const DmcResult& result);
nlohmann::ordered_json results(const Settings& settings, const DmcResult& result);
std::vector<app::TextFile> files(const Settings& settings, const DmcResult& result);

}  // namespace suite::vmc
