// SPDX-License-Identifier: BSD-3-Clause
// Diffusion Monte Carlo with fixed nodes (Umrigar, Nightingale, Runge, J. Chem. Phys. 99, 2865 (1993)): where
// a run is, and what it has found so far.
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

// The population at the end of a step, all processes.
struct DmcStep {
  double energy = 0, weight = 0;  // sum w E_L/sum w and sum w, before branching
  double population = 0;          // walkers after it
  double best = 0, trial = 0;     // the estimate of the energy, and E_T of the step
};

// One time step's run.
struct DmcRun {
  double tau = 0;
  std::vector<DmcStep> steps;                // equilibration included
  std::array<Reblocking, part::count> part;  // without it, as the following sums
  Reblocking squares;                        // of (E_L - reference)^2
  double weight = 0, square = 0;             // sum w, sum w (E_L - reference)^2
  double reference = 0;
  double accepted = 0, moves = 0;
  double diffused = 0, proposed = 0;  // sums of tau g^2 over accepted and all moves, with the equilibration
  double best_energy = 0, best_weight = 0;  // sums of the running estimate
  double best = 0, trial = 0;

  double variance() const {
    if (!(weight > 0)) return 0;
    const double off = part[part::total].mean() - reference;
    return square / weight - off * off;
  }
  // tau is shortened by the moves that are refused.
  double effective_tau() const { return proposed > 0 ? tau * diffused / proposed : tau; }
};

// The trial function's energy, sampled by VMC with the walkers that DMC begins with.
struct TrialFunction {
  Reblocked energy;
  double variance_error = 0, acceptance = 0, tau = 0;
};

// All of a calculation that its continuation needs, the same on every process.
struct DmcProgress {
  int64_t sweeps = 0;    // of the walks
  double deviation = 0;  // the largest that Walkers::reinvert() saw
  TrialFunction trial;   // what VMC found of it
  std::vector<DmcRun> runs;
  std::vector<double> rele;      // rele(3,netot,walkers) of the population, by slot
  std::vector<double> energies;  // E_L of each
};

void save_checkpoint(const std::filesystem::path& file, const Settings& settings, const DmcProgress& progress);
// Failure when the file is of other settings, naming the first that differs.
DmcProgress read_dmc_checkpoint(const std::filesystem::path& file, const Settings& settings);

struct DmcResult {
  DmcProgress progress;
  int64_t restarted_at = 0;  // steps, of all time steps
  double equilibration_s = 0, sampling_s = 0;
  std::optional<CoulombSample> coulomb;  // of the root's first walker at the end
  int stopped_by = 0;
};

// The populations of every time step. Collective; every process keeps the books of the whole population, in
// the same order, so that its number of processes decides nothing but who moves which walker.
DmcResult diffuse(const Settings& settings, app::Context& context);

// The line through the energies of several time steps, where there is one.
struct Extrapolated {
  LinearFit fit;
  size_t points = 0;
};
std::optional<Extrapolated> extrapolated(const DmcResult& result);

// What a run leaves (dmc_output.cpp).
std::string table(const Settings& settings, const DmcResult& result);
nlohmann::ordered_json results(const Settings& settings, const DmcResult& result);
std::vector<app::TextFile> files(const Settings& settings, const DmcResult& result);

}  // namespace suite::vmc
