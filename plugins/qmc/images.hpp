// SPDX-License-Identifier: BSD-3-Clause
// The closest periodic image of a vector. For the cubic lattices by rules without branches or search (Conway,
// Sloane, IEEE Trans. Inf. Theory 28, 227 (1982)), for any other by the vectors whose bisecting planes bound
// the Wigner-Seitz cell. lattice.hpp makes the rule of a cell.
#pragma once

#include <cmath>

#include <suite/gpu/host_device.hpp>

namespace suite::qmc {

enum class LatticeKind : int { simple_cubic, face_centred, body_centred, general };

struct ImageRule {
  LatticeKind kind = LatticeKind::general;
  int aligned = 0;  // 1: the cube's edges lie along x, y, z
  double edge = 0, inverse_edge = 0;
  double axes[3][3];  // unit vectors along the edges of the cube
  // Basis of short vectors, rows of its inverse, and the vectors that bound the Wigner-Seitz cell, one of
  // each +-, with 1/v^2. Selling reduction gives at most seven (Conway, Sloane, Proc. R. Soc. A 436, 55
  // (1992)).
  double basis[3][3], inverse[3][3];
  double bound[7][3], inverse_square[7];
};

// In the frame of the cube, of edge 1: numbers in, numbers out.
SUITE_HOST_DEVICE void closest_simple_cubic(double& x, double& y, double& z) {
  x -= std::rint(x);
  y -= std::rint(y);
  z -= std::rint(z);
}

// Corner or centre, whichever is nearer.
SUITE_HOST_DEVICE void closest_body_centred(double& x, double& y, double& z) {
  const double x1 = x - std::rint(x), y1 = y - std::rint(y), z1 = z - std::rint(z);
  const double x2 = x - 0.5 - std::rint(x - 0.5), y2 = y - 0.5 - std::rint(y - 0.5), z2 = z - 0.5 - std::rint(z - 0.5);
  const bool corner = x1 * x1 + y1 * y1 + z1 * z1 <= x2 * x2 + y2 * y2 + z2 * z2;
  x = corner ? x1 : x2;
  y = corner ? y1 : y2;
  z = corner ? z1 : z2;
}

// In units of half the edge the lattice is the integers of even sum: round, and where the sum is odd round
// the component that loses least the other way.
SUITE_HOST_DEVICE void closest_face_centred(double& x, double& y, double& z) {
  const double tx = 2 * x, ty = 2 * y, tz = 2 * z;
  const double nx = std::rint(tx), ny = std::rint(ty), nz = std::rint(tz);
  const double ex = tx - nx, ey = ty - ny, ez = tz - nz;
  const double ax = std::fabs(ex), ay = std::fabs(ey), az = std::fabs(ez);
  const double half = 0.5 * (nx + ny + nz), odd = half == std::rint(half) ? 0 : 1;
  const bool move_x = ax >= ay && ax >= az, move_y = !move_x && ay >= az;
  x = 0.5 * (ex - (move_x ? std::copysign(odd, ex) : 0));
  y = 0.5 * (ey - (move_y ? std::copysign(odd, ey) : 0));
  z = 0.5 * (ez - (!move_x && !move_y ? std::copysign(odd, ez) : 0));
}

// Into the cell of the short basis, then across each bounding plane until the vector lies inside all of
// them. Every step shortens the vector; the slack keeps points on a plane from going back and forth.
SUITE_HOST_DEVICE void closest_general(const ImageRule& rule, double& x, double& y, double& z) {
  double n[3];
  for (int i = 0; i < 3; ++i) n[i] = std::rint(rule.inverse[i][0] * x + rule.inverse[i][1] * y + rule.inverse[i][2] * z);
  for (int i = 0; i < 3; ++i) {
    x -= n[i] * rule.basis[i][0];
    y -= n[i] * rule.basis[i][1];
    z -= n[i] * rule.basis[i][2];
  }
  for (bool moved = true; moved;) {
    moved = false;
    for (int i = 0; i < 7; ++i) {
      const double t = (x * rule.bound[i][0] + y * rule.bound[i][1] + z * rule.bound[i][2]) * rule.inverse_square[i];
      const double step = std::fabs(t) > 0.5 + 1e-13 ? std::rint(t) : 0;
      x -= step * rule.bound[i][0];
      y -= step * rule.bound[i][1];
      z -= step * rule.bound[i][2];
      moved = moved || step != 0;
    }
  }
}

template <LatticeKind kind> SUITE_HOST_DEVICE void closest_cubic(const ImageRule& rule, double& x, double& y, double& z) {
  const double(&a)[3][3] = rule.axes;
  double p, q, r;
  if (rule.aligned) {
    p = x * rule.inverse_edge;
    q = y * rule.inverse_edge;
    r = z * rule.inverse_edge;
  } else {
    p = (a[0][0] * x + a[0][1] * y + a[0][2] * z) * rule.inverse_edge;
    q = (a[1][0] * x + a[1][1] * y + a[1][2] * z) * rule.inverse_edge;
    r = (a[2][0] * x + a[2][1] * y + a[2][2] * z) * rule.inverse_edge;
  }
  if constexpr (kind == LatticeKind::simple_cubic) closest_simple_cubic(p, q, r);
  if constexpr (kind == LatticeKind::body_centred) closest_body_centred(p, q, r);
  if constexpr (kind == LatticeKind::face_centred) closest_face_centred(p, q, r);
  p *= rule.edge;
  q *= rule.edge;
  r *= rule.edge;
  if (rule.aligned) {
    x = p;
    y = q;
    z = r;
  } else {
    x = a[0][0] * p + a[1][0] * q + a[2][0] * r;
    y = a[0][1] * p + a[1][1] * q + a[2][1] * r;
    z = a[0][2] * p + a[1][2] * q + a[2][2] * r;
  }
}

// With the kind known when compiling, so that a loop over pairs has no branch.
template <LatticeKind kind> SUITE_HOST_DEVICE void closest_image(const ImageRule& rule, double& x, double& y, double& z) {
  if constexpr (kind == LatticeKind::general) closest_general(rule, x, y, z);
  else closest_cubic<kind>(rule, x, y, z);
}

SUITE_HOST_DEVICE void closest_image(const ImageRule& rule, double& x, double& y, double& z) {
  switch (rule.kind) {
    case LatticeKind::simple_cubic: return closest_image<LatticeKind::simple_cubic>(rule, x, y, z);
    case LatticeKind::face_centred: return closest_image<LatticeKind::face_centred>(rule, x, y, z);
    case LatticeKind::body_centred: return closest_image<LatticeKind::body_centred>(rule, x, y, z);
    case LatticeKind::general: return closest_image<LatticeKind::general>(rule, x, y, z);
  }
}

}  // namespace suite::qmc
