// SPDX-License-Identifier: BSD-3-Clause
// Minimisation over stored local energies, where the answer is known: the harmonic oscillator with
// psi = exp(-a x^2). ln psi is linear in a, E_L = a + x^2 (1/2 - 2 a^2) a parabola in it, and a = 1/2 is
// exact.
#include <cmath>
#include <random>

#include <boost/test/unit_test.hpp>

#include <vmc/local_energies.hpp>

using namespace suite::vmc;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Points of |psi|^2. A second parameter changes nothing, as one that the configurations do not see.
LocalEnergies oscillator(double a, int count, unsigned seed, int parameters = 1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> gauss(0, 1 / std::sqrt(4 * a));
  LocalEnergies out(parameters);
  for (int i = 0; i < count; ++i) {
    const double x = gauss(random);
    VectorXd slope = VectorXd::Zero(parameters), score = slope;
    MatrixXd curvature = MatrixXd::Zero(parameters, parameters);
    slope(0) = 1 - 4 * a * x * x;
    curvature(0, 0) = -2 * x * x;
    score(0) = -x * x;
    out.add(a + x * x * (0.5 - 2 * a * a), slope, curvature, score);
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(stored_energies_are_those_of_the_changed_function) {
  const double a = 0.3, d = 0.11;
  const auto e = oscillator(a, 100, 1), there = oscillator(a, 100, 1);
  const VectorXd change = VectorXd::Constant(1, d);
  for (size_t i = 0; i < e.count(); ++i) {
    const double xx = -e.score(i)(0);
    BOOST_TEST(std::abs(e.energy(i, change) - (a + d + xx * (0.5 - 2 * (a + d) * (a + d)))) < 1e-13);
    const double h = 1e-6, slope = (e.energy(i, change.array() + h) - e.energy(i, change.array() - h)) / (2 * h);
    BOOST_TEST(std::abs(e.derivative(i, change)(0) - slope) < 1e-7);
  }
}

BOOST_AUTO_TEST_CASE(variance_and_deviation_go_to_zero_at_the_exact_function) {
  for (const double a : {0.2, 0.4, 0.7}) {
    const auto e = oscillator(a, 2000, 5);
    const Step variance = minimise_variance(e, plain_sum(e)), mad = minimise_mad(e, plain_sum(e));
    BOOST_TEST_CONTEXT("from " << a) {
      BOOST_TEST(std::abs(a + variance.change(0) - 0.5) < 1e-4);
      BOOST_TEST(variance.after < 1e-6 * variance.before);
      BOOST_TEST(std::abs(a + mad.change(0) - 0.5) < 1e-3);
      BOOST_TEST(mad.after < 1e-2 * mad.before);
    }
  }
}

BOOST_AUTO_TEST_CASE(cycles_of_the_linear_method_find_the_ground_state) {
  double a = 0.3;
  for (unsigned cycle = 0; cycle < 4; ++cycle) {
    const auto e = oscillator(a, 4000, 20 + cycle);
    const Step step = minimise_energy(e, plain_sum(e));
    BOOST_TEST(step.after <= step.before);
    a += step.change(0);
  }
  BOOST_TEST(std::abs(a - 0.5) < 5e-3);
}

BOOST_AUTO_TEST_CASE(a_parameter_that_changes_nothing_stays) {
  const auto e = oscillator(0.4, 1000, 9, 2);
  for (const auto& minimise : {minimise_variance, minimise_mad, minimise_energy}) {
    const Step step = minimise(e, plain_sum(e));
    BOOST_TEST(step.change(1) == 0);
    BOOST_TEST(std::abs(step.change(0) - 0.1) < 0.02);
  }
}

BOOST_AUTO_TEST_CASE(sums_in_other_portions_make_the_same_step) {
  const auto e = oscillator(0.35, 600, 13);
  const SumOver walkers = [&](size_t row, const std::function<void(size_t, std::span<double>)>& term) {
    std::vector<double> rows(row * 6, 0.0), sums(row, 0.0);
    for (size_t i = 0; i < e.count(); ++i) term(i, {rows.data() + i % 6 * row, row});
    for (size_t i = 0; i < rows.size(); ++i) sums[i % row] += rows[i];
    return sums;
  };
  BOOST_TEST(std::abs(minimise_variance(e, walkers).change(0) - minimise_variance(e, plain_sum(e)).change(0)) < 1e-9);
}
