// SPDX-License-Identifier: BSD-3-Clause
#include "bench_ranks.hpp"

#include <algorithm>
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

constexpr long standard_samples = 11;

// The last value of a key in "standard,ngpown=400", or else the extent of that name.
long whole_of(const std::string& kernel, const std::string& size, const std::string& key, uint64_t seed) {
  const std::string before = "," + key + "=", text = "," + size;
  if (const size_t at = text.rfind(before); at != std::string::npos)
    return std::atol(text.c_str() + at + before.size());
  const Needs needs = needs_of(kernel, size, seed);
  for (const auto& [name, extent] : needs.extents)
    if (name == key) return extent;
  throw UsageError("--along " + in_quotes(key) + " is no extent of " + kernel + " (" + needs.extents_text() +
                   "); another key of its size is given with its value: --size " + size + "," + key + "=N");
}

// The arguments of this rank.
std::string size_here(const Arguments& arguments, const std::string& kernel, const Communicator& world,
                      uint64_t seed) {
  const std::string size = arguments.get("--size", "standard");
  if (arguments.get("--scaling") == "weak") return size;
  const std::string key = arguments.get("--along");
  if (key.empty())
    throw UsageError(
        "--scaling strong needs --along KEY, the key of the size whose work is divided over the ranks (the "
        "family's README names it; of " +
        kernel + ": " + needs_of(kernel, size, seed).extents_text() + ")");
  const long whole = whole_of(kernel, size, key, seed), share = share_of(whole, world.rank(), world.size());
  if (whole < world.size())
    throw UsageError("--along " + key + ": " + std::to_string(whole) + " are too few for " +
                     std::to_string(world.size()) + " ranks");
  return size + "," + key + "=" + std::to_string(share);
}

// Of each sample, the slowest rank's.
std::vector<double> slowest(const Communicator& world, const std::vector<double>& mine) {
  const size_t n = mine.size(), ranks = static_cast<size_t>(world.size());
  std::vector<double> all(n * ranks, 0.0), worst(n, 0.0);
  std::copy(mine.begin(), mine.end(),
            all.begin() + static_cast<std::ptrdiff_t>(n * static_cast<size_t>(world.rank())));
  world.sum(all);
  for (size_t i = 0; i < all.size(); ++i) worst[i % n] = std::max(worst[i % n], all[i]);
  return worst;
}

double sum_of(const Communicator& world, double mine) {
  std::vector<double> one{mine};
  world.sum(one);
  return one[0];
}

int measure(const Arguments& arguments, const Communicator& world) {
  const std::string kernel = arguments.positional()[0],
                    implementation = arguments.get("--implementations", "cpu");
  const auto seed = static_cast<uint64_t>(arguments.number("--seed", 1, 0, 1L << 62));
  const std::string size = size_here(arguments, kernel, world, seed);
  std::optional<ResultFolder> kept;
  if (world.root()) kept.emplace(arguments, "suite-ranks-1", kernel);
  GeneratedArguments generated(kernel, size, seed);
  std::vector<LeftOut> left_out;
  Contenders contenders = make_contenders(arguments, kernel, {implementation}, left_out);
  if (contenders.size() != 1)
    throw UsageError("--scaling takes one implementation with one setting; here are " +
                     std::to_string(contenders.size()) + ": --implementations names one");
  Contender& contender = *contenders.front();
  verify_generated(contenders, kernel, generated, seed, nullptr);
  const double wrong = sum_of(world, contender.record().verification == "failed" ? 1 : 0);
  world.barrier();
  while (sum_of(world, wrong == 0 && contender.warm_up_turn() ? 1 : 0) > 0) world.barrier();
  for (long i = 0; wrong == 0 && i < standard_samples; ++i) {
    world.barrier();
    contender.sample();
  }
  const auto samples = slowest(world, contender.record().samples_s);
  const double merit = sum_of(world, merit_per_run(contender.record()).count);
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
  j["median_s"] = median_s;
  j["merit"] = {{"unit", record.merit.unit},
                {"formula", record.merit.formula},
                {"per_s", median_s > 0 ? merit / median_s : 0}};
  j["wrong_ranks"] = wrong;
  if (!record.detail.empty()) j["detail"] = record.detail;
  if (!arguments.has("--json") && !arguments.has("--quiet"))
    std::cout << kernel << " on " << contender.label() << "   size " << size << "   " << world.size()
              << (world.size() == 1 ? " rank" : " ranks") << " x " << threads_in_use()
              << (threads_in_use() == 1 ? " thread" : " threads") << "\n  slowest rank, median of "
              << samples.size() << " samples: " << seconds_text(median_s) << "\n";
  return kept->end(j, wrong > 0);
}

}  // namespace

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
