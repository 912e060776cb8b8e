// SPDX-License-Identifier: BSD-3-Clause
#include "diagnostics.hpp"

#include <algorithm>
#include <sstream>
#include <tuple>

#include <fmt/core.h>

#include "common/near.hpp"
#include "input.hpp"

namespace suite::app {
namespace {

constexpr size_t most_shown = 50;  // maximum number of errors or warnings printed per file
constexpr int widest = 100;        // maximum number of columns of a source line

bool starts_letter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

int letters(const std::string& text, size_t bytes) {
  return static_cast<int>(std::count_if(text.begin(), text.begin() + static_cast<long>(std::min(bytes, text.size())), starts_letter));
}

std::string visible(const std::string& text) {
  std::string shown = text;
  for (auto& c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return shown;
}

}  // namespace

Diagnostics::Diagnostics(std::string name, const std::string& text, std::vector<std::string> overrides)
    : name_(std::move(name)), overrides_(std::move(overrides)) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines_.push_back(line);
  }
}

void Diagnostics::add(const Position& position, const std::string& sentence, suite_status status) {
  found_.push_back({position, sentence, status});
}

void Diagnostics::warn(const Position& position, const std::string& sentence) { warned_.push_back({position, sentence, SUITE_OK}); }

std::string Diagnostics::show(const Found& found, const char* label) const {
  const Position& p = found.position;
  if (p.override_ >= 0) return "--set " + visible(overrides_.at(static_cast<size_t>(p.override_))) + label + found.sentence;
  const std::string line = p.line >= 0 && p.line < static_cast<int>(lines_.size()) ? lines_[static_cast<size_t>(p.line)] : "";
  const int column = letters(line, static_cast<size_t>(std::max(0, p.column)));
  std::ostringstream out;
  out << name_ << ":" << p.line + 1 << ":" << column + 1 << label << found.sentence;
  if (line.find_first_not_of(" \t") == std::string::npos) return out.str();

  // Show a window of the line around the caret, cut at character boundaries.
  std::vector<std::string> glyphs;
  for (char c : visible(line)) {
    if (starts_letter(c) || glyphs.empty()) glyphs.emplace_back();
    glyphs.back() += c;
  }
  const int from = column < widest - 20 ? 0 : column - widest / 2;
  std::string window;
  for (int i = from; i < static_cast<int>(glyphs.size()) && i < from + widest; ++i) window += glyphs[static_cast<size_t>(i)];
  const int width = std::max(1, std::min(letters(line.substr(std::min(line.size(), static_cast<size_t>(std::max(0, p.column)))),
                                                 static_cast<size_t>(std::max(1, p.width))),
                                         from + widest - column));
  const std::string number = std::to_string(p.line + 1);
  const std::string margin(number.size() < 5 ? 5 - number.size() : 0, ' ');
  out << "\n" << margin << number << " | " << window;
  out << "\n"
      << std::string(margin.size() + number.size(), ' ') << " | " << std::string(static_cast<size_t>(column - from), ' ') << "^"
      << std::string(static_cast<size_t>(width - 1), '~');
  return out.str();
}

std::string Diagnostics::show_all(std::vector<Found> all, const char* label) const {
  std::stable_sort(all.begin(), all.end(), [](const Found& a, const Found& b) {
    return std::tuple(a.position.override_, a.position.line, a.position.column) <
           std::tuple(b.position.override_, b.position.line, b.position.column);
  });
  std::string text;
  for (size_t i = 0; i < all.size() && i < most_shown; ++i) {
    if (i > 0) text += '\n';
    text += show(all[i], label);
  }
  if (all.size() > most_shown) text += fmt::format("\n... and {} more", all.size() - most_shown);
  return text;
}

void Diagnostics::raise() const {
  const bool absent = std::all_of(found_.begin(), found_.end(), [](const Found& found) { return found.status == SUITE_NOT_FOUND; });
  throw InputErrors(show_all(found_, ": error: "), found_.size(), absent ? SUITE_NOT_FOUND : SUITE_INVALID_ARGUMENT);
}

std::string Diagnostics::warnings() const { return show_all(warned_, ": warning: "); }

}  // namespace suite::app
