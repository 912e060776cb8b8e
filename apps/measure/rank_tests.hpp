// SPDX-License-Identifier: BSD-3-Clause
// Rank tests, which assume no distribution, and the corresponding intervals. Two-sided.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace suite::app {

// Wilcoxon's signed-rank test: probability of paired differences at least as one-sided as these if each is equally likely to be negative
// or positive. Exact up to 50 non-zero differences, ties included; normal approximation beyond. 1 if there are none.
double signed_rank_p(std::vector<double> differences);

// The rank-sum test of Mann, Whitney and Wilcoxon: probability of two samples at least as far apart as these if both come from one
// distribution. Exact up to 30 values in all, ties included; normal approximation beyond. 1 if one is empty.
double rank_sum_p(const std::vector<double>& a, const std::vector<double>& b);

// Shift of a relative to b (Hodges, Lehmann, Ann. Math. Stat. 34, 598 (1963)): the median of all differences, with the 95 % interval of
// the rank-sum test. Samples longer than 400 are reduced to 400 evenly spaced ones.
struct Shift {
  double median = 0, low = 0, high = 0;
  bool interval = false;  // false: too few samples, low and high are the extremes
};
std::optional<Shift> shift_of(std::vector<double> a, std::vector<double> b);

}  // namespace suite::app
