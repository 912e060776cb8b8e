// SPDX-License-Identifier: BSD-3-Clause
#include "orbitals.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "integration_setup.hpp"

namespace suite::all_electron {
namespace {

constexpr double cutoff_threshold = 1e-4;  // basis_dep_cutoff
constexpr double smallest_norm = 1e-4;

// Every second point belongs to the tables' grid, including the last one.
bool is_of_tables(const LogGrid& grid, size_t i) { return (grid.size() - 1 - i) % 2 == 0; }

class OrbitalMaker {
public:
  OrbitalMaker(const LogGrid& grid, const SpeciesDefinition& species, Level level, const SphericalAtom& free, Xc xc)
      : grid_(grid), species_(species), confinement_(species.at(level).confinement), free_(free), xc_(xc) {}

  void add_atomic() {
    // Sorted by l, then n, so that the shells of a species are contiguous.
    std::vector<size_t> order(free_.shells.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return free_.shells[a].l < free_.shells[b].l; });
    for (size_t i : order) {
      const Shell& shell = free_.shells[i];
      const std::string origin = fmt::format("atomic {}{}", shell.n, shell_letters[shell.l]);
      require_bound(origin, free_.states[i].energy);
      add(origin, shell.n, shell.l, free_.potential, confinement_);
    }
  }

  void add(const NumericFunction& function) {
    switch (function.kind) {
      case NumericFunction::Kind::ionic:
        if (!ion_) ion_ = solve_atom(grid_, species_.Z, species_.ion, xc_, confinement_);
        return add_bound(function, ion_->potential);
      case NumericFunction::Kind::hydrogenic: {
        std::vector<double> v(grid_.size());
        for (size_t i = 0; i < grid_.size(); ++i) v[i] = -function.value / grid_.r[i];
        return add_bound(function, v);
      }
      case NumericFunction::Kind::confined:
        if (function.value > confinement_.onset)
          refuse(fmt::format("'{}' begins to be confined at {:g} bohr, which is beyond the onset of the level, {:.4g} bohr",
                             text_of(function), function.value, confinement_.onset));
        return add(text_of(function), function.n, function.l, free_.potential, {function.value, confinement_.width, confinement_.scale});
      case NumericFunction::Kind::gaussian: return add_gaussian(function);
    }
  }

  std::vector<Orbital> take() { return std::move(orbitals_); }

private:
  RadialState solve(const std::vector<double>& v, const Confinement& confinement, int n, int l, std::vector<double>& total) const {
    total = confining_potential(grid_, confinement);
    for (size_t i = 0; i < grid_.size(); ++i) total[i] += v[i];
    return solve_radial(grid_, total, grid_.first_from(confinement.end()), n, l);
  }

  [[noreturn]] void refuse(const std::string& sentence) const {
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("{}: {}", species_.source.empty() ? element_symbol(species_.Z) : species_.source.c_str(), sentence));
  }

  void require_bound(const std::string& origin, double energy) const {
    if (!(energy < 0))
      refuse(fmt::format("'{}' is not bound: its energy within the confinement is {:+.4f} Ha; the wall stands at {:.4g} bohr", origin,
                         energy, confinement_.end()));
  }

  void add_bound(const NumericFunction& function, const std::vector<double>& v) {
    Confinement confinement = confinement_;
    std::vector<double> total;
    const RadialState wide = solve(v, confinement, function.n, function.l, total);
    require_bound(text_of(function), wide.energy);
    // The first point of the tables' grid beyond which less than the threshold is left.
    double left = 0;
    size_t onset = grid_.size() - 1;
    for (size_t i = grid_.size(); i-- > 0;) {
      left += wide.u[i] * wide.u[i] * grid_.r[i] * grid_.step();
      if (!(left < cutoff_threshold)) break;
      if (is_of_tables(grid_, i)) onset = i;
    }
    confinement.onset = std::min(confinement.onset, grid_.r[onset]);
    add(text_of(function), function.n, function.l, v, confinement);
  }

  void add_gaussian(const NumericFunction& function) {
    Orbital orbital = std::move(gaussian_orbitals(grid_, {{function.l, {function.value}, {1.0}}}).front());
    const double end = outer_radius(grid_, orbital.u, smallest_numeric);
    if (end > confinement_.end())
      refuse(fmt::format("'{}' reaches {:.4g} bohr, and the wall stands at {:.4g} bohr; 'hydro' makes wide functions that end there",
                         text_of(function), end, confinement_.end()));
    orbital.origin = text_of(function);
    if (orthonormalise(orbital)) orbitals_.push_back(std::move(orbital));
  }

