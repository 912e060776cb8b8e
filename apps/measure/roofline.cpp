// SPDX-License-Identifier: BSD-3-Clause
#include "roofline.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "common/quantities.hpp"

namespace suite::app {
namespace {

using plot::Marker;
using plot::Series;

constexpr const char* measured_colour = "#444444";
constexpr const char* peak_colour = "#888888";

// A line of the chart: a bandwidth or a rate, with its label.
struct Edge {
  std::string name;
  double per_s;
  bool bandwidth, dashed;
};

std::string edge_name(const std::string& name, double per_s, bool bandwidth) {
  return name + " " + metric(per_s) + (bandwidth ? "B/s" : "FLOP/s");
}

std::vector<Edge> edges_of(const DeviceCeilings& c, const std::vector<Peak>& peaks) {
  std::vector<Edge> edges;
  for (const auto& one : c.compute)
    if (one.name == "FMA" || one.name == "matrix" || (one.name == "no FMA" && is_lower(one.per_s, c.fma())))
      edges.push_back({edge_name(one.name, one.per_s, false), one.per_s, false, false});
  for (const auto& one : c.bandwidth)
    if (!std::isinf(one.capacity_B) || &one == c.memory()) {
      const std::string name = std::isinf(one.capacity_B) ? "memory" : one.name;
      edges.push_back({edge_name(name, one.per_s, true), one.per_s, true, false});
    }
  for (const auto& peak : peaks)
    if (peak.is_bandwidth() || peak.name == (c.single ? "fp32" : "fp64"))
      edges.push_back({edge_name(peak.name + " data sheet", peak.per_s, peak.is_bandwidth()), peak.per_s, peak.is_bandwidth(), true});
  return edges;
}

struct Range {
  double low = INFINITY, high = 0;
  void take(double x) {
    if (!(x > 0) || !std::isfinite(x)) return;
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

// Intensity range: with a margin around the dots and the first and last ridge.
Range intensities(const std::vector<Edge>& edges, const std::vector<Dot>& dots) {
  Range range;
  for (const auto& dot : dots) {
    range.take(dot.flops / dot.bytes);
    for (const auto& t : dot.traffic) range.take(dot.flops / t.bytes);
  }
  for (const auto& roof : edges)
    for (const auto& slope : edges)
      if (!roof.bandwidth && slope.bandwidth) range.take(roof.per_s / slope.per_s);
  if (range.high == 0) return {0.1, 100};
  return {range.low / 4, range.high * 4};
}

// The line of an edge within the range: a slope ends at the highest roof, a roof begins at the steepest slope.
Series line_of(const Edge& edge, const std::vector<Edge>& edges, const Range& x) {
  double highest = 0, steepest = 0;
  for (const auto& other : edges) {
    if (other.dashed != edge.dashed) continue;  // published and measured lines end at their own kind
    double& most = other.bandwidth ? steepest : highest;
    most = std::max(most, other.per_s);
  }
  Series line = plot::line("", edge.dashed ? plot::Line::dashed : plot::Line::solid);
  line.colour = edge.dashed ? peak_colour : measured_colour;
  if (edge.bandwidth) {
    const double end = highest > 0 ? std::min(highest / edge.per_s, x.high) : x.high;
    line.x = {x.low, end};
    line.labels = {edge.name, ""};
  } else {
    const double begin = steepest > 0 ? std::max(edge.per_s / steepest, x.low) : x.low;
    line.x = {begin, x.high};
    line.labels = {"", edge.name};
  }
  for (double at : line.x) line.y.push_back(1e-9 * (edge.bandwidth ? at * edge.per_s : edge.per_s));
  return line;
}

Series& series_of(std::vector<Series>& all, const std::string& name, plot::Line line) {
  constexpr Marker markers[] = {Marker::filled_circle, Marker::open_square, Marker::triangle,     Marker::diamond,
                                Marker::open_circle,   Marker::cross,       Marker::filled_square};
  for (auto& s : all)
    if (s.name == name) return s;
  all.push_back({name, {}, {}, markers[all.size() % std::size(markers)], line});
  return all.back();
}

void add(Series& series, double intensity, double rate, const std::string& label) {
  series.x.push_back(intensity);
  series.y.push_back(1e-9 * rate);
  series.labels.push_back(label);
}

}  // namespace

bool is_lower(double ceiling, double fma) { return ceiling < 0.95 * fma; }

static double rate_of(const std::vector<Ceiling>& ceilings, const char* name) {
  for (const auto& c : ceilings)
    if (c.name == name) return c.per_s;
  return 0;
}
double DeviceCeilings::fma() const { return rate_of(compute, "FMA"); }
double DeviceCeilings::matrix() const { return rate_of(compute, "matrix"); }

const Ceiling* DeviceCeilings::memory() const {
  const Ceiling* best = nullptr;
  for (const auto& c : bandwidth)
    if (std::isinf(c.capacity_B) && (!best || c.per_s > best->per_s)) best = &c;
  return best;
}

const Ceiling* DeviceCeilings::level_for(double bytes) const {
  for (const auto& c : bandwidth)
    if (!std::isinf(c.capacity_B) && bytes <= c.capacity_B) return &c;
  return memory();
}

std::vector<Ceiling> levels_of(const std::vector<double>& working_sets_B, const std::vector<double>& bandwidths) {
  constexpr double alike = 0.75;
  const size_t n = std::min(working_sets_B.size(), bandwidths.size());
  if (n == 0) return {};
  // Below the fastest size there is too little work for all units of the device.
  size_t at = static_cast<size_t>(std::max_element(bandwidths.begin(), bandwidths.begin() + static_cast<long>(n)) - bandwidths.begin());
  std::vector<Ceiling> levels;
  while (at < n) {
    size_t end = at + 1;
    double best = bandwidths[at];
    while (end < n && bandwidths[end] > alike * best) best = std::max(best, bandwidths[end++]);
    if (end == n) levels.push_back({"memory", "ceilings.read", best, working_sets_B[end - 1], INFINITY});
    else if (end - at > 1 || levels.empty())
      levels.push_back({"to " + bytes_text(working_sets_B[end - 1]), "ceilings.read", best, working_sets_B[at], working_sets_B[end - 1]});
    at = end;
  }
  return levels;
}

Roof roof_above(const Dot& dot, const DeviceCeilings& ceilings) {
  const bool matrix = ceilings.matrix() > 0 && dot.rate() > ceilings.fma();
  const double compute = matrix ? ceilings.matrix() : ceilings.fma();
  const Ceiling* level = ceilings.level_for(dot.working_set_B);
  const double by_compute_s = compute > 0 ? dot.flops / compute : 0, by_level_s = level ? dot.bytes / level->per_s : 0;
  if (!(by_compute_s > 0) && !(by_level_s > 0)) return {};
  const bool feeds = by_level_s > by_compute_s;
  const double least_s = std::max(by_compute_s, by_level_s);
  return {feeds    ? (std::isinf(level->capacity_B) ? "memory" : level->name)
          : matrix ? "matrix"
                   : "FMA",
          dot.flops / least_s, least_s / dot.seconds};
}

plot::Panel roofline_panel(const std::string& title, const DeviceCeilings& ceilings, const std::vector<Peak>& peaks,
                           const std::vector<Dot>& dots) {
  plot::Panel panel;
  panel.title = title;
  panel.x_label = "flop/byte";
  panel.y_label = "GFLOP/s";
  panel.log_x = panel.log_y = true;
  panel.width = 640;
  panel.height = 420;
  const std::vector<Edge> edges = edges_of(ceilings, peaks);
  const Range x = intensities(edges, dots);
  for (const auto& edge : edges) panel.series.push_back(line_of(edge, edges, x));
  std::vector<Series> kernels;
  for (const auto& dot : dots) {
    if (!(dot.flops > 0)) continue;
    const std::string name = dot.chain.empty() ? dot.kernel.substr(0, dot.kernel.find('.')) : dot.chain;
    const bool by_counters = !dot.traffic.empty();
    if (dot.bytes > 0) {
      Series& series =
          series_of(kernels, by_counters ? name + ", counted" : name, dot.chain.empty() ? plot::Line::none : plot::Line::solid);
      if (!dot.joined) add(series, NAN, NAN, "");  // starts a new line
      add(series, dot.flops / dot.bytes, dot.rate(), dot.label);
    }
    for (const auto& t : dot.traffic) {
      const bool named = dot.bytes == 0 && &t == &dot.traffic.back();  // the others are at the same height
      if (t.bytes > 0)
        add(series_of(kernels, t.level + ", by counters", plot::Line::none), dot.flops / t.bytes, dot.rate(), named ? dot.label : "");
    }
  }
  panel.series.insert(panel.series.end(), kernels.begin(), kernels.end());
  return panel;
}

}  // namespace suite::app
