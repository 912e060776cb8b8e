// SPDX-License-Identifier: BSD-3-Clause
#include "fields_json.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "common/near.hpp"

namespace suite::app::field_json {
namespace {

constexpr size_t longest_text = 1 << 20;

std::string list_text(std::span<const char* const> names) {
  std::string text;
  for (const char* name : names) text += std::string(text.empty() ? "" : ", ") + "'" + name + "'";
  return text;
}

}  // namespace

Json text_schema(const Limits& limits) {
  if (!limits.one_of.empty()) return choice_schema(limits.one_of);
  Json j{{"type", "string"}};
  if (limits.pattern) j["pattern"] = limits.pattern;
  if (limits.least > 0) j["minLength"] = limits.least;
  if (limits.longest > 0) j["maxLength"] = limits.longest;
  return j;
}

Json number_schema(const Limits& limits, bool whole) {
  Json j{{"type", whole ? "integer" : "number"}};
  // Whole numbers without a decimal point, as in files.
  const auto bound = [](double value) {
    return value == std::floor(value) && std::abs(value) < 1e15 ? Json(static_cast<int64_t>(value)) : Json(value);
  };
  if (std::isfinite(limits.low)) j[limits.above_low ? "exclusiveMinimum" : "minimum"] = bound(limits.low);
  if (std::isfinite(limits.high)) j["maximum"] = bound(limits.high);
  return j;
}

Json choice_schema(std::span<const char* const> names) {
  Json j{{"enum", Json::array()}};
  for (const char* name : names) j["enum"].push_back(name);
  return j;
}

Json list_schema(const Json& items, size_t count, const Limits& limits) {
  Json j{{"type", "array"}, {"items", items}};
  if (const size_t least = count > 0 ? count : limits.least; least > 0) j["minItems"] = least;
  if (count > 0) j["maxItems"] = count;
  return j;
}

Json named_schema(const Json& items, const Limits& limits) {
  Json j{{"type", "object"}};
  if (!limits.names.empty()) j["propertyNames"] = choice_schema(limits.names);
  j["additionalProperties"] = items;
  return j;
}

void allow_null(Json& schema) {
  if (schema.contains("enum")) schema["enum"].push_back(nullptr);
  else schema["type"] = {schema["type"], "null"};
}

void describe(Json& schema, const char* meaning, const char* unit) {
  std::string text = meaning;
  if (*unit) text += (text.empty() ? "[" : " [") + std::string(unit) + "]";
  if (text.empty()) return;
  Json described{{"description", text}};
  described.update(schema);
  schema = std::move(described);
}

double read_number(const stored::Value& from, const Limits& limits) {
  if (limits.or_null && !from) return std::nan("");
  const double value = from.number(limits.low, limits.high);
  if (limits.above_low && !(value > limits.low)) from.fail(fmt::format("is {:.6g}; it must be above {:.6g}", value, limits.low));
  if (limits.whole && value != std::floor(value)) from.fail(fmt::format("is {:.6g}; it must be a whole number", value));
  return value;
}

int64_t read_whole_number(const stored::Value& from, const Limits& limits, int64_t least, int64_t most) {
  const auto within = [](double bound, int64_t otherwise) { return std::isfinite(bound) ? static_cast<int64_t>(bound) : otherwise; };
  return from.whole(std::max(least, within(limits.low, least)), std::min(most, within(limits.high, most)));
}

std::string read_text(const stored::Value& from, const Limits& limits) {
  const std::string text = from.text(limits.longest > 0 ? limits.longest : longest_text);
  if (limits.one_of.empty()) return text;
  if (std::none_of(limits.one_of.begin(), limits.one_of.end(), [&](const char* name) { return text == name; }))
    from.fail("is " + in_quotes(text) + "; it must be one of " + list_text(limits.one_of));
  return text;
}

size_t read_choice(const stored::Value& from, std::span<const char* const> names) {
  const std::string text = read_text(from, {.one_of = names});
  return static_cast<size_t>(std::find_if(names.begin(), names.end(), [&](const char* name) { return text == name; }) - names.begin());
}

std::vector<double> read_numbers(const stored::Value& from, const Limits& limits) {
  if (!limits.items_or_null) return from.numbers(limits.low, limits.high);
  std::vector<double> all;
  for (const auto& item : from.items()) all.push_back(item ? item.number(limits.low, limits.high) : std::nan(""));
  return all;
}

}  // namespace suite::app::field_json
