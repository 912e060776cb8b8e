// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace suite::all_electron {

namespace {

// From how many atoms on expansions take less time than sums over atoms, for one density and for three: with `cpu` they are as fast for 50
// and take 8 % less for 100. Others make them by sums over all pairs of terms. Plane waves leave no far fields.
bool expands_far_fields(const Setup& setup, const Kernels& kernels) {
  const size_t many_atoms = kernels.implementation() == "cpu" ? 100 : 250;
  return setup.n_home() >= many_atoms && !(setup.crystal && setup.crystal->lattice.has_plane_waves());
}

}  // namespace

Electrostatics::Electrostatics(const Setup& setup, const GridMatrices& grid, const app::Communicator& world, Kernels& kernels)
    : setup_(setup),
      grid_(grid),
      world_(world),
      kernels_(kernels),
      poisson_(kernels.open("poisson")),
      at_nuclei_(open_sum_up()),
      n_atoms_(static_cast<int64_t>(setup.n_home())),
      n_lm_((setup.l_hartree + 1) * (setup.l_hartree + 1)),
      first_atom_(n_atoms_ * world.rank() / world.size()),
      last_atom_(n_atoms_ * (world.rank() + 1) / world.size()) {
  if (setup.crystal && setup.crystal->lattice.has_plane_waves()) ewald_.emplace(setup, n_lm_);
  for (const UnitPoints& unit : grid.units()) {
    units_.push_back({unit, kernels.open("multipoles"),
                      open_sum_up(expands_far_fields(setup, kernels) ? app::Parameters{{"far", "tree"}} : app::Parameters{})});
    Kernel& k = units_.back().multipoles.kernel();
    const auto points = static_cast<int64_t>(unit.grid.n_points());
    set(k, "coords", unit.grid.coords, {3, points});
    set(k, "atom_coords", setup.atom_coords, {3, n_atoms_});
    set(k, "point_atom", unit.grid.point_atom, {points});
    set(k, "point_shell", unit.grid.point_shell, {points});
    set(k, "projection_weight", unit.grid.projection_weight, {points});
  }
}

Electrostatics::SumUp Electrostatics::open_sum_up(const app::Parameters& preferred) {
  return {kernels_.open("sum_up", preferred),
          setup_.crystal && setup_.crystal->lattice.has_plane_waves() ? &kernels_.open("reciprocal") : nullptr};
}

std::string Electrostatics::far_field() const {
  for (const app::Parameter& parameter : units_.front().sum_up.kernel.record().parameters)
    if (parameter.name == "far") return parameter.value;
  return "direct";
}

Rows Electrostatics::rows_of_unit(const Unit& unit) const {
  return {grid_.n_points(), unit.points.first_point, unit.points.grid.n_points()};
}

FreeAtoms Electrostatics::free_atoms() {
  const Tables& t = setup_.tables;
  std::vector<double> both = t.free_density_spl;
  both.insert(both.end(), t.free_potential_spl.begin(), t.free_potential_spl.end());
  const std::vector<double> moments(2 * static_cast<size_t>(t.n_species), 0.0);
  std::vector<double> sums(2 * grid_.n_points());
  app::TimedKernel& timed = kernels_.open("sum_up");
  Kernel& k = timed.kernel();
  set(k, "r_grid_min", t.r_grid_min, {t.n_species});
  set(k, "r_grid_inc", t.r_grid_inc, {t.n_species});
  set(k, "multipole_radius", t.free_radius, {t.n_species});
  set(k, "potential_spl", both, {1, 4, t.n_grid, t.n_species, 2});
  set(k, "moments", moments, {1, t.n_species, 2});
  for (const Unit& unit : units_) {
    const auto points = static_cast<int64_t>(unit.points.grid.n_points());
    std::vector<double> own(2 * static_cast<size_t>(points));
    const Images atoms = atoms_reaching(setup_, t.free_radius, unit.points.grid.coords);
    const std::vector<int32_t> species = atoms.spread(setup_.atom_species);
    set(k, "coords", unit.points.grid.coords, {3, points});
    set(k, "atom_coords", atoms.coords, {3, atoms.count()});
    set(k, "species", species, {atoms.count()});
    set(k, "atom_table", species, {atoms.count()});
    set(k, "potential", own, {points, 2});
    timed.run();
    k.get("potential", own.data(), {points, 2});
    put_rows(own, rows_of_unit(unit), sums);
  }
  kernels_.close(timed);  // frees what it stores about the points, several megabytes
  FreeAtoms free;
  const auto points = static_cast<std::ptrdiff_t>(grid_.n_points());
  free.density.assign(sums.begin(), sums.begin() + points);
  free.potential.assign(sums.begin() + points, sums.end());
  free.at_nuclei = free_potential_at_nuclei(setup_);
  return free;
}

