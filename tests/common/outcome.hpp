// SPDX-License-Identifier: BSD-3-Clause
// What is said where something is refused.
#pragma once

#include <string>

#include <suite/plugin.hpp>
#include <suite/suite.hpp>

namespace suite::test {

// The sentence of the Failure that f throws, with its status in front; "ok" when it throws none.
template <class F> std::string outcome(F&& f) {
  try {
    f();
  } catch (const suite::Failure& e) { return std::string(suite_status_name(e.status())) + ": " + e.what(); }
  return "ok";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace suite::test
