// SPDX-License-Identifier: BSD-3-Clause
#include "free_atom.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "base/dense/pulay.hpp"

namespace suite::all_electron {
namespace {

using std::numbers::pi;

// Thomas-Fermi screening by Latter's rational fit (Phys. Rev. 99, 510 (1955)).
std::vector<double> first_potential(const LogGrid& grid, int Z, double electrons) {
  std::vector<double> v(grid.size());
  const double a = 0.8853 / std::cbrt(static_cast<double>(Z));
  for (size_t i = 0; i < grid.size(); ++i) {
    const double x = grid.r[i] / a, s = std::sqrt(x);
    const double screening = 1 / (1 + 0.02747 * s + x * (1.243 + s * (-0.1486 + s * (0.2302 + s * (0.007298 + s * 0.006944)))));
    // At long range an electron sees the charge left by the others.
    v[i] = -std::max(Z * screening, Z - electrons + 1) / grid.r[i];
  }
  return v;
}

// Of f at equidistant points, times their distance: central differences of eighth order, one-sided ones of first order at the ends.
std::vector<double> differences(const std::vector<double>& f) {
  constexpr double c[] = {0.8, -0.2, 4.0 / 105, -1.0 / 280};
  const size_t n = f.size();
  std::vector<double> d(n);
  for (size_t i = 0; i < n; ++i) {
    if (i < 4 || i + 4 >= n) {
      d[i] = i + 1 < n ? f[i + 1] - f[i] : f[i] - f[i - 1];
      continue;
    }
    for (size_t k = 0; k < 4; ++k) d[i] += c[k] * (f[i + k + 1] - f[i - k - 1]);
  }
  return d;
}

struct RadialXc {
  std::vector<double> e, v;  // Ha, per electron; potential
};

// With gradients, w = 2 f_sigma n' along r gives v = f_n - (r^2 w)'/r^2.
RadialXc radial_xc(const LogGrid& grid, Xc functional, const std::vector<double>& density) {
  const size_t n = grid.size();
  RadialXc out;
  if (!needs_gradients(functional)) {
    for (const app::XcValues& xc : exchange_correlation(functional, density, false)) out.e.push_back(xc.e), out.v.push_back(xc.v);
    return out;
  }
  constexpr double empty_below = 1e-18;  // bohr^-3, where differences of the density have no digits left
  std::vector<double> slope = differences(density), sigma(n), kept(n);
  for (size_t i = 0; i < n; ++i) {
    slope[i] /= grid.step() * grid.r[i];
    if (density[i] >= empty_below) kept[i] = density[i], sigma[i] = slope[i] * slope[i];
  }
  app::XcDerivatives xc = xc_derivatives(functional, 1, kept, sigma, false);
  std::vector<double> flow(n);
  for (size_t i = 0; i < n; ++i) flow[i] = 2 * grid.r[i] * grid.r[i] * xc.s[i] * slope[i];
  const std::vector<double> change = differences(flow);
  for (size_t i = 0; i < n; ++i)
    if (kept[i] > 0) xc.n[i] -= change[i] / (grid.step() * grid.r[i] * grid.r[i] * grid.r[i]);
  return {std::move(xc.e), std::move(xc.n)};
}

class Cycle {
public:
  Cycle(const LogGrid& grid, int Z, const std::vector<Shell>& shells, Xc xc, const std::optional<Confinement>& confinement)
      : grid_(grid), Z_(Z), xc_(xc), wall_(grid.size()), cut_(grid.size(), 0.0) {
    if (confinement) {
      cut_ = confining_potential(grid, *confinement);
      wall_ = grid.first_from(confinement->end());
    }
    atom_.shells = shells;
    atom_.states.resize(shells.size());
    double electrons = 0;
    for (const Shell& shell : shells) electrons += shell.occupation;
    atom_.potential = first_potential(grid, Z, electrons);
  }

