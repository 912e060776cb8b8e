// SPDX-License-Identifier: BSD-3-Clause
// The random numbers: published vectors, and what samples of the draws have to look like.
#include "support.hpp"

#include <philox.hpp>

#include "../common/philox_answers.hpp"

using namespace qmc_test;

BOOST_AUTO_TEST_SUITE(draws)

BOOST_AUTO_TEST_CASE(philox_known_answers) {
  for (const suite::test::PhiloxAnswer& k : suite::test::philox_answers) {
    const suite::qmc::Words w = suite::qmc::philox({{k.counter[0], k.counter[1], k.counter[2], k.counter[3]}}, k.key[0], k.key[1]);
    for (int i = 0; i < 4; ++i) BOOST_CHECK_EQUAL(w.w[i], k.words[i]);
  }
}

// Where a draw's electron, block, sweep, stream and seed go.
BOOST_AUTO_TEST_CASE(counters) {
  const int64_t seed = (int64_t{7} << 32) + 3, stream = (int64_t{9} << 32) + 5;
  const suite::qmc::Words drawn = suite::qmc::draw(seed, stream, 11, 13, 1), expected = suite::qmc::philox({{53, 11, 5, 9}}, 3, 7);
  for (int i = 0; i < 4; ++i) BOOST_CHECK_EQUAL(drawn.w[i], expected.w[i]);
  BOOST_CHECK_EQUAL(suite::qmc::open_uniform(0), 0x1p-33);
  BOOST_CHECK_EQUAL(suite::qmc::open_uniform(0xffffffff), 1 - 0x1p-33);
  BOOST_CHECK_EQUAL(suite::qmc::uniform(0, 0), 0.0);
  BOOST_CHECK_EQUAL(suite::qmc::uniform(0xffffffff, 0xffffffff), 1 - 0x1p-53);
}

// 2^16 draws of neighbouring counters. A sum of squares over 64 bins of expected content m, each of variance
// m, is 63 +- sqrt(126) in units of m: 5 of those are allowed.
BOOST_AUTO_TEST_CASE(uniformity) {
  constexpr int draws = 1 << 16, bins = 64;
  for (const int64_t stream : {int64_t{0}, int64_t{1}, int64_t{1} << 32}) {
    std::vector<int> count(bins), pairs(bins);
    double last = 0;
    for (int i = 0; i < draws; ++i) {
      const double u = suite::qmc::acceptance_uniform(2026, stream, i / 100, i % 100);
      BOOST_REQUIRE(u >= 0 && u < 1);
      ++count[static_cast<size_t>(u * bins)];
      ++pairs[static_cast<size_t>(u * 8) * 8 + static_cast<size_t>(last * 8)];
      last = u;
    }
    for (const auto& histogram : {count, pairs}) {
      double chi2 = 0;
      for (const int n : histogram) chi2 += std::pow(n - draws / bins, 2) / (draws / bins);
      BOOST_TEST_MESSAGE("chi^2 of 63 degrees of freedom " << chi2);
      BOOST_CHECK(std::abs(chi2 - (bins - 1)) <= 5 * std::sqrt(2.0 * (bins - 1)));
    }
  }
}

// Moments 0, 1, 0, 3 of the three components and no correlation between them; the error of a mean of x^k is
// sqrt(<x^2k> - <x^k>^2) over the root of the draws: 5 of those are allowed.
BOOST_AUTO_TEST_CASE(gaussians) {
  constexpr int draws = 1 << 16;
  double moments[3][5] = {}, products[3] = {};
  for (int i = 0; i < draws; ++i) {
    double g[3];
    suite::qmc::move_gaussians(1, 2, i / 64, i % 64, g);
    for (int d = 0; d < 3; ++d) {
      for (int k = 1; k <= 4; ++k) moments[d][k] += std::pow(g[d], k) / draws;
      products[d] += g[d] * g[(d + 1) % 3] / draws;
    }
  }
  constexpr double expected[] = {0, 0, 1, 0, 3}, variance[] = {0, 1, 2, 15, 96};
  for (int d = 0; d < 3; ++d) {
    for (int k = 1; k <= 4; ++k)
      BOOST_CHECK_MESSAGE(std::abs(moments[d][k] - expected[k]) <= 5 * std::sqrt(variance[k] / draws),
                          "moment " << k << " of component " << d << " is " << moments[d][k]);
    BOOST_CHECK(std::abs(products[d]) <= 5 / std::sqrt(double{draws}));
  }
}

BOOST_AUTO_TEST_SUITE_END()
