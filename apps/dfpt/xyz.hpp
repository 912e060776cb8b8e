// SPDX-License-Identifier: BSD-3-Clause
// Geometries in XYZ files: the number of atoms, a line of comment, then element and position in angstrom of
// each.
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

// Throws app::InputErrors with file:line:column, app::IoFailure where there is no such file. What follows the
// three coordinates of an atom is not looked at; whether an element is known neither.
Xyz read_xyz(const std::filesystem::path& file);
Xyz parse_xyz(const std::string& name, const std::string& text);

// The file of a geometry, six digits behind the point.
std::string xyz_text(const Xyz& xyz);

}  // namespace suite::all_electron
