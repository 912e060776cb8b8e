// SPDX-License-Identifier: BSD-3-Clause
#include "input_schema.hpp"

#include <algorithm>
#include <cstdlib>

#include <suite/suite.h>

#include "checker.hpp"
#include "quantity.hpp"
#include "values.hpp"

namespace suite::app {

using nlohmann::ordered_json;

namespace {

constexpr const char* any_number = "([0-9]|[1-9][0-9]+)?(\\.[0-9]*)?([eE][-+]?[0-9]+)?";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += (std::string("^$.*+?()[]{}|\\/").find(c) == std::string::npos ? "" : "\\") + std::string(1, c);
  return out;
}

// "a number and one of these units"; amounts that must not be negative have no minus.
ordered_json quantity_schema(const Key& key) {
  const std::string range = key.choices ? key.choices : "";
  const bool negative = range.empty() || range[0] == '-';
  std::string units;
  for (const auto& unit : unit_names(key.kind)) units += (units.empty() ? "" : "|") + escaped(unit);
  return {{"type", "string"},
          {"pattern", std::string(negative ? "^[-+]?" : "^\\+?") + "(?=\\.?[0-9])" + any_number + "\\s*(" + units + ")$"}};
}

// The range of a number: "1..100000", "0..", ">0".
void add_range(const Key& key, ordered_json& schema) {
  if (!key.choices || !*key.choices) return;
  const std::string range = key.choices;
  const auto number = [](const std::string& text) {
    const double value = std::strtod(text.c_str(), nullptr);
    return value == static_cast<double>(static_cast<long>(value)) ? ordered_json(static_cast<long>(value)) : ordered_json(value);
  };
  const size_t dots = range.find("..");
  if (range[0] == '>') {
    schema["exclusiveMinimum"] = number(range.substr(1));
  } else if (dots != std::string::npos) {
    if (dots > 0) schema["minimum"] = number(range.substr(0, dots));
    if (dots + 2 < range.size()) schema["maximum"] = number(range.substr(dots + 2));
  }
}

ordered_json number_schema(const Key& key, const char* type) {
  ordered_json schema{{"type", type}};
  add_range(key, schema);
  return schema;
}

ordered_json list_of(const ordered_json& items) { return {{"type", "array"}, {"items", items}}; }

// A number of a list: with its unit, or bare where another number of the list or the section has it.
ordered_json listed_quantity(const Key& key) { return {{"anyOf", {number_schema(key, "number"), quantity_schema(key)}}}; }

// Lists whose numbers cannot take their unit from the section have one themselves.
ordered_json quantities_schema(const Key& key) {
  ordered_json schema = list_of(listed_quantity(key));
  if (!key.unit_key) schema["contains"] = quantity_schema(key);
  return schema;
}

ordered_json value_schema(const Key& key) {
  switch (key.kind) {
    case Kind::integer: return number_schema(key, "integer");
    case Kind::real: return number_schema(key, "number");
    case Kind::boolean: return {{"type", "boolean"}};
    case Kind::choice: return {{"type", "string"}, {"enum", split_choices(key.choices)}};
    case Kind::text:
    case Kind::file: return {{"type", "string"}, {"minLength", 1}};
    case Kind::integers: return list_of(number_schema(key, "integer"));
    case Kind::reals: return list_of(number_schema(key, "number"));
    case Kind::names: return list_of({{"type", "string"}});
    case Kind::points: return list_of(list_of(number_schema(key, "number")));
    case Kind::settings: return {{"type", "object"}, {"additionalProperties", {{"type", {"string", "number", "boolean"}}}}};
    case Kind::positions: return list_of(list_of(listed_quantity(key)));
    case Kind::energies:
    case Kind::lengths:
    case Kind::times: return quantities_schema(key);
    default: return quantity_schema(key);
  }
}

ordered_json scalar_json(const Node& node) {
  ordered_json parsed = node.quoted ? ordered_json() : ordered_json::parse(node.text, nullptr, false);
  return parsed.is_number() || parsed.is_boolean() ? parsed : ordered_json(node.text);
}

ordered_json json_of_node(const Node& node) {
  if (node.type != Node::Type::list) return scalar_json(node);
  ordered_json list = ordered_json::array();
  for (const auto& item : node.items) list.push_back(json_of_node(item));
  return list;
}

ordered_json key_schema(const Key& key) {
  ordered_json schema{{"title", describe_kind(key)}, {"description", key.meaning}};
  schema.update(value_schema(key));
  if (!key.default_text || !*key.default_text) return schema;
  Diagnostics ignored("", "", {});
  if (const auto node = parse_yaml(key.default_text, ignored)) schema["default"] = json_of_node(*node);
  return schema;
}

// The object that holds a section, created with those above it. An ordered object copies its members when it grows, so the reference is
// valid only until a section above it gets another key.
ordered_json& section_of(ordered_json& root, const std::string& path, bool required) {
  if (path.empty()) return root;
  ordered_json& parent = section_of(root, parent_of(path), required);
  const std::string name = last_part(path);
  if (required) {
    ordered_json& needed = parent["required"];
    if (std::find(needed.begin(), needed.end(), name) == needed.end()) needed.push_back(name);
  }
  ordered_json& section = parent["properties"][name];
  if (section.is_null()) section = {{"title", path}, {"type", "object"}, {"additionalProperties", false}};
  return section;
}

}  // namespace

InputKind input_kind(const std::string& app, const std::string& summary, const std::vector<Key>& keys) {
  InputKind kind{app, summary, common_keys()};
  kind.keys.insert(kind.keys.end(), keys.begin(), keys.end());
  return kind;
}

InputKind kernel_input_kind() { return {"kernel", "one kernel on generated data", kernel_keys()}; }

std::string input_schema_name(const std::string& kind) { return kind + ".schema.json"; }

ordered_json input_schema(const InputKind& kind) {
  ordered_json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                      {"$id", std::string("urn:suite:input:") + kind.name + ":" + suite_version()},
                      {"title", kind.name + " input"},
                      {"description", std::string("Input of suite ") + suite_version() + ": " + kind.summary},
                      {"type", "object"},
                      {"additionalProperties", false}};
  for (const auto& key : kind.keys) {
    const std::string path = key.path, name = last_part(path);
    ordered_json& section = section_of(schema, parent_of(path), !key.default_text);
    section["properties"][name] = key_schema(key);
    if (path == "app") section["properties"][name] = {{"title", "app"}, {"description", key.meaning}, {"const", kind.name}};
    if (path == "kernel") section["properties"][name]["pattern"] = "^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$";
    if (!key.default_text) section["required"].push_back(name);
  }
  return schema;
}

}  // namespace suite::app
