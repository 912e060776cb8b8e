// SPDX-License-Identifier: BSD-3-Clause
#include "integration_setup.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include <suite/dfpt/grid.hpp>
#include "base/units.hpp"
#include "cut_planes.hpp"
#include "ewald.hpp"
#include "images.hpp"
#include "lebedev.hpp"
#include "partition.hpp"
#include "radial_tables.hpp"

namespace suite::all_electron {
namespace {

using std::numbers::pi;
constexpr double smallest_partition = 1e-15;

void check(const Molecule& molecule, const Choices& choices) {
  if (molecule.atoms.empty()) throw Failure(SUITE_INVALID_ARGUMENT, "the molecule has no atoms");
  if (choices.batch_target < 1 || choices.n_knots < 4)
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("batches of {} points and tables of {} knots; at least 1 and 4 are needed",
                                                      choices.batch_target, choices.n_knots));
  refuse_close_atoms(molecule);
}

// Numbers the species in order of first appearance.
std::vector<int> number_species(const Molecule& molecule, Setup& setup) {
  std::vector<int> charges;
  for (const Atom& atom : molecule.atoms) {
    auto found = std::find(charges.begin(), charges.end(), atom.Z);
    if (found == charges.end()) found = charges.insert(charges.end(), atom.Z);
    setup.atom_species.push_back(static_cast<int32_t>(found - charges.begin()) + 1);
    setup.atom_charge.push_back(atom.Z);
    setup.atom_coords.insert(setup.atom_coords.end(), atom.position.begin(), atom.position.end());
  }
  return charges;
}

BasisSet number_basis(const Setup& setup, const SpeciesSet& set) {
  BasisSet basis;
  for (size_t a = 0; a < setup.atom_species.size(); ++a) {
    const auto s = static_cast<size_t>(setup.atom_species[a] - 1);
    for (size_t f = 0; f < set.species[s].functions.size(); ++f) {
      const int l = set.species[s].functions[f].l;
      for (int m = -l; m <= l; ++m) {
        basis.basis_atom.push_back(static_cast<int32_t>(a) + 1);
        basis.basis_fn.push_back(set.first_function[s] + static_cast<int32_t>(f) + 1);
        basis.basis_l.push_back(l);
        basis.basis_m.push_back(m);
      }
    }
  }
  basis.n_basis = static_cast<int32_t>(basis.basis_atom.size());
  return basis;
}

// All points with weight, by atom and shell.
Grid make_points(const Setup& setup, const SpeciesSet& set, const Partition& partition) {
  struct Shell {
    size_t atom, number;
    std::vector<double> partition = {};
  };
  const auto shells_of = [&](size_t atom) -> const Shells& { return set.shells[static_cast<size_t>(setup.atom_species[atom] - 1)]; };
  std::vector<Shell> all;
  for (size_t a = 0; a < setup.n_home(); ++a)
    for (size_t s = 0; s < shells_of(a).r.size(); ++s) all.push_back({a, s});
#pragma omp parallel for schedule(dynamic, 16)
  for (Shell& shell : all) {
    const Shells& shells = shells_of(shell.atom);
    shell.partition = partition.on_sphere(shell.atom, shells.r[shell.number], angular_grid(shells.points[shell.number]).directions);
  }
  Grid grid;
  for (const auto& [a, s, p] : all) {
    const Shells& shells = shells_of(a);
    const AngularGrid& angular = angular_grid(shells.points[s]);
    grid.raw_points += p.size();
    for (size_t i = 0; i < p.size(); ++i) {
      if (!(p[i] > smallest_partition)) continue;
      for (int d = 0; d < 3; ++d)
        grid.coords.push_back(setup.atom_coords[3 * a + static_cast<size_t>(d)] +
                              shells.r[s] * angular.directions[i][static_cast<size_t>(d)]);
      grid.projection_weight.push_back(4 * pi * angular.weights[i] * p[i]);
      grid.partition_tab.push_back(grid.projection_weight.back() * shells.weights[s]);
      grid.point_atom.push_back(static_cast<int32_t>(a) + 1);
      grid.point_shell.push_back(static_cast<int32_t>(s) + 1);
    }
  }
  return grid;
}

Partition partition_of(const std::vector<double>& coords, const std::vector<int32_t>& species,
                       const std::vector<double>& radius_of_species) {
  std::vector<double> radius;
  for (int32_t s : species) radius.push_back(radius_of_species[static_cast<size_t>(s - 1)]);
  return Partition(coords, std::move(radius));
}

template <class Number> void permute(std::vector<Number>& values, const std::vector<uint32_t>& order, size_t width = 1) {
  std::vector<Number> sorted(values.size());
  for (size_t i = 0; i < order.size(); ++i)
    for (size_t d = 0; d < width; ++d) sorted[i * width + d] = values[order[i] * width + d];
  values = std::move(sorted);
}

void sort_into_batches(Grid& grid, size_t most) {
  const PointBatches batches = cut_into_batches(grid.coords, most);
  permute(grid.coords, batches.order, 3);
  permute(grid.projection_weight, batches.order);
  permute(grid.partition_tab, batches.order);
  permute(grid.point_atom, batches.order);
  permute(grid.point_shell, batches.order);
  for (size_t first : batches.first) grid.batch_points.push_back(static_cast<int32_t>(first) + 1);
}

// The functions that do not vanish at all points of a batch.
class ActiveFunctions {
public:
  ActiveFunctions(const Setup& setup) : setup_(setup), reach_(setup.atom_species.size(), 0.0) {
    const BasisSet& basis = setup.basis;
    for (int32_t i = basis.n_basis; i-- > 0;) {
      const auto a = static_cast<size_t>(basis.basis_atom[static_cast<size_t>(i)] - 1);
      reach_[a] = std::max(reach_[a], radius(static_cast<size_t>(i)));
    }
    first_.assign(reach_.size() + 1, 0);
    for (int32_t atom : basis.basis_atom) ++first_[static_cast<size_t>(atom)];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
  }

