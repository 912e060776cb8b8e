// SPDX-License-Identifier: BSD-3-Clause
// suite completion SHELL prints its script; suite completion kernels, one name per line, the names that the scripts offer.
#include <iostream>

#include "common/near.hpp"
#include "completion.hpp"
#include "completion_names.hpp"
#include "exit_codes.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

struct Script {
  const char* shell;
  std::string (*text)();
};
constexpr Script scripts[] = {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};

}  // namespace

int completion_verb(const Arguments& arguments) {
  const std::string& asked = arguments.positional().front();
  const std::vector<std::string> line(arguments.positional().begin() + 1, arguments.positional().end());
  std::vector<std::string> known;
  std::string shells;
  for (const auto& script : scripts) {
    known.emplace_back(script.shell);
    shells += (shells.empty() ? "" : ", ") + known.back();
    if (asked != script.shell) continue;
    if (!line.empty()) throw UsageError("'suite completion " + asked + "' accepts no other argument");
    std::cout << script.text();
    return exit_ok;
  }
  for (const auto& topic : name_topics()) {
    known.emplace_back(topic.name);
    if (asked != topic.name) continue;
    try {
      for (const auto& name : topic.names(line)) std::cout << name << "\n";
    } catch (const Failure&) {}  // such as an app that is not in this build: there is nothing to offer
    return exit_ok;
  }
  throw UsageError("no shell " + in_quotes(asked) + did_you_mean(asked, known) + " (there are: " + shells + ")");
}

}  // namespace suite::app
