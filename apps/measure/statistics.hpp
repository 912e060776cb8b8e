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

// How a candidate stands to a baseline: a ratio of times and a verdict. FASTER and SLOWER are said where the
// whole 95 % interval of the ratio lies more than 2 % from 1 and the rank test agrees (p <= 0.05); same where
// the interval lies within 4 % of 1; else unclear, and always with fewer than 6 samples (docs/measuring.md).
struct Comparison {
  Estimate ratio;
  double p = 1;         // of the rank test: what noise alone would do as well
  std::string verdict;  // "FASTER", "same", "SLOWER", "unclear"
};
// Of samples taken in turns: the median of the ratios of neighbouring samples; Wilcoxon's signed-rank test of
// their logarithms.
Comparison compare_samples(const std::vector<double>& samples, const std::vector<double>& baseline);
// Of samples of two programs or days, which have no neighbours: the median of all ratios (Hodges, Lehmann);
// the rank-sum test.
Comparison compare_independent(const std::vector<double>& samples, const std::vector<double>& baseline);

}  // namespace suite::app
