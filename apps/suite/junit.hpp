// SPDX-License-Identifier: BSD-3-Clause
// Results as a JUnit file, the form of test results that continuous integration services show: --junit FILE.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "options.hpp"

namespace suite::app {

struct TestCase {
  std::string group, name;  // "gpp.sigma", "small cpu best 2 threads"
  double seconds = 0;       // 0: not timed
  std::string failure, error, skipped;  // at most one: wrong, could not run, was not run
};

// Before anything is run: refuses a FILE that cannot be written, or that exists and is not a JUnit file.
void require_junit_place(const Arguments& arguments);

// Writes FILE; nothing without --junit. Where there is no case, one says so.
void write_junit(const Arguments& arguments, std::vector<TestCase> cases);
// The same from the document of bench, compare, ladder or roofline: a case for each row, failed if the row differs from the reference and
// skipped if it was left out.
void write_junit(const Arguments& arguments, const nlohmann::ordered_json& document);

}  // namespace suite::app
