// SPDX-License-Identifier: BSD-3-Clause
#include "bench_forecast.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

#include "common/machine.hpp"
#include "measure/ceilings.hpp"
#include "measure/candidate.hpp"
#include "measure/installed.hpp"
#include "measure/result_file.hpp"
#include "measure/sizes.hpp"
#include "table.hpp"

namespace suite::app {

namespace fs = std::filesystem;

namespace {

// Measured on kernels of all families at "small" and "standard"; typically within a factor of three.
constexpr double candidate_share = 0.2;   // fraction of the FMA ceiling reached by a candidate
constexpr double reference_share = 0.01;  // by the reference
constexpr double bytes_per_flop = 0.1;    // above this, memory bandwidth is the limit
constexpr double opening_s = 0.1;         // per candidate: loading its plugin, compiling its program, first run
constexpr double generated_whole_B = 4.0 * 1024 * 1024;

std::string implementation_for_sizes(const std::string& kernel) {
  const auto names = implementations_of(kernel);
  if (names.empty()) require_kernel(kernel);
  return names.front();  // the reference, if there is one
}

std::string key_of(const std::string& kernel, const std::string& size, int threads, size_t candidates, size_t samples) {
  std::string key = kernel + " " + size;
  for (const size_t number : {static_cast<size_t>(threads), candidates, samples}) key += fmt::format(" {}", number);
  return key;
}

std::string key_of(const RowBlock& block) {
  size_t samples = 0;
  for (const auto& row : block.rows) samples = std::max(samples, row.samples_s.size());
  return key_of(block.kernel, block.size, block.threads, block.rows.size(), samples);
}

}  // namespace

std::string trouble_with(const std::string& kernel, const std::string& size) {
  try {
    const Kernel open(kernel, implementation_for_sizes(kernel));
    arguments_of(open.table(), size);
    return "";
  } catch (const Failure& failure) {
    if (failure.status() != SUITE_INVALID_ARGUMENT) throw;
    return failure.what();
  }
}

std::string Needs::extents_text() const {
  std::string text;
  for (const auto& [name, extent] : extents) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, extent);
  return text;
}

Needs needs_of(const std::string& kernel, const std::string& size, uint64_t seed) {
  Kernel open(kernel, implementation_for_sizes(kernel));
  const suite_kernel_table& table = open.table();
  std::vector<suite_array> arrays = arguments_of(table, size);
  Needs needs;
  needs.memory_B = memory_B(arrays);
  needs.extents = named_extents(table, arrays);
  open.generate(needs.memory_B <= generated_whole_B ? size : "small", seed);
  for (uint32_t i = 0; i < table.argument_count; ++i)
    if (arrays[i].rank == 0) arrays[i].data = open.argument(table.arguments[i].name).data;
  std::vector<int64_t> defaults;
  for (uint32_t i = 0; i < table.parameter_count; ++i) defaults.push_back(table.parameters[i].value);
  if (table.cost) table.cost(arrays.data(), defaults.data(), &needs.cost);
  return needs;
}

Forecast::Forecast() {
  std::error_code error;
  std::vector<fs::path> folders;
  for (fs::directory_iterator i("results", error), end; !error && i != end && folders.size() < 1000; i.increment(error))
    if (i->is_directory(error) && !i->is_symlink(error) && i->path().filename().string().rfind("bench-", 0) == 0)
      folders.push_back(i->path());
  std::sort(folders.begin(), folders.end());  // by name, so that of each kind the newest comes last and takes precedence
  const std::string host = machine().name;
  for (const auto& folder : folders) try {
      const stored::Result result = stored::read_result(folder.string());
      if (result.provenance.host.name != host) continue;
      for (const auto& block : stored::read_blocks(result))
        if (block.wall_s && block.ended_early.empty()) earlier_[key_of(block)] = {*block.wall_s, folder.string()};
    } catch (const Failure&) {
      // Another program's folder, or one still being written: ignored.
    }
}

Forecast::Seconds Forecast::of(const Block& block, const suite_cost& cost, int candidates, long repeat, double budget_s) const {
  const int threads = block.threads > 0 ? block.threads : threads_in_use();
  // Without --repeat the number of samples depends on the budget.
  for (long samples = repeat > 0 ? repeat : 11; samples >= (repeat > 0 ? repeat : 6); --samples)
    if (const auto found =
            earlier_.find(key_of(block.kernel, block.size, threads, static_cast<size_t>(candidates), static_cast<size_t>(samples)));
        found != earlier_.end())
      return found->second;
  const double ceiling = fma_ceiling(threads);
  if (!(ceiling > 0)) return {0, ""};
  const double least_s = std::max(cost.flops, cost.bytes / bytes_per_flop) / ceiling;
  const double sample_s = std::max(least_s / candidate_share, 2e-3), reference_s = std::min(least_s / reference_share, budget_s);
  const double samples_s = repeat > 0 ? static_cast<double>(repeat) * candidates * sample_s
                                      : std::clamp(budget_s, 6 * candidates * sample_s, 11 * candidates * sample_s);
  return {reference_s + candidates * (opening_s + sample_s) + samples_s, "counted"};
}

}  // namespace suite::app
