// SPDX-License-Identifier: BSD-3-Clause
// The order of phases and densities that go with cells of 2 x 2 x 2 points: [cell][4 dx + 2 dy + dz], cells
// as the grid's points. In a direction of one point the second half of a cell is empty.
#pragma once

#include "../call.hpp"
#include "../functional.hpp"

namespace suite::lfd {

struct CellOrder {
  int n[3], cells[3];
  CellOrder() = default;
  explicit CellOrder(const Grid& g) {
    for (int d = 0; d < 3; ++d) {
      n[d] = static_cast<int>(g.n[d]);
      cells[d] = (n[d] + 1) / 2;
    }
  }
  SUITE_HOST_DEVICE int size() const { return 8 * cells[0] * cells[1] * cells[2]; }
  SUITE_HOST_DEVICE int place(int x, int y, int z) const {
    return 8 * (((x >> 1) * cells[1] + (y >> 1)) * cells[2] + (z >> 1)) + 4 * (x & 1) + 2 * (y & 1) + (z & 1);
  }
};

}  // namespace suite::lfd
