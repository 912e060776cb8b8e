// SPDX-License-Identifier: BSD-3-Clause
// checkpoint.h5 of method dmc: the population and all that was summed.
#include "dmc.hpp"

#include "../common/hdf5/checkpoint.hpp"

namespace suite::vmc {
namespace {

constexpr int dmc_version = 1;
constexpr int64_t step_size = 5, numbers_size = 13;

void write_run(app::hdf5::Writer& file, const std::string& name, const DmcRun& run) {
  std::vector<double> steps;
  for (const auto& s : run.steps)
    steps.insert(steps.end(), {s.energy, s.weight, s.population, s.best, s.trial});
  file.write(name + "/steps", steps.data(), {static_cast<int64_t>(run.steps.size()), step_size});
  file.write(name + "/numbers",
             std::vector<double>{run.tau, run.weight, run.square, run.reference, run.accepted, run.moves,
                                 run.diffused, run.proposed, run.best_energy, run.best_weight, run.best,
                                 run.trial, static_cast<double>(run.part.size())});
  for (size_t i = 0; i < run.part.size(); ++i)
    file.write(name + "/part" + std::to_string(i), run.part[i].state());
}

DmcRun read_run(const app::hdf5::File& file, const std::string& name) {
  DmcRun run;
  const auto steps = file.read<double>(name + "/steps", {app::hdf5::any, step_size});
  for (size_t i = 0; i < steps.size(); i += step_size)
    run.steps.push_back({steps[i], steps[i + 1], steps[i + 2], steps[i + 3], steps[i + 4]});
  const auto n = file.read<double>(name + "/numbers", {numbers_size});
  run.tau = n[0], run.weight = n[1], run.square = n[2], run.reference = n[3], run.accepted = n[4];
  run.moves = n[5], run.diffused = n[6], run.proposed = n[7], run.best_energy = n[8];
  run.best_weight = n[9], run.best = n[10], run.trial = n[11];
  for (size_t i = 0; i < run.part.size(); ++i)
    run.part[i] =
        Reblocking::restore(file.read<double>(name + "/part" + std::to_string(i), {app::hdf5::any}));
  return run;
}

std::string run_name(size_t i) { return "runs/" + std::to_string(i); }

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const Settings& settings, const DmcProgress& p) {
  app::hdf5::Writer file(path);
  app::hdf5::begin_checkpoint(file, "vmc", dmc_version, fingerprint(settings));
  file.write("numbers", std::vector<double>{p.deviation, p.vmc_energy, p.vmc_acceptance});
  file.write("sweeps", &p.sweeps, {1});
  file.write("rele", p.rele.data(), {static_cast<int64_t>(p.energies.size()), settings.system.netot(), 3});
  file.write("energies", p.energies);
  const auto runs = static_cast<int64_t>(p.runs.size());
  file.write("run_count", &runs, {1});
  for (size_t i = 0; i < p.runs.size(); ++i) write_run(file, run_name(i), p.runs[i]);
  file.commit();
}

DmcProgress read_dmc_checkpoint(const std::filesystem::path& path, const Settings& settings) {
  const app::hdf5::File file(path);
  app::hdf5::require_checkpoint(file, "vmc", dmc_version, fingerprint(settings));
  DmcProgress p;
  const auto numbers = file.read<double>("numbers", {3});
  p.deviation = numbers[0], p.vmc_energy = numbers[1], p.vmc_acceptance = numbers[2];
  p.sweeps = file.read<int64_t>("sweeps", {1}).front();
  p.energies = file.read<double>("energies", {app::hdf5::any});
  const auto walkers = static_cast<int64_t>(p.energies.size());
  p.rele = file.read<double>("rele", {walkers, settings.system.netot(), 3});
  if (walkers == 0) file.fail("energies", "there is no walker");
  const auto runs = file.read<int64_t>("run_count", {1}).front();
  if (runs < 0 || runs > static_cast<int64_t>(settings.dmc.time_steps.size()))
    file.fail("run_count", "there are more runs than time steps");
  for (size_t i = 0; i < static_cast<size_t>(runs); ++i) p.runs.push_back(read_run(file, run_name(i)));
  return p;
}

}  // namespace suite::vmc
