// SPDX-License-Identifier: BSD-3-Clause
// dfpt.poisson: one component of one atom after the other, by the three steps of dfpt.hpp (Delley, J. Chem.
// Phys. 92, 508 (1990)).
#include <numbers>

#include "kernels.hpp"

namespace suite::dfpt::reference {
namespace {

using Numbers = std::vector<double>;

// The species of an atom: its shells, logarithmic grid and knots.
struct Radial {
  RadialGrid grid;
  int64_t n_shells, n_knots;
  const double *r_shell, *grid_shell, *knots;
  int64_t n_grid() const { return grid.n_knots; }
  double r(int64_t i) const { return grid.radius(static_cast<double>(i)); }
  double step() const { return 1 / grid.factor; }  // in x = ln r
  double last_shell() const { return r_shell[n_shells - 1]; }
};

// The parabola through the first three shells at r = 0.
double at_nucleus(const Radial& at, const double* shell, int64_t stride) {
  double value = 0;
  for (int i = 0; i < 3; ++i) {
    double weight = 1;
    for (int j = 0; j < 3; ++j)
      if (j != i) weight *= at.r_shell[j] / (at.r_shell[j] - at.r_shell[i]);
    value += weight * shell[stride * i];
  }
  return value;
}

// Step 1: `shell` has the component on the shells, `stride` apart.
Numbers on_logarithmic_grid(const Radial& at, int l, const double* shell, int64_t stride) {
  const int64_t n = at.n_shells;
  Numbers values(static_cast<size_t>(n + 2)), spline(4 * values.size());
  values[0] = l == 0 ? at_nucleus(at, shell, stride) : 0;
  for (int64_t s = 0; s < n; ++s) values[s + 1] = shell[stride * s];
  interleaved_splines(values.data(), n + 2, 1, spline.data());
  Numbers f(static_cast<size_t>(at.n_grid()));
  for (int64_t i = 0; i < at.n_grid(); ++i) {
    const double x = at.grid_shell[i];
    if (x > static_cast<double>(n)) continue;
    const int64_t knot = static_cast<int64_t>(x);
    f[i] = cubic(&spline[4 * knot], 1, x - static_cast<double>(knot));
  }
  return f;
}

// int g dx over the interval from point i to i + 1.
double interval(const Numbers& g, int64_t i, double step) {
  const int64_t n = static_cast<int64_t>(g.size());
  if (i == 0) return step / 24 * (9 * g[0] + 19 * g[1] - 5 * g[2] + g[3]);
  if (i == n - 2) return step / 24 * (g[n - 4] - 5 * g[n - 3] + 19 * g[n - 2] + 9 * g[n - 1]);
  return step / 24 * (-g[i - 1] + 13 * g[i] + 13 * g[i + 1] - g[i + 2]);
}

// Step 2.
Numbers radial_potential(const Radial& at, int l, const Numbers& f, double* moment) {
  const int64_t n = at.n_grid();
  const double prefactor = 4 * std::numbers::pi / (2 * l + 1);
  Numbers inner(f.size()), outer(f.size()), v(f.size());
  for (int64_t i = 0; i < n; ++i) {
    inner[i] = std::pow(at.r(i), l + 3) * f[i];
    outer[i] = std::pow(at.r(i), 2 - l) * f[i];
  }
  double sum = f[0] * std::pow(at.r(0), l + 3) / (l + 3);
  for (int64_t i = 0; i < n; ++i) {
    if (i > 0) sum += interval(inner, i - 1, at.step());
    v[i] = prefactor * std::pow(at.r(i), -(l + 1)) * sum;
  }
  *moment = prefactor * sum;
  sum = 0;
  for (int64_t i = n - 2; i >= 0; --i) {
    sum += interval(outer, i, at.step());
    v[i] += prefactor * std::pow(at.r(i), l) * sum;
  }
  return v;
}

// The polynomial through six points of g, and r^l below the first.
double interpolated(const Radial& at, int l, const Numbers& g, double r) {
  if (r < at.r(0)) return g[0] * (l == 0 ? 1 : std::pow(r / at.r(0), l));
  const double x = at.grid.coordinate(r);
  const int64_t first = std::clamp<int64_t>(static_cast<int64_t>(x) - 2, 0, at.n_grid() - 6);
  double sum = 0;
  for (int i = 0; i < 6; ++i) {
    double weight = 1;
    for (int j = 0; j < 6; ++j)
      if (j != i) weight *= (x - static_cast<double>(first + j)) / (i - j);
    sum += weight * g[first + i];
  }
  return sum;
}

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const Poisson c(arguments);
    const PoissonCall call = check_poisson(c);
    for (int64_t d = 0; d < call.n_dir; ++d)
      for (int64_t a = 0; a < call.n_atoms; ++a) {
        const int64_t s = c.species(a) - 1;
        const Radial at{
            call.grids[static_cast<size_t>(s)], c.radial_points(s), call.n_knots, &c.r_radial(0, s), &c.grid_shell(0, s), &c.knots(0, s)};
        for (int64_t lm = 0; lm < call.n_lm; ++lm) component(c, at, lm, a, d);
      }
  }

private:
  static void component(const Poisson& c, const Radial& at, int64_t lm, int64_t a, int64_t d) {
    const int l = l_of(lm);
    double& moment = c.moments(lm, a, d);
    const Numbers f = on_logarithmic_grid(at, l, &c.rho_multipole(lm, 0, a, d), c.n_lm());
    const Numbers v = radial_potential(at, l, f, &moment);
    put_table(at, l, v, moment, &c.potential_spl(lm, 0, 0, a, d), c.n_lm());
    if (c.density_spl) put_table(at, l, f, 0, &c.density_spl(lm, 0, 0, a, d), c.n_lm());
  }

  // Step 3; coefficients are n_lm apart.
  static void put_table(const Radial& at, int l, const Numbers& g, double moment, double* table, int64_t n_lm) {
    Numbers values, spline(static_cast<size_t>(4 * at.n_knots));
    for (int64_t k = 0; k < at.n_knots; ++k) {
      const double r = at.knots[k];
      values.push_back(r > at.last_shell() ? moment * std::pow(r, -(l + 1)) : interpolated(at, l, g, r));
    }
    interleaved_splines(values.data(), at.n_knots, 1, spline.data());
    for (int64_t i = 0; i < 4 * at.n_knots; ++i) table[n_lm * i] = spline[i];
  }
};

}  // namespace

extern const suite_kernel_table poisson_table;
constexpr suite_kernel_table poisson_table = kernel_table<Poisson, Reference>("reference", "cpu");

}  // namespace suite::dfpt::reference
