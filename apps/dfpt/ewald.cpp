// SPDX-License-Identifier: BSD-3-Clause
#include "ewald.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <suite/dfpt/spline.hpp>

namespace suite::all_electron {
namespace {

using std::numbers::pi;
constexpr double radii = 6.2;           // of r0, where erfc has fallen to 2e-18
constexpr double smallest_wave = 1e-15;  // e^(-G^2 r0^2/4) of the last plane waves

int l_of(int64_t lm) {
  int l = 0;
  while ((l + 1) * (l + 1) <= lm) ++l;
  return l;
}

// r^-(l+1) P(l + 1/2, r^2/r0^2) with the regularised incomplete gamma function P: its series, or 1 - Q by recursion from erfc.
double smooth_potential(int l, double r, double r0) {
  const double x = r * r / (r0 * r0);
  if (x < l + 2) {
    double term = std::exp(-x) * std::pow(r / (r0 * r0), l) / (r0 * std::tgamma(l + 1.5)), sum = 0;
    for (int k = 0; k < 200; ++k) {
      sum += term;
      term *= x / (l + 1.5 + k);
    }
    return sum;
  }
  double Q = std::erfc(std::sqrt(x));
  for (int k = 0; k < l; ++k) Q += std::pow(x, k + 0.5) * std::exp(-x) / std::tgamma(k + 1.5);
  return (1 - Q) * std::pow(r, -(l + 1));
}

double length(const Place& r) { return std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]); }

// Of a slab, the crystal of its copies: with Coulomb's interaction cut off at half the distance between them, which the points and the
// smooth charges of one copy do not exceed, they do not feel each other (Rozzi et al., Phys. Rev. B 73, 205119 (2006)).
Lattice of_plane_waves(const Setup& setup) {
  const Lattice& lattice = setup.crystal->lattice;
  if (lattice.dimensions() == 3) return lattice;
  const Place& across = lattice.vectors()[2];
  const auto range = [&](std::span<const double> coords) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (size_t p = 0; p < coords.size(); p += 3) {
      const double height = coords[p] * across[0] + coords[p + 1] * across[1] + coords[p + 2] * across[2];
      low = std::min(low, height), high = std::max(high, height);
    }
    return std::pair(low, high);
  };
  const auto points = range(setup.grid.coords), atoms = range({setup.atom_coords.data(), 3 * setup.n_home()});
  const double apart = std::max({points.second - atoms.first, atoms.second - points.first, atoms.second - atoms.first});
  return lattice.stacked(2 * (apart + radii * setup.crystal->ewald_radius));
}

// The share of Coulomb's interaction that the cut leaves of the wave G, whose number across the slab is k.
double left_by_the_cut(const Lattice& waves, const Place& G, int k) {
  const Place& up = waves.vectors()[2];
  const double period = length(up);
  const double across = (G[0] * up[0] + G[1] * up[1] + G[2] * up[2]) / period;
  const double along = std::sqrt(std::max(0.0, G[0] * G[0] + G[1] * G[1] + G[2] * G[2] - across * across));
  return 1 - (k % 2 ? -1 : 1) * std::exp(-0.5 * period * along);
}

}  // namespace

double reach_of_tables(double last_shell, double ewald_radius) { return std::max(last_shell, radii * ewald_radius); }

Ewald::Ewald(const Setup& setup, int64_t n_lm) : setup_(setup), n_lm_(n_lm), n_atoms_(static_cast<int64_t>(setup.n_home())) {
  const Tables& t = setup.tables;
  const double r0 = setup.crystal->ewald_radius;
  const Lattice lattice = of_plane_waves(setup);
  period_ = length(lattice.vectors()[2]);
  const int n_l = l_of(n_lm - 1) + 1;
  for (int64_t s = 0; s < t.n_species; ++s) {
    std::vector<double> values, spline(static_cast<size_t>(4 * n_l * t.n_knots));
    for (int64_t k = 0; k < t.n_knots; ++k)
      for (int l = 0; l < n_l; ++l) values.push_back(smooth_potential(l, t.knots[static_cast<size_t>(k + t.n_knots * s)], r0));
    dfpt::interleaved_splines(values.data(), t.n_knots, n_l, spline.data());
    smooth_.insert(smooth_.end(), spline.begin(), spline.end());
  }
  const double longest = 2 * std::sqrt(std::log(1 / smallest_wave)) / r0;
  const Cell most = lattice.steps_to(longest);
  for (int i = 0; i <= most[0]; ++i)
    for (int j = -most[1]; j <= most[1]; ++j)
      for (int k = -most[2]; k <= most[2]; ++k) {
        if (i == 0 && (j < 0 || (j == 0 && k <= 0))) continue;
        Place G{};
        double square = 0;
        for (size_t d = 0; d < 3; ++d) {
          G[d] = i * lattice.reciprocal()[0][d] + j * lattice.reciprocal()[1][d] + k * lattice.reciprocal()[2][d];
          square += G[d] * G[d];
        }
        if (square > longest * longest) continue;
        double weight = 8 * pi / lattice.volume() * std::exp(-0.25 * r0 * r0 * square) / square;
        if (setup.crystal->lattice.dimensions() == 2) weight *= left_by_the_cut(lattice, G, k);
        if (weight == 0) continue;  // of a slab
        g_index_.insert(g_index_.end(), {i, j, k});
        g_weight_.push_back(weight);
      }
  for (const Place& b : lattice.reciprocal()) reciprocal_.insert(reciprocal_.end(), b.begin(), b.end());
}

void Ewald::split(std::span<double> tables, std::span<const double> moments, int64_t n_dir) const {
  const int64_t n_knots = setup_.tables.n_knots, n_l = l_of(n_lm_ - 1) + 1;
  for (int64_t t = 0; t < n_atoms_ * n_dir; ++t) {
    const int64_t species = setup_.atom_species[static_cast<size_t>(t % n_atoms_)] - 1;
    const double *const M = &moments[static_cast<size_t>(n_lm_ * t)], *const of =
                                                                          &smooth_[static_cast<size_t>(4 * n_l * n_knots * species)];
    double* const to = &tables[static_cast<size_t>(4 * n_lm_ * n_knots * t)];
    for (int64_t row = 0; row < 4 * n_knots; ++row)
      for (int64_t lm = 0; lm < n_lm_; ++lm) to[n_lm_ * row + lm] -= M[lm] * of[n_l * row + l_of(lm)];
  }
}

void Ewald::set_points(Kernel& k, std::span<const double> coords) const {
  const auto n = static_cast<int64_t>(g_weight_.size());
  k.set("coords", coords.data(), {3, static_cast<int64_t>(coords.size() / 3)});
  k.set("atom_coords", setup_.atom_coords.data(), {3, n_atoms_});
  set(k, "g_index", g_index_, {3, n});
  set(k, "reciprocal", reciprocal_, {3, 3});
  set(k, "g_weight", g_weight_, {n});
}

double Ewald::offset(std::span<const double> moments) const {
  const double r0 = setup_.crystal->ewald_radius;
  double sum = 0;
  for (int64_t a = 0; a < n_atoms_; ++a) sum += moments[static_cast<size_t>(n_lm_ * a)];
  const double charge = sum / std::sqrt(4 * pi), volume = setup_.crystal->lattice.volume();
  return setup_.crystal->lattice.dimensions() == 2 ? 0.5 * pi * period_ / volume * charge : pi * r0 * r0 / volume * charge;
}

}  // namespace suite::all_electron
