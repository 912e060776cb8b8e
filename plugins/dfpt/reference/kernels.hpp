// SPDX-License-Identifier: BSD-3-Clause
// The executable specification of the family: plain loops over batches, points, functions and atoms.
#pragma once

#include "../call.hpp"
#include "../spline.hpp"

namespace suite::dfpt::reference {

// The distance of a point from a nucleus and the direction to it, 0 where they are one.
struct Displacement {
  double r = 0;
  double e[3] = {0, 0, 0};
};
inline Displacement displacement_to(const double* point, const double* nucleus) {
  Displacement displacement;
  for (int d = 0; d < 3; ++d) displacement.e[d] = point[d] - nucleus[d];
  displacement.r =
      std::sqrt(displacement.e[0] * displacement.e[0] + displacement.e[1] * displacement.e[1] + displacement.e[2] * displacement.e[2]);
  for (int d = 0; d < 3 && displacement.r > 0; ++d) displacement.e[d] /= displacement.r;
  return displacement;
}

// Y_lm of all components up to l_max; at a nucleus those above l = 0 are 0.
struct Harmonics {
  double Y[components(largest_l)] = {};
};
inline Harmonics harmonics_of(int l_max, const Displacement& displacement, bool at_nucleus) {
  Harmonics h;
  with_l_max(at_nucleus ? 0 : l_max,
             [&](auto l) { spherical_harmonics<decltype(l)::value>(displacement.e[0], displacement.e[1], displacement.e[2], h.Y); });
  return h;
}

// l of component lm from 0.
inline int l_of(int64_t lm) {
  int l = 0;
  while ((l + 1) * (l + 1) <= lm) ++l;
  return l;
}

}  // namespace suite::dfpt::reference
