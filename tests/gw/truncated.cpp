// SPDX-License-Identifier: BSD-3-Clause
// A slab, a wire and a molecule, whose interaction is cut off: columns of BerkeleyGW's sigma_hp.log from wavefunctions, density and potential alone. The
// files are made by truncated_wavefunctions.py.
#include <boost/test/unit_test.hpp>

#include <functional>
#include <numbers>

#include <suite/plugin.hpp>

#include "frequencies.hpp"
#include "plan.hpp"
#include "solved.hpp"
#include "truncation.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;
namespace fs = std::filesystem;
using std::numbers::pi;

namespace {

fs::path log_of(const Settings& s) { return s.wavefunctions.parent_path() / "sigma_hp.log"; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_slab_has_the_columns_of_berkeleygw) {
  const Scratch folder;
  const Settings s = truncated("slab", Truncation::slab);
  const Solved ours(s, folder / "");
  BOOST_REQUIRE_EQUAL(ours.states.size(), 20u);
  check_columns(ours, log_of(s), 2e-9);
}

BOOST_AUTO_TEST_CASE(a_wire_has_the_columns_of_berkeleygw) {
  const Scratch folder;
  const Settings s = truncated("wire", Truncation::wire);
  const Solved ours(s, folder / "");
  BOOST_REQUIRE_EQUAL(ours.states.size(), 15u);
  check_columns(ours, log_of(s), 2e-9);
}

BOOST_AUTO_TEST_CASE(a_molecule_has_the_columns_of_berkeleygw) {
  const Scratch folder;
  const Settings s = truncated("box", Truncation::box);
  const Solved ours(s, folder / "");
  BOOST_REQUIRE_EQUAL(ours.states.size(), 5u);
  check_columns(ours, log_of(s), 2e-9);
  BOOST_TEST(ours.outcome.result.dielectric.at(0).head == 1.0, boost::test_tools::tolerance(1e-12));
}

// Contour deformation and a sum of poles have eps^-1 at different frequencies in common: a head that was averaged at some of them alone would be seen, as
// that of the small q is, which BerkeleyGW takes.
BOOST_AUTO_TEST_CASE(a_slab_has_its_averaged_head_at_all_frequencies) {
  Settings s = truncated("slab", Truncation::slab);
  s.coulomb = CoulombMode::cell;
  s.kpoints = {{0, 0, 0}};
  s.band_min = 3;  // the gap; deep bands lie among the plasmons
  s.epsilon.real_step_eV = 0.5;
  const Scratch folder;
  const auto solve = [&](Model model, Wings wings) {
    Settings own = s;
    own.model = model;
    own.wings = wings;
    complete_frequencies(own);
    const Outcome outcome = run(own, "cpu", folder / "");
    for (const auto& check : outcome.outcome.checks) BOOST_TEST(check.holds(), check.name << " " << check.deviation);
    return outcome.result.states;
  };
  const auto exact = solve(Model::contour_deformation, Wings::symmetric), poles = solve(Model::multipole, Wings::symmetric),
             of_small_q = solve(Model::contour_deformation, Wings::berkeleygw);
  double moved = 0;
  for (size_t i = 0; i < exact.size(); ++i) {
    const auto sigma = [](const State& state) { return (state.x + state.sx.at(1) + state.ch.at(1) + state.remainder).real(); };
    const double off = std::abs(sigma(poles[i]) - sigma(exact[i]));
    BOOST_TEST(!!(off <= 0.03), "band " << exact[i].band << ": poles off by " << off);
    moved = std::max(moved, std::abs(sigma(of_small_q[i]) - sigma(exact[i])));
  }
  BOOST_TEST(moved > 0.06);
}

// W = v/(1 + gamma q^2 v) is analytic in gamma: by Cauchy's integral the mean at a real head is that of the means on a circle around it.
BOOST_AUTO_TEST_CASE(means_of_complex_heads_are_analytic) {
  for (const Truncation truncation : {Truncation::slab, Truncation::wire}) {
    const Settings s = truncated(truncation_name(truncation), truncation);
    const Wavefunctions w(s.wavefunctions);
    const TruncatedCoulomb coulomb(truncation, w.crystal().bdot, w.fft_grid());
    const Vector3 q0 = truncation == Truncation::slab ? Vector3{1e-3, 0, 0} : Vector3{0, 0, 1e-3};
    const auto head = [&](std::complex<double> inverse_head) {
      return coulomb.head(w.grid(), {ScreeningKind::semiconductor, q0, inverse_head});
    };
    constexpr int points = 24;
    std::complex<double> sum = 0;
    for (int i = 0; i < points; ++i)
      sum += head(1.0 / (1.0 / 0.994 + 0.5 * (1 / 0.994 - 1) * std::polar(1.0, 2 * pi * (i + 0.5) / points))).w;
    const auto own = head(0.994);
    BOOST_TEST(own.w.imag() == 0);
    BOOST_TEST(std::abs(sum / double(points) - own.w) <= 1e-7 * own.v);
    BOOST_TEST(std::abs(head({0.994, 1e-3}).w.imag()) > 1e-2 * own.v);
  }
}

// The mean over the cell of q = 0 by quadrature instead of random points.
BOOST_AUTO_TEST_CASE(the_mean_of_a_slab_is_that_of_many_points) {
  const Settings s = truncated("slab", Truncation::slab);
  const Wavefunctions w(s.wavefunctions);
  const TruncatedCoulomb slab(Truncation::slab, w.crystal().bdot, w.fft_grid());
  const SmallQ at{ScreeningKind::semiconductor, {1e-3, 0, 0}, 0.994};
  const auto own = slab.head(w.grid(), at);
  const double b1 = std::sqrt(w.crystal().bdot[0][0]) / w.grid()[0], b2 = std::sqrt(w.crystal().bdot[1][1]) / w.grid()[1];
  const auto of_midpoints = [&](int n) {
    return slab.head_of_slab(
        [&](const std::function<double(double)>& f) {
          double sum = 0;
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) sum += f(std::hypot(b1 * ((i + 0.5) / n - 0.5), b2 * ((j + 0.5) / n - 0.5)));
          return sum / (n * n);
        },
        at);
  };
  // Both are 1/q at the centre, which leaves an error of 1/n, and then one of 1/n^2.
  const auto coarse = of_midpoints(300), fine = of_midpoints(600);
  BOOST_TEST(own.v == 2 * fine.v - coarse.v, boost::test_tools::tolerance(1e-5));
  BOOST_TEST(own.w.real() == (2.0 * fine.w - coarse.w).real(), boost::test_tools::tolerance(1e-5));
}

