// SPDX-License-Identifier: BSD-3-Clause
// The pairs of a point and an atom that is near, in the order in which a GPU wants them: those of one table
// and one of its intervals side by side, so that neighbouring threads read the same coefficients.
#pragma once

#include "../grid.hpp"
#include "../near_pairs.hpp"

namespace suite::dfpt {

// Of an atom, for the near field; its species' grid has the number `grid`.
struct NearAtom {
  double radius_squared;
  int32_t table, grid;
};

struct NearPair {
  int32_t point, atom;
  int32_t slot;  // where its value goes, among those of the chunk; those of a point lie side by side
};
struct PointSlots {
  int32_t first, last;
};
// Some points at a time, with their pairs.
struct PairChunk {
  int64_t first_point, last_point, first_pair, pairs;
};

struct NearPairs {
  std::vector<NearPair> pairs;
  std::vector<PointSlots> slots;  // of each point
  std::vector<PairChunk> chunks;
};

// A chunk has at most `capacity` pairs, or is one group of 128 points.
NearPairs near_pairs(const double* coords, int64_t n_points, const double* atom_coords, const std::vector<NearAtom>& atoms,
                     const std::vector<RadialGrid>& grids, int64_t capacity);

}  // namespace suite::dfpt
