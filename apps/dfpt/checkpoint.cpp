// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoint.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/checkpoint/checkpoint.hpp"

namespace suite::all_electron {
namespace {

constexpr int version = 2;
constexpr int64_t energies_size = 8, scf_row = 4, response_row = 12, invariants_size = 5;

constexpr const char* of_spin[] = {"_up", "_down"};

std::vector<double> numbers_of(const Energies& e) {
  return {e.total, e.band, e.xc_potential, e.xc, e.electrostatic, e.kinetic, e.multipole_error, e.xc_gradients};
}

void write_ground_state(hdf5::Writer& file, const GroundState& g) {
  file.write("ground_state/energies", numbers_of(g.energies));
  std::vector<double> rows;
  for (const auto& s : g.steps) rows.insert(rows.end(), {s.energy, s.residual, s.highest_occupied, s.lowest_empty});
  file.write("ground_state/steps", rows.data(), {static_cast<int64_t>(g.steps.size()), scf_row});
  file.write("ground_state/dipole", g.dipole.data(), {3});
  file.write("ground_state/electrons", &g.electrons, {1});
  const auto write = [&](const States& states, const char* of) {
    file.write(fmt::format("ground_state/eigenvalues{}", of), states.eigenvalues.data(), {states.eigenvalues.size()});
    file.write(fmt::format("ground_state/C{}", of), states.C.data(), {states.C.cols(), states.C.rows()});
  };
  if (g.spins.empty()) return write(g.states, "");
  for (size_t s = 0; s < 2; ++s) write(g.spins[s].states, of_spin[s]);
}

States read_states(const hdf5::File& file, const char* of) {
  States states;
  const auto eigenvalues = file.read<double>(fmt::format("ground_state/eigenvalues{}", of), {hdf5::any});
  const auto n_states = static_cast<int64_t>(eigenvalues.size());
  const auto C = file.read<double>(fmt::format("ground_state/C{}", of), {n_states, hdf5::any});
  states.eigenvalues = Eigen::Map<const Eigen::VectorXd>(eigenvalues.data(), n_states);
  states.C = Eigen::Map<const Matrix>(C.data(), static_cast<int64_t>(C.size()) / n_states, n_states);
  return states;
}

GroundState read_ground_state(const hdf5::File& file) {
  GroundState g;
  const auto e = file.read<double>("ground_state/energies", {energies_size});
  g.energies = {e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7], {}};
  const auto rows = file.read<double>("ground_state/steps", {hdf5::any, scf_row});
  for (size_t i = 0; i < rows.size(); i += scf_row) g.steps.push_back({rows[i], rows[i + 1], rows[i + 2], rows[i + 3]});
  const auto dipole = file.read<double>("ground_state/dipole", {3});
  std::copy(dipole.begin(), dipole.end(), g.dipole.begin());
  g.electrons = file.read<double>("ground_state/electrons", {1}).front();
  if (file.has("ground_state/C")) g.states = read_states(file, "");
  else
    for (const char* of : of_spin) g.spins.push_back({read_states(file, of), {}});
  return g;
}

void write_response(hdf5::Writer& file, const Response& r) {
  std::vector<double> rows;
  for (const auto& s : r.steps) {
    rows.insert(rows.end(), s.residual.begin(), s.residual.end());
    for (const auto& row : s.polarizability) rows.insert(rows.end(), row.begin(), row.end());
  }
  file.write("response/steps", rows.data(), {static_cast<int64_t>(r.steps.size()), response_row});
  const Invariants& i = r.invariants;
  file.write("response/invariants", std::vector<double>{i.charge, i.overlap, i.idempotency, i.orthonormality, i.asymmetry});
}

Response read_response(const hdf5::File& file) {
  Response r;
  const auto rows = file.read<double>("response/steps", {hdf5::any, response_row});
  for (size_t i = 0; i < rows.size(); i += response_row) {
    ResponseStep step;
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(i), 3, step.residual.begin());
    for (size_t k = 0; k < 9; ++k) step.polarizability[k / 3][k % 3] = rows[i + 3 + k];
    r.steps.push_back(step);
  }
  const auto v = file.read<double>("response/invariants", {invariants_size});
  r.invariants = {v[0], v[1], v[2], v[3], v[4]};
  return r;
}

std::string history_name(size_t direction) { return fmt::format("mixer/history{}", direction); }

}  // namespace

