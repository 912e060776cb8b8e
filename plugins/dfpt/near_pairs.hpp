// SPDX-License-Identifier: BSD-3-Clause
// The search for near pairs of dfpt.sum_up, those of a point and an atom whose table reaches it, |r - R_a| <
// multipole_radius, for all implementations. Points come in groups of neighbours; the bounds of a group say
// which atoms may be near to one of its points, and then each pair is looked at. What is made of the pairs
// differs: chunks sorted by table and knot (gpu/pair_chunks.hpp), vectors of points behind one knot
// (opencl/pair_runs.hpp), lists by the leaves of a tree with the far points among them (cpu/near_runs.cpp).
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include <suite/gpu/host_device.hpp>

namespace suite::dfpt {

// Bounds are this much wider, relative to the distance, so that rounding loses no pair at the edge.
inline constexpr double near_slack = 1e-9;

// How a group lies to an atom, by the distances of its bounds from the nucleus. What is surely one or the
// other is so beyond rounding.
enum class Side { near_by, far_away, both };
inline Side side_of(double nearest, double farthest, double multipole_radius) {
  const double slack = near_slack * (1 + farthest);
  if (nearest > multipole_radius + slack) return Side::far_away;
  return farthest < multipole_radius - slack ? Side::near_by : Side::both;
}

// |d|^2, rounded alike by every compiler, for host and device: which pairs are near must not depend on who
// asks.
SUITE_HOST_DEVICE double square(double x, double y, double z) { return ::fma(x, x, ::fma(y, y, z * z)); }

// Whether a pair may be near, whoever looks again. squared: its distance, rounded in any way.
inline bool may_be_near(double squared, double radius_squared) { return squared <= radius_squared * (1 + near_slack); }

// Whether it is, by `square`; which is a function of the library where the compiler may not take FMA for
// granted, and decides only where rounding could.
inline bool is_near(const double* point, const double* nucleus, double radius_squared) {
  const double x = point[0] - nucleus[0], y = point[1] - nucleus[1], z = point[2] - nucleus[2];
  const double squared = x * x + y * y + z * z;
  if (!may_be_near(squared, radius_squared)) return false;
  return squared < radius_squared * (1 - near_slack) || square(x, y, z) < radius_squared;
}

// Atoms that may be near to one of the points [first, last), by the box around them. coords(3,n_points),
// nuclei(3,n_atoms).
std::vector<int32_t> atoms_near(const double* coords, int64_t first, int64_t last, const double* nuclei,
                                const std::vector<double>& radius_squared);

}  // namespace suite::dfpt
