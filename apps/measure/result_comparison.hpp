// SPDX-License-Identifier: BSD-3-Clause
// Two stored results beside each other: whether the physics is the same, which rows belong together, how their times
// stand to each other, what else is different between the two, and whether that counts as a regression.
#pragma once

#include <string>
#include <vector>

#include "physics_comparison.hpp"
#include "result_file.hpp"
#include "statistics.hpp"

namespace suite::app::stored {

// Something that was not the same when the two were measured: "compiler of suite_gpp_cpu.so", "g++ 12.2.0
// -O3", "clang 15".
struct Difference {
  std::string what, before, after;
};

// A metric of a row that both results have. The ratio is after to before.
struct Change {
  std::string metric, unit;      // "time", "s"
  bool lower_is_better = true;   // as the files say
  Comparison comparison;         // of the samples, taken as independent
  double before = 0, after = 0;  // medians
  std::string verdict;           // time: FASTER, same, SLOWER, unclear; energy: LESS, same, MORE, unclear
  // The end of the ratio's interval next to 1 lies beyond 1 + fraction on the side that is worse.
  bool worse_by(double fraction) const;
};

struct Matched {
  Row before, after;
  std::vector<Change> changes;  // none where one of the two failed its verification or has no samples
  std::string verdict;          // that of time; "FAILED" (after), "was FAILED" (before only), "no samples"
};

struct ResultComparison {
  Result before, after;
  PhysicsComparison physics;
  std::vector<Difference> differences;
  std::vector<Matched> rows;
  std::vector<Row> missing, added;  // in one of the two only
};

// Rows belong together by kernel, size, implementation (of a plugin's path its file name, with folders where
// that name stands twice), variant, parameters and threads; of equal ones, the first to the first.
ResultComparison compare_results(Result before, Result after);

// "gpp.sigma small cpu best 2 threads".
std::string row_name(const Row& row);

// What `--fail-on physics,slower:5%,failed,missing` asks for.
struct FailOn {
  bool physics = false, failed = false, missing = false, slower = false;
  double slower_by = 0;  // 0.05: the whole interval lies above 1.05
};
// Throws Failure (invalid argument) that says what can be asked for.
FailOn parse_fail_on(const std::string& text);
// A sentence each. Throws Failure (invalid argument) where there is nothing that could be judged.
std::vector<std::string> regressions(const ResultComparison& comparison, const FailOn& asked);

}  // namespace suite::app::stored
