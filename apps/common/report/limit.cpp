// SPDX-License-Identifier: BSD-3-Clause
// How far from the limit? Every kernel beneath the roofs that were measured on its device.
#include <algorithm>
#include <map>
#include <set>

#include "chart.hpp"
#include "common/print.hpp"
#include "common/quantities.hpp"
#include "roofs.hpp"
#include "sections.hpp"

namespace suite::report {
namespace {

using app::print;

constexpr double over = 1.05;  // more of a roof than noise explains

std::string rate_of(const Ceiling& c) {
  return c.flop_per_s > 0 ? print("%.4g Gflop/s", c.flop_per_s / 1e9)
                          : print("%.4g GB/s", c.byte_per_s / 1e9);
}

// The roofs above some rows of one device. Divisions and the like are in the table only: few kernels are made
// of them.
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
  for (const auto& c : ceilings) {
    const bool here = c.published ? c.device.empty() || c.is_of(first.device)
                                  : c.is_of(first.device) && c.precision == first.precision;
    if (here && (c.byte_per_s > 0 || c.published || c.name == "FMA" || c.name == "no FMA"))
      add(c.name, c.flop_per_s, c.byte_per_s, c.published);
  }
  for (const auto& p : rows)
    if (p.fma > 0 && std::none_of(roofs.begin(), roofs.end(),
                                  [](const Roof& r) { return r.flop_per_s > 0 && !r.published; }))
      add("FMA", p.fma, 0, false);
  return roofs;
}

std::string caption_of(const std::vector<Roof>& roofs) {
  std::string caption =
      "Counted operations over the bytes of the arguments, and the rate reached. Numbers are those of the "
      "table; a shape belongs to one implementation.";
  const auto any = [&](auto is) { return std::any_of(roofs.begin(), roofs.end(), is); };
  if (any([](const Roof& r) { return r.published; }))
    caption += " Solid roofs were measured, dashed ones are of a data sheet.";
  if (!any([](const Roof& r) { return !r.published; }))
    caption += " No roof was measured in this result.";
  else if (!any([](const Roof& r) { return r.byte_per_s > 0 && !r.published; }))
    caption +=
        " The memory roof was not measured here: 'suite roofline' does, and a report of both results has it.";
  return caption;
}

// The rows of one device and precision: the figure and its table.
Html draw(const std::vector<Placed>& rows, const std::vector<Ceiling>& ceilings) {
  std::map<std::string, int> families;  // markers by implementation
  std::vector<Point> points;
  Table t{"The points of the figure",
          columns("|kernel|implementation|>flop/byte|>Gflop/s|>of its roof|roof"),
          {}};
  const bool same_size = std::all_of(rows.begin(), rows.end(),
                                     [&](const Placed& p) { return p.row->size == rows.front().row->size; });
  if (same_size && !rows.front().row->size.empty()) t.caption += ", " + rows.front().row->size;
  if (!rows.front().device.empty()) t.caption += ", on " + rows.front().device;
  if (rows.front().precision != "double") t.caption += ", in " + rows.front().precision + " precision";
  for (size_t i = 0; i < rows.size(); ++i) {
    const Placed& p = rows[i];
    const int number = static_cast<int>(i) + 1,
              family =
                  families.emplace(p.row->implementation, static_cast<int>(families.size())).first->second;
    const bool joined = i > 0 && p.row->step && rows[i - 1].row->kernel == p.row->kernel &&
                        rows[i - 1].row->size == p.row->size;
    if (p.intensity > 0)
      points.push_back({number, p.row->kernel + ", " + p.label, p.intensity, p.flop_per_s, family, joined});
    Html kernel = p.row->kernel, intensity = p.intensity > 0 ? print("%.3g", p.intensity) : "–";
    if (!same_size && !p.row->size.empty()) kernel += below(p.row->size);
    for (const auto& level : p.traffic) intensity += below(level);
    const std::string implementation =
        p.row->step ? p.row->implementation + ", " + p.label : label_of(*p.row);
    t.rows.push_back({marker(family) + std::to_string(number), kernel, implementation, intensity,
                      print("%.3g", p.flop_per_s / 1e9), p.roof > 0 ? app::percent(p.fraction()) : "–",
                      p.roof > 0 ? p.binding + print(", %.4g Gflop/s there", p.roof / 1e9) : "–"});
  }
  const std::vector<Roof> roofs = roofs_over(rows, ceilings);
  const Html drawing =
      points.empty()
          ? Html()
          : figure(roofline("Rates of the kernels over their intensity, with the roofs of the machine", roofs,
                            points),
                   caption_of(roofs));
  const bool beyond =
      std::any_of(rows.begin(), rows.end(), [](const Placed& p) { return p.fraction() > over; });
  return drawing + table(t) +
         (beyond ? paragraph("A row is above its roof: the roof was measured while the machine was busy with "
                             "something else.")
                 : Html());
}

Html ceilings_table(const std::vector<Ceiling>& ceilings) {
  Table t{"The roofs", columns("roof|>rate|measured by, or published in|device|precision|>threads"), {}};
  for (const auto& c : ceilings)
    t.rows.push_back({c.name, rate_of(c), c.by, c.device, c.published ? "" : c.precision,
                      c.threads > 0 ? std::to_string(c.threads) : ""});
  return ceilings.empty() ? Html() : table(t);
}

// The row that matters most: where most time went, or the closest to its roof.
const Placed* notable(const std::vector<Placed>& all, bool run) {
  const Placed* best = nullptr;
  for (const auto& p : all)
    if (p.roof > 0 && (!best || (run ? p.seconds > best->seconds : p.fraction() > best->fraction())))
      best = &p;
  return best;
}

}  // namespace

Section limit_section(const std::vector<Source>& sources) {
  Section section{"limit",     "How far from the limit?",
                  "Not known", "No ceiling was measured with these results, or no operations are counted.",
                  false,       {}};
  const std::vector<Ceiling> ceilings = ceilings_of(sources);
  bool said = false;
  for (const auto& s : sources) {
    const std::vector<Placed> all = placed_rows(s, ceilings);
    if (all.empty()) continue;
    section.body += heading(s, title_of(s.result));
    std::map<std::pair<std::string, std::string>, std::vector<Placed>> devices;
    for (const auto& p : all) devices[{p.device, p.precision}].push_back(p);
    for (const auto& [device, rows] : devices) section.body += draw(rows, ceilings);
    const Placed* p = notable(all, is_app_run(s.result));
    if (!p || said) continue;
    said = true;
    section.bad = p->fraction() > over;
    section.answer = section.bad ? "Beyond the roof" : app::percent(p->fraction());
    section.because =
        (section.bad ? app::percent(p->fraction()) + ", so it was measured on a busy machine: "
                     : std::string()) +
        "of the measured " + p->binding + " roof: " + p->row->kernel + " on " + label_of(*p->row) +
        (is_app_run(s.result) ? ", where most of the time went." : ", the closest of all here.");
  }
  section.body += ceilings_table(ceilings);
  return section;
}

}  // namespace suite::report
