// SPDX-License-Identifier: BSD-3-Clause
// What a run says of itself beside its results: whether they obey the laws they must obey, what the reader
// has to be warned of, and which numbers another run of the same input must repeat.
#pragma once

#include <string>
#include <vector>

namespace suite::app {

// A law that the results must obey (a conservation law, a sum rule, a symmetry), and how far they are from
// it.
struct ConsistencyCheck {
  std::string name;      // "electrons", "f-sum rule along x"
  double deviation = 0;  // from what the law demands
  double bound = 0;      // the largest |deviation| that is accepted
  std::string unit;      // of both; "" for relative ones
  std::string meaning;   // what to conclude where it is broken, and what helps: "the time step is too long"
  bool holds() const;    // false for NaN
  std::string verdict() const { return holds() ? "holds" : "broken"; }
};

// A number that the app computed, or a list of them, for `suite compare OLD NEW`. Two runs agree where no value differs
// by more than the tolerance, or four joint standard errors where they are larger.
struct Observable {
  std::string name, unit;  // "total energy", "Ha"
  std::vector<double> values;
  std::vector<std::string> labels;  // of the values; none for a single one
  double tolerance = 0;             // absolute
  std::vector<double> errors = {};  // standard errors of the values; none where nothing is random
};

struct Outcome {
  std::vector<ConsistencyCheck> checks;
  std::vector<Observable> observables;
  std::vector<std::string> warnings;  // one sentence each
};

// The broken checks and the warnings, a sentence each.
std::vector<std::string> warning_sentences(const Outcome& outcome);

}  // namespace suite::app
