// SPDX-License-Identifier: BSD-3-Clause
#include "plot.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "markup.hpp"
#include "plot_data.hpp"

namespace suite::plot {
namespace {

using markup::empty_tag, markup::Markup, markup::px, markup::tag;

// Okabe and Ito's colours, distinguishable with any colour vision; black last.
constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
constexpr double left = 66, right = 16, row = 18;

// Top and height of the frames, and the bottom edge of the figure, in pixels.
struct Page {
  double top = 76, height = 320, bottom = 0;
};

Markup element(const char* name, const markup::Attributes& attributes) { return empty_tag(name, attributes) + "\n"; }

// Parts of a text: on the line (0), below (-1) or above it (1).
struct Piece {
  std::string text;
  int level = 0;
};
std::vector<Piece> pieces_of(const std::string& text) {
  std::vector<Piece> pieces(1);
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins = (text[i] == '_' || text[i] == '^') && i + 1 < text.size() && text[i + 1] == '{';
    const size_t end = begins ? text.find('}', i) : std::string::npos;
    if (end == std::string::npos) {
      pieces.back().text += text[i];
      continue;
    }
    pieces.push_back({text.substr(i + 2, end - i - 2), text[i] == '_' ? -1 : 1});
    pieces.emplace_back();
    i = end;
  }
  return pieces;
}

// Shifted by dy: no renderer that matters ignores it, unlike baseline-shift.
Markup typeset(const std::string& text) {
  constexpr int shift = 4;
  Markup out;
  int level = 0;
  for (const auto& piece : pieces_of(text)) {
    if (piece.text.empty()) continue;
    if (piece.level == level && level == 0) {
      out += piece.text;
    } else {
      markup::Attributes attributes{{"dy", std::to_string(shift * (level - piece.level))}};
      if (piece.level != 0) attributes.emplace_back("font-size", "78%");
      out += tag("tspan", attributes, piece.text);
    }
    level = piece.level;
  }
  return out;
}

// In characters.
size_t length_of(const std::string& text) {
  const std::string shown = plain(text);
  return static_cast<size_t>(std::count_if(shown.begin(), shown.end(), [](unsigned char c) { return (c & 0xc0) != 0x80; }));
}

// Text anchor: start, middle or end.
enum class From { left, middle, right };

Markup text_at(double x, double y, const char* kind, From from, const std::string& text) {
  markup::Attributes attributes{{"x", px(x)}, {"y", px(y)}, {"class", kind}};
  if (from != From::left) attributes.emplace_back("text-anchor", from == From::middle ? "middle" : "end");
  return tag("text", attributes, typeset(text)) + "\n";
}
// The same, rotated by degrees.
Markup turned_text_at(double x, double y, int degrees, const char* kind, From from, const std::string& text) {
  return tag("g", {{"transform", fmt::format("translate({:.1f} {:.1f}) rotate({})", x, y, degrees)}}, text_at(0, 0, kind, from, text)) +
         "\n";
}

struct Axis : Range {
  double begin = 0, end = 1;  // pixels
  double operator()(double value) const { return begin + part(value) * (end - begin); }
  bool shows(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }
};

Markup rectangle(double left, double top, double width, double height, const char* key, const char* value) {
  return element("rect", {{"x", px(left)}, {"y", px(top)}, {"width", px(width)}, {"height", px(height)}, {key, value}});
}
// Grid lines and ticks, by CSS class.
Markup path(const std::string& d, const char* kind) { return element("path", {{"d", d}, {"class", kind}}); }

// Sets the range to the values with a margin, or to a default if there are none.
void fit(Axis& axis, double low, double high, double margin) {
  if (axis.logarithmic) low = std::log10(low), high = std::log10(high);
  if (!(low <= high)) low = 0, high = 1;
  if (low == high) low -= 0.5, high += 0.5;
  axis.low = low - margin * (high - low);
  axis.high = high + margin * (high - low);
  if (axis.logarithmic) axis.low = std::pow(10, axis.low), axis.high = std::pow(10, axis.high);
}

Markup marker_at(Marker marker, double x, double y, const char* colour) {
  const auto circle = [&](const char* fill) { return markup::Attributes{{"cx", px(x)}, {"cy", px(y)}, {"r", "3"}, {"fill", fill}}; };
  const auto square = [&](double side, const char* width, const char* fill) {
    return markup::Attributes{{"x", px(x - side / 2)}, {"y", px(y - side / 2)}, {"width", width}, {"height", width}, {"fill", fill}};
  };
  const auto shape = [&](double dx, double dy, const char* d) { return fmt::format("M{:.1f} {:.1f}{}", x - dx, y - dy, d); };
  const auto with_edge = [&](markup::Attributes attributes) {
    attributes.insert(attributes.end(), {{"stroke", colour}, {"stroke-width", "1.3"}});
    return attributes;
  };
  switch (marker) {
    case Marker::none: return {};
    case Marker::filled_circle: return element("circle", circle(colour));
    case Marker::open_circle: return element("circle", with_edge(circle("none")));
    case Marker::filled_square: return element("rect", square(6, "6", colour));
    case Marker::open_square: return element("rect", with_edge(square(5.6, "5.6", "none")));
    case Marker::triangle: return element("path", {{"d", shape(0, 4, "l3.6 6.4h-7.2z")}, {"fill", colour}});
    case Marker::diamond: return element("path", {{"d", shape(0, 4, "l4 4l-4 4l-4 -4z")}, {"fill", colour}});
    case Marker::cross: return element("path", {{"d", shape(3, 3, "l6 6m0 -6l-6 6")}, {"stroke", colour}, {"stroke-width", "1.6"}});
    case Marker::dash: return element("path", {{"d", shape(6, 0, "h12")}, {"stroke", colour}, {"stroke-width", "2.4"}});
  }
  return {};
}

constexpr int levels = 24, most_cells = 96;

// From the ground to dark blue, or light blue in the dark; if signed, from red through the ground to blue.
std::string colour_of(int level, bool with_sign, bool dark) {
  const double x = with_sign ? 2.0 * level / (levels - 1) - 1 : static_cast<double>(level) / (levels - 1);
  const double ground[2][3] = {{255, 255, 255}, {26, 32, 39}};
  const double full[2][2][3] = {{{8, 48, 107}, {127, 20, 20}}, {{150, 205, 255}, {255, 150, 140}}};
  int rgb[3];
  for (int c = 0; c < 3; ++c)
    rgb[c] = static_cast<int>(std::lround(ground[dark][c] + std::abs(x) * (full[dark][x < 0][c] - ground[dark][c])));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

}  // namespace

Map reduced(const Map& map) {
  const int bx = (map.columns + most_cells - 1) / most_cells, by = (map.rows + most_cells - 1) / most_cells;
  if (bx <= 1 && by <= 1) return map;
  Map out = map;
  out.columns = map.columns / bx;
  out.rows = map.rows / by;
  out.x_high = map.x_low + (map.x_high - map.x_low) * out.columns * bx / map.columns;
  out.y_high = map.y_low + (map.y_high - map.y_low) * out.rows * by / map.rows;
  out.value.assign(static_cast<size_t>(out.columns) * out.rows, 0.0);
  for (int i = 0; i < out.columns * bx; ++i)
    for (int j = 0; j < out.rows * by; ++j)
      out.value[static_cast<size_t>(i / bx) * out.rows + j / by] += map.value[static_cast<size_t>(i) * map.rows + j] / (bx * by);
  return out;
}

namespace {

// One path per level; a run of cells along y is one rectangle.
Markup draw(const Map& full, const Axis& x, const Axis& y, double top) {
  const Map map = reduced(full);
  double low = INFINITY, high = -INFINITY;
  for (double v : map.value)
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  if (!(low <= high)) return {};
  if (map.signed_) high = std::max(std::abs(low), std::abs(high)), low = -high;
  const double range = high > low ? high - low : 1;
  const auto level = [&](double v) {
    return std::isfinite(v) ? std::clamp(static_cast<int>((v - low) / range * levels), 0, levels - 1) : -1;
  };
  std::vector<std::string> paths(levels);
  const double dx = (map.x_high - map.x_low) / map.columns, dy = (map.y_high - map.y_low) / map.rows;
  for (int i = 0; i < map.columns; ++i)
    for (int j = 0; j < map.rows;) {
      const int l = level(map.value[static_cast<size_t>(i) * map.rows + j]);
      int end = j + 1;
      while (end < map.rows && level(map.value[static_cast<size_t>(i) * map.rows + end]) == l) ++end;
      if (l >= 0)
        paths[l] += fmt::format("M{:.1f} {:.1f}H{:.1f}V{:.1f}H{:.1f}z", x(map.x_low + i * dx), y(map.y_low + j * dy),
                                x(map.x_low + (i + 1) * dx) + 0.3, y(map.y_low + end * dy) - 0.3, x(map.x_low + i * dx));
      j = end;
    }
  Markup out;
  for (int l = 0; l < levels; ++l) {
    const std::string colour = colour_of(l, map.signed_, false);
    if (!paths[l].empty()) out += element("path", {{"d", paths[l]}, {"fill", colour}});
    out += element("rect", {{"x", px(x.begin + 70 + 6 * l)}, {"y", px(top - 17)}, {"width", "6"}, {"height", "10"}, {"fill", colour}});
  }
  out += text_at(x.begin + 66, top - 8, "t", From::right, fmt::format("{:.3g}", low));
  return out + text_at(x.begin + 74 + 6 * levels, top - 8, "t", From::left, fmt::format("{:.3g} {}", high, map.unit));
}

// The intervals of a series.
Markup spread(const Series& series, const char* colour, const Axis& x, const Axis& y) {
  Markup out;
  const size_t n = std::min({series.x.size(), series.low.size(), series.high.size()});
  const auto inside = [&](double value) { return std::clamp(y(value), y.end, y.begin); };
  const auto drawn = [&](size_t i) { return x.shows(series.x[i]) && y.shows(series.low[i]) && y.shows(series.high[i]); };
  if (series.line == Line::none || series.marker != Marker::none) {
    std::string d;
    for (size_t i = 0; i < n; ++i)
      if (drawn(i)) d += fmt::format("M{:.1f} {:.1f}V{:.1f}", x(series.x[i]), inside(series.low[i]), inside(series.high[i]));
    return d.empty() ? out : element("path", {{"d", d}, {"stroke", colour}, {"stroke-width", "1.3"}});
  }
  for (size_t begin = 0; begin < n;) {
    size_t end = begin;
    std::string there, back;
    for (; end < n && drawn(end); ++end) {
      there += fmt::format("{}{:.1f} {:.1f}", there.empty() ? 'M' : 'L', x(series.x[end]), inside(series.high[end]));
      back = fmt::format("L{:.1f} {:.1f}", x(series.x[end]), inside(series.low[end])) + back;
    }
    if (end > begin + 1) out += element("path", {{"d", there + back + "z"}, {"fill", colour}, {"fill-opacity", "0.22"}});
    begin = std::max(end, begin + 1);
  }
  return out;
}

// The line of a series, in the frame and in the legend.
Markup stroke(const std::string& d, const char* colour, Line line, bool open) {
  markup::Attributes attributes{{"d", d}};
  if (open) attributes.emplace_back("fill", "none");
  attributes.insert(attributes.end(), {{"stroke", colour}, {"stroke-width", "1.6"}});
  if (line == Line::dashed) attributes.emplace_back("stroke-dasharray", "6 4");
  return element("path", attributes);
}

Markup draw(const Series& series, const char* colour, const Axis& x, const Axis& y) {
  Markup out = spread(series, colour, x, y);
  const size_t n = std::min(series.x.size(), series.y.size());
  const auto drawn = [&](size_t i) { return x.shows(series.x[i]) && y.shows(series.y[i]); };
  if (series.line != Line::none) {
    std::string d;
    bool pen = false;
    for (size_t i = 0; i < n; ++i) {
      if (drawn(i)) d += fmt::format("{}{:.1f} {:.1f}", pen ? 'L' : 'M', x(series.x[i]), y(series.y[i]));
      pen = drawn(i);
    }
    if (!d.empty()) out += stroke(d, colour, series.line, true);
  }
  for (size_t i = 0; i < n; ++i)
    if (drawn(i)) out += marker_at(series.marker, x(series.x[i]), y(series.y[i]), colour);
  return out;
}

struct Box {
  double left, right, top, bottom;
  bool meets(const Box& b) const { return left < b.right && b.left < right && top < b.bottom && b.top < bottom; }
};

constexpr double letter = 6.6, letter_height = 11;

// Places labels beside their points so that they cover neither labels nor points, as far as possible.
class Labels {
public:
  Labels(const Axis& x, const Axis& y) : x_(x), y_(y) {}
  void avoid(const Series& series) {
    for (size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i)
      if (x_.shows(series.x[i]) && y_.shows(series.y[i]) && series.marker != Marker::none)
        taken_.push_back({x_(series.x[i]) - 4, x_(series.x[i]) + 4, y_(series.y[i]) - 4, y_(series.y[i]) + 4});
  }
  Markup draw(const Series& series) {
    Markup out;
    for (size_t i = 0; i < std::min({series.x.size(), series.y.size(), series.labels.size()}); ++i)
      if (!series.labels[i].empty() && x_.shows(series.x[i]) && y_.shows(series.y[i]))
        out += place(x_(series.x[i]), y_(series.y[i]), series.labels[i], series.marker == Marker::none);
    return out;
  }

private:
  Markup place(double x, double y, const std::string& text, bool end_of_line) {
    const double w = letter * static_cast<double>(length_of(text)), h = letter_height;
    std::vector<Box> places;
    if (end_of_line) {  // below a line that rises from here, above one that ends here
      for (double away = 0; away < 4; ++away) places.push_back({x + 6 + 10 * away, x + 6 + 10 * away + w, y + 3, y + 3 + h});
      for (double away = 0; away < 4; ++away) places.push_back({x - w - 4, x - 4, y - 4 - h * (1 + away), y - 4 - h * away});
    }
    for (double away = 0; away < 8; ++away) {  // in growing distance from the point
      const double d = 6 + 4 * away, v = h * away * 0.7;
      for (double down : {0.0, 1.0, -1.0}) {
        places.push_back({x + d, x + d + w, y - h / 2 + down * v, y + h / 2 + down * v});
        places.push_back({x - d - w, x - d, y - h / 2 + down * v, y + h / 2 + down * v});
      }
      places.push_back({x - w / 2, x + w / 2, y - d - h, y - d});
      places.push_back({x - w / 2, x + w / 2, y + d, y + d + h});
    }
    const auto free = std::find_if(places.begin(), places.end(), [&](const Box& box) {
      return inside(box) && std::none_of(taken_.begin(), taken_.end(), [&](const Box& t) { return t.meets(box); });
    });
    const auto some = std::find_if(places.begin(), places.end(), [&](const Box& box) { return inside(box); });
    const Box box = free != places.end() ? *free : some != places.end() ? *some : places.front();
    taken_.push_back(box);
    return text_at(box.left, box.bottom - 2, "t n", From::left, text);
  }
  bool inside(const Box& box) const { return box.left >= x_.begin && box.right <= x_.end && box.top >= y_.end && box.bottom <= y_.begin; }

