// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <boost/test/unit_test.hpp>

namespace suite::vmc {

// A text with the first `what` replaced, which must be there.
inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const size_t at = text.find(what);
  BOOST_REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

}  // namespace suite::vmc
