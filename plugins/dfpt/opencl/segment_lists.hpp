// SPDX-License-Identifier: BSD-3-Clause
// Batches and their segments on the device, as tiles.cl and ladder.cl read them.
#pragma once

#include "../segments.hpp"
#include "engine.hpp"

namespace suite::dfpt::cl {

// The shape of a register tile (tiles.cl).
struct Tile {
  explicit Tile(int lanes) : rows(lanes == 4 ? 4 : 8), width(3 * lanes) {}
  int64_t rows, width;
  int64_t whole_rows(int64_t n) const { return ceil_div(n, rows) * rows; }
  int64_t whole_width(int64_t n) const { return ceil_div(n, width) * width; }
};

class SegmentLists {
public:
  explicit SegmentLists(Engine& engine);
  void set(const Batches& batches, const int32_t* i_basis);

  int64_t n_segments = 0, most_functions = 0;  // the latter of a segment
  Scratch batch, wave_at, place, list, segment_batch, segment_function, function;
};

// Memory of groups for `count` numbers each.
inline cl_mem group_memory(Scratch& scratch, int64_t groups, int64_t count) {
  return scratch.at_least(at(groups * count) * sizeof(double));
}

}  // namespace suite::dfpt::cl
