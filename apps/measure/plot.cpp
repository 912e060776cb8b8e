// SPDX-License-Identifier: BSD-3-Clause
#include "plot.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace suite::plot {
namespace {

// Okabe and Ito's colours, told apart with any colour vision; black first.
constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
constexpr double left = 66, right = 16, row = 18;

// Where the frames of a figure begin and where it ends.
struct Page {
  double top = 76, height = 320, bottom = 0;
};

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\t') out += c;
  }
  return out;
}

std::string text_at(double x, double y, const char* attributes, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>", x, y, attributes) + escaped(text) + "</text>\n";
}

struct Axis {
  double low = 0, high = 1, begin = 0,
         end = 1;  // data, pixels; low and high of a logarithmic axis are logarithms
  bool log = false;
  double operator()(double value) const { return begin + ((log ? std::log10(value) : value) - low) / (high - low) * (end - begin); }
  bool shows(double value) const { return std::isfinite(value) && (!log || value > 0); }
};

// The least and greatest finite value with a margin; something sensible when there is none.
void fit(Axis& axis, double low, double high, double margin) {
  if (!(low <= high)) low = 0, high = 1;
  if (low == high) low -= 0.5, high += 0.5;
  axis.low = low - margin * (high - low);
  axis.high = high + margin * (high - low);
}

std::string marker_at(Marker marker, double x, double y, const char* colour) {
  switch (marker) {
    case Marker::none: return {};
    case Marker::filled_circle: return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x, y, colour);
    case Marker::open_circle:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.3\"/>\n", x, y, colour);
    case Marker::filled_square:
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"6\" height=\"6\" fill=\"{}\"/>\n", x - 3, y - 3, colour);
    case Marker::open_square:
      return fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"5.6\" height=\"5.6\" fill=\"none\" stroke=\"{}\" "
          "stroke-width=\"1.3\"/>\n",
          x - 2.8, y - 2.8, colour);
    case Marker::triangle: return fmt::format("<path d=\"M{:.1f} {:.1f}l3.6 6.4h-7.2z\" fill=\"{}\"/>\n", x, y - 4, colour);
    case Marker::diamond: return fmt::format("<path d=\"M{:.1f} {:.1f}l4 4l-4 4l-4 -4z\" fill=\"{}\"/>\n", x, y - 4, colour);
    case Marker::cross:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l6 6m0 -6l-6 6\" stroke=\"{}\" stroke-width=\"1.6\"/>\n", x - 3, y - 3, colour);
    case Marker::dash: return fmt::format("<path d=\"M{:.1f} {:.1f}h12\" stroke=\"{}\" stroke-width=\"2.4\"/>\n", x - 6, y, colour);
  }
  return {};
}

constexpr int levels = 24, most_cells = 96;

