// SPDX-License-Identifier: BSD-3-Clause
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <random>

#include "files.hpp"
#include "gw/coulomb.hpp"

using namespace suite::gw;
using std::numbers::pi;

namespace {

const Matrix3 cubic{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
const double cubic_volume = 8 * pi * pi * pi;

// Reciprocal lattice of an fcc crystal with lattice constant a.
Matrix3 fcc(double a) {
  const double b = 4 * pi * pi / (a * a);
  return {{{3 * b, -b, -b}, {-b, 3 * b, -b}, {-b, -b, 3 * b}}};
}

// bdot of the basis sum_j change[i][j] b_j.
Matrix3 rebased(const Matrix3& bdot, const std::array<Miller, 3>& change) {
  Matrix3 out{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) out[i][j] += change[i][k] * change[j][l] * bdot[k][l];
  return out;
}

bool close(double a, double b, double relative) { return std::abs(a - b) <= relative * std::abs(b); }

const std::vector<Vector3> places{{0, 0, 0},       {1e-9, 0, 0}, {0.01, 0.02, -0.03}, {0.3, 0.2, 0.1}, {0.5, 0, 0}, {0.4999999, 0.1, 0},
                                  {0.5, 0.5, 0.5}, {1, 0, 0},    {0.7, -0.4, 2},      {7, 3, -5},      {30, 10, 2}};

}  // namespace

BOOST_AUTO_TEST_CASE(the_cube_has_its_closed_form) {
  const CoulombAverage average(cubic, {1, 1, 1}, cubic_volume);
  BOOST_TEST(average.cell_volume() == 1.0, boost::test_tools::tolerance(1e-14));
  // int over the unit cube of 1/r: 3 ln(2 + sqrt 3) - pi/2
  const double one_over_r = 3 * std::log(2 + std::sqrt(3.0)) - pi / 2;
  BOOST_TEST(close(average.one_over_q({0, 0, 0}), 8 * pi * one_over_r, 1e-13));
  // of 1/r^2: one integral over x done by hand, 24 int_0^1/2 atan(1/2s)/s dy with s^2 = 1/4 + y^2 ... by
  // Simpson's rule
  const int n = 2000;
  double sum = 0;
  for (int i = 0; i <= n; ++i) {
    const double y = 0.5 * i / n, s = std::sqrt(0.25 + y * y);
    sum += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * std::atan(0.5 / s) / s;
  }
  const double one_over_r2 = 12 * sum * 0.5 / n / 3;
  BOOST_TEST(close(average.v({0, 0, 0}), 8 * pi * one_over_r2, 1e-12));
}

BOOST_AUTO_TEST_CASE(more_points_change_nothing) {
  for (const auto& [bdot, volume] : {std::pair{cubic, cubic_volume}, {fcc(10.26), std::pow(10.26, 3) / 4}})
    for (const auto& Q : places) {
      const CoulombAverage standard(bdot, {1, 1, 1}, volume), finer(bdot, {1, 1, 1}, volume, 8);
      BOOST_TEST_CONTEXT("q+G = " << Q[0] << " " << Q[1] << " " << Q[2]) {
        BOOST_TEST(close(standard.v(Q), finer.v(Q), 1e-12));
        BOOST_TEST(close(standard.one_over_q(Q), finer.one_over_q(Q), 1e-12));
      }
    }
}

BOOST_AUTO_TEST_CASE(eight_small_cubes_make_a_large_one) {
  const CoulombAverage large(cubic, {1, 1, 1}, cubic_volume), small(cubic, {2, 2, 2}, cubic_volume);
  for (const auto& Q : places) {
    double v = 0, one_over_q = 0;
    for (int corner = 0; corner < 8; ++corner) {
      Vector3 x = Q;
      for (int i = 0; i < 3; ++i) x[i] += corner >> i & 1 ? 0.25 : -0.25;
      v += small.v(x) / 8;
      one_over_q += small.one_over_q(x) / 8;
    }
    BOOST_TEST(close(large.v(Q), v, 1e-12));
    BOOST_TEST(close(large.one_over_q(Q), one_over_q, 1e-12));
  }
}

BOOST_AUTO_TEST_CASE(lengths_scale) {
  const double a = 10.26, s = 1.7;
  const CoulombAverage one(fcc(a), {4, 4, 4}, a * a * a / 4), other(fcc(a * s), {4, 4, 4}, std::pow(a * s, 3) / 4);
  for (const auto& Q : places) {
    BOOST_TEST(close(other.v(Q), s * s * one.v(Q), 1e-12));
    BOOST_TEST(close(other.one_over_q(Q), s * one.one_over_q(Q), 1e-12));
  }
}

BOOST_AUTO_TEST_CASE(the_choice_of_lattice_vectors_does_not_matter) {
  const double a = 10.26;
  const CoulombAverage one(fcc(a), {1, 1, 1}, a * a * a / 4);
  const CoulombAverage skew(rebased(fcc(a), {Miller{1, 0, 0}, Miller{3, 1, 0}, Miller{-2, 5, 1}}), {1, 1, 1}, a * a * a / 4);
  for (const auto& y : places) {
    // sum_i y_i b'_i = sum_ij y_i change_ij b_j
    const Vector3 x{y[0] + 3 * y[1] - 2 * y[2], y[1] + 5 * y[2], y[2]};
    BOOST_TEST(close(skew.v(y), one.v(x), 1e-11));
  }
}

BOOST_AUTO_TEST_CASE(the_fcc_cell_agrees_with_a_sum_over_points) {
  const double a = 10.26;
  const Matrix3 bdot = fcc(a);
  const CoulombAverage average(bdot, {1, 1, 1}, a * a * a / 4);
  const int n = 40;
  const Vector3 Q{1, 0.5, -0.5};
  double sum = 0;
  for (int i = 0; i < n * n * n; ++i) {
    const Vector3 p{(i % n + 0.5) / n, (i / n % n + 0.5) / n, (i / n / n + 0.5) / n};
    Vector3 folded = p;
    for (int image = 0; image < 125; ++image) {
      const Vector3 other{p[0] - image % 5 + 2, p[1] - image / 5 % 5 + 2, p[2] - image / 25 + 2};
      if (length2(bdot, other) < length2(bdot, folded)) folded = other;
    }
    sum += 1 / length2(bdot, {Q[0] + folded[0], Q[1] + folded[1], Q[2] + folded[2]});
  }
  BOOST_TEST(close(average.v(Q), 8 * pi * sum / (n * n * n), 1e-3));  // the sum's own error: its points' coarseness
}

BOOST_AUTO_TEST_CASE(far_away_the_average_is_the_centre) {
  const double a = 10.26;
  const CoulombAverage average(fcc(a), {4, 4, 4}, a * a * a / 4);
  const Vector3 Q{12, -5, 9.25};
  const double q2 = length2(fcc(a), Q);
  BOOST_TEST(close(average.v(Q), 8 * pi / q2, 1e-4));
  BOOST_TEST(!close(average.v(Q), 8 * pi / q2, 1e-7));
  BOOST_TEST(close(average.one_over_q(Q), 8 * pi / std::sqrt(q2), 1e-4));
}

BOOST_AUTO_TEST_CASE(heads_agree_with_monte_carlo_ones) {
  // 2.5e6 random points: about 1e-4. The numbers are those of inputs/data: silicon/vcoul.gz and
  // silicon_78bands/ref/a_default_ch1/headinfo.txt.
  const double a5 = 10.2612, a4 = 10.26;
  BOOST_TEST(close(CoulombAverage(fcc(a4), {4, 4, 4}, a4 * a4 * a4 / 4).v({0, 0, 0}), 3302.96715443917765, 2e-4));
  BOOST_TEST(close(CoulombAverage(fcc(a5), {5, 5, 5}, a5 * a5 * a5 / 4).v({0, 0, 0}), 5162.0935, 2e-4));
}

BOOST_AUTO_TEST_CASE(wrong_cells_are_refused) {
  BOOST_TEST(test::failure([] { CoulombAverage(cubic, {1, 0, 1}, cubic_volume); }) == "the q grid has 0 divisions along b2");
  BOOST_TEST(test::failure([] {
               CoulombAverage(cubic, {1, 1, 1}, 2 * cubic_volume);
             }) == "bdot gives a cell of 248.050213 bohr^3 but the cell volume is 496.100427 bohr^3");
  BOOST_TEST(test::failure([] {
               CoulombAverage(Matrix3{{{1, 1, 0}, {1, 1, 0}, {0, 0, 1}}}, {1, 1, 1}, cubic_volume);
             }) == "the reciprocal lattice is not three-dimensional: bdot is not positive definite");
}

BOOST_AUTO_TEST_CASE(a_file_is_found_by_q_plus_G) {
  const test::TemporaryFile file("vcoul",
                                 "  0.00000000  0.00000000  0.00000000       0      0      0       0.51620935E+04\n"
                                 "\n"
                                 "  0.00000000  0.00000000  0.80000000       0      0     -1       593.5\n"
                                 "  0.33333333  0.01562500  0.00000000       0      1      0       12.0\r\n"
                                 "  0.00000000  0.00000000 -0.20000000       0      0      0       593.50000001\n"
                                 "  0.1 0.2 0.3  1 2 3  7.5");
  const CoulombFile v(file.path());
  BOOST_TEST(v.size() == 4u);
  BOOST_TEST(v.v({0, 0, 0}, {0, 0, 0}) == 5162.0935);
  BOOST_TEST(v.v({0, 0, -0.2}, {0, 0, 0}) == 593.5);
  BOOST_TEST(v.v({0, 0, 0.2}, {0, 0, 0}) == 593.5);  // -(q+G)
  BOOST_TEST(v.v({0, 0, 1.8}, {0, 0, -2}) == 593.5);
  BOOST_TEST(v.v({1.0 / 3, 1.0 / 64 + 5e-7, 0}, {0, 1, 0}) == 12.0);
  BOOST_TEST(v.v({1.0 / 3, 1.0 / 64 - 5e-7, 0}, {0, 1, 0}) == 12.0);
  BOOST_TEST(v.v({0.1, 0.2, 0.3}, {1, 2, 3}) == 7.5);
  BOOST_TEST(test::failure([&] {
               v.v({0.1, 0, 0}, {0, 0, 2});
             }) == file.path().string() + " has no v(q+G) for q+G = (0.1 0 2); it was written for other k or q points or a smaller cutoff");
}

BOOST_AUTO_TEST_CASE(a_bad_line_of_a_file_is_named) {
  const std::string good = "0 0 0  0 0 0  5162.0\n";
  const auto message = [&](const std::string& line) {
    const test::TemporaryFile file("vcoul", good + line);
    const std::string text = test::failure([&] { CoulombFile{file.path()}; }), prefix = file.path().string();
    return text.substr(0, prefix.size()) == prefix ? text.substr(prefix.size()) : text;
  };
  BOOST_TEST(message("0 0 0 0 0 1\n") == ":2: expected 7 numbers (q1 q2 q3 G1 G2 G3 v), got 6");
  BOOST_TEST(message("0 0 0 0 0 1 2 3\n") == ":2: expected 7 numbers (q1 q2 q3 G1 G2 G3 v), got 8");
  BOOST_TEST(message("0 0 0 0 x 1 2\n") == ":2: 'x' is not a number");
  BOOST_TEST(message("0 0 nan 0 0 1 2\n") == ":2: 'nan' is not a number");
  BOOST_TEST(message("0 0 0 0 0.5 1 2\n") == ":2: G component 2 is not a whole number");
  BOOST_TEST(message("0 0 0 0 0 1 -2\n") == ":2: v is -2.000000; it must be positive");
  BOOST_TEST(message("1 0 0 -1 0 0 5163\n") == ":2: v(q+G) at (0 0 0) is 5163.000000 but line 1 has 5162.000000");
  BOOST_TEST(message("") == "no failure");
  const test::TemporaryFile empty("vcoul", "\n");
  BOOST_TEST(test::failure([&] { CoulombFile{empty.path()}; }) == empty.path().string() + " has no values");
  BOOST_TEST(test::failure([&] { CoulombFile{"/no/such/vcoul"}; }) == "cannot open /no/such/vcoul");
}

BOOST_AUTO_TEST_CASE(averages_agree_with_the_random_points_of_the_silicon_run) {
#ifdef SUITE_HAVE_ZLIB
  const CoulombFile file(test::source / "inputs/data/silicon/vcoul.gz");
  BOOST_TEST(file.size() == 58474u);
  const double volume = 10.2612 * 10.2612 * 10.2612 / 4;  // to 1e-4 of the file's cell, enough here
  const CoulombAverage average(fcc(10.2612), {5, 5, 5}, volume);
  // That run took 250000 points where |q+G| is the radius of the mini-cell, fewer with 1/|q+G|^2; the mean
  // over many q+G of the relative difference is 0 within statistics.
  double mean = 0, worst = 0;
  int count = 0;
  for (int i = -2; i <= 2; ++i)
    for (int j = -2; j <= 2; ++j)
      for (int k = -2; k <= 2; ++k) {
        if (i == 0 && j == 0 && k == 0) continue;
        const double relative = average.v({double(i), double(j), double(k)}) / file.v({0, 0, 0}, {i, j, k}) - 1;
        mean += relative;
        worst = std::max(worst, std::abs(relative));
        ++count;
      }
  mean /= count;
  BOOST_TEST_MESSAGE("mean " << mean << " worst " << worst << " of " << count);
  BOOST_TEST(std::abs(mean) < 1e-4);
  BOOST_TEST(worst < 5e-3);
#else
  BOOST_TEST_MESSAGE("skipped: built without zlib");
#endif
}
