// SPDX-License-Identifier: BSD-3-Clause
// The two organisations that answer dfpt.h.
#pragma once

#include "../steps.hpp"
#include "parts.hpp"

namespace suite::dfpt {

// W v_d of a point of all.
inline double weight_of(const Hamiltonian& arrays, int64_t point, int64_t d) {
  return arrays.v ? arrays.partition_tab(point) * arrays.v(point, d) : arrays.partition_tab(point);
}

// h_best.cpp
void h_best(const HCall& call, const std::vector<Segment>& segments, const Hamiltonian& arrays, int64_t threads, cpu::Scratch& scratch);
// h_ladder.cpp
void h_step(Step step, const HCall& call, const Hamiltonian& arrays, int64_t threads);

}  // namespace suite::dfpt
