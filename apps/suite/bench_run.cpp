// SPDX-License-Identifier: BSD-3-Clause
#include "bench_run.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <iostream>
#include <optional>
#include <set>

#include "common/json_text.hpp"
#include "common/machine.hpp"
#include "common/near.hpp"
#include "measure/ceilings.hpp"
#include "measure/generated_arguments.hpp"
#include "measure/installed.hpp"
#include "bench_forecast.hpp"
#include "bench_plan.hpp"
#include "bench_resume.hpp"
#include "documents.hpp"
#include "result_folder.hpp"
#include "rows.hpp"
#include "session.hpp"
#include "table.hpp"

namespace suite::app {
namespace {

// A block that was skipped.
struct NotRun {
  std::string kernel, size;
  int threads = 0;
  std::string why;
};

struct BenchResult {
  static constexpr const char* schema = "suite-bench-1";
  std::vector<RowBlock> blocks;
  std::vector<NotRun> not_run;
  std::string preset;
  std::optional<std::vector<std::string>> resumed;
};

struct BenchPlan {
  struct PlannedBlock {
    std::string kernel, size;
    int threads = 1;
    std::vector<std::string> candidates;
    std::vector<std::pair<std::string, int64_t>> extents;
    double memory_B = 0, flops = 0, bytes = 0, about_s = 0;
    std::string from;
  };
  std::vector<PlannedBlock> blocks;
  double memory_B = 0, about_s = 0;
};

}  // namespace

// clang-format off
template <> inline constexpr auto fields<NotRun> = std::tuple{
    Field{&NotRun::kernel,  "kernel",  "", "", name_limits},
    Field{&NotRun::size,    "size",    "", "", not_empty},
    Field{&NotRun::threads, "threads", "", "", count_limits},
    Field{&NotRun::why,     "why",     "", "", not_empty},
};
template <> inline constexpr auto fields<BenchResult> = std::tuple{
    Field{&BenchResult::blocks,  "blocks",  "", "implementations on the same arguments"},
    Field{&BenchResult::not_run, "not_run", "", ""},
    Field{&BenchResult::preset,  "preset",  "", "", {.least = 1, .omit_empty = true}},
    Field{&BenchResult::resumed, "resumed", "", "when the run was resumed", {.items_not_empty = true}},
};
template <> inline constexpr auto fields<BenchPlan::PlannedBlock> = std::tuple{
    Field{&BenchPlan::PlannedBlock::kernel,     "kernel",     "", "", name_limits},
    Field{&BenchPlan::PlannedBlock::size,       "size",       "", "", not_empty},
    Field{&BenchPlan::PlannedBlock::threads,    "threads",    "", "", counting},
    Field{&BenchPlan::PlannedBlock::candidates, "contenders", "", "", {.items_not_empty = true}},
    Field{&BenchPlan::PlannedBlock::extents,    "extents",    "", "extents in the shapes of the arguments", {.low = 0}},
    Field{&BenchPlan::PlannedBlock::memory_B,   "memory_B",   "B", "", amount_limits},
    Field{&BenchPlan::PlannedBlock::flops,      "flops",      "flop", "", amount_limits},
    Field{&BenchPlan::PlannedBlock::bytes,      "bytes",      "B", "", amount_limits},
    Field{&BenchPlan::PlannedBlock::about_s,    "about_s",    "s", "0: unknown", amount_limits},
    Field{&BenchPlan::PlannedBlock::from,       "from",       "", "earlier run on which it is based; counted: estimated from flops and bytes"},
};
template <> inline constexpr auto fields<BenchPlan> = std::tuple{
    Constant{"schema", "suite-plan-1"},
    Field{&BenchPlan::blocks,   "blocks",   "", "", {.least = 1}},
    Field{&BenchPlan::memory_B, "memory_B", "B", "of the largest arguments", amount_limits},
    Field{&BenchPlan::about_s,  "about_s",  "s", "", amount_limits},
};
// clang-format on

SchemaObject bench_schema() { return measured_schema<BenchResult>(); }
SchemaObject plan_schema() { return schema_of<BenchPlan>(); }

namespace {

constexpr double half_minute_s = 30;  // time limit of the reference, and of the samples of a block, if no limit is set

// The remaining time, and a block's share of it.
class Clock {
public:
  explicit Clock(const Arguments& arguments)
      : begin_s_(wall_s()), limit_s_(static_cast<double>(arguments.number("--time-limit", 0, 1, 1000000))) {}
  bool limited() const { return limit_s_ > 0; }
  double left_s() const { return limited() ? limit_s_ - (wall_s() - begin_s_) : INFINITY; }
  // Share of the remaining time for one block's reference, and for its samples: twice an equal share, because most need less.
  double share_s(size_t blocks) const { return std::min(half_minute_s, 2 * std::max(0.0, left_s()) / static_cast<double>(blocks)); }

private:
  double begin_s_, limit_s_;
};

class Benchmark {
public:
  Benchmark(const Arguments& arguments, ResultFolder& kept, Finished finished)
      : arguments_(arguments),
        kept_(kept),
        finished_(std::move(finished)),
        clock_(arguments),
        repeat_(repeat_of(arguments)),
        seed_(seed_of(arguments)),
        print_(prints(arguments)),
        begin_threads_(threads_in_use()) {}

