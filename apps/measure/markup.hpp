// SPDX-License-Identifier: BSD-3-Clause
// SVG and HTML as a type. Text becomes markup by being escaped and in no other way, so that a name in a
// result file cannot write into a page or a figure.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace suite::markup {

class Markup {
public:
  Markup() = default;
  // Text: escaped; bytes that are not UTF-8 and characters that a page may not have are replaced by U+FFFD.
  Markup(const std::string& text);
  Markup(const char* text) : Markup(std::string(text)) {}
  // What is markup already, made by this program.
  static Markup raw(std::string text);
  Markup& operator+=(const Markup& other);
  friend Markup operator+(Markup a, const Markup& b) { return std::move(a += b); }
  const std::string& str() const { return text_; }
  bool empty() const { return text_.empty(); }

private:
  std::string text_;
};

using Attributes = std::vector<std::pair<const char*, std::string>>;  // values are escaped too

// <name attributes>content</name>
Markup tag(const char* name, const Attributes& attributes, const Markup& content);
inline Markup tag(const char* name, const Markup& content) { return tag(name, {}, content); }
// <name attributes/>, of SVG and the few elements of HTML that have no content.
Markup empty_tag(const char* name, const Attributes& attributes);

// A coordinate in pixels: "12.5".
std::string px(double length);

// What escaping made of a text, undone.
std::string unescaped(std::string text);

}  // namespace suite::markup
