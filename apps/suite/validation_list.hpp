// SPDX-License-Identifier: BSD-3-Clause
// What `suite validate` knows: inputs/validation/FAMILY.yaml, with the cases of a family (inputs in the folder of that
// name), what each takes, and what its results have to be.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace suite::app {

// A number of a run's results and what it has to be: within three standard errors of `expected` (or within
// `tolerance`), or `below` something; its own error at most `largest_error`.
struct PublishedValue {
  std::string quantity, quantity_error, source;
  std::optional<double> expected, error, tolerance, below, largest_error;
};

struct ValidationCase {
  std::string name;
  std::filesystem::path input;
  double cpu_s = 0, memory_B = 0;  // measured once, for a forecast; 0: the list does not say
  std::vector<PublishedValue> checks;
};

struct ValidationList {
  std::string family;
  std::vector<ValidationCase> cases;
  double cpu_s() const;     // of all cases
  double memory_B() const;  // of the largest
  bool whole() const;       // whether each case says what it takes
};

// Those that are installed.
std::vector<std::string> validated_families();
// A family, or a list of one's own by the name of its file. Throws Failure (not found) for a family that there is not, InputErrors
// for what is wrong with the list.
ValidationList read_validation_list(const std::string& name);

}  // namespace suite::app
