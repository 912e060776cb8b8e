// SPDX-License-Identifier: BSD-3-Clause
// Points as vectors: their way to a nucleus, the knot their distance lies behind, harmonics, and the
// functions of a distance that these need, to rounding.
#pragma once

#include "kernels.hpp"

namespace suite::dfpt {

// ln x for normal x > 0: x = 2^k m, m from sqrt(1/2) to sqrt(2), ln m = 2 artanh((m-1)/(m+1)) by its series,
// whose first term left out is below 1e-17.
inline Vector logarithm(Vector x) {
  const Mask bits = (Mask)x, root_half = Mask{} + 0x3fe6a09e667f3bcd;
  const Mask k = (bits - root_half) >> 52;
  const Vector m = (Vector)(bits - (k << 52));
  const Vector s = (m - 1.0) / (m + 1.0), q = s * s;
  Vector series = fill(1.0 / 21);
  for (const double c : {1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3}) series = series * q + c;
  const Vector whole = __builtin_convertvector(k, Vector);
  return whole * 0.69314718055994530942 + (2.0 * s + 2.0 * s * (q * series));
}

// exp(x) - 1 for x <= 0: x = k ln 2 + f, |f| <= ln(2)/2, the series in f.
inline Vector exponential_less_one(Vector x) {
  x = cpu::larger(x, fill(-700.0));
  const Vector k = cpu::nearest(x * 1.4426950408889634074);
  const Vector f = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
  Vector series = fill(1.0 / 6227020800.0);
  for (const double c : {1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0,
                         1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0})
    series = series * f + c;
  const Mask power = (__builtin_convertvector(k, Mask) + 1023) << 52;
  return (Vector)power * (series * f) + ((Vector)power - 1.0);
}

struct Displacement {
  Vector r, x, y, z;  // the unit vector, 0 at the nucleus
};
inline Displacement displacement_to(Vector x, Vector y, Vector z, const double* nucleus) {
  x -= nucleus[0];
  y -= nucleus[1];
  z -= nucleus[2];
  const Vector r = cpu::root(x * x + y * y + z * z), zero{};
  const Vector over = r > zero ? 1.0 / r : zero;
  return {r, x * over, y * over, z * over};
}

struct Knots {
  Mask number;
  Vector fraction;
};
// RadialGrid::coordinate and RadialGrid::position for a vector.
inline Vector coordinate(const RadialGrid& grid, Vector r) {
  const Vector length = r * (1 / grid.length);
  // Below the smallest normal number the logarithm is not one; it is behind the first knot in any case.
  return grid.factor * (grid.by_shells ? cpu::root(-exponential_less_one(-length)) : logarithm(cpu::larger(length, fill(1e-300))));
}
inline Knots position(const RadialGrid& grid, Vector r) {
  const Vector x = coordinate(grid, r);
  const double last = grid.n_knots - 1;
  const Vector inside = x > 0.0 ? (x < last ? x : fill(last)) : Vector{};
  Mask number = __builtin_convertvector(inside, Mask);
  const Mask most = Mask{} + (grid.n_knots - 2);
  number = number < most ? number : most;
  return {number, inside - __builtin_convertvector(number, Vector)};
}

// Y_lm up to l_max, those above l = 0 being 0 up to `first`, a grid's first knot.
template <int l_max> inline void harmonics_of(const Displacement& displacement, double first, Vector* Y) {
  spherical_harmonics<l_max>(displacement.x, displacement.y, displacement.z, Y);
  const Mask outside = displacement.r > fill(first);
  if (!cpu::any(~outside)) return;
  for (int lm = 1; lm < components(l_max); ++lm) Y[lm] = outside ? Y[lm] : Vector{};
}

// Coordinates as x, y and z of whole vectors; the last point stands in for those behind it.
inline void separate_coordinates(const double* coords, int64_t points, int64_t capacity, double* to) {
  for (int64_t p = 0; p < capacity; ++p)
    for (int d = 0; d < 3; ++d) to[d * capacity + p] = coords[3 * std::min(p, points - 1) + d];
}

}  // namespace suite::dfpt
