// SPDX-License-Identifier: BSD-3-Clause
// Geometries in XYZ files: the number of atoms, a comment line, then element and position in angstrom of each atom.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace suite::all_electron {

struct XyzAtom {
  std::string element;               // "Cl"
  std::array<double, 3> position{};  // angstrom
};

struct Xyz {
  std::string comment;
  std::vector<XyzAtom> atoms;
};

// Throws app::InputErrors with file:line:column, or app::IoFailure if the file does not exist. Ignores text after an atom's coordinates and
// does not check whether the element exists.
Xyz read_xyz(const std::filesystem::path& file);
Xyz parse_xyz(const std::string& name, const std::string& text);

// Formats a geometry with six decimals.
std::string xyz_text(const Xyz& xyz);

}  // namespace suite::all_electron