void Electrostatics::multipoles(std::span<const double> densities, int64_t n_dir) {
  const int64_t n_radial = setup_.tables.n_radial;
  components_.resize(static_cast<size_t>(n_lm_ * n_radial * n_atoms_ * n_dir));
  const bool whole = units_.size() == 1;  // all points of this process
  std::vector<double> of_units, one(components_.size());
  for (Unit& unit : units_) {
    const auto points = static_cast<int64_t>(unit.points.grid.n_points());
    const std::vector<double> rho = whole ? std::vector<double>() : rows_of(densities, rows_of_unit(unit));
    Kernel& k = unit.multipoles.kernel();
    k.set("rho", whole ? densities.data() : rho.data(), {points, n_dir});
    set(k, "rho_multipole", one, {n_lm_, n_radial, n_atoms_, n_dir});
    unit.multipoles.run();
    k.get("rho_multipole", one.data(), {n_lm_, n_radial, n_atoms_, n_dir});
    of_units.insert(of_units.end(), one.begin(), one.end());
  }
  grid_.work_units().sum(of_units, components_);
}

namespace {

// Blocks of consecutive atoms in an array (block,n_atoms,n_dir).
struct AtomBlocks {
  double* data;
  int64_t n_atoms, first;
};

void copy_blocks(const AtomBlocks& from, const AtomBlocks& to, int64_t block, int64_t atoms, int64_t n_dir) {
  for (int64_t d = 0; d < n_dir; ++d)
    std::copy_n(from.data + block * (d * from.n_atoms + from.first), block * atoms, to.data + block * (d * to.n_atoms + to.first));
}

}  // namespace

// Builds the tables of all atoms from components_; every process solves for its own atoms.
void Electrostatics::poisson(int64_t n_dir, bool with_density) {
  const Tables& t = setup_.tables;
  const int64_t shells = n_lm_ * t.n_radial, table = n_lm_ * 4 * t.n_knots, own = last_atom_ - first_atom_;
  const int64_t n_tables = n_dir * (with_density ? 2 : 1);
  const auto size = [](int64_t a, int64_t b, int64_t c) { return static_cast<size_t>(a * b * c); };
  const bool alone = own == n_atoms_;
  tables_.resize(size(table, n_atoms_, n_tables));
  moments_.assign(size(n_lm_, n_atoms_, n_tables), 0.0);
  // Of this process's atoms; of all, in place: the tables of 300 atoms take 180 MB.
  std::vector<double> own_components(alone ? 0 : size(shells, own, n_dir)), own_tables(alone ? 0 : size(table, own, n_tables)),
      own_moments(alone ? 0 : size(n_lm_, own, n_dir));
  std::vector<double>&components = alone ? components_ : own_components, &tables = alone ? tables_ : own_tables,
  &moments = alone ? moments_ : own_moments;
  if (!alone) std::ranges::fill(tables_, 0.0);
  if (own > 0) {
    if (!alone) copy_blocks({components_.data(), n_atoms_, first_atom_}, {components.data(), own, 0}, shells, own, n_dir);
    Kernel& k = poisson_.kernel();
    k.set("species", setup_.atom_species.data() + first_atom_, {own});
    set(k, "r_radial", t.r_radial, {t.n_radial, t.n_species});
    set(k, "radial_points", t.radial_points, {t.n_species});
    set(k, "r_grid_min", t.r_grid_min, {t.n_species});
    set(k, "r_grid_inc", t.r_grid_inc, {t.n_species});
    set(k, "grid_shell", t.grid_shell, {t.n_grid, t.n_species});
    set(k, "knots", t.knots, {t.n_knots, t.n_species});
    set(k, "rho_multipole", components, {n_lm_, t.n_radial, own, n_dir});
    const Extents shape{n_lm_, 4, t.n_knots, own, n_dir};
    double* const density = tables.data() + size(table, own, n_dir);
    k.set("potential_spl", tables.data(), shape);
    set(k, "moments", moments, {n_lm_, own, n_dir});
    if (with_density) k.set("density_spl", density, shape);
    else unset(k, "density_spl");
    poisson_.run();
    k.get("potential_spl", tables.data(), shape);
    k.get("moments", moments.data(), {n_lm_, own, n_dir});
    if (with_density) k.get("density_spl", density, shape);
    if (!alone) copy_blocks({tables.data(), own, 0}, {tables_.data(), n_atoms_, first_atom_}, table, own, n_tables);
    if (!alone) copy_blocks({moments.data(), own, 0}, {moments_.data(), n_atoms_, first_atom_}, n_lm_, own, n_dir);
  }
  world_.sum(tables_);
  world_.sum(moments_);
  if (!ewald_) return;
  ewald_->split(tables_, moments_, n_dir);
  far_moments_.assign(moments_.size(), 0.0);
}

