// SPDX-License-Identifier: BSD-3-Clause
#include "radial_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <string>

#include <suite/plugin.hpp>

#include <suite/dfpt/grid.hpp>
#include <suite/dfpt/spline.hpp>
#include "lebedev.hpp"
#include "orbitals.hpp"

namespace suite::all_electron {
namespace {

constexpr double smallest_gaussian = 1e-9;                           // |u| where a function ends
constexpr double smallest_density = 1e-20;                           // bohr^-3
const double sqrt_4pi = std::sqrt(4 * std::numbers::pi);

// Gaussians have no confinement: their shells extend as far as the widest of them. As they serve for comparisons, their angular grids are
// finer and their shells more numerous. Six times as many leave errors of 1e-4 Ha in zinc and 3e-4 Ha in krypton (cc-pVDZ), nine times 2e-5 Ha.
constexpr double gaussian_tail = 1e-4;
constexpr int gaussian_outer_points = 590, gaussian_l_hartree = 8;
int gaussian_multiplier(int Z) { return Z <= 20 ? 6 : 9; }

// The radius at which the widest function of the shells has fallen to |u| = gaussian_tail.
double extent(const std::vector<GaussianShell>& shells) {
  double r = 1;
  for (const GaussianShell& shell : shells) {
    const double a = *std::min_element(shell.exponents.begin(), shell.exponents.end());
    const double norm = std::sqrt(2 * std::pow(2 * a, shell.l + 1.5) / std::tgamma(shell.l + 1.5));
    // Start beyond the maximum, where it decays.
    r = std::max(r, std::sqrt((shell.l + 1) / (2 * a)));
    while (norm * std::pow(r, shell.l + 1) * std::exp(-a * r * r) > gaussian_tail) r *= 1.02;
  }
  return r;
}

class TableMaker {
public:
  TableMaker(const std::vector<int>& charges, const Choices& choices) : charges_(charges), choices_(choices) {
    if (!choices.gaussian_file.empty()) gaussians_ = read_gaussian_basis(choices.gaussian_file);
  }

  SpeciesSet make() {
    for (int Z : charges_) plan(Z);
    size_tables();
    for (size_t s = 0; s < charges_.size(); ++s) add(s);
    set_.first_function.push_back(static_cast<int32_t>(set_.tables.outer_radius.size()));
    set_.tables.n_basis_fns = set_.first_function.back();
    return std::move(set_);
  }

private:
  bool gaussian() const { return !choices_.gaussian_file.empty(); }

  const std::vector<GaussianShell>& gaussian_shells(int Z) const {
    const auto found = gaussians_.find(Z);
    if (found != gaussians_.end()) return found->second;
    throw Failure(SUITE_INVALID_ARGUMENT, choices_.gaussian_file.string() + " has no functions for " + std::string(element_symbol(Z)));
  }

  void plan(int Z) {
    SpeciesLevel defaults;
    if (gaussian()) {
      defaults = grids_for_gaussians(Z);
      extend_shells(defaults, std::max(defaults.outermost, extent(gaussian_shells(Z))));
      defaults.radial_multiplier = gaussian_multiplier(Z);
      defaults.outer_points = gaussian_outer_points;
      defaults.l_hartree = gaussian_l_hartree;
    } else {
      definitions_.push_back(species_of(Z, choices_));
      tier_functions(definitions_.back(), choices_.level, choices_.tier);  // throws before an atom is solved
      defaults = definitions_.back().at(choices_.level);
    }
    Shells shells = make_shells(defaults.base_shells, defaults.outermost, choices_.radial_multiplier.value_or(defaults.radial_multiplier));
    if (choices_.angular_points) {
      angular_grid(*choices_.angular_points);  // throws for unknown numbers of points
      set_angular(shells, {}, *choices_.angular_points);
    } else {
      set_angular(shells, defaults.regions, defaults.outer_points);
    }
    defaults_.push_back(std::move(defaults));
    set_.shells.push_back(std::move(shells));
  }

  void size_tables() {
    Tables& tables = set_.tables;
    tables.n_species = static_cast<int32_t>(charges_.size());
    tables.n_knots = choices_.n_knots;
    double last = gaussian() ? 100 : 25;  // bohr, beyond every numeric function
    for (const Shells& shells : set_.shells) {
      last = std::max(last, 1.02 * shells.r.back());
      tables.n_radial = std::max(tables.n_radial, static_cast<int32_t>(shells.r.size()));
    }
    const int heaviest = *std::max_element(charges_.begin(), charges_.end());
    tables.n_grid = static_cast<int32_t>(std::ceil(std::log(last * heaviest / table_start) / std::log(table_ratio))) + 1;
    tables.r_radial.assign(static_cast<size_t>(tables.n_radial) * charges_.size(), 0.0);
  }

