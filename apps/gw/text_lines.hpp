// SPDX-License-Identifier: BSD-3-Clause
// A text file of numbers, line by line.
#pragma once

#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::gw {

// The lines of the file, with their numbers for errors. Empty lines are read over.
class TextLines {
public:
  explicit TextLines(const std::filesystem::path& file) : file_(file), in_(file) {
    if (!in_) throw Failure(SUITE_NOT_FOUND, "cannot open " + file.string());
  }
  bool next() {
    while (std::getline(in_, line_)) {
      ++number_;
      if (line_.find_first_not_of(" \t\r") != std::string::npos) return true;
    }
    return false;
  }
  // Exactly these values, and finite ones; `expected` says so in words.
  template <class... T> void scan(const char* expected, T&... value) const {
    std::istringstream words(line_);
    std::string more;
    if (!((words >> value) && ...) || (words >> more)) fail(std::string("expected ") + expected + ", got '" + trimmed() + "'");
  }
  [[noreturn]] void fail(const std::string& sentence) const {
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{}:{}: {}", file_.string(), number_, sentence));
  }
  [[noreturn]] void fail_at_end(const std::string& sentence) const {
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{}:{}: {}", file_.string(), number_ + 1, sentence));
  }

private:
  std::string trimmed() const {
    const auto first = line_.find_first_not_of(" \t"), last = line_.find_last_not_of(" \t\r");
    std::string text = line_.substr(first, last - first + 1);
    if (text.size() > 60) text = text.substr(0, 60) + "...";
    for (char& c : text)
      if (!std::isprint(static_cast<unsigned char>(c))) c = '?';  // some binary file
    return text;
  }
  std::filesystem::path file_;
  std::ifstream in_;
  std::string line_;
  int number_ = 0;
};

}  // namespace suite::gw
