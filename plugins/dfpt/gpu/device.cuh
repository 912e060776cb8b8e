// SPDX-License-Identifier: BSD-3-Clause
// What the device code of dfpt shares: threads of a block, distances, directions.
#pragma once

#include <cstdint>

#include "../batches.hpp"
#include "../grid.hpp"
#include "../harmonics.hpp"

#include <suite/gpu.hpp>

namespace suite::dfpt {

inline constexpr int block_threads = 128;

__device__ __forceinline__ int thread() { return static_cast<int>(threadIdx.x); }

struct Vector {
  double x, y, z;
};
__device__ __forceinline__ Vector from(const double* atom, const double* point) {
  return {point[0] - atom[0], point[1] - atom[1], point[2] - atom[2]};
}

// Y_lm in the direction of d, of length r. At a nucleus only l = 0 counts.
template <int l_max> __device__ __forceinline__ void harmonics_along(const Vector& d, double r, bool at_nucleus, double* Y) {
  const double inverse = at_nucleus ? 0.0 : 1 / r;
  spherical_harmonics<l_max>(d.x * inverse, d.y * inverse, d.z * inverse, Y);
  SUITE_GPU_UNROLL
  for (int lm = 1; lm < components(l_max); ++lm) Y[lm] = at_nucleus ? 0.0 : Y[lm];
}
__device__ __forceinline__ int l_of(int lm) {
  int l = 0;
  while (components(l) <= lm) ++l;
  return l;
}

}  // namespace suite::dfpt
