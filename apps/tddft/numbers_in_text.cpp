// SPDX-License-Identifier: BSD-3-Clause
#include "numbers_in_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::tddft {
namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";

// What is quoted of a word in a message.
std::string shortened(std::string_view word) {
  std::string out;
  for (const char c : word.substr(0, 30)) out += c >= ' ' && c <= '~' ? c : '?';
  return word.size() > 30 ? out + "..." : out;
}

}  // namespace

size_t TextFile::line_of(const char* at) const { return 1 + static_cast<size_t>(std::count(text_.data(), at, '\n')); }

void TextFile::fail(const char* at, const std::string& sentence) const {
  throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{}:{}: {}", name_, line_of(at), sentence));
}

double TextFile::real(std::string_view word, const std::string& what) const {
  std::string text(word.substr(word.rfind('+', 0) == 0 ? 1 : 0));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == 'd' || c == 'D' || c == 'E'; }, 'e');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range && text.find("e-") != std::string::npos) return 0;  // 1e-999
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    fail(word.data(), fmt::format("{} must be a number; got '{}'", what, shortened(word)));
  return value;
}

long TextFile::integer(std::string_view word, const std::string& what, long low, long high) const {
  long value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size())
    fail(word.data(), fmt::format("{} must be a whole number; got '{}'", what, shortened(word)));
  if (value < low || value > high) fail(word.data(), fmt::format("{} must be {} to {}; got {}", what, low, high, value));
  return value;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t at = text.find_first_not_of(blanks); at != std::string_view::npos; at = text.find_first_not_of(blanks, at)) {
    const size_t end = std::min(text.find_first_of(blanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace suite::tddft