namespace {

// Of a chain, the cells that are summed atom by atom, on either side.
constexpr int near_cells = 100;

Images cells_of_chain(const Setup& setup) {
  Images images;
  for (int n = 0; n <= near_cells; ++n)
    for (const int cell : {n, -n}) {
      if (cell == 0 && images.count() > 0) continue;
      const Place R = setup.crystal->lattice.place({cell, 0, 0});
      for (size_t a = 0; a < setup.n_home(); ++a) {
        for (size_t d = 0; d < 3; ++d) images.coords.push_back(setup.atom_coords[3 * a + d] + R[d]);
        images.home.push_back(static_cast<int32_t>(a) + 1);
        images.cell.push_back({cell, 0, 0});
      }
    }
  return images;
}

}  // namespace

// The cells of a chain that are further away, by the dipole of a cell about whose middle the potential is expanded: 2/L^3 sum_n 1/n^3 (d.r - 3
// (d.e)(r.e)). The next order is smaller by (extent/distance)^2; constants do not count, since cells are neutral.
void Electrostatics::add_distant_cells(std::span<const double> coords, int64_t n_dir, std::vector<double>& potential) const {
  const Place& L = setup_.crystal->lattice.vectors()[0];
  const double square = L[0] * L[0] + L[1] * L[1] + L[2] * L[2], length = std::sqrt(square), pi = std::numbers::pi;
  // Euler-Maclaurin from the first cell that is left out.
  const double n = near_cells + 1;
  const double cubes = 1 / (2 * n * n) + 1 / (2 * n * n * n) + 1 / (4 * n * n * n * n);
  const size_t points = coords.size() / 3;
  for (int64_t d = 0; d < n_dir; ++d) {
    Place dipole{};
    for (int64_t a = 0; a < n_atoms_; ++a) {
      const double* const M = &moments_[static_cast<size_t>(n_lm_ * (a + n_atoms_ * d))];
      for (size_t x = 0; x < 3; ++x) dipole[x] += M[0] / std::sqrt(4 * pi) * setup_.atom_coords[static_cast<size_t>(3 * a) + x];
      if (n_lm_ < 4) continue;
      dipole[0] += std::sqrt(0.75 / pi) * M[3];
      dipole[1] += std::sqrt(0.75 / pi) * M[1];
      dipole[2] += std::sqrt(0.75 / pi) * M[2];
    }
    const double along = dipole[0] * L[0] + dipole[1] * L[1] + dipole[2] * L[2];
    for (size_t p = 0; p < points; ++p) {
      const double* const r = &coords[3 * p];
      const double scalar = dipole[0] * r[0] + dipole[1] * r[1] + dipole[2] * r[2], of_r = r[0] * L[0] + r[1] * L[1] + r[2] * L[2];
      potential[points * static_cast<size_t>(d) + p] += 2 * cubes / (square * length) * (scalar - 3 * along * of_r / square);
    }
  }
}

