// SPDX-License-Identifier: BSD-3-Clause
// The steps of a published optimisation ladder: the choices of a plugin's parameter `variant`, in order.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <suite/abi.h>

namespace suite::app {

const char* name_of(suite_effect effect);  // "faster", "same", "slower"; "" for unknown

struct Step {
  suite_choice choice{};
  std::string after;                    // "" for the first step
  suite_effect expected = SUITE_UNKNOWN;  // expected effect on the time, relative to `after`
  std::string expectation;              // "slower"; "slower (V100), faster (A100)" if the devices differ
  std::span<const suite_published> published() const { return {choice.published, choice.published_count}; }
};

// Throws Failure (unsupported) if the parameter has no choices.
std::vector<Step> steps_of(const suite_parameter& parameter);

// "V100 1.73 s, 3.71 TFLOP": the published results of one device.
struct PublishedFor {
  std::string device;
  double seconds = 0;  // 0: no time was published
  std::string text;
};
std::vector<PublishedFor> by_device(std::span<const suite_published> published);
// All published results: "V100 1.73 s, 3.71 TFLOP; A100 1.1 s", "V100 1.1 to 1.12 times as fast as one loop"; "" if there are none.
std::string published_text(std::span<const suite_published> published);

// Two times within 3 % of each other count as the same.
suite_effect effect_of(double seconds, double before);

}  // namespace suite::app
