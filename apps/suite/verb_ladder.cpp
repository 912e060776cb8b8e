// SPDX-License-Identifier: BSD-3-Clause
// suite ladder: the published optimisation steps of a kernel side by side, and whether each does here what its authors
// saw. Knows no kernel: the steps are what the parameter `variant` says (steps.hpp).
#include <cmath>
#include <cstring>
#include <iostream>

#include <nlohmann/json.hpp>

#include "common/machine.hpp"
#include "common/near.hpp"
#include "common/result.hpp"
#include "common/statistics.hpp"
#include "ceilings.hpp"
#include "exit_codes.hpp"
#include "result_folder.hpp"
#include "rows.hpp"
#include "session.hpp"
#include "steps.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

using nlohmann::ordered_json;

const suite_parameter* variant_of(const suite_kernel_table& table) {
  for (uint32_t i = 0; i < table.parameter_count; ++i)
    if (!std::strcmp(table.parameters[i].name, "variant") && table.parameters[i].choices) return &table.parameters[i];
  return nullptr;
}

// The kernel, or all kernels of the family.
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

// One step, timed.
struct Rung {
  const Step& step;
  const Contender& contender;
  const Rung* before = nullptr;  // nullptr: nothing to compare with
  bool failed() const { return contender.record().verification == "failed"; }
  double seconds() const { return estimate(contender.record().samples_s).median; }
  double flops() const { return counted(contender.record().flops); }
  double bytes() const { return counted(contender.record().bytes); }
  bool comparable() const { return before && !failed() && !before->failed(); }
  Comparison comparison() const { return compare_samples(contender.record().samples_s, before->contender.record().samples_s); }
  // "met", "not met", "unclear", or "" where nothing is expected.
  std::string met() const {
    if (!comparable() || step.expected == SUITE_UNKNOWN) return "";
    const Comparison c = comparison();
    const bool same = effect_of(c.ratio.median, 1) == SUITE_SAME;
    if (c.verdict == "unclear") return "unclear";
    if (step.expected == SUITE_SAME && same) return "met";
    if (step.expected == SUITE_SAME) return c.verdict == "same" ? "met" : "not met";
    return c.verdict == (step.expected == SUITE_FASTER ? "FASTER" : "SLOWER") ? "met" : "not met";
  }

private:
  // Of one run; the record has the sum over its samples.
  double counted(double summed) const {
    const auto n = static_cast<double>(contender.record().samples_s.size());
    return n > 0 ? summed / n : 0;
  }
};

std::vector<Rung> rungs_of(const std::vector<Step>& steps, const Contenders& contenders) {
  std::vector<Rung> rungs;
  rungs.reserve(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    rungs.push_back({steps[i], *contenders[i]});
    for (const auto& earlier : rungs)
      if (!steps[i].after.empty() && earlier.step.choice.name == steps[i].after) rungs.back().before = &earlier;
  }
  return rungs;
}

std::string ratio_text(const Rung& rung, size_t index, const std::vector<Rung>& rungs) {
  if (!rung.comparable()) return "-";
  const std::string ratio = fixed(rung.comparison().ratio.median, 2);
  return rung.before == &rungs[index - 1] ? ratio : ratio + " to " + rung.step.after;
}

// Two lines a step: the numbers, and below them its sentence.
std::string ladder_text(const std::vector<Rung>& rungs, double ceiling, const std::string& checked_at) {
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
    if (rung.failed()) {
      table.row({"  " + std::string(rung.step.choice.name), "-", "-", "-", "-", "-", "-", "-", scientific(rung.contender.record().max_relative_error), published, expected, bad("FAILED", colour)});
      continue;
    }
    const double rate = rung.flops() / rung.seconds();
    std::string here = rung.comparable() ? rung.comparison().verdict : "-";
    if (const std::string met = rung.met(); !met.empty() && met != "unclear") here += ", " + (met == "met" ? good(met, colour) : met);
    table.row({"  " + std::string(rung.step.choice.name), seconds_text(rung.seconds()), seconds_text(estimate(rung.contender.cpu_samples()).median), ratio_text(rung, i, rungs), rung.flops() > 0 ? metric(rung.flops()) : "-",
               rung.bytes() > 0 ? metric(rung.bytes()) : "-", giga(rate), ceiling > 0 ? of_ceiling(rate / ceiling) : "-",
               scientific(rung.contender.record().max_relative_error) + checked_at, published, expected, here});
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
    if (rung.failed()) text += "      FAILED: " + rung.contender.record().detail + "\n";
  }
  return text;
}

