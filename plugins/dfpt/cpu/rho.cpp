// SPDX-License-Identifier: BSD-3-Clause
// dfpt.rho: the fastest way (rho_best.cpp) or a published step (rho_ladder.cpp).
#include "rho.hpp"
#include "variants.hpp"

namespace suite::dfpt {
namespace {

constexpr auto steps =
    with_meaning(rho_steps, {{"naive", "a batch's part of the matrix and its product with chi as two-dimensional temporaries"},
                             {"parallelism", "one point at a time, a vector of the product instead of the whole product"},
                             {"memory", "the matrix in tiles of 32 by 32, points in groups that stay in registers"},
                             {"control_flow", "only pairs m <= n"},
                             {"best", "batches in segments, a register tile for all directions, half of the pairs"}});

struct Densities {
  using Interface = Rho;
  using Call = RhoCall;
  static constexpr suite_parameter variant = variant_of(steps);
  static constexpr auto check = check_rho;
  static constexpr auto best = rho_best;
  static constexpr auto step = rho_step;
};

}  // namespace

extern const suite_kernel_table rho_table;
constexpr suite_kernel_table rho_table = kernel_table<Rho, Variants<Densities>>("cpu", "cpu");

}  // namespace suite::dfpt
