// SPDX-License-Identifier: BSD-3-Clause
#include "rows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>

#include <nlohmann/json.hpp>

#include "common/idle_threads.hpp"
#include "common/machine.hpp"
#include "common/result.hpp"
#include "common/statistics.hpp"
#include "ceilings.hpp"
#include "exit_codes.hpp"
#include "session.hpp"
#include "table.hpp"

namespace suite::app {

using nlohmann::ordered_json;

namespace {

// One that cannot run at all takes no other's row away.
template <class F> void run_or_fail(Contender& contender, F&& run) {
  try {
    run();
  } catch (const Failure& failure) {
    contender.accept({"failed", INFINITY, failure.what()});
  }
}

}  // namespace

void verify_all(Contenders& contenders, const SetArguments& set, Truth& truth, Progress& progress, const SeenOutputs& seen, const Enough& enough) {
  long done = 0;
  progress.start("verified", std::ssize(contenders));
  for (auto& contender : contenders) {
    if (enough()) break;
    const auto& expected = truth.of(*contender);
    run_or_fail(*contender, [&] {
      const auto found = contender->first_run(set);
      contender->accept(verify(contender->kernel(), expected, found));
      if (seen) seen(*contender, found);
    });
    progress.advance(++done);
  }
  progress.finish();
}

namespace {

// What the time of a run grows with. Some kernels only move data.
double work_of(const suite_cost& cost) { return std::max(1.0, cost.flops > 0 ? cost.flops : cost.bytes); }

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
                             std::vector<LeftOut>* left_out, Progress& progress, double longest_reference_s, const Enough& enough) {
  const SetArguments set = generated.setter();
  GeneratedArguments small(kernel, generated.small_size(), seed);
  Contender reference(kernel, "reference", "");
  const double begin = wall_s();
  reference.first_run(small.setter());
  const double small_s = wall_s() - begin, times = work_of(generated.owner().cost()) / work_of(reference.kernel().cost());
  // Where the arguments are smaller than "small", that would only take longer.
  const bool here = small_s * times <= longest_reference_s;
  if (!here || (left_out && times > 1)) {
    Truth truth(kernel, small.setter());
    verify_all(contenders, small.setter(), truth, progress, {}, enough);
    if (left_out) leave_out_slow(contenders, times, *left_out);
  }
  if (here) {
    for (auto& contender : contenders) contender->kernel().forget();
    Truth truth(kernel, set);
    verify_all(contenders, set, truth, progress, {}, enough);
    return "";
  }
  long done = 0;
  progress.start("first runs", std::ssize(contenders));
  for (auto& contender : contenders) {
    if (contender->record().verification != "failed" && !enough())
      run_or_fail(*contender, [&] {
        contender->kernel().forget();
        contender->first_run(set);
      });
    progress.advance(++done);
  }
  progress.finish();
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

std::string Rounds::text() const { return "after " + std::to_string(whole) + " of " + counted(wanted, "round"); }

Rounds sample_in_turns(Contenders& contenders, long repeat, Progress& progress, double budget_s, const Enough& enough) {
  constexpr long usual = 11, least = 6;
  std::vector<Contender*> right;
  for (auto& contender : contenders)
    if (contender->record().verification != "failed") right.push_back(contender.get());
  // Nobody is timed beside the last one's threads; where they never sleep there is no point in waiting again.
  bool idle = true;
  const auto settle = [&] { idle = idle && (right.size() == 1 || wait_for_idle_threads()); };
  for (bool cold = true; cold;) {
    cold = false;
    for (auto* contender : right) {
      settle();
      cold = (!enough() && contender->warm_up_turn()) || cold;
    }
  }
  if (repeat == 0) {
    double round_s = 0;
    for (const auto* contender : right) round_s += contender->estimated_sample_s();
    repeat = std::clamp(static_cast<long>(budget_s / std::max(round_s, 1e-9)), least, usual);
  }
  progress.start("samples", repeat);
  for (long round = 0; round < repeat; ++round) {
    for (auto* contender : right) {
      if (enough()) {
        progress.finish();
        return {round, repeat};
      }
      settle();
      contender->sample();
    }
    std::reverse(right.begin(), right.end());
    progress.advance(round + 1);
  }
  progress.finish();
  return {repeat, repeat};
}

bool any_sampled(const Contenders& contenders) {
  return std::any_of(contenders.begin(), contenders.end(), [](const auto& c) { return !c->record().samples_s.empty(); });
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

namespace {

// "0.712 (0.704 - 0.733)": the second and third number are the ends of the 95 % interval. Three digits at least.
std::string ratio_text(const Estimate& ratio) {
  const int decimals = ratio.median > 0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(ratio.median))), 3, 6) : 3;
  return fixed(ratio.median, decimals) + " (" + fixed(ratio.low, decimals) + " - " + fixed(ratio.high, decimals) + ")";
}

std::string interval_text(const Estimate& time) { return seconds_text(time.low) + " - " + seconds_text(time.high) + (time.interval ? "" : "*"); }

// Below a microsecond there is nothing to prepare or to bring anywhere.
constexpr double noticed_s = 1e-6;

std::string seconds_or_none(double seconds) { return seconds >= noticed_s ? seconds_text(seconds) : "-"; }

// What a narrow terminal goes without, in this order.
constexpr const char* may_go[] = {"max rel err", "GFLOP/s", "FMA by CPU time", "CPU time", "prepare", "transfers", "energy", "95 % interval", "figure of merit", "FMA"};

// What a column shows of a contender that is not found wrong.
struct Column {
  const char* head;
  std::function<std::string(const Contender&, const Estimate& time, const Comparison&)> cell;
};

bool waited(const Contender& contender) { return contender.waited() > waits_noticeably; }  // false where it is not known

std::vector<Column> columns_of(const Contenders& contenders, int threads, const std::string& checked_at) {
  using C = const Contender&;
  using E = const Estimate&;
  const Contender* baseline = baseline_of(contenders);
  const auto any = [&](auto seconds) { return std::any_of(contenders.begin(), contenders.end(), [&](const auto& c) { return seconds(c->overheads()) >= noticed_s; }); };
  const auto prepare = [](const Overheads& o) { return o.prepare_s; };
  const auto transfers = [](const Overheads& o) { return o.upload_s + o.download_s; };
  std::vector<Column> columns{{"time", [](C, E time, auto&) { return seconds_text(time.median); }},
                              {"95 % interval", [](C, E time, auto&) { return interval_text(time); }}};
  columns.push_back({"CPU time", [](C c, E, auto&) { return seconds_text(estimate(c.cpu_samples()).median); }});
  if (any(prepare)) columns.push_back({"prepare", [=](C c, E, auto&) { return seconds_or_none(prepare(c.overheads())); }});
  if (any(transfers)) columns.push_back({"transfers", [=](C c, E, auto&) { return seconds_or_none(transfers(c.overheads())); }});
  columns.push_back({"ratio", [=](C c, E, const Comparison& comparison) { return &c == baseline ? "1" : ratio_text(comparison.ratio); }});
  columns.push_back({"GFLOP/s", [](C c, E time, auto&) { return giga(per_run(c.record().flops, c.record()) / time.median); }});
  columns.push_back({"figure of merit", [](C c, E time, auto&) { return rate_text(merit_per_run(c.record()), time.median); }});
  columns.push_back({"FMA", [=](C c, E time, auto&) {
                       const double ceiling = fma_ceiling(threads, c);
                       return ceiling > 0 ? of_ceiling(per_run(c.record().flops, c.record()) / time.median / ceiling) : "-";
                     }});
  if (std::any_of(contenders.begin(), contenders.end(), [](const auto& c) { return waited(*c); }))
    columns.push_back({"FMA by CPU time", [=](C c, E, auto&) {
                         const double fraction = fma_fraction_of_cpu(threads, c);
                         return fraction > 0 ? percent(fraction) : "-";
                       }});
  const auto measured = [](const Contender& c) { return !c.record().energy_J.empty(); };
  if (std::any_of(contenders.begin(), contenders.end(), [&](const auto& c) { return measured(*c); }))
    columns.push_back({"energy", [=](C c, E, auto&) { return measured(c) ? joules_text(estimate(c.record().energy_J).median) : "-"; }});
  columns.push_back({"max rel err", [=](C c, E, auto&) { return scientific(c.record().max_relative_error) + checked_at; }});
  return columns;
}

}  // namespace

