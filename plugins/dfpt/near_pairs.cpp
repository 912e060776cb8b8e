// SPDX-License-Identifier: BSD-3-Clause
#include "near_pairs.hpp"

#include <algorithm>

namespace suite::dfpt {

std::vector<int32_t> atoms_near(const double* coords, int64_t first, int64_t last, const double* nuclei,
                                const std::vector<double>& radius_squared) {
  double low[3], high[3];
  for (int d = 0; d < 3; ++d) {
    low[d] = high[d] = coords[3 * first + d];
    for (int64_t p = first; p < last; ++p) {
      low[d] = std::min(low[d], coords[3 * p + d]);
      high[d] = std::max(high[d], coords[3 * p + d]);
    }
  }
  std::vector<int32_t> found;
  for (size_t a = 0; a < radius_squared.size(); ++a) {
    double squared = 0;
    for (size_t d = 0; d < 3; ++d) {
      const double x = nuclei[3 * a + d], beyond = std::max({low[d] - x, x - high[d], 0.0});
      squared += beyond * beyond;
    }
    if (may_be_near(squared, radius_squared[a])) found.push_back(static_cast<int32_t>(a));
  }
  return found;
}

}  // namespace suite::dfpt
