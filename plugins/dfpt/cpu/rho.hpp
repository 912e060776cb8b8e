// SPDX-License-Identifier: BSD-3-Clause
// The two organisations that answer dfpt.rho.
#pragma once

#include "../steps.hpp"
#include "parts.hpp"

namespace suite::dfpt {

// rho_best.cpp
void rho_best(const RhoCall& call, const std::vector<Segment>& segments, const Rho& arrays, int64_t threads, cpu::Scratch& scratch);
// rho_ladder.cpp
void rho_step(Step step, const RhoCall& call, const Rho& arrays, int64_t threads);

}  // namespace suite::dfpt
