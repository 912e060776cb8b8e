// SPDX-License-Identifier: BSD-3-Clause
#include "bench_plan.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

#include <fmt/core.h>

#include "common/near.hpp"
#include "common/quantities.hpp"
#include "measure/candidate.hpp"
#include "measure/installed.hpp"
#include "session.hpp"

namespace suite::app {

const std::vector<Preset>& presets() {
  static const std::vector<Preset> table{
      {"smoke", "--size small --repeat 6 --time-limit 10", "short test that everything runs, with rough times"},
      {"standard", "--size standard --repeat 9 --time-limit 120", "every kernel at its usual size"},
      {"full", "--size small/standard --variants all --repeat 11", "all variants at two sizes, without a time limit"},
  };
  return table;
}

Arguments with_preset(const Arguments& arguments) {
  if (!arguments.has("--preset")) return arguments;
  const std::string name = arguments.get("--preset");
  std::vector<std::string> names;
  for (const auto& preset : presets()) {
    names.push_back(preset.name);
    if (name != preset.name) continue;
    std::vector<std::string> words = arguments.words();
    std::istringstream stream(preset.options);
    for (std::string option, value; stream >> option >> value;)
      if (!arguments.has(option)) words.insert(words.end(), {option, value});
    return Arguments::parse(words);
  }
  std::string list;
  for (const auto& known : names) list += (list.empty() ? "" : ", ") + known;
  throw UsageError("--preset: no preset " + in_quotes(name) + did_you_mean(name, names) + " (there are: " + list + ")");
}

namespace {

constexpr size_t most_sizes = 1000;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts{""};
  for (char c : text)
    if (c == at) parts.emplace_back();
    else parts.back() += c;
  return parts;
}

long whole(const std::string& text, const std::string& of) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    throw UsageError("the range " + in_quotes(of) + " must be written A..B, A..B+STEP or A..BxFACTOR with whole numbers");
  return value;
}

// Expands "1..8x2" into 1, 2, 4, 8; returns anything else unchanged.
std::vector<std::string> expand_range(const std::string& text) {
  const size_t dots = text.find("..");
  if (dots == std::string::npos) return {text};
  const std::string behind = text.substr(dots + 2);
  const size_t step_at = behind.find_first_of("+x");
  const bool factor = step_at != std::string::npos && behind[step_at] == 'x';
  const long first = whole(text.substr(0, dots), text), last = whole(behind.substr(0, step_at), text);
  const long step = step_at == std::string::npos ? 1 : whole(behind.substr(step_at + 1), text);
  if (first > last || step < (factor ? 2 : 1) || (factor && first < 1))
    throw UsageError("the range " + in_quotes(text) + " is empty or never ends");
  std::vector<std::string> values;
  for (long value = first; value <= last; value = factor ? value * step : value + step) {
    values.push_back(std::to_string(value));
    if (values.size() > most_sizes) throw UsageError(fmt::format("the range {} has more than {} values", in_quotes(text), most_sizes));
    if (factor ? value > last / step : value > last - step) break;
  }
  return values;
}

// Alternatives of one key=value, or of names such as small/test:0..3.
std::vector<std::string> alternatives(const std::string& token, const std::string& size) {
  const size_t equals = token.find('=');
  const std::string key = equals == std::string::npos ? "" : token.substr(0, equals + 1);
  std::vector<std::string> all;
  for (const auto& part : split(token.substr(key.size()), '/')) {
    if (part.empty()) throw UsageError("--size " + in_quotes(size) + " has an empty value");
    const size_t colon = part.find(':');
    const std::string name = colon == std::string::npos ? "" : part.substr(0, colon + 1);
    for (const auto& value : expand_range(part.substr(name.size()))) all.push_back(key + name + value);
  }
  return all;
}

}  // namespace

std::vector<std::string> expand_size(const std::string& text) {
  std::vector<std::string> sizes{""};
  for (const auto& token : split(text, ',')) {
    std::vector<std::string> longer;
    for (const auto& so_far : sizes)
      for (const auto& value : alternatives(token, text)) {
        longer.push_back(so_far + (so_far.empty() ? "" : ",") + value);
        if (longer.size() > most_sizes)
          throw UsageError(fmt::format("--size {} expands to more than {} sizes", in_quotes(text), most_sizes));
      }
    sizes = std::move(longer);
  }
  return sizes;
}

