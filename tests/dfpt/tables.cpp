// SPDX-License-Identifier: BSD-3-Clause
// What all implementations are made of: harmonics, radial grids, splines.
#include "support.hpp"

using namespace dfpt_test;
using namespace suite::dfpt;

BOOST_AUTO_TEST_SUITE(tables)

BOOST_AUTO_TEST_CASE(harmonics_are_those_of_the_standard_library) {
  const Numbers directions = random_numbers(300, 5, -1, 1);
  double worst = 0, smaller = 0;
  for (size_t i = 0; i < directions.size(); i += 3) {
    double e[3], length = 0, Y[components(8)], few[components(3)];
    for (int d = 0; d < 3; ++d) length += directions[i + d] * directions[i + d];
    for (int d = 0; d < 3; ++d) e[d] = directions[i + d] / std::sqrt(length);
    spherical_harmonics<8>(e[0], e[1], e[2], Y);
    spherical_harmonics<3>(e[0], e[1], e[2], few);
    for (int l = 0; l <= 8; ++l)
      for (int m = -l; m <= l; ++m) worst = std::max(worst, std::abs(Y[l * l + l + m] - real_harmonic(l, m, e)));
    for (int lm = 0; lm < components(3); ++lm) smaller = std::max(smaller, std::abs(Y[lm] - few[lm]));
  }
  BOOST_TEST(worst < 2e-14);  // measured 5e-15
  BOOST_TEST(smaller == 0);
}

BOOST_AUTO_TEST_CASE(first_harmonics_have_their_signs) {
  const double e[] = {0.48, -0.6, 0.64}, p = std::sqrt(3 / (4 * pi)), d = std::sqrt(15 / (4 * pi));
  double Y[9];
  spherical_harmonics<2>(e[0], e[1], e[2], Y);
  const double expected[] = {std::sqrt(1 / (4 * pi)),
                             p * e[1],
                             p * e[2],
                             p * e[0],
                             d * e[0] * e[1],
                             d * e[1] * e[2],
                             std::sqrt(5 / (16 * pi)) * (3 * e[2] * e[2] - 1),
                             d * e[0] * e[2],
                             d / 2 * (e[0] * e[0] - e[1] * e[1])};
  for (int lm = 0; lm < 9; ++lm) BOOST_TEST(std::abs(Y[lm] - expected[lm]) < 1e-15);
}

BOOST_AUTO_TEST_CASE(positions_on_a_grid_are_where_its_knots_are) {
  for (const RadialGrid& grid : {logarithmic_grid(1e-4, 1.05, 250), grid_by_shells(3.2, 9.5, 64)}) {
    for (int k = 0; k + 1 < grid.n_knots; ++k) {
      const Knot at = grid.position(grid.radius(k + 0.25));
      BOOST_TEST(at.number == k);
      BOOST_TEST(std::abs(at.fraction - 0.25) < 1e-10);
    }
    for (const double r : {-1.0, 0.0, grid.first}) {
      BOOST_TEST(grid.is_at_nucleus(r));
      BOOST_TEST(grid.position(r).number == 0);
      BOOST_TEST(grid.position(r).fraction == 0);
    }
    for (const double r : {grid.last * (1 + 1e-12), 1e6}) {
      BOOST_TEST(grid.position(r).number == grid.n_knots - 2);
      BOOST_TEST(grid.position(r).fraction == 1);
    }
    BOOST_TEST(std::abs(grid.radius(grid.n_knots - 1.0) / grid.last - 1) < 1e-12);
  }
}

// A cubic is its own not-a-knot spline; three knots have a parabola, two a line.
BOOST_AUTO_TEST_CASE(splines_reproduce_polynomials) {
  for (int n = 2; n <= 12; ++n) {
    const int degree = std::min(n - 1, 3);
    const auto polynomial = [&](double x, int f) {
      double value = 0;
      for (int power = degree; power >= 0; --power) value = value * x + (f + 1) * (power - 1.5) / 3;
      return value;
    };
    Numbers values, spline(static_cast<size_t>(4 * 2 * n), 1e30);
    for (int k = 0; k < n; ++k)
      for (int f = 0; f < 2; ++f) values.push_back(polynomial(k, f));
    interleaved_splines(values.data(), n, 2, spline.data());
    for (int k = 0; k + 1 < n; ++k)
      for (int f = 0; f < 2; ++f)
        for (const double d : {0.0, 0.3, 1.0})
          BOOST_TEST(std::abs(cubic(&spline[static_cast<size_t>(8 * k + f)], 2, d) - polynomial(k + d, f)) < 1e-11);
    for (int i = 2; i < 8; ++i) BOOST_TEST(spline[static_cast<size_t>(8 * (n - 1) + i)] == 0);
  }
}

// Its first and second derivatives are those of the next interval, and the error falls as h^4.
BOOST_AUTO_TEST_CASE(splines_are_smooth) {
  double error[2];
  for (int fine = 0; fine < 2; ++fine) {
    const int n = fine ? 41 : 21;
    const double h = 4.0 / (n - 1);
    Numbers values, s(static_cast<size_t>(4 * n));
    for (int k = 0; k < n; ++k) values.push_back(std::sin(h * k));
    interleaved_splines(values.data(), n, 1, s.data());
    error[fine] = 0;
    for (int k = 0; k + 1 < n; ++k) {
      const double* const a = &s[static_cast<size_t>(4 * k)];
      error[fine] = std::max(error[fine], std::abs(cubic(a, 1, 0.5) - std::sin(h * (k + 0.5))));
      if (k + 2 == n) continue;
      BOOST_TEST(std::abs(a[1] + 2 * a[2] + 3 * a[3] - a[5]) < 1e-13);
      BOOST_TEST(std::abs(2 * a[2] + 6 * a[3] - 2 * a[6]) < 1e-13);
    }
  }
  BOOST_TEST(error[1] < error[0] / 14);
}

BOOST_AUTO_TEST_SUITE_END()
