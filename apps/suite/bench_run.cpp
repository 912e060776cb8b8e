// SPDX-License-Identifier: BSD-3-Clause
#include "bench_run.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <set>

#include <nlohmann/json.hpp>

#include "bench_forecast.hpp"
#include "bench_plan.hpp"
#include "bench_resume.hpp"
#include "ceilings.hpp"
#include "common/machine.hpp"
#include "common/near.hpp"
#include "result_folder.hpp"
#include "rows.hpp"
#include "session.hpp"
#include "table.hpp"

namespace suite::app {
namespace {

using nlohmann::ordered_json;

constexpr double half_minute_s =
    30;  // for the reference, and for the samples of a block, where there is no limit

uint64_t seed_of(const Arguments& arguments) {
  return static_cast<uint64_t>(arguments.number("--seed", 1, 0, 1L << 62));
}

std::vector<std::string> standard_implementations(const std::string& kernel) {
  auto names = implementations_of(kernel);
  std::erase(names, "reference");
  return names;
}

// The time that is left, and a block's share of it.
class Clock {
public:
  explicit Clock(const Arguments& arguments)
      : begin_s_(wall_s()), limit_s_(static_cast<double>(arguments.number("--time-limit", 0, 1, 1000000))) {}
  bool limited() const { return limit_s_ > 0; }
  double left_s() const { return limited() ? limit_s_ - (wall_s() - begin_s_) : INFINITY; }
  // Of what is left, for the reference and for the samples of one of so many blocks; twice its part, because
  // most take less.
  double share_s(size_t blocks) const {
    return std::min(half_minute_s, 2 * std::max(0.0, left_s()) / static_cast<double>(blocks));
  }

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
        print_(!arguments.has("--json") && !arguments.has("--quiet")),
        begin_threads_(threads_in_use()) {}

  int run() {
    const auto all = plan_blocks(arguments_);
    std::vector<Block> blocks;
    for (const auto& block : all)
      if (!finished_.has(block.kernel, block.size, threads_of(block))) blocks.push_back(block);
    blocks_ = finished_.blocks;
    failed_ = finished_.failed;
    if (print_ && !blocks_.empty())
      std::cout << blocks_.size() << " of " << all.size() << " blocks are there; " << blocks.size()
                << " to go\n\n";
    for (size_t i = 0; i < blocks.size(); ++i) {
      if (const std::string why = clock_.left_s() > 0 ? measure(blocks[i], blocks.size() - i, all.size() == 1)
                                                      : "no time is left";
          !why.empty())
        leave(blocks[i], why);
      else
        kept_.save(body());
    }
    if (print_ && !not_run_.empty()) std::cout << "not run:\n" << left_ << "\n";
    return kept_.end(body(), failed_);
  }

private:
  int threads_of(const Block& block) const { return block.threads > 0 ? block.threads : begin_threads_; }

  ordered_json body() const {
    ordered_json j{{"blocks", blocks_}, {"not_run", not_run_}};
    if (arguments_.has("--preset")) j["preset"] = arguments_.get("--preset");
    if (!finished_.folder.empty()) j["resumed"] = finished_.resumed;
    return j;
  }

  void leave(const Block& block, const std::string& why) {
    not_run_.push_back(
        {{"kernel", block.kernel}, {"size", block.size}, {"threads", threads_of(block)}, {"why", why}});
    left_ += "  " + block.name() + ": " + why + "\n";
  }

  // Why it was not measured, or "". only: there is nothing else to do, so that what is in the way is the
  // run's failure.
  std::string measure(const Block& block, size_t blocks_left, bool only) {
    if (block.threads > 0) use_threads(block.threads, 1);
    try {
      return measure_within(block, clock_.share_s(blocks_left));
    } catch (const Failure& failure) {
      if (only || failure.status() != SUITE_OUT_OF_MEMORY) throw;
      return failure.what();
    }
  }

  std::string measure_within(const Block& block, double share_s) {
    const double begin_s = wall_s();
    const long repeat = arguments_.number("--repeat", 0, 1, 100000);
    GeneratedArguments generated(block.kernel, block.size, seed_of(arguments_));
    std::vector<LeftOut> left_out;
    Contenders contenders =
        make_contenders(arguments_, block.kernel, standard_implementations(block.kernel), left_out);
    if (clock_.limited()) {
      const auto about =
          forecast_.of(block, generated.owner().cost(), static_cast<int>(contenders.size()), repeat, share_s);
      if (about.seconds > clock_.left_s())
        return "would take about " + seconds_text(about.seconds) + "; " +
               seconds_text(std::max(0.0, clock_.left_s())) + " were left";
    }
    const std::string checked_at = verify_generated(contenders, block.kernel, generated, seed_of(arguments_),
                                                    are_named(arguments_) ? nullptr : &left_out, share_s);
    Progress progress(print_);
    sample_in_turns(contenders, repeat, progress, share_s);
    keep(block, generated, contenders, left_out, checked_at, begin_s);
    return "";
  }

