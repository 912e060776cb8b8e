// SPDX-License-Identifier: BSD-3-Clause
// Small figures as self-contained SVG: panels with axes, series of points, and a legend. Series
// differ in marker and line, not only in colour.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "axis.hpp"

namespace suite::plot {

enum class Marker { none, filled_circle, open_circle, filled_square, open_square, triangle, dash, diamond, cross };
enum class Line { none, solid, dashed };

struct Series {
  std::string name;  // in the legend; empty: not there
  std::vector<double> x, y;
  Marker marker = Marker::filled_circle;
  Line line = Line::solid;
  std::vector<std::string> labels = {};  // beside the points, as many as are wanted; empty ones are left out
  std::string colour = {};               // "#444"; empty: the next of seven
};

// A line without markers and without points yet.
inline Series line(const std::string& name, Line style = Line::solid) { return {name, {}, {}, Marker::none, style}; }

// A horizontal strip behind the series.
struct Band {
  double low, high;
  std::string name;
};

// A function of two variables behind the series, as colours of 24 levels. Cells are joined where there are
// more than can be seen.
struct Map {
  int columns = 0, rows = 0;
  std::vector<double> value;                            // [column * rows + row]
  double x_low = 0, x_high = 1, y_low = 0, y_high = 1;  // of the cells' outer edges
  bool signed_ = false;  // two colours with white at 0, else white at the least value
  std::string unit;      // in the legend
};

struct Panel {
  std::string title, x_label, y_label;
  std::vector<Series> series;
  std::vector<std::pair<double, std::string>> x_labels;  // instead of numbers on the x axis
  std::vector<Band> bands;
  std::optional<Map> map = {};
  bool log = false;  // both axes; points that are not positive are left out
  double width = 460, height = 320;
};

// The figure, one panel beside the other and in rows of at most 1400 pixels; a legend that is too long for
// its panel goes on below. Points that are not finite are left out.
std::string svg(const std::string& title, const std::vector<Panel>& panels);

}  // namespace suite::plot
