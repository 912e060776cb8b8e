// SPDX-License-Identifier: BSD-3-Clause
#include "bench_tune.hpp"

#include <algorithm>
#include <iostream>
#include <sstream>

#include "common/machine.hpp"
#include "measure/generated_arguments.hpp"
#include "measure/installed.hpp"
#include "measure/statistics.hpp"
#include "measure/timed_kernel.hpp"
#include "measure/tuned.hpp"
#include "bench_plan.hpp"
#include "documents.hpp"
#include "result_folder.hpp"
#include "rows.hpp"
#include "session.hpp"
#include "table.hpp"

namespace suite::app {
namespace {

// One implementation and variant on one input.
struct Tuning {
  struct Round {
    std::string knob;
    std::vector<Row> rows;
  };
  std::string kernel, size, label, shape;
  int threads = 1;
  std::optional<TunedEntry> known;
  std::optional<std::vector<Round>> rounds;
  std::optional<TunedEntry> kept;
};

struct TuningResult {
  static constexpr const char* schema = "suite-tuning-1";
  std::vector<Tuning> tunings;
  std::vector<LeftOut> left_out;
};

}  // namespace

// clang-format off
template <> inline constexpr auto fields<Tuning::Round> = std::tuple{
    Field{&Tuning::Round::knob, "knob", "", "empty: the best setting again, compared with the default"},
    as<AsCandidate>(&Tuning::Round::rows, "contenders", "", {.least = 1}),
};
template <> inline constexpr auto fields<Tuning> = std::tuple{
    Field{&Tuning::kernel,  "kernel",  "", "", name_limits},
    Field{&Tuning::size,    "size",    "", "", not_empty},
    Field{&Tuning::threads, "threads", "", "", counting},
    Field{&Tuning::label,   "label",   "", "", not_empty},
    Field{&Tuning::shape,   "shape",   "", "class of shapes for which a setting is valid: types, extents rounded to powers of two", not_empty},
    Field{&Tuning::known,   "known",   "", "the setting was already stored; nothing was measured"},
    Field{&Tuning::rounds,  "rounds",  "", ""},
    Field{&Tuning::kept,    "kept",    "", "setting written to the file of settings"},
};
template <> inline constexpr auto fields<TuningResult> = std::tuple{
    Field{&TuningResult::tunings,  "tunings",  "", ""},
    Field{&TuningResult::left_out, "left_out", "", ""},
};
// clang-format on

SchemaObject tuning_schema() { return measured_schema<TuningResult>(); }

namespace {

constexpr long default_repeat = 21;       // samples per setting
constexpr double longest_reference_s = 5;  // every round verifies again
constexpr double longest_round_s = 30;
constexpr int64_t largest_automatic = 65536;  // above, a default of 0 means an amount of memory, not a knob

}  // namespace

std::vector<std::string> values_to_try(const suite_parameter& parameter) {
  const std::string name = parameter.name;
  std::vector<std::string> values;
  // Variants are the steps of a publication, compared by --variants; the number of threads is the user's choice.
  if (name == "variant" || name == "threads" || name == "deterministic") return values;
  if (parameter.choices) {
    for (int64_t i = 0; i < parameter.choice_count; ++i)  // less accurate choices are left to the user
      if (i != parameter.value && !(parameter.choices[i].tolerance > 0)) values.emplace_back(parameter.choices[i].name);
    return values;
  }
  const auto try_value = [&](int64_t value) {
    if (value >= parameter.low && value <= parameter.high && value != parameter.value) values.push_back(std::to_string(value));
  };
  if (parameter.value > 0) {
    for (const int64_t divisor : {4, 2})
      if (parameter.value % divisor == 0) try_value(parameter.value / divisor);
    for (const int64_t factor : {2, 4})
      if (parameter.value <= parameter.high / factor) try_value(parameter.value * factor);
  } else if (parameter.value == 0 && parameter.high <= largest_automatic) {
    for (int64_t value = 1; value <= parameter.high; value *= 2) try_value(value);
  }
  return values;
}

namespace {

// Finds the settings of one implementation and variant on one input.
class Tuner {
public:
  Tuner(const Arguments& arguments, const Block& block, GeneratedArguments& generated, const Candidate& by_default, TunedFile& file,
        bool print)
      : arguments_(arguments), block_(block), generated_(generated), default_(by_default.record()), file_(file), print_(print) {
    const bool path = default_.implementation.find('/') != std::string::npos;
    implementation_ = default_.implementation + (path ? "" : device_part(by_default.device()));
  }

  // Returns the result for result.json. failed: set if a setting failed verification.
  Tuning tune(ResultFolder& kept, bool& failed) {
    kept.used(default_);
    auto probe = open({});
    generated_.setter()(probe->kernel());
    key_ = tuned_for(probe->kernel(), default_.variant, default_.plugin_file, default_.device, threads_in_use());
    Tuning found{block_.kernel, block_.size, probe->label(), key_.shape, threads_in_use(), {}, {}, {}};
    if (print_)
      std::cout << block_.kernel << "   " << probe->label() << "   size " << block_.size << "   " << counted(key_.threads, "thread")
                << "\n";
    if (const TunedEntry* known = file_.find(key_); known && !arguments_.has("--retune")) {
      say("  stored on " + known->utc + ":" + parameters_text(known->parameters) + ", " + ratio_text(known->ratio) +
          " of the default time; --retune looks again\n");
      found.known = *known;
      return found;
    }
    const Parameters best = search(probe->kernel().table(), found, failed);
    conclude(best, found, failed);
    return found;
  }

private:
  std::unique_ptr<Candidate> open(const Parameters& settings) const {
    Parameters all = default_.parameters;
    all.insert(all.end(), settings.begin(), settings.end());
    return std::make_unique<Candidate>(block_.kernel, implementation_, default_.variant, all);
  }

