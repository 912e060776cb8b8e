// SPDX-License-Identifier: BSD-3-Clause
// Markup as a type. Text becomes markup by being escaped and in no other way, so that a name in a result file
// cannot write into the page.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace suite::report {

class Html {
public:
  Html() = default;
  // Text: escaped; bytes that are not UTF-8 and characters that a page may not have are replaced by U+FFFD.
  Html(const std::string& text);
  Html(const char* text) : Html(std::string(text)) {}
  // Markup that this program made.
  static Html markup(std::string text);
  Html& operator+=(const Html& other);
  friend Html operator+(Html a, const Html& b) { return std::move(a += b); }
  const std::string& str() const { return markup_; }
  bool empty() const { return markup_.empty(); }

private:
  std::string markup_;
};

using Attributes = std::vector<std::pair<const char*, std::string>>;  // values are escaped too

// <name attributes>content</name>
Html tag(const char* name, const Attributes& attributes, const Html& content);
inline Html tag(const char* name, const Html& content) { return tag(name, {}, content); }
// <name attributes/>, of SVG and the few elements of HTML that have no content.
Html empty_tag(const char* name, const Attributes& attributes);

// Text in a line of its own, smaller; and words that are good, bad, or of no weight.
inline Html below(const Html& text) { return text.empty() ? text : tag("span", {{"class", "sub"}}, text); }
inline Html good(const Html& text) { return tag("span", {{"class", "ok"}}, text); }
inline Html bad(const Html& text) { return tag("span", {{"class", "no"}}, text); }
inline Html dim(const Html& text) { return tag("span", {{"class", "na"}}, text); }

struct Column {
  std::string title;
  bool number = false;  // aligned to the right
};
// "step|>median": titles between bars; those of numbers begin with '>'.
std::vector<Column> columns(const std::string& titles);

// A table with a caption; the first cell of a row is its header. It scrolls sideways where the page is
// narrow.
struct Table {
  std::string caption;
  std::vector<Column> columns;
  std::vector<std::vector<Html>> rows;
  bool narrow = false;  // as wide as its cells, where that is less than the page
};
Html table(const Table& table);

// The whole page. about: the description of the page for programs that list pages.
std::string page(const std::string& title, const std::string& about, const Html& body);

// Bytes as base64, for pictures inside the page.
std::string base64(const std::string& bytes);

}  // namespace suite::report
