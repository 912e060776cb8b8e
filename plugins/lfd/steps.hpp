// SPDX-License-Identifier: BSD-3-Clause
// The published steps of LFD as the parameter `variant` of lfd.propagate, and the forms of lfd.field_prop,
// for every implementation that keeps them (docs/add-a-kernel.md).
#pragma once

#include <suite/plugin.hpp>

namespace suite::lfd {

enum class Step { original, specialised, reordered, scratch_free, complex_1d, offloaded, field_sync, field_async, best };

namespace published {
// Total times. The original ran on the host, a POWER9.
inline constexpr char of[] = "case 2: 32^3 points, 64 orbitals";
inline constexpr char source[] = "Rajak, Luo, Nakano: Porting LFD MiniApp to GPU via OpenMP Offload (Argonne)";
inline constexpr suite_published original[] = {{"P9", 314.458, 314.458, "s", of, source}};
inline constexpr suite_published offloaded[] = {{"V100", 208.29, 208.29, "s", of, source}};
inline constexpr suite_published field_sync[] = {{"V100", 113.608, 113.608, "s", of, source}};
inline constexpr suite_published field_async[] = {{"V100", 29.03, 29.03, "s", of, source}};
}  // namespace published

inline constexpr suite_choice propagate_steps[] = {
    step("original", "orbitals outermost, a work array, each direction by its stride", published::original),
    // No step of the talk but the original with vectors, which a fair comparison starts from.
    choice("specialised", "the same, vectorised, with one loop nest per direction", SUITE_FASTER),
    {"reordered", "orbitals innermost, psi[i][j][k][n]; the work array holds one line", 0, "original", SUITE_FASTER, 0, nullptr},
    choice("scratch_free", "no work array; one row psi_old keeps the overwritten values"),
    choice("complex_1d", "psi and psi_old as one-dimensional arrays of complex numbers"),
    step("offloaded", "lines of kin_prop in parallel, field by one thread", published::offloaded),
    step("field_sync", "each loop of each field step (field=loop) in parallel, followed by a join", published::field_sync),
    step("field_async", "all field steps in one parallel region, without joins", published::field_async),
    choice("best",
           "cells of 2 x 2 x 2 in tangent form, one pass over memory per step, phases and constants merged, "
           "density in the last pass",
           SUITE_FASTER),
};
inline constexpr char propagate_variant[] = "algorithm of the time step";

inline constexpr suite_choice field_forms[] = {
    choice("loop", "ghost cells, a loop that computes the change, a loop that adds it"),
    choice("fused", "one loop per field step", SUITE_FASTER),
    choice("closed", "all steps at once, for each Fourier component", SUITE_FASTER),
};
inline constexpr char field_variant[] = "algorithm of the field steps";

}  // namespace suite::lfd
