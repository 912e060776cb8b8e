// SPDX-License-Identifier: BSD-3-Clause
// The organisations that answer dfpt.sum_up.
#pragma once

#include "../far_tree.hpp"
#include "../steps.hpp"
#include "kernels.hpp"

namespace suite::dfpt {

// sum_up_ladder.cpp
void sum_up_step(Step step, const SumUpCall& call, const SumUp& arrays, int64_t threads);

}  // namespace suite::dfpt
