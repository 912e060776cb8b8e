// SPDX-License-Identifier: BSD-3-Clause
// dfpt.h: the fastest way (h_best.cpp) or a published step (h_ladder.cpp).
#include "h.hpp"
#include "variants.hpp"

namespace suite::dfpt {
namespace {

constexpr auto steps =
    with_meaning(h_steps, {{"naive", "W v chi and a batch's matrix as two-dimensional temporaries, one pair of functions at a time"},
                           {"parallelism", "one point at a time, rows of the matrix as vectors"},
                           {"memory", "the matrix in tiles of 32 by 32"},
                           {"control_flow", "only pairs m <= n"},
                           {"best", "batches in segments, a register tile for all directions, half of the pairs"}});

struct Matrices {
  using Interface = Hamiltonian;
  using Call = HCall;
  static constexpr suite_parameter variant = variant_of(steps);
  static constexpr auto check = check_h;
  static constexpr auto best = h_best;
  static constexpr auto step = h_step;
};

}  // namespace

extern const suite_kernel_table h_table;
constexpr suite_kernel_table h_table = kernel_table<Hamiltonian, Variants<Matrices>>("cpu", "cpu");

}  // namespace suite::dfpt
