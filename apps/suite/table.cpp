// SPDX-License-Identifier: BSD-3-Clause
#include "table.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include <sys/ioctl.h>
#include <unistd.h>

#include "common/communicator.hpp"

namespace suite::app {

size_t shown_width(const std::string& text) {
  size_t n = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      while (i < text.size() && text[i] != 'm') ++i;
      continue;
    }
    n += (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
  }
  return n;
}

namespace {

// Text to the right of the cells, or below them if hardly any width is left.
std::string beside(std::string cells, const std::string& text, size_t columns) {
  constexpr size_t least = 24, below = 6;
  const size_t begin = shown_width(cells) + 2;
  if (begin + std::min(shown_width(text), least) <= columns) return cells + "  " + wrapped(text, begin, columns).substr(begin);
  cells.resize(cells.find_last_not_of(' ') + 1);
  return cells + "\n" + wrapped(text, below, columns);
}

}  // namespace

void Table::header(std::vector<std::string> cells) { header_ = std::move(cells); }

std::string Table::text(size_t columns) const {
  std::vector<size_t> widths;
  auto measure = [&](const std::vector<std::string>& cells) {
    for (size_t i = 0; i < cells.size(); ++i) {
      if (i >= widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], shown_width(cells[i]));
    }
  };
  if (!header_.empty()) measure(header_);
  for (const auto& r : rows_) measure(r);
  const std::set<size_t> gone = hidden_columns(widths, columns);
  auto line = [&](const std::vector<std::string>& cells) {
    std::string out;
    for (size_t i = 0; i < cells.size(); ++i) {
      if (gone.count(i)) continue;
      if (flows_ && i + 1 == cells.size()) return beside(out, cells[i], columns);
      const std::string gap(widths[i] - shown_width(cells[i]), ' ');
      if (i > 0) out += "  ";
      out += right_.count(i) ? gap + cells[i] : cells[i] + gap;
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out + "\n";
  };
  std::string out;
  if (!header_.empty()) out += line(header_);
  for (const auto& r : rows_) out += line(r);
  std::string names;
  for (const size_t column : gone) names += (names.empty() ? "" : ", ") + header_[column];
  return names.empty() ? out : out + wrapped("columns hidden in this narrow terminal: " + names, 2, columns);
}

// Hides as few as possible: once a wide column is hidden, a narrow one may stay.
std::set<size_t> Table::hidden_columns(const std::vector<size_t>& widths, size_t columns) const {
  size_t whole = 0;
  for (const size_t w : widths) whole += w + 2;
  std::set<size_t> gone;
  for (const size_t column : may_go_) {
    if (whole <= columns + 2) break;
    gone.insert(column);
    whole -= widths[column] + 2;
  }
  for (auto column = may_go_.rbegin(); column != may_go_.rend(); ++column)
    if (gone.count(*column) && whole + widths[*column] <= columns) {
      gone.erase(*column);
      whole += widths[*column] + 2;
    }
  return gone;
}

std::string wrapped(const std::string& text, size_t indent, size_t columns, size_t hanging) {
  std::istringstream words(text);
  std::string out, line;
  const auto end_line = [&] {
    out += std::string(indent, ' ') + line + "\n";
    if (hanging > 0) indent = hanging;
  };
  for (std::string word; words >> word;) {
    if (!line.empty() && indent + shown_width(line) + 1 + shown_width(word) > columns) {
      end_line();
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  end_line();
  return out;
}

namespace {

size_t columns_or(size_t otherwise) {
  winsize size{};
  const bool known = isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : otherwise;
}

}  // namespace

size_t stdout_columns() { return columns_or(10000); }
size_t reading_columns() { return columns_or(80); }

bool colour_on_stdout() {
  const char* no = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  // Under mpirun standard output looks like a terminal wherever it goes.
  return isatty(STDOUT_FILENO) == 1 && launched_rank() < 0 && !(no && *no) && !(terminal && std::strcmp(terminal, "dumb") == 0);
}
std::string good(const std::string& text, bool colour) { return colour ? "\033[32m" + text + "\033[0m" : text; }
std::string bad(const std::string& text, bool colour) { return colour ? "\033[1;31m" + text + "\033[0m" : text; }

}  // namespace suite::app
