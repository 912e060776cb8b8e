// SPDX-License-Identifier: BSD-3-Clause
// How far from the limit? Every kernel below the measured roofs of its device.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "common/quantities.hpp"
#include "measure/roofline.hpp"
#include "chart.hpp"
#include "roofs.hpp"
#include "sections.hpp"

namespace suite::report {
namespace {

constexpr double over = 1.005;  // printed as more than 100 %

std::string rate_of(const Ceiling& c) {
  return c.flop_per_s > 0 ? fmt::format("{:.4g} GFLOP/s", c.flop_per_s / 1e9) : fmt::format("{:.4g} GB/s", c.byte_per_s / 1e9);
}

// Roofs above some rows of one device. Divisions and the like appear in the table only: few kernels are limited by them.
std::vector<Roof> roofs_over(const std::vector<Placed>& rows, const std::vector<Ceiling>& ceilings) {
  std::vector<Roof> roofs;
  std::set<std::string> names;
  const auto add = [&](const std::string& name, double flop_per_s, double byte_per_s, bool published) {
    Ceiling c;
    c.flop_per_s = flop_per_s, c.byte_per_s = byte_per_s;
    const std::string text = name + " " + rate_of(c);
    if (names.insert(text).second) roofs.push_back({text, flop_per_s, byte_per_s, published});
  };
  const Placed& first = rows.front();
  const double memory = memory_above(ceilings, first);
  double fma = 0;
  for (const auto& p : rows) fma = std::max(fma, p.fma);
  for (const auto& c : ceilings)
    if (c.name == "FMA" && is_above(c, first)) fma = std::max(fma, c.flop_per_s);
  if (fma > 0) add("FMA", fma, 0, false);
  for (const auto& c : ceilings) {
    const bool here = c.published ? c.device.empty() || c.is_of(first.device) : is_above(c, first);
    if (here && (c.published || (c.is_memory() && c.byte_per_s == memory) || (!c.is_memory() && c.byte_per_s > 0) || c.name == "matrix" ||
                 (c.name == "no FMA" && app::is_lower(c.flop_per_s, fma))))
      add(c.name, c.flop_per_s, c.byte_per_s, c.published);
  }
  std::stable_sort(roofs.begin(), roofs.end(), [](const Roof& a, const Roof& b) { return a.byte_per_s > b.byte_per_s; });
  return roofs;
}

constexpr const char* no_memory_roof = " The memory roof was not measured in this result: add a result of 'suite roofline' to the report.";

std::string caption_of(const std::vector<Roof>& roofs) {
  std::string caption =
      "Counted operations per byte of the arguments, and the rate achieved. Numbers refer to the table; each implementation has its own "
      "shape.";
  const auto any = [&](auto is) { return std::any_of(roofs.begin(), roofs.end(), is); };
  if (any([](const Roof& r) { return r.published; })) caption += " Solid roofs were measured; dashed ones come from a data sheet.";
  if (!any([](const Roof& r) { return !r.published; })) caption += " No roof was measured in this result.";
  else if (!any([](const Roof& r) { return r.byte_per_s > 0 && !r.published; })) caption += no_memory_roof;
  return caption;
}

std::string candidate_of(const Row& row) { return row.step ? row.name + ", " + label_of(row) : label_of(row); }

// The common value; "" if they differ.
template <class What> std::string shared(const std::vector<Placed>& rows, What what) {
  const std::string first = what(rows.front());
  return std::all_of(rows.begin(), rows.end(), [&](const Placed& p) { return what(p) == first; }) ? first : "";
}

std::string size_of(const Placed& p) { return p.row->size; }
std::string device_of(const Placed& p) { return p.device; }
std::string precision_of(const Placed& p) { return p.precision == "double" ? "" : p.precision + " precision"; }

// Rates as a table. markers: one before each row if the figure is numbered; else empty.
Html rates_table(const std::vector<Placed>& rows, const std::vector<Html>& markers) {
  Table t{
      "The rates", columns(std::string(markers.empty() ? "" : "|") + "kernel|implementation|>flop/byte|>GFLOP/s|>of its roof|roof"), {}};
  const std::string size = shared(rows, size_of), device = shared(rows, device_of), precision = shared(rows, precision_of);
  if (!size.empty()) t.caption += ", " + size;
  if (!device.empty()) t.caption += ", on " + device;
  if (!precision.empty()) t.caption += ", in " + precision;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Placed& p = rows[i];
    Html kernel = p.row->kernel, implementation = candidate_of(*p.row),
         intensity = p.intensity > 0 ? fmt::format("{:.3g}", p.intensity) : "–";
    if (size.empty()) kernel += below(size_of(p));
    if (device.empty()) implementation += below(device_of(p));
    if (precision.empty()) implementation += below(precision_of(p));
    for (const auto& level : p.traffic) intensity += below(level);
    std::vector<Html> cells;
    if (!markers.empty()) cells.push_back(markers[i]);
    for (const Html& cell : {kernel, implementation, intensity, Html(fmt::format("{:.3g}", p.flop_per_s / 1e9)),
                             Html(p.roof > 0 ? app::of_ceiling(p.fraction()) : "–"),
                             Html(p.roof > 0 ? p.binding + fmt::format(", {:.4g} GFLOP/s there", p.roof / 1e9) : "–")})
      cells.push_back(cell);
    t.rows.push_back(std::move(cells));
  }
  return table(t);
}

// The rows of one device and precision below its roofs: figure and table.
Html roofline_of(const std::vector<Placed>& rows, const std::vector<Roof>& roofs) {
  std::map<std::string, int> families;  // markers by implementation
  std::vector<Point> points;
  std::vector<Html> markers;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Placed& p = rows[i];
    const int number = static_cast<int>(i) + 1,
              family = families.emplace(p.row->implementation, static_cast<int>(families.size())).first->second;
    const Row* before = i > 0 ? rows[i - 1].row : nullptr;
    const bool joined = before && p.row->step && before->step && before->step->name == p.row->step->after &&
                        before->kernel == p.row->kernel && before->size == p.row->size;
    if (p.intensity > 0) points.push_back({number, p.row->kernel + ", " + p.label, p.intensity, p.flop_per_s, family, joined});
    markers.push_back(marker(family) + fmt::format("{}", number));
  }
  return figure(roofline("Rates of the kernels by arithmetic intensity, with the roofs of the machine", roofs, points), caption_of(roofs)) +
         rates_table(rows, markers);
}

