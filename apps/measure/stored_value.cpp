// SPDX-License-Identifier: BSD-3-Clause
#include "stored_value.hpp"

#include <cmath>
#include <limits>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "common/json_text.hpp"

namespace suite::app::stored {

Value::Value(std::shared_ptr<const Document> document) : document_(std::move(document)), node_(&document_->root) {}

Value::Value(std::shared_ptr<const Document> document, const nlohmann::ordered_json* node, std::string path)
    : document_(std::move(document)), node_(node), path_(std::move(path)) {}

std::string Value::place() const {
  return (document_ ? document_->name : "result") + ": " + (path_.empty() ? "the file" : without_control(path_));
}

void Value::fail(const std::string& sentence) const { throw Failure(SUITE_INVALID_ARGUMENT, place() + " " + sentence); }

void Value::fail_type(const char* expected) const {
  using Type = nlohmann::ordered_json::value_t;
  std::string is = "is ";
  if (!node_) is = "is missing";
  else switch (node_->type()) {
      case Type::null: is += "null"; break;
      case Type::object: is += "an object"; break;
      case Type::array: is += "a list"; break;
      case Type::string: is += "text"; break;
      case Type::boolean: is += "true or false"; break;
      default: is += "a number"; break;
    }
  fail(is + "; it must be " + expected);
}

Value Value::operator[](const std::string& name) const {
  if (!*this) return Value(document_, nullptr, path_ + "/" + name);
  if (!is_object()) fail_type("an object");
  const auto found = node_->find(name);
  return Value(document_, found == node_->end() ? nullptr : &*found, path_ + "/" + name);
}

Value Value::operator[](size_t index) const {
  if (!is_list()) fail_type("a list");
  return Value(document_, index < node_->size() ? &(*node_)[index] : nullptr, fmt::format("{}/{}", path_, index));
}

std::vector<Value> Value::items() const {
  std::vector<Value> all;
  if (!*this) return all;
  if (!is_list()) fail_type("a list");
  for (size_t i = 0; i < node_->size(); ++i) all.push_back((*this)[i]);
  return all;
}

std::vector<std::pair<std::string, Value>> Value::members() const {
  std::vector<std::pair<std::string, Value>> all;
  if (!*this) return all;
  if (!is_object()) fail_type("an object");
  for (const auto& [name, node] : node_->items()) all.emplace_back(without_control(name), Value(document_, &node, path_ + "/" + name));
  return all;
}

double Value::number() const {
  if (!is_number()) fail_type("a number");
  return node_->get<double>();
}

double Value::number(double low, double high) const {
  const double value = number();
  if (!(value >= low && value <= high))
    fail(std::isinf(high) ? fmt::format("is {:.6g}; it must be at least {:.6g}", value, low)
                          : fmt::format("is {:.6g}; it must be from {:.6g} to {:.6g}", value, low, high));
  return value;
}

long Value::whole(long low, long high) const {
  const double value = number(static_cast<double>(low), static_cast<double>(high));
  if (value != std::floor(value)) fail(fmt::format("is {:.6g}; it must be a whole number", value));
  return static_cast<long>(value);
}

std::string Value::text(size_t longest) const {
  if (!is_text()) fail_type("text");
  const auto& text = node_->get_ref<const std::string&>();
  if (text.size() > longest) fail(fmt::format("is text of {} bytes; it may have {}", text.size(), longest));
  return without_control(text);
}

bool Value::flag() const {
  if (!is_switch()) fail_type("true or false");
  return node_->get<bool>();
}

std::vector<double> Value::numbers(double low, double high) const {
  if (!is_list()) fail_type("a list of numbers");
  std::vector<double> all;
  all.reserve(node_->size());
  for (size_t i = 0; i < node_->size(); ++i) {
    // Build the path only when needed: there may be millions of samples.
    const auto& node = (*node_)[i];
    const double value = node.is_number() ? node.get<double>() : std::nan("");
    if (!(value >= low && value <= high)) (*this)[i].number(low, high);
    all.push_back(value);
  }
  return all;
}

std::vector<std::string> Value::texts() const {
  std::vector<std::string> all;
  for (const auto& item : items()) all.push_back(item.text());
  return all;
}

}  // namespace suite::app::stored