  SphericalAtom run() {
    // Potentials from differences of the density have fewer digits.
    const double converged = needs_gradients(xc_) ? 1e-16 : 1e-20;
    app::Pulay pulay(6);
    for (int step = 0; step < 200; ++step) {
      const std::vector<double> in = atom_.potential;
      solve_states(in, step > 0);
      std::vector<double> residual = new_potential();
      for (size_t i = 0; i < grid_.size(); ++i) residual[i] -= in[i];
      const auto product = [&](const std::vector<double>& a, const std::vector<double>& b) {
        double sum = 0;
        for (size_t i = 0; i < grid_.size(); ++i) sum += a[i] * b[i] * weight_[i];
        return sum;
      };
      total_energy(in);
      if (product(residual, residual) < converged) return std::move(atom_);
      pulay.add({in, std::move(residual)});
      const app::Pulay::Step best = pulay.best(product);
      for (size_t i = 0; i < grid_.size(); ++i) atom_.potential[i] = best.in[i] + 0.5 * best.residual[i];
    }
    throw Failure(SUITE_INTERNAL, fmt::format("the atom of charge {} did not become self-consistent", Z_));
  }

private:
  void solve_states(const std::vector<double>& potential, bool again) {
    std::vector<double> v(potential);
    for (size_t i = 0; i < wall_; ++i) v[i] += cut_[i];
    atom_.density.assign(grid_.size(), 0.0);
    for (size_t s = 0; s < atom_.shells.size(); ++s) {
      const Shell& shell = atom_.shells[s];
      RadialState& state = atom_.states[s];
      state = solve_radial(grid_, v, wall_, shell.n, shell.l, again ? std::optional(state.energy) : std::nullopt);
      for (size_t i = 0; i < grid_.size(); ++i)
        atom_.density[i] += shell.occupation * state.u[i] * state.u[i] / (4 * pi * grid_.r[i] * grid_.r[i]);
    }
  }

  std::vector<double> new_potential() {
    atom_.hartree = hartree_potential(grid_, atom_.density, &atom_.hartree_at_nucleus);
    std::vector<double> v(grid_.size());
    weight_.resize(grid_.size());
    RadialXc xc = radial_xc(grid_, xc_, atom_.density);
    e_xc_ = std::move(xc.e);
    for (size_t i = 0; i < grid_.size(); ++i) {
      const double r = grid_.r[i];
      v[i] = -Z_ / r + atom_.hartree[i] + xc.v[i];
      weight_[i] = 4 * pi * r * r * r * grid_.step() * atom_.density[i];
    }
    return v;
  }

  // Uses the kinetic energy of the states, so that the error is of second order in the residual.
  void total_energy(const std::vector<double>& in) {
    double sum = 0;
    for (size_t s = 0; s < atom_.shells.size(); ++s) sum += atom_.shells[s].occupation * atom_.states[s].energy;
    for (size_t i = 0; i < grid_.size(); ++i) sum += weight_[i] * (-Z_ / grid_.r[i] - in[i] + 0.5 * atom_.hartree[i] + e_xc_[i]);
    atom_.energy = sum;
  }

  const LogGrid& grid_;
  int Z_;
  Xc xc_;
  size_t wall_;
  std::vector<double> cut_, weight_, e_xc_;
  SphericalAtom atom_;
};

}  // namespace

std::vector<double> confining_potential(const LogGrid& grid, const Confinement& confinement) {
  std::vector<double> v(grid.size(), 0.0);
  for (size_t i = 0; i < grid.size(); ++i) {
    const double inside = grid.r[i] - confinement.onset, left = confinement.width - inside;
    if (inside > 0 && left > 1e-10 * confinement.width)
      v[i] = 250 * confinement.scale * std::exp(-confinement.width / inside) / (left * left);
  }
  return v;
}

LogGrid solver_grid(int Z, size_t table_points) {
  const double inc = std::sqrt(table_ratio);
  const double first = table_start / Z * std::pow(inc, -static_cast<double>(table_offset));
  return make_log_grid(first, inc, table_offset + 2 * table_points - 1);
}

SphericalAtom solve_atom(const LogGrid& grid, int Z, const std::vector<Shell>& shells, Xc xc,
                         const std::optional<Confinement>& confinement) {
  return Cycle(grid, Z, shells, xc, confinement).run();
}

}  // namespace suite::all_electron