std::string colour_of(int level, bool with_sign) {
  // From white to a dark blue; with a sign from dark red through white.
  const double x = with_sign ? 2.0 * level / (levels - 1) - 1 : static_cast<double>(level) / (levels - 1);
  const double a = std::abs(x);
  const double dark[2][3] = {{8, 48, 107}, {127, 20, 20}};
  int rgb[3];
  for (int c = 0; c < 3; ++c) rgb[c] = static_cast<int>(std::lround(255 + a * (dark[x < 0][c] - 255)));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

// The same map with at most most_cells each way: means over blocks.
Map joined(const Map& map) {
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

// One path for each level; a run of cells along y is one rectangle.
std::string draw(const Map& full, const Axis& x, const Axis& y, double top) {
  const Map map = joined(full);
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
  std::string out;
  for (int l = 0; l < levels; ++l) {
    const std::string colour = colour_of(l, map.signed_);
    if (!paths[l].empty()) out += "<path d=\"" + paths[l] + "\" fill=\"" + colour + "\"/>\n";
    out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"6\" height=\"10\" fill=\"{}\"/>\n", x.begin + 70 + 6 * l, top - 17, colour);
  }
  out += text_at(x.begin + 66, top - 8, "class=\"t\" text-anchor=\"end\"", fmt::format("{:.3g}", low));
  return out + text_at(x.begin + 74 + 6 * levels, top - 8, "class=\"t\"", fmt::format("{:.3g} ", high) + map.unit);
}

std::string line_style(Line line) { return line == Line::dashed ? " stroke-dasharray=\"6 4\"" : ""; }

std::string draw(const Series& series, const char* colour, const Axis& x, const Axis& y) {
  std::string out;
  const size_t n = std::min(series.x.size(), series.y.size());
  const auto drawn = [&](size_t i) { return x.shows(series.x[i]) && y.shows(series.y[i]); };
  if (series.line != Line::none) {
    std::string path;
    bool pen = false;
    for (size_t i = 0; i < n; ++i) {
      if (drawn(i)) path += fmt::format("{}{:.1f} {:.1f}", pen ? 'L' : 'M', x(series.x[i]), y(series.y[i]));
      pen = drawn(i);
    }
    if (!path.empty())
      out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{}/>\n", path, colour, line_style(series.line));
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

// Labels beside their points, each where it covers neither a label nor a point, as far as there is such a
// place.
class Labels {
public:
  Labels(const Axis& x, const Axis& y) : x_(x), y_(y) {}
  void avoid(const Series& series) {
    for (size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i)
      if (x_.shows(series.x[i]) && y_.shows(series.y[i]) && series.marker != Marker::none)
        taken_.push_back({x_(series.x[i]) - 4, x_(series.x[i]) + 4, y_(series.y[i]) - 4, y_(series.y[i]) + 4});
  }
  std::string draw(const Series& series) {
    std::string out;
    for (size_t i = 0; i < std::min({series.x.size(), series.y.size(), series.labels.size()}); ++i)
      if (!series.labels[i].empty() && x_.shows(series.x[i]) && y_.shows(series.y[i]))
        out += place(x_(series.x[i]), y_(series.y[i]), series.labels[i], series.marker == Marker::none);
    return out;
  }

private:
  std::string place(double x, double y, const std::string& text, bool end_of_line) {
    const double w = letter * static_cast<double>(text.size()), h = letter_height;
    std::vector<Box> places;
    if (end_of_line) {  // below a line that rises from here, above one that ends here
      for (double away = 0; away < 4; ++away) places.push_back({x + 6 + 10 * away, x + 6 + 10 * away + w, y + 3, y + 3 + h});
      for (double away = 0; away < 4; ++away) places.push_back({x - w - 4, x - 4, y - 4 - h * (1 + away), y - 4 - h * away});
    }
    for (double away = 0; away < 8; ++away) {  // further and further from the point
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
    return text_at(box.left, box.bottom - 2, "class=\"t n\"", text);
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

// Calls at(series, x, row) for each entry of the legend, x from the frame's left end; returns the number of
// rows.
template <class F> int legend(const Panel& panel, F&& at) {
  double x = 0;
  int rows = 0;
  for (size_t i = 0; i < panel.series.size(); ++i) {
    if (panel.series[i].name.empty()) continue;
    const double wide = 48 + letter * static_cast<double>(panel.series[i].name.size());
    if (rows == 0 || x + wide - 18 > panel.width - left - right) {
      if (rows > 0) x = 0;
      ++rows;
    }
    at(i, x, rows - 1);
    x += wide;
  }
  return rows;
}

std::string axis_names(const Panel& panel, const Axis& x, const Axis& y, double x0, double label_y) {
  std::string out = text_at(0.5 * (x.begin + x.end), label_y, "class=\"l\" text-anchor=\"middle\"", panel.x_label);
  out += fmt::format("<g transform=\"translate({:.1f} {:.1f}) rotate(-90)\">", x0 + 16, 0.5 * (y.begin + y.end));
  return out + text_at(0, 0, "class=\"l\" text-anchor=\"middle\"", panel.y_label) + "</g>\n";
}

std::string frame(const Axis& x, const Axis& y) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"a\"/>\n", x.begin, y.end, x.end - x.begin,
                     y.begin - y.end);
}

// Axes, grid and names of a panel with logarithmic axes.
std::string log_frame(const Panel& panel, const Axis& x, const Axis& y, double x0) {
  std::string out;
  for (double t : log_ticks(std::pow(10, y.low), std::pow(10, y.high))) {
    out += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" class=\"g\"/>\n", x.begin, y(t), x.end);
    out += text_at(x.begin - 6, y(t) + 4, "class=\"t\" text-anchor=\"end\"", fmt::format("{:g}", t));
  }
  for (double t : log_ticks(std::pow(10, x.low), std::pow(10, x.high))) {
    out += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}\" class=\"g\"/>\n", x(t), y.begin, y.end);
    out += text_at(x(t), y.begin + 18, "class=\"t\" text-anchor=\"middle\"", fmt::format("{:g}", t));
  }
  return out + frame(x, y) + axis_names(panel, x, y, x0, y.begin + 2.2 * row);
}

// What is in the frame, and the legend, which stands between title and frame, where it hides no point.
std::string draw_series(const Panel& panel, const Axis& x, const Axis& y, double top) {
  std::string out;
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
    if (s.line != Line::none)
      out += fmt::format("<path d=\"M{:.1f} {:.1f}h24\" stroke=\"{}\" stroke-width=\"1.6\"{}/>\n", from, height, colour_of(panel, i),
                         line_style(s.line));
    out += marker_at(s.marker, from + 12, height, colour_of(panel, i)) + text_at(from + 30, height + 4, "class=\"t\"", s.name);
  });
  return out;
}

