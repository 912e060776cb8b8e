// SPDX-License-Identifier: BSD-3-Clause
// The page and its tables.
#pragma once

#include <string>
#include <vector>

#include "measure/markup.hpp"

namespace suite::report {

using Html = markup::Markup;
using markup::Attributes, markup::empty_tag, markup::px, markup::tag;

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