  void add(size_t s) {
    const int Z = charges_[s];
    const SpeciesLevel& defaults = defaults_[s];
    grid_ = solver_grid(Z, static_cast<size_t>(set_.tables.n_grid));
    SphericalAtom free;
    std::vector<Orbital> orbitals;
    if (gaussian()) {
      free = solve_atom(grid_, Z, ground_state_shells(Z), choices_.xc, std::nullopt);
      orbitals = gaussian_orbitals(grid_, gaussian_shells(Z));
    } else {
      const SpeciesDefinition& definition = definitions_[s];
      free = solve_atom(grid_, Z, definition.shells, choices_.xc, defaults.confinement);
      orbitals = numeric_orbitals(grid_, definition, choices_.level, choices_.tier, free, choices_.xc);
    }
    Species species;
    species.Z = Z;
    species.symbol = element_symbol(Z);
    species.l_hartree = choices_.l_hartree.value_or(defaults.l_hartree);
    species.free = describe(free);
    set_.partition_radius.push_back(gaussian() ? std::numeric_limits<double>::infinity() : species.free.radius);
    set_.tables.r_grid_min.push_back(table_start / Z);
    set_.tables.r_grid_inc.push_back(table_ratio);
    add_functions(orbitals, species);
    add_free(free, species.free.radius);
    add_shells(s);
    set_.species.push_back(std::move(species));
  }

  FreeAtom describe(const SphericalAtom& atom) const {
    FreeAtom free;
    free.energy = atom.energy;
    for (size_t i = 0; i < atom.shells.size(); ++i)
      free.shells.push_back({atom.shells[i].n, atom.shells[i].l, atom.shells[i].occupation, atom.states[i].energy});
    free.hartree_at_nucleus = atom.hartree_at_nucleus;
    free.radius = outer_radius(grid_, atom.density, smallest_density);
    return free;
  }

  void add_functions(const std::vector<Orbital>& orbitals, Species& species) {
    Tables& tables = set_.tables;
    set_.first_function.push_back(static_cast<int32_t>(tables.outer_radius.size()));
    for (const Orbital& orbital : orbitals) {
      const double end = outer_radius(grid_, orbital.u, gaussian() ? smallest_gaussian : smallest_numeric);
      species.functions.push_back({orbital.origin, orbital.l, orbital.energy, end});
      tables.outer_radius.push_back(end);
      add_table(tables.basis_wave_spl, [&](size_t i) { return orbital.u[i] / grid_.r[i]; });
      add_table(tables.basis_kin_spl, [&](size_t i) { return orbital.kinetic[i] / grid_.r[i]; });
    }
  }

  void add_free(const SphericalAtom& free, double radius) {
    set_.tables.free_radius.push_back(radius);
    add_table(set_.tables.free_density_spl, [&](size_t i) { return sqrt_4pi * free.density[i]; });
    const double Z = charges_[set_.species.size()];
    add_table(set_.tables.free_potential_spl, [&](size_t i) { return sqrt_4pi * (free.hartree[i] - Z / grid_.r[i]); });
  }

  // Appends the spline of a function at the solver grid's points.
  template <class Function> void add_table(std::vector<double>& table, Function&& function) const {
    const auto n = static_cast<size_t>(set_.tables.n_grid), at = table.size();
    std::vector<double> values(n);
    for (size_t k = 0; k < n; ++k) values[k] = function(table_offset + 2 * k);
    table.resize(at + 4 * n);
    dfpt::interleaved_splines(values.data(), static_cast<int64_t>(n), 1, &table[at]);
  }

  void add_shells(size_t s) {
    Tables& tables = set_.tables;
    const Shells& shells = set_.shells[s];
    std::copy(shells.r.begin(), shells.r.end(),
              tables.r_radial.begin() + static_cast<std::ptrdiff_t>(s * static_cast<size_t>(tables.n_radial)));
    // Radii beyond a species' last shell are padding that is never read.
    for (auto i = static_cast<int32_t>(shells.r.size()); i < tables.n_radial; ++i)
      tables.r_radial[s * static_cast<size_t>(tables.n_radial) + static_cast<size_t>(i)] =
          shells.r.back() + i + 1 - static_cast<double>(shells.r.size());
    tables.radial_points.push_back(static_cast<int32_t>(shells.r.size()));
    for (int32_t k = 0; k < tables.n_grid; ++k)
      tables.grid_shell.push_back(shells.number(grid_.r[table_offset + 2 * static_cast<size_t>(k)]));
    const dfpt::RadialGrid knots = dfpt::grid_by_shells(shells.scale, shells.r.back(), tables.n_knots);
    for (int32_t k = 0; k < tables.n_knots; ++k) tables.knots.push_back(knots.radius(k));
    tables.grid_scale.push_back(shells.scale);
    tables.grid_max.push_back(shells.r.back());
    // Slightly inside the last shell, beyond which there is no density; otherwise rounding would decide for each point of that shell which
    // side it is on.
    tables.multipole_radius.push_back(shells.r.back() * (1 - 1e-8));
  }

  const std::vector<int>& charges_;
  const Choices& choices_;
  std::map<int, std::vector<GaussianShell>> gaussians_;
  std::vector<SpeciesLevel> defaults_;
  std::vector<SpeciesDefinition> definitions_;  // of numeric orbitals
  LogGrid grid_;
  SpeciesSet set_;
};

}  // namespace

SpeciesDefinition species_of(int Z, const Choices& choices) {
  const auto own = choices.own_species.find(Z);
  SpeciesDefinition species = own == choices.own_species.end() ? numeric_species(Z) : own->second;
  if (!choices.onset) return species;
  SpeciesLevel& level = choices.level == Level::light ? species.light : species.tight;
  extend_shells(level, std::max(level.outermost, level.outermost + *choices.onset - level.confinement.onset));
  level.confinement.onset = *choices.onset;
  return species;
}

SpeciesSet make_species(const std::vector<int>& charges, const Choices& choices) { return TableMaker(charges, choices).make(); }

}  // namespace suite::all_electron