// One panel with its upper left corner at (x0, 0).
std::string draw(const Panel& panel, double x0, const Page& page) {
  const double top = page.top, bottom = page.bottom;
  Axis x, y;
  x.begin = x0 + left, x.end = x0 + panel.width - right;
  y.begin = top + page.height, y.end = top;
  double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;
  x.log = y.log = panel.log;
  const auto scaled = [&](double value) { return panel.log ? std::log10(value) : value; };
  for (const auto& s : panel.series)
    for (size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
      if (!x.shows(s.x[i]) || !y.shows(s.y[i])) continue;
      x_low = std::min(x_low, scaled(s.x[i])), x_high = std::max(x_high, scaled(s.x[i]));
      y_low = std::min(y_low, scaled(s.y[i])), y_high = std::max(y_high, scaled(s.y[i]));
    }
  fit(x, x_low, x_high, panel.log ? 0 : 0.05);
  fit(y, y_low, y_high, 0.06);
  if (panel.map) {
    x.low = panel.map->x_low, x.high = panel.map->x_high;
    y.low = panel.map->y_low, y.high = panel.map->y_high;
  }

  std::string out = text_at(0.5 * (x.begin + x.end), 46, "class=\"h\" text-anchor=\"middle\"", panel.title);
  for (const auto& band : panel.bands) {
    const double low = std::clamp(band.low, y.low, y.high), high = std::clamp(band.high, y.low, y.high);
    out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#e8e8e8\"/>\n", x.begin, y(high),
                       x.end - x.begin, y(low) - y(high));
    out += text_at(x.end - 4, y(0.5 * (low + high)) + 4, "class=\"t\" text-anchor=\"end\"", band.name);
  }
  if (panel.map) out += draw(*panel.map, x, y, page.top);
  if (panel.log) return out + log_frame(panel, x, y, x0) + draw_series(panel, x, y, top);
  const auto y_ticks = ticks(y.low, y.high, 6);
  const double step = y_ticks.size() > 1 ? y_ticks[1] - y_ticks[0] : 1;
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 12);
  for (double t : y_ticks) {
    if (!panel.map) out += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" class=\"g\"/>\n", x.begin, y(t), x.end);
    out += text_at(x.begin - 6, y(t) + 4, "class=\"t\" text-anchor=\"end\"", fmt::format("{:.{}f}", t + 0.0, digits));
  }
  if (panel.x_labels.empty()) {
    const auto x_ticks = ticks(x.low, x.high, 7);
    const double dx = x_ticks.size() > 1 ? x_ticks[1] - x_ticks[0] : 1;
    const int x_digits = std::clamp(static_cast<int>(std::ceil(-std::log10(dx) - 1e-9)), 0, 12);
    for (double t : x_ticks) {
      out += fmt::format("<path d=\"M{:.1f} {:.1f}v5\" class=\"a\"/>\n", x(t), y.begin);
      out += text_at(x(t), y.begin + 18, "class=\"t\" text-anchor=\"middle\"", fmt::format("{:.{}f}", t + 0.0, x_digits));
    }
  } else {
    for (const auto& [value, name] : panel.x_labels) {
      out += fmt::format("<path d=\"M{:.1f} {:.1f}v5\" class=\"a\"/>\n", x(value), y.begin);
      out += fmt::format("<g transform=\"translate({:.1f} {:.1f}) rotate(-45)\">", x(value) + 4, y.begin + 14);
      out += text_at(0, 0, "class=\"t\" text-anchor=\"end\"", name) + "</g>\n";
    }
  }
  if (y.low < 0 && y.high > 0) out += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#888\"/>\n", x.begin, y(0), x.end);
  const double label_y = panel.x_labels.empty() ? y.begin + 2.2 * row : bottom - 10;
  out += frame(x, y) + axis_names(panel, x, y, x0, label_y);
  return out + draw_series(panel, x, y, top);
}

}  // namespace

