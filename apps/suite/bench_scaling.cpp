// SPDX-License-Identifier: BSD-3-Clause
#include "bench_scaling.hpp"

#include <algorithm>
#include <iostream>
#include <sstream>

#include <fmt/core.h>

#include "common/machine.hpp"
#include "common/near.hpp"
#include "measure/candidate.hpp"
#include "measure/installed.hpp"
#include "measure/result_file.hpp"
#include "measure/statistics.hpp"
#include "bench_plan.hpp"
#include "bench_ranks.hpp"
#include "documents.hpp"
#include "launcher.hpp"
#include "result_folder.hpp"
#include "rows.hpp"
#include "session.hpp"
#include "table.hpp"

namespace suite::app {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

long share_of(long whole, int rank, int ranks) { return whole / ranks + (rank < whole % ranks ? 1 : 0); }

namespace {

constexpr long default_rounds = 6;  // the fewest that give a 95 % interval

// Results for one number of ranks.
struct OfRanks {
  int ranks = 1;
  std::vector<double> samples_s;  // one per start: an app's own time, or the median of a kernel's samples
  Estimate time, speed_up, efficiency;
  std::optional<Merit> merit;  // of a kernel, from the last start
  bool more_threads_than_cores = false;
};

struct ScalingResult {
  static constexpr const char* schema = "suite-scaling-1";
  std::optional<std::string> kernel, input;  // exactly one is set
  std::string scaling, along;
  int threads = 1;
  std::string size, launcher, ended_early;
  std::vector<OfRanks> rows;
};

}  // namespace

// clang-format off
template <> inline constexpr auto fields<OfRanks> = std::tuple{
    Field{&OfRanks::ranks,      "ranks",      "", "", counting},
    Field{&OfRanks::samples_s,  "samples_s",  "s", "of each start: time reported by the app, or the median of a kernel's samples", seconds_limits},
    Constant{"better", "lower"},
    flat_as<OfSamples>(&OfRanks::time),
    Field{&OfRanks::speed_up,   "speed_up",   "1", "work per second relative to the first row, round by round"},
    Field{&OfRanks::efficiency, "efficiency", "1", "per rank, relative to the first row"},
    as<RateOnly>(&OfRanks::merit, "merit", "figure of merit of all ranks together; absent if the kernel defines none"),
    Field{&OfRanks::more_threads_than_cores, "more_threads_than_cores", "", ""},
};
template <> inline constexpr auto fields<ScalingResult> = std::tuple{
    Field{&ScalingResult::kernel,      "kernel",      "", "", name_limits},
    Field{&ScalingResult::input,       "input",       "", "", not_empty},
    Field{&ScalingResult::scaling,     "scaling",     "", "", {.one_of = scaling_words}},
    Field{&ScalingResult::along,       "along",       "", "the key that grows or is divided"},
    Field{&ScalingResult::threads,     "threads",     "", "of a rank", counting},
    Field{&ScalingResult::size,        "size",        "", "of a kernel", {.least = 1, .omit_empty = true}},
    Field{&ScalingResult::launcher,    "launcher",    "", "", not_empty},
    Field{&ScalingResult::ended_early, "ended_early", "", "number of rounds before the time limit was reached", {.least = 1, .omit_empty = true}},
    Field{&ScalingResult::rows,        "rows",        "", "", {.least = 1}},
};
// clang-format on

SchemaObject scaling_schema() { return measured_schema<ScalingResult>(); }

namespace {

std::string interval_text(const Estimate& e, int decimals) {
  return fixed(e.low, decimals) + " - " + fixed(e.high, decimals) + (e.interval ? "" : "*");
}

class Scaling {
public:
  explicit Scaling(const Arguments& arguments)
      : arguments_(arguments),
        what_(arguments.positional()[0]),
        weak_(arguments.get("--scaling") == "weak"),
        threads_(static_cast<int>(arguments.number("--threads", 1, 1, 4096))),
        launcher_(arguments.get("--launcher", "mpirun -n")) {
    const auto kernels = kernel_names();
    is_kernel_ = std::find(kernels.begin(), kernels.end(), what_) != kernels.end();
    for (const int ranks : expand_numbers(arguments.get("--ranks"), "--ranks", 1, 100000)) {
      if (std::any_of(rows_.begin(), rows_.end(), [&](const OfRanks& row) { return row.ranks == ranks; })) continue;
      rows_.push_back({ranks, {}, {}, {}, {}, {}, ranks * threads_ > machine_.cores});
    }
    if (is_kernel_) {
      for (const auto& row : rows_) size_on_rank(arguments, what_, 0, row.ranks);
      return;
    }
    if (!is_input(what_)) require_kernel(what_);
    prepare_app();
  }

