// SPDX-License-Identifier: BSD-3-Clause
#include "history_page.hpp"

#include <fmt/core.h>

#include "common/quantities.hpp"
#include "chart.hpp"
#include "html.hpp"
#include "picture.hpp"
#include "sections.hpp"

namespace suite::report {
namespace {

namespace history = app::history;

std::string interval_of(const history::Point& point) {
  return seconds(point.time.low) + " – " + seconds(point.time.high) + (point.time.interval ? "" : "*");
}

Html verdict_of(const history::Point& point) {
  if (point.verdict.empty()) return dim("first");
  if (point.verdict == "FASTER") return good(point.verdict);
  return point.verdict == "SLOWER" ? bad(point.verdict) : Html(point.verdict);
}

Html table_of(const history::Series& series) {
  Table t{series.label() + ", " + series.place() + ", on " + series.machine(),
          columns("date|version|revision|>median|>95 % interval|>ratio|verdict|file"),
          {}};
  for (const auto& point : series.points)
    t.rows.push_back({point.utc, point.suite_version, point.suite_commit.substr(0, 8), seconds(point.time.median), interval_of(point),
                      point.ratio ? fmt::format("{:.3f} ({:.3f} – {:.3f})", point.ratio->median, point.ratio->low, point.ratio->high) : "–",
                      verdict_of(point), point.file});
  return table(t);
}

}  // namespace

std::string history_page(const app::history::History& all) {
  size_t changes = 0;
  for (const auto& series : all.series)
    for (const auto& point : series.points) changes += point.changes();
  const std::string title = "Times over " + app::counted(static_cast<long>(all.results), "result");
  const std::string about = fmt::format("{} series", all.series.size()) + ", " + app::counted(static_cast<long>(changes), "change") + ".";
  const std::string drawing = history::figure(all);
  Html body = tag("header", tag("p", {{"class", "eyebrow"}}, "suite history") + tag("h1", title) + tag("p", {{"class", "lede"}}, about));
  Html figures;
  if (const Picture picture = picture_of(drawing, title); picture.problem.empty())
    figures = figure(
        empty_tag("img", {{"src", picture.source}, {"alt", picture.title}, {"width", picture.width}, {"height", picture.height}}),
        "Medians with 95 % intervals, in the order of the results; a label marks a change with the ratio of the times. The tables below "
        "have the numbers.");
  body += tag("section", {{"id", "figure"}}, tag("h2", "How have the times changed?") + figures);
  Html tables;
  std::string place;
  for (const auto& series : all.series) {
    if (const std::string here = series.place() + " · " + series.machine(); here != place) tables += tag("h3", here), place = here;
    tables += table_of(series);
  }
  body += tag("section", {{"id", "series"}},
              tag("h2", "Series") +
                  paragraph("Each result is compared with all samples since the last change: FASTER and SLOWER appear only where the whole "
                            "95 % interval of the ratio is more than 2 % from 1 and a rank test agrees. *: fewer than 6 samples, minimum "
                            "and maximum. Results of different machines never share a series.") +
                  tables);
  return page(title + " · suite history", about, tag("main", body));
}

}  // namespace suite::report
