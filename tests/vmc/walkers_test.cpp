// SPDX-License-Identifier: BSD-3-Clause
// Walkers on every implementation of the kernels that is found.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

#include "each_implementation.hpp"

using namespace suite::vmc;

namespace {

System gas(int32_t up, int32_t down) { return make_system(5, Lattice::sc, {}, up, down); }
Jastrow factor(const System& s) {
  JastrowShape shape;
  shape.L_u = s.inscribed_radius(), shape.stars = 3;
  return rpa_jastrow(s, shape);
}

SweepSettings some(int64_t nsweep, int64_t first, Move move = Move::metropolis) {
  return {move, move == Move::metropolis ? 15.0 : 2.0, 0.5, nsweep, first};
}

}  // namespace

// A Slater determinant of plane waves is an eigenfunction of the kinetic energy: N t/r_s^2.
BOOST_AUTO_TEST_CASE(kinetic_energy_of_plane_waves_has_no_variance) {
  const System s = gas(7, 7);
  for_each_implementation("qmc.sweep", [&](const Implementation& how) {
    const auto walkers = make_walkers(s, {}, how, 1, 3);
    walkers->scatter(std::vector<int64_t>{0, 1, 2});
    for (int64_t sweep = 0; sweep < 20; ++sweep) {
      walkers->sweep(some(1, sweep));
      const auto& e = walkers->energies();
      for (size_t w = 0; w < 3; ++w)
        BOOST_TEST(e[part::count * w + part::kei] == 14 * 1.1209128678 / 25, boost::test_tools::tolerance(1e-9));
    }
  });
}

BOOST_AUTO_TEST_CASE(walkers_do_not_see_each_other) {
  const System s = gas(7, 7);
  const Jastrow j = factor(s);
  for_each_implementation("qmc.sweep", [&](const Implementation& how) {
    const auto together = make_walkers(s, j, how, 4, 3), alone = make_walkers(s, j, how, 4, 1);
    together->scatter(std::vector<int64_t>{5, 7, 9});
    alone->scatter(std::vector<int64_t>{7});
    together->sweep(some(5, 0));
    alone->sweep(some(5, 0));
    const auto all = together->positions();
    BOOST_TEST(largest_difference({all.begin() + 42, all.begin() + 84}, alone->positions()) == 0);
    BOOST_TEST(together->accepted()[1] == alone->accepted()[0]);
  });
}

BOOST_AUTO_TEST_CASE(a_walk_goes_on_from_its_positions_to_the_last_bit) {
  const System s = gas(7, 7);
  const Jastrow j = factor(s);
  const std::vector<int64_t> streams{0, 1};
  for_each_implementation("qmc.sweep", [&](const Implementation& how) {
    const auto whole = make_walkers(s, j, how, 1, 2), second = make_walkers(s, j, how, 1, 2);
    whole->scatter(streams);
    whole->sweep(some(10, 0));
    BOOST_TEST(whole->reinvert() < 1e-8);
    second->place(whole->positions(), streams);
    for (auto* walkers : {&*whole, &*second}) walkers->sweep(some(10, 10));
    BOOST_TEST(largest_difference(whole->positions(), second->positions()) == 0);
    BOOST_TEST(largest_difference(whole->energies(), second->energies()) == 0);
  });
}

BOOST_AUTO_TEST_CASE(implementations_walk_the_same_walk) {
  const System s = gas(7, 7);
  const Jastrow j = factor(s);
  for (const Move move : {Move::metropolis, Move::langevin}) {
    std::vector<double> expected, energies;
    for_each_implementation("qmc.sweep", [&](const Implementation& how) {
      const auto walkers = make_walkers(s, j, how, 1, 2);
      walkers->scatter(std::vector<int64_t>{0, 1});
      walkers->sweep(some(30, 0, move));
      if (expected.empty()) expected = walkers->positions(), energies = walkers->energies();
      BOOST_TEST(largest_difference(walkers->positions(), expected) < 1e-7);
      BOOST_TEST(largest_difference(walkers->energies(), energies) < 1e-7);
    });
  }
}

BOOST_AUTO_TEST_CASE(velocities_are_those_of_the_kinetic_energy) {
  const System s = gas(7, 1);
  const Jastrow j = factor(s);
  for_each_implementation("qmc.sweep", [&](const Implementation& how) {
    const auto walkers = make_walkers(s, j, how, 1, 2);
    walkers->scatter(std::vector<int64_t>{0, 1});
    walkers->sweep(some(5, 0));
    const auto e = walkers->energies(true);
    const auto& v = walkers->velocities();
    for (size_t w = 0; w < 2; ++w) {
      double fisq = 0;
      for (size_t i = 24 * w; i < 24 * (w + 1); ++i) fisq += 0.5 * v[i] * v[i];
      BOOST_TEST(e[part::count * w + part::fisq] == fisq, boost::test_tools::tolerance(1e-10));
      BOOST_TEST(e[part::count * w + part::kei] == 2 * e[part::count * w + part::ti] - e[part::count * w + part::fisq],
                 boost::test_tools::tolerance(1e-9));
      BOOST_TEST(e[part::count * w + part::total] == e[part::count * w + part::kei] + e[part::count * w + part::ee],
                 boost::test_tools::tolerance(1e-12));
    }
  });
}

BOOST_AUTO_TEST_CASE(branching_copies_walkers_and_what_goes_with_them) {
  const System s = gas(7, 7);
  const Jastrow j = factor(s);
  for_each_implementation("qmc.sweep", [&](const Implementation& how) {
    const auto walkers = make_walkers(s, j, how, 1, 4);
    walkers->scatter(std::vector<int64_t>{0, 1, 2});
    walkers->sweep(some(3, 0));
    const auto before = walkers->positions();
    const auto energies = walkers->energies();
    std::vector<double> carry{10, 11, 12, 0};
    const std::vector<int32_t> from{1, 1, 3, 3};  // slots 2 and 4 become copies of 1 and 3
    walkers->branch(from, &carry);
    walkers->resize(std::vector<int64_t>{0, 1, 2, 3});
    const auto after = walkers->positions();
    for (size_t w = 0; w < 4; ++w) {
      const auto source = static_cast<std::ptrdiff_t>(from[w] - 1);
      BOOST_TEST(
          largest_difference({after.begin() + 42 * static_cast<std::ptrdiff_t>(w), after.begin() + 42 * static_cast<std::ptrdiff_t>(w + 1)},
                             {before.begin() + 42 * source, before.begin() + 42 * (source + 1)}) == 0);
      BOOST_TEST(carry[w] == 10.0 + static_cast<double>(source));
    }
    const auto& copied = walkers->energies();
    BOOST_TEST(copied[part::count * 3] == energies[part::count * 2], boost::test_tools::tolerance(1e-12));
  });
}

BOOST_AUTO_TEST_CASE(more_walkers_than_there_is_room_for_are_refused) {
  const auto walkers = make_walkers(gas(7, 7), {}, {"reference", "", {}}, 1, 2);
  BOOST_CHECK_EXCEPTION(walkers->scatter(std::vector<int64_t>{0, 1, 2}), suite::Failure,
                        [](const suite::Failure& f) { return std::string(f.what()) == "3 walkers; the number must be 1 to 2"; });
}
