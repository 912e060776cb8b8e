// SPDX-License-Identifier: BSD-3-Clause
// The distance to the closest periodic image where the image itself is not wanted: by images.hpp, but with neither selections nor signs.
#pragma once

#include "device.cuh"

namespace suite::qmc {

// The nearest whole number, |x| < 2^51. NVIDIA's GPUs add twice as fast as they round.
__device__ __forceinline__ double rounded(double x) {
#if defined(__CUDA_ARCH__)
  constexpr double ones = 6755399441055744.0;  // 1.5 * 2^52: digits below 1 find no place beside it
  return __dadd_rn(__dadd_rn(x, ones), -ones);
#else
  return ::rint(x);
#endif
}

// Of x, y, z in units of the cube's edge, and of half of it for face_centred.
__device__ __forceinline__ double square_simple_cubic(double x, double y, double z) {
  x -= rounded(x);
  y -= rounded(y);
  z -= rounded(z);
  return x * x + y * y + z * z;
}
__device__ __forceinline__ double square_body_centred(double x, double y, double z) {
  return ::fmin(square_simple_cubic(x, y, z), square_simple_cubic(x - 0.5, y - 0.5, z - 0.5));
}
// Whole numbers of odd sum are no point of the lattice: the largest remainder e becomes 1 - |e|.
__device__ __forceinline__ double square_face_centred(double x, double y, double z) {
  const double nx = rounded(x), ny = rounded(y), nz = rounded(z), half = 0.5 * (nx + ny + nz);
  const double ex = x - nx, ey = y - ny, ez = z - nz, largest = ::fmax(::fmax(::fabs(ex), ::fabs(ey)), ::fabs(ez));
  const double odd = 2 * ::fabs(half - rounded(half));  // 1 or 0
  return ex * ex + ey * ey + ez * ez + odd * (1 - 2 * largest);
}

// Of the vector (x, y, z).
template <LatticeKind kind> __device__ __forceinline__ double closest_distance(const ImageRule& rule, double x, double y, double z) {
  if constexpr (kind == LatticeKind::general) {
    closest_image<kind>(rule, x, y, z);
    return ::sqrt(x * x + y * y + z * z);
  } else {
    constexpr double pieces = kind == LatticeKind::face_centred ? 2 : 1;  // of an edge
    const double scale = pieces * rule.inverse_edge;
    double p = x * scale, q = y * scale, r = z * scale;
    if (!rule.aligned) {
      const double(&a)[3][3] = rule.axes;
      p = (a[0][0] * x + a[0][1] * y + a[0][2] * z) * scale;
      q = (a[1][0] * x + a[1][1] * y + a[1][2] * z) * scale;
      r = (a[2][0] * x + a[2][1] * y + a[2][2] * z) * scale;
    }
    double square;
    if constexpr (kind == LatticeKind::simple_cubic) square = square_simple_cubic(p, q, r);
    if constexpr (kind == LatticeKind::body_centred) square = square_body_centred(p, q, r);
    if constexpr (kind == LatticeKind::face_centred) square = square_face_centred(p, q, r);
    return rule.edge / pieces * ::sqrt(square);
  }
}

}  // namespace suite::qmc
