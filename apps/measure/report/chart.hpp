// SPDX-License-Identifier: BSD-3-Clause
// Figures of the page: SVG with horizontal coordinates in percent, so that a figure fills its column and text keeps its size on paper, a
// phone and a wide screen. Colour is never the only distinction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "html.hpp"

namespace suite::report {

// One measured quantity with its interval: a bar from zero, or a dot on a logarithmic axis if the longest bar would hide the shortest.
struct Bar {
  std::string name, value, note;
  double median = 0, low = 0, high = 0;
  bool best = false;
  std::string wrong;  // why there is no time to draw; "" if there is one
};
Html bars(const std::string& about, const std::vector<Bar>& bars);

// Fractions of a whole, from 0 to 100 %.
struct Share {
  std::string name, value, note;
  double fraction = 0;
};
Html shares(const std::string& about, const std::vector<Share>& shares);

// Every sample relative to the median of its row, the first one on top.
struct Strip {
  std::string name, value;
  std::vector<double> samples;
  double median = 0, low = 0, high = 0;
};
Html strips(const std::string& about, const std::vector<Strip>& strips);
constexpr size_t most_dots = 300;  // per strip; with more samples, every n-th is drawn

// Dots with intervals about a line labelled "as expected": ratios about 1, deviations in standard errors about 0.
struct Deviation {
  std::string name, value;
  double middle = 0, low = 0, high = 0;
  bool right = true;
};
struct Scale {
  std::string title;
  double expected = 0, tolerance = 0;  // half width of the band that counts as correct; 0: none
  bool logarithmic = false;
};
Html deviations(const std::string& about, const Scale& scale, const std::vector<Deviation>& deviations);

// Performance over arithmetic intensity, both logarithmic.
struct Roof {
  std::string name;
  double flop_per_s = 0, byte_per_s = 0;  // a flat roof or a slope; the other is 0
  bool published = false;                 // from a data sheet, drawn dashed; the others were measured
};
struct Point {
  int number = 0;  // in the table beside the figure
  std::string name;
  double intensity = 0, flop_per_s = 0;
  int family = 0;       // points of one family share a marker
  bool joined = false;  // to the previous point, like the steps of a ladder
};
Html roofline(const std::string& about, const std::vector<Roof>& roofs, const std::vector<Point>& points);
constexpr int marker_count = 5;
Html marker(int family);  // for a legend

// "870 µs"
std::string seconds(double s);

}  // namespace suite::report
