// SPDX-License-Identifier: BSD-3-Clause
// Atoms as inputs list them, in a section with the keys 'elements', 'positions' and 'unit'.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "input.hpp"

namespace suite::app {

struct ListedAtom {
  std::string element;               // as written
  std::array<double, 3> position{};  // in the caller's unit
};

// bohr in one unit of SECTION.unit. Nothing, and an error that says of what, where the key is missing.
std::optional<double> unit_in_bohr(const Input& input, const std::string& section, const std::string& of_what);

// SECTION.elements at SECTION.positions times `unit`. Nothing, and an error, where they do not belong
// together. An error too where two are nearer than least_apart.
std::optional<std::vector<ListedAtom>> listed_atoms(const Input& input, const std::string& section, double unit, double least_apart = 0.1);

}  // namespace suite::app
