// SPDX-License-Identifier: BSD-3-Clause
// Small figures as self-contained SVG: panels with axes, series of points, and a legend. Series differ in marker and line style as well
// as in colour. Drawings follow the reader's choice of light or dark. Titles, names and labels may have subscripts and superscripts: "E_{QP}",
// "10^{-3}".
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
  std::string name;  // in the legend; empty: not listed
  std::vector<double> x, y;
  Marker marker = Marker::filled_circle;
  Line line = Line::solid;
  std::vector<std::string> labels = {};  // beside the points; empty ones are skipped, further ones may be missing
  std::string colour = {};  // "#444"; empty: the next of seven
  std::vector<double> low = {}, high = {};  // interval of each point: a band about a line without markers, otherwise bars
};

// An empty series drawn as a line without markers.
inline Series line(const std::string& name, Line style = Line::solid) { return {name, {}, {}, Marker::none, style}; }

// A horizontal band behind the series.
struct Band {
  double low, high;
  std::string name;
};

// A function of two variables behind the series, in 24 colour levels. Cells too small to be seen are merged.
struct Map {
  int columns = 0, rows = 0;
  std::vector<double> value;  // [column * rows + row]
  double x_low = 0, x_high = 1, y_low = 0, y_high = 1;  // outer edges of the cells
  bool signed_ = false;  // diverging colours with white at 0; otherwise white at the lowest value
  std::string unit;  // in the legend
};

// The map with at most about 100 cells in each direction, by block averages.
Map reduced(const Map& map);

struct Panel {
  std::string title, x_label, y_label;
  std::vector<Series> series;
  std::vector<std::pair<double, std::string>> x_labels;  // replace the numbers on the x axis
  std::vector<Band> bands;
  std::optional<Map> map = {};
  bool log_x = false, log_y = false;  // points that are not positive are omitted
  bool x_lines = false;  // a line across the frame at each of x_labels, which stand upright below it
  std::optional<Range> y_range = {};  // none: made from the points
  double width = 460, height = 320;
};

// Draws the panels side by side in rows of at most 1400 pixels; a legend too long for its panel is continued below. Points that are not
// finite are omitted.
std::string svg(const std::string& title, const std::vector<Panel>& panels);

// Whether the values are positive and differ by more than a factor of 100, so that a linear axis would hide the small ones.
bool spans_decades(const std::vector<double>& values);

// The text without the marks of subscripts and superscripts: "EQP".
std::string plain(const std::string& text);

}  // namespace suite::plot
