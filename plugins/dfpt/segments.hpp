// SPDX-License-Identifier: BSD-3-Clause
// Batches of a call in segments: neighbours, whose functions are mostly the same. Who computes a segment has
// the part of a matrix that belongs to its functions for himself, small enough for his cache, so that each
// batch reads or adds there and the whole matrix is visited once a segment. Segments depend on the batches
// alone: sums over them, added in their order, are the same to the last bit with any number of threads.
#pragma once

#include <algorithm>
#include <vector>

#include "batches.hpp"

namespace suite::dfpt {

// `count` functions that follow each other here and there.
struct Run {
  int32_t inside, outside, count;
};
using Runs = std::vector<Run>;

struct Segment {
  int64_t first_batch = 0, last_batch = 0;  // behind the last
  int64_t functions = 0;
  Runs runs;                // from the segment's functions to those of the basis, from 0
  std::vector<Runs> batch;  // from each batch's functions to the segment's
};

std::vector<Segment> segments_of(const Batches& batches, const int32_t* i_basis);

// f(inside, outside, count) for what of the runs is inside from `begin` on and before `end`.
template <class F> inline void each_run(const Runs& runs, int64_t begin, int64_t end, F&& f) {
  for (const Run& run : runs) {
    const int64_t first = std::max<int64_t>(run.inside, begin), last = std::min<int64_t>(run.inside + run.count, end);
    if (first < last) f(first, run.outside + (first - run.inside), last - first);
  }
}

// f(inside, outside) for all.
template <class F> inline void each_function(const Runs& runs, F&& f) {
  for (const Run& run : runs)
    for (int32_t i = 0; i < run.count; ++i) f(int64_t{run.inside} + i, int64_t{run.outside} + i);
}

}  // namespace suite::dfpt
