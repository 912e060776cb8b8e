// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <boost/test/unit_test.hpp>

#include <string>

#include <suite/suite.hpp>

// The sentence of the Failure that f throws, with its status in front; "ok" when it throws none.
template <class F>
std::string outcome(F&& f) {
  try {
    f();
  } catch (const suite::Failure& e) {
    return std::string(suite_status_name(e.status())) + ": " + e.what();
  }
  return "ok";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

// The backend's own table, as a kernel gets it.
const suite_backend& backend_table();
