// SPDX-License-Identifier: BSD-3-Clause
// Parses a YAML file into a tree with positions. Only a subset is accepted: one document; mappings, lists and scalars; no anchors,
// aliases, tags or merge keys; no duplicate keys. Size, depth and node count are bounded, so a hostile file costs nothing.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagnostics.hpp"

namespace suite::app {

struct Node {
  enum class Type { null, scalar, list, map } type = Type::null;
  Position at;
  std::string text;  // scalar
  bool quoted = false;
  std::vector<Node> items;                     // list
  std::vector<std::pair<Node, Node>> members;  // map: key (a scalar) and value

  const Node* find(const std::string& key) const;  // the value; nullptr if this is no map or has no such key
};

inline constexpr size_t largest_file = 1 << 20, deepest = 32, most_nodes = 100000;

// Parses text; override_ as in Position. Errors go to diagnostics. Returns nullopt if the text is too broken for its keys to be checked.
std::optional<Node> parse_yaml(const std::string& text, Diagnostics& diagnostics, int override_ = -1);

}  // namespace suite::app
