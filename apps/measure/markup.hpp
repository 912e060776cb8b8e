// SPDX-License-Identifier: BSD-3-Clause
// SVG and HTML as a type. Text becomes markup only by being escaped, so that a name in a result file cannot inject markup into a page or
// figure.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace suite::markup {

class Markup {
public:
  Markup() = default;
  // Escapes text; replaces invalid UTF-8 and characters not allowed in a page by U+FFFD.
  Markup(const std::string& text);
  Markup(const char* text) : Markup(std::string(text)) {}
  // Markup made by this program, taken as is.
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
// <name attributes/>, for SVG and HTML elements without content.
Markup empty_tag(const char* name, const Attributes& attributes);

// A coordinate in pixels: "12.5".
std::string px(double length);

// Reverses the escaping of a text.
std::string unescaped(std::string text);

}  // namespace suite::markup
