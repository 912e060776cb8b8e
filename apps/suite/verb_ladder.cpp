// SPDX-License-Identifier: BSD-3-Clause
// suite ladder: compares the published optimisation steps of a kernel, and checks whether each has the effect its authors reported.
// Independent of the kernel: the steps are the choices of the parameter `variant` (steps.hpp).
#include <cmath>
#include <cstring>
#include <iostream>

#include "common/machine.hpp"
#include "common/near.hpp"
#include "measure/ceilings.hpp"
#include "measure/generated_arguments.hpp"
#include "measure/installed.hpp"
#include "measure/statistics.hpp"
#include "documents.hpp"
#include "exit_codes.hpp"
#include "result_folder.hpp"
#include "rows.hpp"
#include "session.hpp"
#include "steps.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

struct LadderResult {
  static constexpr const char* schema = "suite-ladder-1";
  std::vector<RowBlock> blocks;
};

}  // namespace

template <>
inline constexpr auto fields<LadderResult> = std::tuple{as<AsLadder>(&LadderResult::blocks, "blocks", "one for each kernel and size")};

SchemaObject ladder_schema() { return measured_schema<LadderResult>(); }

namespace {

const suite_parameter* variant_of(const suite_kernel_table& table) {
  for (uint32_t i = 0; i < table.parameter_count; ++i)
    if (!std::strcmp(table.parameters[i].name, "variant") && table.parameters[i].choices) return &table.parameters[i];
  return nullptr;
}

// The named kernel, or all kernels of the named family.
std::vector<std::string> kernels_named(const std::string& name) {
  std::vector<std::string> kernels, families;
  for (const auto& kernel : kernel_names()) {
    const std::string family = kernel.substr(0, kernel.find('.'));
    if (kernel == name || family == name) kernels.push_back(kernel);
    families.push_back(family);
  }
  if (!kernels.empty()) return kernels;
  if (name.find('.') != std::string::npos) require_kernel(name);
  throw Failure(SUITE_NOT_FOUND, "no kernel or family of kernels " + in_quotes(name) + did_you_mean(name, families));
}

// A timed step.
struct Rung {
  const Step& step;
  Candidate& candidate;
  const Rung* before = nullptr;  // nullptr: nothing to compare with
  const Row& row() const { return candidate.record(); }
  bool comparable() const { return before && !row().failed() && !before->row().failed(); }
  // "met", "not met", "unclear", or "" if nothing is expected.
  std::string met() const {
    if (!comparable() || step.expected == SUITE_UNKNOWN) return "";
    const std::string& verdict = row().verdict;
    const bool same = effect_of(row().ratio->median, 1) == SUITE_SAME;
    if (verdict == "unclear") return "unclear";
    if (step.expected == SUITE_SAME && same) return "met";
    if (step.expected == SUITE_SAME) return verdict == "same" ? "met" : "not met";
    return verdict == (step.expected == SUITE_FASTER ? "FASTER" : "SLOWER") ? "met" : "not met";
  }
  // Compares the step with the previous one and with the ceiling.
  void conclude(double ceiling) const {
    Row& filled = candidate.record();
    if (filled.failed()) return;
    if (ceiling > 0) filled.fma_fraction = *filled.flop_per_s / ceiling;
    if (!comparable()) return;
    const Comparison comparison = compare_samples(filled.samples_s, before->row().samples_s);
    filled.ratio = interval_of(comparison);
    filled.verdict = comparison.verdict;
  }
};

std::vector<Rung> rungs_of(const std::vector<Step>& steps, const Candidates& candidates) {
  std::vector<Rung> rungs;
  rungs.reserve(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    rungs.push_back({steps[i], *candidates[i]});
    for (const auto& earlier : rungs)
      if (!steps[i].after.empty() && earlier.step.choice.name == steps[i].after) rungs.back().before = &earlier;
  }
  return rungs;
}

std::string ratio_text(const Rung& rung, size_t index, const std::vector<Rung>& rungs) {
  if (!rung.row().ratio) return "-";
  const std::string ratio = fixed(rung.row().ratio->median, 2);
  return rung.before == &rungs[index - 1] ? ratio : ratio + " to " + rung.step.after;
}

// Two lines per step: the numbers, and its sentence below.
std::string ladder_text(const std::vector<Rung>& rungs, const std::string& checked_at) {
  const bool colour = colour_on_stdout();
  Table table;
  table.header({"  step", "time", "CPU time", "ratio", "flop", "bytes", "GFLOP/s", "FMA", "max rel err", "published", "expected", "here"});
  for (size_t column = 1; column < 9; ++column) table.right(column);
  for (const size_t column : {5, 4, 8, 6, 2, 9, 7, 10}) table.may_go(column);
  for (size_t i = 0; i < rungs.size(); ++i) {
    const Rung& rung = rungs[i];
    std::string published = published_text(rung.step.published());
    if (published.empty()) published = "-";
    const std::string expected = rung.step.expectation.empty() ? "-" : rung.step.expectation;
    const Row& row = rung.row();
    if (row.failed()) {
      table.row({"  " + std::string(rung.step.choice.name), "-", "-", "-", "-", "-", "-", "-",
                 scientific(row.verification.max_relative_error), published, expected, bad("FAILED", colour)});
      continue;
    }
    const double flops = row.flops_per_run(), bytes = row.bytes_per_run();
    std::string here = row.verdict.empty() ? "-" : row.verdict;
    if (const std::string met = rung.met(); !met.empty() && met != "unclear") here += ", " + (met == "met" ? good(met, colour) : met);
    table.row({"  " + std::string(rung.step.choice.name), seconds_text(row.time->median), seconds_text(estimate(row.cpu_samples_s).median),
               ratio_text(rung, i, rungs), flops > 0 ? metric(flops) : "-", bytes > 0 ? metric(bytes) : "-", giga(flops / row.time->median),
               row.fma_fraction ? of_ceiling(*row.fma_fraction) : "-", scientific(row.verification.max_relative_error) + checked_at,
               published, expected, here});
  }
  const std::string lines = table.text();
  std::string text;
  size_t begin = 0;
  for (size_t row = 0; begin < lines.size(); ++row) {
    const size_t end = lines.find('\n', begin) + 1;
    text += lines.substr(begin, end - begin);
    begin = end;
    if (row == 0 || row > rungs.size()) continue;
    const Rung& rung = rungs[row - 1];
    text += wrapped(rung.step.choice.meaning, 6);
    if (rung.row().failed()) text += "      FAILED: " + rung.row().verification.detail + "\n";
  }
  return text;
}

Row row_of(const Rung& rung) {
  Row row = rung.row();
  const Step& step = rung.step;
  row.step = LadderStep{step.choice.name, step.choice.meaning, step.after, {}, step.expectation, rung.met()};
  for (const auto& p : by_device(step.published())) row.step->published.push_back({p.device, p.seconds, p.text});
  return row;
}

// Source of the ladder's arguments.
struct Choice {
  std::string implementation, size;
  uint64_t seed;
  Parameters parameters;
};

RowBlock ladder_of(const Arguments& arguments, const std::string& kernel, const Choice& choice, const std::vector<Step>& steps, bool print,
                   bool& failed, ResultFolder& kept) {
  GeneratedArguments generated(kernel, choice.size, choice.seed);
  Candidates candidates;
  for (const auto& step : steps)
    candidates.push_back(std::make_unique<Candidate>(kernel, choice.implementation, step.choice.name, choice.parameters));
  // The first run of each, which compiles and fills caches, is verified but not timed.
  Progress progress(print);
  const std::string checked_at = verify_generated(candidates, kernel, generated, choice.seed, nullptr, progress);
  sample_in_turns(candidates, repeat_of(arguments), progress);
  const int threads = threads_in_use();
  const Row& first = candidates.front()->record();
  kept.used(first);
  const double ceiling = fma_ceiling(threads, *candidates.front());
  const std::vector<Rung> rungs = rungs_of(steps, candidates);
  for (const auto& rung : rungs) {
    rung.conclude(ceiling);
    failed = failed || rung.row().failed();
  }
  if (print) {
    std::cout << kernel << " on " << candidates.front()->record().implementation << parameters_text(choice.parameters) << "   "
              << first.device << "\nsize " << choice.size << "   " << counted(threads, "thread");
    if (ceiling > 0) std::cout << "   FMA ceiling " << giga(ceiling) << " GFLOP/s" << in_single(*candidates.front());
    else std::cout << "   no FMA ceiling: there is no ceilings.fma for backend " << first.backend;
    std::cout << "\n\n" << explained(ladder_text(rungs, checked_at)) << waiting_text(candidates, threads) << "\n" << std::flush;
  }
  RowBlock block;
  block.kernel = kernel;
  block.implementation = first.implementation;
  block.backend = first.backend;
  block.device = first.device;
  block.plugin = first.plugin_file;
  block.size = choice.size;
  block.seed = choice.seed;
  block.threads = threads;
  block.verified_at = checked_at.empty() ? choice.size : "small";
  block.parameters = choice.parameters;
  block.fma_flop_per_s = ceiling;
  for (const auto& rung : rungs) block.rows.push_back(row_of(rung));
  return block;
}

}  // namespace

