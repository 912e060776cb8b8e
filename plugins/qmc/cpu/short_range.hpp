// SPDX-License-Identifier: BSD-3-Clause
// erfc(alpha r)/r and its slope for the lanes of a vector, to a few 1e-16 of their size for alpha r < 7.
#pragma once

#include "lanes.hpp"

namespace suite::qmc {

struct ShortRange {
  Vector value, slope;  // erfc(alpha r)/r; -d value/dr / r
};

// erfc(x) = e^(-x^2) q(t)/(1 + 2 x), t = (x - 4)/(x + 4), q a fit of degree 18 to (1 + 2 x) e^(x^2) erfc(x)
// for x from 0 to 7, off by at most 6e-17 (the choice of variable: Shepherd, Laframboise, Math. Comp. 36, 249
// (1981)).
template <bool slopes> inline ShortRange short_range(Vector r, double alpha) {
  // Both quotients by one division.
  const Vector x = r * alpha, first = x + 4.0, second = (2.0 * x + 1.0) * r, inverse = 1.0 / (first * second),
               t = (x - 4.0) * (inverse * second), gauss = exponential(-x * x);
  // From the highest power; the even and the odd ones apart, so that neither waits for the other. A list of
  // initialisers would be written to memory in every turn of the caller's loop.
  static constexpr double fit[] = {-2.121363209411083e-07,  -8.685535297906074e-07,  1.023347900771663e-06, 6.972365468431852e-06,
                                   -1.0260916686812856e-05, -2.4116931825933374e-05, 0.0001505385907489109, -0.00019934302461408322,
                                   -0.0007577882750410212,  0.005031975906116179,    -0.016197731741622937, 0.037167515465477474,
                                   -0.06633036592889573,    0.0937328349931111,      -0.10103906603375373,  0.06809705425483926,
                                   0.015379652102598278,    -0.13962111684056328,    1.2329951186255526};
  const Vector square = t * t;
  Vector even = fill(fit[0]), odd = fill(fit[1]);
#pragma GCC unroll 9
  for (int i = 2; i < 18; i += 2) {
    even = even * square + fit[i];
    odd = odd * square + fit[i + 1];
  }
  const Vector q = (even * square + fit[18]) + odd * t;
  ShortRange s;
  s.value = gauss * q * (inverse * first);
  if constexpr (slopes) s.slope = (s.value + gauss * (alpha * 1.1283791670955125739)) / (r * r);
  return s;
}

}  // namespace suite::qmc
