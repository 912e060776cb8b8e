// SPDX-License-Identifier: BSD-3-Clause
// checkpoint.h5 of method dmc: the population and all sums.
#include "dmc.hpp"

#include <fmt/core.h>

#include "base/checkpoint/checkpoint.hpp"

namespace suite::vmc {
namespace {

constexpr int dmc_version = 4;
constexpr int64_t step_size = 5, numbers_size = 13;

void write_run(hdf5::Writer& file, const std::string& name, const DmcRun& run) {
  std::vector<double> steps;
  for (const auto& s : run.steps) steps.insert(steps.end(), {s.energy, s.weight, s.population, s.best, s.trial});
  file.write(name + "/steps", steps.data(), {static_cast<int64_t>(run.steps.size()), step_size});
  file.write(name + "/numbers",
             std::vector<double>{run.tau, run.weight, run.square, run.reference, run.accepted, run.moves, run.diffused, run.proposed,
                                 run.best_energy, run.best_weight, run.best, run.trial, static_cast<double>(run.part.size())});
  for (size_t i = 0; i < run.part.size(); ++i) file.write(fmt::format("{}/part{}", name, i), run.part[i].state());
  file.write(name + "/squares", run.squares.state());
}

DmcRun read_run(const hdf5::File& file, const std::string& name) {
  DmcRun run;
  const auto steps = file.read<double>(name + "/steps", {hdf5::any, step_size});
  for (size_t i = 0; i < steps.size(); i += step_size)
    run.steps.push_back({steps[i], steps[i + 1], steps[i + 2], steps[i + 3], steps[i + 4]});
  const auto n = file.read<double>(name + "/numbers", {numbers_size});
  run.tau = n[0], run.weight = n[1], run.square = n[2], run.reference = n[3], run.accepted = n[4];
  run.moves = n[5], run.diffused = n[6], run.proposed = n[7], run.best_energy = n[8];
  run.best_weight = n[9], run.best = n[10], run.trial = n[11];
  for (size_t i = 0; i < run.part.size(); ++i)
    run.part[i] = Reblocking::restore(file.read<double>(fmt::format("{}/part{}", name, i), {hdf5::any}));
  run.squares = Reblocking::restore(file.read<double>(name + "/squares", {hdf5::any}));
  return run;
}

constexpr int64_t trial_size = 12;

void write_trial(hdf5::Writer& file, const TrialFunction& t) {
  const Reblocked& e = t.energy;
  file.write("trial", std::vector<double>{e.mean, e.error, e.error_of_error, e.variance, e.correlation_time, static_cast<double>(e.samples),
                                          static_cast<double>(e.block_length), static_cast<double>(e.blocks), e.converged ? 1.0 : 0.0,
                                          t.variance_error, t.acceptance, t.tau});
}

TrialFunction read_trial(const hdf5::File& file) {
  const auto n = file.read<double>("trial", {trial_size});
  TrialFunction t;
  Reblocked& e = t.energy;
  e.mean = n[0], e.error = n[1], e.error_of_error = n[2], e.variance = n[3], e.correlation_time = n[4];
  e.samples = static_cast<int64_t>(n[5]), e.block_length = static_cast<int64_t>(n[6]);
  e.blocks = static_cast<int64_t>(n[7]), e.converged = n[8] != 0;
  t.variance_error = n[9], t.acceptance = n[10], t.tau = n[11];
  return t;
}

std::string run_name(size_t i) { return fmt::format("runs/{}", i); }

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const Settings& settings, const DmcProgress& p) {
  hdf5::Writer file(path);
  app::begin_checkpoint(file, "vmc", dmc_version, fingerprint(settings));
  file.write("numbers", std::vector<double>{p.deviation});
  write_trial(file, p.trial);
  file.write("sweeps", &p.sweeps, {1});
  file.write("rele", p.rele.data(), {static_cast<int64_t>(p.energies.size()), settings.system.netot(), 3});
  file.write("energies", p.energies);
  const auto runs = static_cast<int64_t>(p.runs.size());
  file.write("run_count", &runs, {1});
  for (size_t i = 0; i < p.runs.size(); ++i) write_run(file, run_name(i), p.runs[i]);
  file.commit();
}

DmcProgress read_dmc_checkpoint(const std::filesystem::path& path, const Settings& settings) {
  const hdf5::File file(path);
  app::require_checkpoint(file, "vmc", dmc_version, fingerprint(settings));
  DmcProgress p;
  p.deviation = file.read<double>("numbers", {1}).front();
  p.trial = read_trial(file);
  p.sweeps = file.read<int64_t>("sweeps", {1}).front();
  p.energies = file.read<double>("energies", {hdf5::any});
  const auto walkers = static_cast<int64_t>(p.energies.size());
  p.rele = file.read<double>("rele", {walkers, settings.system.netot(), 3});
  if (walkers == 0) file.fail("energies", "it has no walkers");
  const auto runs = file.read<int64_t>("run_count", {1}).front();
  if (runs < 0 || runs > static_cast<int64_t>(settings.dmc.time_steps.size())) file.fail("run_count", "it has more runs than time steps");
  for (size_t i = 0; i < static_cast<size_t>(runs); ++i) p.runs.push_back(read_run(file, run_name(i)));
  return p;
}

}  // namespace suite::vmc