  void add(const std::string& origin, int n, int l, const std::vector<double>& v, const Confinement& confinement) {
    std::vector<double> total;
    RadialState state = solve(v, confinement, n, l, total);
    Orbital orbital{origin, l, state.energy, confinement.onset, std::move(state.u), {}};
    orbital.kinetic.resize(grid_.size());
    for (size_t i = 0; i < grid_.size(); ++i) orbital.kinetic[i] = orbital.u[i] == 0 ? 0 : (orbital.energy - total[i]) * orbital.u[i];
    if (orthonormalise(orbital)) orbitals_.push_back(std::move(orbital));
  }

  // Twice, because the first pass leaves rounding errors.
  bool orthonormalise(Orbital& orbital) const {
    for (int again = 0; again < 2; ++again)
      for (const Orbital& other : orbitals_) {
        if (other.l != orbital.l) continue;
        const double overlap = integrate(grid_, orbital.u, other.u);
        for (size_t i = 0; i < grid_.size(); ++i) {
          orbital.u[i] -= overlap * other.u[i];
          orbital.kinetic[i] -= overlap * other.kinetic[i];
        }
      }
    const double norm = std::sqrt(integrate(grid_, orbital.u, orbital.u));
    if (norm < smallest_norm) return false;
    for (double& value : orbital.u) value /= norm;
    for (double& value : orbital.kinetic) value /= norm;
    return true;
  }

  const LogGrid& grid_;
  const SpeciesDefinition& species_;
  Confinement confinement_;
  const SphericalAtom& free_;
  Xc xc_;
  std::optional<SphericalAtom> ion_;
  std::vector<Orbital> orbitals_;
};

// n_a n_b times the overlap of r^(l+1) exp(-a r^2) and r^(l+1) exp(-b r^2), with n the primitives' norms.
double primitive_overlap(int l, double a, double b) { return std::pow(2 * std::sqrt(a * b) / (a + b), l + 1.5); }

}  // namespace

std::vector<Orbital> numeric_orbitals(const LogGrid& grid, const SpeciesDefinition& species, Level level, int tier,
                                      const SphericalAtom& free, Xc xc) {
  OrbitalMaker maker(grid, species, level, free, xc);
  maker.add_atomic();
  const std::vector<NumericFunction> functions = tier_functions(species, level, tier);
  const auto is_ionic = [](const NumericFunction& f) { return f.kind == NumericFunction::Kind::ionic; };
  for (const NumericFunction& function : functions)
    if (is_ionic(function)) maker.add(function);
  for (const NumericFunction& function : functions)
    if (!is_ionic(function)) maker.add(function);
  return maker.take();
}

std::vector<Orbital> gaussian_orbitals(const LogGrid& grid, const std::vector<GaussianShell>& shells) {
  std::vector<Orbital> orbitals;
  std::vector<int> count(std::string(shell_letters).size(), 0);
  for (const GaussianShell& shell : shells) {
    const int l = shell.l;
    Orbital orbital{fmt::format("gaussian {} {}", shell_letters[l], ++count[l]), l, 0, 0, {}, {}};
    orbital.u.assign(grid.size(), 0.0);
    orbital.kinetic.assign(grid.size(), 0.0);
    double norm = 0;
    for (size_t i = 0; i < shell.exponents.size(); ++i)
      for (size_t j = 0; j < shell.exponents.size(); ++j)
        norm += shell.coefficients[i] * shell.coefficients[j] * primitive_overlap(l, shell.exponents[i], shell.exponents[j]);
    for (size_t k = 0; k < shell.exponents.size(); ++k) {
      const double a = shell.exponents[k];
      const double factor = shell.coefficients[k] * std::sqrt(2 * std::pow(2 * a, l + 1.5) / std::tgamma(l + 1.5) / norm);
      for (size_t i = 0; i < grid.size(); ++i) {
        const double r = grid.r[i], u = factor * std::pow(r, l + 1) * std::exp(-a * r * r);
        orbital.u[i] += u;
        orbital.kinetic[i] += u * (a * (2 * l + 3) - 2 * a * a * r * r);
      }
    }
    orbitals.push_back(std::move(orbital));
  }
  return orbitals;
}

double outer_radius(const LogGrid& grid, const std::vector<double>& u, double threshold) {
  size_t end = grid.size();
  while (end > 0 && !(std::abs(u[end - 1]) >= threshold)) --end;
  if (end < grid.size() && !is_of_tables(grid, end)) ++end;
  return grid.r[std::min(end, grid.size() - 1)];
}

}  // namespace suite::all_electron
