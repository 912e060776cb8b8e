// SPDX-License-Identifier: BSD-3-Clause
#include "casino_numbers.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace suite::vmc {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The numbers of a line: " 0.0000000000000E+00-1.2454736570000E-01" has two.
std::vector<app::Word> numbers_of(const app::Line& line) {
  std::vector<app::Word> numbers;
  for (const app::Word& word : line.words) {
    size_t begin = 0;
    for (size_t i = 1; i <= word.text.size(); ++i) {
      const bool sign = i < word.text.size() && (word.text[i] == '-' || word.text[i] == '+');
      if (i < word.text.size() && !(sign && (is_digit(word.text[i - 1]) || word.text[i - 1] == '.'))) continue;
      numbers.push_back(
          {word.text.substr(begin, i - begin), {word.at.line, word.at.column + static_cast<int>(begin), static_cast<int>(i - begin)}});
      begin = i;
    }
  }
  return numbers;
}

}  // namespace

const app::Line& CasinoNumbers::take() {
  last_ = &lines_.take();
  return *last_;
}

const app::Line& CasinoNumbers::line_with(std::initializer_list<const char*> words) {
  while (!lines_.at_end()) {
    const app::Line& line = take();
    for (const char* word : words)
      if (app::lower(line.text).find(word) != std::string::npos) return line;
  }
  fail(lines_.peek().at, fmt::format("there is no line '{}'", *words.begin()));
}

const app::Line& CasinoNumbers::line_after(const char* title) {
  line_with({title});
  if (lines_.at_end()) fail(lines_.peek().at, fmt::format("the file ends after '{}'", title));
  return take();
}

// The first word of the next line is a number, or several that touch; not a title such as "2nd contraction coefficients", nor dashes.
bool CasinoNumbers::at_numbers() const {
  if (lines_.at_end()) return false;
  const std::string& text = lines_.peek().words.front().text;
  return text.find_first_not_of("+-.0123456789eEdD") == std::string::npos && std::any_of(text.begin(), text.end(), is_digit);
}

template <class F> void CasinoNumbers::numbers(size_t count, const char* what, F&& take_number) {
  size_t found = 0;
  while (found < count) {
    if (!at_numbers()) fail(lines_.peek().at, fmt::format("there are {} of the {} {}", found, count, what));
    for (const app::Word& word : numbers_of(take())) {
      if (++found > count) fail(word.at, fmt::format("there are more than the {} {}", count, what));
      take_number(word);
    }
  }
  if (at_numbers()) fail(lines_.peek().at, fmt::format("there are more than the {} {}", count, what));
}

long CasinoNumbers::integer_after(const char* title, long low, long high) { return integers_after(title, 1, title, low, high).front(); }

std::vector<long> CasinoNumbers::integers_after(const char* title, size_t count, const char* what, long low, long high) {
  line_with({title});
  std::vector<long> values;
  numbers(count, what, [&](const app::Word& word) { values.push_back(lines_.integer(word, what, low, high)); });
  return values;
}

std::vector<double> CasinoNumbers::reals_after(const char* title, size_t count, const char* what) {
  line_with({title});
  std::vector<double> values;
  numbers(count, what, [&](const app::Word& word) { values.push_back(lines_.real(word, what)); });
  return values;
}

std::vector<double> CasinoNumbers::all_reals(const char* what) {
  std::vector<double> values;
  while (!lines_.at_end() && lines_.peek().text.find_first_not_of("-=") == std::string::npos) take();
  while (at_numbers())
    for (const app::Word& word : numbers_of(take())) values.push_back(lines_.real(word, what));
  return values;
}

}  // namespace suite::vmc
