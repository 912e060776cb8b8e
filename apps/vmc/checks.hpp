// SPDX-License-Identifier: BSD-3-Clause
// Fills the outcome of a run: consistency checks with bounds, observables, and warnings.
#pragma once

#include <vector>

#include "measure/outcome.hpp"
#include "dmc.hpp"
#include "optimise.hpp"
#include "vmc.hpp"

namespace suite::vmc {

void judge(const Settings& settings, const VmcResult& result, app::Outcome& outcome);
void judge(const Settings& settings, const DmcResult& result, app::Outcome& outcome);
void judge(const Settings& settings, const std::vector<Cycle>& cycles, size_t chosen, app::Outcome& outcome);

}  // namespace suite::vmc
