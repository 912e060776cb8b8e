// SPDX-License-Identifier: BSD-3-Clause
#include "rows.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>

#include <nlohmann/json.hpp>

#include "common/machine.hpp"
#include "common/result.hpp"
#include "common/statistics.hpp"
#include "ceilings.hpp"
#include "exit_codes.hpp"
#include "session.hpp"
#include "table.hpp"

namespace suite::app {

using nlohmann::ordered_json;

void verify_all(Contenders& contenders, const SetArguments& set, Truth& truth, const SeenOutputs& seen) {
  for (auto& contender : contenders) {
    const auto& expected = truth.of(*contender);
    try {
      const auto found = contender->first_run(set);
      contender->accept(verify(contender->kernel(), expected, found));
      if (seen) seen(*contender, found);
    } catch (const Failure& failure) {
      // One that cannot run at all takes no other's row away.
      contender->accept({"failed", INFINITY, failure.what()});
    }
  }
}

namespace {

// times: how much longer a run on the arguments is than the first one was.
void leave_out_slow(Contenders& contenders, double times, std::vector<LeftOut>& left_out) {
  constexpr double long_s = 6, slower = 10;
  double fastest = INFINITY;
  for (const auto& c : contenders)
    if (c->record().verification != "failed") fastest = std::min(fastest, c->first_run_s());
  std::erase_if(contenders, [&](const auto& c) {
    const double run_s = c->first_run_s() * times;
    if (c->record().verification == "failed" || run_s < long_s || c->first_run_s() < slower * fastest) return false;
    left_out.push_back({c->label(), "a run would take about " + seconds_text(run_s) + "; name it with --implementations to have it timed"});
    return true;
  });
}

}  // namespace

std::string verify_generated(Contenders& contenders, const std::string& kernel, GeneratedArguments& generated, uint64_t seed,
                             std::vector<LeftOut>* left_out) {
  constexpr double longest_reference_s = 30;
  const SetArguments set = generated.setter();
  GeneratedArguments small(kernel, generated.small_size(), seed);
  Contender reference(kernel, "reference", "");
  const double begin = wall_s();
  reference.first_run(small.setter());
  const double small_s = wall_s() - begin, times = generated.owner().cost().flops / reference.kernel().cost().flops;
  // Where the arguments are smaller than "small", that would only take longer.
  const bool here = small_s * times <= longest_reference_s;
  if (!here || (left_out && times > 1)) {
    Truth truth(kernel, small.setter());
    verify_all(contenders, small.setter(), truth);
    if (left_out) leave_out_slow(contenders, times, *left_out);
  }
  if (here) {
    for (auto& contender : contenders) contender->kernel().forget();
    Truth truth(kernel, set);
    verify_all(contenders, set, truth);
    return "";
  }
  for (auto& contender : contenders) {
    if (contender->record().verification == "failed") continue;
    contender->kernel().forget();
    contender->first_run(set);
  }
  return " (small)";
}

std::string left_out_text(const std::vector<LeftOut>& left_out) {
  std::string text;
  for (const auto& l : left_out) text += "  " + l.implementation + " left out: " + l.why + "\n";
  return text;
}

ordered_json left_out_json(const std::vector<LeftOut>& left_out) {
  ordered_json j = ordered_json::array();
  for (const auto& l : left_out) j.push_back({{"implementation", l.implementation}, {"why", l.why}});
  return j;
}

void sample_in_turns(Contenders& contenders, long repeat, Progress& progress) {
  constexpr double budget_s = 30;
  constexpr long usual = 11, least = 5;
  std::vector<Contender*> right;
  double round_s = 0;
  for (auto& contender : contenders)
    if (contender->record().verification != "failed") {
      right.push_back(contender.get());
      round_s += contender->estimated_sample_s();
    }
  if (repeat == 0) repeat = std::clamp(static_cast<long>(budget_s / std::max(round_s, 1e-9)), least, usual);
  progress.start("samples", repeat);
  for (long i = 0; i < repeat; ++i) {
    for (auto* contender : right) contender->sample();
    progress.advance(i + 1);
  }
  progress.finish();
}

namespace {

// Of one run, in the mean over the samples.
double per_run(double summed, const KernelRecord& record) { return record.samples_s.empty() ? 0 : summed / static_cast<double>(record.samples_s.size()); }

const Contender* baseline_of(const Contenders& contenders) {
  for (const auto& c : contenders)
    if (c->record().verification != "failed") return c.get();
  return nullptr;
}

}  // namespace

Merit merit_per_run(const KernelRecord& record) {
  return {record.merit.unit, record.merit.formula, per_run(record.merit.count, record)};
}

std::string rows_text(const Contenders& contenders, int threads, const std::string& checked_at, bool cpu_time, bool& failed) {
  const bool colour = colour_on_stdout();
  const Contender* baseline = baseline_of(contenders);
  Table table;
  std::vector<std::string> head{"  contender", "time", "95 % interval"};
  if (cpu_time) head.insert(head.end(), {"CPU time"});
  head.insert(head.end(), {"ratio", "GFLOP/s", "figure of merit", "FMA", "max rel err", "verdict"});
  table.header(head);
  for (size_t i = 1; i + 1 < head.size(); ++i) table.right(i);
  std::string details;
  for (const auto& c : contenders) {
    const KernelRecord& r = c->record();
    if (r.verification == "failed") {
      failed = true;
      std::vector<std::string> cells{"  " + c->label()};
      cells.resize(head.size() - 2, "-");
      cells.push_back(scientific(r.max_relative_error));
      cells.push_back(bad("FAILED", colour));
      table.row(cells);
      details += "  " + c->label() + " FAILED: " + r.detail + "\n";
      continue;
    }
    const Estimate time = estimate(r.samples_s);
    const double flops = per_run(r.flops, r) / time.median;
    std::vector<std::string> cells{"  " + c->label(), seconds_text(time.median), seconds_text(time.low) + " - " + seconds_text(time.high) + (time.interval ? "" : "*")};
    if (cpu_time) cells.push_back(seconds_text(estimate(c->cpu_samples()).median));
    const Comparison comparison = compare_samples(r.samples_s, baseline->record().samples_s);
    cells.push_back(fixed(comparison.ratio.median, 3));
    cells.push_back(giga(flops));
    cells.push_back(rate_text(merit_per_run(r), time.median));
    const double ceiling = fma_ceiling(threads, *c);
    cells.push_back(ceiling > 0 ? percent(flops / ceiling) : "-");
    cells.push_back(scientific(r.max_relative_error) + checked_at);
    cells.push_back(c.get() == baseline ? good("verified", colour) : good("verified", colour) + ", " + comparison.verdict);
    table.row(cells);
  }
  std::string text = table.text() + details;
  if (text.find('*') != std::string::npos) text += "  * fewer than 6 samples: least and largest\n";
  return text;
}

std::string ceilings_text(const Contenders& contenders, int threads) {
  std::map<std::string, double> ceilings;
  for (const auto& c : contenders)
    if (const double ceiling = fma_ceiling(threads, *c); ceiling > 0) ceilings[c->device()] = ceiling;
  std::string text;
  for (const auto& [device, ceiling] : ceilings)
    text += (text.empty() ? "   FMA ceiling " : ", ") + giga(ceiling) + " GFLOP/s" + in_single(*contenders.front()) + (ceilings.size() > 1 ? " (" + device + ")" : "");
  return text;
}

ordered_json rows_json(const Contenders& contenders, int threads) {
  ordered_json rows = ordered_json::array();
  const Contender* baseline = baseline_of(contenders);
  for (const auto& c : contenders) {
    ordered_json row = kernel_json(c->record());
    if (c->record().verification != "failed") {
      const Estimate time = estimate(c->record().samples_s);
      const double flops = per_run(c->record().flops, c->record()) / time.median;
      row["median_s"] = time.median;
      row["low_s"] = time.low;
      row["high_s"] = time.high;
      row["cpu_samples_s"] = c->cpu_samples();
      row["flop_per_s"] = flops;
      if (!row["merit"].is_null()) row["merit"]["per_s"] = merit_per_run(c->record()).count / time.median;
      if (const double ceiling = fma_ceiling(threads, *c); ceiling > 0) {
        row["fma_flop_per_s"] = ceiling;
        row["fma_fraction"] = flops / ceiling;
      }
      const Comparison comparison = compare_samples(c->record().samples_s, baseline->record().samples_s);
      row["ratio"] = {{"median", comparison.ratio.median}, {"low", comparison.ratio.low}, {"high", comparison.ratio.high}};
      row["verdict"] = c.get() == baseline ? "baseline" : comparison.verdict;
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace suite::app
