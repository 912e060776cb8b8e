// SPDX-License-Identifier: BSD-3-Clause
// The implementations of gpp.sigma_offdiag that can run here; what cannot is said aloud.
#pragma once

#include <algorithm>

#include "../common/implementations.hpp"

inline std::vector<std::string> implementations() {
  std::vector<std::string> names;
  for (const auto& found : suite::test::implementations_of("gpp.sigma_offdiag"))
    if (suite::test::open_or_skip("gpp.sigma_offdiag", found.implementation)) names.push_back(found.implementation);
  for (const char* needed : {"reference", "cpu"})
    BOOST_REQUIRE_MESSAGE(std::find(names.begin(), names.end(), needed) != names.end(), needed << " was not found");
  return names;
}
