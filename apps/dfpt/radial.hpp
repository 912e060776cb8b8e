// SPDX-License-Identifier: BSD-3-Clause
// The radial Schroedinger equation -u''/2 + [l(l+1)/(2 r^2) + v] u = e u on a logarithmic grid.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace suite::all_electron {

// r_i = r_0 inc^i
struct LogGrid {
  double first = 0, inc = 0;
  std::vector<double> r;
  double step() const;  // ln inc
  size_t size() const { return r.size(); }
  size_t first_from(double radius) const;  // the first point at or beyond it, or size()
};

LogGrid make_log_grid(double first, double inc, size_t points);

// int_0^inf f dr for f vanishing at both ends: the trapezoidal rule in ln r, which converges faster than any order.
double integrate(const LogGrid& grid, const std::vector<double>& f);
// int f g dr
double integrate(const LogGrid& grid, const std::vector<double>& f, const std::vector<double>& g);

// int_0^inf n(s) 4 pi s^2 / max(r,s) ds at all points; at_nucleus: at r = 0.
std::vector<double> hartree_potential(const LogGrid& grid, const std::vector<double>& density, double* at_nucleus = nullptr);

struct RadialState {
  double energy = 0;      // Ha
  std::vector<double> u;  // int u^2 dr = 1, positive near the nucleus, 0 from the wall on
};

// The state with n - l - 1 nodes in v (Ha), with an infinite wall at point `wall` (or grid.size()). guess: its energy in a similar
// potential. Throws Failure if there is no such state below 1e6 Ha.
RadialState solve_radial(const LogGrid& grid, const std::vector<double>& v, size_t wall, int n, int l,
                         std::optional<double> guess = std::nullopt);

}  // namespace suite::all_electron
