// SPDX-License-Identifier: BSD-3-Clause
#include "structure.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "base/input.hpp"
#include "common/io.hpp"
#include "common/near.hpp"
#include "formats.hpp"

namespace suite::app {
namespace {

constexpr size_t largest_structure_file = 16 << 20;

constexpr const char* element_symbols =
    " H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd "
    "In "
    "Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu "
    "Am "
    "Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og ";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

using Parser = Structure (*)(const std::string&, const std::string&);

Parser parser_of(const std::string& name) {
  const std::filesystem::path path = name;
  const std::string file = lower(path.filename().string()), ending = lower(path.extension().string());
  if (ending == ".cif") return parse_cif;
  if (ending == ".xyz" || ending == ".extxyz") return parse_xyz;
  if (ending == ".in" || ending == ".pwi" || ending == ".pw") return parse_quantum_espresso;
  if (file.rfind("poscar", 0) == 0 || file.rfind("contcar", 0) == 0 || ending == ".poscar" || ending == ".vasp") return parse_poscar;
  return nullptr;
}

}  // namespace

std::string element_of_number(long atomic_number) {
  std::istringstream symbols(element_symbols);
  std::string symbol;
  for (long i = 0; i < atomic_number; ++i)
    if (!(symbols >> symbol)) return "";
  return symbol;
}

std::string element_in(const std::string& label) {
  std::string symbol;
  for (size_t i = 0; i < label.size() && i < 2 && is_letter(label[i]); ++i) symbol += label[i];
  symbol = lower(symbol);
  for (; !symbol.empty(); symbol.pop_back()) {
    std::string shown = symbol;
    shown[0] = static_cast<char>(shown[0] - 'a' + 'A');
    if (std::string(element_symbols).find(" " + shown + " ") != std::string::npos) return shown;
  }
  return "";
}

Vector three_numbers(const Lines& lines, const Line& line, size_t from, const char* what) {
  Vector numbers{};
  for (size_t d = 0; d < 3; ++d) {
    const std::string name = std::string(what) + " " + "xyz"[d];
    numbers[d] = lines.real(lines.word(line, from + d, name), name);
  }
  return numbers;
}

Vector position_in(const Cell& cell, const Vector& fractions) {
  Vector position{};
  for (size_t i = 0; i < 3; ++i)
    for (size_t d = 0; d < 3; ++d) position[d] += fractions[i] * cell[i][d];
  return position;
}

double volume(const Cell& c) {
  return c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) - c[0][1] * (c[1][0] * c[2][2] - c[1][2] * c[2][0]) +
         c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0]);
}

void check_cell(const Lines& lines, const Position& at, const Cell& cell) {
  double edges = 1;
  for (const auto& row : cell) edges *= std::hypot(row[0], row[1], row[2]);
  if (!std::isfinite(edges) || !(std::abs(volume(cell)) > 1e-6 * edges)) lines.fail(at, "the cell has no volume");
}

Cell lattice_vectors(Lines& lines) {
  Cell cell{};
  const Position at = lines.peek().at;
  for (auto& row : cell) {
    const Line& line = lines.take();
    lines.word(line, 0, "a lattice vector");
    row = three_numbers(lines, line, 0, "the component of a lattice vector along");
  }
  check_cell(lines, at, cell);
  return cell;
}

std::string without_line(const std::string& text, int number, std::string& line) {
  size_t begin = 0;
  for (int i = 0; i < number; ++i) {
    const size_t newline = text.find('\n', begin);
    begin = newline == std::string::npos ? text.size() : newline + 1;
  }
  const size_t end = std::min(text.find('\n', begin), text.size());
  line = text.substr(begin, end - begin);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return text.substr(0, begin) + std::string(end - begin, ' ') + text.substr(end);
}

Structure parse_structure(const std::string& name, const std::string& text) {
  if (const Parser parse = parser_of(name)) {
    if (text.find('\0') != std::string::npos) throw InputErrors(name + ": error: a NUL byte; this is not a text file", 1);
    return parse(name, text);
  }
  throw InputErrors(
      name + ": error: unknown format of a structure; known names: *.cif, POSCAR, CONTCAR, *.vasp, *.xyz, *.extxyz, *.in (pw.x)", 1);
}

Structure read_structure(const std::filesystem::path& file) {
  return parse_structure(file.string(), parser_of(file.string()) ? read_text_file(file, largest_structure_file) : "");
}

std::string xyz_text(const Structure& structure) {
  std::string text = fmt::format("{}\n{}\n", structure.atoms.size(), structure.title);
  for (const auto& atom : structure.atoms)
    text += fmt::format("{:<2} {:14.6f} {:14.6f} {:14.6f}\n", atom.element, atom.position[0], atom.position[1], atom.position[2]);
  return text;
}

std::optional<Vector> orthorhombic_edges(const Structure& structure) {
  if (!structure.cell) return std::nullopt;
  const Cell& cell = *structure.cell;
  for (size_t i = 0; i < 3; ++i) {
    const double length = std::hypot(cell[i][0], cell[i][1], cell[i][2]);
    if (!(std::abs(cell[i][i] - length) <= 1e-6 * length)) return std::nullopt;
  }
  return Vector{cell[0][0], cell[1][1], cell[2][2]};
}

}  // namespace suite::app
