// SPDX-License-Identifier: BSD-3-Clause
// Full frequency by contour deformation, from wavefunctions alone: every column of BerkeleyGW for gallium arsenide (contour/, made by its epsilon.x and
// sigma.x with the inputs there), and the lines of its regression case for silicon.
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <fstream>
#include <numbers>

#include <suite/plugin.hpp>

#include "contour_rule.hpp"
#include "frequencies.hpp"
#include "plan.hpp"
#include "solved.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;
namespace fs = std::filesystem;
using Complex = std::complex<double>;

namespace {

// As contour/epsilon.inp and sigma.inp say.
Settings gallium_arsenide_by_contour() {
  Settings s = gallium_arsenide_from_wavefunctions();
  s.model = Model::contour_deformation;
  s.contour_rule = ContourRule::constant;
  s.epsilon.imaginary_points = 10;
  s.epsilon.broadening_eV = 0.5;
  for (int i = 0; i <= 15; ++i) s.epsilon.real_frequencies_eV.push_back(2.0 * i);
  s.coulomb = CoulombMode::berkeleygw;
  s.wings = Wings::berkeleygw;
  s.coulomb_head = 0;
  s.finite_difference_form = -3;
  s.frequency_grid_min_eV = -1;
  s.frequency_grid_max_eV = 1;
  s.frequency_grid_points = 3;
  s.offdiag = {{1, 5, 1}, {4, 1, 4}};
  complete_frequencies(s);
  return s;
}

// The lines of eps_cd.inp and sig_cd.inp of the silicon case.
Settings silicon_by_contour() {
  Settings s = silicon_empirical_from_wavefunctions();
  s.model = Model::contour_deformation;
  s.contour_rule = ContourRule::constant;
  s.epsilon.imaginary_points = 3;
  s.epsilon.broadening_eV = 3;
  s.epsilon.real_frequencies_eV = {0, 3, 6, 9, 12, 15};
  s.coulomb = CoulombMode::berkeleygw;
  s.wings = Wings::berkeleygw;
  s.kpoints = {{0, 0, 0}};
  s.finite_difference_form = -2;
  s.offdiag = {{1, 1, 1}, {1, 8, 1}, {2, 1, 2}};
  complete_frequencies(s);
  return s;
}

}  // namespace

// s = W^2/(w^2 + W^2), a plasmon at W, of which 1/pi int s x/(x^2 + w^2) dw is sign(x) W/(2 (|x| + W)).
BOOST_AUTO_TEST_CASE(the_integral_over_imaginary_frequencies_of_a_plasmon) {
  const auto error = [](ContourRule rule, int points, double x) {
    std::vector<double> w;
    for (int i = 0; i < points; ++i) w.push_back(27.0 * i / (points - i));
    double worst = 0;
    for (const double plasmon : {12.0, 16.7, 40.0}) {
      std::vector<Complex> s;
      for (const double each : w) s.emplace_back(plasmon * plasmon / (each * each + plasmon * plasmon) * Complex(1, -2));
      ImaginaryIntegral integral(rule, w);
      integral.take(s.data());
      const Complex exact = std::copysign(plasmon / (2 * (std::abs(x) + plasmon)), x) * Complex(1, -2);
      worst = std::max(worst, std::abs(integral.at(x) - exact));
    }
    return worst;
  };
  for (const double x : {-60.0, -20.0, -3.0, -0.1, 1e-6, 1e-3, 0.5, 7.0, 200.0}) {
    // Of the spline the error falls with the fourth power of the step.
    const auto at_most = [&](ContourRule rule, int points, double bound) {
      const double found = error(rule, points, x);
      BOOST_TEST(!!(found <= bound), "x = " << x << ", " << points << " points: " << found);
    };
    at_most(ContourRule::spline, 15, 2e-5);
    at_most(ContourRule::spline, 60, 8e-8);
    at_most(ContourRule::constant, 400, 2e-5);
    at_most(ContourRule::quadratic, 60, 3e-4);
  }
}

BOOST_AUTO_TEST_CASE(real_frequencies_are_interpolated) {
  const std::vector<double> w{0, 1, 3};
  for (const auto& [x, first, share] : {std::tuple{0.0, 0, 0.0}, {0.25, 0, 0.25}, {1.0, 1, 0.0}, {2.5, 1, 0.75}, {3.0, 1, 1.0}}) {
    const Between place = between(w, x);
    BOOST_TEST(place.first == static_cast<size_t>(first));
    near(place.share, share, 1e-15, "share");
  }
  BOOST_TEST(between({0}, 0).first == 0u);
}

BOOST_AUTO_TEST_CASE(gallium_arsenide_by_contour_deformation_has_the_columns_of_berkeleygw) {
  const Scratch folder;
  const Settings s = gallium_arsenide_by_contour();
  const Solved ours(s, folder / "");
  const FullFrequencyLog log = read_full_frequency(fs::path(SUITE_SOURCE_DIR) / "tests/gw/contour/sigma_hp.log");
  check_rows(ours, log, 24);
  const auto& elements = ours.outcome.result.off_diagonal;
  BOOST_REQUIRE_EQUAL(log.elements.size(), 6u);
  BOOST_REQUIRE_EQUAL(elements.size(), 6u);
  for (size_t i = 0; i < 6; ++i) {
    const OffDiagonal& o = elements[i];
    const Complex values[] = {o.x, o.sx.at(0), o.ch.at(0) + o.remainder};
    for (size_t j = 0; j < 3; ++j) {
      // That code sets to zero what vanishes by symmetry, which its random averages of v do not have.
      if (o.element.n == 4) BOOST_TEST(std::abs(values[j]) <= 3e-3);
      else BOOST_TEST(!!(std::abs(values[j] - log.elements[i][j]) <= 3e-6), values[j] << " and " << log.elements[i][j]);
    }
  }
  for (const auto& check : ours.outcome.outcome.checks) BOOST_TEST(check.holds(), check.name << " " << check.deviation);
  // The tables that a run writes are read back.
  std::ofstream(folder / "log") << sigma_log(ours.solution());
  check_columns(ours, folder / "log", 2e-9);
}

