// SPDX-License-Identifier: BSD-3-Clause
// Branching and spreading of walkers.
#define BOOST_TEST_MODULE population
#include <algorithm>
#include <numeric>
#include <random>

#include <boost/test/unit_test.hpp>

#include <vmc/population.hpp>

using namespace suite::vmc;

BOOST_AUTO_TEST_CASE(survivors_stay_and_copies_fill_the_gaps) {
  const int32_t copies[] = {1, 0, 3, 1, 0};
  BOOST_TEST((slots_after(copies) == std::vector<int32_t>{1, 3, 3, 4, 3}));
  const int32_t fewer[] = {0, 0, 1, 0, 2};
  BOOST_TEST((slots_after(fewer) == std::vector<int32_t>{5, 5, 3}));
  const int32_t none[] = {0, 0};
  BOOST_TEST(slots_after(none).empty());
}

BOOST_AUTO_TEST_CASE(every_walker_lives_as_often_as_it_should) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<int32_t> copies(1 + random() % 40);
    for (auto& c : copies) c = static_cast<int32_t>(random() % 4 == 0 ? random() % 6 : random() % 3);
    const auto from = slots_after(copies);
    for (size_t w = 0; w < copies.size(); ++w)
      BOOST_TEST(std::count(from.begin(), from.end(), static_cast<int32_t>(w + 1)) == copies[w]);
    // No slot that is copied from changes, as qmc.branch asks.
    for (const int32_t f : from)
      if (static_cast<size_t>(f) <= from.size()) BOOST_TEST(from[static_cast<size_t>(f - 1)] == f);
  }
}

BOOST_AUTO_TEST_CASE(walkers_go_where_they_are_few) {
  const int64_t counts[] = {10, 0, 7, 4};
  const Balance b = balance_of(counts);
  BOOST_TEST((b.given == std::vector<int64_t>{4, 0, 2, 0}));  // 6 5 5 5
  BOOST_TEST((b.taken == std::vector<int64_t>{0, 5, 0, 1}));
  BOOST_TEST(b.moved == 6);
  BOOST_TEST(unbalanced(counts));
  const int64_t even[] = {100, 105, 98, 101}, one[] = {3, 2}, alone[] = {7}, empty[] = {1, 0};
  BOOST_TEST(!unbalanced(even));
  BOOST_TEST(!unbalanced(one));
  BOOST_TEST(!unbalanced(alone));
  BOOST_TEST(unbalanced(empty));
  BOOST_TEST((even_counts(11, 4) == std::vector<int64_t>{3, 3, 3, 2}));
}

BOOST_AUTO_TEST_CASE(energies_are_limited_on_both_sides) {
  BOOST_TEST(limited(-1, -3, 1.5) == 1.5);
  BOOST_TEST(limited(-1, 3, 1.5) == -1.5);
  BOOST_TEST(limited(-1, -1.25, 1.5) == 0.25);
  BOOST_TEST(limited(-1, -30, 0) == 29);
}
