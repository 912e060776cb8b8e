// SPDX-License-Identifier: BSD-3-Clause
// Atoms and cells from files: CIF, POSCAR and CONTCAR (VASP), XYZ and extended XYZ, inputs of Quantum ESPRESSO's pw.x.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace suite::app {

using Vector = std::array<double, 3>;

struct StructureAtom {
  std::string element;  // "Cl"
  Vector position{};    // angstrom
};

struct Structure {
  std::string title;
  std::vector<StructureAtom> atoms;
  std::optional<std::array<Vector, 3>> cell;  // rows, angstrom; none: a molecule in empty space
};

// The format follows from the name: *.cif; POSCAR*, CONTCAR*, *.poscar, *.vasp; *.xyz, *.extxyz; *.in, *.pwi, *.pw. Of a CIF, the atoms of the
// whole cell are returned, by the symmetry operations that it lists. Throws InputErrors with file:line:column, or IoFailure if the file
// cannot be read.
Structure read_structure(const std::filesystem::path& file);
Structure parse_structure(const std::string& name, const std::string& text);

// A geometry in XYZ format, with six decimals.
std::string xyz_text(const Structure& structure);

// "He" for 2; "" beyond the known elements.
std::string element_of_number(long atomic_number);

// Lengths of the edges in angstrom if all angles are 90 degrees and the edges lie along x, y and z.
std::optional<Vector> orthorhombic_edges(const Structure& structure);

}  // namespace suite::app
