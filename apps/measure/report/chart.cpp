// SPDX-License-Identifier: BSD-3-Clause
#include "chart.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "common/quantities.hpp"
#include "frame.hpp"

namespace suite::report {

std::string seconds(double s) {
  std::string text = app::seconds_text(s);
  if (text.size() > 3 && text.compare(text.size() - 3, 3, " us") == 0) text.replace(text.size() - 2, 1, "µ");
  return text;
}

namespace {

constexpr double pitch = 50, lane = 18;  // height of rows and of the marks in them, in pixels

struct TimeUnit {
  const char* name;
  double seconds;
};
TimeUnit unit_of(double longest) {
  for (const TimeUnit unit : {TimeUnit{"s", 1}, TimeUnit{"ms", 1e-3}, TimeUnit{"µs", 1e-6}})
    if (longest >= unit.seconds) return unit;
  return {"ns", 1e-9};
}

std::string shortest(double value) { return fmt::format("{:.12g}", value == 0 ? 0 : value); }

// The text above a bar: name, value, and a note that narrow pages omit.
Html heading(double y, const std::string& name, const std::string& value, const std::string& note, const char* kind = "value") {
  constexpr size_t longest = 44;
  Html text = tag("tspan", {{"class", "name"}}, shortened(name, longest));
  if (!value.empty()) text += tag("tspan", {{"class", kind}, {"dx", "10"}}, value);
  if (!note.empty()) text += tag("tspan", {{"class", "note"}, {"dx", "10"}}, note);
  return tag("text", {{"x", "0"}, {"y", px(y)}}, text);
}

// An interval as a line with ends, outlined in a light colour so that it shows on a dark bar.
Html whisker(const Axis& axis, double low, double high, double y) {
  Html out;
  for (const char* kind : {"halo", "whisker"}) {
    out += line(axis(low), y, axis(high), y, kind);
    for (double end : {low, high}) out += line(axis(end), y - 5, axis(end), y + 5, kind);
  }
  return out;
}

// "20 ms"
std::string tick(double s) {
  const TimeUnit unit = unit_of(s * 1.0001);
  return shortest(s / unit.seconds) + " " + unit.name;
}

Axis time_axis(const std::vector<Bar>& all) {
  double low = INFINITY, high = 0;
  for (const auto& b : all)
    if (b.wrong.empty()) low = std::min(low, b.low), high = std::max(high, b.high);
  if (!(low <= high) || high <= 0) low = high = 1;
  constexpr double hides = 30;
  const TimeUnit unit = unit_of(high);
  Axis axis;
  axis.logarithmic = low > 0 && high / low > hides;
  if (axis.logarithmic) {
    axis.low = low / 1.3, axis.high = high * 1.3;
    axis.decades([](double v) { return tick(v); });
    axis.title = "time, logarithmic";
  } else {
    axis.high = high * 1.04;
    for (double t : plot::ticks(0, axis.high / unit.seconds, 5)) axis.ticks.emplace_back(t * unit.seconds, shortest(t));
    axis.title = std::string("time (") + unit.name + "); shorter is better";
  }
  return axis;
}

}  // namespace

Html bars(const std::string& about, const std::vector<Bar>& all) {
  const Axis axis = time_axis(all);
  const double bottom = pitch * static_cast<double>(all.size());
  Html out = axis.grid(0, bottom);
  double y = 0;
  for (const auto& b : all) {
    const double middle = y + 22 + lane / 2;
    out += heading(y + 15, b.name, b.wrong.empty() ? b.value : "✗ " + b.wrong, b.wrong.empty() ? b.note : "",
                   b.wrong.empty() ? "value" : "bad");
    const Html tip = tag("title", b.name + ": " + (b.wrong.empty() ? b.value + " " + b.note : b.wrong));
    if (!b.wrong.empty()) {
      out += tag("rect", {{"class", "void"}, {"x", "0"}, {"y", px(y + 22)}, {"width", "100%"}, {"height", px(lane)}}, tip);
    } else if (axis.logarithmic) {
      out += line(0, middle, axis(b.median), middle, "lead") + whisker(axis, b.low, b.high, middle);
      out += tag("circle",
                 {{"class", b.best ? "dot best" : "dot"}, {"cx", pc(axis(b.median))}, {"cy", px(middle)}, {"r", b.best ? "7" : "5"}}, tip);
    } else {
      out += tag("rect",
                 {{"class", b.best ? "bar best" : "bar"},
                  {"x", "0"},
                  {"y", px(y + 22)},
                  {"width", pc(axis(b.median))},
                  {"height", px(lane)},
                  {"rx", "2"}},
                 tip);
      if (b.high > b.low) out += whisker(axis, b.low, b.high, middle);
    }
    y += pitch;
  }
  return drawing(about, bottom + Axis::height, "bars", out + axis.labels(bottom));
}

Html shares(const std::string& about, const std::vector<Share>& all) {
  Axis axis;
  axis.high = 1;
  for (const auto& s : all) axis.high = std::max(axis.high, 1.04 * s.fraction);
  for (double t : plot::ticks(0, axis.high, 5)) axis.ticks.emplace_back(t, fmt::format("{:.0f} %", 100 * t));
  const double bottom = pitch * static_cast<double>(all.size());
  Html out = axis.grid(0, bottom);
  double y = 0;
  for (const auto& s : all) {
    out += heading(y + 15, s.name, s.value, s.note);
    out += empty_tag("rect", {{"class", "rest"}, {"x", "0"}, {"y", px(y + 22)}, {"width", pc(axis(1))}, {"height", px(lane)}, {"rx", "2"}});
    out += tag("rect",
               {{"class", "bar"},
                {"x", "0"},
                {"y", px(y + 22)},
                {"width", pc(axis(std::max(0.0, s.fraction)))},
                {"height", px(lane)},
                {"rx", "2"}},
               tag("title", s.name + ": " + s.value));
    y += pitch;
  }
  return drawing(about, bottom + Axis::height, "shares", out + axis.labels(bottom));
}

namespace {

// Half the width that shows nine of ten samples of every row, at least 2 %; the others are drawn as arrows at the edge.
double reach(const std::vector<Strip>& all) {
  double widest = 0.02;
  for (const auto& s : all) {
    std::vector<double> off;
    for (double x : s.samples)
      if (s.median > 0) off.push_back(std::abs(x / s.median - 1));
    if (off.empty()) continue;
    std::sort(off.begin(), off.end());
    widest = std::max(widest, off[std::min(off.size() - 1, off.size() * 9 / 10)]);
    widest = std::max({widest, std::abs(s.low / s.median - 1), std::abs(s.high / s.median - 1)});
  }
  return std::min(1.15 * widest, 1.0);
}

Html dots(const Strip& s, const Axis& axis, double y, double height) {
  Html out;
  const size_t stride = (s.samples.size() + most_dots - 1) / most_dots;
  for (size_t i = 0; i < s.samples.size(); i += stride) {
    const double off = s.samples[i] / s.median - 1;
    const double at = y + height * (static_cast<double>(i) + 0.5) / static_cast<double>(s.samples.size());
    if (off > axis.high) out += placed(99, at, "out", "arrow-right");
    else if (off < axis.low) out += placed(1, at, "out", "arrow-left");
    else out += empty_tag("circle", {{"class", "sample"}, {"cx", pc(axis(off))}, {"cy", px(at)}, {"r", "3"}});
  }
  return out;
}

}  // namespace

Html strips(const std::string& about, const std::vector<Strip>& all) {
  constexpr double height = 30, row = height + 32;
  Axis axis;
  axis.high = reach(all), axis.low = -axis.high;
  for (double t : plot::ticks(axis.low, axis.high, 4)) axis.ticks.emplace_back(t, fmt::format("{:+.3g} %", 100 * t));
  for (auto& [at, text] : axis.ticks)
    if (at == 0) text = "median";
  axis.title = "deviation of a sample from the median of its row";
  const double bottom = row * static_cast<double>(all.size());
  Html out = axis.grid(0, bottom);
  double y = 0;
  for (const auto& s : all) {
    out += heading(y + 15, s.name, s.value, "");
    if (s.median > 0) {
      const double low = std::max(axis.low, s.low / s.median - 1), high = std::min(axis.high, s.high / s.median - 1);
      out += empty_tag("rect", {{"class", "interval"},
                                {"x", pc(axis(low))},
                                {"y", px(y + 22)},
                                {"width", pc(std::max(0.0, axis(high) - axis(low)))},
                                {"height", px(height)}});
      out += line(axis(0), y + 20, axis(0), y + 24 + height, "median") + dots(s, axis, y + 22, height);
    }
    y += row;
  }
  return drawing(about, bottom + Axis::height, "strips", out + axis.labels(bottom));
}

Html deviations(const std::string& about, const Scale& scale, const std::vector<Deviation>& all) {
  Axis axis;
  axis.logarithmic = scale.logarithmic;
  axis.low = scale.expected - scale.tolerance, axis.high = scale.expected + scale.tolerance;
  for (const auto& d : all) axis.low = std::min(axis.low, d.low), axis.high = std::max(axis.high, d.high);
  if (scale.logarithmic) {
    axis.low /= 1.1, axis.high *= 1.1;
    axis.decades([](double v) { return shortest(v); });
  } else {
    const double margin = std::max(0.06 * (axis.high - axis.low), 1e-9);
    axis.low -= margin, axis.high += margin;
    for (double t : plot::ticks(axis.low, axis.high, 7))
      axis.ticks.emplace_back(t, scale.expected == 0 ? fmt::format("{:+.12g}", t) : fmt::format("{:.12g}", t));
    for (auto& [at, text] : axis.ticks)
      if (at == 0) text = "0";
  }
  axis.title = scale.title;
  constexpr double row = 38;
  const double bottom = row * static_cast<double>(all.size());
  Html out;
  if (scale.tolerance > 0) {
    const double low = axis(scale.expected - scale.tolerance), high = axis(scale.expected + scale.tolerance);
    out += empty_tag("rect", {{"class", "interval"}, {"x", pc(low)}, {"y", "0"}, {"width", pc(high - low)}, {"height", px(bottom)}});
  }
  out += axis.grid(0, bottom) + line(axis(scale.expected), 0, axis(scale.expected), bottom, "median");
  double y = 0;
  for (const auto& d : all) {
    out += heading(y + 14, d.name, d.right ? d.value : "✗ " + d.value, "", d.right ? "value" : "bad");
    if (d.high > d.low) out += whisker(axis, d.low, d.high, y + 26);
    if (d.right) out += empty_tag("circle", {{"class", "dot"}, {"cx", pc(axis(d.middle))}, {"cy", px(y + 26)}, {"r", "5"}});
    else out += placed(axis(d.middle), y + 26, "cross", "cross");
    y += row;
  }
  return drawing(about, bottom + Axis::height, "deviations", out + axis.labels(bottom));
}

}  // namespace suite::report
