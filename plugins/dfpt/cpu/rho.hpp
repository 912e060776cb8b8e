// SPDX-License-Identifier: BSD-3-Clause
// The arguments of dfpt.rho and the two organisations that answer it.
#pragma once

#include "../steps.hpp"
#include "parts.hpp"

namespace suite::dfpt {

struct RhoArrays {
  explicit RhoArrays(const suite_array* a)
      : wave(numbers<double>(a[Rho::wave])),
        P(numbers<double>(a[Rho::density_matrix])),
        C(numbers<double>(a[Rho::C])),
        C1(numbers<double>(a[Rho::C1])),
        i_basis(numbers<int32_t>(a[Rho::i_basis])),
        rho(results<double>(a[Rho::rho])) {}
  const double *wave, *P, *C, *C1;
  const int32_t* i_basis;
  double* rho;
};

// rho_best.cpp
void rho_best(const RhoCall& call, const std::vector<Segment>& segments, const RhoArrays& arrays,
              int64_t threads, cpu::Scratch& scratch);
// rho_ladder.cpp
void rho_step(Step step, const RhoCall& call, const RhoArrays& arrays, int64_t threads);

}  // namespace suite::dfpt
