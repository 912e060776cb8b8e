// SPDX-License-Identifier: BSD-3-Clause
// Which is fastest? One race per kernel on the same arguments, the steps of a ladder, and the time shares of an app's run.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "common/quantities.hpp"
#include "chart.hpp"
#include "sections.hpp"

namespace suite::report {
namespace {

double total(const Row& row) {
  double sum = 0;
  for (double s : row.samples_s) sum += s;
  return sum;
}

// Speed of the winner relative to the baseline row: "4.31 times as fast as cpu, best". Never relative to the implementation "reference":
// it is a specification.
std::string lead(const Race& race, const Row& winner) {
  const Row* reference = race.reference();
  if (!reference || reference == &winner || reference->implementation == "reference") return "";
  // The ratio of a ladder step is relative to the step it modifies.
  const bool to_reference = winner.ratio && winner.ratio->median > 0 && !race.ladder;
  const double times = to_reference ? 1 / winner.ratio->median : reference->time->median / winner.time->median;
  return fmt::format("{:.{}f} times as fast as {}", times, times < 10 ? 2 : 0, label_of(*reference));
}

// Rows whose interval overlaps that of the winner.
std::string beside(const Race& race, const Row& winner) {
  std::string names;
  for (const Row* row : race.rows)
    if (row != &winner && row->timed() && row->time->low <= winner.time->high) names += (names.empty() ? "" : ", ") + label_of(*row);
  return names;
}

void answer(const std::vector<Race>& races, Section& section) {
  std::map<std::string, size_t> wins;
  size_t run = 0;
  const Race* one = nullptr;
  for (const auto& race : races) {
    const Row* winner = race.fastest();
    if (!winner || race.rows.size() < 2) continue;
    ++run, ++wins[label_of(*winner)], one = &race;
  }
  if (run == 0) {
    section.answer = "Nothing to rank";
    section.because = "Each kernel ran in one implementation only; 'suite compare' compares several.";
    return;
  }
  const auto most = std::max_element(wins.begin(), wins.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  section.answer = most->first;
  if (run > 1) {
    section.because = fmt::format("Fastest in {} of {} comparisons.", most->second, run);
    return;
  }
  const Row& winner = *one->fastest();
  const std::string ahead = lead(*one, winner), near = beside(*one, winner);
  section.because = seconds(winner.time->median) + " for " + one->kernel + (ahead.empty() ? "" : ", " + ahead) + ".";
  if (!near.empty()) section.because += " Its interval overlaps that of " + near + ".";
}

Html verdict(const Row& row, const Race& race) {
  if (row.failed()) return bad("✗ FAILED");
  const std::string& word = row.verdict;
  if (word == "FASTER") return good("▲ FASTER");
  if (word == "SLOWER") return bad("▼ SLOWER");
  if (word == "same") return "= same";
  if (word == "unclear") return dim("? unclear");
  return dim(&row == race.reference() && race.rows.size() > 1 ? "baseline" : "–");
}

std::string interval_text(const app::Estimate& time) {
  return seconds(time.low) + " – " + seconds(time.high) + (time.interval ? "" : " *");
}

Html time_cell(const app::Estimate& time) { return Html(seconds(time.median)) + below(interval_text(time)); }

// Three significant digits.
std::string ratio_text(double ratio) {
  if (ratio < 1e-4 || ratio >= 1000) return fmt::format("{:.2e}", ratio);
  return fmt::format("{:.{}g}", ratio, ratio < 1 ? 3 : 4);
}
Html ratio_cell(const Row& row, const std::string& after) {
  if (!row.ratio) return "–";
  return Html(ratio_text(row.ratio->median)) +
         below((after.empty() ? "" : "to " + after + ": ") + ratio_text(row.ratio->low) + " – " + ratio_text(row.ratio->high));
}

Html race_figure(const Race& race) {
  std::vector<Bar> all;
  const Row* winner = race.fastest();
  for (const Row* row : race.rows) {
    const bool best = row == winner && race.rows.size() > 1;
    const app::Estimate time = row->time.value_or(app::Estimate());
    Bar bar{label_of(*row), seconds(time.median), "", time.median, time.low, time.high, best, ""};
    if (row->failed()) bar.wrong = "FAILED, not ranked";
    else if (!row->timed()) bar.wrong = "not timed";
    else {
      bar.note = interval_text(time);
      if (best) bar.value += ", fastest";
    }
    all.push_back(bar);
  }
  return figure(
      bars("Time of " + race.kernel + " in each implementation, shorter is better", all),
      "Median of the samples with its 95 % interval. The larger, filled mark is the fastest; a dashed box is a row with a wrong result.");
}

Html race_table(const Race& race) {
  Table t{"Times of " + race.kernel, columns("implementation|>median|>samples|>ratio|verdict|>figure of merit|>GFLOP/s"), {}};
  bool few = false;
  for (const Row* row : race.rows) {
    Html time = "–", ratio = "–", merit = "–", rate = "–";
    if (row->timed()) {
      few = few || !row->time->interval;
      time = time_cell(*row->time);
      ratio = row == race.reference() ? "1" : ratio_cell(*row, "");
      if (const std::string text = merit_text(*row); !text.empty()) merit = text;
      if (row->rate() > 0) rate = fmt::format("{:.3g}", row->rate() / 1e9);
    }
    t.rows.push_back({label_of(*row), time, std::to_string(row->samples_s.size()), ratio, verdict(*row, race), merit, rate});
  }
  return table(t) + (few ? paragraph("* fewer than 6 samples: minimum and maximum.") : Html());
}

Html met(const Row& row) {
  const std::string& word = row.step->met;
  if (word == "met") return good("✓ as expected");
  if (word == "not met") return bad("✗ not as expected");
  return {};  // unclear if the verdict is
}

Html ladder_table(const Race& race) {
  Table t{"Steps of " + race.kernel, columns("step|>median|>ratio|here|expected|published"), {}};
  for (const Row* row : race.rows) {
    const auto& step = *row->step;
    Html published, time = "–", ratio = "–";
    for (const auto& p : step.published) published += tag("span", {{"class", "sub whole"}}, p.text);
    if (row->timed()) time = time_cell(*row->time);
    ratio = ratio_cell(*row, step.after);
    const Html here = row == race.reference() ? "–" : verdict(*row, race) + below(met(*row));
    t.rows.push_back({Html(step.name) + below(step.sentence), time, ratio, here, step.expected.empty() ? "–" : step.expected, published});
  }
  return table(t);
}

Html overview(const std::vector<Race>& races) {
  Table t{"Fastest of each comparison", columns("kernel|conditions|fastest|>median|relative to the first|>figure of merit"), {}};
  for (const auto& race : races) {
    const Row* winner = race.fastest();
    const std::string mark = race.mark.empty() ? "" : race.mark + " · ";
    if (!winner) {
      t.rows.push_back({mark + race.kernel, race.conditions(), "none", "–", "–", "–"});
      continue;
    }
    const std::string merit = merit_text(*winner), ahead = lead(race, *winner);
    t.rows.push_back({mark + race.kernel, race.conditions(), label_of(*winner), seconds(winner->time->median), ahead.empty() ? "–" : ahead,
                      merit.empty() ? "–" : merit});
  }
  return table(t);
}

Html race_heading(const Source& source, const Race& race) {
  const Html mark = source.mark.empty() ? Html() : tag("span", {{"class", "mark"}}, source.mark) + " ";
  return tag("h3", mark + race.kernel);
}

// Time shares of an app's run.
Html run_shares(const Source& source) {
  std::vector<const Row*> rows;
  double kernels = 0;
  for (const auto& row : source.result.rows)
    if (!row.samples_s.empty() && !row.failed()) rows.push_back(&row), kernels += total(row);
  const double whole = std::max(source.result.times.wall_s, kernels);
  if (rows.empty() || !(whole > 0)) return {};
  std::stable_sort(rows.begin(), rows.end(), [](const Row* a, const Row* b) { return total(*a) > total(*b); });
  std::vector<Share> all;
  Table t{"Kernels of this run", columns("kernel|implementation|>calls or batches|>total|>share|>figure of merit|>GFLOP/s"), {}};
  for (const Row* row : rows) {
    const double s = total(*row), flops = row->flops;
    all.push_back({row->kernel, app::percent(s / whole), seconds(s) + " on " + label_of(*row), s / whole});
    const std::string merit = merit_text(*row);
    t.rows.push_back({row->kernel, label_of(*row), std::to_string(row->samples_s.size()), seconds(s), app::percent(s / whole),
                      merit.empty() ? "–" : merit, flops > 0 && s > 0 ? fmt::format("{:.3g}", flops / s / 1e9) : "–"});
  }
  const double rest = std::max(0.0, whole - kernels);
  all.push_back({"everything else", app::percent(rest / whole), seconds(rest), rest / whole});
  return heading(source, title_of(source.result)) +
         figure(shares("Share of each kernel in the time of the run", all),
                "Shares of the " + seconds(whole) + " of the run in total, including set-up and files.") +
         table(t);
}

// If there are only runs of apps, nothing raced.
void answer_shares(const std::vector<Source>& sources, Section& section) {
  if (std::all_of(sources.begin(), sources.end(), [](const Source& s) { return s.result.schema == "scaling"; })) {
    section.question = "How does it scale?";
    const auto last = sources.front().result.root["rows"].items();
    section.answer = last.empty() ? "Nothing ran" : "Efficiency " + fmt::format("{:.2f}", last.back()["efficiency"]["median"].number());
    section.because = last.empty() ? "There are no rows."
                                   : "on " + app::counted(last.back()["ranks"].whole(1, 1 << 24), "rank") +
                                         "; time, speed-up and efficiency of each number are below.";
    return;
  }
  section.question = "Where did the time go?";
  section.answer = "No kernel ran";
  section.because = "The results contain no kernel times.";
  double most = 0;
  for (const auto& s : sources)
    for (const auto& row : s.result.rows) {
      const double share = s.result.times.wall_s > 0 ? total(row) / s.result.times.wall_s : 0;
      if (!(share > most)) continue;
      most = share;
      section.answer = app::percent(share) + " in " + row.kernel;
      section.because = seconds(total(row)) + " of " + seconds(s.result.times.wall_s) + ", on " + label_of(row) + ".";
    }
}

Html left_out(const Source& source) {
  Html list;
  std::set<std::pair<std::string, std::string>> listed;  // a benchmark omits the same implementation for each of its kernels
  for (const auto& l : source.result.left_out)
    if (listed.emplace(l.implementation, l.why).second) list += tag("li", tag("strong", l.implementation) + ": " + l.why);
  return list.empty() ? Html() : tag("p", {{"class", "why"}}, "Left out:") + tag("ul", list);
}

}  // namespace

Section fastest_section(const std::vector<Source>& sources) {
  Section section{"fastest", "Which is fastest?", "", "", false, {}};
  std::vector<Race> all;
  for (const auto& s : sources)
    for (auto& race : races_of(s)) all.push_back(std::move(race));
  if (all.empty()) answer_shares(sources, section);
  else answer(all, section);
  if (all.empty() && std::any_of(sources.begin(), sources.end(), [](const Source& s) { return is_app_run(s.result); }))
    section.body += paragraph("A single run has no ranking; 'suite compare' compares implementations.");
  if (all.size() > 1) section.body += overview(all);
  size_t drawn = 0;
  for (const auto& s : sources) {
    if (is_app_run(s.result)) section.body += run_shares(s);
    if (s.result.schema == "scaling") section.body += heading(s, title_of(s.result)) + scaling(s);
    for (const auto& race : races_of(s)) {
      const std::string conditions = race.conditions();
      if (++drawn > most_figures) continue;
      section.body += race_heading(s, race) + (conditions.empty() ? Html() : tag("p", {{"class", "why"}}, conditions)) + race_figure(race) +
                      (race.ladder ? ladder_table(race) : race_table(race));
    }
    section.body += left_out(s);
  }
  if (drawn > most_figures)
    section.body +=
        paragraph(fmt::format("The figure shows the first {} of {} comparisons; the table above shows all.", most_figures, drawn));
  return section;
}

}  // namespace suite::report
