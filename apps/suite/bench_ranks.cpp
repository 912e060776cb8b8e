// SPDX-License-Identifier: BSD-3-Clause
#include "bench_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/core.h>

#include "common/communicator.hpp"
#include "common/machine.hpp"
#include "common/near.hpp"
#include "measure/generated_arguments.hpp"
#include "measure/statistics.hpp"
#include "bench_forecast.hpp"
#include "bench_scaling.hpp"
#include "documents.hpp"
#include "exit_codes.hpp"
#include "result_folder.hpp"
#include "rows.hpp"
#include "session.hpp"
#include "table.hpp"

namespace suite::app {
namespace {

// One kernel on all ranks at the same time.
struct RanksResult {
  static constexpr const char* schema = "suite-ranks-1";
  std::string kernel, size, scaling, implementation, variant, detail;
  int ranks = 1, threads = 1;
  std::vector<double> samples_s;
  double median_s = 0;
  Merit merit;  // total of all ranks
  double wrong_ranks = 0;
};

}  // namespace

// clang-format off
template <> inline constexpr auto fields<RanksResult> = std::tuple{
    Field{&RanksResult::kernel,         "kernel",         "", "", name_limits},
    Field{&RanksResult::size,           "size",           "", "of the first rank", not_empty},
    Field{&RanksResult::scaling,        "scaling",        "", "", {.one_of = scaling_words}},
    Field{&RanksResult::ranks,          "ranks",          "", "", counting},
    Field{&RanksResult::threads,        "threads",        "", "", counting},
    Field{&RanksResult::implementation, "implementation", "", "", name_limits},
    Field{&RanksResult::variant,        "variant",        "", "", name_or_none},
    Field{&RanksResult::samples_s,      "samples_s",      "s", "of one run, from the start of all ranks to the end of the last", seconds_limits},
    Constant{"better", "lower"},
    Field{&RanksResult::median_s,       "median_s",       "s", "", seconds_limits},
    as<WithoutCount>(&RanksResult::merit, "merit", "figure of merit of all ranks together; null if the kernel defines none", {.or_null = true}),
    Field{&RanksResult::wrong_ranks,    "wrong_ranks",    "", "", {.low = 0, .whole = true}},
    Field{&RanksResult::detail,         "detail",         "", "the element that differs", {.omit_empty = true}},
};
// clang-format on

SchemaObject ranks_schema() { return measured_schema<RanksResult>(); }

namespace {

constexpr long standard_samples = 11, warm_up_samples = 2;

// The last value of a key in "standard,ngpown=400", else the extent of that name.
long whole_of(const std::string& kernel, const std::string& size, const std::string& key) {
  const std::string before = "," + key + "=", text = "," + size;
  if (const size_t at = text.rfind(before); at != std::string::npos) return std::atol(text.c_str() + at + before.size());
  const Needs needs = needs_of(kernel, size, 1);
  for (const auto& [name, extent] : needs.extents)
    if (name == key) return extent;
  throw UsageError("--along " + in_quotes(key) + " is not an extent of " + kernel + " (" + needs.extents_text() +
                   "); other keys of the size need a value: --size " + size + "," + key + "=N");
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

// Seconds of a run with all ranks running: from the common start until all have finished, so that waiting for a core is included.
std::vector<double> sample_together(Candidate& candidate, const Communicator& world) {
  constexpr double shortest_s = 20e-3;  // of a sample; barriers take time
  const double run_s = slowest_of(world, candidate.first_run_s());
  const long runs = std::clamp(static_cast<long>(std::ceil(shortest_s / std::max(run_s, 1e-9))), 1L, 100000L);
  std::vector<double> samples;
  for (long i = -warm_up_samples; i < standard_samples; ++i) {
    world.barrier();
    const double begin = wall_s();
    for (long n = 0; n < runs; ++n) candidate.kernel().run();
    world.barrier();
    const double seconds = slowest_of(world, (wall_s() - begin) / static_cast<double>(runs));
    if (i >= 0) samples.push_back(seconds);
  }
  return samples;
}

int measure(const Arguments& arguments, const Communicator& world) {
  const std::string kernel = arguments.positional()[0], implementation = arguments.get("--implementations", "cpu");
  const uint64_t seed = seed_of(arguments);
  const std::string size = size_on_rank(arguments, kernel, world.rank(), world.size());
  std::optional<ResultFolder> kept;
  if (world.root()) kept.emplace(arguments, RanksResult::schema, kernel);
  GeneratedArguments generated(kernel, size, seed);
  std::vector<LeftOut> left_out;
  Candidates candidates = make_candidates(arguments, kernel, {implementation}, left_out);
  if (candidates.size() != 1)
    throw UsageError(fmt::format("--scaling accepts one implementation with one setting, but {} match; choose one with --implementations",
                                 candidates.size()));
  Candidate& candidate = *candidates.front();
  Progress none(false);
  verify_generated(candidates, kernel, generated, seed, nullptr, none);
  const double wrong = sum_of(world, candidate.record().failed() ? 1 : 0);
  const auto samples = wrong == 0 ? sample_together(candidate, world) : std::vector<double>{};
  const double merit = sum_of(world, candidate.kernel().merit());
  if (!world.root()) return wrong > 0 ? exit_verification : exit_ok;
  const Row& record = candidate.record();
  kept->used(record);
  RanksResult result;
  result.kernel = kernel;
  result.size = size;
  result.scaling = arguments.get("--scaling");
  result.ranks = world.size();
  result.threads = threads_in_use();
  result.implementation = record.implementation;
  result.variant = record.variant;
  result.samples_s = samples;
  result.median_s = estimate(samples).median;
  result.merit = record.merit;
  result.merit.per_s = result.median_s > 0 ? merit / result.median_s : 0;
  result.wrong_ranks = wrong;
  result.detail = record.verification.detail;
  if (prints(arguments))
    std::cout << kernel << " on " << candidate.label() << "   size " << size << "   " << counted(world.size(), "rank") << " x "
              << counted(threads_in_use(), "thread")
              << (wrong > 0 ? "\n  FAILED on " + fixed(wrong, 0) + " of them. " + result.detail
                            : fmt::format("\n  slowest rank, median of {} samples: {}", samples.size(), seconds_text(result.median_s)))
              << "\n";
  return kept->end(json_of(result), wrong > 0);
}

}  // namespace

std::string size_on_rank(const Arguments& arguments, const std::string& kernel, int rank, int ranks) {
  const std::string size = arguments.get("--size", "standard");
  if (arguments.get("--scaling") == "weak") return size;
  const std::string key = arguments.get("--along");
  if (key.empty())
    throw UsageError("--scaling strong needs --along KEY, the size's key that is divided over the ranks (extents of " + kernel + ": " +
                     needs_of(kernel, size, 1).extents_text() + ")");
  const long whole = whole_of(kernel, size, key);
  if (whole < ranks) throw UsageError(fmt::format("--along {}: {} are too few for {} ranks", key, whole, ranks));
  return fmt::format("{},{}={}", size, key, share_of(whole, rank, ranks));
}

int measure_ranks(const Arguments& arguments) {
  use_threads(static_cast<int>(arguments.number("--threads", 0, 1, 4096)), ranks_on_this_machine());
  const auto world = Communicator::world();
  if (world->size() == 1) return measure(arguments, *world);
  try {
    return measure(arguments, *world);
  } catch (const std::exception& e) {
    // The other ranks may wait for this one forever.
    std::cerr << "suite: error on rank " << world->rank() << ": " << e.what() << std::endl;
    world->abort(exit_code_of(e));
  }
  return exit_bug;
}

}  // namespace suite::app
