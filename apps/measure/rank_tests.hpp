// SPDX-License-Identifier: BSD-3-Clause
// Tests by ranks, which assume no distribution, and the intervals that belong to them. Two-sided.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace suite::app {

// Wilcoxon's signed-rank test: the probability of differences of pairs at least as one-sided as these where
// each is as likely negative as positive. Exact up to 50 differences that are not 0, ties included; normal
// beyond. 1 for none.
double signed_rank_p(std::vector<double> differences);

// The rank-sum test of Mann, Whitney and Wilcoxon: the probability of two samples at least as far apart as
// these where both come from one distribution. Exact up to 30 values in all, ties included; normal beyond. 1
// where one is empty.
double rank_sum_p(const std::vector<double>& a, const std::vector<double>& b);

// How far a lies above b (Hodges, Lehmann, Ann. Math. Stat. 34, 598 (1963)): the median of all differences,
// with the 95 % interval of the rank-sum test. Of samples longer than 400, 400 evenly spaced ones count.
struct Shift {
  double median = 0, low = 0, high = 0;
  bool interval = false;  // false: too few samples, low and high are the extremes
};
std::optional<Shift> shift_of(std::vector<double> a, std::vector<double> b);

}  // namespace suite::app