  void add(const double* coords, size_t points, std::vector<int32_t>& list) const {
    std::array<double, 3> centre{};
    for (size_t i = 0; i < 3 * points; ++i) centre[i % 3] += coords[i] / static_cast<double>(points);
    double size = 0;
    for (size_t i = 0; i < points; ++i) size = std::max(size, distance(centre.data(), coords + 3 * i));
    for (size_t a = 0; a < reach_.size(); ++a) {
      const double* const atom = &setup_.atom_coords[3 * a];
      if (distance(centre.data(), atom) >= size + reach_[a]) continue;
      double nearest = reach_[a];
      for (size_t i = 0; i < points; ++i) nearest = std::min(nearest, distance(atom, coords + 3 * i));
      for (size_t i = first_[a]; i < first_[a + 1]; ++i)
        if (nearest < radius(i)) list.push_back(static_cast<int32_t>(i) + 1);
    }
  }

private:
  double radius(size_t i) const { return setup_.tables.outer_radius[static_cast<size_t>(setup_.basis.basis_fn[i] - 1)]; }
  const Setup& setup_;
  std::vector<double> reach_;
  std::vector<size_t> first_;  // first function of each atom
};

void list_functions(const Setup& setup, Grid& grid) {
  const ActiveFunctions active(setup);
  std::vector<std::vector<int32_t>> lists(grid.n_batches());
#pragma omp parallel for schedule(dynamic, 16)
  for (size_t b = 0; b < lists.size(); ++b) {
    const auto first = static_cast<size_t>(grid.batch_points[b] - 1);
    active.add(&grid.coords[3 * first], static_cast<size_t>(grid.batch_points[b + 1] - 1) - first, lists[b]);
  }
  grid.batch_basis.push_back(1);
  for (const std::vector<int32_t>& list : lists) {
    grid.i_basis.insert(grid.i_basis.end(), list.begin(), list.end());
    grid.batch_basis.push_back(static_cast<int32_t>(grid.i_basis.size()) + 1);
  }
}

template <class Number> std::vector<Number> slice(const std::vector<Number>& values, size_t first, size_t last) {
  return {values.begin() + static_cast<std::ptrdiff_t>(first), values.begin() + static_cast<std::ptrdiff_t>(last)};
}

}  // namespace

void refuse_close_atoms(const Molecule& molecule) {
  constexpr double least_angstrom = 0.3;
  for (size_t a = 0; a < molecule.atoms.size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      const Atom &one = molecule.atoms[b], &other = molecule.atoms[a];
      const double apart = distance(one.position.data(), other.position.data()) * app::bohr_angstrom;
      if (!(apart >= least_angstrom))
        throw Failure(SUITE_INVALID_ARGUMENT,
                      fmt::format("atoms {} ({}) and {} ({}) are {:.3g} angstrom apart; the minimum is {:.1f}", b + 1,
                                  element_symbol(one.Z), a + 1, element_symbol(other.Z), apart, least_angstrom));
    }
}

