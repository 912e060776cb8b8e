// SPDX-License-Identifier: BSD-3-Clause
// One reader for each format of structure.hpp, and what they share.
#pragma once

#include <string>

#include "base/text_lines.hpp"
#include "structure.hpp"

namespace suite::app {

using Cell = std::array<Vector, 3>;

inline constexpr long most_atoms = 100000;

Structure parse_cif(const std::string& name, const std::string& text);
Structure parse_poscar(const std::string& name, const std::string& text);
Structure parse_xyz(const std::string& name, const std::string& text);
Structure parse_quantum_espresso(const std::string& name, const std::string& text);

// The element that a label begins with: "Si" of "Si1", "Si4+", "si_pv"; "" if there is none.
std::string element_in(const std::string& label);

// The three numbers of a line from its n-th word on.
Vector three_numbers(const Lines& lines, const Line& line, size_t from, const char* what);
// Takes three lines with a lattice vector each, in the unit of the file; refuses cells without a volume.
Cell lattice_vectors(Lines& lines);
// Fractions of the cell's edges as a position.
Vector position_in(const Cell& cell, const Vector& fractions);
double volume(const Cell& cell);
// Refuses cells without a volume; at: where the cell stands.
void check_cell(const Lines& lines, const Position& at, const Cell& cell);

// The text with one line (from 0) replaced by blanks, so that the others keep their numbers; line: receives the line.
std::string without_line(const std::string& text, int number, std::string& line);

}  // namespace suite::app
