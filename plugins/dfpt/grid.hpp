// SPDX-License-Identifier: BSD-3-Clause
// The radial grid of a species, and where a radius lies on it. x is the knot's number from 0:
//   logarithmic  x = ln(r/r_min)/ln(inc)                                        r_k = r_min inc^k
//   by shells    x = (n_knots-1) t(r)/t(r_max),  t = sqrt(1 - exp(-r/scale))    r_0 = 0
// The second is uniform in the shells' number: r = r_o ln(1 - (i/(N+1))^2)/ln(1 - (N/(N+1))^2) gives t =
// i/(N+1) with scale = -r_o/ln(1 - (N/(N+1))^2).
#pragma once

#include <cmath>
#include <cstdint>

#include <suite/gpu/host_device.hpp>

namespace suite::dfpt {

// Knot `number` from 0, at most n_knots-2, and what r lies behind it, from 0 to 1.
struct Knot {
  int32_t number;
  double fraction;
};

struct RadialGrid {
  int32_t n_knots;
  int32_t by_shells;
  double first;   // r_min, or 0
  double last;    // radius of the last knot
  double length;  // of r in the function below: r_min, or the scale
  double factor;  // from that function to x

  bool operator==(const RadialGrid&) const = default;
  SUITE_HOST_DEVICE double coordinate(double r) const {
    return factor * (by_shells ? std::sqrt(-std::expm1(-r / length)) : std::log(r / length));
  }
  SUITE_HOST_DEVICE double radius(double x) const {
    const double t = x / factor;
    return by_shells ? -length * std::log1p(-t * t) : length * std::exp(t);
  }
  // Clamped to the grid.
  SUITE_HOST_DEVICE Knot position(double r) const {
    const double x = coordinate(r);
    if (!(x > 0)) return {0, 0.0};
    if (!(x < n_knots - 1)) return {n_knots - 2, 1.0};
    const int32_t number = static_cast<int32_t>(x);
    return {number, x - number};
  }
  // At the first knot and below only l = 0 counts.
  SUITE_HOST_DEVICE bool is_at_nucleus(double r) const { return !(r > first); }
};

inline RadialGrid logarithmic_grid(double r_min, double inc, int64_t n_knots) {
  return {static_cast<int32_t>(n_knots), 0, r_min, r_min * std::pow(inc, static_cast<double>(n_knots - 1)), r_min, 1 / std::log(inc)};
}
inline RadialGrid grid_by_shells(double scale, double r_max, int64_t n_knots) {
  return {static_cast<int32_t>(n_knots), 1, 0, r_max, scale, static_cast<double>(n_knots - 1) / std::sqrt(-std::expm1(-r_max / scale))};
}

// a + b d + c d^2 + e d^3 with coefficients that are `stride` apart.
SUITE_HOST_DEVICE double cubic(const double* spline, int64_t stride, double d) {
  return spline[0] + d * (spline[stride] + d * (spline[2 * stride] + d * spline[3 * stride]));
}

}  // namespace suite::dfpt
