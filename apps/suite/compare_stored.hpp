// SPDX-License-Identifier: BSD-3-Clause
// suite compare OLD NEW: compares two stored results row by row.
#pragma once

#include "options.hpp"

namespace suite::app {

// Whether the arguments of `suite compare` name results rather than an input.
bool names_results(const Arguments& arguments);
int compare_stored(const Arguments& arguments);

}  // namespace suite::app
