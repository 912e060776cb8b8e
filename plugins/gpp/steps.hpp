// SPDX-License-Identifier: BSD-3-Clause
// The published steps of gpp.sigma as the parameter `variant`, for every implementation that keeps them:
// their order, and what was published of each, for the end of its line in the parameter's meaning
// (docs/add-a-kernel.md).
//   V100: "8 steps to optimize Sigma-GPP" (NERSC; arXiv 2008.11326), 800 x 1385 x 11075, two energies
//   A100: "Roofline model using Nsight Compute" (NERSC), whose steps are v1, v2, v4, then v7 and v8 together,
//   and at last
//         one back: a fixed vector length
#pragma once

namespace suite::gpp {

inline constexpr const char* sigma_variants[] = {"v1", "v2", "v3", "v4",   "v5",           "v6",
                                                 "v7", "v8", "v9", "best", "fixed_length", nullptr};
inline constexpr int best_variant = 9, fixed_length_variant = 10;

// v1 to v9 are steps 1 to 9; fixed_length, v8 with vectors, groups or blocks of a fixed and poor length, is step 10.
constexpr int step_of(int variant) { return variant < best_variant ? variant + 1 : variant; }

}  // namespace suite::gpp

// Macros, because a line is one literal.
#define SUITE_GPP_V1_PUBLISHED " [V100 1.63 s, 3.71 TFLOP; A100 1.17 s]\n"
#define SUITE_GPP_V2_PUBLISHED " [V100 1.73 s, 3.71 TFLOP; A100 1.10 s]\n"
#define SUITE_GPP_V3_PUBLISHED " [V100 1.40 s, 3.71 TFLOP]\n"
#define SUITE_GPP_V4_PUBLISHED " [V100 1.17 s, 3.52 TFLOP; A100 0.98 s]\n"
#define SUITE_GPP_V5_PUBLISHED " [V100 1.16 s, 3.52 TFLOP]\n"
#define SUITE_GPP_V6_PUBLISHED " [V100 1.10 s, 3.30 TFLOP]\n"
#define SUITE_GPP_V7_PUBLISHED " [V100 0.66 s, 2.09 TFLOP]\n"
#define SUITE_GPP_V8_PUBLISHED " [V100 0.62 s, 1.99 TFLOP; A100 0.53 s]\n"
#define SUITE_GPP_V9_PUBLISHED " [V100 0.571 s, 2.00 TFLOP]\n"
#define SUITE_GPP_BEST_EXPECTED " [faster]\n"
#define SUITE_GPP_FIXED_LENGTH_PUBLISHED " [after v8; A100 0.58 s]"
