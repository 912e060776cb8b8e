// SPDX-License-Identifier: BSD-3-Clause
// Agreement of several runs of one input.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "measure/physics_comparison.hpp"
#include "sections.hpp"

namespace suite::report {
namespace {

// Only runs of the same input must agree.
bool same_input(const Result& a, const Result& b) {
  return a.app == b.app && !a.provenance.input.sha256.empty() && a.provenance.input.sha256 == b.provenance.input.sha256 &&
         a.provenance.overrides == b.provenance.overrides;
}

std::string number_text(double value, int digits) { return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : "not a number"; }

Html compared(const Source& first, const Source& other, const app::stored::PhysicsComparison& c) {
  Table t{"What " + first.mark + " and " + other.mark + " computed from the same input",
          columns("quantity|>" + first.mark + "|>" + other.mark + "|>difference|>allowed|"),
          {}};
  for (const auto& row : c.rows) {
    const Html verdict = row.same ? good("✓ same") : bad("✗ DIFFERENT");
    if (!row.why.empty()) t.rows.push_back({Html(quantity_text(row)) + below(row.why), "–", "–", "–", "–", verdict});
    else
      t.rows.push_back({quantity_text(row), number_text(row.before, 10), number_text(row.after, 10), number_text(row.difference, 2),
                        number_text(row.allowed, 2) +
                            (row.statistical ? fmt::format(", {:.0f} joint standard errors", app::stored::most_joint_errors) : ""),
                        verdict});
  }
  return table(t);
}

}  // namespace

Agreement agreement(const std::vector<Source>& sources) {
  Agreement all;
  for (size_t i = 0; i < sources.size(); ++i) {
    if (!is_app_run(sources[i].result)) continue;
    const auto first = std::find_if(sources.begin(), sources.begin() + static_cast<std::ptrdiff_t>(i),
                                    [&](const Source& s) { return is_app_run(s.result) && same_input(s.result, sources[i].result); });
    if (first == sources.begin() + static_cast<std::ptrdiff_t>(i)) continue;
    const auto c = compare_physics(first->result, sources[i].result);
    if (!c.why_not.empty()) continue;
    all.body += compared(*first, sources[i], c);
    if (c.same()) continue;
    if (!all.different.empty()) all.different += "; ";
    all.different += first->mark + " and " + sources[i].mark + " computed different numbers from the same input";
  }
  return all;
}

}  // namespace suite::report
