// SPDX-License-Identifier: BSD-3-Clause
// The laws that a run's numbers must obey, with stated bounds, the numbers that another run must repeat, and
// what else the reader has to be warned of.
#pragma once

#include "measure/outcome.hpp"
#include "calculation.hpp"

namespace suite::all_electron {

void judge(const Settings& settings, const Calculated& calculated, app::Outcome& outcome);

}  // namespace suite::all_electron
