// SPDX-License-Identifier: BSD-3-Clause
// Vectors from ions to electrons: in open space as they are, in a cell to the closest image.
#pragma once

#include "call.hpp"

namespace suite::qmc {

struct OpenSpace {
  __device__ __forceinline__ double from_ion(const double* r, const double* ion, double* d) const {
    SUITE_GPU_UNROLL
    for (int c = 0; c < 3; ++c) d[c] = r[c] - ion[c];
    return ::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }
};
template <LatticeKind kind> struct ClosestImage {
  ImageRule rule;
  __device__ __forceinline__ double from_ion(const double* r, const double* ion, double* d) const {
    return closest_vector<kind>(rule, r, ion, d);
  }
};

// f(OpenSpace or ClosestImage); lattice is null in open space.
template <class F> void by_images(const Lattice* lattice, F&& f) {
  if (!lattice) return f(OpenSpace{});
  by_kind(lattice->images.kind, [&](auto kind) { f(ClosestImage<decltype(kind)::value>{lattice->images}); });
}

}  // namespace suite::qmc