// Where the cell is large v is that of the whole space for short distances; for a sphere the box would give 8 pi/G^2 (1 - cos(G R)).
BOOST_AUTO_TEST_CASE(a_truncated_interaction_approaches_the_whole_one) {
  const auto cube = [](double edge) {
    Matrix3 bdot{};
    for (int i = 0; i < 3; ++i) bdot[i][i] = std::pow(2 * pi / edge, 2);
    return bdot;
  };
  const TruncatedCoulomb slab(Truncation::slab, cube(40), {40, 40, 40}), wire(Truncation::wire, cube(40), {40, 40, 40});
  const std::vector<Miller> g{{3, 2, 6}, {5, 0, 7}};
  for (const auto& [v, tolerance] : {std::pair{slab.v({0, 0, 0}, g), 0.2}, {wire.v({0, 0, 0}, g), 0.1}})
    for (size_t i = 0; i < g.size(); ++i)
      BOOST_TEST(v[i] == 8 * pi / length2(cube(40), real(g[i])), boost::test_tools::tolerance(tolerance));
  // The integral of 1/r over a cube of edge 1 is 2.38007736.
  const TruncatedCoulomb box(Truncation::box, cube(2), {60, 60, 60});
  BOOST_TEST(box.v({0, 0, 0}, {{0, 0, 0}})[0] == 2 * 4 * 2.38007736, boost::test_tools::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(what_does_not_go_with_a_truncation_is_refused) {
  Settings s = truncated("slab", Truncation::wire);
  const std::string name = s.wavefunctions.string();
  BOOST_TEST(complaint([&] { DielectricPlan{s}; }) ==
             "truncation wire: the grid of q is (2, 2, 1), and may have one point along axis 1, which is not periodic");
  s = truncated("wire", Truncation::slab);
  BOOST_TEST(complaint([&] { DielectricPlan{s}; }) ==
             "truncation slab: the grid of q is (1, 1, 3), and may have one point along axis 3, which is not periodic");
  s = truncated("box", Truncation::slab);
  s.epsilon.wavefunctions_q0 = s.wavefunctions;
  BOOST_TEST(complaint([&] { DielectricPlan{s}; }).find("not moved by a small q0, for which v(q0) is infinite") != std::string::npos);
  const Scratch folder;
  s = truncated("box", Truncation::box);
  s.eps0 = make_epsilon(s, folder / "").eps0;
  s.truncation = Truncation::none;
  BOOST_TEST(complaint([&] { Plan{s}; }) == "truncation is none in 'coulomb' and box in " + s.eps0.string());
  BOOST_TEST(complaint([] {
               TruncatedCoulomb(Truncation::slab, Matrix3{{{3, -1, -1}, {-1, 3, -1}, {-1, -1, 3}}}, {9, 9, 9});
             }) == "truncation slab: the third lattice vector must be perpendicular to the first two");
}
