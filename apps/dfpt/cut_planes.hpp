// SPDX-License-Identifier: BSD-3-Clause
// Divides the points into batches by recursive bisection across the longest principal axis (Havu et al., J. Comput. Phys. 228, 8367
// (2009)).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace suite::all_electron {

struct PointBatches {
  std::vector<uint32_t> order;  // points, batch after batch
  std::vector<size_t> first;    // first point of each batch in order, and the number of points
};

// coords: (3,n_points) bohr. As few batches as possible with at most `most` points each; their sizes differ by at most one point.
PointBatches cut_into_batches(const std::vector<double>& coords, size_t most);

}  // namespace suite::all_electron
