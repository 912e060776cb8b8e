// SPDX-License-Identifier: BSD-3-Clause
// What every axis of a figure or a page does: where a value lies between its ends, and round numbers for
// ticks.
#pragma once

#include <vector>

namespace suite::plot {

// From low to high, both above zero where it is logarithmic.
struct Range {
  double low = 0, high = 1;
  bool logarithmic = false;
  double part(double value) const;  // 0 at low, 1 at high, beyond them outside of the range
};

// Round numbers that cover low...high in about `count` steps.
std::vector<double> ticks(double low, double high, int count);
// The powers of 10 from low to high, every n-th of many; where there are few, 2 and 5 or 3 times those too.
std::vector<double> log_ticks(double low, double high);

}  // namespace suite::plot
