// SPDX-License-Identifier: BSD-3-Clause
// The sizes that generate() understands: keys, named sizes and the sizes that tests walk through.
#pragma once

#include <cstdint>
#include <string_view>

namespace suite::dfpt {

inline constexpr const char* grid_words[] = {"log", "shells", nullptr};
inline constexpr const char* field_words[] = {"both", "near", "far", nullptr};
enum Field : int64_t { both_fields, near_field, far_field };

struct Size {
  int64_t natoms = 3;
  int64_t nbatches = 0;  // how many of all, evenly from them; 0: all
  int64_t points = 230;  // the most in a batch
  int64_t nempty = 0;    // batches without functions, and as many without points
  int64_t coarse = 1;    // every which shell of the grid there is
  int64_t lbasis = 1;    // highest l of the basis; from 2 on with functions that polarise
  int64_t lmax = 4, ndir = 3, nknots = 128, nlog = 1150;
  int64_t shells_grid = 1, field = both_fields, shared = 0, nucleus = 0;
  int64_t nocc = 0;     // 0: density matrices (dfpt.rho), H alone (dfpt.h), a closed shell (dfpt.response)
  int64_t nstates = 0;  // 0: as many as functions
  int64_t first = 1;    // dfpt.rho of orbitals: C1 is set
  int64_t matrix = 1;   // dfpt.h with nocc: H too; dfpt.response: H1, not HC1
  int64_t waves = 3;    // dfpt.reciprocal: the largest g_index
  int64_t v = 1, right = 0, triangle = 0, density = 0, C1 = 1, P1 = 1;
};

// "small", "standard", "polypeptide", "rbd", "test:0", .. and pairs key=value that change them.
Size size_of(std::string_view kernel, std::string_view text);

}  // namespace suite::dfpt