  void say(const std::string& text) const {
    if (print_) std::cout << text << std::flush;
  }
  static std::string ratio_text(const Estimate& ratio) {
    return fixed(ratio.median, 3) + " (" + fixed(ratio.low, 3) + " to " + fixed(ratio.high, 3) + ")";
  }

  bool is_knob(const suite_parameter& parameter) const {
    const auto named =
        std::any_of(default_.parameters.begin(), default_.parameters.end(), [&](const Parameter& p) { return p.name == parameter.name; });
    // A parameter that the reference shares defines what is computed.
    return !named && !find_parameter(generated_.owner().table(), parameter.name);
  }

  // Tunes one knob after the other, each starting from the best setting so far.
  Parameters search(const suite_kernel_table& table, Tuning& found, bool& failed) {
    Parameters best;
    found.rounds.emplace();
    for (uint32_t i = 0; i < table.parameter_count; ++i) {
      const suite_parameter& knob = table.parameters[i];
      const auto values = is_knob(knob) ? values_to_try(knob) : std::vector<std::string>{};
      if (values.empty()) continue;
      std::vector<Parameters> settings{best};
      for (const auto& value : values) {
        settings.push_back(best);
        settings.back().push_back({knob.name, value});
      }
      Candidates candidates = measure(settings, knob.name, found, failed);
      if (const size_t winner = fastest(candidates); winner > 0) best = settings_of(*candidates[winner]);
    }
    if (found.rounds->empty()) say("  it has no tuning parameters\n\n");
    return best;
  }

  // Compares the settings with the first one. Values the implementation refuses are skipped.
  Candidates measure(const std::vector<Parameters>& settings, const std::string& knob, Tuning& found, bool& failed) {
    Candidates candidates;
    for (const auto& setting : settings) candidates.push_back(open(setting));
    Progress progress(print_);
    const std::string checked_at =
        verify_generated(candidates, block_.kernel, generated_, seed_of(arguments_), nullptr, progress, longest_reference_s);
    sample_in_turns(candidates, repeat_of(arguments_, default_repeat), progress, longest_round_s);
    suite::app::conclude(candidates, threads_in_use());
    say((knob.empty() ? "  again, compared with the default:\n" : "  " + knob + ":\n") +
        rows_text(candidates, threads_in_use(), checked_at, failed));
    found.rounds->push_back({knob, rows_of(candidates)});
    return candidates;
  }

  // Index of the fastest candidate that is FASTER than the first; 0 if none is.
  static size_t fastest(const Candidates& candidates) {
    size_t winner = 0;
    double least = 1;
    if (candidates[0]->record().failed()) return 0;
    for (size_t i = 1; i < candidates.size(); ++i) {
      if (candidates[i]->record().failed()) continue;
      const Comparison c = compare_samples(candidates[i]->record().samples_s, candidates[0]->record().samples_s);
      if (c.verdict != "FASTER" || !(c.ratio.median < least)) continue;
      winner = i;
      least = c.ratio.median;
    }
    return winner;
  }

  Parameters settings_of(const Candidate& candidate) const {
    const auto& all = candidate.record().parameters;
    return {all.begin() + static_cast<std::ptrdiff_t>(default_.parameters.size()), all.end()};
  }

  // The best of many may be fast by chance: keep it only if fresh samples confirm it.
  void conclude(const Parameters& best, Tuning& found, bool& failed) {
    if (!best.empty()) {
      const Candidates candidates = measure({{}, best}, "", found, failed);
      if (fastest(candidates) == 1) {
        const Comparison c = compare_samples(candidates[1]->record().samples_s, candidates[0]->record().samples_s);
        const TunedEntry entry{key_, best, c.ratio, block_.size, utc_time(false)};
        file_.keep(entry);
        found.kept = entry;
        say("  stored in " + file_.file().string() + ":" + parameters_text(best) + ", " + ratio_text(c.ratio) + " of the default time\n\n");
        return;
      }
    }
    if (file_.find(key_)) {
      file_.forget(key_);
      say("  the stored setting is no longer faster and was removed from " + file_.file().string() + "\n");
    }
    if (!found.rounds->empty()) say("  the default settings are kept\n\n");
  }

  const Arguments& arguments_;
  const Block& block_;
  GeneratedArguments& generated_;
  const Row default_;
  TunedFile& file_;
  bool print_;
  std::string implementation_;
  TunedFor key_;
};

}  // namespace

int tune_benchmark(const Arguments& arguments) {
  if (arguments.positional().empty()) throw UsageError("--tune needs a kernel or a family: suite bench gpp.sigma --tune");
  const auto blocks = plan_blocks(arguments);
  TunedFile file;
  ResultFolder kept(arguments, TuningResult::schema, "tune-" + arguments.positional()[0]);
  const bool print = prints(arguments);
  bool failed = false;
  TuningResult result;
  for (const auto& block : blocks) {
    if (block.threads > 0) use_threads(block.threads, 1);
    GeneratedArguments generated(block.kernel, block.size, seed_of(arguments));
    std::vector<LeftOut> left_out;
    for (const auto& candidate : make_candidates(arguments, block.kernel, implementations_beside_reference(block.kernel), left_out)) {
      result.tunings.push_back(Tuner(arguments, block, generated, *candidate, file, print).tune(kept, failed));
      kept.save(json_of(result));
    }
    if (print) std::cout << left_out_text(left_out);
    result.left_out.insert(result.left_out.end(), left_out.begin(), left_out.end());
  }
  return kept.end(json_of(result), failed);
}

}  // namespace suite::app
