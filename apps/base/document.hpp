// SPDX-License-Identifier: BSD-3-Clause
// An input file as it stands, with the command line's overrides put in: a tree of names and texts.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics.hpp"
#include "yaml.hpp"

namespace suite::app {

// root: nullopt when diagnostics hold the reason.
struct Document {
  std::string text;
  Diagnostics diagnostics;
  std::optional<Node> root;
};

// name: what messages call the text.
Document parse_document(const std::string& name, const std::string& text, const std::vector<std::string>& overrides);

}  // namespace suite::app
