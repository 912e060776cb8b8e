// SPDX-License-Identifier: BSD-3-Clause
// Statistics of repeated timings: medians with intervals that assume no distribution.
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

// A candidate compared with a baseline: ratio of times and verdict. FASTER and SLOWER require that the whole 95 % interval of the ratio is
// more than 2 % from 1 and that the rank test agrees (p <= 0.05); same, that the interval is within 4 % of 1; otherwise, and with fewer
// than 6 samples, the verdict is unclear (docs/measuring.md).
struct Comparison {
  Estimate ratio;
  double p = 1;         // p value of the rank test
  std::string verdict;  // "FASTER", "same", "SLOWER", "unclear"
};
// For samples taken in turns: the median of the ratios of neighbouring samples; Wilcoxon's signed-rank test of their logarithms.
Comparison compare_samples(const std::vector<double>& samples, const std::vector<double>& baseline);
// For independent samples of two programs or days: the median of all ratios (Hodges, Lehmann); the rank-sum test.
Comparison compare_independent(const std::vector<double>& samples, const std::vector<double>& baseline);

}  // namespace suite::app
