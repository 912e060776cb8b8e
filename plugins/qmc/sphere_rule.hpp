// SPDX-License-Identifier: BSD-3-Clause
// Quadrature over the unit sphere. Host code.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace suite::qmc {

// Exact to degree 3, 5, 5, 7, 11 with 6, 12, 18, 26, 50 points (McLaren, Math. Comp. 17, 361 (1963), and Lebedev); any other number is
// refused. The weights sum to 1.
struct SphereRule {
  std::vector<std::array<double, 3>> point;
  std::vector<double> weight;
};
SphereRule sphere_rule(int64_t points);

}  // namespace suite::qmc