// As truncated/slab/contour says. That code averages v alone, and takes (eps^-1)_00 of the small q at every frequency.
BOOST_AUTO_TEST_CASE(a_slab_by_contour_deformation_has_the_columns_of_berkeleygw) {
  Settings s = slab_by_contour();
  for (int i = 0; i <= 30; ++i) s.epsilon.real_frequencies_eV.push_back(i);
  complete_frequencies(s);
  const Scratch folder;
  check_rows(Solved(s, folder / ""), read_full_frequency(fs::path(SUITE_SOURCE_DIR) / "tests/gw/truncated/slab/contour/sigma_hp.log"), 12);
}

// The numbers of its test suite; Im Cor is the imaginary part of Sigma.
BOOST_AUTO_TEST_CASE(silicon_by_contour_deformation_has_the_lines_of_berkeleygw) {
  const Scratch folder;
  const Solved ours(silicon_by_contour(), folder / "");
  struct Line {
    int band;
    double emf, x, cor, imaginary, eqp0;
  };
  for (const Line& line : {Line{2, 10.035862, -14.234668, 2.089547, 0, -2.109259}, Line{3, 10.035862, -14.234668, 2.089547, 0, -2.109259},
                           Line{5, 13.331588, -4.938779, -4.179383, -0.037363, 4.213426}}) {
    const Quasiparticle& q = ours.states.at(static_cast<size_t>(line.band - 1));
    BOOST_TEST_CONTEXT("band " << line.band) {
      near(q.emf, line.emf, 2e-5, "Emf");
      near(q.x, line.x, 2e-5, "X");
      near(q.sx + q.ch, line.cor, 2e-5, "Re Cor");
      near(q.imaginary, line.imaginary, 2e-5, "Im Cor");
      near(q.eqp0, line.eqp0, 2e-5, "Eqp0");
    }
  }
  const auto& elements = ours.outcome.result.off_diagonal;
  BOOST_REQUIRE_EQUAL(elements.size(), 3u);
  const auto sigma = [&](size_t i) { return elements[i].x + elements[i].sx.at(0) + elements[i].ch.at(0) + elements[i].remainder; };
  near(std::abs(sigma(0) - Complex(-11.639131, 1.386347)), 0, 3e-5, "<1|Sigma|1>");
  near(std::abs(elements[1].x.real()), 0.000026, 2e-5, "<1|X|8>");
  near(std::abs(sigma(1)), 0.001612, 2e-5, "<1|Sigma|8>");
  near(std::abs(sigma(2)), 0, 1e-3, "<2|Sigma|1>");
}

// With and without the wedge of q, whose images take the screening of one by rotated matrix elements; by ranks that share columns G'.
BOOST_AUTO_TEST_CASE(neither_symmetry_nor_ranks_change_contour_deformation) {
  const Scratch folder;
  Settings s = gallium_arsenide_by_contour();
  s.contour_rule = ContourRule::spline;
  s.coulomb = CoulombMode::cell;
  s.wings = Wings::symmetric;
  s.offdiag.clear();
  s.finite_difference_form = -2;
  s.kpoints = {{0, 0, 0.5}};
  const DielectricResult made = make_epsilon(s, folder / "");
  s.eps0 = made.eps0;
  s.eps = made.eps;
  const Result wedge = run(s).result;
  for (const State& state : wedge.states) BOOST_TEST(state.imaginary.size() == 1u);
  s.gprime_slices = 2;
  BOOST_TEST(difference(wedge, run_on_ranks(s, 2).result) <= 1e-10);
  s.gprime_slices = 1;
  s.symmetry = false;
  BOOST_TEST(difference(wedge, run(s).result) <= 1e-7);
}

BOOST_AUTO_TEST_CASE(frequencies_that_contour_deformation_lacks_are_missed) {
  Settings s = gallium_arsenide_from_wavefunctions();
  s.model = Model::contour_deformation;
  complete_frequencies(s);
  BOOST_TEST(s.epsilon.imaginary_frequencies_eV.size() == 14u);
  near(s.epsilon.imaginary_frequencies_eV[6], 2 * rydberg_eV * 7 / 8, 1e-12, "imaginary frequency 8");
  // From the lowest band to the valence top, which is more than from the conduction bottom to band 8.
  BOOST_TEST(s.epsilon.real_frequencies_eV.front() == 0);
  near(s.epsilon.real_frequencies_eV.back(), 12.4, 1e-12, "last real frequency");  // 12.28 eV, in whole steps
  BOOST_TEST(complaint([&] { Plan{s}; }) == "");
  s.epsilon.real_frequencies_eV = {0, 5};
  BOOST_TEST(complaint([&] { Plan{s}; }).find("contour deformation needs real frequencies up to 1") == 0, complaint([&] { Plan{s}; }));
  s.epsilon.real_frequencies_eV = {1, 20};
  BOOST_TEST(complaint([&] { Plan{s}; }) == "contour deformation needs real frequencies from 0 on; those of 'epsilon' begin at 1 eV");
  s.epsilon.real_frequencies_eV.clear();
  BOOST_TEST(complaint([&] { Plan{s}; }) ==
             "contour deformation needs eps^-1 at zero, imaginary and real frequencies; 'epsilon' has imaginary ones alone beside zero");
}
