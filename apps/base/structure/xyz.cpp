// SPDX-License-Identifier: BSD-3-Clause
// XYZ: the number of atoms, a comment line, then element and position in angstrom of each atom. In extended XYZ the second line holds
// key=value pairs: Lattice="ax ay az bx by bz cx cy cz" and Properties=species:S:1:pos:R:3:..., which names the columns.
#include <algorithm>
#include <charconv>
#include <sstream>

#include <fmt/core.h>

#include "common/near.hpp"
#include "common/quantities.hpp"
#include "formats.hpp"

namespace suite::app {
namespace {

constexpr int second_line = 1;

struct Columns {
  size_t species = 0, position = 1;
};

// The value of a key of the second line, without its quotes; at: its place.
std::optional<std::string> pair_value(const std::string& line, const std::string& key, Position& at) {
  const std::string begin = key + "=";
  for (size_t i = lower(line).find(lower(begin)); i != std::string::npos; i = lower(line).find(lower(begin), i + 1)) {
    if (i > 0 && line[i - 1] != ' ' && line[i - 1] != '\t') continue;
    size_t from = i + begin.size();
    const char quote = from < line.size() && (line[from] == '"' || line[from] == '\'') ? line[from] : '\0';
    if (quote) ++from;
    const size_t end = std::min(quote ? line.find(quote, from) : line.find_first_of(" \t", from), line.size());
    at = {second_line, static_cast<int>(from), static_cast<int>(std::max<size_t>(1, end - from))};
    return line.substr(from, end - from);
  }
  return std::nullopt;
}

std::optional<Cell> lattice_of(const Lines& lines, const std::string& line) {
  Position at;
  const auto text = pair_value(line, "Lattice", at);
  if (!text) return std::nullopt;
  const Lines numbers("", *text, "");
  Cell cell{};
  const Line& all = numbers.peek();
  if (all.words.size() != 9)
    lines.fail(at, fmt::format("Lattice has {}; it needs 9", counted(static_cast<long>(all.words.size()), "number")));
  for (size_t i = 0; i < 9; ++i) {
    Word word = all.words[i];
    word.at = {at.line, at.column + word.at.column, word.at.width};
    cell[i / 3][i % 3] = lines.real(word, "a component of Lattice");
  }
  check_cell(lines, at, cell);
  return cell;
}

Columns columns_of(const Lines& lines, const std::string& line) {
  Position at;
  const auto text = pair_value(line, "Properties", at);
  if (!text) return {};
  std::vector<std::string> parts;
  std::istringstream stream(*text);
  for (std::string part; std::getline(stream, part, ':');) parts.push_back(part);
  const auto malformed = [&] {
    lines.fail(at, "Properties must be name:type:columns groups such as species:S:1:pos:R:3; got " + in_quotes(*text));
  };
  if (parts.size() % 3 != 0) malformed();
  std::optional<size_t> species, position;
  size_t column = 0;
  for (size_t i = 0; i < parts.size(); i += 3) {
    size_t count = 0;
    const std::string& digits = parts[i + 2];
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc() || end != digits.data() + digits.size() || count < 1 || count > 1000) malformed();
    if (parts[i] == "species" && count == 1) species = column;
    if (parts[i] == "pos" && count == 3) position = column;
    column += count;
  }
  if (!species || !position) lines.fail(at, "Properties must contain species:S:1 and pos:R:3; got " + in_quotes(*text));
  return {*species, *position};
}

std::string element_of(const Lines& lines, const Word& word) {
  const std::string element = element_in(word.text);
  if (lower(element) != lower(word.text))
    lines.fail(word.at, "an atom must begin with the symbol of its element, such as H or Si; got " + in_quotes(word.text));
  return element;
}

}  // namespace

Structure parse_xyz(const std::string& name, const std::string& text) {
  Structure structure;
  const std::string rest = without_line(text, second_line, structure.title);
  Lines lines(name, rest, "");
  const std::string what = "the number of atoms in the first line";
  const Line first = lines.take();
  const Word& number = lines.word(first, 0, what);
  if (number.at.line != 0) lines.fail(number.at, what + " is missing");
  const long count = lines.integer(number, what, 1, most_atoms);
  structure.cell = lattice_of(lines, structure.title);
  const Columns columns = columns_of(lines, structure.title);
  const std::string promised = "the first line announces " + counted(count, "atom");
  while (structure.atoms.size() < static_cast<size_t>(count)) {
    if (lines.at_end()) lines.fail(lines.peek().at, fmt::format("{}, but the file has {}", promised, structure.atoms.size()));
    const Line& line = lines.take();
    const std::string element = element_of(lines, lines.word(line, columns.species, "the element"));
    structure.atoms.push_back({element, three_numbers(lines, line, columns.position, "coordinate")});
  }
  if (!lines.at_end()) lines.fail(lines.peek().at, promised + ", but there are more lines");
  return structure;
}

}  // namespace suite::app