std::vector<int> expand_numbers(const std::string& text, const std::string& option, int low, int high) {
  std::vector<int> numbers;
  for (const auto& part : split_list(text, option))
    for (const auto& value : expand_range(part)) {
      int n = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
      if (error != std::errc() || end != value.data() + value.size() || n < low || n > high)
        throw UsageError(
            fmt::format("option {} must be numbers from {} to {} such as 1,2 or 1..8x2; got {}", option, low, high, in_quotes(text)));
      numbers.push_back(n);
    }
  return numbers;
}

std::string Block::name() const { return kernel + " " + size + (threads > 0 ? ", " + counted(threads, "thread") : ""); }

namespace {

std::string family_of(const std::string& kernel) { return kernel.substr(0, kernel.find('.')); }

bool has_steps(const std::string& kernel) {
  for (const auto& implementation : implementations_of(kernel)) {
    if (implementation != "cpu") continue;
    const Kernel open(kernel, implementation);
    return find_parameter(open.table(), "variant") != nullptr;
  }
  return false;
}

// A kernel without a reference (the ceilings themselves) cannot be verified, so it is not ranked.
bool can_be_ranked(const std::string& kernel) {
  const auto implementations = implementations_of(kernel);
  return implementations.size() > 1 && implementations.front() == "reference";
}

// Interleaves the families.
std::vector<std::string> in_turn(const std::vector<std::string>& kernels) {
  std::map<std::string, std::vector<std::string>> families;
  for (const auto& kernel : kernels) families[family_of(kernel)].push_back(kernel);
  std::vector<std::string> order;
  for (auto& [family, its] : families) std::stable_partition(its.begin(), its.end(), has_steps);
  for (size_t i = 0; order.size() < kernels.size(); ++i)
    for (const auto& [family, its] : families)
      if (i < its.size()) order.push_back(its[i]);
  return order;
}

}  // namespace

bool is_input(const std::string& name) { return name.find(".yaml") != std::string::npos || name.find(".yml") != std::string::npos; }

namespace {

std::vector<std::string> kernels_asked(const Arguments& arguments) {
  const auto all = kernel_names();
  std::vector<std::string> kernels;
  const auto add = [&](const std::string& name) {
    if (std::find(kernels.begin(), kernels.end(), name) == kernels.end()) kernels.push_back(name);
  };
  if (arguments.positional().empty()) {
    for (const auto& name : all)
      if (can_be_ranked(name)) add(name);
    if (kernels.empty()) throw Failure(SUITE_NOT_FOUND, "no kernel to time: 'suite list' shows what is installed");
    return in_turn(kernels);
  }
  for (const auto& asked : arguments.positional()) {
    const size_t before = kernels.size();
    for (const auto& name : all)
      if (name == asked || (family_of(name) == asked && can_be_ranked(name))) add(name);
    if (kernels.size() > before) continue;
    if (is_input(asked))
      throw UsageError(in_quotes(asked) +
                       " is an input, which 'suite bench' accepts only with --scaling; to compare its kernel: suite compare " + asked);
    require_kernel_asked_for(asked);
  }
  return kernels;
}

}  // namespace

std::vector<Block> plan_blocks(const Arguments& arguments) {
  const auto kernels = kernels_asked(arguments);
  std::vector<std::string> sizes;
  for (const auto& text : arguments.all("--size"))
    for (const auto& size : expand_size(text)) sizes.push_back(size);
  if (sizes.empty()) sizes = {"standard"};
  std::vector<int> threads{0};
  if (arguments.has("--threads")) threads = expand_numbers(arguments.get("--threads"), "--threads", 1, 4096);
  std::vector<Block> blocks;
  for (const auto& size : sizes) {
    std::string why;
    const size_t before = blocks.size();
    for (const auto& kernel : kernels) {
      if (const std::string trouble = trouble_with(kernel, size); !trouble.empty()) {
        why = trouble;
        continue;
      }
      for (const int n : threads) blocks.push_back({kernel, size, n});
    }
    // Some of several kernels may lack a size; it is an error if all do.
    if (blocks.size() == before) throw Failure(SUITE_INVALID_ARGUMENT, why);
  }
  return blocks;
}

}  // namespace suite::app
