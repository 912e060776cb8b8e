// SPDX-License-Identifier: BSD-3-Clause
// launch_kernels --list IMPLEMENTATION
//   its kernels, one a line, each with its named sizes
// launch_kernels [--choices] IMPLEMENTATION[:DEVICE] KERNEL SIZE...
//   runs the kernel once at each size, with its default choices; --choices: with each choice of each parameter and both ends of each
//   number too. One line for each run: "ran KERNEL SIZE CHOICE SECONDS FLOPS BYTES", "too_large KERNEL SIZE CHOICE: why", "refused ..." a
//   choice that this call cannot have, or "failed ...". A result that is not finite is a failure; whether it is right is for test_plugins to say.
//   Exit status 1 where a run failed.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <suite/suite.hpp>

#include "../common/choices.hpp"
#include "../plugins/cases.hpp"

namespace {

using suite::Failure;
using suite::Kernel;

// The names in "unknown size '?' of ... (known: small, standard, n=<...>)"; those with "=" describe sizes without a name.
std::string named_sizes(const suite_kernel_table& table) {
  std::vector<suite_array> none(table.argument_count);
  for (auto& array : none) array.rank = -1;
  suite_error error{};
  if (table.generate("?", 1, none.data(), &error) == SUITE_OK) return {};
  const std::string said = error.message;
  const size_t begin = said.find("(known: ");
  if (begin == said.npos) return {};
  std::string names;
  for (size_t at = begin + 8; at < said.size();) {
    const size_t end = std::min(said.find_first_of(",;)", at), said.size());
    const std::string name = said.substr(at, end - at);
    if (name.find('=') == name.npos && name.find(' ') == name.npos) names += " " + name;
    if (end >= said.size() || said[end] != ',') break;
    at = said.find_first_not_of(' ', end + 1);
  }
  return names;
}

int list(const std::string& implementation) {
  std::map<std::string, std::string> sizes;
  struct Given {
    const std::string& implementation;
    std::map<std::string, std::string>& sizes;
  } given{implementation, sizes};
  suite_visit(
      [](void* with, const char*, const suite_plugin* plugin, const char*) {
        auto& to = *static_cast<Given*>(with);
        for (uint32_t k = 0; plugin && k < plugin->kernel_count; ++k) {
          const suite_kernel_table& table = *plugin->kernels[k];
          if (table.implementation == to.implementation) to.sizes.emplace(table.kernel, named_sizes(table));
        }
      },
      &given);
  for (const auto& [kernel, names] : sizes) std::printf("%s%s\n", kernel.c_str(), names.c_str());
  return 0;
}

// The first result that is not finite, by name and index; empty where there is none.
std::string not_finite(const Kernel& kernel) {
  const suite_kernel_table& table = kernel.table();
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    const suite_argument& a = table.arguments[i];
    if (!(a.intent & SUITE_OUT)) continue;
    const suite_array array = kernel.argument(a.name);
    if (array.rank < 0 || !suite::test::is_floating(array)) continue;
    suite::test::Owned result(array);
    kernel.get(a.name, result.array);
    const int64_t n = suite::test::numbers_of(result.array);
    for (int64_t k = 0; k < n; ++k)
      if (const double x = suite::test::number(result.array, result.bytes.data(), k); !std::isfinite(x))
        return std::string(a.name) + " has " + std::to_string(x) + " at number " + std::to_string(k) + " of " + std::to_string(n);
  }
  return {};
}

struct Launcher {
  Kernel& kernel;
  std::string where;  // "gpp.sigma small"
  bool failed = false;

  void launch(const std::string& choice, bool may_refuse) {
    const std::string what = where + " " + choice;
    try {
      const double seconds = kernel.run();
      const std::string wrong = not_finite(kernel);
      const suite_cost cost = kernel.cost();
      if (wrong.empty()) std::printf("ran %s %.3e %.3e %.3e\n", what.c_str(), seconds, cost.flops, cost.bytes);
      else std::printf("failed %s: %s\n", what.c_str(), wrong.c_str());
      failed = failed || !wrong.empty();
    } catch (const Failure& failure) {
      const bool refused = may_refuse && (failure.status() == SUITE_UNSUPPORTED || failure.status() == SUITE_INVALID_ARGUMENT);
      const bool too_large = failure.status() == SUITE_OUT_OF_MEMORY;
      failed = failed || !(refused || too_large);
      std::printf("%s %s: %s\n", too_large ? "too_large" : refused ? "refused" : "failed", what.c_str(), failure.what());
    }
    std::fflush(stdout);
  }

  void launch_with_each_choice() {
    suite::test::with_each_choice(kernel, [&](const std::string& choice) { launch(choice, true); });
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 2 && words[0] == "--list") return list(words[1]);
  const bool choices = !words.empty() && words[0] == "--choices";
  if (choices) words.erase(words.begin());
  if (words.size() < 3) {
    std::fprintf(stderr, "launch_kernels --list IMPLEMENTATION\nlaunch_kernels [--choices] IMPLEMENTATION[:DEVICE] KERNEL SIZE...\n");
    return 2;
  }
  bool failed = false;
  try {
    const suite::Device device(words[0]);
    Kernel kernel(words[1], words[0].substr(0, words[0].find(':')), &device);
    for (size_t i = 2; i < words.size(); ++i) {
      Launcher launcher{kernel, words[1] + " " + words[i]};
      try {
        kernel.generate(words[i], 1);
      } catch (const Failure& failure) {
        const bool too_large = failure.status() == SUITE_OUT_OF_MEMORY;
        std::printf("%s %s arguments: %s\n", too_large ? "too_large" : "failed", launcher.where.c_str(), failure.what());
        failed = failed || !too_large;
        continue;
      }
      launcher.launch("default", false);
      if (choices) launcher.launch_with_each_choice();
      failed = failed || launcher.failed;
    }
  } catch (const Failure& failure) {
    std::printf("failed %s: %s\n", words[1].c_str(), failure.what());
    return 1;
  }
  return failed ? 1 : 0;
}
