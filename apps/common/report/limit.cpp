// SPDX-License-Identifier: BSD-3-Clause
// How far from the limit? Every kernel beneath the roofs that were measured on its device.
#include <algorithm>
#include <cmath>
#include <map>

#include "chart.hpp"
#include "common/print.hpp"
#include "common/quantities.hpp"
#include "sections.hpp"

namespace suite::report {
namespace {

using app::print;

// A row with its place under the roofs.
struct Placed {
  Entry entry;
  double flop_per_s = 0, fma = 0, bytes_per_s = 0;  // roofs of its device; 0: not measured
  double roof() const {
    const double slope =
        bytes_per_s > 0 && entry.intensity() > 0 ? bytes_per_s * entry.intensity() : INFINITY;
    return std::min(fma > 0 ? fma : INFINITY, slope);
  }
  double fraction() const { return std::isfinite(roof()) ? flop_per_s / roof() : 0; }
  const char* binding() const { return roof() < fma || fma <= 0 ? "memory" : "arithmetic"; }
};

double ceiling(const Result& result, const char* name) {
  const auto found = result.ceilings.find(name);
  return found == result.ceilings.end() ? 0 : found->second;
}

Placed placed(const Result& result, const Entry& entry) {
  Placed p{entry, entry.flop_per_s,
           entry.row->fma_flop_per_s > 0 ? entry.row->fma_flop_per_s : ceiling(result, "fma_flop_per_s"),
           ceiling(result, "dram_B_per_s")};
  return p;
}

// Those of a result that have a rate; an app's rows with the rate over all their calls.
std::vector<Placed> placed_rows(const Source& source) {
  std::vector<Placed> all;
  if (is_app_run(source.result)) {
    for (const auto& row : source.result.rows) {
      double seconds = 0;
      for (double s : row.samples_s) seconds += s;
      const double n = static_cast<double>(row.samples_s.size());
      if (row.failed() || !(seconds > 0) || !(row.flops > 0)) continue;
      Entry entry{&row, row.kernel, seconds / n, 0, 0, false, row.flops * n / seconds};
      all.push_back(placed(source.result, entry));
    }
    return all;
  }
  for (const auto& race : races_of(source))
    for (const auto& entry : race.entries)
      if (entry.timed() && entry.flop_per_s > 0) all.push_back(placed(source.result, entry));
  return all;
}

std::vector<Roof> roofs_of(const std::vector<Placed>& all) {
  std::map<std::string, Roof> roofs;
  const auto add = [&](const Roof& roof) {
    roofs.emplace(print("%.4g %.4g", roof.flop_per_s, roof.byte_per_s), roof);
  };
  for (const auto& p : all) {
    if (p.fma > 0) add({"FMA " + app::metric(p.fma) + "flop/s", p.fma, 0, false});
    if (p.bytes_per_s > 0) add({"memory " + app::metric(p.bytes_per_s) + "B/s", 0, p.bytes_per_s, false});
  }
  std::vector<Roof> list;
  for (const auto& [key, roof] : roofs) list.push_back(roof);
  return list;
}

Html draw(const Source& source, const std::vector<Placed>& all) {
  std::map<std::string, int> families;  // markers by implementation
  std::vector<Point> points;
  Table t{"The points of the figure",
          {{"", false},
           {"kernel", false},
           {"implementation", false},
           {"intensity (flop/byte)", true},
           {"Gflop/s", true},
           {"of the roof", true},
           {"limited by", false}},
          {}};
  int number = 0;
  bool counted = false;
  for (const auto& p : all) {
    ++number;
    const Row& row = *p.entry.row;
    const int family = families.emplace(row.implementation, static_cast<int>(families.size())).first->second;
    if (p.entry.intensity() > 0) {
      points.push_back({number, row.kernel + ", " + p.entry.label, p.entry.intensity(), p.flop_per_s, family,
                        row.step && number > 1});
      counted = true;
    }
    Html kernel = row.kernel;
    if (!row.size.empty()) kernel += tag("span", {{"class", "sub"}}, row.size);
    t.rows.push_back({marker(family) + std::to_string(number), kernel,
                      row.step ? row.implementation + ", " + p.entry.label : row.label(),
                      p.entry.intensity() > 0 ? print("%.3g", p.entry.intensity()) : "–",
                      print("%.3g", p.flop_per_s / 1e9),
                      std::isfinite(p.roof()) ? app::percent(p.fraction()) : "–",
                      std::isfinite(p.roof()) ? p.binding() : "–"});
  }
  Html out = heading(source, title_of(source.result));
  const std::vector<Roof> roofs = roofs_of(all);
  const bool slope = std::any_of(roofs.begin(), roofs.end(), [](const Roof& r) { return r.byte_per_s > 0; });
  std::string caption =
      "Counted operations over the bytes of the arguments, and the rate reached. Numbers are those of the "
      "table; a shape belongs to one implementation.";
  if (roofs.empty())
    caption += " No roof was measured in this result.";
  else if (!slope)
    caption += " The memory roof was not measured here: 'suite roofline' does.";
  if (counted)
    out += figure(
        roofline("Rates of the kernels over their intensity, with the roofs of the machine", roofs, points),
        caption);
  return out + table(t);
}

// The row that matters most: where most time went, or the fastest.
const Placed* notable(const std::vector<Placed>& all, bool run) {
  const Placed* best = nullptr;
  for (const auto& p : all) {
    if (!(p.fraction() > 0)) continue;
    const double n = static_cast<double>(p.entry.row->samples_s.size());
    const bool better =
        !best || (run ? p.entry.median_s * n >
                            best->entry.median_s * static_cast<double>(best->entry.row->samples_s.size())
                      : p.fraction() > best->fraction());
    if (better) best = &p;
  }
  return best;
}

}  // namespace

Section limit_section(const std::vector<Source>& sources) {
  Section section{"limit",     "How far from the limit?",
                  "Not known", "No ceiling was measured with these results, or no operations are counted.",
                  false,       {}};
  bool said = false;
  for (const auto& s : sources) {
    const std::vector<Placed> all = placed_rows(s);
    if (all.empty()) continue;
    section.body += draw(s, all);
    const Placed* p = notable(all, is_app_run(s.result));
    if (!p || said) continue;
    said = true;
    section.answer = app::percent(p->fraction());
    section.because =
        "of the measured " + std::string(p->binding()) + " roof: " + p->entry.row->kernel + " on " +
        p->entry.row->label() +
        (is_app_run(s.result) ? ", where most of the time went." : ", the closest of all here.");
  }
  return section;
}

}  // namespace suite::report
