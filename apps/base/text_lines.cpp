// SPDX-License-Identifier: BSD-3-Clause
#include "text_lines.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include <fmt/core.h>

namespace suite::app {
namespace {

constexpr const char* blanks = " \t\r";

std::vector<Word> words_of(const std::string& text, int line) {
  std::vector<Word> words;
  for (size_t begin = text.find_first_not_of(blanks); begin != std::string::npos;) {
    const size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    words.push_back({text.substr(begin, end - begin), {line, static_cast<int>(begin), static_cast<int>(end - begin)}});
    begin = text.find_first_not_of(blanks, end);
  }
  return words;
}

// Whether the line begins with these words.
bool begins(const Line& line, const std::string& words) {
  const auto wanted = words_of(words, 0);
  if (line.words.size() < wanted.size()) return false;
  for (size_t i = 0; i < wanted.size(); ++i)
    if (lower(line.words[i].text) != lower(wanted[i].text)) return false;
  return true;
}

}  // namespace

std::string lower(std::string text) {
  for (auto& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

Lines::Lines(const std::string& name, const std::string& text, const std::string& comments) : name_(name), text_(text) {
  std::istringstream stream(text);
  int number = 0;
  for (std::string raw; std::getline(stream, raw); ++number) {
    const std::string kept = raw.substr(0, raw.find_first_of(comments));
    auto words = words_of(kept, number);
    if (words.empty()) continue;
    const size_t begin = kept.find_first_not_of(blanks), end = kept.find_last_not_of(blanks) + 1;
    const Position at{number, static_cast<int>(begin), static_cast<int>(end - begin)};
    lines_.push_back({kept.substr(begin, end - begin), std::move(words), at});
  }
  lines_.push_back({"", {}, {number, 0, 1}});
}

const Line& Lines::take() {
  const Line& line = lines_[next_];
  if (next_ + 1 < lines_.size()) ++next_;
  return line;
}

bool Lines::starts_with(const std::string& words) const { return begins(peek(), words); }

const Line& Lines::expect(const std::string& words) {
  if (!starts_with(words))
    fail(peek().at, "expected '" + words + "', found " + (at_end() ? std::string("the end of the file") : "'" + peek().text + "'"));
  return take();
}

const Word& Lines::word(const Line& line, size_t n, const std::string& what) const {
  if (n < line.words.size()) return line.words[n];
  fail(line.at, what + " is missing" + (line.words.empty() ? " at the end of the file" : ""));
}

long Lines::integer(const Word& word, const std::string& what, long low, long high) const {
  char* end = nullptr;
  errno = 0;
  const long value = std::strtol(word.text.c_str(), &end, 10);
  if (word.text.empty() || *end || errno) fail(word.at, what + " must be a whole number; got '" + word.text + "'");
  if (value < low || value > high) fail(word.at, fmt::format("{} must be {}..{}; got '{}'", what, low, high, word.text));
  return value;
}

double Lines::real(const Word& word, const std::string& what) const {
  std::string text = word.text;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');  // 1.0d0
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool plain = text.find_first_not_of("+-.0123456789eE") == std::string::npos;
  if (text.empty() || *end || !plain || !std::isfinite(value)) fail(word.at, what + " must be a number; got '" + word.text + "'");
  return value;
}

void Lines::fail(const Position& at, const std::string& sentence) const {
  Diagnostics diagnostics(name_, text_, {});
  diagnostics.add(at, sentence);
  diagnostics.raise();
}

}  // namespace suite::app
