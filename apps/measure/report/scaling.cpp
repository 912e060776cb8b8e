// SPDX-License-Identifier: BSD-3-Clause
// Scaling: time over ranks, from 'suite bench --scaling'.
#include "common/quantities.hpp"
#include "measure/statistics.hpp"
#include "chart.hpp"
#include "sections.hpp"

namespace suite::report {
namespace {

using app::stored::Value;

std::string estimate_text(const Value& e) {
  return app::fixed(e["median"].number(), 2) + " (" + app::fixed(e["low"].number(), 2) + " – " + app::fixed(e["high"].number(), 2) + ")";
}

}  // namespace

Html scaling(const Source& source) {
  const Value root = source.result.root;
  const bool weak = root["scaling"].text_or("") == "weak";
  Table t{weak ? "Weak scaling: the work grows with the ranks" : "Strong scaling: the same work on more ranks",
          columns("ranks|>median|>samples|>speed-up|>efficiency|"),
          {}};
  std::vector<Deviation> dots;
  for (const auto& row : root["rows"].items()) {
    const std::string ranks = app::counted(row["ranks"].whole(1, 1 << 24), "rank");
    const std::vector<double> samples = row["samples_s"].numbers(0, 1e9);
    const Value efficiency = row["efficiency"], crowded = row["more_threads_than_cores"];
    t.rows.push_back({ranks, seconds(app::estimate(samples).median), std::to_string(samples.size()), estimate_text(row["speed_up"]),
                      estimate_text(efficiency), crowded.is_switch() && crowded.flag() ? "more threads than cores" : ""});
    dots.push_back(
        {ranks, estimate_text(efficiency), efficiency["median"].number(), efficiency["low"].number(), efficiency["high"].number(), true});
  }
  if (dots.empty()) return {};
  const std::string what = root["kernel"].text_or(root["input"].text_or("")), along = root["along"].text_or("");
  return tag("p", {{"class", "why"}}, what + (along.empty() ? "" : ", along " + along)) +
         figure(deviations("Parallel efficiency over ranks", {"efficiency; 1 is ideal", 1, 0, false}, dots),
                "Medians with their 95 % intervals; the line is an efficiency of 1.") +
         table(t);
}

}  // namespace suite::report
