// SPDX-License-Identifier: BSD-3-Clause
// Reads what an input says of a crystal: its ES-HDF file, supercell, splines and pseudopotentials.
#pragma once

#include "settings.hpp"

namespace suite::vmc {

// Whether system.eshdf describes a crystal; s.system is set then. Reports errors.
bool read_crystal(const app::Input& input, Settings& s);
// Keys of crystals in an input of something else.
void refuse_keys_of_crystals(const app::Input& input);

}  // namespace suite::vmc