int ladder_verb(const Arguments& arguments) {
  apply_environment(arguments);
  const std::string name = arguments.positional()[0];
  const std::vector<std::string> kernels = kernels_named(name);
  require_device(arguments);
  std::vector<std::string> sizes = arguments.all("--size");
  if (sizes.empty()) sizes = {"small"};
  const uint64_t seed = seed_of(arguments);
  const bool print = prints(arguments);
  const Parameters parameters = given_parameters(arguments);
  bool failed = false;
  LadderResult result;
  std::string without;  // why there is no ladder
  std::unique_ptr<ResultFolder> kept;
  for (const auto& kernel : kernels) {
    std::vector<Step> steps;
    std::string implementation;
    try {
      implementation = chosen_implementation(arguments, kernel, "cpu");
      const Kernel opened(kernel, implementation);
      if (const suite_parameter* variant = variant_of(opened.table())) steps = steps_of(*variant);
      else
        without =
            std::string("implementation '") + opened.table().implementation + "' of " + kernel + " has no steps: no parameter 'variant'";
    } catch (const Failure& failure) {
      // Another kernel of the family may be available.
      if (kernels.size() == 1 || (failure.status() != SUITE_NOT_FOUND && failure.status() != SUITE_UNSUPPORTED)) throw;
      without = failure.what();
    }
    if (steps.empty()) continue;
    if (!kept) kept = std::make_unique<ResultFolder>(arguments, LadderResult::schema, name);
    for (const auto& size : sizes) {
      result.blocks.push_back(ladder_of(arguments, kernel, {implementation, size, seed, parameters}, steps, print, failed, *kept));
      kept->save(json_of(result));
    }
  }
  if (result.blocks.empty()) throw Failure(SUITE_NOT_FOUND, without);
  return kept->end(json_of(result), failed);
}

}  // namespace suite::app
