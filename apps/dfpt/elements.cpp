// SPDX-License-Identifier: BSD-3-Clause
#include "elements.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "integration_setup.hpp"

namespace suite::all_electron {
namespace {

constexpr const char* symbols[] = {"", "H", "He", "Li", "Be", "B", "C", "N", "O", "F", "Ne", "Na", "Mg", "Al", "Si", "P", "S", "Cl", "Ar"};

}  // namespace

int atomic_number(const std::string& symbol) {
  for (int Z = 1; Z <= last_element; ++Z)
    if (symbol == symbols[Z]) return Z;
  return 0;
}

const char* element_symbol(int Z) { return Z >= 1 && Z <= last_element ? symbols[Z] : "?"; }

std::vector<Shell> ground_state_shells(int Z) {
  if (Z < 1 || Z > last_element)
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("no element with nuclear charge {1}; supported: 1 to {0}", last_element, Z));
  std::vector<Shell> shells;
  double left = Z;
  for (const auto& [n, l] : {std::pair(1, 0), {2, 0}, {2, 1}, {3, 0}, {3, 1}}) {
    if (!(left > 0)) break;
    const double occupation = std::min(left, 2.0 * (2 * l + 1));
    shells.push_back({n, l, occupation});
    left -= occupation;
  }
  return shells;
}

}  // namespace suite::all_electron
