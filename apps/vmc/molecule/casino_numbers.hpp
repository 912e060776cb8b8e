// SPDX-License-Identifier: BSD-3-Clause
// CASINO's data files: titles in lines of their own, each followed by numbers. Fortran writes them in columns, so that a minus sign may
// follow a number without a blank.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "base/text_lines.hpp"

namespace suite::vmc {

class CasinoNumbers {
public:
  CasinoNumbers(const std::string& name, const std::string& text) : lines_(name, text, "") {}

  // Goes on to the line that contains one of these words, in lower case.
  const app::Line& line_with(std::initializer_list<const char*> words);
  const app::Line& line_after(const char* title);
  long integer_after(const char* title, long low, long high);
  // As many numbers as there must be, on any number of lines.
  std::vector<long> integers_after(const char* title, size_t count, const char* what, long low, long high);
  std::vector<double> reals_after(const char* title, size_t count, const char* what);
  // Those on the lines from here on that begin with a number.
  std::vector<double> all_reals(const char* what);

  const app::Line& next() const { return lines_.peek(); }
  const app::Line& take();
  const app::Line& last() const { return *last_; }  // the line taken last
  double real(const app::Word& word, const char* what) const { return lines_.real(word, what); }
  [[noreturn]] void fail(const app::Position& at, const std::string& sentence) const { lines_.fail(at, sentence); }

private:
  template <class F> void numbers(size_t count, const char* what, F&& take_number);
  bool at_numbers() const;

  app::Lines lines_;
  const app::Line* last_ = nullptr;
};

}  // namespace suite::vmc