  int run() {
    const auto all = plan_blocks(arguments_);
    std::vector<Block> blocks;
    for (const auto& block : all)
      if (!finished_.has(block.kernel, block.size, threads_of(block))) blocks.push_back(block);
    blocks_ = finished_.blocks;
    failed_ = finished_.failed;
    if (print_ && !blocks_.empty())
      std::cout << blocks_.size() << " of " << all.size() << " blocks are finished; " << blocks.size() << " to go\n\n";
    for (size_t i = 0; i < blocks.size(); ++i) {
      if (const std::string why = clock_.left_s() > 0 ? measure(blocks[i], blocks.size() - i) : "no time left"; !why.empty())
        leave(blocks[i], why);
      else kept_.save(body());
    }
    // If nothing could be measured, the first error is the error of the run.
    if (blocks_.empty() && trouble_) std::rethrow_exception(trouble_);
    if (print_ && !not_run_.empty()) std::cout << "not run:\n" << left_ << "\n";
    return kept_.end(body(), failed_);
  }

private:
  int threads_of(const Block& block) const { return block.threads > 0 ? block.threads : begin_threads_; }

  nlohmann::ordered_json body() const {
    BenchResult result{blocks_, not_run_, arguments_.get("--preset"), {}};
    if (!finished_.folder.empty()) result.resumed = finished_.resumed;
    return json_of(result);
  }

  void leave(const Block& block, const std::string& why) {
    not_run_.push_back({block.kernel, block.size, threads_of(block), why});
    left_ += "  " + block.name() + ": " + why + "\n";
  }

  // Returns why the block was not measured, or "". An error of one block, such as too little memory or a missing implementation, does not
  // stop the others.
  std::string measure(const Block& block, size_t blocks_left) {
    if (block.threads > 0) use_threads(block.threads, 1);
    try {
      return measure_within(block, clock_.share_s(blocks_left));
    } catch (const Failure& failure) {
      if (failure.status() != SUITE_OUT_OF_MEMORY && failure.status() != SUITE_NOT_FOUND) throw;
      if (!trouble_) trouble_ = std::current_exception();
      return failure.what();
    }
  }

  std::string measure_within(const Block& block, double share_s) {
    const double begin_s = wall_s();
    std::vector<LeftOut> left_out;
    Candidates candidates = make_candidates(arguments_, block.kernel, implementations_beside_reference(block.kernel), left_out);
    if (clock_.limited()) {
      if (!forecast_) forecast_.emplace();
      const suite_cost cost = needs_of(block.kernel, block.size, seed_).cost;
      const auto about = forecast_->of(block, cost, static_cast<int>(candidates.size()), repeat_, share_s);
      if (about.seconds > clock_.left_s())
        return "would take about " + seconds_text(about.seconds) + "; " + seconds_text(std::max(0.0, clock_.left_s())) + " were left";
    }
    GeneratedArguments generated(block.kernel, block.size, seed_);
    const auto time_is_up = [this] { return clock_.left_s() <= 0; };
    Progress progress(print_);
    const std::string checked_at = verify_generated(candidates, block.kernel, generated, seed_, are_named(arguments_) ? nullptr : &left_out,
                                                    progress, share_s, time_is_up);
    if (time_is_up()) return "the time limit was reached during verification" + found_wrong(candidates);
    const Rounds rounds = sample_in_turns(candidates, repeat_, progress, share_s, time_is_up);
    if (rounds.cut() && !any_sampled(candidates)) return "the time limit was reached during warm-up" + found_wrong(candidates);
    keep(block, generated, candidates, left_out, checked_at, rounds, begin_s);
    return "";
  }

  // A block that is discarded may already have shown a wrong result: it is reported and makes the run fail nevertheless.
  std::string found_wrong(const Candidates& candidates) {
    std::string text;
    for (const auto& c : candidates)
      if (c->record().failed()) text += "; " + c->label() + " FAILED: " + c->record().verification.detail;
    failed_ = failed_ || !text.empty();
    return text;
  }

