// SPDX-License-Identifier: BSD-3-Clause
// dfpt.multipoles and dfpt.poisson: components of known densities, and the potentials of Gaussian charges, on
// an atom and beside it.
#include "shells.hpp"

using namespace dfpt_test;

namespace {

// r^l exp(-a r^2) in component l: moment 4 pi/(2l+1) Gamma(l+3/2)/(2 a^(l+3/2)), and the potential, with the
// regularised incomplete gamma function P(l+1/2, a r^2) by its series, or by 1 - Q far outside.
double moment_of(int l, double a) { return 4 * pi / (2 * l + 1) * std::tgamma(l + 1.5) / (2 * std::pow(a, l + 1.5)); }
double potential_of(int l, double a, double r) {
  const double x = a * r * r;
  if (x > 60) return moment_of(l, a) * std::pow(r, -(l + 1));
  double term = std::pow(a, l + 0.5) * std::pow(r, l) * std::exp(-x) / std::tgamma(l + 1.5), sum = 0;
  for (int k = 0; k < 300; ++k) {
    sum += term;
    term *= x / (l + 1.5 + k);
  }
  return moment_of(l, a) * sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(poisson)

// A density of some components has these, each in its place, on each shell.
BOOST_AUTO_TEST_CASE(projections_return_the_components) {
  const Sphere sphere(14);
  const double atoms[] = {0.3, -0.4, 0.2, -1, 1, 2}, radii[] = {0.4, 1.7};
  Numbers coords, weights, rho, expected = zeros(81 * 3 * 2 * 2);
  Indices atom, shell;
  const Numbers c = random_numbers(81 * 8, 51, -1, 1);
  for (int a = 0; a < 2; ++a)
    for (int s = 0; s < 2; ++s)
      for (size_t i = 0; i < sphere.weight.size(); ++i) {
        for (int d = 0; d < 3; ++d) coords.push_back(atoms[3 * a + d] + radii[s] * sphere.direction[3 * i + d]);
        weights.push_back(4 * pi * sphere.weight[i]);
        atom.push_back(a + 1);
        shell.push_back(2 * s + 1);  // the second shell has no points
      }
  const int64_t np = size_of(weights), per_shell = np / 4;
  for (int64_t d = 0; d < 2; ++d)
    for (int64_t p = 0; p < np; ++p) {
      double sum = 0;
      const int64_t which = p / per_shell + 4 * d;
      for (int l = 0, lm = 0; l <= 6; ++l)
        for (int m = -l; m <= l; ++m, ++lm) {
          sum += c[lm + 81 * which] * real_harmonic(l, m, &sphere.direction[3 * (p % per_shell)]);
          expected[lm + 81 * (shell[p] - 1 + 3 * (atom[p] - 1 + 2 * d))] = c[lm + 81 * which];
        }
      rho.push_back(sum);
    }
  each_kept("dfpt.multipoles", [&](Call& call) {
    call.numbers("coords", coords, {3, np});
    call.numbers("atom_coords", Numbers(atoms, atoms + 6), {3, 2});
    call.indices("point_atom", atom, {np});
    call.indices("point_shell", shell, {np});
    call.numbers("projection_weight", weights, {np});
    call.numbers("rho", rho, {np, 2});
    call.numbers("rho_multipole", garbage(81 * 3 * 2 * 2), {81, 3, 2, 2});
    call.run();
    check_below(call, "error of components", distance(call.get_numbers("rho_multipole"), expected), 1e-12);
  });
}

BOOST_AUTO_TEST_CASE(gaussian_charges_on_an_atom_have_their_potentials) {
  const Radial radial(400);
  const double a = 0.9;
  const int64_t ns = radial.n_shells();
  Numbers f = zeros(81 * ns);
  for (int64_t s = 0; s < ns; ++s)
    for (int l = 0, lm = 0; l <= 8; ++l)
      for (int m = -l; m <= l; ++m, ++lm) f[lm + 81 * s] = (m + 0.5) * std::pow(radial.r[s], l) * std::exp(-a * radial.r[s] * radial.r[s]);
  each_kept("dfpt.poisson", [&](Call& call) {
    const Solved solved = radial.solve(call, f, 81, 1, 1);
    double potential = 0, moment = 0, density = 0, between = 0;
    for (int l = 0, lm = 0; l <= 8; ++l)
      for (int m = -l; m <= l; ++m, ++lm) {
        const double size = m + 0.5, M = moment_of(l, a);
        double v_scale = 0, f_scale = 0, v_error = 0, f_error = 0, between_error = 0;
        for (int64_t k = 0; k < radial.n_knots; ++k) {
          const double r = radial.knots[k], v = potential_of(l, a, r), f_here = std::pow(r, l) * std::exp(-a * r * r);
          const double* const table = &solved.potential[lm + 81 * 4 * k];
          v_scale = std::max(v_scale, v);
          f_scale = std::max(f_scale, f_here);
          v_error = std::max(v_error, std::abs(table[0] / size - v));
          f_error = std::max(f_error, std::abs(solved.density[lm + 81 * 4 * k] / size - f_here));
          if (k + 1 == radial.n_knots) continue;
          const double middle = radial.grid().radius(static_cast<double>(k) + 0.5);
          between_error = std::max(between_error, std::abs(suite::dfpt::cubic(table, 81, 0.5) / size - potential_of(l, a, middle)));
        }
        potential = std::max(potential, v_error / v_scale);
        density = std::max(density, f_error / f_scale);
        between = std::max(between, between_error / v_scale);
        moment = std::max(moment, std::abs(solved.moments[lm] / size / M - 1));
      }
    // A spline through 400 shells, most of all for l = 8; relative to the largest value of the component.
    check_below(call, "error of v on the knots", potential, 3e-6);
    check_below(call, "error of v between them", between, 3e-6);
    check_below(call, "error of f", density, 3e-6);
    check_below(call, "error of moments", moment, 1e-5);
  });
}

// A logarithmic grid that begins at 0.2 bohr: what lies below, r^3/3 of the value there, is half a percent of
// the charge, and taking it as constant errs by a hundredth of that.
BOOST_AUTO_TEST_CASE(what_lies_below_the_logarithmic_grid_counts) {
  const Radial radial(200, 0.2);
  Numbers f;
  for (const double r : radial.r) f.push_back(std::exp(-r * r));
  each_kept("dfpt.poisson", [&](Call& call) {
    const Solved solved = radial.solve(call, f, 1, 1, 1);
    check_below(call, "error of the moment", std::abs(solved.moments[0] / moment_of(0, 1) - 1), 2e-4);
    check_below(call, "error of v at the first point", std::abs(solved.potential[0] / potential_of(0, 1, 0.2) - 1), 2e-2);
  });
}

// The cusp of a density: exp(-2r) has its slope at the nucleus, where shells have no point.
BOOST_AUTO_TEST_CASE(densities_with_a_cusp_have_their_value_at_the_nucleus) {
  const Radial radial(60);
  Numbers f;
  for (const double r : radial.r) f.push_back(std::exp(-2 * r));
  each_kept("dfpt.poisson", [&](Call& call) {
    const Solved solved = radial.solve(call, f, 1, 1, 1);
    // The first shell is at 6e-4 bohr; without extrapolation the spline bends down to 0 there.
    check_below(call, "error of f at the nucleus", std::abs(solved.density[0] - 1), 1e-4);
    // v = 4 pi (1 - exp(-2r)(1 + r))/(4 r)
    double error = 0;
    for (int64_t k = 1; k < radial.n_knots; ++k) {
      const double r = radial.knots[k], v = pi * (1 - std::exp(-2 * r) * (1 + r)) / r;
      error = std::max(error, std::abs(solved.potential[4 * k] - v));
    }
    check_below(call, "error of v", error, 1e-5);
  });
}

// Twice as many shells: a spline of the fourth order.
BOOST_AUTO_TEST_CASE(more_shells_give_a_better_potential) {
  each_kept("dfpt.poisson", [&](Call& call) {
    double error[2] = {};
    for (int fine = 0; fine < 2; ++fine) {
      const Radial radial(fine ? 80 : 40);
      Numbers f;
      for (const double r : radial.r) f.push_back(std::exp(-r * r));
      const Solved solved = radial.solve(call, f, 1, 1, 1);
      for (int64_t k = 0; k < radial.n_knots; ++k)
        error[fine] = std::max(error[fine], std::abs(solved.potential[4 * k] - potential_of(0, 1, radial.knots[k])));
    }
    check_below(call, "ratio of errors", error[1] / error[0], 0.12);
  });
}

// A Gaussian beside its atom, by all three kernels: erf(sqrt(a) d)/d.
BOOST_AUTO_TEST_CASE(a_gaussian_charge_beside_an_atom_has_its_potential) {
  const Radial radial(240);
  const Sphere sphere(20);
  const double a = 0.5, atom[] = {0.2, -0.1, 0.3}, centre[] = {0.45, 0.1, 0.2};
  Numbers coords, weights, rho;
  Indices shell;
  const auto from_centre = [&](const double* r) { return std::hypot(r[0] - centre[0], r[1] - centre[1], r[2] - centre[2]); };
  for (size_t s = 0; s < radial.r.size(); ++s)
    for (size_t i = 0; i < sphere.weight.size(); ++i) {
      for (int d = 0; d < 3; ++d) coords.push_back(atom[d] + radial.r[s] * sphere.direction[3 * i + d]);
      const double distance = from_centre(&coords[coords.size() - 3]);
      rho.push_back(std::pow(a / pi, 1.5) * std::exp(-a * distance * distance));
      weights.push_back(4 * pi * sphere.weight[i]);
      shell.push_back(static_cast<int32_t>(s + 1));
    }
  const int64_t np = size_of(weights);
  const Numbers at = random_numbers(3 * 100, 52, -8, 8);
  Numbers expected;
  for (size_t p = 0; p < 100; ++p) {
    const double distance = from_centre(&at[3 * p]);
    expected.push_back(std::erf(std::sqrt(a) * distance) / distance);
  }
  each_kept("dfpt.multipoles", [&](Call& call) {
    const int64_t ns = radial.n_shells();
    call.numbers("coords", coords, {3, np});
    call.numbers("atom_coords", Numbers(atom, atom + 3), {3, 1});
    call.indices("point_atom", Indices(static_cast<size_t>(np), 1), {np});
    call.indices("point_shell", shell, {np});
    call.numbers("projection_weight", weights, {np});
    call.numbers("rho", rho, {np, 1});
    call.numbers("rho_multipole", garbage(81 * ns), {81, ns, 1, 1});
    call.run();
    const Numbers f = call.get_numbers("rho_multipole");
    Call solver = beside(call, "dfpt.poisson"), sum = beside(call, "dfpt.sum_up");
    const Solved solved = radial.solve(solver, f, 81, 1, 1);
    sum.numbers("coords", at, {3, 100});
    sum.numbers("atom_coords", Numbers(atom, atom + 3), {3, 1});
    sum.indices("species", {1}, {1});
    sum.indices("atom_table", {1}, {1});
    sum.numbers("grid_scale", {radial.table_scale}, {1});
    sum.numbers("grid_max", {radial.end}, {1});
    sum.numbers("multipole_radius", {0.98 * radial.end}, {1});
    sum.numbers("potential_spl", solved.potential, {81, 4, radial.n_knots, 1, 1});
    sum.numbers("moments", solved.moments, {81, 1, 1});
    sum.numbers("potential", garbage(100), {100, 1});
    sum.run();
    check_below(call, "error of v, with poisson and sum_up", distance(sum.get_numbers("potential"), expected), 2e-6);
    check_below(call, "error of the charge", std::abs(solved.moments[0] / std::sqrt(4 * pi) - 1), 2e-7);
  });
}

BOOST_AUTO_TEST_SUITE_END()
