// SPDX-License-Identifier: BSD-3-Clause
// The JSON Schema of an input, made from its table of keys: what editors complete and check.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "input.hpp"

namespace suite::app {

// An input's keys in the order of the help, and the key that says what the input is for.
struct InputKind {
  std::string name;      // "gw", or "kernel" for one kernel on generated data
  std::string summary;
  std::vector<Key> keys;
};
InputKind input_kind(const std::string& app, const std::string& summary, const std::vector<Key>& keys);
InputKind kernel_input_kind();

// Draft-07, which editors read. Values without a unit that older inputs may have, and conditions between keys, are not in it:
// `suite check` knows all rules.
nlohmann::ordered_json input_schema(const InputKind& kind);

// "gw.schema.json".
std::string input_schema_name(const std::string& kind);

}  // namespace suite::app
