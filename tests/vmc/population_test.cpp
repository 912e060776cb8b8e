// SPDX-License-Identifier: BSD-3-Clause
// Branching and spreading of walkers.
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
    for (size_t w = 0; w < copies.size(); ++w) BOOST_TEST(std::count(from.begin(), from.end(), static_cast<int32_t>(w + 1)) == copies[w]);
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

// Whoever holds the walkers: the population is the one that a process alone has.
BOOST_AUTO_TEST_CASE(processes_inherit_what_one_alone_would) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const int processes = 1 + trial % 5;
    std::vector<int32_t> copies(1 + random() % 40);
    for (auto& c : copies) c = static_cast<int32_t>(random() % 3);
    const auto from = slots_after(copies);
    std::vector<std::vector<int64_t>> mine(static_cast<size_t>(processes));
    for (size_t s = 0; s < copies.size(); ++s) mine[random() % mine.size()].push_back(static_cast<int64_t>(s));
    std::vector<int> seen(from.size(), 0);
    for (const auto& slots : mine) {
      const Branching branching = branching_of(slots, from);
      BOOST_TEST_REQUIRE(branching.from.size() == branching.slots.size());
      for (size_t w = 0; w < branching.slots.size(); ++w) {
        const auto slot = static_cast<size_t>(branching.slots[w]);
        ++seen[slot];
        BOOST_TEST(slots[static_cast<size_t>(branching.from[w] - 1)] == from[slot] - 1);
      }
    }
    BOOST_TEST((seen == std::vector<int>(from.size(), 1)));
    if (processes == 1 && std::is_sorted(mine[0].begin(), mine[0].end())) BOOST_TEST((branching_of(mine[0], from).from == from));
  }
}

BOOST_AUTO_TEST_CASE(the_last_slots_go_where_walkers_are_few) {
  const std::vector<int32_t> home{0, 0, 2, 0, 0, 1, 0};
  const auto moves = moves_to_balance(home, 3);  // 5 1 1 become 3 2 2
  BOOST_TEST_REQUIRE(moves.size() == 2);
  BOOST_TEST((moves[0].slot == 4 && moves[0].from == 0 && moves[0].to == 1));
  BOOST_TEST((moves[1].slot == 6 && moves[1].from == 0 && moves[1].to == 2));
  BOOST_TEST(moves_to_balance(std::vector<int32_t>{0, 0, 1, 1, 0}, 2).empty());
  BOOST_TEST(moves_to_balance(std::vector<int32_t>{0, 0}, 1).empty());
}

BOOST_AUTO_TEST_CASE(energies_are_limited_on_both_sides) {
  BOOST_TEST(limited(-1, -3, 1.5) == 1.5);
  BOOST_TEST(limited(-1, 3, 1.5) == -1.5);
  BOOST_TEST(limited(-1, -1.25, 1.5) == 0.25);
  BOOST_TEST(limited(-1, -30, 0) == 29);
}
