// SPDX-License-Identifier: BSD-3-Clause
// The u term on the device: its parameters, and the sum of a row of pairs.
#pragma once

#include "../jastrow.hpp"
#include "device.cuh"

namespace suite::qmc {

struct DeviceU {
  Form form;
  int nalpha, nset, C;  // nalpha 0: no u term
  double L;
  const double* alpha;
  __device__ __forceinline__ int numbers() const { return nalpha * nset; }
};

// The vector from electron j at r to x, to the closest image, and its length.
template <LatticeKind kind>
__device__ __forceinline__ double closest_vector(const ImageRule& rule, const double* x, const double* r, double* d) {
  d[0] = x[0] - r[0];
  d[1] = x[1] - r[1];
  d[2] = x[2] - r[2];
  closest_image<kind>(rule, d[0], d[1], d[2]);
  return ::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

// Adds u of a pair at `distance` along d; `alpha` is the whole table.
__device__ __forceinline__ void add_radial(const Radial& u, double distance, const double* d, Local& sum) {
  const double slope = u.first / distance;
  sum.value += u.value;
  SUITE_GPU_UNROLL
  for (int c = 0; c < 3; ++c) sum.gradient[c] += slope * d[c];
  sum.laplacian += u.second + 2 * slope;
}
__device__ __forceinline__ Radial u_at(const DeviceU& u, const double* alpha, int set, double distance) {
  return u_of_pair(u.form, alpha + set * u.nalpha, u.nalpha, u.L, u.C, distance);
}

}  // namespace suite::qmc
