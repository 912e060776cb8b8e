// SPDX-License-Identifier: BSD-3-Clause
#include "orbitals.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/core.h>

namespace suite::all_electron {
namespace {

constexpr const char* letters = "spdfghiklm";

constexpr double cutoff_threshold = 1e-4;  // basis_dep_cutoff
constexpr double smallest_norm = 1e-4;

std::string name_of(const char* kind, int n, int l) { return fmt::format("{} {}{}", kind, n, letters[l]); }

// Every second point belongs to the tables' grid, including the last one.
bool is_of_tables(const LogGrid& grid, size_t i) { return (grid.size() - 1 - i) % 2 == 0; }

class OrbitalMaker {
public:
  OrbitalMaker(const LogGrid& grid, int Z, const SphericalAtom& free, const SpeciesDefaults& defaults, Xc xc)
      : grid_(grid), Z_(Z), free_(free), defaults_(defaults), xc_(xc) {}

  void add_atomic() {
    // Sorted by l, then n, so that the shells of a species are contiguous.
    std::vector<size_t> order(free_.shells.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return free_.shells[a].l < free_.shells[b].l; });
    for (size_t i : order) {
      const Shell& shell = free_.shells[i];
      add(name_of("atomic", shell.n, shell.l), shell.n, shell.l, free_.potential, defaults_.confinement);
    }
  }

  void add_ionic(const NumericFunction& function) {
    if (!ion_) ion_ = solve_atom(grid_, Z_, defaults_.ion, xc_, defaults_.confinement);
    add_confined(name_of("ionic", function.n, function.l), function, ion_->potential);
  }

  void add_hydrogenic(const NumericFunction& function) {
    std::vector<double> v(grid_.size());
    for (size_t i = 0; i < grid_.size(); ++i) v[i] = -function.z / grid_.r[i];
    add_confined(name_of("hydro", function.n, function.l) + fmt::format(" {:g}", function.z), function, v);
  }

  std::vector<Orbital> take() { return std::move(orbitals_); }

private:
  RadialState solve(const std::vector<double>& v, const Confinement& confinement, int n, int l, std::vector<double>& total) const {
    total = confining_potential(grid_, confinement);
    for (size_t i = 0; i < grid_.size(); ++i) total[i] += v[i];
    return solve_radial(grid_, total, grid_.first_from(confinement.end()), n, l);
  }

  void add_confined(const std::string& origin, const NumericFunction& function, const std::vector<double>& v) {
    Confinement confinement = defaults_.confinement;
    std::vector<double> total;
    const RadialState wide = solve(v, confinement, function.n, function.l, total);
    // The first point of the tables' grid beyond which less than the threshold is left.
    double left = 0;
    size_t onset = grid_.size() - 1;
    for (size_t i = grid_.size(); i-- > 0;) {
      left += wide.u[i] * wide.u[i] * grid_.r[i] * grid_.step();
      if (!(left < cutoff_threshold)) break;
      if (is_of_tables(grid_, i)) onset = i;
    }
    confinement.onset = std::min(confinement.onset, grid_.r[onset]);
    add(origin, function.n, function.l, v, confinement);
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
  int Z_;
  const SphericalAtom& free_;
  const SpeciesDefaults& defaults_;
  Xc xc_;
  std::optional<SphericalAtom> ion_;
  std::vector<Orbital> orbitals_;
};

// n_a n_b times the overlap of r^(l+1) exp(-a r^2) and r^(l+1) exp(-b r^2), with n the primitives' norms.
double primitive_overlap(int l, double a, double b) { return std::pow(2 * std::sqrt(a * b) / (a + b), l + 1.5); }

}  // namespace

std::vector<Orbital> numeric_orbitals(const LogGrid& grid, int Z, const SphericalAtom& free, const SpeciesDefaults& defaults,
                                      std::vector<NumericFunction> functions, Xc xc) {
  OrbitalMaker maker(grid, Z, free, defaults, xc);
  maker.add_atomic();
  for (const NumericFunction& function : functions)
    if (function.z == 0) maker.add_ionic(function);
  for (const NumericFunction& function : functions)
    if (function.z > 0) maker.add_hydrogenic(function);
  return maker.take();
}

std::vector<Orbital> gaussian_orbitals(const LogGrid& grid, const std::vector<GaussianShell>& shells) {
  std::vector<Orbital> orbitals;
  std::vector<int> count(std::string(letters).size(), 0);
  for (const GaussianShell& shell : shells) {
    const int l = shell.l;
    Orbital orbital{fmt::format("gaussian {} {}", letters[l], ++count[l]), l, 0, 0, {}, {}};
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
