// SPDX-License-Identifier: BSD-3-Clause
#include "json_text.hpp"

#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "near.hpp"

namespace suite::app {
namespace {

using nlohmann::ordered_json;

constexpr size_t deepest = 32;
// Keys of an ordered object are searched linearly; ours have a few dozen.
constexpr size_t most_keys = 5000;

// Builds a document from parser events. nlohmann's own builder keeps the last of duplicate keys and does not report the position of a
// number too large for a double.
class JsonBuilder : public nlohmann::json_sax<ordered_json> {
public:
  JsonBuilder(const std::string& name, const std::string& text) : name_(name), text_(text) {}
  ordered_json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // not part of JSON text
  bool start_object(size_t) override { return open(ordered_json::object()); }
  bool start_array(size_t) override { return open(ordered_json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    ordered_json& object = *stack_.back();
    if (object.size() >= most_keys) fail(fmt::format("an object has more than {} keys", most_keys));
    if (object.contains(name)) fail("the key " + in_quotes(name) + " appears twice in an object");
    key_ = std::move(name);
    return true;
  }

  bool parse_error(size_t position, const std::string& token, const nlohmann::detail::exception& error) override {
    const size_t at = std::min(position > 0 ? position - 1 : 0, text_.size());
    const auto begin = text_.begin(), end = begin + static_cast<std::ptrdiff_t>(at);
    const auto line = 1 + std::count(begin, end, '\n');
    const size_t before = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
    const size_t column = before == std::string::npos ? at + 1 : at - before;
    const bool number = std::string(error.what()).find("out_of_range") != std::string::npos;
    const std::string rest = text_.substr(at, std::min<size_t>(text_.find_first_of("\r\n", at) - at, 20));
    const std::string what = number               ? "the number " + in_quotes(token) + " is larger than any double"
                             : at >= text_.size() ? "the file ends in the middle of the JSON text"
                                                  : "no JSON at " + in_quotes(rest);
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{}:{}:{}: {}", name_, line, column, what));
  }

private:
  [[noreturn]] void fail(const std::string& sentence) const { throw Failure(SUITE_INVALID_ARGUMENT, name_ + ": " + sentence); }

  ordered_json* place(ordered_json value) {
    if (stack_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    ordered_json& parent = *stack_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[key_] = std::move(value));
  }
  bool put(ordered_json value) {
    place(std::move(value));
    return true;
  }
  bool open(ordered_json value) {
    if (stack_.size() >= deepest) fail(fmt::format("lists and objects are nested more than {} deep", deepest));
    stack_.push_back(place(std::move(value)));  // the pointer stays valid until the value is closed: its parent grows only then
    return true;
  }
  bool close() {
    stack_.pop_back();
    return true;
  }

  const std::string& name_;
  const std::string& text_;
  ordered_json root_;
  std::vector<ordered_json*> stack_;
  std::string key_;
};

}  // namespace

ordered_json parse_json(const std::string& name, const std::string& text) {
  JsonBuilder builder(name, text);
  ordered_json::sax_parse(text, &builder);
  return builder.take();
}

std::string json_document(const ordered_json& document) {
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string without_control(const std::string& text) {
  std::string clean;
  clean.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F are two bytes, and terminals obey some of them.
    const bool second = c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (second) ++i;
    if (second || c == 0x7f || (c < 0x20 && c != '\n' && c != '\t')) clean += "\xef\xbf\xbd";
    else clean += text[i];
  }
  return clean;
}

}  // namespace suite::app