std::vector<double> ticks(double low, double high, int count) {
  if (!std::isfinite(low) || !std::isfinite(high) || !(high > low) || count < 1) return {};
  const double rough = (high - low) / count, power = std::pow(10.0, std::floor(std::log10(rough)));
  const double step = power * (rough < 1.5 * power ? 1 : rough < 3.5 * power ? 2 : rough < 7.5 * power ? 5 : 10);
  std::vector<double> all;
  for (double t = std::ceil(low / step) * step; t <= high + 1e-9 * step; t += step) all.push_back(std::abs(t) < 1e-9 * step ? 0 : t);
  return all;
}

std::vector<double> log_ticks(double low, double high) {
  if (!(low > 0) || !std::isfinite(high) || !(high > low)) return {};
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  std::vector<double> decades, all;
  for (int power = first; power <= last; ++power)
    for (double factor : {1.0, 2.0, 5.0}) {
      const double t = factor * std::pow(10.0, power);
      if (t < low * (1 - 1e-9) || t > high * (1 + 1e-9)) continue;
      all.push_back(t);
      if (factor == 1) decades.push_back(t);
    }
  return decades.size() < 3 ? all : decades;
}

namespace {

// Panels side by side.
struct Strip {
  std::vector<const Panel*> panels;
  double width = 0;
  Page page;
};

// As many panels in a row as fit.
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
      for (const auto& label : p->x_labels) longest = std::max(longest, label.second.size());
      rows = std::max(rows, legend(*p, [](size_t, double, int) {}));
      page.height = std::max(page.height, p->height);
    }
    page.top += 16 * (rows - 1);
    page.bottom = page.top + page.height + 3 * row + 4.6 * static_cast<double>(longest);
  }
  return strips;
}

}  // namespace

std::string svg(const std::string& title, const std::vector<Panel>& panels) {
  const std::vector<Strip> strips = strips_of(panels);
  double width = 0, height = 0;
  for (const auto& strip : strips) {
    width = std::max(width, strip.width);
    height += strip.page.bottom;
  }
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\" viewBox=\"0 0 {:.0f} "
      "{:.0f}\" role=\"img\">\n",
      width, height, width, height);
  out += "<title>" + escaped(title) + "</title>\n";
  out +=
      "<style>text{font-family:'DejaVu "
      "Sans',Verdana,sans-serif;fill:#111}.t{font-size:11px}.l{font-size:12px}.h{font-size:13px}"
      ".n{paint-order:stroke;stroke:#fff;stroke-width:3px}.T{font-size:15px;font-weight:bold}.g{stroke:#ddd;"
      "fill:none}.a{stroke:#333;fill:none}</style>\n";
  out += fmt::format("<rect width=\"{:.0f}\" height=\"{:.0f}\" fill=\"#fff\"/>\n", width, height);
  out += text_at(0.5 * (left + width - right), 22, "class=\"T\" text-anchor=\"middle\"", title);
  double down = 0;
  for (const auto& strip : strips) {
    if (down > 0) out += fmt::format("<g transform=\"translate(0 {:.1f})\">\n", down);
    double x0 = 0;
    for (const Panel* panel : strip.panels) {
      out += draw(*panel, x0, strip.page);
      x0 += panel->width;
    }
    if (down > 0) out += "</g>\n";
    down += strip.page.bottom;
  }
  return out + "</svg>\n";
}

}  // namespace suite::plot
