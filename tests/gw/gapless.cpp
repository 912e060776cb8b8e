// SPDX-License-Identifier: BSD-3-Clause
// Full frequency without a gap: the columns of BerkeleyGW's runs in levels/contour and graphene by contour deformation, closed forms of W at small q, and the
// same crystal with symmetries, by ranks and by poles.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numbers>

#include "coulomb.hpp"
#include "frequencies.hpp"
#include "plan.hpp"
#include "screening.hpp"
#include "small_q.hpp"
#include "solved.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;
namespace fs = std::filesystem;
using Complex = std::complex<double>;
using std::numbers::pi;

namespace {

// By contour deformation as epsilon.inp and sigma.inp say, beside the imaginary points and the broadening.
Settings by_contour(Settings s, int imaginary_points, double broadening_eV) {
  s.model = Model::contour_deformation;
  s.contour_rule = ContourRule::constant;
  s.epsilon.imaginary_points = imaginary_points;
  s.epsilon.broadening_eV = broadening_eV;
  for (int i = 0; i <= 40; ++i) s.epsilon.real_frequencies_eV.push_back(i);
  s.finite_difference_form = -3;
  s.frequency_grid_min_eV = -1;
  s.frequency_grid_max_eV = 1;
  s.frequency_grid_points = 3;
  complete_frequencies(s);
  return s;
}
Settings by_contour(ScreeningKind kind) { return by_contour(metal(kind), 8, 0.5); }  // levels/contour

// With averages of W, at Gamma.
Settings averaged(ScreeningKind kind) {
  Settings s = by_contour(kind);
  s.contour_rule = ContourRule::spline;
  s.coulomb = CoulombMode::cell;
  s.wings = Wings::symmetric;
  s.kpoints = {{0, 0, 0}};
  s.finite_difference_form = -2;
  return s;
}

constexpr double small = 0.1, v_small = 8 * pi / (small * small);

SmallQPolarizability goes_on(ScreeningKind kind, Complex x, double x_static) {
  return {{kind, {}, 1.0 / (1.0 + v_small * x), 1 / (1 + v_small * x_static)}, small, v_small};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_metal_by_contour_deformation_has_the_columns_of_berkeleygw) {
  const Scratch folder;
  const fs::path log = fs::path(SUITE_SOURCE_DIR) / "tests/gw/levels/contour";
  check_rows(Solved(by_contour(ScreeningKind::metal), folder / ""), read_full_frequency(log / "metal.log"), 48);
}

BOOST_AUTO_TEST_CASE(graphene_screening_by_contour_deformation_has_the_columns_of_berkeleygw) {
  const Scratch folder;
  const fs::path log = fs::path(SUITE_SOURCE_DIR) / "tests/gw/levels/contour";
  check_rows(Solved(by_contour(ScreeningKind::graphene), folder / ""), read_full_frequency(log / "graphene.log"), 48);
}

// As truncated/slab/gapless says; its states have a gap, but q0 is a step of their grid.
BOOST_AUTO_TEST_CASE(a_slab_without_a_gap_has_the_columns_of_berkeleygw_at_full_frequency) {
  for (const auto& [kind, name] : {std::pair{ScreeningKind::metal, "metal.log"}, {ScreeningKind::graphene, "graphene.log"}}) {
    Settings s = slab_by_contour();
    s.screening = kind;
    s.epsilon.wavefunctions_q0 = s.wavefunctions;
    s.epsilon.q0 = Vector3{0.5, 0, 0};
    for (int i = 0; i <= 30; ++i) s.epsilon.real_frequencies_eV.push_back(1.5 * i);
    complete_frequencies(s);
    const Scratch folder;
    check_rows(Solved(s, folder / ""), read_full_frequency(fs::path(SUITE_SOURCE_DIR) / "tests/gw/truncated/slab/gapless" / name), 12);
  }
}

BOOST_AUTO_TEST_CASE(graphene_of_quantum_espresso_has_the_columns_of_berkeleygw) {
  const Settings s = graphene();
  const Scratch folder;
  check_columns(Solved(s, folder / ""), s.vxc.parent_path() / "gpp.log", 3e-9);
}

BOOST_AUTO_TEST_CASE(graphene_of_quantum_espresso_has_the_columns_of_berkeleygw_by_contour_deformation) {
  const Settings s = by_contour(graphene(), 10, 0.3);
  const Scratch folder;
  check_rows(Solved(s, folder / ""), read_full_frequency(s.vxc.parent_path() / "contour.log"), 18);
}

// The hydrodynamic electron gas, x = w_p^2 q^2/(8 pi (b^2 q^2 - z^2)), and two cones, x = a q^2/(b^2 q^2 - z^2)^1/2: from one q to all others, at
// frequencies on both sides of b q, and with what bands below add where x has changed its sign.
BOOST_AUTO_TEST_CASE(polarizabilities_go_on_as_those_of_an_electron_gas_and_of_cones) {
  constexpr double plasma2 = 1.3, b2 = 0.7;
  const auto gas = [](double q, Complex z) { return plasma2 * q * q / (8 * pi * (b2 * q * q - z * z)); };
  const auto cones = [](double q, Complex z) { return 0.3 * q * q / std::sqrt(b2 * q * q - z * z); };
  for (const Complex z : {Complex(0, 0), Complex(0, 0.05), Complex(0, 3), Complex(0.05, 0.01), Complex(0.2, 0.01), Complex(2, 0.3)})
    for (const double q : {1e-4, 0.03, 0.1, 0.6}) {
      const auto agree = [&](ScreeningKind kind, const auto& x) {
        const Complex found = goes_on(kind, x(small, z), x(small, 0).real())(q), expected = x(q, z);
        BOOST_TEST(!!(std::abs(found - expected) <= 1e-11 * std::abs(expected)),
                   found << " and " << expected << " at " << z << ", q " << q);
      };
      agree(ScreeningKind::metal, gas);
      agree(ScreeningKind::graphene, cones);
      agree(ScreeningKind::semiconductor, [](double k, Complex w) { return 0.2 * k * k / (1.5 - w * w); });
    }
  // Continuous in q, whatever is known at the small one.
  for (const Complex x : {Complex(-0.02, 0.001), Complex(0.01, 0.02), Complex(-0.01, 0.02)})
    for (const ScreeningKind kind : {ScreeningKind::metal, ScreeningKind::graphene}) {
      const SmallQPolarizability polarizability = goes_on(kind, x, 0.05);
      BOOST_TEST(std::abs(polarizability(small) - x) <= 1e-12 * std::abs(x));
      for (double q = 0.01; q < 0.3; q += 1e-4)
        BOOST_TEST_REQUIRE(std::abs(polarizability(q + 1e-4) - polarizability(q)) <= 0.05 * (0.02 + std::abs(polarizability(q))));
    }
}

// Of 8 pi/q^2, 8 pi/q and a constant, in a cell without symmetry.
BOOST_AUTO_TEST_CASE(means_at_the_origin_are_those_of_many_points) {
  Matrix3 bdot{};
  for (int i = 0; i < 3; ++i) bdot[i][i] = 1.44 * (1 + 0.2 * i);
  bdot[0][1] = bdot[1][0] = 0.3;
  const double volume = 8 * pi * pi * pi / std::sqrt((bdot[0][0] * bdot[1][1] - bdot[0][1] * bdot[0][1]) * bdot[2][2]);
  const Miller grid{2, 3, 2};
  const CoulombAverage average(bdot, grid, volume);
  BOOST_TEST(average.mean_at_origin([](double) { return 8 * pi; }).real() == average.v({0, 0, 0}), boost::test_tools::tolerance(1e-8));
  BOOST_TEST(average.mean_at_origin([](double q) { return 8 * pi * q; }).real() == average.one_over_q({0, 0, 0}),
             boost::test_tools::tolerance(1e-8));
  BOOST_TEST(average.mean_at_origin([](double q) { return Complex(q * q, 2 * q * q); }).imag() == 2, boost::test_tools::tolerance(1e-9));
}

// W of the files' (eps^-1)_00, at each frequency by many points of the cell of q = 0: Wigner and Seitz's, to which those of a parallelepiped are moved.
BOOST_AUTO_TEST_CASE(heads_without_a_gap_are_means_of_w) {
  for (const ScreeningKind kind : {ScreeningKind::metal, ScreeningKind::graphene}) {
    const Scratch folder;
    Settings s = averaged(kind);
    const DielectricResult made = make_epsilon(s, folder / "");
    s.eps0 = made.eps0;
    s.eps = made.eps;
    const Plan plan(s);
    KernelSource source("cpu");
    const Screening screening = Screenings(plan, source).make(0);
    const Matrix3& bdot = plan.eps.crystal().bdot;
    const Miller grid = plan.eps.grid();
    const double q0 = std::sqrt(length2(bdot, plan.eps.small_q())), v0 = 8 * pi / (q0 * q0);
    const auto& stored = plan.eps.gvectors(0);
    const auto at = static_cast<size_t>(std::find(stored.begin(), stored.end(), Miller{0, 0, 0}) - stored.begin()), n = stored.size();
    const auto file_head = [&](size_t f) { return plan.eps.columns(0, static_cast<int>(f), static_cast<int64_t>(at), 1)[at]; };
    std::vector<double> lengths;
    constexpr int points = 40;
    for (int a = 0; a < points; ++a)
      for (int b = 0; b < points; ++b)
        for (int c = 0; c < points; ++c) {
          double shortest = 1e300;
          for (int i = -1; i <= 1; ++i)
            for (int j = -1; j <= 1; ++j)
              for (int k = -1; k <= 1; ++k)
                shortest = std::min(
                    shortest, length2(bdot, Vector3{((a + 0.5) / points - 0.5 + i) / grid[0], ((b + 0.5) / points - 0.5 + j) / grid[1],
                                                    ((c + 0.5) / points - 0.5 + k) / grid[2]}));
          lengths.push_back(std::sqrt(shortest));
        }
    for (size_t f = 0; f < plan.eps.frequencies().size(); f += 3) {
      const SmallQPolarizability x({kind, {}, file_head(f), file_head(0).real()}, q0, v0);
      Complex w = 0;
      double v = 0;
      for (const double q : lengths) v += 8 * pi / (q * q), w += 8 * pi / (q * q + 8 * pi * x(q));
      const Complex found = 1.0 - screening.at_frequencies[f][at * n + at];
      BOOST_TEST(!!(std::abs(found - w / v) <= 0.01 * std::abs(1.0 - w / v)),
                 plan.eps.frequencies()[f] << ": " << found << " and " << w / v);
      if (f == 0) BOOST_TEST(std::abs(found - file_head(0)) > 0.05);
    }
  }
}

// With and without the wedge of q; by ranks that share columns G'.
BOOST_AUTO_TEST_CASE(neither_symmetry_nor_ranks_change_a_metal_at_full_frequency) {
  for (const ScreeningKind kind : {ScreeningKind::metal, ScreeningKind::graphene}) {
    const Scratch folder;
    Settings s = averaged(kind);
    const DielectricResult made = make_epsilon(s, folder / "");
    s.eps0 = made.eps0;
    s.eps = made.eps;
    const Result wedge = run(s).result;
    s.gprime_slices = 2;
    BOOST_TEST(difference(wedge, run_on_ranks(s, 2).result) <= 1e-10);
    s.gprime_slices = 1;
    s.symmetry = false;
    BOOST_TEST(difference(wedge, run(s).result) <= 1e-7);
  }
}
