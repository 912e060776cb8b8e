// SPDX-License-Identifier: BSD-3-Clause
// Text tables, numbers as people read them, and colour where the reader wants it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "common/merit.hpp"

namespace suite::app {

class Table {
public:
  void header(std::vector<std::string> cells);
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void right(size_t column) { right_.insert(column); }  // aligns a column of numbers
  bool empty() const { return rows_.empty(); }
  std::string text() const;

private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
  std::set<size_t> right_;
};

std::string fixed(double value, int decimals);      // "83.1"
std::string scientific(double value);               // "3e-14"
std::string metric(double value);                  // "1.23 M", "45.6 G": three digits and a thousand's letter
std::string rate_text(const Merit& merit, double seconds);  // "19.2 G terms/s"; "-" for nothing
std::string seconds_text(double seconds);           // "1.92 s", "14.3 ms", "870 ns"
std::string bytes_text(double bytes);               // "23.4 GiB"
std::string percent(double fraction);               // "83 %"
std::string good(const std::string& text, bool colour), bad(const std::string& text, bool colour);
bool colour_on_stdout();  // a terminal, and NO_COLOR is unset

}  // namespace suite::app
