// SPDX-License-Identifier: BSD-3-Clause
// The laws that the numbers of a run must obey, with stated bounds, the numbers that another run must repeat,
// and what else the reader has to be warned of.
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