std::string waiting_text(const Contenders& contenders, int threads) {
  std::string text;
  for (const auto& c : contenders) {
    if (!waited(*c)) continue;
    const double fraction = fma_fraction_of_cpu(threads, *c);
    text += wrapped("! " + c->label() + ": its threads waited for a core for " + percent(c->waited()) + " of the time; by CPU time it takes " +
                        seconds_text(estimate(c->cpu_samples()).median) + (fraction > 0 ? " and reaches " + percent(fraction) + " of the FMA ceiling" : ""),
                    2);
  }
  return text;
}

std::string rows_text(const Contenders& contenders, int threads, const std::string& checked_at, bool& failed) {
  const bool colour = colour_on_stdout();
  const Contender* baseline = baseline_of(contenders);
  const std::vector<Column> columns = columns_of(contenders, threads, checked_at);
  Table table;
  std::vector<std::string> head{"  contender"};
  for (const auto& column : columns) {
    table.right(head.size());
    head.push_back(column.head);
  }
  head.push_back("verdict");
  for (const char* name : may_go)
    if (const auto at = std::find(head.begin(), head.end(), name); at != head.end()) table.may_go(static_cast<size_t>(at - head.begin()));
  table.header(head);
  std::string details;
  bool few = false;
  for (const auto& c : contenders) {
    const KernelRecord& r = c->record();
    std::vector<std::string> cells{"  " + c->label()};
    if (r.verification == "failed" || r.samples_s.empty()) {
      const bool wrong = r.verification == "failed";
      failed = failed || wrong;
      cells.resize(head.size() - 2, "-");
      cells.push_back(scientific(r.max_relative_error) + (wrong ? "" : checked_at));
      cells.push_back(wrong ? bad("FAILED", colour) : good("verified", colour) + ", not timed");
      if (wrong) details += "  " + c->label() + " FAILED: " + r.detail + "\n";
    } else {
      const Estimate time = estimate(r.samples_s);
      const Comparison comparison = compare_samples(r.samples_s, baseline->record().samples_s);
      for (const auto& column : columns) cells.push_back(column.cell(*c, time, comparison));
      cells.push_back(c.get() == baseline ? good("verified", colour) : good("verified", colour) + ", " + comparison.verdict);
      few = few || !time.interval;
    }
    table.row(cells);
  }
  return explained(table.text()) + details + waiting_text(contenders, threads) + (few ? "  * fewer than 6 samples: least and largest\n" : "");
}

