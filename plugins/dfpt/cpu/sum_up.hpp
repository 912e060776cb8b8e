// SPDX-License-Identifier: BSD-3-Clause
// The organisations that answer dfpt.sum_up.
#pragma once

#include "../steps.hpp"
#include "kernels.hpp"

namespace suite::dfpt {

// How best sums the far field.
enum class Far { direct, tree };
inline constexpr suite_choice far_fields[] = {
    choice("direct", "every atom at every point"),
    {"tree", "expansions of cells of atoms about cells of points (variant best)", 1e-9, nullptr, SUITE_UNKNOWN, 0, nullptr}};

// sum_up_ladder.cpp
void sum_up_step(Step step, const SumUpCall& call, const SumUp& arrays, int64_t threads);

}  // namespace suite::dfpt