void Electrostatics::prepare(SumUp& call, std::span<const double> coords) {
  const Tables& t = setup_.tables;
  const bool chain = setup_.crystal && !setup_.crystal->lattice.has_plane_waves();
  call.atoms = chain ? cells_of_chain(setup_) : atoms_reaching(setup_, t.grid_max, coords);
  call.species = call.atoms.spread(setup_.atom_species);
  const int64_t n = call.atoms.count();
  Kernel& k = call.kernel.kernel();
  set(k, "atom_coords", call.atoms.coords, {3, n});
  set(k, "species", call.species, {n});
  k.set("coords", coords.data(), {3, static_cast<int64_t>(coords.size() / 3)});
  set(k, "atom_table", call.atoms.home, {n});
  set(k, "grid_scale", t.grid_scale, {t.n_species});
  set(k, "grid_max", t.grid_max, {t.n_species});
  set(k, "multipole_radius", t.multipole_radius, {t.n_species});
  if (ewald_) ewald_->set_points(call.reciprocal->kernel(), coords);
  call.ready = true;
}

std::vector<double> Electrostatics::sum_up(SumUp& call, std::span<const double> coords, int64_t n_dir, int64_t n_potentials) {
  const auto points = static_cast<int64_t>(coords.size() / 3);
  if (!call.ready) prepare(call, coords);
  std::vector<double> potential(static_cast<size_t>(points * n_dir));
  Kernel& k = call.kernel.kernel();
  set(k, "potential_spl", tables_, {n_lm_, 4, setup_.tables.n_knots, n_atoms_, n_dir});
  set(k, "moments", ewald_ ? far_moments_ : moments_, {n_lm_, n_atoms_, n_dir});
  set(k, "potential", potential, {points, n_dir});
  call.kernel.run();
  k.get("potential", potential.data(), {points, n_dir});
  if (ewald_) add_plane_waves(call, points, n_potentials, potential);
  else if (setup_.crystal) add_distant_cells(coords, n_potentials, potential);
  return potential;
}

void Electrostatics::add_plane_waves(SumUp& call, int64_t points, int64_t n_dir, std::vector<double>& potential) {
  for (int64_t d = 0; d < n_dir; ++d) {
    const double offset = ewald_->offset(std::span<const double>(moments_).subspan(static_cast<size_t>(n_lm_ * n_atoms_ * d)));
    for (int64_t p = points * d; p < points * (d + 1); ++p) potential[static_cast<size_t>(p)] -= offset;
  }
  Kernel& k = call.reciprocal->kernel();
  k.set("moments", moments_.data(), {n_lm_, n_atoms_, n_dir});
  k.set("potential", potential.data(), {points, n_dir});
  call.reciprocal->run();
  k.get("potential", potential.data(), {points, n_dir});
}

std::vector<double> Electrostatics::at_all_points(int64_t n_dir, int64_t n_potentials) {
  if (units_.size() == 1) return sum_up(units_.front().sum_up, units_.front().points.grid.coords, n_dir, n_potentials);
  std::vector<double> all(grid_.n_points() * static_cast<size_t>(n_dir));
  for (Unit& unit : units_) put_rows(sum_up(unit.sum_up, unit.points.grid.coords, n_dir, n_potentials), rows_of_unit(unit), all);
  return all;
}

Electrostatics::Solution Electrostatics::solve(std::span<const double> density) {
  multipoles(density, 1);
  poisson(1, true);
  // Potential and density share the geometry: two directions of one call. The density's moments are 0.
  const auto points = static_cast<std::ptrdiff_t>(grid_.n_points());
  const std::vector<double> both = at_all_points(2, 1);
  const std::vector<double> nuclei = sum_up(at_nuclei_, {setup_.atom_coords.data(), static_cast<size_t>(3 * n_atoms_)}, 2, 1);
  return {{both.begin(), both.begin() + points}, {both.begin() + points, both.end()}, {nuclei.begin(), nuclei.begin() + n_atoms_}};
}

std::vector<double> Electrostatics::potentials(std::span<const double> densities) {
  const auto n_dir = static_cast<int64_t>(densities.size() / grid_.n_points());
  multipoles(densities, n_dir);
  poisson(n_dir, false);
  return at_all_points(n_dir, n_dir);
}

}  // namespace suite::all_electron