std::string ceilings_text(const Contenders& contenders, int threads) {
  std::map<std::string, double> ceilings;
  for (const auto& c : contenders)
    if (const double ceiling = fma_ceiling(threads, *c); ceiling > 0) ceilings[c->device()] = ceiling;
  std::string text;
  for (const auto& [device, ceiling] : ceilings)
    text += (text.empty() ? "   FMA ceiling " : ", ") + giga(ceiling) + (ceilings.size() > 1 ? " (" + device + ")" : "");
  return text.empty() ? "" : text + " GFLOP/s" + in_single(*contenders.front());
}

ordered_json comparison_json(const Comparison& c) {
  return {{"median", c.ratio.median}, {"low", c.ratio.low}, {"high", c.ratio.high}, {"p", c.p}};
}

ordered_json rows_json(const Contenders& contenders, int threads) {
  ordered_json rows = ordered_json::array();
  const Contender* baseline = baseline_of(contenders);
  for (const auto& c : contenders) {
    ordered_json row = kernel_json(c->record());
    for (const auto& [name, value] : c->tuned()) row["tuned"][name] = value;
    if (c->record().verification != "failed" && !c->record().samples_s.empty()) {
      const Estimate time = estimate(c->record().samples_s);
      // A clock may show 0 for something very short.
      const double median_s = std::max(time.median, 1e-12), flops = per_run(c->record().flops, c->record()) / median_s;
      row["median_s"] = time.median;
      row["low_s"] = time.low;
      row["high_s"] = time.high;
      row["cpu_samples_s"] = c->cpu_samples();
      row["waited_fraction"] = std::isfinite(c->waited()) ? ordered_json(c->waited()) : ordered_json(nullptr);
      row["flop_per_s"] = flops;
      if (!row["merit"].is_null()) row["merit"]["per_s"] = merit_per_run(c->record()).count / median_s;
      if (const double ceiling = fma_ceiling(threads, *c); ceiling > 0) {
        row["fma_flop_per_s"] = ceiling;
        row["fma_fraction"] = flops / ceiling;
        if (const double of_cpu = fma_fraction_of_cpu(threads, *c); of_cpu > 0) row["fma_fraction_of_cpu_time"] = of_cpu;
      }
      row["prepare_s"] = c->overheads().prepare_s;
      row["upload_s"] = c->overheads().upload_s;
      row["download_s"] = c->overheads().download_s;
      row["warm_up_samples"] = c->warm_up_samples();
      row["samples_taken_again"] = c->samples_taken_again();
      const Comparison comparison = compare_samples(c->record().samples_s, baseline->record().samples_s);
      row["ratio"] = comparison_json(comparison);
      row["verdict"] = c.get() == baseline ? "baseline" : comparison.verdict;
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace suite::app
