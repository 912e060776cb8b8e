// SPDX-License-Identifier: BSD-3-Clause
// dfpt.basis: Gaussians times harmonics, where functions end, and what is on a nucleus.
#include "support.hpp"

using namespace dfpt_test;

namespace {

// Every l on two atoms.
Basis all_l() {
  Basis basis;
  basis.atoms = {0.1, 0.2, -0.3, 1.0, -0.7, 0.4};
  for (int l = 0; l <= 8; ++l) basis.add(1 + l % 2, {l, 0.5 + 0.1 * l});
  return basis;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(orbitals)

BOOST_AUTO_TEST_CASE(values_are_a_radial_function_times_a_harmonic) {
  const Basis basis = all_l();
  const Points points = in_batches(random_numbers(3 * 61, 8, -2.5, 2.5), Numbers(61, 1), 17, basis.count());
  Numbers expected;
  for (int64_t p = 0; p < points.count(); ++p)
    for (int64_t i = 0; i < basis.count(); ++i) expected.push_back(basis.value(i, &points.coords[static_cast<size_t>(3 * p)]));
  each_kept("dfpt.basis", [&](Call& call) {
    // The splines' knots are 0.003 apart in ln r: measured 8e-11.
    check_below(call, "error of chi", distance(waves(call, basis, points, false), expected), 1e-9);
  });
}

// Of batches with lists of their own, one of them empty, one without points.
BOOST_AUTO_TEST_CASE(batches_have_their_own_functions) {
  const Basis basis = all_l();
  Points points = in_batches(random_numbers(3 * 12, 9, -2, 2), Numbers(12, 1), 12, 1);
  points.batch_points = {1, 4, 9, 9, 13};
  points.batch_basis = {1, 4, 4, 6, 11};
  points.i_basis = {1, 5, 81, 2, 3, 17, 30, 44, 60, 81};
  Numbers expected;
  for (int b = 0; b < 4; ++b)
    for (int32_t p = points.batch_points[b]; p < points.batch_points[b + 1]; ++p)
      for (int32_t i = points.batch_basis[b]; i < points.batch_basis[b + 1]; ++i)
        expected.push_back(basis.value(points.i_basis[static_cast<size_t>(i - 1)] - 1, &points.coords[static_cast<size_t>(3 * (p - 1))]));
  each_kept("dfpt.basis",
            [&](Call& call) { check_below(call, "error of chi", distance(waves(call, basis, points, false), expected), 1e-9); });
}

BOOST_AUTO_TEST_CASE(functions_end_at_their_outer_radius) {
  Basis basis;
  basis.atoms = {0, 0, 0};
  basis.add(1, {0, 0.1});
  basis.add(1, {1, 0.1});
  basis.outer = 2;
  const Points points = in_batches({0, 0, 1.999, 0, 0, 2, 0, 0, 2.001, 0, 0, 50}, Numbers(4, 1), 4, 4);
  each_kept("dfpt.basis", [&](Call& call) {
    const Numbers chi = waves(call, basis, points, false);
    BOOST_TEST(std::abs(chi[0] - basis.value(0, &points.coords[0])) < 1e-9);
    BOOST_TEST(std::abs(chi[2] - basis.value(2, &points.coords[0])) < 1e-9);
    for (size_t i = 4; i < 16; ++i) BOOST_TEST(chi[i] == 0);
  });
}

// Below the first knot the value there, of s alone.
BOOST_AUTO_TEST_CASE(only_s_is_on_a_nucleus) {
  Basis basis;
  basis.atoms = {0.5, 0.25, -0.125};
  basis.add(1, {0, 0.7});
  basis.add(1, {1, 0.7});
  basis.r_min = 1e-3;
  const Points points = in_batches({0.5, 0.25, -0.125, 0.5, 0.2504, -0.125, 0.5, 0.252, -0.125}, Numbers(3, 1), 3, 4);
  const double s = Gaussian{0, 0.7}.value(1e-3) / std::sqrt(4 * pi);
  each_kept("dfpt.basis", [&](Call& call) {
    const Numbers chi = waves(call, basis, points, false);
    for (size_t p = 0; p < 2; ++p) {
      BOOST_TEST(std::abs(chi[4 * p] - s) < 1e-12);
      for (size_t i = 1; i < 4; ++i) BOOST_TEST(chi[4 * p + i] == 0);
    }
    BOOST_TEST(std::abs(chi[8] - basis.value(0, &points.coords[6])) < 1e-9);
    BOOST_TEST(std::abs(chi[9] - basis.value(1, &points.coords[6])) < 1e-9);
    BOOST_TEST(chi[9] > 1e-4);
  });
}

BOOST_AUTO_TEST_SUITE_END()