  void keep(const Block& block, GeneratedArguments& generated, const Candidates& candidates, const std::vector<LeftOut>& left_out,
            const std::string& checked_at, const Rounds& rounds, double begin_s) {
    const int threads = threads_of(block);
    for (const auto& c : candidates) kept_.used(c->record());
    conclude(candidates, threads);
    const std::string rows = rows_text(candidates, threads, checked_at, failed_),
                      ended_early = rounds.cut() ? "the time limit was reached " + rounds.text() : "";
    if (print_)
      std::cout << block.kernel << "   size " << block.size << "   " << counted(threads, "thread") << ceilings_text(candidates, threads)
                << "\n"
                << rows << (rounds.cut() ? "  " + ended_early + "\n" : "") << left_out_text(left_out) << "\n"
                << std::flush;
    RowBlock kept;
    kept.kernel = block.kernel;
    kept.size = block.size;
    kept.seed = seed_;
    kept.threads = threads;
    kept.verified_at = checked_at.empty() ? block.size : "small";
    kept.fma_flop_per_s = fma_ceiling(threads, "cpu", generated.is_single());
    kept.rows = rows_of(candidates);
    kept.left_out = left_out;
    kept.ended_early = ended_early;
    kept.wall_s = wall_s() - begin_s;
    blocks_.push_back(std::move(kept));
  }

  const Arguments& arguments_;
  ResultFolder& kept_;
  Finished finished_;
  Clock clock_;
  std::optional<Forecast> forecast_;  // only with a time limit: it reads all earlier results
  long repeat_;
  uint64_t seed_;
  bool print_, failed_ = false;
  std::exception_ptr trouble_;  // the first error
  int begin_threads_;
  std::string left_;
  std::vector<RowBlock> blocks_;
  std::vector<NotRun> not_run_;
};

// The topic in the folder's name.
std::string topic(const Arguments& arguments) {
  if (arguments.has("--preset")) return arguments.get("--preset");
  return arguments.positional().empty() ? "all" : arguments.positional()[0];
}

}  // namespace

int run_benchmark(const Arguments& arguments) {
  plan_blocks(arguments);  // report errors before creating a folder
  ResultFolder kept(arguments, BenchResult::schema, topic(arguments));
  return Benchmark(arguments, kept, {}).run();
}

int resume_benchmark(const Arguments& given) {
  Finished finished = read_finished(given);
  const Arguments arguments = with_preset(Arguments::parse(finished.words));
  apply_environment(arguments);
  // As before, whatever the environment sets now.
  if (!arguments.has("--threads")) use_threads(finished.threads, 1);
  require_device(arguments);
  plan_blocks(arguments);
  ResultFolder kept(arguments, BenchResult::schema, finished.folder, finished.started);
  return Benchmark(arguments, kept, finished).run();
}

int report_plan(const Arguments& arguments) {
  const auto blocks = plan_blocks(arguments);
  const long repeat = repeat_of(arguments);
  const uint64_t seed = seed_of(arguments);
  const Forecast forecast;
  Table table;
  table.header({"  block", "implementations", "memory", "about", "from"});
  for (size_t column : {1, 2, 3}) table.right(column);
  BenchPlan plan;
  std::set<std::string> left;
  std::exception_ptr trouble;
  for (const auto& block : blocks) {
    if (block.threads > 0) use_threads(block.threads, 1);
    const Needs needs = needs_of(block.kernel, block.size, seed);
    std::vector<LeftOut> left_out;
    Candidates candidates;
    try {
      candidates = make_candidates(arguments, block.kernel, implementations_beside_reference(block.kernel), left_out);
    } catch (const Failure& failure) {
      if (failure.status() != SUITE_NOT_FOUND) throw;
      if (!trouble) trouble = std::current_exception();
      left.insert("  " + block.name() + " left out: " + failure.what() + "\n");
      continue;
    }
    for (const auto& l : left_out) left.insert("  " + l.implementation + " left out: " + l.why + "\n");
    const auto about = forecast.of(block, needs.cost, static_cast<int>(candidates.size()), repeat, Clock(arguments).share_s(blocks.size()));
    plan.memory_B = std::max(plan.memory_B, needs.memory_B);
    plan.about_s += about.seconds;
    table.row({"  " + block.name(), std::to_string(candidates.size()), bytes_text(needs.memory_B),
               about.seconds > 0 ? seconds_text(about.seconds) : "-", about.from});
    std::vector<std::string> labels;
    for (const auto& c : candidates) labels.push_back(c->label());
    plan.blocks.push_back({block.kernel, block.size, block.threads > 0 ? block.threads : threads_in_use(), labels, needs.extents,
                           needs.memory_B, needs.cost.flops, needs.cost.bytes, about.seconds, about.from});
  }
  if (plan.blocks.empty() && trouble) std::rethrow_exception(trouble);
  if (!print_document(arguments, json_of(plan))) {
    std::cout << wrapped(counted(static_cast<long>(plan.blocks.size()), "block") +
                             ", nothing was run. Largest arguments: " + bytes_text(plan.memory_B) + " of " +
                             bytes_text(static_cast<double>(machine().memory_B)) + ". Time: about " + seconds_text(plan.about_s) + ".",
                         0)
              << "\n"
              << table.text();
    for (const auto& line : left) std::cout << line;
    std::cout << wrapped(
        "counted: estimated from flops and bytes, usually within a factor of three. An earlier run in results/ gives a better estimate.",
        2);
  }
  return 0;
}

}  // namespace suite::app
