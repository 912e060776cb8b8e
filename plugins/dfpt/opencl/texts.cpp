// SPDX-License-Identifier: BSD-3-Clause
#include "texts.hpp"

#include "../device/multipoles.hpp"
#include "../device/reciprocal.hpp"
#include "sources.hpp"

namespace suite::dfpt::cl::text {

const char *const common = common_cl, *const sum_up = sum_up_cl, *const sum_up_ladder = sum_up_ladder_cl, *const far_tree = far_tree_cl,
                  *const tiles = tiles_cl, *const ladder = ladder_cl, *const basis = basis_cl, *const multipoles = multipoles_cl,
                  *const poisson = poisson_cl, *const response = response_cl, *const reciprocal = reciprocal_cl;

}  // namespace suite::dfpt::cl::text

// The kernels that the host sides in the folder device start.
namespace suite::dfpt {

Projection projection() { return {"project", cl::text::multipoles}; }
PairFactors pair_factors() { return {"make_factors", cl::text::reciprocal}; }
LineSums line_sums() { return {"add_lines", cl::text::reciprocal}; }

}  // namespace suite::dfpt
