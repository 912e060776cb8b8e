// SPDX-License-Identifier: BSD-3-Clause
// The device texts of this folder.
#pragma once

namespace suite::dfpt::cl::text {

extern const char *const common,
    *const sum_up, *const sum_up_ladder,
                       *const far_tree, *const tiles, *const ladder, *const basis, *const multipoles, *const poisson, *const response,
                                                                                                                          *const reciprocal;

}  // namespace suite::dfpt::cl::text
