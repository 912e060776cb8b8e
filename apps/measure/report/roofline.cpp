// SPDX-License-Identifier: BSD-3-Clause
// Roofline figure: performance over arithmetic intensity below the roofs of the machine.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "common/quantities.hpp"
#include "chart.hpp"
#include "frame.hpp"

namespace suite::report {
namespace {

constexpr double height = 340, left = 62,
                 above = 30;  // pixels; tick labels are left of the drawing, the title of the vertical axis above it

std::string shape_of(int family) { return fmt::format("marker{}", family % marker_count); }

struct Box {
  Axis x, y;
  double down(double rate) const { return height * (1 - y(rate) / 100); }
  double rate(double down) const { return y.low * std::pow(y.high / y.low, 1 - down / height); }
};

Box box_of(const std::vector<Roof>& roofs, const std::vector<Point>& points) {
  double x_low = INFINITY, x_high = 0, y_low = INFINITY, y_high = 0;
  for (const auto& p : points) {
    x_low = std::min(x_low, p.intensity), x_high = std::max(x_high, p.intensity);
    y_low = std::min(y_low, p.flop_per_s), y_high = std::max(y_high, p.flop_per_s);
  }
  for (const auto& r : roofs) y_high = std::max(y_high, r.flop_per_s);
  // Include the ridges, where the slopes meet the flat roof.
  for (const auto& r : roofs)
    if (r.byte_per_s > 0 && !r.published) x_low = std::min(x_low, y_high / r.byte_per_s), x_high = std::max(x_high, y_high / r.byte_per_s);
  if (!(x_low <= x_high)) x_low = 0.1, x_high = 100;
  if (!(y_low <= y_high)) y_low = 1e8, y_high = 1e11;
  Box box;
  box.x.logarithmic = box.y.logarithmic = true;
  // Leave space for the slopes and their names.
  const bool slopes = std::any_of(roofs.begin(), roofs.end(), [](const Roof& r) { return r.byte_per_s > 0; });
  box.x.low = x_low / (slopes ? 8 : 2.5), box.x.high = x_high * 2.5;
  box.y.low = y_low / 3, box.y.high = y_high * 2.2;
  box.x.title = "intensity (flop/byte), logarithmic";
  box.x.decades([](double v) { return fmt::format("{:.6g}", v); });
  box.y.decades([](double v) { return fmt::format("{:.6g}", v / 1e9); });
  return box;
}

// The part of a slope inside the box, as two intensities; returns false if there is none.
bool inside(const Roof& roof, const Box& box, double top, double& from, double& to) {
  from = std::max(box.x.low, box.y.low / roof.byte_per_s);
  to = std::min(box.x.high, top / roof.byte_per_s);
  return from < to;
}

// Positions of slope names below their lower ends: downwards from the left edge, upwards from the bottom.
struct Places {
  double left = 0, bottom = height - 8;
};

Html draw(const Roof& roof, const Box& box, double top, Places& places) {
  const char* kind = roof.published ? "roof published" : "roof";
  constexpr double pitch = 15;
  if (roof.flop_per_s > 0) {
    const double y = box.down(roof.flop_per_s);
    return line(0, y, 100, y, kind) +
           tag("text", {{"class", "rooflabel"}, {"x", "100%"}, {"y", px(y - 6)}, {"text-anchor", "end"}}, roof.name);
  }
  double from = 0, to = 0;
  if (!inside(roof, box, top, from, to)) return {};
  const double end = box.down(from * roof.byte_per_s);
  double x = box.x(from), y = places.bottom;
  if (from > box.x.low) {
    x = box.x(box.rate(y) / roof.byte_per_s) + 1;
    places.bottom = y - pitch;
  } else {
    y = std::max(end + pitch, places.left);
    places.left = y + pitch;
  }
  return line(box.x(from), end, box.x(to), box.down(to * roof.byte_per_s), kind) +
         tag("text", {{"class", "rooflabel"}, {"x", pc(x)}, {"y", px(y)}, {"dx", "6"}}, roof.name);
}

Html draw(const Point& p, const Box& box) {
  const double x = box.x(p.intensity), y = box.down(p.flop_per_s);
  const std::string tip = p.name + fmt::format(": {:.3g} flop/byte, {:.4g} GFLOP/s", p.intensity, p.flop_per_s / 1e9);
  return placed(x, y, "point", shape_of(p.family), tip) +
         tag("text", {{"class", "number"}, {"x", pc(x)}, {"y", px(y + 4)}, {"text-anchor", "middle"}}, std::to_string(p.number));
}

}  // namespace

Html marker(int family) {
  return tag("svg", {{"class", "key"}, {"width", "18"}, {"height", "18"}, {"viewBox", "-12 -12 24 24"}, {"aria-hidden", "true"}},
             placed(0, 0, "point", shape_of(family)));
}

Html roofline(const std::string& about, const std::vector<Roof>& roofs, const std::vector<Point>& points) {
  const Box box = box_of(roofs, points);
  Html out = box.x.grid(0, height);
  for (const auto& [at, text] : box.y.ticks)
    out += line(0, box.down(at), 100, box.down(at), "grid") +
           tag("text", {{"class", "tick"}, {"x", "0"}, {"y", px(box.down(at) + 4)}, {"dx", "-8"}, {"text-anchor", "end"}}, text);
  out += tag("text", {{"class", "title"}, {"x", "0"}, {"y", "-12"}, {"dx", px(8 - left)}}, "GFLOP/s, logarithmic; higher is better");
  double top = 0;
  Places places;
  for (const auto& r : roofs)
    if (!r.published) top = std::max(top, r.flop_per_s);
  if (top <= 0) top = box.y.high;
  for (const auto& r : roofs) out += draw(r, box, top, places);
  for (size_t i = 1; i < points.size(); ++i)
    if (points[i].joined)
      out += line(box.x(points[i - 1].intensity), box.down(points[i - 1].flop_per_s), box.x(points[i].intensity),
                  box.down(points[i].flop_per_s), "path");
  for (const auto& p : points) out += draw(p, box);
  // The title of the vertical axis is above the box.
  const Html shifted = tag("g", {{"transform", "translate(0 " + px(above) + ")"}}, out + box.x.labels(height));
  return drawing(about, above + height + Axis::height, "roofline", shifted);
}

}  // namespace suite::report
