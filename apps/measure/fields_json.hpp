// SPDX-License-Identifier: BSD-3-Clause
// Converts structs with a table (fields.hpp) to JSON and JSON Schema, and reads them back with checks.
#pragma once

#include <cmath>
#include <functional>
#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "fields.hpp"
#include "stored_value.hpp"

namespace suite::app {

using SchemaObject = nlohmann::ordered_json;

template <class Role = void, class S> nlohmann::ordered_json json_of(const S& value);
template <class S, class Role = void> nlohmann::ordered_json schema_of();
// Missing keys leave their members unchanged: a file of an earlier version lacks newer keys. Values of the wrong type or beyond their
// limits are refused with their place: "old.json: /kernels/0/flops is -1; it must be ...".
template <class Role = void, class S> void read_fields(const stored::Value& from, S& into);
// The same, but requires every key that is always written.
template <class Role = void, class S> void read_all_fields(const stored::Value& from, S& into);

namespace field_json {

using Json = nlohmann::ordered_json;

template <class T> bool is_empty(const T& value) {
  if constexpr (std::is_floating_point_v<T>) return !std::isfinite(value);
  else if constexpr (requires { value.empty(); }) return value.empty();
  else return false;
}

template <class Role, class T> Json write(const T& value, const Limits& limits) {
  if (limits.or_null && is_empty(value)) return nullptr;
  if constexpr (NamedOf<T>::is) {
    Json all = Json::object();
    for (const auto& [name, item] : value) all[name] = write<Role>(item, {.or_null = limits.items_or_null});
    return all;
  } else if constexpr (ListOf<T>::is) {
    Json all = Json::array();
    for (const auto& item : value)
      all.push_back(write<Role>(item, {.or_null = limits.items_or_null, .items_or_null = limits.items_or_null}));
    return all;
  } else if constexpr (HasFields<T, Role>) {
    return json_of<Role>(value);
  } else if constexpr (std::is_enum_v<T>) {
    return names_of<T>[static_cast<size_t>(value)];
  } else {
    return value;
  }
}

template <class S, class T, class Role> void add(Json& object, const S& from, const Field<S, T, Role>& field) {
  const T& value = from.*field.member;
  if constexpr (OptionalOf<T>::is) {
    if (value && !(field.limits.omit_empty && is_empty(*value))) object[field.key] = write<Role>(*value, field.limits);
  } else if (!(field.limits.omit_empty && is_empty(value))) {
    object[field.key] = write<Role>(value, field.limits);
  }
}
template <class S, class V> void add(Json& object, const S& from, const Computed<V>& field) {
  const auto value = std::invoke(field.value, from);
  if constexpr (OptionalOf<typename Computed<V>::type>::is) {
    if (value) object[field.key] = write<void>(*value, field.limits);
  } else {
    object[field.key] = write<void>(value, field.limits);
  }
}
template <class S> void add(Json& object, const S&, const Constant& constant) { object[constant.key] = constant.text; }
template <class S, class T, class Role> void add(Json& object, const S& from, const Flat<S, T, Role>& group) {
  if constexpr (OptionalOf<T>::is) {
    if (const auto& value = from.*group.member) object.update(json_of<Role>(*value));
  } else {
    object.update(json_of<Role>(from.*group.member));
  }
}

// Schemas of values that are not structs.
Json text_schema(const Limits& limits);
Json number_schema(const Limits& limits, bool whole);
Json choice_schema(std::span<const char* const> names);
Json list_schema(const Json& items, size_t count, const Limits& limits);
Json named_schema(const Json& items, const Limits& limits);
void allow_null(Json& schema);
void describe(Json& schema, const char* meaning, const char* unit);

template <class Role, class T> Json schema(const Limits& limits) {
  Limits of_items = limits;
  of_items.least = limits.items_not_empty ? 1 : 0;
  of_items.or_null = limits.items_or_null && !ListOf<T>::of_lists;
  if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>) of_items.low = std::max(limits.low, 0.0);
  Json j;
  if constexpr (NamedOf<T>::is) j = named_schema(schema<Role, typename NamedOf<T>::item>(of_items), limits);
  else if constexpr (ListOf<T>::is) j = list_schema(schema<Role, typename ListOf<T>::item>(of_items), ListOf<T>::count, limits);
  else if constexpr (HasFields<T, Role>) j = schema_of<T, Role>();
  else if constexpr (std::is_enum_v<T>) j = choice_schema(names_of<T>);
  else if constexpr (std::is_same_v<T, Json>) j = {{"type", "object"}};
  else if constexpr (std::is_same_v<T, bool>) j = {{"type", "boolean"}};
  else if constexpr (std::is_arithmetic_v<T>) j = number_schema(of_items, limits.whole || std::is_integral_v<T>);
  else j = text_schema(limits);
  if (limits.or_null) allow_null(j);
  return j;
}

template <class F> void add_to_schema(Json& object, const F& field) {
  using T = typename F::type;
  Json one = schema<typename F::role, typename OptionalOf<T>::type>(field.limits);
  describe(one, field.meaning, field.unit);
  object["properties"][field.key] = std::move(one);
  if (!OptionalOf<T>::is && !field.limits.omit_empty) object["required"].push_back(field.key);
}
inline void add_to_schema(Json& object, const Constant& constant) {
  object["properties"][constant.key] = {{"const", constant.text}};
  describe(object["properties"][constant.key], constant.meaning, "");
  object["required"].push_back(constant.key);
}
template <class S, class T, class Role> void add_to_schema(Json& object, const Flat<S, T, Role>& group) {
  const Json inside = schema_of<typename OptionalOf<T>::type, Role>();
  object["properties"].update(inside["properties"]);
  if (group.always) object["required"].insert(object["required"].end(), inside["required"].begin(), inside["required"].end());
}

// Readers of values that are not structs.
double read_number(const stored::Value& from, const Limits& limits);
int64_t read_whole_number(const stored::Value& from, const Limits& limits, int64_t least, int64_t most);
std::string read_text(const stored::Value& from, const Limits& limits);
size_t read_choice(const stored::Value& from, std::span<const char* const> names);
std::vector<double> read_numbers(const stored::Value& from, const Limits& limits);

template <class T> constexpr int64_t most_of() {
  return std::is_unsigned_v<T> || sizeof(T) == 8 ? std::numeric_limits<int64_t>::max()
                                                 : static_cast<int64_t>(std::numeric_limits<T>::max());
}
template <class T> constexpr int64_t least_of() { return std::is_unsigned_v<T> ? 0 : static_cast<int64_t>(std::numeric_limits<T>::min()); }

template <class Role, bool whole, class T> void read_value(const stored::Value& from, T& into, const Limits& limits) {
  Limits of_items = limits;
  of_items.or_null = limits.items_or_null && !ListOf<T>::of_lists;
  if constexpr (requires { read_from(from, into); }) {
    read_from(from, into);
  } else if constexpr (NamedOf<T>::is) {
    T all;
    for (const auto& [name, value] : from.members()) {
      typename NamedOf<T>::item item{};
      read_value<Role, whole>(value, item, of_items);
      all.insert(all.end(), {name, std::move(item)});
    }
    into = std::move(all);
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    into = read_numbers(from, limits);
  } else if constexpr (ListOf<T>::is) {
    const auto items = from.items();
    if (ListOf<T>::count > 0 && items.size() != ListOf<T>::count)
      from.fail(fmt::format("has {} items; it must have {}", items.size(), ListOf<T>::count));
    T all{};
    if constexpr (ListOf<T>::count == 0) all.resize(items.size());
    for (size_t i = 0; i < items.size(); ++i) {
      typename ListOf<T>::item item{};
      read_value<Role, whole>(items[i], item, of_items);
      all[i] = std::move(item);
    }
    into = std::move(all);
  } else if constexpr (HasFields<T, Role>) {
    if constexpr (whole) read_all_fields<Role>(from, into);
    else read_fields<Role>(from, into);
  } else if constexpr (std::is_enum_v<T>) {
    into = static_cast<T>(read_choice(from, names_of<T>));
  } else if constexpr (std::is_same_v<T, bool>) {
    into = from.flag();
  } else if constexpr (std::is_integral_v<T>) {
    into = static_cast<T>(read_whole_number(from, limits, least_of<T>(), most_of<T>()));
  } else if constexpr (std::is_floating_point_v<T>) {
    into = read_number(from, limits);
  } else {
    into = read_text(from, limits);
  }
}

// The value that null represents.
template <class T> T nothing() {
  if constexpr (std::is_floating_point_v<typename OptionalOf<T>::type>) return std::nan("");
  else return typename OptionalOf<T>::type{};
}

template <bool whole, class S, class B, class T, class Role>
void take(const stored::Value& object, S& into, const Field<B, T, Role>& field) {
  const stored::Value from = object[field.key];
  T& member = into.*field.member;
  if (!from) {
    const bool absent = !from.is_null();
    if (!absent && field.limits.or_null) member = nothing<T>();
    const bool needed = whole && !OptionalOf<T>::is && !field.limits.omit_empty && (absent || !field.limits.or_null);
    if (!needed) return;
  }
  if constexpr (OptionalOf<T>::is) {
    typename T::value_type value{};
    read_value<Role, whole>(from, value, field.limits);
    member = std::move(value);
  } else {
    read_value<Role, whole>(from, member, field.limits);
  }
}
template <bool whole, class S, class V> void take(const stored::Value& object, S&, const Computed<V>& field) {
  using T = typename Computed<V>::type;
  typename OptionalOf<T>::type nobody_keeps{};
  const bool needed = whole && !OptionalOf<T>::is;
  if (needed || object[field.key]) read_value<void, whole>(object[field.key], nobody_keeps, field.limits);
}
template <bool whole, class S> void take(const stored::Value&, S&, const Constant&) {}
template <bool whole, class S, class B, class T, class Role>
void take(const stored::Value& object, S& into, const Flat<B, T, Role>& group) {
  if constexpr (OptionalOf<T>::is) {
    bool any = false;
    each_field<typename T::value_type, Role>([&](const auto& field) { any = any || object[field.key]; });
    if (!any) return;
    typename T::value_type value{};
    read_all_fields<Role>(object, value);
    into.*group.member = std::move(value);
  } else if constexpr (whole) {
    read_all_fields<Role>(object, into.*group.member);
  } else {
    read_fields<Role>(object, into.*group.member);
  }
}

template <bool whole, class Role, class S> void read_object(const stored::Value& from, S& into) {
  if (!from.is_object()) from.fail_type("an object");
  each_field<S, Role>([&](const auto& field) { take<whole>(from, into, field); });
  // Constraints between members: checked(const Value&, S&), declared beside the struct.
  if constexpr (requires { checked(from, into); }) checked(from, into);
}

}  // namespace field_json

template <class Role, class S> nlohmann::ordered_json json_of(const S& value) {
  auto object = nlohmann::ordered_json::object();
  each_field<S, Role>([&](const auto& field) { field_json::add(object, value, field); });
  return object;
}

template <class S, class Role> nlohmann::ordered_json schema_of() {
  nlohmann::ordered_json object{
      {"type", "object"}, {"required", nlohmann::ordered_json::array()}, {"properties", nlohmann::ordered_json::object()}};
  each_field<S, Role>([&](const auto& field) { field_json::add_to_schema(object, field); });
  object["additionalProperties"] = false;
  return object;
}

template <class Role, class S> void read_fields(const stored::Value& from, S& into) { field_json::read_object<false, Role>(from, into); }
template <class Role, class S> void read_all_fields(const stored::Value& from, S& into) { field_json::read_object<true, Role>(from, into); }

}  // namespace suite::app
