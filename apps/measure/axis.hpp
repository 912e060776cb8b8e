// SPDX-License-Identifier: BSD-3-Clause
// Axes of figures and pages: positions of values in a range, and round numbers for ticks.
#pragma once

#include <vector>

namespace suite::plot {

// A range; both ends are positive if it is logarithmic.
struct Range {
  double low = 0, high = 1;
  bool logarithmic = false;
  double part(double value) const;  // 0 at low, 1 at high; outside [0, 1] beyond them
};

// Round numbers that cover low...high in about `count` steps.
std::vector<double> ticks(double low, double high, int count);
// Powers of 10 from low to high, every n-th if there are many; if there are few, also 2 and 5 or 3 times them.
std::vector<double> log_ticks(double low, double high);

}  // namespace suite::plot
