// SPDX-License-Identifier: BSD-3-Clause
// Crystals written in other ways: about another origin, with their axes in another order, with other k points of each star, with k points moved by G vectors,
// with other phases and mixtures of degenerate bands, and with a wider grid of the density. Nothing that is computed depends on these.
#include <boost/test/unit_test.hpp>

#include <fmt/core.h>

#include <algorithm>

#include "frequencies.hpp"
#include "rewriting.hpp"
#include "solved.hpp"

using namespace suite::gw;
using namespace suite::gw::test;

namespace {

// With averages that every way of writing has alike.
Settings symmetric(Settings s) {
  s.coulomb = CoulombMode::cell;
  s.wings = Wings::symmetric;
  s.coulomb_head = 0;
  return s;
}

Settings by_contour(Settings s) {
  s.model = Model::contour_deformation;
  s.epsilon.imaginary_points = 4;
  s.epsilon.real_step_eV = 4;
  s.epsilon.broadening_eV = 1;
  complete_frequencies(s);
  return s;
}

// The irreducible q of each way of writing may be others.
std::vector<double> heads(const Result& result) {
  std::vector<double> all;
  for (const ScreeningAtQ& q : result.dielectric) all.push_back(q.head);
  std::ranges::sort(all);
  return all;
}

void check(const Settings& s, std::initializer_list<Manner> manners, double tolerance_eV = 1e-7) {
  const Scratch folder;
  const Outcome plain = run(s, "cpu", folder / "");
  int number = 0;
  for (const Manner& manner : manners) {
    BOOST_TEST_CONTEXT(s.wavefunctions << ", manner " << ++number) {
      const Rewritten other(s, manner);
      const Outcome found = run(other.settings, "cpu", other.folder());
      const double distance = difference(plain.result, found.result);
      BOOST_TEST(!!(distance <= tolerance_eV), distance << " eV");
      BOOST_REQUIRE_EQUAL(plain.result.dielectric.size(), found.result.dielectric.size());
      const auto expected = heads(plain.result), had = heads(found.result);
      for (size_t i = 0; i < expected.size(); ++i)
        BOOST_TEST(!!(std::abs(expected[i] - had[i]) <= 1e-9 * expected[i]),
                   fmt::format("head {}: {:.14g} and {:.14g}", i, expected[i], had[i]));
      for (const auto& each : found.outcome.checks) BOOST_TEST(each.holds(), each.name << " " << each.deviation);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_crystal_without_inversion_is_written_in_other_ways) {
  Settings s = symmetric(gallium_arsenide_from_wavefunctions());
  s.epsilon.cutoff_Ry = 3;
  s.epsilon.q0 = Vector3{0, 0, 0.001};
  s.band_max = 3;  // of the three degenerate bands at Gamma two are wanted
  check(s,
        {{.origin = {0.17, -0.08, 0.31}},
         {.order = {1, 2, 0}},
         {.umklapp = {1, -1, 2}},
         {.image = 3, .mixing = 7},
         {.order = {1, 0, 2}, .reversed = true, .mixing = 9},
         {.order = {2, 0, 1}, .origin = {0.3, 0.1, 0.2}, .umklapp = {-1, 1, 0}, .wider = 6, .image = 11, .reversed = true, .mixing = 5}});
  check(by_contour(s),
        {{.order = {2, 0, 1}, .origin = {0.3, 0.1, 0.2}, .umklapp = {-1, 1, 0}, .wider = 6, .image = 11, .reversed = true, .mixing = 5}});
}

BOOST_AUTO_TEST_CASE(a_crystal_with_glide_planes_is_written_in_other_ways) {
  Settings s = symmetric(silicon_empirical_from_wavefunctions());
  s.epsilon.cutoff_Ry = 3;
  s.epsilon.q0 = Vector3{0, 0, 0.001};
  s.band_min = 2;
  s.band_max = 6;
  check(s,
        {{.origin = {0.17, -0.08, 0.31}, .mixing = 3},
         {.order = {1, 0, 2}, .image = 21, .reversed = true},
         {.order = {2, 0, 1}, .origin = {0.3, 0.1, 0.2}, .umklapp = {-1, 1, 0}, .wider = 6, .image = 11, .reversed = true, .mixing = 5}});
}

BOOST_AUTO_TEST_CASE(two_spins_are_written_in_other_ways) {
  Settings s = symmetric(polarised());
  s.epsilon.q0 = Vector3{0, 0, 0.001};
  check(s,
        {{.image = 3, .reversed = true, .mixing = 7},
         {.order = {2, 0, 1}, .origin = {0.3, 0.1, 0.2}, .umklapp = {-1, 1, 0}, .wider = 6, .image = 11, .reversed = true, .mixing = 5}});
  check(by_contour(s), {{.order = {1, 0, 2}, .origin = {0.3, 0.1, 0.2}, .image = 7, .mixing = 5}});
}

BOOST_AUTO_TEST_CASE(spinors_are_written_in_other_ways) {
  Settings s = symmetric(spin_orbit());
  s.epsilon.q0 = Vector3{0, 0, 0.001};
  check(s,
        {{.origin = {0.17, -0.08, 0.31}, .mixing = 7},
         {.image = 3, .mixing = 2},
         {.order = {1, 0, 2}, .reversed = true, .mixing = 9},
         {.order = {2, 0, 1}, .origin = {0.3, 0.1, 0.2}, .umklapp = {-1, 1, 0}, .wider = 6, .image = 11, .reversed = true, .mixing = 5}});
}

BOOST_AUTO_TEST_CASE(truncated_systems_are_written_in_other_ways) {
  const Manner same_axes{.origin = {0.17, -0.08, 0.31}, .umklapp = {1, -1, 0}, .image = 1, .reversed = true, .mixing = 7};
  Manner exchanged = same_axes;
  exchanged.order = {1, 0, 2};
  Manner cyclic = same_axes;
  cyclic.order = {1, 2, 0};
  check(symmetric(truncated("slab", Truncation::slab)), {same_axes, exchanged});
  // Plasmon poles of small elements of eps^-1 depend on their last digits.
  check(symmetric(truncated("wire", Truncation::wire)), {same_axes, exchanged}, 1e-6);
  check(symmetric(truncated("box", Truncation::box)), {same_axes, exchanged, cyclic});
  check(by_contour(symmetric(truncated("slab", Truncation::slab))), {exchanged});
}

BOOST_AUTO_TEST_CASE(metals_and_graphene_are_written_in_other_ways) {
  const Manner all{.order = {2, 0, 1}, .origin = {0.3, 0.1, 0.2}, .umklapp = {-1, 1, 0}, .image = 11, .reversed = true, .mixing = 5};
  for (const ScreeningKind kind : {ScreeningKind::metal, ScreeningKind::graphene}) check(symmetric(metal(kind)), {all});
  check(by_contour(symmetric(metal(ScreeningKind::metal))), {all});
  Manner exchanged{.order = {1, 0, 2}, .origin = {0.3, 0.1, 0.2}, .umklapp = {-1, 1, 0}, .image = 11, .reversed = true, .mixing = 5};
  check(symmetric(graphene()), {exchanged});
}
