// SPDX-License-Identifier: BSD-3-Clause
// The published steps of LFD as the parameter `variant` of lfd.propagate, for every implementation that keeps
// them: their order, and what was published of each, for the end of its line in the parameter's meaning
// (docs/add-a-kernel.md).
//   V100, P9: "Porting LFD MiniApp to GPU via OpenMP Offload" (Rajak, Luo, Nakano; Argonne), total times of
//   its case 2, 32^3 points and 64 orbitals. `original` ran on the host, a POWER9; `specialised` is not a
//   step of the talk but the original with vectors, which a fair comparison starts from.
#pragma once

namespace suite::lfd {

enum class Step {
  original,
  specialised,
  reordered,
  scratch_free,
  complex_1d,
  offloaded,
  field_sync,
  field_async,
  best
};
inline constexpr const char* propagate_variants[] = {
    "original",  "specialised", "reordered",   "scratch_free", "complex_1d",
    "offloaded", "field_sync",  "field_async", "best",         nullptr};

}  // namespace suite::lfd

// Macros, because a line is one literal.
#define SUITE_LFD_ORIGINAL_PUBLISHED " [P9 314.458 s]\n"
#define SUITE_LFD_SPECIALISED_EXPECTED " [faster]\n"
#define SUITE_LFD_REORDERED_PUBLISHED " [after original; faster]\n"
#define SUITE_LFD_SCRATCH_FREE_PUBLISHED "\n"
#define SUITE_LFD_COMPLEX_1D_PUBLISHED "\n"
#define SUITE_LFD_OFFLOADED_PUBLISHED " [V100 208.29 s]\n"
#define SUITE_LFD_FIELD_SYNC_PUBLISHED " [V100 113.608 s]\n"
#define SUITE_LFD_FIELD_ASYNC_PUBLISHED " [V100 29.03 s]\n"
#define SUITE_LFD_BEST_EXPECTED " [faster]"
