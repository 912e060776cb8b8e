// SPDX-License-Identifier: BSD-3-Clause
// Pairs of a point and an atom whose table reaches it, as dfpt.sum_up's near field wants them: points in
// blocks of neighbours, the pairs of a block atom by atom ("runs"), those of a run sorted by the knot of the
// table, filled up to vectors of one knot. Pairs that may be near are in; the device looks again. Batch after
// batch, points are near each other already.
#pragma once

#include <cstdint>
#include <vector>

#include "../grid.hpp"
#include "../near_pairs.hpp"

namespace suite::dfpt::cl {

struct NearPairs {
  std::vector<int32_t> block_run;    // first run of each block, and behind the last one
  std::vector<int32_t> run_atom;     // all numbers from 0
  std::vector<int32_t> run_vector;   // first vector of each run, and behind the last one
  std::vector<int32_t> vector_knot;  // of each vector
  std::vector<int32_t> pair_point;   // `lanes` of each vector; -1: nothing
  int64_t blocks() const { return static_cast<int64_t>(block_run.size()) - 1; }
};

struct AtomTables {
  const double* coords;                // of the nuclei
  std::vector<double> radius_squared;  // of multipole radii, by atom
  std::vector<RadialGrid> grid;        // by atom
};

// coords(3,n_points)
NearPairs near_pairs(const double* coords, int64_t n_points, const AtomTables& atoms, int64_t block, int lanes);

}  // namespace suite::dfpt::cl
