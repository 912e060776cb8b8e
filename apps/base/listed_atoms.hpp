// SPDX-License-Identifier: BSD-3-Clause
// Atoms listed in an input section with the keys 'elements', 'positions' and 'unit'.
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

// Returns the unit SECTION.unit in bohr. If the key is missing, reports an error that names of_what and returns nullopt.
std::optional<double> unit_in_bohr(const Input& input, const std::string& section, const std::string& of_what);

// Returns SECTION.elements at SECTION.positions times `unit`. Reports an error and returns nullopt if their numbers do not match.
// Two atoms closer than least_apart are also an error.
std::optional<std::vector<ListedAtom>> listed_atoms(const Input& input, const std::string& section, double unit, double least_apart = 0.1);

}  // namespace suite::app
