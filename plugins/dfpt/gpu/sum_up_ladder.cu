// SPDX-License-Identifier: BSD-3-Clause
// dfpt.sum_up: the steps naive and parallelism.
#include "sum_up.hpp"

namespace suite::dfpt {
namespace {

__device__ __forceinline__ double near_field(const Fields& f, const NearAtom& atom, double squared, int d, const double* Y) {
  const Knot knot = f.grids[atom.grid].position(::sqrt(squared));
  const double* const c = f.coefficients(atom.table, knot.number, d);
  double sum = 0;
  for (int lm = 0; lm < f.n_lm; ++lm) sum += cubic(c + lm, f.n_lm, knot.fraction) * Y[lm];
  return sum;
}
__device__ __forceinline__ double far_field(const Fields& f, const NearAtom& atom, double squared, int d, const double* Y) {
  const double* const moments = f.moments_of(atom.table, d);
  const double r = ::sqrt(squared);
  double sum = 0, power = 1 / r;
  for (int l = 0; components(l) <= f.n_lm; ++l, power /= r)
    for (int lm = l * l; lm < components(l); ++lm) sum += moments[lm] * power * Y[lm];
  return sum;
}

template <int l_max> __device__ __forceinline__ void put_harmonics(const Fields& f, const NearAtom& atom, const Sight& s, double* to) {
  double Y[components(l_max)];
  const double r = ::sqrt(s.squared);
  harmonics_along<l_max>(s.d, r, f.grids[atom.grid].is_at_nucleus(r), Y);
  for (int lm = 0; lm < f.n_lm; ++lm) to[lm] = Y[lm];
}

// naive: a thread for each group of points; the harmonics of a group in memory.
template <int l_max> __global__ void sum_groups(Fields f, int n_dir, double* work) {
  const int64_t slots = int64_t{gridDim.x} * blockDim.x, slot = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  double* const Y = work + slot * naive_points * f.n_lm;
  for (int64_t first = slot * naive_points; first < f.n_points; first += slots * naive_points) {
    const int count = static_cast<int>(f.n_points - first < naive_points ? f.n_points - first : naive_points);
    for (int d = 0; d < n_dir; ++d)
      for (int p = 0; p < count; ++p) f.potential[first + p + f.n_points * d] = 0;
    for (int a = 0; a < f.n_atoms; ++a) {
      const NearAtom atom = f.atoms[a];
      bool any_near = false;
      for (int p = 0; p < count; ++p) {
        const Sight s = sight(f.atom_coords + 3 * a, f.coords + 3 * (first + p));
        any_near = any_near || s.squared < atom.radius_squared;
        put_harmonics<l_max>(f, atom, s, Y + p * f.n_lm);
      }
      for (int d = 0; d < n_dir; ++d)
        for (int p = 0; p < count; ++p) {
          const Sight s = sight(f.atom_coords + 3 * a, f.coords + 3 * (first + p));
          double& to = f.potential[first + p + f.n_points * d];
          if (any_near && s.squared < atom.radius_squared) to += near_field(f, atom, s.squared, d, Y + p * f.n_lm);
          else to += far_field(f, atom, s.squared, d, Y + p * f.n_lm);
        }
    }
  }
}

// parallelism: a thread for each point and direction; the harmonics of one point at a time.
template <int l_max> __global__ void __launch_bounds__(block_threads) sum_points(Fields f) {
  const int64_t p = int64_t{blockIdx.x} * block_threads + thread();
  const int d = static_cast<int>(blockIdx.y);
  if (p >= f.n_points) return;
  double sum = 0, Y[components(l_max)];
  for (int a = 0; a < f.n_atoms; ++a) {
    const NearAtom atom = f.atoms[a];
    const Sight s = sight(f.atom_coords + 3 * a, f.coords + 3 * p);
    put_harmonics<l_max>(f, atom, s, Y);
    if (s.squared < atom.radius_squared) sum += near_field(f, atom, s.squared, d, Y);
    else sum += far_field(f, atom, s.squared, d, Y);
  }
  f.potential[p + f.n_points * d] = sum;
}

}  // namespace

void sum_by_groups(const gpu::Queue& queue, const Fields& f, int l_max, int n_dir, int64_t slots, double* work) {
  by_l_max<true>(l_max, [&](auto l) { SUITE_GPU_LAUNCH(sum_groups<l>, blocks_for(slots, 32), 32, 0, queue.stream(), f, n_dir, work); });
}

void sum_by_points(const gpu::Queue& queue, const Fields& f, int l_max, int n_dir) {
  by_l_max<true>(l_max, [&](auto l) {
    const gpu::Dim3 grid(blocks_for(f.n_points, block_threads), static_cast<unsigned>(n_dir));
    SUITE_GPU_LAUNCH(sum_points<l>, grid, block_threads, 0, queue.stream(), f);
  });
}

}  // namespace suite::dfpt