  void keep(const Block& block, GeneratedArguments& generated, const Contenders& contenders,
            const std::vector<LeftOut>& left_out, const std::string& checked_at, double begin_s) {
    const int threads = threads_of(block);
    for (const auto& c : contenders) kept_.used(c->record());
    const std::string rows = rows_text(contenders, threads, checked_at, true, failed_);
    if (print_)
      std::cout << block.kernel << "   size " << block.size << "   " << threads
                << (threads == 1 ? " thread" : " threads") << ceilings_text(contenders, threads) << "\n"
                << rows << left_out_text(left_out) << "\n"
                << std::flush;
    ordered_json j{
        {"kernel", block.kernel}, {"size", block.size}, {"seed", seed_of(arguments_)}, {"threads", threads}};
    j["verified_at"] = checked_at.empty() ? block.size : "small";
    j["fma_flop_per_s"] = fma_ceiling(threads, "cpu", generated.is_single());
    j["contenders"] = rows_json(contenders, threads);
    j["left_out"] = left_out_json(left_out);
    j["wall_s"] = wall_s() - begin_s;
    blocks_.push_back(std::move(j));
  }

  const Arguments& arguments_;
  ResultFolder& kept_;
  Finished finished_;
  Clock clock_;
  Forecast forecast_;
  bool print_, failed_ = false;
  int begin_threads_;
  std::string left_;
  ordered_json blocks_ = ordered_json::array(), not_run_ = ordered_json::array();
};

// What the folder is called after.
std::string topic(const Arguments& arguments) {
  if (arguments.has("--preset")) return arguments.get("--preset");
  return arguments.positional().empty() ? "all" : arguments.positional()[0];
}

}  // namespace

int run_benchmark(const Arguments& arguments) {
  plan_blocks(arguments);  // a mistake is told before a folder is made
  ResultFolder kept(arguments, "suite-bench-1", topic(arguments));
  return Benchmark(arguments, kept, {}).run();
}

int resume_benchmark(const Arguments& given) {
  Finished finished = read_finished(given);
  const Arguments arguments = with_preset(Arguments::parse(finished.words));
  apply_environment(arguments);
  require_device(arguments);
  plan_blocks(arguments);
  ResultFolder kept(arguments, "suite-bench-1", finished.folder, finished.started);
  return Benchmark(arguments, kept, finished).run();
}

int tell_benchmark(const Arguments& arguments) {
  const auto blocks = plan_blocks(arguments);
  const long repeat = arguments.number("--repeat", 0, 1, 100000);
  const Forecast forecast;
  Table table;
  table.header({"  block", "contenders", "memory", "about", "from"});
  for (size_t column : {1, 2, 3}) table.right(column);
  ordered_json rows = ordered_json::array();
  std::set<std::string> left;
  double most_B = 0, total_s = 0;
  for (const auto& block : blocks) {
    if (block.threads > 0) use_threads(block.threads, 1);
    const Needs needs = needs_of(block.kernel, block.size, seed_of(arguments));
    std::vector<LeftOut> left_out;
    const auto contenders =
        make_contenders(arguments, block.kernel, standard_implementations(block.kernel), left_out);
    for (const auto& l : left_out) left.insert("  " + l.implementation + " left out: " + l.why + "\n");
    const auto about = forecast.of(block, needs.cost, static_cast<int>(contenders.size()), repeat,
                                   Clock(arguments).share_s(blocks.size()));
    most_B = std::max(most_B, needs.memory_B);
    total_s += about.seconds;
    table.row({"  " + block.name(), std::to_string(contenders.size()), bytes_text(needs.memory_B),
               about.seconds > 0 ? seconds_text(about.seconds) : "-", about.from});
    ordered_json labels = ordered_json::array();
    for (const auto& c : contenders) labels.push_back(c->label());
    ordered_json extents = ordered_json::object();
    for (const auto& [name, extent] : needs.extents) extents[name] = extent;
    rows.push_back({{"kernel", block.kernel},
                    {"size", block.size},
                    {"threads", block.threads > 0 ? block.threads : threads_in_use()},
                    {"contenders", labels},
                    {"extents", extents},
                    {"memory_B", needs.memory_B},
                    {"flops", needs.cost.flops},
                    {"bytes", needs.cost.bytes},
                    {"about_s", about.seconds},
                    {"from", about.from}});
  }
  if (arguments.has("--json")) {
    std::cout << ordered_json{{"schema", "suite-plan-1"},
                              {"blocks", rows},
                              {"memory_B", most_B},
                              {"about_s", total_s}}
                     .dump(2)
              << "\n";
  } else {
    std::cout << blocks.size() << (blocks.size() == 1 ? " block" : " blocks")
              << ", nothing was run. Largest arguments: " << bytes_text(most_B) << " of "
              << bytes_text(static_cast<double>(machine().memory_B)) << ". Time: about "
              << seconds_text(total_s) << ".\n\n"
              << table.text();
    for (const auto& line : left) std::cout << line;
    std::cout << "  counted: from counted flops and bytes; a factor of three either way is usual. An earlier "
                 "run in results/ says it better.\n";
  }
  return 0;
}

}  // namespace suite::app
