// SPDX-License-Identifier: BSD-3-Clause
// The lists of `suite validate`: inputs/validation/FAMILY.yaml, with the cases of a family (inputs in the folder of that name), their cost,
// and the expected results.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace suite::app {

// A number of a run's results and its expected value: within three standard errors of `expected` (or within `tolerance`), or `below` a
// bound; its own error at most `largest_error`.
struct PublishedValue {
  std::string quantity, quantity_error, source;
  std::optional<double> expected, error, tolerance, below, largest_error;
};

struct ValidationCase {
  std::string name;
  std::filesystem::path input;
  double cpu_s = 0, memory_B = 0;  // measured once, for a forecast; 0: not in the list
  std::vector<PublishedValue> checks;
};

struct ValidationList {
  std::string family;
  std::vector<ValidationCase> cases;
  double cpu_s() const;  // of all cases
  double memory_B() const;  // of the largest
  bool whole() const;  // whether the cost of each case is known
};

// The installed lists.
std::vector<std::string> validated_families();
// name: a family, or the file name of a user's list. Throws Failure (not found) for an unknown family, InputErrors for errors in the list.
ValidationList read_validation_list(const std::string& name);

}  // namespace suite::app
