// SPDX-License-Identifier: BSD-3-Clause
// Compares the observables of two stored results within the tolerances or standard errors given in the results.
#pragma once

#include <string>
#include <vector>

#include "result_file.hpp"

namespace suite::app::stored {

// Maximum difference of two runs in joint standard errors.
inline constexpr double most_joint_errors = 4;

// An observable present in both results; of several values, the one with the largest deviation.
struct MatchedObservable {
  std::string name, unit, label;  // label: of that value
  size_t count = 0;               // number of values compared
  double before = 0, after = 0;
  double difference = 0, allowed = 0;  // after - before; the larger tolerance, or joint standard errors
  bool statistical = false;
  bool same = false;
  std::string why;  // reason the values cannot be compared: "in eV before and in Ha after"
};

struct PhysicsComparison {
  bool of_apps = false;  // whether at least one of the two is a run of an app
  std::string why_not;   // reason nothing could be compared; "" otherwise
  std::vector<MatchedObservable> rows;
  std::vector<std::string> missing, added;  // present in one of the two only
  bool same() const;                        // all compared values agree, and none is missing
};

PhysicsComparison compare_physics(const Result& before, const Result& after);

// "total energy (Ha)"; "eigenvalues (Ha), farthest off of 8: band 3".
std::string quantity_text(const MatchedObservable& row);

}  // namespace suite::app::stored