std::vector<double> PointArrays::gather(std::span<const double> own, size_t n_dir) const {
  std::vector<double> all(all_ * n_dir, 0.0);
  for (size_t d = 0; d < n_dir; ++d)
    std::copy_n(own.begin() + static_cast<std::ptrdiff_t>(d * share_.n_points), share_.n_points,
                all.begin() + static_cast<std::ptrdiff_t>(d * all_ + share_.first_point));
  if (world_.size() > 1) world_.sum(all);  // exact: one process holds the number, the others 0
  return all;
}

std::vector<double> PointArrays::scatter(const std::vector<double>& all, size_t n_dir) const {
  std::vector<double> own(share_.n_points * n_dir);
  for (size_t d = 0; d < n_dir; ++d)
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(d * all_ + share_.first_point), share_.n_points,
                own.begin() + static_cast<std::ptrdiff_t>(d * share_.n_points));
  return own;
}

void save_checkpoint(const std::filesystem::path& path, const Settings& settings, const PointArrays& points, const GroundState& ground,
                     const Response* response, const DensityMixer* mixer, const app::Communicator& world) {
  std::optional<hdf5::Writer> file;
  if (world.root()) {
    file.emplace(path);
    app::begin_checkpoint(*file, "dfpt", version, fingerprint(settings));
    write_ground_state(*file, ground);
    if (response) write_response(*file, *response);
  }
  const auto all = static_cast<int64_t>(points.all());
  const auto write = [&](const std::string& name, std::span<const double> own, size_t n_dir) {
    const std::vector<double> whole = points.gather(own, n_dir);
    if (file) file->write(name, whole.data(), {static_cast<int64_t>(n_dir), all});
  };
  write("ground_state/density", ground.density, points.columns_of(ground.density));
  if (mixer) {
    write("mixer/density", mixer->density(), mixer->n_dir() * mixer->columns());
    for (size_t d = 0; d < mixer->n_dir(); ++d) {
      std::vector<double> rows;
      if (file) rows.reserve(2 * mixer->history(d).steps().size() * mixer->columns() * points.all());
      for (const auto& step : mixer->history(d).steps())
        for (const auto* values : {&step.in, &step.residual}) {
          if (world.size() == 1) {
            rows.insert(rows.end(), values->begin(), values->end());
            continue;
          }
          const std::vector<double> whole = points.gather(*values, mixer->columns());
          if (file) rows.insert(rows.end(), whole.begin(), whole.end());
        }
      const auto steps = static_cast<int64_t>(mixer->history(d).steps().size());
      if (file) file->write(history_name(d), rows.data(), {steps, 2, static_cast<int64_t>(mixer->columns()) * all});
    }
  }
  if (file) file->commit();
}

Checkpoint read_checkpoint(const std::filesystem::path& path, const Settings& settings, const PointArrays& points) {
  const hdf5::File file(path);
  app::require_checkpoint(file, "dfpt", version, fingerprint(settings));
  const auto all = static_cast<int64_t>(points.all());
  Checkpoint c;
  c.ground = read_ground_state(file);
  const int64_t columns = file.shape("ground_state/density").front();
  c.ground.density = points.scatter(file.read<double>("ground_state/density", {columns, all}), static_cast<size_t>(columns));
  if (file.has("response/steps")) c.response = read_response(file);
  c.ground_done = !file.has("mixer/density") || !c.response.steps.empty();
  if (!file.has("mixer/density")) return c;
  const int64_t mixed = file.shape("mixer/density").front(), n_dir = mixed / columns;
  c.mixer.density = points.scatter(file.read<double>("mixer/density", {mixed, all}), static_cast<size_t>(mixed));
  for (size_t d = 0; d < static_cast<size_t>(n_dir); ++d) {
    const auto rows = file.read<double>(history_name(d), {hdf5::any, 2, columns * all});
    std::vector<app::Pulay::Step> steps;
    const auto scatter = [&](auto from) { return points.scatter({from, from + columns * all}, static_cast<size_t>(columns)); };
    for (auto at = rows.begin(); at != rows.end(); at += 2 * columns * all) steps.push_back({scatter(at), scatter(at + columns * all)});
    c.mixer.history.push_back(std::move(steps));
  }
  return c;
}

DensityMixer mixer_of(const MixerState& state, const Iteration& how, const GridMatrices& grid, size_t columns, size_t measured) {
  DensityMixer mixer(how, grid, state.density, columns, measured);
  for (size_t d = 0; d < state.history.size(); ++d)
    for (const auto& step : state.history[d]) mixer.restore(d, step);
  return mixer;
}

}  // namespace suite::all_electron
