// SPDX-License-Identifier: BSD-3-Clause
// Batches of points by planes that cut sets of them in two, across the longest principal axis (Havu et al.,
// J. Comput. Phys. 228, 8367 (2009)).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace suite::all_electron {

struct PointBatches {
  std::vector<uint32_t> order;  // points, batch after batch
  std::vector<size_t> first;    // of each batch in it, and their number
};

// coords: (3,n_points) bohr. As few batches as hold `most` points each, of equal size but for one point.
PointBatches cut_into_batches(const std::vector<double>& coords, size_t most);

}  // namespace suite::all_electron
