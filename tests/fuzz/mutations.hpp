// SPDX-License-Identifier: BSD-3-Clause
// Damage to result files: bytes changed, or values exchanged for what a reader does not expect.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace fuzz {

// Names that would do something in a page or on a terminal if they were not escaped. check_page looks for
// "m4rk".
inline const std::vector<std::string> hostile = {
    "<m4rk>",
    "<script>m4rk()</script>",
    "</style><m4rk>",
    "</title><script>m4rk</script>",
    "\" m4rk=\"1",
    "' m4rk='1",
    "\"><m4rk x=\"",
    "'><img src=x onerror=m4rk>",
    "--><m4rk>",
    "]]><m4rk>",
    "&lt;m4rk&gt;",
    "&m4rk;",
    "javascript:m4rk",
    "\x1b[31mm4rk\x1b[2J",
    "\xc2\x9b"
    "2Jm4rk",
    "m4rk\r\n\t\x01\x7f",
    "../../../../etc/passwd",
    "/etc/passwd",
    "\xe2\x80\xae"
    "m4rk",
    "%s%n%m4rk",
    "url(http://m4rk)",
};

// Every text that is free to be anything gets more of it; words that say what the file is stay.
inline void append_to_texts(nlohmann::ordered_json& node, const std::string& more, const std::string& key = "") {
  static const std::vector<std::string> words = {"schema",    "status", "verdict",      "app",     "method",
                                                 "precision", "better", "ground_state", "response"};
  if (node.is_object())
    for (const auto& [name, child] : node.items()) append_to_texts(child, more, name);
  else if (node.is_array())
    for (auto& child : node) append_to_texts(child, more, key);
  else if (node.is_string() && std::find(words.begin(), words.end(), key) == words.end()) node = node.get<std::string>() + more;
}

class Mutator {
public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  // A damaged copy of a document's text.
  std::string damage(const nlohmann::ordered_json& sound) {
    if (below(10) < 3) return damage_bytes(sound.dump(static_cast<int>(below(3)) - 1));
    nlohmann::ordered_json changed = sound;
    for (size_t n = 1 + below(4); n > 0; --n) change_one(changed);
    return changed.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

private:
  using Json = nlohmann::ordered_json;

  size_t below(size_t n) { return n == 0 ? 0 : random_() % n; }
  template <class T> const T& one_of(const std::vector<T>& all) { return all[below(all.size())]; }

  std::string damage_bytes(std::string text) {
    static const std::vector<std::string> tokens = {"1e400", "-1e308", "null",    "\"",      "{",    "}",   "[",  "]",
                                                    ",",     ":",      "\\u0000", "\\ud800", "\xff", "NaN", "//", "1e-400"};
    for (size_t n = 1 + below(6); n > 0 && !text.empty(); --n) {
      const size_t at = below(text.size()), length = 1 + below(30);
      switch (below(6)) {
        case 0: text[at] = static_cast<char>(text[at] ^ (1 << below(8))); break;
        case 1: text.erase(at, length); break;
        case 2: text.insert(at, text.substr(below(text.size()), length)); break;
        case 3: text.insert(at, one_of(tokens)); break;
        case 4: text[at] = static_cast<char>('0' + below(10)); break;
        case 5:
          if (below(8) == 0) text.resize(at);
          break;
      }
    }
    return text;
  }

  // Any value of the document, all of them equally likely.
  Json& any_of(Json& root) {
    std::vector<Json*> all, open{&root};
    while (!open.empty()) {
      Json* node = open.back();
      open.pop_back();
      all.push_back(node);
      if (node->is_structured())
        for (auto& child : *node) open.push_back(&child);
    }
    return *all[below(all.size())];
  }

  Json nested(size_t depth) {
    Json value = 1;
    for (size_t i = 0; i < depth; ++i) value = below(2) ? Json::array({value}) : Json::object({{"a", value}});
    return value;
  }

  Json something() {
    switch (below(14)) {
      case 0: return nullptr;
      case 1: return below(2) == 0;
      case 2: return 0;
      case 3: return -1;
      case 4: return 1.7e308;
      case 5: return -1.7e308;
      case 6: return 4.9e-324;
      case 7: return UINT64_MAX;
      case 8: return INT64_MIN;
      case 9: return "";
      case 10: return Json::array();
      case 11: return Json::object();
      case 12: return nested(1 + below(60));
      default: return std::string(1 + below(3000), 'x');
    }
  }

  void change_one(Json& root) {
    Json& node = any_of(root);
    switch (below(8)) {
      case 0: node = something(); return;
      case 1: node = one_of(hostile); return;
      case 2: rename_key(node); return;
      case 3: erase_child(node); return;
      case 4: repeat_child(node); return;
      case 5: node = Json(any_of(root)); return;
      case 6: scale(node); return;
      case 7:
        if (node.is_string()) node = node.get<std::string>() + one_of(hostile);
        else node = something();
        return;
    }
  }

  void rename_key(Json& node) {
    if (!node.is_object() || node.empty()) return;
    auto at = node.begin();
    std::advance(at, static_cast<long>(below(node.size())));
    Json value = at.value();
    node.erase(at);
    node[one_of(hostile)] = std::move(value);
  }

  void erase_child(Json& node) {
    if (!node.is_structured() || node.empty()) return;
    auto at = node.begin();
    std::advance(at, static_cast<long>(below(node.size())));
    node.erase(at);
  }

  void repeat_child(Json& node) {
    if (!node.is_array() || node.empty()) return;
    const Json child = node[below(node.size())];
    for (size_t n = below(below(20) == 0 ? 500 : 5); n > 0; --n) node.push_back(child);
  }

  void scale(Json& node) {
    if (!node.is_number()) return;
    const double factors[] = {-1, 0, 1e-300, 1e-9, 1e9, 1e29, 1e300, 1.0000001};
    const double value = node.get<double>() * factors[below(8)];
    node = value;  // an overflow becomes null
  }

  std::mt19937_64 random_;
};

}  // namespace fuzz