  int run() {
    ResultFolder kept(arguments_, ScalingResult::schema, "scaling-" + (is_kernel_ ? what_ : fs::path(what_).stem().string()));
    const long rounds = repeat_of(arguments_, default_rounds), limit_s = arguments_.number("--time-limit", 0, 1, 1000000);
    const double begin_s = wall_s();
    Progress progress(prints(arguments_));
    progress.start("rounds", rounds);
    for (long round = 0; round < rounds; ++round) {
      if (round > 0 && limit_s > 0 && wall_s() - begin_s > static_cast<double>(limit_s)) {
        ended_early_ = "the time limit was reached " + Rounds{round, rounds}.text();
        break;
      }
      // Alternate forwards and backwards, so that drift affects all alike.
      for (size_t i = 0; i < rows_.size(); ++i) start(rows_[round % 2 ? rows_.size() - 1 - i : i], kept.path(), round);
      conclude();
      kept.save(json_of(result()));
      progress.advance(round + 1);
    }
    progress.finish();
    if (prints(arguments_)) print();
    return kept.end(json_of(result()), false);
  }

private:
  // Read the input here as well, so that an error is reported once and without starting ranks.
  void prepare_app() {
    std::ostringstream about;
    const Loaded loaded = load_input(arguments_, about);
    along_ = arguments_.get("--along");
    if (!weak_ && !along_.empty())
      throw UsageError("--scaling strong divides the work of an input without a key; --along applies to --scaling weak and to kernels");
    if (!weak_) return;
    if (along_.empty())
      throw UsageError(
          "--scaling weak needs --along KEY, the key of the input that grows with the ranks (vmc.walkers for "
          "vmc)");
    work_ = loaded.input.integer(along_);
  }

  std::vector<std::string> words(int ranks, const fs::path& folder) const {
    std::vector<std::string> words{is_kernel_ ? "bench" : "run", what_, "--output", folder.string(), "--quiet", "--threads",
                                   std::to_string(threads_)};
    const auto forward = [&](const char* option, const char* as) {
      for (const auto& value : arguments_.all(option)) words.insert(words.end(), {as, value});
    };
    for (const char* option : {"--parameter", "--plugin", "--backend"}) forward(option, option);
    if (arguments_.has("--no-tuned")) words.emplace_back("--no-tuned");
    if (is_kernel_) {
      for (const char* option : {"--scaling", "--along", "--size", "--seed", "--implementations", "--variants"}) forward(option, option);
    } else {
      forward("--implementations", "--implementation");
      forward("--variants", "--variant");
      forward("--set", "--set");
      if (weak_) words.insert(words.end(), {"--set", fmt::format("{}={}", along_, work_ * ranks)});
    }
    return words;
  }

  void start(OfRanks& row, const fs::path& parent, long round) const {
    const fs::path folder = parent / fmt::format("ranks-{}", row.ranks) / std::to_string(round + 1);
    std::error_code error;
    fs::create_directories(folder.parent_path(), error);
    if (error) throw IoFailure("cannot create the folder '" + folder.parent_path().string() + "': " + error.message());
    launcher_.run(row.ranks, words(row.ranks, folder), folder.string() + ".log");
    const auto result = ordered_json::parse(read_text_file(folder / "result.json", size_t{1} << 30));
    if (!is_kernel_) {
      row.samples_s.push_back(result.at("times").at("app_s").get<double>());
      return;
    }
    row.samples_s.push_back(result.at("median_s").get<double>());
    if (const auto& merit = result.at("merit"); !merit.is_null()) {
      row.merit.emplace();
      row.merit->unit = merit.at("unit").get<std::string>();
      row.merit->per_s = merit.at("per_s").get<double>();
    }
  }

  // Relative to the first row, round by round, so that disturbances of both starts of a round cancel.
  Estimate speed_up(const OfRanks& row) const {
    const OfRanks& first = rows_.front();
    std::vector<double> ratios;
    for (size_t i = 0; i < std::min(row.samples_s.size(), first.samples_s.size()); ++i)
      ratios.push_back(first.samples_s[i] / row.samples_s[i] * (weak_ ? static_cast<double>(row.ranks) / first.ranks : 1));
    return estimate(ratios);
  }