int Molecule::electrons() const {
  int sum = -charge;
  for (const Atom& atom : atoms) sum += atom.Z;
  return sum;
}

size_t Grid::n_wave() const {
  size_t sum = 0;
  for (size_t b = 0; b < n_batches(); ++b)
    sum += static_cast<size_t>(batch_points[b + 1] - batch_points[b]) * static_cast<size_t>(batch_basis[b + 1] - batch_basis[b]);
  return sum;
}

namespace {

Setup with_electrons_of(const Molecule& atoms) {
  Setup setup;
  setup.electrons = atoms.electrons();
  setup.unpaired = atoms.unpaired;
  setup.two_spins = atoms.two_spins();
  setup.initial_moments = atoms.initial_moments;
  return setup;
}

void refuse_close_images(const Molecule& atoms, const Lattice& lattice) {
  constexpr double least = 0.3 / app::bohr_angstrom;
  for (size_t a = 0; a < atoms.atoms.size(); ++a)
    for (size_t b = 0; b <= a; ++b) {
      Place way;
      for (size_t d = 0; d < 3; ++d) way[d] = atoms.atoms[a].position[d] - atoms.atoms[b].position[d];
      for (const Cell& cell : lattice.cells_within(way, least)) {
        if (a == b && cell == Cell{0, 0, 0}) continue;
        throw Failure(SUITE_INVALID_ARGUMENT,
                      fmt::format("atom {} ({}) and an image of atom {} ({}) in cell {} {} {} are closer than 0.3 angstrom", a + 1,
                                  element_symbol(atoms.atoms[a].Z), b + 1, element_symbol(atoms.atoms[b].Z), -cell[0], -cell[1], -cell[2]));
      }
    }
}

// All points of the home cell's atoms, before the images that reach them are known.
Grid points_of_cell(const Setup& setup, const SpeciesSet& set, const Lattice& lattice) {
  std::vector<double> radius, reach, points = setup.atom_coords;
  for (size_t s = 0; s < set.shells.size(); ++s) radius.push_back(std::min(set.partition_radius[s], set.shells[s].r.back()));
  const double longest = *std::max_element(radius.begin(), radius.end());
  for (const int32_t s : setup.atom_species) reach.push_back(longest + radius[static_cast<size_t>(s - 1)]);
  const Images images = images_reaching(lattice, setup.atom_coords, reach, points);
  return make_points(setup, set, partition_of(images.coords, images.spread(setup.atom_species), radius));
}

}  // namespace

Setup prepare(const Molecule& atoms, const Choices& choices, const Lattice& lattice, double ewald_radius) {
  check(atoms, choices);
  refuse_close_images(atoms, lattice);
  Setup setup = with_electrons_of(atoms);
  SpeciesSet set = make_species(number_species(atoms, setup), choices);
  setup.grid = points_of_cell(setup, set, lattice);
  std::vector<double> reach;
  for (const int32_t s : setup.atom_species) {
    reach.push_back(0);
    for (int32_t f = set.first_function[static_cast<size_t>(s - 1)]; f < set.first_function[static_cast<size_t>(s)]; ++f)
      reach.back() = std::max(reach.back(), set.tables.outer_radius[static_cast<size_t>(f)]);
  }
  Images images = images_reaching(lattice, setup.atom_coords, reach, setup.grid.coords);
  setup.atom_species = images.spread(setup.atom_species);
  setup.atom_coords = std::move(images.coords);
  for (int32_t& atom : images.home) --atom;
  setup.crystal = Crystal{lattice, ewald_radius, std::move(images.home), std::move(images.cell)};
  Tables& t = set.tables;
  for (size_t s = 0; s < set.shells.size() && lattice.has_plane_waves(); ++s) {
    t.grid_max[s] = reach_of_tables(set.shells[s].r.back(), ewald_radius);
    t.multipole_radius[s] = t.grid_max[s] * (1 - 1e-8);
    const dfpt::RadialGrid knots = dfpt::grid_by_shells(t.grid_scale[s], t.grid_max[s], t.n_knots);
    for (int32_t k = 0; k < t.n_knots; ++k) t.knots[s * static_cast<size_t>(t.n_knots) + static_cast<size_t>(k)] = knots.radius(k);
  }
  setup.tables = std::move(set.tables);
  setup.basis = number_basis(setup, set);
  sort_into_batches(setup.grid, static_cast<size_t>(choices.batch_target));
  list_functions(setup, setup.grid);
  setup.species = std::move(set.species);
  for (const Species& species : setup.species) setup.l_hartree = std::max(setup.l_hartree, species.l_hartree);
  return setup;
}

