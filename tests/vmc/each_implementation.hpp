// SPDX-License-Identifier: BSD-3-Clause
// What tests of walkers share.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <vector>

#include "../common/implementations.hpp"
#include "walkers.hpp"

// f with each implementation of a kernel that is found and has its device.
template <class F> void for_each_implementation(const char* kernel, F&& f) {
  for (const auto& found : suite::test::implementations_of(kernel))
    if (suite::test::open_or_skip(kernel, found.implementation)) BOOST_TEST_CONTEXT(found.implementation)
  f(suite::vmc::Implementation{found.implementation, "", {}});
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  BOOST_REQUIRE(a.size() == b.size());
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= largest)) largest = std::abs(a[i] - b[i]);
  return largest;
}
