// SPDX-License-Identifier: BSD-3-Clause
// Makes the species file of an element that is not built in.
#pragma once

#include <string>

namespace suite::all_electron {

// The built-in file, or one made from the free atom by the rule of docs/dfpt_species.md. Throws Failure for an unknown symbol.
std::string species_file_of(const std::string& symbol);

// Always made by the rule.
std::string species_by_rule(int Z);

}  // namespace suite::all_electron
