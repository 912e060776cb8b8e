// SPDX-License-Identifier: BSD-3-Clause
// Atoms listed in an input section with the keys 'elements' and 'positions'.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "input.hpp"

namespace suite::app {

struct ListedAtom {
  std::string element;               // as written
  std::array<double, 3> position{};  // bohr
};

// Returns SECTION.elements at SECTION.positions. Reports an error and returns nullopt if their numbers do not match. Two atoms closer than
// least_apart are also an error.
std::optional<std::vector<ListedAtom>> listed_atoms(const Input& input, const std::string& section, double least_apart = 0.1);

}  // namespace suite::app