  const Axis &x_, &y_;
  std::vector<Box> taken_;
};

const char* colour_of(const Panel& panel, size_t series) {
  if (!panel.series[series].colour.empty()) return panel.series[series].colour.c_str();
  return colours[static_cast<size_t>(std::count_if(panel.series.begin(), panel.series.begin() + static_cast<long>(series),
                                                   [](const Series& s) { return s.colour.empty(); })) %
                 std::size(colours)];
}

// Calls at(series, x, row) for each entry of the legend, x from the left edge of the frame; returns the number of rows.
template <class F> int legend(const Panel& panel, F&& at) {
  double x = 0;
  int rows = 0;
  for (size_t i = 0; i < panel.series.size(); ++i) {
    if (panel.series[i].name.empty()) continue;
    const double wide = 48 + letter * static_cast<double>(length_of(panel.series[i].name));
    if (rows == 0 || x + wide - 18 > panel.width - left - right) {
      if (rows > 0) x = 0;
      ++rows;
    }
    at(i, x, rows - 1);
    x += wide;
  }
  return rows;
}

Markup axis_names(const Panel& panel, const Axis& x, const Axis& y, double x0, double label_y) {
  return text_at(0.5 * (x.begin + x.end), label_y, "l", From::middle, panel.x_label) +
         turned_text_at(x0 + 16, 0.5 * (y.begin + y.end), -90, "l", From::middle, panel.y_label);
}

Markup frame(const Axis& x, const Axis& y) { return rectangle(x.begin, y.end, x.end - x.begin, y.begin - y.end, "class", "a"); }

std::string across(const Axis& x, double y) { return fmt::format("M{:.1f} {:.1f}H{:.1f}", x.begin, y, x.end); }
Markup y_tick(const Axis& x, double y, const std::string& text) { return text_at(x.begin - 6, y + 4, "t", From::right, text); }
Markup x_tick(const Axis& y, double x, const std::string& text) { return text_at(x, y.begin + 18, "t", From::middle, text); }

// Number of decimals that makes the ticks distinct.
int decimals_of(const std::vector<double>& ticks) {
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 12);
}

// Round values of an axis with their texts.
std::vector<std::pair<double, std::string>> marks_of(const Axis& axis, int count) {
  std::vector<std::pair<double, std::string>> marks;
  if (axis.logarithmic)
    for (double t : log_ticks(axis.low, axis.high)) {
      const double power = std::log10(t), whole = std::round(power);
      marks.emplace_back(
          t, std::abs(power) > 3.5 && std::abs(power - whole) < 1e-9 ? fmt::format("10^{{{:.0f}}}", whole) : fmt::format("{:g}", t));
    }
  else {
    const auto all = ticks(axis.low, axis.high, count);
    for (double t : all) marks.emplace_back(t, fmt::format("{:.{}f}", t + 0.0, decimals_of(all)));
  }
  return marks;
}

// Axes, grid and titles of a panel; x may have names instead of numbers.
Markup axes(const Panel& panel, const Axis& x, const Axis& y, double x0, double bottom) {
  Markup out;
  for (const auto& [value, text] : marks_of(y, 6)) {
    if (!panel.map) out += path(across(x, y(value)), "g");
    out += y_tick(x, y(value), text);
  }
  const auto mark = [&](double value) { return path(fmt::format("M{:.1f} {:.1f}v5", x(value), y.begin), "a"); };
  if (panel.x_labels.empty())
    for (const auto& [value, text] : marks_of(x, 7)) {
      out += x.logarithmic ? path(fmt::format("M{:.1f} {:.1f}V{:.1f}", x(value), y.begin, y.end), "g") : mark(value);
      out += x_tick(y, x(value), text);
    }
  else
    for (const auto& [value, name] : panel.x_labels)
      if (panel.x_lines) out += path(fmt::format("M{:.1f} {:.1f}V{:.1f}", x(value), y.begin, y.end), "a") + x_tick(y, x(value), name);
      else out += mark(value) + turned_text_at(x(value) + 4, y.begin + 14, -45, "t", From::right, name);
  if (!y.logarithmic && y.low < 0 && y.high > 0) out += element("path", {{"d", across(x, y(0))}, {"stroke", "#888"}});
  return out + frame(x, y) + axis_names(panel, x, y, x0, panel.x_labels.empty() || panel.x_lines ? y.begin + 2.2 * row : bottom - 10);
}

// The contents of the frame, and the legend between title and frame, where it hides no point.
Markup draw_series(const Panel& panel, const Axis& x, const Axis& y, double top) {
  Markup out;
  Labels labels(x, y);
  for (size_t i = 0; i < panel.series.size(); ++i) {
    out += draw(panel.series[i], colour_of(panel, i), x, y);
    labels.avoid(panel.series[i]);
  }
  for (const Series& s : panel.series) out += labels.draw(s);
  const int rows = legend(panel, [](size_t, double, int) {});
  legend(panel, [&](size_t i, double at, int line) {
    const Series& s = panel.series[i];
    const double from = x.begin + at, height = top - 12 - 16 * (rows - 1 - line);
    if (s.line != Line::none) out += stroke(fmt::format("M{:.1f} {:.1f}h24", from, height), colour_of(panel, i), s.line, false);
    out += marker_at(s.marker, from + 12, height, colour_of(panel, i)) + text_at(from + 30, height + 4, "t", From::left, s.name);
  });
  return out;
}

// One panel with its upper left corner at (x0, 0).
Markup draw(const Panel& panel, double x0, const Page& page) {
  Axis x, y;
  x.begin = x0 + left, x.end = x0 + panel.width - right;
  y.begin = page.top + page.height, y.end = page.top;
  x.logarithmic = panel.log_x, y.logarithmic = panel.log_y;
  double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;
  for (const auto& s : panel.series)
    for (size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
      if (!x.shows(s.x[i]) || !y.shows(s.y[i])) continue;
      x_low = std::min(x_low, s.x[i]), x_high = std::max(x_high, s.x[i]);
      y_low = std::min(y_low, s.y[i]), y_high = std::max(y_high, s.y[i]);
      if (i < s.low.size() && y.shows(s.low[i])) y_low = std::min(y_low, s.low[i]);
      if (i < s.high.size() && y.shows(s.high[i])) y_high = std::max(y_high, s.high[i]);
    }
  fit(x, x_low, x_high, panel.log_x || panel.x_lines ? 0 : 0.05);
  fit(y, y_low, y_high, 0.06);
  if (panel.y_range) y.low = panel.y_range->low, y.high = panel.y_range->high;
  if (panel.map) {
    x.low = panel.map->x_low, x.high = panel.map->x_high;
    y.low = panel.map->y_low, y.high = panel.map->y_high;
  }

  Markup out = text_at(0.5 * (x.begin + x.end), 46, "h", From::middle, panel.title);
  for (const auto& band : panel.bands) {
    const double low = std::clamp(band.low, y.low, y.high), high = std::clamp(band.high, y.low, y.high);
    out += rectangle(x.begin, y(high), x.end - x.begin, y(low) - y(high), "fill", "#e8e8e8");
    out += text_at(x.end - 4, y(0.5 * (low + high)) + 4, "t", From::right, band.name);
  }
  if (panel.map) out += draw(*panel.map, x, y, page.top);
  out += axes(panel, x, y, x0, page.bottom);
  return out + draw_series(panel, x, y, page.top);
}

// A row of panels.
struct Strip {
  std::vector<const Panel*> panels;
  double width = 0;
  Page page;
};

// Fills each row with as many panels as fit.
std::vector<Strip> strips_of(const std::vector<Panel>& panels) {
  constexpr double widest = 1400;
  std::vector<Strip> strips;
  for (const auto& p : panels) {
    if (strips.empty() || strips.back().width + p.width > widest) strips.emplace_back();
    strips.back().panels.push_back(&p);
    strips.back().width += p.width;
  }
  if (strips.empty()) strips.push_back({{}, Panel{}.width, {}});
  for (auto& strip : strips) {
    Page& page = strip.page;
    size_t longest = 0;
    int rows = 1;
    if (!strip.panels.empty()) page.height = 0;
    for (const Panel* p : strip.panels) {
      for (const auto& label : p->x_labels)
        if (!p->x_lines) longest = std::max(longest, length_of(label.second));
      rows = std::max(rows, legend(*p, [](size_t, double, int) {}));
      page.height = std::max(page.height, p->height);
    }
    page.top += 16 * (rows - 1);
    page.bottom = page.top + page.height + 3 * row + 4.6 * static_cast<double>(longest);
  }
  return strips;
}

}  // namespace

