// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of pole_bins.hpp in what C++ and OpenCL C have in common: it is part of OpenCL's programs, too.
#ifndef SUITE_GPP_POLE_SERIES_H
#define SUITE_GPP_POLE_SERIES_H

#ifdef __OPENCL_C_VERSION__
#define SUITE_HOST_DEVICE static
#else
#include <cmath>

#include <suite/gpu/host_device.hpp>

namespace suite::gpp {
using std::sqrt;
#endif

// Moments of the modes of a bin.
#define SUITE_GPP_MOMENTS 8
// The error of each term; results are sums of terms with both signs, so this is below the 1e-8 that the choice promises of them.
#define SUITE_GPP_ALLOWED 8e-9

SUITE_HOST_DEVICE double truncation(double u) {
  double power = 1;
  for (int j = 0; j < SUITE_GPP_MOMENTS; ++j) power *= u;
  return 2 * power * (1 + u) / ((1 - u) * (1 - u));
}

// The series of 1/(x - w) for a bin about c.
struct Series {
  double c0, u;
  bool holds;
};
SUITE_HOST_DEVICE struct Series series_of(double x, double c, double r) {
  const double z = (x - c) / r, size = z < 0 ? -z : z, square = z * z - 1;
  const double root = sqrt(square > 1e-300 ? square : 1e-300), u = 1 / (size + root), c0 = 1 / (r * root);
  const struct Series series = {z < 0 ? -c0 : c0, z < 0 ? -u : u, size > 1 && truncation(u) <= SUITE_GPP_ALLOWED};
  return series;
}

// Whether x is in branch A of all w from low to high, and an occupied band below sexcut.
SUITE_HOST_DEVICE bool without_tests(double x, double low, double high, bool occupied, double gamma, double sexcut) {
  const bool above = low - x > gamma && 0.998 * low > x, below = x - high > gamma && x > 1.003 * high;
  if (!above && !below) return false;
  if (!occupied || x >= 0) return true;
  const double w = -x < low ? low : high, difference = w * w - x * x, size = w * w / (difference < 0 ? -difference : difference);
  return (-x < low || -x > high) && size * (1 + 1e-11) <= sexcut;
}

#ifndef __OPENCL_C_VERSION__
}  // namespace suite::gpp
#endif

#endif
