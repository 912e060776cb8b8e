// SPDX-License-Identifier: BSD-3-Clause
// POSCAR and CONTCAR of VASP 5: a comment, a scale, three lattice vectors, elements, their numbers of atoms, "Selective dynamics"
// (optional), "Direct" or "Cartesian", and the positions.
#include <cmath>

#include <fmt/core.h>

#include "common/near.hpp"
#include "common/quantities.hpp"
#include "formats.hpp"

namespace suite::app {
namespace {

// One factor, three factors, or minus the volume of the cell.
Vector scale_of(const Lines& lines, const Line& line, const Cell& cell) {
  const std::string what = "the scale";
  const Word& first = lines.word(line, 0, what);
  if (line.words.size() >= 3) {
    const Vector factors = three_numbers(lines, line, 0, "the scale along");
    for (const double factor : factors)
      if (!(factor > 0)) lines.fail(line.at, "three scales must all be positive");
    return factors;
  }
  double factor = lines.real(first, what);
  if (factor == 0) lines.fail(first.at, "the scale must not be 0");
  if (factor < 0) factor = std::cbrt(-factor / std::abs(volume(cell)));
  return {factor, factor, factor};
}

bool begins_with_number(const Line& line) {
  return !line.words.empty() && line.words[0].text.find_first_of("0123456789") == line.words[0].text.find_first_not_of("+-");
}

}  // namespace

Structure parse_poscar(const std::string& name, const std::string& text) {
  Structure structure;
  Lines lines(name, without_line(text, 0, structure.title), "");
  const Line scale_line = lines.take();
  lines.word(scale_line, 0, "the scale in the second line");
  Cell cell = lattice_vectors(lines);
  const Vector scale = scale_of(lines, scale_line, cell);
  for (auto& row : cell)
    for (size_t d = 0; d < 3; ++d) row[d] *= scale[d];
  check_cell(lines, scale_line.at, cell);

  const Line symbols = lines.take();
  lines.word(symbols, 0, "the line of elements");
  if (begins_with_number(symbols))
    lines.fail(symbols.at, "the elements are missing before the numbers of atoms (VASP 5 and later write them)");
  const Line counts = lines.take();
  std::vector<std::string> elements;
  long total = 0;
  for (size_t i = 0; i < symbols.words.size(); ++i) {
    const Word& symbol = symbols.words[i];
    const std::string element = element_in(symbol.text);
    const std::string bare = symbol.text.substr(0, symbol.text.find_first_of("_/"));  // Si_pv, Si/e9fd0a8cb24f
    if (element.empty() || lower(element) != lower(bare)) lines.fail(symbol.at, "there is no element " + in_quotes(symbol.text));
    const long count =
        lines.integer(lines.word(counts, i, "the number of atoms of " + element), "the number of atoms of " + element, 1, most_atoms);
    total += count;
    if (total > most_atoms) lines.fail(counts.at, fmt::format("at most {} atoms are possible", most_atoms));
    elements.insert(elements.end(), static_cast<size_t>(count), element);
  }
  if (counts.words.size() > symbols.words.size())
    lines.fail(counts.words[symbols.words.size()].at,
               fmt::format("{} for {}", counted(static_cast<long>(counts.words.size()), "number of atoms"),
                           counted(static_cast<long>(symbols.words.size()), "element")));

  Line mode = lines.take();
  if (!mode.words.empty() && lower(mode.text)[0] == 's') mode = lines.take();
  const char letter = lower(lines.word(mode, 0, "'Direct' or 'Cartesian'").text)[0];
  if (letter != 'd' && letter != 'c' && letter != 'k') lines.fail(mode.at, "must be 'Direct' or 'Cartesian'; got " + in_quotes(mode.text));
  for (const auto& element : elements) {
    if (lines.at_end())
      lines.fail(lines.peek().at, fmt::format("the file announces {}, but has {}", counted(total, "atom"), structure.atoms.size()));
    const Line& line = lines.take();
    Vector position = three_numbers(lines, line, 0, "coordinate");
    if (letter == 'd') position = position_in(cell, position);
    else
      for (size_t d = 0; d < 3; ++d) position[d] *= scale[d];
    structure.atoms.push_back({element, position});
  }
  structure.cell = cell;
  return structure;  // velocities and what else may follow are not read
}

}  // namespace suite::app
