// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>
#include <memory>
#include <sstream>

#include <nlohmann/json.hpp>

#include "base/stop.hpp"
#include "common/machine.hpp"
#include "measure/ceilings.hpp"
#include "measure/generated_arguments.hpp"
#include "measure/installed.hpp"
#include "measure/result.hpp"
#include "compare_stored.hpp"
#include "documents.hpp"
#include "exit_codes.hpp"
#include "replay.hpp"
#include "result_folder.hpp"
#include "rows.hpp"
#include "session.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace suite::app {

namespace {

struct CompareResult {
  static constexpr const char* schema = "suite-compare-1";
  std::string kernel, description, size;  // size: of generated arguments
  int threads = 1;
  std::vector<Row> rows;
  std::string ended_early;
  std::vector<LeftOut> left_out;
  std::optional<Reproduced> capture;
  Ceilings ceilings;
};

}  // namespace

// clang-format off
template <> inline constexpr auto fields<CompareResult> = std::tuple{
    Field{&CompareResult::kernel,      "kernel",      "", "", name_limits},
    Field{&CompareResult::description, "description", "", "", not_empty},
    Field{&CompareResult::threads,     "threads",     "", "", counting},
    Field{&CompareResult::size,        "size",        "", "", {.least = 1, .omit_empty = true}},
    as<AsCandidate>(&CompareResult::rows, "contenders", "", {.least = 1}),
    Field{&CompareResult::ended_early, "ended_early", "", "number of rounds before it was interrupted", {.least = 1, .omit_empty = true}},
    Field{&CompareResult::left_out,    "left_out",    "", ""},
    Field{&CompareResult::capture,     "capture",     "", "deviations from the stored results"},
    Field{&CompareResult::ceilings,    "ceilings",    "", ""},
};
// clang-format on

SchemaObject compare_schema() { return measured_schema<CompareResult>(); }

namespace {

// The arguments shared by all candidates: of an app's representative call, of a captured call, or generated.
struct Task {
  std::string kernel, description;
  SetArguments set;
  App::Sample sample;
  std::unique_ptr<GeneratedArguments> generated;
};

Task task_of(const Loaded& loaded) {
  Task task;
  task.kernel = loaded.kernel;
  if (loaded.app) {
    task.sample = loaded.app->sample(loaded.input);
    task.kernel = task.sample.kernel;
    task.description = task.sample.description;
    task.set = task.sample.set_arguments;
  } else if (loaded.replay) {
    task.description = "captured: " + loaded.replay->description();
    task.set = loaded.replay->setter();
  } else {
    const std::string size = loaded.input.text("size");
    task.description = "generated data, size " + size;
    task.generated = std::make_unique<GeneratedArguments>(task.kernel, size, static_cast<uint64_t>(loaded.input.integer("seed")));
    task.set = task.generated->setter();
  }
  return task;
}

}  // namespace

int compare_verb(const Arguments& arguments) {
  if (names_results(arguments)) return compare_stored(arguments);
  apply_environment(arguments);
  std::ostringstream about;
  const Loaded loaded = load_input(arguments, about);
  require_device(arguments);
  const long repeat = repeat_of(arguments);
  const Task task = task_of(loaded);
  const std::string& kernel = task.kernel;
  std::vector<LeftOut> left_out;
  Candidates candidates =
      make_candidates(arguments, kernel, implementations_of(kernel), left_out, loaded.replay ? loaded.replay->meaning() : Parameters{});
  ResultFolder kept(arguments, CompareResult::schema, loaded.input.source().stem().string());
  kept.provenance().input = {loaded.input.source().string(), loaded.input.sha256()};
  kept.provenance().overrides = loaded.input.overrides();
  Progress progress(prints(arguments));
  Truth truth(kernel, task.set);
  Reproductions reproductions(loaded.replay.get());
  verify_all(candidates, task.set, truth, progress, reproductions.observer());
  const StopRequest stop;  // from the first sample on there is something to save
  const Rounds rounds = sample_in_turns(candidates, repeat, progress, 30, [&] { return stop.signal() != 0; });
  if (stop.signal() && !any_sampled(candidates)) {
    std::cerr << "\nsuite: interrupted; there are no results yet\n";
    return exit_code_of_signal(stop.signal());
  }
  const int threads = threads_in_use();

  conclude(candidates, threads);
  bool failed = reproductions.failed();
  const std::string rows = rows_text(candidates, threads, "", failed);
  const std::string ended_early = rounds.cut() ? "interrupted " + rounds.text() : "";
  if (prints(arguments))
    std::cout << kernel << "   " << task.description << "\n"
              << counted(threads, "thread") << ceilings_text(candidates, threads) << "\n\n"
              << rows << (ended_early.empty() ? "" : "  " + ended_early + "\n") << left_out_text(left_out) << reproductions.text() << "\n";
  CompareResult result{kernel, task.description, "", threads, rows_of(candidates), ended_early, left_out, {}, {}};
  if (task.generated) result.size = loaded.input.text("size");
  if (loaded.replay) result.capture = reproductions.stored();
  result.ceilings.fma_flop_per_s = fma_ceiling(threads, "cpu", candidates.front()->is_single());
  const auto body = json_of(result);
  for (const auto& c : candidates) kept.used(c->record());
  return stop.signal() ? kept.interrupted(body, stop.signal()) : kept.end(body, failed);
}

}  // namespace suite::app