  // After each round: computes what follows from the samples.
  void conclude() {
    for (auto& row : rows_) {
      row.time = estimate(row.samples_s);
      row.speed_up = row.efficiency = speed_up(row);
      const double scale = static_cast<double>(rows_.front().ranks) / row.ranks;
      for (double* end : {&row.efficiency.median, &row.efficiency.low, &row.efficiency.high}) *end *= scale;
    }
  }

  ScalingResult result() const {
    ScalingResult result;
    (is_kernel_ ? result.kernel : result.input) = what_;
    result.scaling = weak_ ? "weak" : "strong";
    result.along = arguments_.get("--along");
    result.threads = threads_;
    if (is_kernel_) result.size = arguments_.get("--size", "standard");
    result.launcher = arguments_.get("--launcher", "mpirun -n");
    result.ended_early = ended_early_;
    result.rows = rows_;
    return result;
  }

  void print() const {
    Table table;
    table.header({"  ranks", "time", "95 % interval", "speed-up", "efficiency", "95 % interval", ""});
    for (size_t column : {1, 2, 3, 4, 5}) table.right(column);
    bool few = false;
    for (const auto& row : rows_) {
      const Estimate &time = row.time, &share = row.efficiency;
      few = few || !time.interval;
      table.row({fmt::format("  {}", row.ranks), seconds_text(time.median),
                 seconds_text(time.low) + " - " + seconds_text(time.high) + (time.interval ? "" : "*"), fixed(row.speed_up.median, 2),
                 fixed(share.median, 3), interval_text(share, 3), row.more_threads_than_cores ? "more threads than cores" : ""});
    }
    std::cout << what_ << "   " << (weak_ ? "weak" : "strong") << " scaling"
              << (arguments_.has("--along") ? " along " + arguments_.get("--along") : "") << "   " << counted(threads_, "thread")
              << " a rank, " << counted(machine_.cores, "core") << "\n"
              << table.text() << (few ? "  * fewer than 6 samples: least and largest\n" : "")
              << (ended_early_.empty() ? "" : "  " + ended_early_ + "\n");
  }

  const Arguments& arguments_;
  std::string what_;
  bool weak_, is_kernel_ = false;
  int threads_;
  Launcher launcher_;
  Machine machine_ = machine();
  std::string along_, ended_early_;
  long work_ = 0;
  std::vector<OfRanks> rows_;
};

// The input of one kernel is a kernel with options: "bench gpp.sigma --size ... --seed ..." instead of "bench k.yaml". Options that are
// given take precedence. Other arguments are returned as they are.
Arguments without_kernel_input(const Arguments& arguments) {
  const std::string& what = arguments.positional()[0];
  if (!is_input(what)) return arguments;
  std::ostringstream about;
  const Loaded loaded = load_input(arguments, about);
  if (loaded.replay)
    throw UsageError("--scaling needs a kernel or an input whose size can change; " + in_quotes(what) + " is a captured call");
  if (loaded.app) return arguments;
  const Input& input = loaded.input;
  std::vector<std::string> words;
  for (const auto& word : arguments.words()) words.push_back(word == what ? loaded.kernel : word);
  const auto add = [&](const char* option, const std::string& value) {
    if (!arguments.has(option)) words.insert(words.end(), {option, value});
  };
  add("--size", input.text("size"));
  add("--seed", std::to_string(input.integer("seed")));
  if (!arguments.has("--backend") && !arguments.has("--plugin")) add("--implementations", input.text("implementation"));
  if (input.text("variant") != "best") add("--variants", input.text("variant"));
  for (const auto& [name, value] : input.settings("parameters")) {
    const std::string given = name + "=";
    const auto all = arguments.all("--parameter");
    if (std::none_of(all.begin(), all.end(), [&](const std::string& one) { return one.rfind(given, 0) == 0; }))
      words.insert(words.end(), {"--parameter", given + value});
  }
  return Arguments::parse(words);
}

}  // namespace

int scaling_benchmark(const Arguments& given) {
  const std::string kind = given.get("--scaling");
  if (kind != "strong" && kind != "weak") throw UsageError("--scaling must be strong or weak; got " + in_quotes(kind));
  if (given.positional().size() != 1)
    throw UsageError("--scaling needs one kernel or one input: suite bench gpp.yaml --scaling strong --ranks 1,2,4");
  const Arguments arguments = without_kernel_input(given);
  if (arguments.has("--ranks")) return Scaling(arguments).run();
  require_kernel(arguments.positional()[0]);
  return measure_ranks(arguments);
}

}  // namespace suite::app
