// SPDX-License-Identifier: BSD-3-Clause
#include "folded_output.hpp"

#include <algorithm>
#include <cctype>

#include "table.hpp"

namespace suite::app {
namespace {

// Whether a row of a table continues here: with a number, or after more than a space.
bool is_cell(const std::string& rest) {
  const size_t begin = rest.find_first_not_of(' ');
  const size_t digit = rest[begin] == '-' || rest[begin] == '+' ? begin + 1 : begin;
  return begin > 1 || (digit < rest.size() && std::isdigit(static_cast<unsigned char>(rest[digit])));
}

// The end of the last word that fits, or of the first one if none does.
size_t break_in(const std::string& text, size_t columns) {
  size_t best = std::string::npos;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = text.find_first_not_of(' ', at);
    if (begin == std::string::npos) break;
    const size_t end = std::min(text.find(' ', begin), text.size());
    if (best != std::string::npos && shown_width(text.substr(0, end)) > columns) break;
    best = at = end;
  }
  return best == std::string::npos ? text.size() : best;
}

}  // namespace

std::string folded(const std::string& line, size_t columns) {
  constexpr size_t further = 4;
  const size_t indent = std::min(line.find_first_not_of(' '), line.size()) + further;
  std::string rest = line, out;
  while (shown_width(rest) > columns) {
    const size_t end = break_in(rest, columns);
    if (rest.find_first_not_of(' ', end) == std::string::npos) break;
    out += rest.substr(0, end) + "\n";
    rest.erase(0, end);
    const size_t gap = rest.find_first_not_of(' ');
    if (!is_cell(rest) || indent + shown_width(rest.substr(0, std::min(rest.find(' ', gap), rest.size()))) > columns) rest.erase(0, gap);
    if (indent < columns / 2) rest.insert(0, indent, ' ');
  }
  return out + rest;
}

FoldedOutput::FoldedOutput(std::ostream& stream, size_t columns) : stream_(stream), to_(stream.rdbuf(this)), columns_(columns) {}

FoldedOutput::~FoldedOutput() {
  put_line(false);
  stream_.rdbuf(to_);
}

int FoldedOutput::overflow(int character) {
  if (character == traits_type::eof()) return 0;
  if (character == '\n') return put_line(true) ? character : traits_type::eof();
  line_ += static_cast<char>(character);
  return character;
}

int FoldedOutput::sync() { return put_line(false) && to_->pubsync() == 0 ? 0 : -1; }

bool FoldedOutput::put_line(bool whole) {
  const std::string text = folded(line_, columns_) + (whole ? "\n" : "");
  line_.clear();
  return to_->sputn(text.data(), static_cast<std::streamsize>(text.size())) == static_cast<std::streamsize>(text.size());
}

}  // namespace suite::app
