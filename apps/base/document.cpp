// SPDX-License-Identifier: BSD-3-Clause
#include "document.hpp"

#include <fmt/core.h>

#include "common/io.hpp"
#include "common/near.hpp"
#include "input.hpp"

namespace suite::app {

namespace fs = std::filesystem;

namespace {

Node* member(Node& map, const std::string& name) {
  for (auto& [key, value] : map.members)
    if (key.text == name) return &value;
  return nullptr;
}

// Applies one "path=value" to the tree, creating missing sections.
bool apply_override(Node& root, const std::string& text, int index, Diagnostics& diagnostics) {
  const Position here{0, 0, 1, index};
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    diagnostics.add(here, "must be key=value, such as sigma.bands=8");
    return false;
  }
  auto value = parse_yaml(text.substr(equals + 1), diagnostics, index);
  if (!value) return false;
  value->at = here;
  Node* at = &root;
  std::string path = text.substr(0, equals);
  for (;;) {
    const size_t dot = path.find('.');
    const std::string name = path.substr(0, dot);
    if (name.empty()) {
      diagnostics.add(here, "has an empty part in the key; keys look like sigma.bands");
      return false;
    }
    if (at->type == Node::Type::null) at->type = Node::Type::map;
    if (at->type != Node::Type::map) {
      diagnostics.add(here, "'" + name + "' cannot be set: its parent is a value, not a section");
      return false;
    }
    Node* next = member(*at, name);
    if (!next) {
      Node key;
      key.type = Node::Type::scalar;
      key.text = name;
      key.at = here;
      at->members.emplace_back(key, Node{});
      next = &at->members.back().second;
      next->at = here;
    }
    if (dot == std::string::npos) {
      for (auto& [key, unused] : at->members)
        if (key.text == name) key.at = here;
      *next = std::move(*value);
      return true;
    }
    at = next;
    path = path.substr(dot + 1);
  }
}

}  // namespace

InputText read_input_text(const fs::path& file) {
  std::error_code error;
  const std::string name = file.string();
  if (!fs::exists(file, error)) {
    std::vector<std::string> others;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    for (fs::directory_iterator i(folder, error), end; !error && i != end && others.size() < 1000; i.increment(error))
      if (!i->is_directory(error)) others.push_back(i->path().filename().string());
    throw IoFailure(name + ": no such file" + did_you_mean(file.filename().string(), others));
  }
  if (fs::is_directory(file, error)) throw IoFailure(name + ": is a folder; an input is a file");
  if (fs::is_regular_file(file, error) && fs::file_size(file, error) > largest_file)
    throw InputErrors(fmt::format("{}: error: {} bytes; an input has at most {}", name, fs::file_size(file, error), largest_file), 1);
  return {file, read_text_file(file, largest_file)};
}

Document parse_document(const std::string& name, const std::string& text, const std::vector<std::string>& overrides) {
  Document document{text, Diagnostics("", "", {}), std::nullopt};
  document.diagnostics = Diagnostics(name, document.text, overrides);
  document.root = parse_yaml(document.text, document.diagnostics);
  if (!document.root) return document;
  const Node::Type type = document.root->type;
  if (type == Node::Type::null && overrides.empty()) {
    document.diagnostics.add({}, "the file is empty; 'suite init gw' writes an input to start from");
    document.root.reset();
  } else if (type == Node::Type::scalar || type == Node::Type::list) {
    document.diagnostics.add(document.root->at, std::string("an input must be a mapping (key: value), not a ") +
                                                    (type == Node::Type::list ? "list" : "single value"));
    document.root.reset();
  }
  for (size_t i = 0; document.root && i < overrides.size(); ++i)
    apply_override(*document.root, overrides[i], static_cast<int>(i), document.diagnostics);
  return document;
}

}  // namespace suite::app
