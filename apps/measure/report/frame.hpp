// SPDX-License-Identifier: BSD-3-Clause
// Building blocks of figures: a horizontal axis in percent of the width, and marks at positions.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "measure/axis.hpp"
#include "html.hpp"

namespace suite::report {

std::string pc(double percent);  // "43.21%"

struct Axis : plot::Range {
  std::string title;
  std::vector<std::pair<double, std::string>> ticks;
  static constexpr double height = 44;  // below a figure, for ticks and title

  double operator()(double value) const;  // in percent of the width
  // Sets the ticks of a logarithmic axis.
  void decades(const std::function<std::string(double)>& text);
  Html grid(double top, double bottom) const;
  Html labels(double bottom) const;
};

Html line(double x1, double y1, double x2, double y2, const char* kind);  // x in percent, y in pixels
// A shape of shape_definitions() at the point; tip: its tooltip.
Html placed(double x, double y, const char* kind, const std::string& shape, const std::string& tip = "");
// Definitions of the shapes, once per page.
Html shape_definitions();
// The whole figure.
Html drawing(const std::string& about, double height, const char* kind, const Html& content);
// Shortens text to at most longest characters, replacing the middle by an ellipsis.
std::string shortened(const std::string& text, size_t longest);

}  // namespace suite::report
