// SPDX-License-Identifier: BSD-3-Clause
// The steps of a published optimisation ladder, as a plugin's parameter `variant` describes them. Every line of the
// parameter's meaning is "name: sentence", with facts in brackets at its end where there are any:
//   v2: bands inside, two loops collapsed [V100 1.73 s, 3.71 TFLOP; A100 1.10 s]
//   fixed: the vectors' length fixed [after v8; slower]
// A fact is a time published for a device, "after NAME" (the step it changes; without it, the one before), or what to
// expect where nothing is published: faster, same, slower.
#pragma once

#include <string>
#include <vector>

#include <suite/abi.h>

namespace suite::app {

enum class Direction { unknown, faster, same, slower };
const char* name_of(Direction direction);  // "" for unknown

struct Step {
  struct Published {
    std::string device;
    double seconds = 0;
    std::string text;  // "V100 1.73 s, 3.71 TFLOP"
  };
  std::string name, sentence, after;  // after: "" for the first step
  std::vector<Published> published;
  Direction expected = Direction::unknown;  // of the time, against `after`
  std::string expectation;                  // "slower"; "slower (V100), faster (A100)" where the devices disagree
};

// Throws Failure (unsupported) when the parameter has no choices or its meaning is not written as above.
std::vector<Step> steps_of(const suite_parameter& parameter);

// Two times within 3 % of each other are the same.
Direction direction_of(double seconds, double before);

}  // namespace suite::app
