// SPDX-License-Identifier: BSD-3-Clause
// Words and numbers of a text file, with the line of each for messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace suite::tddft {

class TextFile {
public:
  TextFile(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}

  std::string_view text() const { return text_; }
  size_t line_of(const char* at) const;
  // Throws Failure(SUITE_INVALID_ARGUMENT, "file:line: sentence").
  [[noreturn]] void fail(const char* at, const std::string& sentence) const;
  // The number that is the whole word, of which `what` says what it is; Fortran's exponents too. Refuses one that is not finite.
  double real(std::string_view word, const std::string& what) const;
  long integer(std::string_view word, const std::string& what, long low, long high) const;

private:
  std::string name_, text_;
};

// What stands between blanks.
std::vector<std::string_view> words_of(std::string_view text);

}  // namespace suite::tddft
