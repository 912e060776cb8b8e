// SPDX-License-Identifier: BSD-3-Clause
#include "bench_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "bench_forecast.hpp"
#include "bench_scaling.hpp"
#include "common/communicator.hpp"
#include "common/machine.hpp"
#include "common/near.hpp"
#include "common/statistics.hpp"
#include "exit_codes.hpp"
#include "result_folder.hpp"
#include "rows.hpp"
#include "session.hpp"
#include "table.hpp"

namespace suite::app {
namespace {

using nlohmann::ordered_json;

constexpr long standard_samples = 11, warm_up_samples = 2;

// The last value of a key in "standard,ngpown=400", or else the extent of that name.
long whole_of(const std::string& kernel, const std::string& size, const std::string& key) {
  const std::string before = "," + key + "=", text = "," + size;
  if (const size_t at = text.rfind(before); at != std::string::npos)
    return std::atol(text.c_str() + at + before.size());
  const Needs needs = needs_of(kernel, size, 1);
  for (const auto& [name, extent] : needs.extents)
    if (name == key) return extent;
  throw UsageError("--along " + in_quotes(key) + " is no extent of " + kernel + " (" + needs.extents_text() +
                   "); another key of its size is given with its value: --size " + size + "," + key + "=N");
}

double sum_of(const Communicator& world, double mine) {
  std::vector<double> one{mine};
  world.sum(one);
  return one[0];
}

double slowest_of(const Communicator& world, double mine) {
  std::vector<double> all(static_cast<size_t>(world.size()), 0.0);
  all[static_cast<size_t>(world.rank())] = mine;
  world.sum(all);
  return *std::max_element(all.begin(), all.end());
}

// Seconds of a run when all ranks run: from when all begin until all have ended, so that waiting for a core
// counts.
std::vector<double> sample_together(Contender& contender, const Communicator& world) {
  constexpr double shortest_s = 20e-3;  // of a sample; barriers take their time
  const double run_s = slowest_of(world, contender.first_run_s());
  const long runs = std::clamp(static_cast<long>(std::ceil(shortest_s / std::max(run_s, 1e-9))), 1L, 100000L);
  std::vector<double> samples;
  for (long i = -warm_up_samples; i < standard_samples; ++i) {
    world.barrier();
    const double begin = wall_s();
    for (long n = 0; n < runs; ++n) contender.kernel().run();
    world.barrier();
    const double seconds = slowest_of(world, (wall_s() - begin) / static_cast<double>(runs));
    if (i >= 0) samples.push_back(seconds);
  }
  return samples;
}

int measure(const Arguments& arguments, const Communicator& world) {
  const std::string kernel = arguments.positional()[0],
                    implementation = arguments.get("--implementations", "cpu");
  const uint64_t seed = seed_of(arguments);
  const std::string size = size_on_rank(arguments, kernel, world.rank(), world.size());
  std::optional<ResultFolder> kept;
  if (world.root()) kept.emplace(arguments, "suite-ranks-1", kernel);
  GeneratedArguments generated(kernel, size, seed);
  std::vector<LeftOut> left_out;
  Contenders contenders = make_contenders(arguments, kernel, {implementation}, left_out);
  if (contenders.size() != 1)
    throw UsageError("--scaling takes one implementation with one setting; here are " +
                     std::to_string(contenders.size()) + ": --implementations names one");
  Contender& contender = *contenders.front();
  Progress none(false);
  verify_generated(contenders, kernel, generated, seed, nullptr, none);
  const double wrong = sum_of(world, contender.record().verification == "failed" ? 1 : 0);
  const auto samples = wrong == 0 ? sample_together(contender, world) : std::vector<double>{};
  const double merit = sum_of(world, contender.kernel().merit());
  if (!world.root()) return wrong > 0 ? exit_verification : exit_ok;
  const KernelRecord& record = contender.record();
  kept->used(record);
  ordered_json j{{"kernel", kernel},
                 {"size", size},
                 {"scaling", arguments.get("--scaling")},
                 {"ranks", world.size()},
                 {"threads", threads_in_use()}};
  j["implementation"] = record.implementation;
  j["variant"] = record.variant;
  j["samples_s"] = samples;
  const double median_s = estimate(samples).median;
  j["better"] = "lower";
  j["median_s"] = median_s;
  if (record.merit.unit.empty())
    j["merit"] = nullptr;
  else
    j["merit"] = {{"unit", record.merit.unit},
                  {"formula", record.merit.formula},
                  {"per_s", median_s > 0 ? merit / median_s : 0}};
  j["wrong_ranks"] = wrong;
  if (!record.detail.empty()) j["detail"] = record.detail;
  if (prints(arguments))
    std::cout << kernel << " on " << contender.label() << "   size " << size << "   "
              << counted(world.size(), "rank") << " x " << counted(threads_in_use(), "thread")
              << (wrong > 0 ? "\n  FAILED on " + fixed(wrong, 0) + " of them. " + record.detail
                            : "\n  slowest rank, median of " + std::to_string(samples.size()) +
                                  " samples: " + seconds_text(median_s))
              << "\n";
  return kept->end(j, wrong > 0);
}

}  // namespace

std::string size_on_rank(const Arguments& arguments, const std::string& kernel, int rank, int ranks) {
  const std::string size = arguments.get("--size", "standard");
  if (arguments.get("--scaling") == "weak") return size;
  const std::string key = arguments.get("--along");
  if (key.empty())
    throw UsageError(
        "--scaling strong needs --along KEY, the key of the size whose work is divided over the ranks "
        "(extents of " +
        kernel + ": " + needs_of(kernel, size, 1).extents_text() + ")");
  const long whole = whole_of(kernel, size, key);
  if (whole < ranks)
    throw UsageError("--along " + key + ": " + std::to_string(whole) + " are too few for " +
                     std::to_string(ranks) + " ranks");
  return size + "," + key + "=" + std::to_string(share_of(whole, rank, ranks));
}

int measure_ranks(const Arguments& arguments) {
  use_threads(static_cast<int>(arguments.number("--threads", 0, 1, 4096)), ranks_on_this_machine());
  const auto world = Communicator::world();
  if (world->size() == 1) return measure(arguments, *world);
  try {
    return measure(arguments, *world);
  } catch (const std::exception& e) {
    // The others may wait for this one forever.
    std::cerr << "suite: error on rank " << world->rank() << ": " << e.what() << std::endl;
    world->abort(exit_code_of(e));
  }
  return exit_bug;
}

}  // namespace suite::app
