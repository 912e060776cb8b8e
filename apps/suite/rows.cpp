// SPDX-License-Identifier: BSD-3-Clause
#include "rows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>

#include <fmt/core.h>

#include "common/machine.hpp"
#include "measure/ceilings.hpp"
#include "measure/idle_threads.hpp"
#include "measure/statistics.hpp"
#include "exit_codes.hpp"
#include "session.hpp"
#include "table.hpp"

namespace suite::app {

namespace {

// A candidate that cannot run at all does not stop the others.
template <class F> void run_or_fail(Candidate& candidate, F&& run) {
  try {
    run();
  } catch (const Failure& failure) { candidate.accept({"failed", INFINITY, failure.what()}); }
}

}  // namespace

void verify_all(Candidates& candidates, const SetArguments& set, Truth& truth, Progress& progress, const SeenOutputs& seen,
                const Enough& enough) {
  long done = 0;
  progress.start("verified", std::ssize(candidates));
  for (auto& candidate : candidates) {
    if (enough()) break;
    const auto& expected = truth.of(*candidate);
    run_or_fail(*candidate, [&] {
      const auto found = candidate->first_run(set);
      candidate->accept(verify(candidate->kernel(), expected, found));
      if (seen) seen(*candidate, found);
    });
    progress.advance(++done);
  }
  progress.finish();
}

namespace {

// The work that the run time scales with. Some kernels only move data.
double work_of(const suite_cost& cost) { return std::max(1.0, cost.flops > 0 ? cost.flops : cost.bytes); }

// times: expected time of a run on the arguments relative to the first run.
void leave_out_slow(Candidates& candidates, double times, std::vector<LeftOut>& left_out) {
  constexpr double long_s = 6, slower = 10;
  double fastest = INFINITY;
  for (const auto& c : candidates)
    if (!c->record().failed()) fastest = std::min(fastest, c->first_run_s());
  std::erase_if(candidates, [&](const auto& c) {
    const double run_s = c->first_run_s() * times;
    if (c->record().failed() || run_s < long_s || c->first_run_s() < slower * fastest) return false;
    left_out.push_back({c->label(), "a run would take about " + seconds_text(run_s) + "; select it with --implementations to time it"});
    return true;
  });
}

}  // namespace

std::string verify_generated(Candidates& candidates, const std::string& kernel, GeneratedArguments& generated, uint64_t seed,
                             std::vector<LeftOut>* left_out, Progress& progress, double longest_reference_s, const Enough& enough) {
  const SetArguments set = generated.setter();
  GeneratedArguments small(kernel, generated.small_size(), seed);
  Candidate reference(kernel, "reference", "");
  const double begin = wall_s();
  reference.first_run(small.setter());
  const double small_s = wall_s() - begin, times = work_of(generated.owner().cost()) / work_of(reference.kernel().cost());
  // For arguments smaller than "small", verifying at "small" would take longer.
  const bool here = small_s * times <= longest_reference_s;
  if (!here || (left_out && times > 1)) {
    Truth truth(kernel, small.setter());
    verify_all(candidates, small.setter(), truth, progress, {}, enough);
    if (left_out) leave_out_slow(candidates, times, *left_out);
  }
  if (here) {
    for (auto& candidate : candidates) candidate->kernel().forget();
    Truth truth(kernel, set);
    verify_all(candidates, set, truth, progress, {}, enough);
    return "";
  }
  long done = 0;
  progress.start("first runs", std::ssize(candidates));
  for (auto& candidate : candidates) {
    if (!candidate->record().failed() && !enough())
      run_or_fail(*candidate, [&] {
        candidate->kernel().forget();
        candidate->first_run(set);
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

namespace {

// Returns whether the round was complete.
template <class Settle> bool sample_round(const std::vector<Candidate*>& candidates, const Settle& settle, const Enough& enough) {
  for (auto* candidate : candidates) {
    if (enough()) return false;
    settle();
    candidate->sample();
  }
  return true;
}

}  // namespace

std::string Rounds::text() const { return fmt::format("after {} of {}", whole, counted(wanted, "round")); }

Rounds sample_in_turns(Candidates& candidates, long repeat, Progress& progress, double budget_s, const Enough& enough) {
  constexpr long usual = 11, least = 6;
  std::vector<Candidate*> right;
  for (auto& candidate : candidates)
    if (!candidate->record().failed()) right.push_back(candidate.get());
  // No candidate is timed while threads of the previous one run; if those never sleep, waiting again is pointless.
  bool idle = true;
  const auto settle = [&] { idle = idle && (right.size() == 1 || wait_for_idle_threads()); };
  for (bool cold = true; cold;) {
    cold = false;
    for (auto* candidate : right) {
      settle();
      cold = (!enough() && candidate->warm_up_turn()) || cold;
    }
  }
  if (repeat == 0) {
    double round_s = 0;
    for (const auto* candidate : right) round_s += candidate->estimated_sample_s();
    repeat = std::clamp(static_cast<long>(budget_s / std::max(round_s, 1e-9)), least, usual);
  }
  Rounds rounds{0, repeat};
  progress.start("samples", repeat);
  while (rounds.cut() && sample_round(right, settle, enough)) {
    std::reverse(right.begin(), right.end());
    progress.advance(++rounds.whole);
  }
  progress.finish();
  for (auto* candidate : right) candidate->conclude();
  return rounds;
}

bool any_sampled(const Candidates& candidates) {
  return std::any_of(candidates.begin(), candidates.end(), [](const auto& c) { return !c->record().samples_s.empty(); });
}

namespace {

const Candidate* baseline_of(const Candidates& candidates) {
  for (const auto& c : candidates)
    if (!c->record().failed()) return c.get();
  return nullptr;
}

}  // namespace

void conclude(const Candidates& candidates, int threads) {
  const Candidate* baseline = baseline_of(candidates);
  for (const auto& c : candidates) {
    Row& row = c->record();
    if (row.failed() || row.samples_s.empty()) continue;
    if (const double ceiling = fma_ceiling(threads, *c); ceiling > 0) {
      row.fma_flop_per_s = ceiling;
      row.fma_fraction = *row.flop_per_s / ceiling;
      if (const double of_cpu = fma_fraction_of_cpu(threads, *c); of_cpu > 0) row.fma_fraction_of_cpu_time = of_cpu;
    }
    const Comparison comparison = compare_samples(row.samples_s, baseline->record().samples_s);
    row.ratio = interval_of(comparison);
    row.verdict = c.get() == baseline ? "baseline" : comparison.verdict;
  }
}

std::vector<Row> rows_of(const Candidates& candidates) {
  std::vector<Row> rows;
  for (const auto& c : candidates) rows.push_back(c->record());
  return rows;
}

namespace {

// "0.712 (0.704 - 0.733)": the ratio and its 95 % interval, with at least three digits.
std::string ratio_text(const Interval& ratio) {
  const int decimals = ratio.median > 0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(ratio.median))), 3, 6) : 3;
  return fixed(ratio.median, decimals) + " (" + fixed(ratio.low, decimals) + " - " + fixed(ratio.high, decimals) + ")";
}

std::string interval_text(const Estimate& time) {
  return seconds_text(time.low) + " - " + seconds_text(time.high) + (time.interval ? "" : "*");
}

// below a microsecond there is nothing to prepare or transfer
constexpr double noticed_s = 1e-6;

std::string seconds_or_none(double seconds) { return seconds >= noticed_s ? seconds_text(seconds) : "-"; }

// Columns dropped on a narrow terminal, in this order.
constexpr const char* may_go[] = {"max rel err", "GFLOP/s", "FMA by CPU time", "CPU time",        "prepare",
                                  "transfers",   "energy",  "95 % interval",   "figure of merit", "FMA"};

// The content of a column for a timed row.
struct Column {
  const char* head;
  std::function<std::string(const Row&)> cell;
};

bool waited(const Candidate& candidate) { return candidate.waited() > waits_noticeably; }  // false if unknown

std::vector<Column> columns_of(const Candidates& candidates, const std::string& checked_at) {
  using R = const Row&;
  const auto any = [&](auto has) { return std::any_of(candidates.begin(), candidates.end(), [&](const auto& c) { return has(*c); }); };
  const auto transfers = [](R r) { return *r.upload_s + *r.download_s; };
  const auto measured = [](R r) { return r.energy_J && !r.energy_J->empty(); };
  std::vector<Column> columns{{"time", [](R r) { return seconds_text(r.time->median); }},
                              {"95 % interval", [](R r) { return interval_text(*r.time); }}};
  columns.push_back({"CPU time", [](R r) { return seconds_text(estimate(r.cpu_samples_s).median); }});
  if (any([](const Candidate& c) { return c.overheads().prepare_s >= noticed_s; }))
    columns.push_back({"prepare", [](R r) { return seconds_or_none(*r.prepare_s); }});
  if (any([](const Candidate& c) { return c.overheads().upload_s + c.overheads().download_s >= noticed_s; }))
    columns.push_back({"transfers", [=](R r) { return seconds_or_none(transfers(r)); }});
  columns.push_back({"ratio", [](R r) { return r.verdict == "baseline" ? "1" : ratio_text(*r.ratio); }});
  columns.push_back({"GFLOP/s", [](R r) { return giga(r.flops_per_run() / r.time->median); }});
  columns.push_back({"figure of merit", [](R r) { return rate_text(r.merit_per_run(), r.time->median); }});
  columns.push_back({"FMA", [](R r) { return r.fma_fraction ? of_ceiling(*r.fma_fraction) : "-"; }});
  if (any(waited))
    columns.push_back({"FMA by CPU time", [](R r) { return r.fma_fraction_of_cpu_time ? percent(*r.fma_fraction_of_cpu_time) : "-"; }});
  if (any([&](const Candidate& c) { return measured(c.record()); }))
    columns.push_back({"energy", [=](R r) { return measured(r) ? joules_text(estimate(*r.energy_J).median) : "-"; }});
  columns.push_back({"max rel err", [=](R r) { return scientific(r.verification.max_relative_error) + checked_at; }});
  return columns;
}

}  // namespace

std::string waiting_text(const Candidates& candidates, int threads) {
  std::string text;
  for (const auto& c : candidates) {
    if (!waited(*c)) continue;
    const double fraction = fma_fraction_of_cpu(threads, *c);
    text += wrapped("! " + c->label() + ": its threads waited for a core " + percent(c->waited()) + " of the time; by CPU time it takes " +
                        seconds_text(estimate(c->record().cpu_samples_s).median) +
                        (fraction > 0 ? " and reaches " + percent(fraction) + " of the FMA ceiling" : ""),
                    2);
  }
  return text;
}

std::string first_calls_text(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) {
    if (row.backend == "cpu" || row.backend == "emulated" || row.failed() || row.samples_s.size() < 2) continue;
    const double first = row.samples_s.front(), longest = *std::max_element(row.samples_s.begin() + 1, row.samples_s.end());
    if (first < 4 * longest || first < 0.5 * row.total_s()) continue;
    text += wrapped("! " + row.kernel + ": " + seconds_text(first) + " of its " + seconds_text(row.total_s()) +
                        " are the first call, in which code for the device is compiled or loaded; the others take at most " +
                        seconds_text(longest),
                    1);
  }
  return text;
}

std::string rows_text(const Candidates& candidates, int threads, const std::string& checked_at, bool& failed) {
  const bool colour = colour_on_stdout();
  const std::vector<Column> columns = columns_of(candidates, checked_at);
  Table table;
  std::vector<std::string> head{"  implementation"};
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
  for (const auto& c : candidates) {
    const Row& r = c->record();
    std::vector<std::string> cells{"  " + c->label()};
    if (r.failed() || r.samples_s.empty()) {
      const bool wrong = r.failed();
      failed = failed || wrong;
      cells.resize(head.size() - 2, "-");
      cells.push_back(scientific(r.verification.max_relative_error) + (wrong ? "" : checked_at));
      cells.push_back(wrong ? bad("FAILED", colour) : good("verified", colour) + ", not timed");
      if (wrong) details += "  " + c->label() + " FAILED: " + r.verification.detail + "\n";
    } else {
      for (const auto& column : columns) cells.push_back(column.cell(r));
      cells.push_back(r.verdict == "baseline" ? good("verified", colour) : good("verified", colour) + ", " + r.verdict);
      few = few || !r.time->interval;
    }
    table.row(cells);
  }
  return explained(table.text()) + details + waiting_text(candidates, threads) +
         (few ? "  * fewer than 6 samples: minimum and maximum\n" : "");
}

std::string ceilings_text(const Candidates& candidates, int threads) {
  std::map<std::string, double> ceilings;
  for (const auto& c : candidates)
    if (const double ceiling = fma_ceiling(threads, *c); ceiling > 0) ceilings[c->device()] = ceiling;
  std::string text;
  for (const auto& [device, ceiling] : ceilings)
    text += (text.empty() ? "   FMA ceiling " : ", ") + giga(ceiling) + (ceilings.size() > 1 ? " (" + device + ")" : "");
  return text.empty() ? "" : text + " GFLOP/s" + in_single(*candidates.front());
}

}  // namespace suite::app
