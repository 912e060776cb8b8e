// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iostream>
#include <sstream>

#include "common/near.hpp"
#include "measure/installed.hpp"
#include "bench_plan.hpp"
#include "exit_codes.hpp"
#include "session.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

// Implementations of one kernel, or of all kernels for an app, which calls several.
std::vector<std::string> known_implementations(const Loaded& loaded) {
  std::vector<std::string> all;
  for (const auto& kernel : loaded.app ? kernel_names() : std::vector{loaded.kernel})
    for (const auto& name : implementations_of(kernel))
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
  return all;
}

void check_parameters(const Input& input, Kernel& kernel) {
  for (const auto& [name, value] : input.settings("parameters"))
    input.holds("parameters." + name, [&, name = name, value = value] { set_parameter(kernel, {name, value}); });
}

// Reports what `suite run` would refuse when it opens the kernel, at its position in the input.
void check_kernel(const Loaded& loaded) {
  const Input& input = loaded.input;
  const std::string path = loaded.app ? "kernel.implementation" : "implementation", implementation = input.text(path);
  const auto known = known_implementations(loaded);
  const std::string name = implementation.substr(0, implementation.find(':'));
  const bool file = implementation.find('/') != std::string::npos;
  if (!file && std::find(known.begin(), known.end(), name) == known.end())
    input.fail(path, "no implementation " + in_quotes(name) + did_you_mean(name, known), SUITE_NOT_FOUND);
  else if (!loaded.app) try {
      Candidate candidate(loaded.kernel, implementation, input.text("variant"));
      check_parameters(input, candidate.kernel());
    } catch (const Failure& failure) { input.fail("variant", failure.what(), failure.status()); }
  if (loaded.app) return;
  if (const std::string trouble = trouble_with(loaded.kernel, input.text("size")); !trouble.empty()) input.fail("size", trouble);
}

}  // namespace

int check_verb(const Arguments& arguments) {
  apply_environment(arguments);
  std::ostringstream about;
  const Loaded loaded = load_input(arguments, about);
  if (!loaded.replay) check_kernel(loaded);
  loaded.input.finish();
  if (arguments.has("--quiet")) return exit_ok;
  std::cout << loaded.input.source().string() << ": ok ("
            << (loaded.app ? std::string("app ") + loaded.app->name() : "kernel " + loaded.kernel) << ")\n"
            << about.str();
  return exit_ok;
}

}  // namespace suite::app
