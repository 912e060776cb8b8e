// SPDX-License-Identifier: BSD-3-Clause
// What repeated timings say: medians with intervals that assume nothing of the distribution.
#pragma once

#include <string>
#include <vector>

namespace suite::app {

struct Estimate {
  double median = 0;
  double low = 0, high = 0;  // 95 % confidence interval of the median by order statistics
  bool interval = false;     // false: fewer than 6 samples, low and high are the extremes
};
Estimate estimate(std::vector<double> samples);

// How a contender stands to a baseline, from samples taken in turns (ABAB): the median of the ratios of neighbouring
// samples, and a verdict that is only given where the 95 % interval of that median allows it.
struct Comparison {
  Estimate ratio;
  std::string verdict;  // "FASTER", "same", "SLOWER", "unclear"
};
Comparison compare_samples(const std::vector<double>& samples, const std::vector<double>& baseline);

}  // namespace suite::app
