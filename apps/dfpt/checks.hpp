// SPDX-License-Identifier: BSD-3-Clause
// Fills the outcome of a run: consistency checks with bounds, observables, and warnings.
#pragma once

#include "measure/outcome.hpp"
#include "calculation.hpp"

namespace suite::all_electron {

void judge(const Settings& settings, const Calculated& calculated, app::Outcome& outcome);

}  // namespace suite::all_electron