// Whether intensities are informative: there is a slope, or they differ.
bool needs_roofline(const std::vector<Placed>& rows, const std::vector<Roof>& roofs) {
  std::set<double> intensities;
  for (const auto& p : rows)
    if (p.intensity > 0) intensities.insert(p.intensity);
  return !intensities.empty() && (intensities.size() > 2 ||
                                  std::any_of(roofs.begin(), roofs.end(), [](const Roof& r) { return r.byte_per_s > 0 && !r.published; }));
}

// For rows whose ceiling alone is known: the fraction they reach.
Html fractions_of(const std::vector<Placed>& rows) {
  const bool one_kernel = !shared(rows, [](const Placed& p) { return p.row->kernel; }).empty();
  std::vector<Share> all;
  for (const auto& p : rows)
    if (p.roof > 0)
      all.push_back({(one_kernel ? "" : p.row->kernel + ", ") + candidate_of(*p.row), app::of_ceiling(p.fraction()),
                     fmt::format("{:.3g} of {:.4g} GFLOP/s", p.flop_per_s / 1e9, p.roof / 1e9), p.fraction()});
  return (all.empty() ? Html()
                      : figure(shares("Rates of the kernels as fractions of the ceiling of their device", all),
                               std::string("Rate achieved, as a fraction of the ceiling of its device.") + no_memory_roof)) +
         rates_table(rows, {});
}

Html ceilings_table(const std::vector<Ceiling>& ceilings) {
  Table t{"The roofs", columns("roof|>rate|measured by, or published in|device|precision|>threads"), {}};
  for (const auto& c : ceilings)
    t.rows.push_back({c.name, rate_of(c), c.by, c.device, c.published ? "" : c.precision, c.threads > 0 ? std::to_string(c.threads) : ""});
  return ceilings.empty() ? Html() : table(t);
}

// The most important row of the page: the one that took most of the time of an app's run; without such a run, the closest to its roof.
struct Notable {
  std::optional<Placed> row;
  std::string mark;  // letter of its result
  bool run = false;
  size_t results = 0;  // number of results with such a row

  void look_at(const Source& source, const std::vector<Placed>& rows) {
    const bool is_run = is_app_run(source.result);
    bool any = false;
    for (const auto& p : rows) {
      if (!(p.roof > 0)) continue;
      any = true;
      const bool matters_more = !row || (is_run != run ? is_run : run ? p.seconds > row->seconds : p.fraction() > row->fraction());
      if (!matters_more) continue;
      row = p;
      mark = source.mark;
      run = is_run;
    }
    if (any) ++results;
  }
};

void answer(const Notable& notable, Section& section) {
  if (!notable.row) return;
  const Placed& p = *notable.row;
  section.bad = p.fraction() > over;
  section.answer = section.bad ? "Above the roof" : app::percent(p.fraction());
  const bool several = notable.results > 1;
  section.because =
      (section.bad ? app::percent(p.fraction()) + " " : std::string()) + "of the measured " + p.binding + " roof: " + p.row->kernel +
      " on " + candidate_of(*p.row) + (several ? ", result " + notable.mark : "") +
      (notable.run ? ", where most of the time went." : ", the closest on this page.") +
      (section.bad ? " The roof was measured on a busy machine, or the counted operations include some that the kernel omits." : "");
}

}  // namespace

Section limit_section(const std::vector<Source>& sources) {
  Section section{
      "limit", "How far from the limit?", "Unknown", "These results contain no measured ceiling, or no counted operations.", false, {}};
  const std::vector<Ceiling> ceilings = ceilings_of(sources);
  Notable notable;
  for (const auto& s : sources) {
    const std::vector<Placed> all = placed_rows(s, ceilings);
    if (all.empty()) continue;
    section.body += heading(s, title_of(s.result));
    std::map<std::pair<std::string, std::string>, std::vector<Placed>> devices;
    for (const auto& p : all) devices[{p.device, p.precision}].push_back(p);
    std::vector<Placed> others;
    for (const auto& [device, rows] : devices) {
      const std::vector<Roof> roofs = roofs_over(rows, ceilings);
      if (needs_roofline(rows, roofs)) section.body += roofline_of(rows, roofs);
      else others.insert(others.end(), rows.begin(), rows.end());
    }
    if (!others.empty()) section.body += fractions_of(others);
    if (std::any_of(all.begin(), all.end(), [](const Placed& p) { return p.fraction() > over; }))
      section.body += paragraph(
          "A row is above its roof: the roof was measured while the machine was busy, or the counted operations include some that the "
          "kernel omits or performs in lower precision.");
    notable.look_at(s, all);
  }
  answer(notable, section);
  section.body += ceilings_table(ceilings);
  return section;
}

}  // namespace suite::report
