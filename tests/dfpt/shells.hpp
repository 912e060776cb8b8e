// SPDX-License-Identifier: BSD-3-Clause
// Quadrature on a sphere, and the radial grids of one species, for the tests of dfpt.
#pragma once

#include "support.hpp"

namespace dfpt_test {

// n Legendre nodes in z times 2n angles: exact for harmonics up to l = 2n - 1. Weights sum to 1.
struct Sphere {
  Numbers direction, weight;
  explicit Sphere(int n) {
    for (int i = 0; i < n; ++i) {
      double z = std::cos(pi * (i + 0.75) / (n + 0.5)), slope = 1;
      for (int step = 0; step < 20; ++step) {
        const unsigned degree = static_cast<unsigned>(n);
        slope = n * (z * std::legendre(degree, z) - std::legendre(degree - 1, z)) / (z * z - 1);
        z -= std::legendre(degree, z) / slope;
      }
      for (int k = 0; k < 2 * n; ++k) {
        const double s = std::sqrt(1 - z * z), phi = pi * (k + 0.3) / n;
        direction.insert(direction.end(), {s * std::cos(phi), s * std::sin(phi), z});
        weight.push_back(1 / ((1 - z * z) * slope * slope) / (2 * n));
      }
    }
  }
};

struct Solved {
  Numbers potential, moments, density;
};

// Shells to 10 bohr, the logarithmic grid, and knots by shells of another scale.
struct Radial {
  double outermost = 10, scale, table_scale = 4, end = 11;
  Numbers r, grid_shell, knots;
  double r_min;
  int64_t n_grid = 1500, n_knots = 400;

  explicit Radial(int n, double first = 1e-5) : r_min(first) {
    scale = -outermost / std::log(1 - std::pow(n / (n + 1.0), 2));
    for (int i = 1; i <= n; ++i) r.push_back(-scale * std::log(1 - std::pow(i / (n + 1.0), 2)));
    const suite::dfpt::RadialGrid logarithmic = suite::dfpt::logarithmic_grid(r_min, inc(), n_grid);
    for (int64_t i = 0; i < n_grid; ++i) {
      const double x = logarithmic.radius(static_cast<double>(i));
      grid_shell.push_back((n + 1) * std::sqrt(-std::expm1(-x / scale)));
    }
    for (int64_t k = 0; k < n_knots; ++k) knots.push_back(std::max(0.0, grid().radius(static_cast<double>(k))));
  }
  double inc() const { return std::pow(15 / r_min, 1 / static_cast<double>(n_grid - 1)); }
  int64_t n_shells() const { return size_of(r); }
  suite::dfpt::RadialGrid grid() const { return suite::dfpt::grid_by_shells(table_scale, end, n_knots); }

  Solved solve(Call& call, const Numbers& f, int64_t n_lm, int64_t n_atoms, int64_t n_dir) const {
    const int64_t tables = n_lm * 4 * n_knots * n_atoms * n_dir;
    call.forget();
    call.indices("species", Indices(static_cast<size_t>(n_atoms), 1), {n_atoms});
    call.numbers("r_radial", r, {n_shells(), 1});
    call.indices("radial_points", {static_cast<int32_t>(n_shells())}, {1});
    call.numbers("r_grid_min", {r_min}, {1});
    call.numbers("r_grid_inc", {inc()}, {1});
    call.numbers("grid_shell", grid_shell, {n_grid, 1});
    call.numbers("knots", knots, {n_knots, 1});
    call.numbers("rho_multipole", f, {n_lm, n_shells(), n_atoms, n_dir});
    call.numbers("potential_spl", garbage(tables), {n_lm, 4, n_knots, n_atoms, n_dir});
    call.numbers("density_spl", garbage(tables), {n_lm, 4, n_knots, n_atoms, n_dir});
    call.numbers("moments", garbage(n_lm * n_atoms * n_dir), {n_lm, n_atoms, n_dir});
    call.run();
    return {call.get_numbers("potential_spl"), call.get_numbers("moments"), call.get_numbers("density_spl")};
  }
};

}  // namespace dfpt_test