Setup prepare(const Molecule& molecule, const Choices& choices) {
  check(molecule, choices);
  Setup setup = with_electrons_of(molecule);
  SpeciesSet set = make_species(number_species(molecule, setup), choices);
  setup.tables = std::move(set.tables);
  setup.basis = number_basis(setup, set);
  setup.grid = make_points(setup, set, partition_of(setup.atom_coords, setup.atom_species, set.partition_radius));
  sort_into_batches(setup.grid, static_cast<size_t>(choices.batch_target));
  list_functions(setup, setup.grid);
  setup.species = std::move(set.species);
  for (const Species& species : setup.species) setup.l_hartree = std::max(setup.l_hartree, species.l_hartree);
  return setup;
}

Grid points_at(const Setup& setup, std::vector<double> coords, size_t batch_target) {
  Grid grid;
  const size_t n = coords.size() / 3;
  grid.coords = std::move(coords);
  grid.partition_tab.assign(n, 0.0);
  grid.projection_weight.assign(n, 0.0);
  grid.point_atom.assign(n, 1);
  grid.point_shell.assign(n, 1);
  sort_into_batches(grid, batch_target);
  list_functions(setup, grid);
  return grid;
}

Grid part(const Grid& grid, size_t first, size_t last) {
  const auto point = static_cast<size_t>(grid.batch_points[first] - 1);
  const auto end = static_cast<size_t>(grid.batch_points[last] - 1);
  const auto entry = static_cast<size_t>(grid.batch_basis[first] - 1);
  Grid some;
  some.raw_points = grid.raw_points;
  some.coords = slice(grid.coords, 3 * point, 3 * end);
  some.partition_tab = slice(grid.partition_tab, point, end);
  some.projection_weight = slice(grid.projection_weight, point, end);
  some.point_atom = slice(grid.point_atom, point, end);
  some.point_shell = slice(grid.point_shell, point, end);
  some.batch_points = slice(grid.batch_points, first, last + 1);
  some.batch_basis = slice(grid.batch_basis, first, last + 1);
  for (int32_t& number : some.batch_points) number -= static_cast<int32_t>(point);
  for (int32_t& number : some.batch_basis) number -= static_cast<int32_t>(entry);
  some.i_basis = slice(grid.i_basis, entry, static_cast<size_t>(grid.batch_basis[last] - 1));
  return some;
}

Images atoms_reaching(const Setup& setup, const std::vector<double>& radius, std::span<const double> points) {
  const size_t n = setup.n_home();
  if (!setup.crystal) {
    Images all{setup.atom_coords, std::vector<int32_t>(n), std::vector<Cell>(n, Cell{})};
    std::iota(all.home.begin(), all.home.end(), 1);
    return all;
  }
  std::vector<double> reach;
  for (size_t a = 0; a < n; ++a) reach.push_back(radius[static_cast<size_t>(setup.atom_species[a] - 1)]);
  return images_reaching(setup.crystal->lattice, {setup.atom_coords.data(), 3 * n}, reach, points);
}

std::vector<double> free_potential_at_nuclei(const Setup& setup) {
  const Tables& tables = setup.tables;
  const size_t n = setup.n_home();
  const Images atoms = atoms_reaching(setup, tables.free_radius, {setup.atom_coords.data(), 3 * n});
  const std::vector<int32_t> species = atoms.spread(setup.atom_species);
  std::vector<double> potential(n);
  for (size_t b = 0; b < n; ++b)
    for (size_t a = 0; a < species.size(); ++a) {
      const auto s = static_cast<size_t>(species[a] - 1);
      if (a == b) {
        potential[b] += setup.species[s].free.hartree_at_nucleus;
        continue;
      }
      const double r = distance(&atoms.coords[3 * a], &setup.atom_coords[3 * b]);
      if (r >= tables.free_radius[s]) continue;
      const dfpt::Knot knot = dfpt::logarithmic_grid(tables.r_grid_min[s], tables.r_grid_inc[s], tables.n_grid).position(r);
      const double* const spline =
          &tables.free_potential_spl[4 * (s * static_cast<size_t>(tables.n_grid) + static_cast<size_t>(knot.number))];
      potential[b] += dfpt::cubic(spline, 1, knot.fraction) / std::sqrt(4 * pi);
    }
  return potential;
}

}  // namespace suite::all_electron