bool spans_decades(const std::vector<double>& values) {
  if (values.empty()) return false;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *low > 0 && *high > 100 * *low;
}

std::string plain(const std::string& text) {
  std::string out;
  for (const auto& piece : pieces_of(text)) out += piece.text;
  return out;
}

namespace {

// Colours are attributes, which a style sheet overrides: so one rule for each colour makes a drawing dark.
std::string style_of(const std::vector<Panel>& panels) {
  std::string style =
      "text{font-family:'DejaVu Sans',Verdana,sans-serif;fill:#111}.t{font-size:11px}.l{font-size:12px}.h{font-size:13px}"
      ".n{paint-order:stroke;stroke:#fff;stroke-width:3px}.T{font-size:15px;font-weight:bold}.g{stroke:#ddd;"
      "fill:none}.a{stroke:#333;fill:none}"
      "@media (prefers-color-scheme:dark){text{fill:#e8ebef}.n{stroke:#1a2027}.g{stroke:#323b46}.a{stroke:#a5afbb}";
  constexpr std::pair<const char*, const char*> dark[] = {{"#fff", "#1a2027"},    {"#e8e8e8", "#2a333e"}, {"#888", "#78838f"},
                                                          {"#444", "#c3cad2"},    {"#0072b2", "#58aef0"}, {"#d55e00", "#f08a3c"},
                                                          {"#009e73", "#2fc79b"}, {"#000000", "#e8ebef"}};
  const auto rule = [&](const std::string& light, const std::string& other) {
    for (const char* what : {"fill", "stroke"}) style += fmt::format("[{0}=\"{1}\"]{{{0}:{2}}}", what, light, other);
  };
  for (const auto& [light, other] : dark) rule(light, other);
  for (const bool with_sign : {false, true})
    if (std::any_of(panels.begin(), panels.end(), [&](const Panel& p) { return p.map && p.map->signed_ == with_sign; }))
      for (int level = 0; level < levels; ++level) rule(colour_of(level, with_sign, false), colour_of(level, with_sign, true));
  return style + "}";
}

}  // namespace

