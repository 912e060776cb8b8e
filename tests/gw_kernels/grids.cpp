// SPDX-License-Identifier: BSD-3-Clause
// The grids of gw.mtxel: no product of bands may be taken for another at a wanted G, and they are smaller than ranges along the axes allow.
#include "support.hpp"

#include <set>

#include <plan.hpp>

using namespace gw_test;

namespace {

constexpr int any_lower(int n) { return n - 1; }

List negative(const List& list) {
  List all;
  for (const Miller& g : list) all.push_back({-g[0], -g[1], -g[2]});
  return all;
}

// The lists of a call, and the lengths by their ranges.
struct Lists {
  List ket, bra, wanted;
  std::set<Miller> products;
  suite::gw::GridDemand demand;
  Lists(const Metric& bdot, double ecutwfc, double ecuts)
      : ket(sphere_of(bdot, {-0.25, 0.4, 0.15}, ecutwfc)),
        bra(sphere_of(bdot, {0.1, 0.2, -0.3}, ecutwfc)),
        wanted(negative(sphere_of(bdot, {0.35, -0.2, -0.45}, ecuts))),
        demand{ket, bra, wanted, {}, {}} {
    for (const Miller& a : ket)
      for (const Miller& b : bra) products.insert(plus(a, b, -1));
    for (int d = 0; d < 3; ++d) {
      const auto range = [d](const auto& list) {
        const auto [low, high] =
            std::minmax_element(list.begin(), list.end(), [d](const Miller& a, const Miller& b) { return a[d] < b[d]; });
        return std::pair{(*low)[d], (*high)[d]};
      };
      const auto [low, high] = range(products);
      const auto [wanted_low, wanted_high] = range(wanted);
      demand.sufficient[d] = std::max(high - wanted_low, wanted_high - low) + 1;
      for (const List* list : {&ket, &bra}) demand.least[d] = std::max(demand.least[d], range(*list).second - range(*list).first + 1);
    }
  }
  bool has_alias(const std::array<int, 3>& n) const {
    for (const Miller& w : wanted)
      for (const Miller& p : products) {
        const Miller t = plus(p, w, -1);
        if (t != Miller{} && t[0] % n[0] == 0 && t[1] % n[1] == 0 && t[2] % n[2] == 0) return true;
      }
    return false;
  }
};

int64_t points(const std::array<int, 3>& n) { return int64_t{n[0]} * n[1] * n[2]; }

}  // namespace

BOOST_AUTO_TEST_SUITE(grids)

BOOST_AUTO_TEST_CASE(have_no_alias) {
  const Metric hexagonal{1, 0.5, 0, 0.5, 1, 0, 0, 0, 0.3}, cubic{0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4};
  for (const Metric& lattice : {oblique, fcc, hexagonal, cubic})
    for (const double ecutwfc : {2.5, 6.0})
      for (const double ecuts : {1.0, 2.5}) {
        const Lists lists(lattice, ecutwfc, ecuts);
        const auto n = suite::gw::smallest_grid(lists.demand, lists.demand.sufficient, any_lower);
        BOOST_TEST_CONTEXT(n[0] << " x " << n[1] << " x " << n[2] << " points") BOOST_TEST(!lists.has_alias(n));
      }
}

// The test above can see an alias.
BOOST_AUTO_TEST_CASE(that_are_smaller_have_aliases) {
  const Lists lists(fcc, 6, 2.5);
  auto n = suite::gw::smallest_grid(lists.demand, lists.demand.sufficient, any_lower);
  for (int& length : n) length -= 3;
  BOOST_TEST(lists.has_alias(n));
}

// In the metric of fcc the shortest reciprocal vector is 1.22 times as long as what a range along its axis says.
BOOST_AUTO_TEST_CASE(of_fcc_have_less_than_three_quarters_of_the_points_that_ranges_ask_for) {
  const Lists lists(fcc, 25, 8);
  const auto n = suite::gw::smallest_grid(lists.demand, lists.demand.sufficient, any_lower);
  BOOST_TEST(4 * points(n) < 3 * points(lists.demand.sufficient));
}

BOOST_AUTO_TEST_SUITE_END()
