// SPDX-License-Identifier: BSD-3-Clause
// The ranks that share each (k,q). Of the columns G' every one keeps its own; what all of them need whole - matrix elements, v(q+G) - each makes
// a part of, and they exchange the parts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/communicator.hpp"

namespace suite::gw {

// [first, end) of a list.
struct Range {
  int64_t first = 0, end = 0;
  int64_t count() const { return end - first; }
  bool holds(const Range& other) const { return other.count() == 0 || (first <= other.first && other.end <= end); }
};

// Number `slice` of `slices` ranks that follow each other.
struct Slice {
  int slice = 0, slices = 1;
  const app::Communicator* world = nullptr;  // none: it makes everything itself

  bool shares() const { return world && slices > 1; }
  // Of `count` things in blocks of `block`, which stay whole: the part of rank number i. Parts may be empty, but not the first: the root verifies.
  Range part(int64_t count, int i, int64_t block = 1) const {
    const int64_t blocks = (count + block - 1) / block;
    const auto border = [&](int64_t at) { return std::min(count, (blocks * at + slices - 1) / slices * block); };
    return {border(i), border(i + 1)};
  }
  Range part(int64_t count) const { return part(count, slice); }

  // From the columns of each rank's share to those of all: mine(rows, own columns, matrices) to all(rows, columns, matrices). Called by all
  // ranks of the slice's group, where it shares().
  void gather(const double* mine, double* all, int64_t rows, int64_t columns, int64_t block = 1, int64_t matrices = 1) const {
    std::vector<size_t> owned;
    for (int i = 0; i < slices; ++i) owned.push_back(static_cast<size_t>(part(columns, i, block).count()));
    world->gather(mine, all, static_cast<size_t>(rows), owned, static_cast<size_t>(matrices));
  }
};

}  // namespace suite::gw
