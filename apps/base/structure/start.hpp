// SPDX-License-Identifier: BSD-3-Clause
// What the inputs that `suite init NAME --from FILE` makes of structures have in common.
#pragma once

#include <array>
#include <string>

#include "structure.hpp"

namespace suite::app {

// "CH4": carbon and hydrogen first, the others alphabetically.
std::string formula_of(const Structure& structure);

// Divisions of the reciprocal lattice vectors (2 pi included) that leave at most this distance, 1/angstrom, between k points.
std::array<int, 3> k_points_of(const std::array<Vector, 3>& cell, double distance);

// "[4, 4, 4]"
std::string list_text(const std::array<int, 3>& numbers);

}  // namespace suite::app
