// SPDX-License-Identifier: BSD-3-Clause
// suite completion SHELL prints its script; suite completion kernels, one name per line, the names that the scripts offer.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include <suite/suite.h>

#include "common/near.hpp"
#include "common/paths.hpp"
#include "measure/candidate.hpp"
#include "measure/installed.hpp"
#include "completion.hpp"
#include "exit_codes.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

using Names = std::set<std::string>;

Names kernels() {
  const auto all = kernel_names();
  return {all.begin(), all.end()};
}

Names families() {
  Names names;
  for (const auto& kernel : kernel_names()) names.insert(kernel.substr(0, kernel.find('.')));
  return names;
}

Names from_plugins(void (*add)(const suite_plugin&, Names&)) {
  struct With {
    void (*add)(const suite_plugin&, Names&);
    Names names;
  } with{add, {}};
  suite_visit(
      [](void* to, const char*, const suite_plugin* plugin, const char*) {
        auto& w = *static_cast<With*>(to);
        if (plugin) w.add(*plugin, w.names);
      },
      &with);
  return with.names;
}

Names implementations() {
  return from_plugins([](const suite_plugin& plugin, Names& names) {
    for (uint32_t i = 0; i < plugin.kernel_count; ++i) names.insert(plugin.kernels[i]->implementation);
  });
}

Names backends() {
  return from_plugins([](const suite_plugin& plugin, Names& names) {
    if (plugin.backend) names.insert(plugin.backend->name);
  });
}

Names inputs() {
  Names names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(installed_inputs(), error))
    if (entry.path().extension() == ".yaml") names.insert(entry.path().filename().string());
  return names;
}

struct Topic {
  const char* name;
  std::string (*script)();
  Names (*names)();
};
constexpr Topic topics[] = {{"bash", bash_completion, nullptr}, {"zsh", zsh_completion, nullptr},
                            {"fish", fish_completion, nullptr}, {"kernels", nullptr, kernels},
                            {"families", nullptr, families},    {"implementations", nullptr, implementations},
                            {"backends", nullptr, backends},    {"inputs", nullptr, inputs}};

}  // namespace

int completion_verb(const Arguments& arguments) {
  const std::string& asked = arguments.positional().front();
  std::vector<std::string> known;
  std::string shells;
  for (const auto& topic : topics) {
    known.push_back(topic.name);
    if (topic.script) shells += (shells.empty() ? "" : ", ") + known.back();
    if (asked != topic.name) continue;
    if (topic.script) std::cout << topic.script();
    else
      for (const auto& name : topic.names()) std::cout << name << "\n";
    return exit_ok;
  }
  throw UsageError("no shell " + in_quotes(asked) + did_you_mean(asked, known) + " (there are: " + shells + ")");
}

}  // namespace suite::app
