// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>

#include "common/json_text.hpp"
#include "common/near.hpp"
#include "documents.hpp"
#include "exit_codes.hpp"
#include "registry.hpp"
#include "verbs.hpp"

namespace suite::app {

int schema_verb(const Arguments& arguments) {
  const std::string& kind = arguments.positional()[0];
  std::vector<std::string> kinds{"kernel"};
  bool known = kind == "kernel";
  for (const auto& app : registered_apps()) {
    kinds.emplace_back(app.name);
    known = known || kind == app.name;
  }
  if (!known) throw Failure(SUITE_NOT_FOUND, "no app " + in_quotes(kind) + did_you_mean(kind, kinds));
  std::cout << json_document(input_schema_of(kind));
  return exit_ok;
}

}  // namespace suite::app
