// SPDX-License-Identifier: BSD-3-Clause
// Figures as part of the page: SVG whose sideways coordinates are percentages, so that a figure is as wide as
// its column and letters keep their size on paper, on a telephone and on a wide screen. Nothing is told by
// colour alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "html.hpp"

namespace suite::report {

// One thing measured: a bar from zero (dots on a logarithmic axis where the longest would hide the shortest),
// with its interval.
struct Bar {
  std::string name, value, note;
  double median = 0, low = 0, high = 0;
  bool best = false;
  std::string wrong;  // why there is no time to draw; "" where there is one
};
Html bars(const std::string& about, const std::vector<Bar>& bars);

// Fractions of a whole, from 0 to 100 %.
struct Share {
  std::string name, value, note;
  double fraction = 0;
};
Html shares(const std::string& about, const std::vector<Share>& shares);

// Every sample at its distance from the median of its row, the first one on top.
struct Strip {
  std::string name, value;
  std::vector<double> samples;
  double median = 0, low = 0, high = 0;
};
Html strips(const std::string& about, const std::vector<Strip>& strips);
constexpr size_t most_dots = 300;  // of a strip; of more every n-th is drawn

// Dots with intervals about a line that says "as expected": ratios about 1, deviations in standard errors
// about 0.
struct Deviation {
  std::string name, value;
  double middle = 0, low = 0, high = 0;
  bool right = true;
};
struct Scale {
  std::string title;
  double expected = 0, tolerance = 0;  // the strip that counts as right; 0: none
  bool logarithmic = false;
};
Html deviations(const std::string& about, const Scale& scale, const std::vector<Deviation>& deviations);

// Rate over intensity, both logarithmic.
struct Roof {
  std::string name;
  double flop_per_s = 0, byte_per_s = 0;  // a flat roof or a slope: the other one is 0
  bool published = false;                 // of a data sheet, dashed; the others were measured
};
struct Point {
  int number = 0;  // in the table beside the figure
  std::string name;
  double intensity = 0, flop_per_s = 0;
  int family = 0;       // points of one family have one marker
  bool joined = false;  // to the point before it, as the steps of a ladder are
};
Html roofline(const std::string& about, const std::vector<Roof>& roofs, const std::vector<Point>& points);
constexpr int marker_count = 5;
Html marker(int family);  // for a legend

// "870 µs"
std::string seconds(double s);

}  // namespace suite::report
