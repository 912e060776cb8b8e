// SPDX-License-Identifier: BSD-3-Clause
// Errors and warnings of an input file, collected with their positions and printed with the source line and a caret.
#pragma once

#include <string>
#include <vector>

#include <suite/suite.h>

namespace suite::app {

// A position in the file (line and byte column from 0) or in one of the --set overrides.
struct Position {
  int line = 0, column = 0;
  int width = 1;      // bytes to underline
  int override_ = -1;  // index of the --set, or -1 for the file
};

class Diagnostics {
public:
  Diagnostics(std::string name, const std::string& text, std::vector<std::string> overrides);
  // status: SUITE_NOT_FOUND if the sentence is about a name that does not exist.
  void add(const Position& position, const std::string& sentence, suite_status status = SUITE_INVALID_ARGUMENT);
  // Of what is accepted but should be written differently.
  void warn(const Position& position, const std::string& sentence);
  bool empty() const { return found_.empty(); }
  size_t size() const { return found_.size(); }
  // Throws InputErrors with all errors in file order.
  [[noreturn]] void raise() const;
  // All warnings in file order, one after the other; "" without one.
  std::string warnings() const;

private:
  struct Found {
    Position position;
    std::string sentence;
    suite_status status;
  };
  std::string show(const Found& found, const char* label) const;
  std::string show_all(std::vector<Found> all, const char* label) const;
  std::string name_;
  std::vector<std::string> lines_, overrides_;
  std::vector<Found> found_, warned_;
};

}  // namespace suite::app
