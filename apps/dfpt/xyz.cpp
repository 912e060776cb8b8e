// SPDX-License-Identifier: BSD-3-Clause
#include "xyz.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/text_lines.hpp"
#include "common/io.hpp"
#include "common/quantities.hpp"

namespace suite::all_electron {
namespace {

using app::Line;
using app::Lines;
using app::Word;

constexpr size_t largest_xyz_file = 16 << 20;
constexpr long most_atoms = 100000;

// The second line, which may contain anything, and the text with that line blanked, so that the other lines keep their numbers.
struct Parts {
  std::string comment, rest;
};
Parts without_comment(const std::string& text) {
  const size_t newline = text.find('\n');
  const size_t begin = newline == std::string::npos ? text.size() : newline + 1;
  const size_t end = std::min(text.find('\n', begin), text.size());
  Parts parts{text.substr(begin, end - begin), text};
  if (!parts.comment.empty() && parts.comment.back() == '\r') parts.comment.pop_back();
  std::fill(parts.rest.begin() + static_cast<std::ptrdiff_t>(begin), parts.rest.begin() + static_cast<std::ptrdiff_t>(end), ' ');
  return parts;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string element_of(const Lines& lines, const Word& word) {
  std::string symbol = app::lower(word.text);
  if (symbol.size() > 2 || !std::all_of(symbol.begin(), symbol.end(), is_letter))
    lines.fail(word.at, "an atom must begin with the symbol of its element, such as H or Si; got '" + word.text + "'");
  symbol[0] = static_cast<char>(symbol[0] - 'a' + 'A');
  return symbol;
}

XyzAtom atom_of(const Lines& lines, const Line& line) {
  constexpr const char* names[] = {"coordinate x", "coordinate y", "coordinate z"};
  XyzAtom atom;
  atom.element = element_of(lines, line.words[0]);
  for (size_t d = 0; d < 3; ++d) atom.position[d] = lines.real(lines.word(line, d + 1, names[d]), names[d]);
  return atom;
}

}  // namespace

Xyz parse_xyz(const std::string& name, const std::string& text) {
  Parts parts = without_comment(text);
  Lines lines(name, parts.rest, "");
  const std::string what = "the number of atoms in the first line";
  const Line first = lines.take();
  const Word& number = lines.word(first, 0, what);
  if (number.at.line != 0) lines.fail(number.at, what + " is missing");
  const long count = lines.integer(number, what, 1, most_atoms);
  Xyz xyz{std::move(parts.comment), {}};
  const std::string promised = "the first line announces " + app::counted(count, "atom");
  while (xyz.atoms.size() < static_cast<size_t>(count)) {
    if (lines.at_end()) lines.fail(lines.peek().at, fmt::format("{}, but the file has {}", promised, xyz.atoms.size()));
    xyz.atoms.push_back(atom_of(lines, lines.take()));
  }
  if (!lines.at_end()) lines.fail(lines.peek().at, promised + ", but there are more lines");
  return xyz;
}

Xyz read_xyz(const std::filesystem::path& file) { return parse_xyz(file.string(), app::read_text_file(file, largest_xyz_file)); }

std::string xyz_text(const Xyz& xyz) {
  std::string text = fmt::format("{}\n{}\n", xyz.atoms.size(), xyz.comment);
  for (const auto& atom : xyz.atoms)
    text += fmt::format("{:<2} {:14.6f} {:14.6f} {:14.6f}\n", atom.element, atom.position[0], atom.position[1], atom.position[2]);
  return text;
}

}  // namespace suite::all_electron
