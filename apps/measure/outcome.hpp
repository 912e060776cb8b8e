// SPDX-License-Identifier: BSD-3-Clause
// Outcome of a run besides its results: consistency checks, warnings, and the numbers that another run of the same input must reproduce.
#pragma once

#include <string>
#include <vector>

namespace suite::app {

// A law that the results must obey (a conservation law, a sum rule, a symmetry), and their deviation from it.
struct ConsistencyCheck {
  std::string name;      // "electrons", "f-sum rule along x"
  double deviation = 0;  // from the exact value
  double bound = 0;      // largest accepted |deviation|
  std::string unit;      // of deviation and bound; "" if relative
  std::string meaning;   // conclusion if broken, and remedy: "the time step is too long"
  bool holds() const;    // false for NaN
  std::string verdict() const { return holds() ? "holds" : "broken"; }
};

// A number or list of numbers computed by the app, for `suite compare OLD NEW`. Two runs agree if no value differs by more than the
// tolerance, or by more than four joint standard errors if that is larger.
struct Observable {
  std::string name, unit;  // "total energy", "Ha"
  std::vector<double> values;
  std::vector<std::string> labels;  // of the values; empty for a single one
  double tolerance = 0;             // absolute
  std::vector<double> errors = {};  // standard errors of the values; empty if deterministic
};

struct Outcome {
  std::vector<ConsistencyCheck> checks;
  std::vector<Observable> observables;
  std::vector<std::string> warnings;  // one sentence each
};

// The broken checks and the warnings, one sentence each.
std::vector<std::string> warning_sentences(const Outcome& outcome);

}  // namespace suite::app