std::string svg(const std::string& title, const std::vector<Panel>& panels) {
  const auto whole = [](double length) { return fmt::format("{:.0f}", length); };
  const std::vector<Strip> strips = strips_of(panels);
  double width = 0, height = 0;
  for (const auto& strip : strips) {
    width = std::max(width, strip.width);
    height += strip.page.bottom;
  }
  Markup out = "\n" + tag("title", plain(title)) + "\n" + tag("style", Markup::raw(style_of(panels))) + "\n";
  out += element("rect", {{"width", whole(width)}, {"height", whole(height)}, {"fill", "#fff"}});
  out += text_at(0.5 * (left + width - right), 22, "T", From::middle, title);
  double down = 0;
  for (const auto& strip : strips) {
    Markup row_of_panels;
    double x0 = 0;
    for (const Panel* panel : strip.panels) {
      row_of_panels += draw(*panel, x0, strip.page);
      x0 += panel->width;
    }
    out += down > 0 ? tag("g", {{"transform", fmt::format("translate(0 {:.1f})", down)}}, "\n" + row_of_panels) + "\n" : row_of_panels;
    down += strip.page.bottom;
  }
  out += tag("metadata", data_of(title, panels).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) + "\n";
  return tag("svg",
             {{"xmlns", "http://www.w3.org/2000/svg"},
              {"width", whole(width)},
              {"height", whole(height)},
              {"viewBox", fmt::format("0 0 {:.0f} {:.0f}", width, height)},
              {"role", "img"}},
             out)
             .str() +
         "\n";
}

}  // namespace suite::plot
