// SPDX-License-Identifier: BSD-3-Clause
// What apps computed, of two stored results: the numbers of one beside those of the other, within the tolerance or the
// standard errors that the results state.
#pragma once

#include <string>
#include <vector>

#include "result_file.hpp"

namespace suite::app::stored {

// Two runs may differ by so many joint standard errors.
inline constexpr double most_joint_errors = 4;

// An observable of both results; of several values the one that is farthest off.
struct MatchedObservable {
  std::string name, unit, label;  // label: of that value
  size_t count = 0;               // of values that were compared
  double before = 0, after = 0;
  double difference = 0, allowed = 0;  // after - before; the larger tolerance, or joint standard errors
  bool statistical = false;
  bool same = false;
  std::string why;  // "in eV before and in Ha after", where the values cannot be compared
};

struct PhysicsComparison {
  bool of_apps = false;  // whether one of the two is of an app's run at all
  std::string why_not;   // why nothing could be compared; "" where something was
  std::vector<MatchedObservable> rows;
  std::vector<std::string> missing, added;  // in one of the two only
  bool same() const;                        // all that was compared, and nothing is missing
};

PhysicsComparison compare_physics(const Result& before, const Result& after);

// "total energy (Ha)"; "eigenvalues (Ha), farthest off of 8: band 3".
std::string quantity_text(const MatchedObservable& row);

}  // namespace suite::app::stored
