// SPDX-License-Identifier: BSD-3-Clause
// Compares two stored results: physics, matching rows, ratios of their times, differences in provenance, and whether anything counts as a
// regression.
#pragma once

#include <string>
#include <vector>

#include "physics_comparison.hpp"
#include "result_file.hpp"
#include "statistics.hpp"

namespace suite::app::stored {

// A difference between the two measurements: "compiler of suite_gpp_cpu.so", "g++ 12.2.0 -O3", "clang 15".
struct Difference {
  std::string what, before, after;
};

// A metric of a row present in both results. The ratio is after / before.
struct Change {
  std::string metric, unit;      // "time", "s"
  bool lower_is_better = true;   // as stated in the files
  Comparison comparison;         // of the samples, treated as independent
  double before = 0, after = 0;  // medians
  std::string verdict;           // time: FASTER, same, SLOWER, unclear; energy: LESS, same, MORE, unclear
  // Whether the end of the ratio's interval next to 1 is worse than 1 by more than fraction.
  bool worse_by(double fraction) const;
};

struct Matched {
  Row before, after;
  std::vector<Change> changes;  // empty if one of the two failed its verification or has no samples
  std::string verdict;          // that of the time; "FAILED" (after), "was FAILED" (before only), "no samples"
};

struct ResultComparison {
  Result before, after;
  PhysicsComparison physics;
  std::vector<Difference> differences;
  std::vector<Matched> rows;
  std::vector<Row> missing, added;  // present in one of the two only
};

// Matches rows by kernel, size, implementation (for a plugin's path its file name, with folders if that name is not unique), variant,
// parameters and threads; equal rows in their order.
ResultComparison compare_results(Result before, Result after);

// "gpp.sigma small cpu best 2 threads".
std::string row_name(const Row& row);

// "is slower by more than 5 %: ratio 1.600 (1.584 - 1.616)".
std::string slower_by_more_than(double fraction, double ratio, double low, double high);

// Conditions of `--fail-on physics,slower:5%,failed,missing`.
struct FailOn {
  bool physics = false, failed = false, missing = false, slower = false;
  double slower_by = 0;  // 0.05: the whole interval lies above 1.05
};
// Throws Failure (invalid argument) listing the valid conditions.
FailOn parse_fail_on(const std::string& text);
// One sentence per regression. Throws Failure (invalid argument) if there is nothing to judge.
std::vector<std::string> regressions(const ResultComparison& comparison, const FailOn& asked);

}  // namespace suite::app::stored
