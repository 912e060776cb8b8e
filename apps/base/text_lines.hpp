// SPDX-License-Identifier: BSD-3-Clause
// Text files as lines of words with positions, for error messages with file, line and column.
#pragma once

#include <string>
#include <vector>

#include "diagnostics.hpp"

namespace suite::app {

struct Word {
  std::string text;
  Position at;
};

struct Line {
  std::string text;         // without comment and surrounding blanks
  std::vector<Word> words;  // empty only at the end of the file
  Position at;
};

class Lines {
public:
  // comments: characters that start a comment, "!" or "#!*".
  Lines(const std::string& name, const std::string& text, const std::string& comments);

  const Line& peek() const { return lines_[next_]; }  // no words at the end of the file
  const Line& take();
  bool at_end() const { return peek().words.empty(); }
  // Takes the next line, which must begin with these words (case-insensitive), or throws.
  const Line& expect(const std::string& words);
  bool starts_with(const std::string& words) const;

  long integer(const Word& word, const std::string& what, long low, long high) const;
  double real(const Word& word, const std::string& what) const;
  bool flag(const Word& word, const std::string& what) const { return integer(word, what, 0, 1) == 1; }
  // Returns the n-th word of a line, from 0; throws with the name of what is missing.
  const Word& word(const Line& line, size_t n, const std::string& what) const;

  [[noreturn]] void fail(const Position& at, const std::string& sentence) const;

private:
  std::string name_, text_;
  std::vector<Line> lines_;
  size_t next_ = 0;
};

// Lower-case copy, for case-insensitive comparison.
std::string lower(std::string text);

}  // namespace suite::app
