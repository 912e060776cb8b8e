// SPDX-License-Identifier: BSD-3-Clause
// How the methods tell of an energy: its parts and what is known of its error.
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "statistics.hpp"
#include "walkers.hpp"

namespace suite::vmc {

// A row of part::.
using Parts = std::function<Reblocked(size_t part)>;

// One line for each, with what it is.
std::string components_text(const Parts& parts);
nlohmann::ordered_json components_json(const Parts& parts);
nlohmann::ordered_json reblocking_json(const Reblocked& energy);

}  // namespace suite::vmc