ordered_json rung_json(const Rung& rung, double ceiling) {
  ordered_json j{{"step", std::string(rung.step.choice.name)}, {"sentence", rung.step.choice.meaning}, {"after", rung.step.after}};
  j["published"] = ordered_json::array();
  for (const auto& p : by_device(rung.step.published()))
    j["published"].push_back({{"device", p.device}, {"seconds", p.seconds > 0 ? ordered_json(p.seconds) : ordered_json(nullptr)}, {"text", p.text}});
  j["expected"] = rung.step.expectation;
  j["met"] = rung.met();
  j["verification"] = {{"status", rung.contender.record().verification},
                       {"max_relative_error", rung.contender.record().max_relative_error},
                       {"detail", rung.contender.record().detail}};
  if (rung.failed()) return j;
  const Estimate time = estimate(rung.contender.record().samples_s);
  j["median_s"] = time.median;
  j["low_s"] = time.low;
  j["high_s"] = time.high;
  j["samples_s"] = rung.contender.record().samples_s;
  j["cpu_samples_s"] = rung.contender.cpu_samples();
  j["waited_fraction"] = std::isfinite(rung.contender.waited()) ? ordered_json(rung.contender.waited()) : ordered_json(nullptr);
  j["better"] = "lower";
  j["flops"] = rung.flops();
  j["bytes"] = rung.bytes();
  j["flop_per_s"] = rung.flops() / time.median;
  j["merit"] = merit_json(merit_per_run(rung.contender.record()), time.median);
  if (ceiling > 0) j["fma_fraction"] = rung.flops() / time.median / ceiling;
  if (rung.comparable()) {
    const Comparison c = rung.comparison();
    j["ratio"] = comparison_json(c);
    j["verdict"] = c.verdict;
  }
  return j;
}

// Where the arguments of the ladder come from.
struct Choice {
  std::string implementation, size;
  uint64_t seed;
  Parameters parameters;
};

ordered_json ladder_of(const Arguments& arguments, const std::string& kernel, const Choice& choice, const std::vector<Step>& steps, bool print, bool& failed,
                       ResultFolder& kept) {
  GeneratedArguments generated(kernel, choice.size, choice.seed);
  Contenders contenders;
  for (const auto& step : steps) contenders.push_back(std::make_unique<Contender>(kernel, choice.implementation, step.choice.name, choice.parameters));
  // The first run of each, which compiles and fills caches, is the one that is verified and not timed.
  Progress progress(print);
  const std::string checked_at = verify_generated(contenders, kernel, generated, choice.seed, nullptr, progress);
  sample_in_turns(contenders, repeat_of(arguments), progress);
  const int threads = threads_in_use();
  const KernelRecord& first = contenders.front()->record();
  kept.used(first);
  const double ceiling = fma_ceiling(threads, *contenders.front());
  const std::vector<Rung> rungs = rungs_of(steps, contenders);
  for (const auto& rung : rungs) failed = failed || rung.failed();
  if (print) {
    std::cout << kernel << " on " << contenders.front()->record().implementation << parameters_text(choice.parameters) << "   " << first.device << "\nsize " << choice.size << "   " << counted(threads, "thread");
    if (ceiling > 0) std::cout << "   FMA ceiling " << giga(ceiling) << " GFLOP/s" << in_single(*contenders.front());
    else std::cout << "   no FMA ceiling: ceilings.fma is not there for backend " << first.backend;
    std::cout << "\n\n" << explained(ladder_text(rungs, ceiling, checked_at)) << waiting_text(contenders, threads) << "\n" << std::flush;
  }
  ordered_json j{{"kernel", kernel},         {"implementation", first.implementation}, {"backend", first.backend}, {"device", first.device},
                 {"plugin", first.plugin_file}, {"size", choice.size},                    {"seed", choice.seed},      {"threads", threads},
                 {"verified_at", checked_at.empty() ? choice.size : "small"}};
  for (const auto& [name, value] : choice.parameters) j["parameters"][name] = value;
  j["fma_flop_per_s"] = ceiling;
  j["steps"] = ordered_json::array();
  for (const auto& rung : rungs) j["steps"].push_back(rung_json(rung, ceiling));
  return j;
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
  ordered_json blocks = ordered_json::array();
  std::string without;  // why there is no ladder
  std::unique_ptr<ResultFolder> kept;
  for (const auto& kernel : kernels) {
    std::vector<Step> steps;
    std::string implementation;
    try {
      implementation = chosen_implementation(arguments, kernel, "cpu");
      const Kernel opened(kernel, implementation);
      if (const suite_parameter* variant = variant_of(opened.table())) steps = steps_of(*variant);
      else without = std::string("implementation '") + opened.table().implementation + "' of " + kernel + " has no steps: no parameter 'variant'";
    } catch (const Failure& failure) {
      // Another kernel of the family may be there.
      if (kernels.size() == 1 || (failure.status() != SUITE_NOT_FOUND && failure.status() != SUITE_UNSUPPORTED)) throw;
      without = failure.what();
    }
    if (steps.empty()) continue;
    if (!kept) kept = std::make_unique<ResultFolder>(arguments, "suite-ladder-1", name);
    for (const auto& size : sizes) {
      blocks.push_back(ladder_of(arguments, kernel, {implementation, size, seed, parameters}, steps, print, failed, *kept));
      kept->save({{"blocks", blocks}});
    }
  }
  if (blocks.empty()) throw Failure(SUITE_NOT_FOUND, without);
  return kept->end({{"blocks", blocks}}, failed);
}

}  // namespace suite::app
