// SPDX-License-Identifier: BSD-3-Clause
#include "sample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

namespace suite::all_electron {
namespace {

constexpr size_t most_sampled = 8;  // atoms nearest to the first one; large molecules take long to prepare
constexpr int64_t most_points = 4000;
constexpr int64_t n_dir = 3;

Molecule nearest_atoms(const Molecule& molecule) {
  Molecule some = molecule;
  if (some.atoms.size() <= most_sampled) return some;
  const Atom first = some.atoms.front();
  const auto square = [&](const Atom& atom) {
    double sum = 0;
    for (size_t d = 0; d < 3; ++d) sum += std::pow(atom.position[d] - first.position[d], 2);
    return sum;
  };
  std::stable_sort(some.atoms.begin(), some.atoms.end(), [&](const Atom& a, const Atom& b) { return square(a) < square(b); });
  some.atoms.resize(most_sampled);
  return some;
}

// Response densities of plausible shape: polarised clouds around all atoms.
std::vector<double> clouds(const Setup& setup) {
  const size_t points = setup.grid.n_points();
  std::vector<double> density(points * n_dir, 0.0);
  for (size_t i = 0; i < points; ++i)
    for (size_t a = 0; a < setup.atom_charge.size(); ++a) {
      double to[3], square = 0;
      for (size_t d = 0; d < 3; ++d) {
        to[d] = setup.grid.coords[3 * i + d] - setup.atom_coords[3 * a + d];
        square += to[d] * to[d];
      }
      const double cloud = std::exp(-std::sqrt(square));
      for (size_t d = 0; d < n_dir; ++d) density[d * points + i] += (0.1 + to[d]) * cloud;
    }
  return density;
}

struct Call {
  Setup setup;
  std::vector<int32_t> own_table;
  std::vector<double> tables, moments, potential;

  explicit Call(const Settings& settings) : setup(prepare(nearest_atoms(settings.molecule), settings.choices)) {
    own_table.resize(setup.atom_charge.size());
    std::iota(own_table.begin(), own_table.end(), 1);
    potential.resize(static_cast<size_t>(points() * n_dir));
    make_tables();
  }

  int64_t atoms() const { return static_cast<int64_t>(own_table.size()); }
  int64_t points() const { return std::min(most_points, static_cast<int64_t>(setup.grid.n_points())); }
  int64_t n_lm() const { return (setup.l_hartree + 1) * (setup.l_hartree + 1); }

  void make_tables() {
    const Grid& g = setup.grid;
    const Tables& t = setup.tables;
    const auto all = static_cast<int64_t>(g.n_points());
    const std::vector<double> density = clouds(setup);
    std::vector<double> components(static_cast<size_t>(n_lm() * t.n_radial * atoms() * n_dir));
    Kernel project("dfpt.multipoles", "reference"), solve("dfpt.poisson", "reference");
    project.set("coords", g.coords.data(), {3, all});
    project.set("atom_coords", setup.atom_coords.data(), {3, atoms()});
    project.set("point_atom", g.point_atom.data(), {all});
    project.set("point_shell", g.point_shell.data(), {all});
    project.set("projection_weight", g.projection_weight.data(), {all});
    project.set("rho", density.data(), {all, n_dir});
    project.set("rho_multipole", components.data(), {n_lm(), t.n_radial, atoms(), n_dir});
    project.run();
    tables.resize(static_cast<size_t>(n_lm() * 4 * t.n_knots * atoms() * n_dir));
    moments.resize(static_cast<size_t>(n_lm() * atoms() * n_dir));
    solve.set("species", setup.atom_species.data(), {atoms()});
    solve.set("r_radial", t.r_radial.data(), {t.n_radial, t.n_species});
    solve.set("radial_points", t.radial_points.data(), {t.n_species});
    solve.set("r_grid_min", t.r_grid_min.data(), {t.n_species});
    solve.set("r_grid_inc", t.r_grid_inc.data(), {t.n_species});
    solve.set("grid_shell", t.grid_shell.data(), {t.n_grid, t.n_species});
    solve.set("knots", t.knots.data(), {t.n_knots, t.n_species});
    solve.set("rho_multipole", components.data(), {n_lm(), t.n_radial, atoms(), n_dir});
    solve.set("potential_spl", tables.data(), {n_lm(), 4, t.n_knots, atoms(), n_dir});
    solve.set("moments", moments.data(), {n_lm(), atoms(), n_dir});
    solve.run();
  }

  void set(Kernel& k) {
    const Tables& t = setup.tables;
    k.set("coords", setup.grid.coords.data(), {3, points()});
    k.set("atom_coords", setup.atom_coords.data(), {3, atoms()});
    k.set("species", setup.atom_species.data(), {atoms()});
    k.set("atom_table", own_table.data(), {atoms()});
    k.set("grid_scale", t.grid_scale.data(), {t.n_species});
    k.set("grid_max", t.grid_max.data(), {t.n_species});
    k.set("multipole_radius", t.multipole_radius.data(), {t.n_species});
    k.set("potential_spl", tables.data(), {n_lm(), 4, t.n_knots, atoms(), n_dir});
    k.set("moments", moments.data(), {n_lm(), atoms(), n_dir});
    k.set("potential", potential.data(), {points(), n_dir});
  }
};

}  // namespace

app::App::Sample typical_call(const Settings& settings) {
  const auto call = std::make_shared<Call>(settings);
  app::App::Sample sample;
  sample.data = call;
  sample.kernel = "dfpt.sum_up";
  sample.set_arguments = [call = call.get()](Kernel& kernel) { call->set(kernel); };
  sample.description = fmt::format("{} points, {} atoms, {} multipoles, three directions", call->points(), call->atoms(), call->n_lm());
  return sample;
}

}  // namespace suite::all_electron
