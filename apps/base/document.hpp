// SPDX-License-Identifier: BSD-3-Clause
// Parses an input file and applies the command line's overrides: a tree of names and texts.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics.hpp"
#include "yaml.hpp"

namespace suite::app {

// root is nullopt if parsing failed; diagnostics then hold the reason.
struct Document {
  std::string text;
  Diagnostics diagnostics;
  std::optional<Node> root;
};

// name: name of the text in messages.
Document parse_document(const std::string& name, const std::string& text, const std::vector<std::string>& overrides);

}  // namespace suite::app
