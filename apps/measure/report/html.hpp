// SPDX-License-Identifier: BSD-3-Clause
// The page and its tables.
#pragma once

#include <string>
#include <vector>

#include "measure/markup.hpp"

namespace suite::report {

using Html = markup::Markup;
using markup::Attributes, markup::empty_tag, markup::px, markup::tag;

// A plain text as people write it on paper: "3e-15" as 3·10⁻¹⁵, which no line break divides, "eps^-1" as ε⁻¹.
std::string typeset(const std::string& text);

// Text on a line of its own, smaller; and words marked good, bad, or unimportant.
inline Html below(const Html& text) { return text.empty() ? text : tag("span", {{"class", "sub"}}, text); }
inline Html good(const Html& text) { return tag("span", {{"class", "ok"}}, text); }
inline Html bad(const Html& text) { return tag("span", {{"class", "no"}}, text); }
inline Html dim(const Html& text) { return tag("span", {{"class", "na"}}, text); }

struct Column {
  std::string title;
  bool number = false;  // aligned to the right
};
// "step|>median": titles separated by bars; those of numeric columns begin with '>'.
std::vector<Column> columns(const std::string& titles);

// A table with a caption; the first cell of a row is its header. Scrolls horizontally on narrow pages.
struct Table {
  std::string caption;
  std::vector<Column> columns;
  std::vector<std::vector<Html>> rows;
  bool narrow = false;  // as wide as its cells if they are narrower than the page
};
Html table(const Table& table);

// The whole page. about: its description for programs that list pages.
std::string page(const std::string& title, const std::string& about, const Html& body);

// Base64 encoding, for pictures embedded in the page.
std::string base64(const std::string& bytes);

}  // namespace suite::report
