// SPDX-License-Identifier: BSD-3-Clause
// Standard output on a terminal: lines that are too long continue on the next, and break between words, never inside a number.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace suite::app {

// The line without its line feed, broken so that each part fits if a word does. Parts of a row of a table keep the distances between the
// columns, so that the parts of its rows stand below each other.
std::string folded(const std::string& line, size_t columns);

// While it exists, what is written to the stream is folded at that width.
class FoldedOutput : std::streambuf {
public:
  FoldedOutput(std::ostream& stream, size_t columns);
  ~FoldedOutput() override;
  FoldedOutput(const FoldedOutput&) = delete;
  FoldedOutput& operator=(const FoldedOutput&) = delete;

private:
  int overflow(int character) override;
  int sync() override;
  bool put_line(bool whole);

  std::ostream& stream_;
  std::streambuf* to_;
  size_t columns_;
  std::string line_;
};

}  // namespace suite::app
