// SPDX-License-Identifier: BSD-3-Clause
// Text tables, and colour where the reader wants it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "common/quantities.hpp"
#include "measure/merit.hpp"

namespace suite::app {

// Of the terminal that standard output is; more than any table has where it is none.
size_t stdout_columns();

// The words of a text in lines of at most that many letters, each after so many blanks, with a line end.
std::string wrapped(const std::string& text, size_t indent, size_t columns = stdout_columns());

class Table {
public:
  void header(std::vector<std::string> cells);
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void right(size_t column) { right_.insert(column); }  // aligns a column of numbers
  // A column that a narrow terminal goes without: those named first before the others. A line below says
  // which went.
  void may_go(size_t column) { may_go_.push_back(column); }
  // The last column is text, which goes on below where a terminal is narrow.
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
