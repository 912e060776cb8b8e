// SPDX-License-Identifier: BSD-3-Clause
// Formats an energy: its parts and their errors.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "results.hpp"
#include "statistics.hpp"
#include "walkers.hpp"

namespace suite::vmc {

// Returns a row of part::.
using Parts = std::function<Reblocked(size_t part)>;

// One line per part, with its name.
std::string components_text(const System& system, const Parts& parts);
std::vector<std::pair<std::string, PartResult>> components_of(const System& system, const Parts& parts);

}  // namespace suite::vmc
