// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "common/machine.hpp"
#include "common/result.hpp"
#include "ceilings.hpp"
#include "compare_stored.hpp"
#include "exit_codes.hpp"
#include "replay.hpp"
#include "result_folder.hpp"
#include "rows.hpp"
#include "session.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace suite::app {

int compare_verb(const Arguments& arguments) {
  if (names_results(arguments)) return compare_stored(arguments);
  apply_environment(arguments);
  const bool json = arguments.has("--json");
  std::ostringstream about;
  const Loaded loaded = load_input(arguments, about);
  require_device(arguments);
  App::Sample sample;
  std::unique_ptr<GeneratedArguments> generated;
  SetArguments set;
  std::string kernel = loaded.kernel, description;
  if (loaded.app) {
    sample = loaded.app->sample(loaded.input);
    kernel = sample.kernel;
    description = sample.description;
    set = sample.set_arguments;
  } else if (loaded.replay) {
    description = "captured: " + loaded.replay->description();
    set = loaded.replay->setter();
  } else {
    description = "generated data, size " + loaded.input.text("size");
    generated = std::make_unique<GeneratedArguments>(kernel, loaded.input.text("size"), static_cast<uint64_t>(loaded.input.integer("seed")));
    set = generated->setter();
  }
  std::vector<LeftOut> left_out;
  Contenders contenders = make_contenders(arguments, kernel, implementations_of(kernel), left_out, loaded.replay ? loaded.replay->meaning() : Parameters{});
  ResultFolder kept(arguments, "suite-compare-1", loaded.input.source().stem().string());
  kept.provenance().input_file = loaded.input.source().string();
  kept.provenance().input_sha256 = loaded.input.sha256();
  kept.provenance().overrides = loaded.input.overrides();
  Progress progress(!json && !arguments.has("--quiet"));
  Truth truth(kernel, set);
  Reproductions reproductions(loaded.replay.get());
  verify_all(contenders, set, truth, reproductions.observer());
  sample_in_turns(contenders, arguments.number("--repeat", 0, 1, 100000), progress);
  const int threads = threads_in_use();

  bool failed = reproductions.failed();
  const std::string rows = rows_text(contenders, threads, "", false, failed);
  if (!json && !arguments.has("--quiet"))
    std::cout << kernel << "   " << description << "   " << threads << (threads == 1 ? " thread" : " threads")
              << ceilings_text(contenders, threads) << "\n\n" << rows << left_out_text(left_out) << reproductions.text() << "\n";
  nlohmann::ordered_json body{{"kernel", kernel}, {"description", description}, {"threads", threads}};
  if (generated) body["size"] = loaded.input.text("size");
  body["contenders"] = rows_json(contenders, threads);
  body["left_out"] = left_out_json(left_out);
  if (loaded.replay) body["capture"] = reproductions.json();
  body["ceilings"] = {{"fma_flop_per_s", fma_ceiling(threads, "cpu", contenders.front()->is_single())}};
  for (const auto& c : contenders) kept.used(c->record());
  return kept.end(body, failed);
}

}  // namespace suite::app
