// SPDX-License-Identifier: BSD-3-Clause
// Variational Monte Carlo: where a run is, and what it has found so far.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include "coulomb.hpp"
#include "energy_series.hpp"
#include "observables.hpp"
#include "run.hpp"
#include "statistics.hpp"

namespace suite::vmc {

// A row of energy.csv: a block of steps, and everything up to it.
struct TracePoint {
  double steps = 0, block_mean = 0, mean = 0, error = 0;
};

// All of a run that its continuation needs, the same on every process.
struct VmcProgress {
  double tau = 0, first_acceptance = 0;  // of the equilibration
  int64_t sweeps = 0, steps = 0;         // of the walk; energies of each walker
  double accepted = 0;                   // moves, without the equilibration
  double deviation = 0;                  // the largest that Walkers::reinvert() saw
  double reference = 0;                  // of EnergySeries
  std::vector<double> rele;              // rele(3,netot,walkers)
  std::vector<double> energies;          // EnergySeries::states()
  std::vector<double> observables;       // Observables::state()
  std::vector<TracePoint> trace;
};

void save_checkpoint(const std::filesystem::path& file, const Settings& settings, const VmcProgress& progress);
// Failure when the file is of other settings, naming the first that differs.
VmcProgress read_checkpoint(const std::filesystem::path& file, const Settings& settings);

struct VmcResult {
  Energies energy;
  double acceptance = 0, tau = 0, deviation = 0;
  int64_t steps = 0, restarted_at = 0;
  double equilibration_s = 0, sampling_s = 0;
  std::optional<CoulombSample> coulomb;  // of the root's first walker at the end
  std::vector<TracePoint> trace;
  Curves pair_correlation, structure_factor, density;
  int stopped_by = 0;
};

// The walk itself: equilibration or the checkpoint that settings.restart names, then every step. Collective.
VmcResult walk(const Settings& settings, app::Context& context);

// What a run leaves (output.cpp, figures.cpp).
std::string table(const Settings& settings, const VmcResult& result);
nlohmann::ordered_json results(const Settings& settings, const VmcResult& result);
std::vector<app::TextFile> text_files(const Settings& settings, const VmcResult& result);
std::vector<app::TextFile> figures(const Settings& settings, const VmcResult& result);

}  // namespace suite::vmc
