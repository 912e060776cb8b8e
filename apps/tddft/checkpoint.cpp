// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoint.hpp"

#include <optional>

#include <fmt/core.h>

#include "base/checkpoint/checkpoint.hpp"

namespace suite::tddft {
namespace {

using app::begin_checkpoint, app::read_rows, app::require_checkpoint, app::write_rows;

constexpr int version = 3;
constexpr int64_t sample_size = 10;  // step, five parts, work, three of the ions

std::string run_name(size_t run) { return fmt::format("runs/{}", run); }

void write_series(hdf5::Writer& file, const std::string& name, const TimeSeries& series) {
  write_rows(file, name + "/dipole", series.dipole);
  write_rows(file, name + "/current", series.current);
  if (!series.spin_dipole.empty()) write_rows(file, name + "/spin_dipole", series.spin_dipole);
  if (!series.absorbed.empty()) write_rows(file, name + "/absorbed", series.absorbed);
  file.write(name + "/electrons", series.electrons);
  std::vector<double> energies;
  for (const auto& sample : series.energies) {
    energies.push_back(static_cast<double>(sample.step));
    energies.insert(energies.end(), sample.parts.begin(), sample.parts.end());
    energies.insert(energies.end(), {sample.work, sample.ions, sample.ion_kinetic, sample.ion_work});
  }
  file.write(name + "/looks", energies.data(), {static_cast<int64_t>(series.energies.size()), sample_size});
}

TimeSeries read_series(const hdf5::File& file, const std::string& name) {
  TimeSeries series;
  series.dipole = read_rows(file, name + "/dipole");
  series.current = read_rows(file, name + "/current");
  series.electrons = file.read<double>(name + "/electrons", {hdf5::any});
  if (file.has(name + "/spin_dipole")) series.spin_dipole = read_rows(file, name + "/spin_dipole");
  if (file.has(name + "/absorbed")) series.absorbed = read_rows(file, name + "/absorbed");
  if (!series.absorbed.empty() && series.absorbed.size() != series.dipole.size())
    file.fail(name, "its dipole and that of what was absorbed are of different lengths");
  if (!series.spin_dipole.empty() && series.spin_dipole.size() != series.dipole.size())
    file.fail(name, "its dipole and that of its spins are of different lengths");
  if (series.dipole.empty() || series.current.size() != series.dipole.size() || series.electrons.size() != series.dipole.size())
    file.fail(name, "its dipole, current and electrons are of different lengths");
  const auto energies = file.read<double>(name + "/looks", {hdf5::any, sample_size});
  for (size_t i = 0; i < energies.size(); i += sample_size) {
    EnergySample sample;
    sample.step = static_cast<int64_t>(energies[i]);
    for (size_t part = 0; part < 5; ++part) sample.parts[part] = energies[i + 1 + part];
    sample.work = energies[i + 6];
    sample.ions = energies[i + 7], sample.ion_kinetic = energies[i + 8], sample.ion_work = energies[i + 9];
    series.energies.push_back(sample);
  }
  if (series.energies.empty()) file.fail(name, "it has no energies");
  return series;
}

void write_ground_state(hdf5::Writer& file, const Settings& settings, const GroundState& g, bool orbitals) {
  const auto vector = [&](const char* name, const std::vector<double>& values) { file.write(std::string("ground_state/") + name, values); };
  vector("f", g.f);
  vector("k", g.k);
  vector("eigenvalues", g.eigenvalues_Ha);
  vector("rho", g.rho);
  vector("vloc", g.vloc);
  const auto& e = g.energies;
  vector("energies", {e.kinetic, e.local, e.nonlocal, e.hartree, e.xc, e.ions});
  vector("errors", {g.residual_Ha, g.density_error});
  vector("lowest_empty", {g.lowest_empty_Ha});
  if (g.spins == 2) vector("magnetisation", g.magnetisation);
  write_rows(file, "ground_state/forces", g.forces);
  const int64_t numbers[] = {g.bands, g.orbitals, g.iterations, g.converged};
  file.write("ground_state/numbers", numbers, {4});
  const auto& v = g.nonlocal;
  const int64_t sizes[] = {v.nsphere, v.nproj, v.natom};
  file.write("ground_state/nonlocal/sizes", sizes, {3});
  file.write("ground_state/nonlocal/nlpoint", v.nlpoint);
  vector("nonlocal/nldisp", v.nldisp);
  vector("nonlocal/beta", v.beta);
  vector("nonlocal/dnl", v.dnl);
  const auto& p = settings.system.grid.points;
  if (orbitals) file.write("ground_state/psi", reinterpret_cast<const double*>(g.psi.data()), {p[0], p[1], p[2], g.orbitals, 2});
}

GroundState read_ground_state(const hdf5::File& file, const Settings& settings) {
  const auto& p = settings.system.grid.points;
  const auto points = static_cast<int64_t>(settings.system.grid.size());
  const auto vector = [&](const char* name, int64_t size) { return file.read<double>(std::string("ground_state/") + name, {size}); };
  GroundState g;
  const auto numbers = file.read<int64_t>("ground_state/numbers", {4});
  g.bands = static_cast<int>(numbers[0]);
  g.orbitals = numbers[1];
  g.iterations = static_cast<int>(numbers[2]);
  g.converged = numbers[3] != 0;
  g.f = vector("f", g.orbitals);
  g.k = vector("k", 3 * g.orbitals);
  g.eigenvalues_Ha = vector("eigenvalues", g.orbitals);
  g.rho = vector("rho", points);
  g.vloc = vector("vloc", points);
  const auto e = vector("energies", 6), errors = vector("errors", 2);
  g.energies = {e[0], e[1], e[2], e[3], e[4], e[5]};
  g.residual_Ha = errors[0];
  g.density_error = errors[1];
  g.lowest_empty_Ha = vector("lowest_empty", 1)[0];
  g.spins = settings.system.spins();
  if (g.spins == 2) g.magnetisation = vector("magnetisation", points);
  g.forces = read_rows(file, "ground_state/forces");
  auto& v = g.nonlocal;
  const auto sizes = file.read<int64_t>("ground_state/nonlocal/sizes", {3});
  v.nsphere = sizes[0], v.nproj = sizes[1], v.natom = sizes[2];
  v.nlpoint = file.read<int32_t>("ground_state/nonlocal/nlpoint", {v.nsphere * v.natom});
  v.nldisp = vector("nonlocal/nldisp", 3 * v.nsphere * v.natom);
  v.beta = vector("nonlocal/beta", v.nsphere * v.nproj * v.natom);
  v.dnl = vector("nonlocal/dnl", v.nproj * v.nproj * v.natom);
  if (file.has("ground_state/psi")) {
    const auto psi = file.read<double>("ground_state/psi", {p[0], p[1], p[2], g.orbitals, 2});
    g.psi.resize(psi.size() / 2);
    for (size_t i = 0; i < g.psi.size(); ++i) g.psi[i] = {psi[2 * i], psi[2 * i + 1]};
  }
  return g;
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const Settings& settings, const Progress& progress, Saved& state,
                     const app::Communicator& world) {
  std::optional<hdf5::Writer> file;
  if (world.root()) {
    file.emplace(path);
    begin_checkpoint(*file, "tddft", version, fingerprint(settings));
    write_ground_state(*file, settings, progress.ground_state,
                       settings.ions.dynamics != Dynamics::ground_state && progress.run() + 1 < settings.runs());
    file->write("sum_rule", progress.sum_rule.data(), {3});
    const int runs = static_cast<int>(progress.runs.size());
    file->write("count", &runs, {1});
    for (size_t run = 0; run < progress.runs.size(); ++run) write_series(*file, run_name(run), progress.runs[run]);
  }
  if (file && !progress.trajectory.now.positions.empty()) write_trajectory(*file, "ions", progress.trajectory);
  state.save(file ? &*file : nullptr, "now");
  if (file) file->commit();
}

Progress read_checkpoint(const hdf5::File& file, const Settings& settings) {
  require_checkpoint(file, "tddft", version, fingerprint(settings));
  Progress progress;
  progress.ground_state = read_ground_state(file, settings);
  const auto sums = file.read<double>("sum_rule", {3});
  progress.sum_rule = {sums[0], sums[1], sums[2]};
  const int runs = file.integer("count", 0, settings.runs());
  for (int run = 0; run < runs; ++run) progress.runs.push_back(read_series(file, run_name(static_cast<size_t>(run))));
  if (settings.moving() && file.has("ions")) progress.trajectory = read_trajectory(file, "ions", settings.system.atoms.size());
  return progress;
}

}  // namespace suite::tddft
