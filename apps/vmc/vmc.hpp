// SPDX-License-Identifier: BSD-3-Clause
// Variational Monte Carlo: state and results of a run.
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

// A row of energy.csv: a block of steps, and the estimate up to its end.
struct TracePoint {
  double steps = 0, block_mean = 0, mean = 0, error = 0;
};

// State needed to continue a run, the same on every process.
struct VmcProgress {
  double tau = 0, first_acceptance = 0;  // from equilibration
  int64_t sweeps = 0, steps = 0;         // sweeps since the start; energies per walker
  double accepted = 0;                   // moves, without equilibration
  double deviation = 0;                  // largest deviation reported by Walkers::reinvert()
  double reference = 0;                  // of EnergySeries
  std::vector<double> rele;              // rele(3,netot,walkers)
  std::vector<double> energies;          // EnergySeries::states()
  std::vector<double> observables;       // Observables::state()
  std::vector<TracePoint> trace;
};

void save_checkpoint(const std::filesystem::path& file, const Settings& settings, const VmcProgress& progress);
// Throws Failure if the file has other settings, naming the first that differs.
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

// Runs VMC: equilibration, or the checkpoint settings.restart, then all steps. Collective.
VmcResult walk(const Settings& settings, app::Context& context);

// Output of a run (output.cpp, figures.cpp).
std::string table(const Settings& settings, const VmcResult& result);
nlohmann::ordered_json results(const Settings& settings, const VmcResult& result);
std::vector<app::TextFile> text_files(const Settings& settings, const VmcResult& result);
std::vector<app::TextFile> figures(const Settings& settings, const VmcResult& result);

}  // namespace suite::vmc
