// SPDX-License-Identifier: BSD-3-Clause
// How the methods tell of an energy: its parts and what is known of its error.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "results.hpp"
#include "statistics.hpp"
#include "walkers.hpp"

namespace suite::vmc {

// A row of part::.
using Parts = std::function<Reblocked(size_t part)>;

// One line for each, with what it is.
std::string components_text(const Parts& parts);
std::vector<std::pair<std::string, PartResult>> components_of(const Parts& parts);

}  // namespace suite::vmc
