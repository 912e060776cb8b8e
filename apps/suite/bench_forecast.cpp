// SPDX-License-Identifier: BSD-3-Clause
#include "bench_forecast.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "ceilings.hpp"
#include "common/machine.hpp"
#include "common/result_file.hpp"
#include "contender.hpp"
#include "table.hpp"

namespace suite::app {

namespace fs = std::filesystem;

namespace {

// Measured on kernels of all families at "small" and "standard"; a factor of three either way is usual.
constexpr double contender_share = 0.2;   // of the ceiling of multiply-adds, what a contender reaches
constexpr double reference_share = 0.01;  // the reference
constexpr double bytes_per_flop = 0.1;    // beyond, memory decides
constexpr double opening_s = 0.1;         // of a contender: its plugin, its program, the first run
constexpr double generated_whole_B = 4.0 * 1024 * 1024;

// Extents and types, asked for once: a molecule's take their time.
const std::vector<suite_array>& described(const suite_kernel_table& table, const std::string& size) {
  static std::map<std::pair<std::string, std::string>, std::vector<suite_array>> known;
  auto& arrays = known[{table.kernel, size}];
  if (!arrays.empty()) return arrays;
  std::vector<suite_array> fresh(table.argument_count);
  for (auto& a : fresh) a.rank = -1;
  suite_error error{};
  if (table.generate(size.c_str(), 1, fresh.data(), &error) != SUITE_OK)
    throw Failure(SUITE_INVALID_ARGUMENT, error.message);
  return arrays = fresh;
}

std::string implementation_for_sizes(const std::string& kernel) {
  const auto names = implementations_of(kernel);
  if (names.empty()) require_kernel(kernel);
  return names.front();  // the reference, where there is one
}

// Plain names of the shapes only: sums and products follow from them.
std::vector<std::pair<std::string, int64_t>> named_extents(const suite_kernel_table& table,
                                                           const std::vector<suite_array>& arrays) {
  std::vector<std::pair<std::string, int64_t>> extents;
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    std::istringstream shape(table.arguments[i].shape ? table.arguments[i].shape : "");
    int d = 0;
    for (std::string name; d < arrays[i].rank && std::getline(shape, name, ','); ++d) {
      const auto same = [&](const auto& known) { return known.first == name; };
      if (name.find_first_of("+*-0123456789") == std::string::npos &&
          std::none_of(extents.begin(), extents.end(), same))
        extents.emplace_back(name, arrays[i].extent[d]);
    }
  }
  return extents;
}

std::string key_of(const std::string& kernel, const std::string& size, int threads, int contenders) {
  return kernel + " " + size + " " + std::to_string(threads) + " " + std::to_string(contenders);
}

}  // namespace

std::string trouble_with(const std::string& kernel, const std::string& size) {
  try {
    const Kernel open(kernel, implementation_for_sizes(kernel));
    described(open.table(), size);
    return "";
  } catch (const Failure& failure) {
    if (failure.status() != SUITE_INVALID_ARGUMENT) throw;
    return failure.what();
  }
}

std::string Needs::extents_text() const {
  std::string text;
  for (const auto& [name, extent] : extents)
    text += (text.empty() ? "" : ", ") + name + " " + std::to_string(extent);
  return text;
}

Needs needs_of(const std::string& kernel, const std::string& size, uint64_t seed) {
  Kernel open(kernel, implementation_for_sizes(kernel));
  const suite_kernel_table& table = open.table();
  std::vector<suite_array> arrays = described(table, size);
  Needs needs;
  for (const auto& a : arrays)
    if (a.rank >= 0)
      needs.memory_B += static_cast<double>(count_of(a)) * static_cast<double>(suite_type_size(a.type));
  needs.extents = named_extents(table, arrays);
  open.generate(needs.memory_B <= generated_whole_B ? size : "small", seed);
  for (uint32_t i = 0; i < table.argument_count; ++i)
    if (arrays[i].rank == 0) arrays[i].data = open.argument(table.arguments[i].name).data;
  if (table.cost) table.cost(arrays.data(), &needs.cost);
  return needs;
}

Forecast::Forecast() {
  std::error_code error;
  std::vector<fs::path> folders;
  for (fs::directory_iterator i("results", error), end; !error && i != end && folders.size() < 1000;
       i.increment(error))
    if (i->is_directory(error) && !i->is_symlink(error) &&
        i->path().filename().string().rfind("bench-", 0) == 0)
      folders.push_back(i->path());
  std::sort(folders.begin(), folders.end());  // by name, so that of one kind the newest comes last and counts
  const std::string host = machine().name;
  for (const auto& folder : folders) try {
      const stored::Result result = stored::read_result(folder.string());
      if (result.provenance.host != host) continue;
      for (const auto& block : result.root["blocks"].items())
        if (const auto wall = block["wall_s"])
          earlier_[key_of(
              block["kernel"].text(), block["size"].text(), static_cast<int>(block["threads"].whole(1, 4096)),
              static_cast<int>(block["contenders"].size()))] = {wall.number(0, 1e9), folder.string()};
    } catch (const Failure&) {
      // Another program's folder, or one that is still being written: no forecast from it.
    }
}

Forecast::Seconds Forecast::of(const Block& block, const suite_cost& cost, int contenders, long repeat,
                               double budget_s) const {
  const int threads = block.threads > 0 ? block.threads : threads_in_use();
  if (const auto found = earlier_.find(key_of(block.kernel, block.size, threads, contenders));
      found != earlier_.end())
    return found->second;
  const double ceiling = fma_ceiling(threads);
  if (!(ceiling > 0)) return {0, ""};
  const double least_s = std::max(cost.flops, cost.bytes / bytes_per_flop) / ceiling;
  const double sample_s = std::max(least_s / contender_share, 2e-3),
               reference_s = std::min(least_s / reference_share, budget_s);
  const double samples_s = repeat > 0
                               ? static_cast<double>(repeat) * contenders * sample_s
                               : std::clamp(budget_s, 6 * contenders * sample_s, 11 * contenders * sample_s);
  return {reference_s + contenders * (opening_s + sample_s) + samples_s, "counted"};
}

}  // namespace suite::app
