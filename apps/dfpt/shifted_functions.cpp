// SPDX-License-Identifier: BSD-3-Clause
// With u the direction from the atom, S_lm = r^l Y_lm, and terms of l - 1 alone in the gradient of S:
//   d_k (R Y_lm) = (R' - l R/r) u_k Y_lm + R/r (d_k S_lm)(u)
#include "shifted_functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <suite/dfpt/grid.hpp>
#include <suite/dfpt/harmonics.hpp>

namespace suite::all_electron {
namespace {

// d_k S_lm = sum of factor S_from.
struct Term {
  int from = 0;
  double factor = 0;
};
using Terms = std::array<std::array<Term, 2>, 3>;

// From those of the complex solid harmonics (Varshalovich, Moskalev, Khersonskii, Quantum Theory of Angular Momentum, 5.8.3):
// (d_x + i d_y) lowers l and raises m, (d_x - i d_y) lowers both, d_z lowers l.
Terms terms_of(int l, int m) {
  Terms terms;
  if (l == 0) return terms;
  const int k = std::abs(m), sign = m < 0 ? -1 : 1;
  const double norm = std::sqrt((2.0 * l + 1) / (2 * l - 1));
  const double up = 0.5 * norm * std::sqrt((l - k) * (l - k - 1.0)), down = 0.5 * norm * std::sqrt((l + k) * (l + k - 1.0));
  const auto component = [&](int of_m) { return (l - 1) * (l - 1) + l - 1 + of_m; };
  const auto set = [&](int axis, int which, int of_m, double factor) {
    if (std::abs(of_m) < l) terms[static_cast<size_t>(axis)][static_cast<size_t>(which)] = {component(of_m), factor};
  };
  set(2, 0, m, norm * std::sqrt(1.0 * l * l - k * k));
  const double root2 = std::numbers::sqrt2;
  if (m == 0) {
    set(0, 0, 1, -root2 * up);
    set(1, 0, -1, -root2 * up);
    return terms;
  }
  set(0, 0, sign * (k + 1), -up);
  set(1, 0, -sign * (k + 1), -sign * up);
  if (k > 1) {
    set(0, 1, sign * (k - 1), down);
    set(1, 1, -sign * (k - 1), -sign * down);
  } else {
    set(sign > 0 ? 0 : 1, 1, 0, root2 * down);
  }
  return terms;
}

const std::vector<Terms>& all_terms() {
  static const std::vector<Terms> all = [] {
    std::vector<Terms> terms;
    for (int l = 0; l <= dfpt::largest_l; ++l)
      for (int m = -l; m <= l; ++m) terms.push_back(terms_of(l, m));
    return terms;
  }();
  return all;
}

struct ValueAndSlope {
  double value, slope;  // by r
};

ValueAndSlope spline_at(const double* c, const dfpt::RadialGrid& grid, const dfpt::Knot& knot, double r) {
  const double d = knot.fraction;
  return {dfpt::cubic(c, 1, d), (c[1] + d * (2 * c[2] + 3 * d * c[3])) * grid.factor / r};
}

// A point as an atom sees it.
struct Spot {
  double r = 0;
  std::array<double, 3> u{};
  dfpt::Knot knot{};
  bool at_nucleus = false;
  std::array<double, dfpt::components(dfpt::largest_l)> Y{};
};

Spot spot_of(const double* point, const double* atom, const dfpt::RadialGrid& grid, int l_max) {
  Spot spot;
  for (size_t d = 0; d < 3; ++d) spot.u[d] = point[d] - atom[d];
  spot.r = std::sqrt(spot.u[0] * spot.u[0] + spot.u[1] * spot.u[1] + spot.u[2] * spot.u[2]);
  spot.at_nucleus = grid.is_at_nucleus(spot.r);
  spot.knot = grid.position(spot.r);
  if (spot.at_nucleus) spot.u = {};
  else
    for (double& x : spot.u) x /= spot.r;
  dfpt::with_l_max(l_max, [&](auto l) { dfpt::spherical_harmonics<decltype(l)::value>(spot.u[0], spot.u[1], spot.u[2], spot.Y.data()); });
  return spot;
}

// The value and the three derivatives of a function; at the nucleus, the value of l = 0 alone, as dfpt.basis has it.
std::array<double, 4> function_at(const Spot& spot, const ValueAndSlope& R, int l, size_t lm) {
  if (spot.at_nucleus) return {l == 0 ? R.value * spot.Y[0] : 0, 0, 0, 0};
  const double radial = (R.slope - l * R.value / spot.r) * spot.Y[lm], angular = R.value / spot.r;
  std::array<double, 4> out{R.value * spot.Y[lm], 0, 0, 0};
  const Terms& terms = all_terms()[lm];
  for (size_t k = 0; k < 3; ++k) {
    double sum = 0;
    for (const Term& term : terms[k]) sum += term.factor * spot.Y[static_cast<size_t>(term.from)];
    out[k + 1] = radial * spot.u[k] + angular * sum;
  }
  return out;
}

dfpt::RadialGrid grid_of(const Tables& t, size_t s) { return dfpt::logarithmic_grid(t.r_grid_min[s], t.r_grid_inc[s], t.n_grid); }

}  // namespace

void evaluate_shifted(const Setup& setup, const Grid& grid, std::span<const ShiftedFunctions> shifts) {
  const BasisSet& basis = setup.basis;
  const Tables& t = setup.tables;
  const int l_max = *std::max_element(basis.basis_l.begin(), basis.basis_l.end());
  std::vector<size_t> wave{0};
  for (size_t b = 0; b < grid.n_batches(); ++b)
    wave.push_back(wave.back() + static_cast<size_t>(grid.batch_points[b + 1] - grid.batch_points[b]) *
                                     static_cast<size_t>(grid.batch_basis[b + 1] - grid.batch_basis[b]));
#pragma omp parallel for schedule(dynamic)
  for (size_t b = 0; b < grid.n_batches(); ++b) {
    size_t at = wave[b];
    for (int32_t p = grid.batch_points[b] - 1; p < grid.batch_points[b + 1] - 1; ++p) {
      Spot spot;
      dfpt::RadialGrid radial{};
      int32_t seen = 0;
      for (int32_t e = grid.batch_basis[b] - 1; e < grid.batch_basis[b + 1] - 1; ++e, ++at) {
        const auto i = static_cast<size_t>(grid.i_basis[static_cast<size_t>(e)] - 1);
        if (basis.basis_atom[i] != seen) {
          seen = basis.basis_atom[i];
          radial = grid_of(t, static_cast<size_t>(setup.atom_species[static_cast<size_t>(seen - 1)] - 1));
          spot = spot_of(&grid.coords[3 * static_cast<size_t>(p)], &setup.atom_coords[3 * static_cast<size_t>(seen - 1)], radial, l_max);
        }
        const auto f = static_cast<size_t>(basis.basis_fn[i] - 1);
        std::array<double, 4> chi{};
        if (spot.r < t.outer_radius[f]) {
          const double* const spline = &t.basis_wave_spl[4 * (f * static_cast<size_t>(t.n_grid) + static_cast<size_t>(spot.knot.number))];
          const int l = basis.basis_l[i];
          chi = function_at(spot, spline_at(spline, radial, spot.knot, spot.r), l, static_cast<size_t>(l * l + l + basis.basis_m[i]));
        }
        for (const ShiftedFunctions& shift : shifts) shift.to[at] = chi[0] + shift.step * chi[static_cast<size_t>(shift.axis) + 1];
      }
    }
  }
}

std::vector<double> sum_of_free_atoms(const Setup& setup, std::span<const double> coords, std::span<const double> shares) {
  const Tables& t = setup.tables;
  const size_t points = coords.size() / 3;
  std::vector<double> sum(4 * points, 0.0);
  const Images atoms = atoms_reaching(setup, t.free_radius, coords);
  const std::vector<int32_t> species = atoms.spread(setup.atom_species);
  for (size_t a = 0; a < species.size(); ++a) {
    const auto s = static_cast<size_t>(species[a] - 1);
    const double share = shares[static_cast<size_t>(atoms.home[a] - 1)];
    const dfpt::RadialGrid grid = grid_of(t, s);
#pragma omp parallel for schedule(static)
    for (size_t p = 0; p < points; ++p) {
      const Spot spot = spot_of(&coords[3 * p], &atoms.coords[3 * a], grid, 0);
      if (spot.r >= t.free_radius[s]) continue;
      const double* const spline = &t.free_density_spl[4 * (s * static_cast<size_t>(t.n_grid) + static_cast<size_t>(spot.knot.number))];
      const std::array<double, 4> n = function_at(spot, spline_at(spline, grid, spot.knot, spot.r), 0, 0);
      for (size_t c = 0; c < 4; ++c) sum[c * points + p] += share * n[c];
    }
  }
  return sum;
}

}  // namespace suite::all_electron
