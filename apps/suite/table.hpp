// SPDX-License-Identifier: BSD-3-Clause
// Text tables, and colour if the user wants it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "common/quantities.hpp"
#include "measure/merit.hpp"

namespace suite::app {

// Width of the terminal on standard output; wider than any table if it is not a terminal.
size_t stdout_columns();

// The same, and 80 if it is not a terminal: for text that is read rather than processed.
size_t reading_columns();

// Visible width: UTF-8 continuation bytes and colour sequences take no space.
size_t shown_width(const std::string& text);

// Wraps text into lines of at most that many characters, each indented and ended by a line feed; hanging: the indent of further lines,
// if it differs.
std::string wrapped(const std::string& text, size_t indent, size_t columns = stdout_columns(), size_t hanging = 0);

class Table {
public:
  void header(std::vector<std::string> cells);
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void right(size_t column) { right_.insert(column); }  // aligns a column of numbers
  // Marks a column that may be dropped on a narrow terminal, in the order of the calls. A line below the table names dropped columns.
  void may_go(size_t column) { may_go_.push_back(column); }
  // The last column is text, which is wrapped on narrow terminals.
  void flow() { flows_ = true; }
  bool empty() const { return rows_.empty(); }
  std::string text(size_t columns = stdout_columns()) const;

private:
  std::set<size_t> hidden_columns(const std::vector<size_t>& widths, size_t columns) const;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
  std::set<size_t> right_;
  std::vector<size_t> may_go_;
  bool flows_ = false;
};

std::string good(const std::string& text, bool colour);
std::string bad(const std::string& text, bool colour);
bool colour_on_stdout();  // a terminal, and NO_COLOR is unset

}  // namespace suite::app
