// SPDX-License-Identifier: BSD-3-Clause
// lfd.field_prop and lfd.spectral_field_solve: the Hartree field.
#include <spectrum.hpp>

#include "support.hpp"

using namespace lfd_test;

namespace {

struct Waves {
  Grid g;
  double kappa = 0, gamma = 0;  // kappa as a share of the stable limit
  int steps = 1;

  double limit() const {
    double lambda = 0;
    for (int d = 0; d < 3; ++d) lambda += g.n[d] > 1 ? 4 / (g.h[d] * g.h[d]) : 0;
    return (4 - 2 * gamma) / lambda;
  }
  // Slices v and w, one behind the other.
  Numbers run(Call& call, const Numbers& vH, const Numbers& rho) const {
    call.forget();
    call.reals("vH", vH, g.two_extents());
    call.reals("rho", rho, g.extents());
    call.numbers("h", g.spacings(), {3});
    call.scalar("kappa", kappa * limit());
    call.scalar("gamma", gamma);
    call.count("field_steps", steps);
    call.run();
    return call.get_reals("vH");
  }
};

Grid some_grid() { return {{12, 10, 8}, {0.4, 0.45, 0.5}, 1}; }

Numbers laplacian(const Grid& g, const Numbers& v) {
  Numbers lap(v.size());
  for (int64_t i = 0; i < g.points(); ++i)
    for (int d = 0; d < 3; ++d)
      if (g.n[d] > 1) lap[i] += (v[g.step(i, d, 1)] - 2 * v[i] + v[g.step(i, d, -1)]) / (g.h[d] * g.h[d]);
  return lap;
}

double mean(const Numbers& x, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += x[i];
  return sum / static_cast<double>(count);
}

// Takes the mean of v away and returns it.
double without_mean(Numbers& vH, int64_t points) {
  const double m = mean(vH, static_cast<size_t>(points));
  for (int64_t i = 0; i < points; ++i) vH[i] -= m;
  return m;
}

// K steps wave by wave with the powers of the 2 x 2 matrix, transforms as plain sums over points.
Numbers closed_form(const Waves& s, const Numbers& vH, const Numbers& rho) {
  using namespace suite::lfd;
  const auto transform = [&](Numbers x, bool back) {
    for (int d = 0; d < 3; ++d) {
      const std::vector<double> Q = real_fourier_basis(s.g.n[d]);
      Numbers y(x.size());
      for (int64_t i = 0; i < s.g.points(); ++i)
        for (int64_t j = 0; j < s.g.n[d]; ++j) {
          const int64_t a = s.g.at(d, i), from = s.g.step(i, d, j - a);
          y[i] += (back ? Q[j * s.g.n[d] + a] : Q[a * s.g.n[d] + j]) * x[from];
        }
      x = y;
    }
    return x;
  };
  const auto points = s.g.points();
  Numbers v = transform(Numbers(vH.begin(), vH.begin() + points), false), w = transform(Numbers(vH.begin() + points, vH.end()), false),
          r = transform(rho, false);
  for (int64_t i = 0; i < points; ++i) {
    double lambda = 0;
    for (int d = 0; d < 3; ++d)
      if (s.g.n[d] > 1) lambda += axis_eigenvalues(Laplacian::differences, s.g.n[d], s.g.h[d])[basis_wave(s.g.at(d, i))];
    const FieldPower power = field_power(s.kappa * s.limit() * lambda, s.gamma, s.steps);
    const double rest = lambda > 0 ? 4 * pi * r[i] / lambda : 0, d = v[i] - rest;
    v[i] = rest + power.dd * d + power.dw * w[i];
    w[i] = power.wd * d + power.ww * w[i];
  }
  v = transform(v, true);
  w = transform(w, true);
  v.insert(v.end(), w.begin(), w.end());
  return v;
}

Numbers solve(Call& call, const Grid& g, const Numbers& rho, const char* laplacian) {
  call.forget();
  call.choose("laplacian", laplacian);
  call.reals("rho", rho, g.extents());
  call.numbers("h", g.spacings(), {3});
  Numbers poison(static_cast<size_t>(2 * g.points()), 1e30);
  call.reals("vH", poison, g.two_extents());
  call.run();
  return call.get_reals("vH");
}

// (a/pi)^{3/2} e^{-a r^2} around a point off the grid.
Numbers gaussian(const Grid& g, double a, const double* center) {
  Numbers rho(static_cast<size_t>(g.points()));
  for (int64_t i = 0; i < g.points(); ++i) {
    double r2 = 0;
    for (int d = 0; d < 3; ++d) r2 += (g.r(d, i) - center[d]) * (g.r(d, i) - center[d]);
    rho[i] = std::pow(a / pi, 1.5) * std::exp(-a * r2);
  }
  return rho;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(field)

// One step by hand, then 1100: every form is the power of the 2 x 2 matrix of each wave, undamped, damped,
// overdamped and with gamma > 1.
BOOST_AUTO_TEST_CASE(many_steps_are_a_power) {
  for_each("lfd.field_prop", Variants::all, [](Call& call) {
    Waves s{some_grid()};
    const auto points = s.g.points();
    const Numbers vH = random_numbers(2 * points, 4, -0.1, 0.1), rho = random_numbers(points, 5, 0, 0.3);
    for (const double gamma : {0.0, 0.1, 0.9, 1.6})
      for (const int steps : {0, 1, 2, 17, 1100}) {
        s.gamma = gamma;
        s.kappa = 0.9;
        s.steps = steps;
        const std::string what = "gamma " + std::to_string(gamma) + ", " + std::to_string(steps) + " steps: ";
        Numbers expected = closed_form(s, vH, rho), found = s.run(call, vH, rho);
        // Rounding pushes the mean of v, which nothing pulls back, the same way in every step.
        const double pushed = without_mean(found, points) - without_mean(expected, points);
        check_below(call, what + "distance", distance(found, expected) / largest(expected), call.allow(1e-12, 2e-4));
        check_below(call, what + "mean off by", std::abs(pushed), call.allow(2e-11, 2e-3));
      }
  });
}

// One step, term by term.
BOOST_AUTO_TEST_CASE(one_step_is_the_formula) {
  for_each("lfd.field_prop", Variants::all, [](Call& call) {
    Waves s{some_grid(), 0.7, 0.3, 1};
    const auto points = s.g.points();
    const Numbers vH = random_numbers(2 * points, 6, -0.1, 0.1), rho = random_numbers(points, 7, 0, 0.3);
    const Numbers v(vH.begin(), vH.begin() + points), lap = laplacian(s.g, v);
    Numbers expected = vH;
    for (int64_t i = 0; i < points; ++i) {
      const double w = vH[points + i];
      const double u = s.kappa * s.limit() * (lap[i] + 4 * pi * (rho[i] - mean(rho, rho.size()))) - s.gamma * w;
      expected[points + i] = w + u;
      expected[i] = vH[i] + w + u;
    }
    check_below(call, "distance", distance(s.run(call, vH, rho), expected), call.allow(1e-14, 1e-6));
  });
}

// Two equal roots of z^2 - (2 - gamma - kappa lambda) z + (1 - gamma): kappa lambda = (1 - sqrt(1 -
// gamma))^2. One wave of exactly this lambda, where a form with roots would divide by their difference.
BOOST_AUTO_TEST_CASE(equal_roots_are_no_special_case) {
  for_each("lfd.field_prop", Variants::all, [](Call& call) {
    Waves s{{{16, 1, 1}, {0.5, 0.5, 0.5}, 1}};
    s.gamma = 0.4375;  // 1 - gamma = 0.75^2: the double root 0.75
    s.steps = 20;
    const double lambda = 4 * std::pow(std::sin(pi * 3 / 16) / 0.5, 2);
    s.kappa = 0.0625 / lambda / s.limit();
    Numbers vH(32), expected(32);
    // d_n = (1 + c n) z^n for d_0 = 1, w_0 = 0: w_1 = d_1 - d_0 = -kappa lambda.
    const double z = 0.75, c = (1 - 0.0625) / z - 1;
    const auto d = [&](int n) { return (1 + c * n) * std::pow(z, n); };
    for (int i = 0; i < 16; ++i) {
      const double shape = std::cos(2 * pi * 3 * i / 16);
      vH[i] = shape;
      expected[i] = d(20) * shape;
      expected[16 + i] = (d(20) - d(19)) * shape;
    }
    check_below(call, "distance", distance(s.run(call, vH, Numbers(16, 0.0)), expected), call.allow(1e-14, 1e-6));
  });
}

// Without damping 1/2 w.w + kappa/2 <v_{n-1}|-lap|v_n> stays (v measured from its rest position).
BOOST_AUTO_TEST_CASE(undamped_field_keeps_its_invariant) {
  for_each("lfd.field_prop", Variants::all, [](Call& call) {
    Waves s{some_grid(), 0.93, 0, 1};
    const auto points = s.g.points();
    const auto invariant = [&](const Numbers& vH) {
      Numbers now(vH.begin(), vH.begin() + points), before = now;
      for (int64_t i = 0; i < points; ++i) before[i] -= vH[points + i];
      const Numbers lap = laplacian(s.g, now);
      double sum = 0;
      for (int64_t i = 0; i < points; ++i) sum += 0.5 * vH[points + i] * vH[points + i] - 0.5 * s.kappa * s.limit() * before[i] * lap[i];
      return sum;
    };
    const Numbers start = random_numbers(2 * points, 9, -0.1, 0.1), none(static_cast<size_t>(points), 0.0);
    s.steps = 1;
    const double first = invariant(s.run(call, start, none));
    s.steps = 400;
    check_below(call, "relative change in 400 steps", std::abs(invariant(s.run(call, start, none)) / first - 1), call.allow(1e-13, 1e-4));
  });
}

// There is no force on the mean of v: a charged cell leaves it where it is, whatever the number of steps
// (with the mean of rho it would be at 10^5).
BOOST_AUTO_TEST_CASE(charge_does_not_move_the_mean) {
  for_each("lfd.field_prop", Variants::all, [](Call& call) {
    Waves s{some_grid(), 0.9, 0, 1000};
    const auto points = s.g.points();
    Numbers vH(static_cast<size_t>(2 * points));
    for (int64_t i = 0; i < points; ++i) vH[i] = 0.3;
    const Numbers rho = random_numbers(points, 10, 0.5, 1.0);
    const Numbers after = s.run(call, vH, rho);
    check_below(call, "change of the mean", std::abs(mean(after, static_cast<size_t>(points)) - 0.3), call.allow(2e-11, 2e-3));
  });
}

// The edge 4 - 2 gamma: just inside runs and stays bounded, on it and outside is refused with the number to
// use.
BOOST_AUTO_TEST_CASE(stability_ends_where_it_should) {
  for_each("lfd.field_prop", Variants::standard, [](Call& call) {
    for (const double gamma : {0.0, 0.3, 1.9}) {
      Waves s{some_grid(), 0.999, gamma, 500};
      const auto points = s.g.points();
      const Numbers vH = random_numbers(2 * points, 11, -0.1, 0.1), rho(static_cast<size_t>(points), 0.0);
      check_below(call, "largest v just inside", largest(s.run(call, vH, rho)), 100);
      for (const double share : {1.0, 1.1}) {
        s.kappa = share;
        BOOST_CHECK_EXCEPTION(s.run(call, vH, rho), suite::Failure, [](const suite::Failure& f) {
          return f.status() == SUITE_INVALID_ARGUMENT && std::string(f.what()).find("; use ") != std::string::npos;
        });
      }
    }
  });
}

// Damped, the field settles where the 7-point Laplacian has it, which is where the solve puts it at once.
BOOST_AUTO_TEST_CASE(damped_field_settles_at_the_solution) {
  for_each("lfd.field_prop", Variants::standard, [](Call& call) {
    Waves s{some_grid(), 0.9, 0.5, 900};
    const auto points = s.g.points();
    const Numbers rho = random_numbers(points, 12, 0, 0.3);
    Call solver = beside(call, "lfd.spectral_field_solve");
    const Numbers rest = solve(solver, s.g, rho, "differences");
    const Numbers after = s.run(call, Numbers(static_cast<size_t>(2 * points), 0.0), rho);
    check_below(call, "distance from the solution", distance(after, rest) / largest(rest), call.allow(1e-11, 1e-4));
  });
}

// lap v + 4 pi (rho - mean) = 0 at every point, and so the flux through any box is 4 pi times the charge in
// it.
BOOST_AUTO_TEST_CASE(solution_obeys_gauss_law) {
  for_each("lfd.spectral_field_solve", Variants::all, [](Call& call) {
    for (const Grid& g : {some_grid(), Grid{{2, 14, 1}, {0.4, 0.3, 0.5}, 1}}) {
      const Numbers rho = random_numbers(g.points(), 13, 0, 0.5);
      const Numbers v = solve(call, g, rho, "differences"), lap = laplacian(g, v);
      double residual = 0;
      for (int64_t i = 0; i < g.points(); ++i) residual = std::max(residual, std::abs(lap[i] + 4 * pi * (rho[i] - mean(rho, rho.size()))));
      check_below(call, "residual", residual, call.allow(1e-12, 2e-4));
      check_below(call, "mean", std::abs(mean(v, static_cast<size_t>(g.points()))), call.allow(1e-14, 1e-6));
      const Numbers w(v.begin() + g.points(), v.end());
      check_below(call, "w", largest(w), 0);
    }
    const Grid g = some_grid();
    const Numbers rho = random_numbers(g.points(), 14, 0, 0.5), v = solve(call, g, rho, "differences");
    double flux = 0, charge = 0;  // of the box 3..8, 2..6, 1..5
    const int64_t low[] = {3, 2, 1}, high[] = {8, 6, 5};
    for (int64_t i = 0; i < g.points(); ++i) {
      bool inside = true;
      for (int d = 0; d < 3; ++d) inside = inside && g.at(d, i) >= low[d] && g.at(d, i) <= high[d];
      if (!inside) continue;
      charge += (rho[i] - mean(rho, rho.size())) * g.dr();
      for (int d = 0; d < 3; ++d)
        for (const int64_t by : {-1, 1})
          if (const int64_t at = g.at(d, i) + by; at < low[d] || at > high[d])
            flux -= (v[g.step(i, d, by)] - v[i]) / g.h[d] * g.dr() / g.h[d];
    }
    check_below(call, "flux - 4 pi Q", std::abs(flux - 4 * pi * charge), call.allow(1e-13, 1e-5));
  });
}

// A lattice of Gaussian charges with their background: the sum over waves, written down at a few points.
BOOST_AUTO_TEST_CASE(lattice_of_gaussian_charges) {
  for_each("lfd.spectral_field_solve", Variants::all, [](Call& call) {
    const Grid g{{16, 20, 18}, {0.5, 0.45, 0.5}, 1};
    const double a = 1.1, center[] = {0.13, -0.2, 0.4};
    // Images of the charge reach over the border: the density of the lattice itself.
    Numbers rho(static_cast<size_t>(g.points()));
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          const double at[] = {center[0] + x * 8.0, center[1] + y * 9.0, center[2] + z * 9.0};
          const Numbers one = gaussian(g, a, at);
          for (size_t i = 0; i < rho.size(); ++i) rho[i] += one[i];
        }
    const Numbers v = solve(call, g, rho, "continuum");
    double worst = 0;
    for (const int64_t i : {int64_t(0), int64_t(777), g.index(8, 10, 9), g.index(9, 9, 10)}) {
      double sum = 0;
      for (int x = -14; x <= 14; ++x)
        for (int y = -16; y <= 16; ++y)
          for (int z = -16; z <= 16; ++z) {
            const double q[] = {2 * pi * x / 8, 2 * pi * y / 9, 2 * pi * z / 9};
            const double q2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
            double angle = 0;
            for (int d = 0; d < 3; ++d) angle += q[d] * (g.r(d, i) - center[d]);
            if (q2 > 0) sum += 4 * pi / (8 * 9 * 9) * std::exp(-q2 / (4 * a)) / q2 * std::cos(angle);
          }
      worst = std::max(worst, std::abs(v[i] - sum));
    }
    // The grid's own error is e^{-(pi/h)^2/(4 a)} = 1e-4 of a charge's highest wave over its q^2.
    check_below(call, "distance from the sum over waves", worst, call.allow(3e-6, 2e-5));
  });
}

// erf(sqrt(a) r)/r in a cell that is no cube and without images, and its energy sqrt(a/(2 pi)).
BOOST_AUTO_TEST_CASE(isolated_gaussian_charge) {
  for_each("lfd.spectral_field_solve", Variants::all, [](Call& call) {
    const Grid g{{32, 30, 36}, {0.5, 0.55, 0.45}, 1};
    const double a = 0.5, center[] = {0.1, -0.15, 0.2};
    const Numbers rho = gaussian(g, a, center), v = solve(call, g, rho, "isolated");
    double worst = 0, energy = 0;
    for (int64_t i = 0; i < g.points(); ++i) {
      double r2 = 0;
      for (int d = 0; d < 3; ++d) r2 += (g.r(d, i) - center[d]) * (g.r(d, i) - center[d]);
      worst = std::max(worst, std::abs(v[i] - std::erf(std::sqrt(a * r2)) / std::sqrt(r2)));
      energy += 0.5 * rho[i] * v[i] * g.dr();
    }
    // e^{-(pi/0.55)^2/(4 a)} = 8e-8, over q^2.
    check_below(call, "distance from erf(sqrt(a) r)/r", worst, call.allow(2e-8, 2e-6));
    check_below(call, "energy off by", std::abs(energy - std::sqrt(a / (2 * pi))), call.allow(1e-10, 2e-6));
  });
}

// Far from a charge its potential is Q/r, right up to the corners of a long cell.
BOOST_AUTO_TEST_CASE(isolated_charge_in_a_long_cell) {
  for_each("lfd.spectral_field_solve", Variants::all, [](Call& call) {
    const Grid g{{8, 8, 64}, {0.5, 0.5, 0.5}, 1};
    const double a = 3.0, center[] = {-1.0, 0.5, -12.0};
    const Numbers v = solve(call, g, gaussian(g, a, center), "isolated");
    double worst = 0;
    for (int64_t i = 0; i < g.points(); ++i) {
      double r2 = 0;
      for (int d = 0; d < 3; ++d) r2 += (g.r(d, i) - center[d]) * (g.r(d, i) - center[d]);
      if (r2 > 25) worst = std::max(worst, std::abs(v[i] * std::sqrt(r2) - 1));
    }
    check_below(call, "relative distance from 1/r", worst, call.allow(2e-3, 2e-3));
  });
}

BOOST_AUTO_TEST_SUITE_END()
