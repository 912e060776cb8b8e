// SPDX-License-Identifier: BSD-3-Clause
// The published steps of gpp.sigma as the parameter `variant`, for every implementation that keeps them: their order, what they do and
// what was published of each (docs/add-a-kernel.md). The steps of the A100 are v1, v2, v4, then v7 and v8 together, and at last one back:
// a fixed vector length.
#pragma once

#include <suite/plugin.hpp>

namespace suite::gpp {

namespace published {

constexpr suite_published v100(double number, const char* unit) {
  return {"V100", number, number, unit, "800 x 1385 x 11075, two energies", "8 steps to optimize Sigma-GPP (NERSC), arXiv:2008.11326"};
}
constexpr suite_published a100(double seconds) {
  return {"A100", seconds, seconds, "s", nullptr, "Roofline model using Nsight Compute (NERSC)"};
}

inline constexpr suite_published v1[] = {v100(1.63, "s"), v100(3.71, "TFLOP"), a100(1.17)};
inline constexpr suite_published v2[] = {v100(1.73, "s"), v100(3.71, "TFLOP"), a100(1.10)};
inline constexpr suite_published v3[] = {v100(1.40, "s"), v100(3.71, "TFLOP")};
inline constexpr suite_published v4[] = {v100(1.17, "s"), v100(3.52, "TFLOP"), a100(0.98)};
inline constexpr suite_published v5[] = {v100(1.16, "s"), v100(3.52, "TFLOP")};
inline constexpr suite_published v6[] = {v100(1.10, "s"), v100(3.30, "TFLOP")};
inline constexpr suite_published v7[] = {v100(0.66, "s"), v100(2.09, "TFLOP")};
inline constexpr suite_published v8[] = {v100(0.62, "s"), v100(1.99, "TFLOP"), a100(0.53)};
inline constexpr suite_published v9[] = {v100(0.571, "s"), v100(2.00, "TFLOP")};
inline constexpr suite_published fixed_length[] = {a100(0.58)};

}  // namespace published

inline constexpr suite_choice sigma_steps[] = {
    step("v1", "collapse the loops over n', G' and G into one, all energies inside", published::v1),
    step("v2", "n' inside, the loops over G' and G collapsed; sums stay in registers", published::v2),
    step("v3", "wider groups: 512 pairs (G,G') go together", published::v3),
    step("v4", "one energy at a time, its loop outermost, so that fewer sums are live", published::v4),
    step("v5", "wx_array with n' as its first index, read contiguously", published::v5),
    step("v6", "simplified: w^2, Omega^2 and the cutoff hoisted, two branches instead of three", published::v6),
    step("v7", "complex divisions replaced by a real reciprocal and complex products", published::v7),
    step("v8", "|z|^2 against limits squared instead of |z|", published::v8),
    step("v9", "blocks of G and of n' that stay in cache", published::v9),
    choice("best", "real w, one reciprocal for all energies, tests for branches only where they are due", SUITE_FASTER),
    step("fixed_length", "a step back: v8 with vectors of a fixed and poor length", published::fixed_length, "v8"),
};
inline constexpr int best_variant = 9;

// The parameter, with an implementation's own meanings of the steps.
template <class Steps> constexpr suite_parameter sigma_variant(const Steps& steps) {
  return variant("variant", best_variant, steps, "the published optimization steps, and the fastest code");
}

// v1 to v9 are steps 1 to 9; fixed_length, v8 with vectors, groups or blocks of a fixed and poor length, is step 10.
constexpr int step_of(int variant) { return variant < best_variant ? variant + 1 : variant; }

}  // namespace suite::gpp
