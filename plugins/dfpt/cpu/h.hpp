// SPDX-License-Identifier: BSD-3-Clause
// The arguments of dfpt.h and the two organisations that answer it.
#pragma once

#include "../steps.hpp"
#include "parts.hpp"

namespace suite::dfpt {

struct HArrays {
  explicit HArrays(const suite_array* a)
      : wave(numbers<double>(a[H::wave])),
        wave_right(numbers<double>(a[H::wave_right])),
        W(numbers<double>(a[H::partition_tab])),
        v(numbers<double>(a[H::v])),
        C(numbers<double>(a[H::C])),
        i_basis(numbers<int32_t>(a[H::i_basis])),
        matrix(results<double>(a[H::H_])),
        products(results<double>(a[H::HC])) {}
  // W v_d of a point of all.
  double weight(int64_t point, int64_t d, int64_t n_points) const {
    return v ? W[point] * v[n_points * d + point] : W[point];
  }
  const double *wave, *wave_right, *W, *v, *C;
  const int32_t* i_basis;
  double *matrix, *products;
};

// h_best.cpp
void h_best(const HCall& call, const std::vector<Segment>& segments, const HArrays& arrays, int64_t threads,
            cpu::Scratch& scratch);
// h_ladder.cpp
void h_step(Step step, const HCall& call, const HArrays& arrays, int64_t threads);

}  // namespace suite::dfpt
