// SPDX-License-Identifier: BSD-3-Clause
// dfpt.sum_up with far=tree: a block for each leaf of the tree, a thread for each of its points.
#include "atom_tile.cuh"
#include "far_points.hpp"

#include <suite/gpu/numbers.hpp>

namespace suite::dfpt {
namespace {

static_assert(leaf_points <= block_threads);

// sum_lm conj(R_lm(d)) L_lm, whose real parts for m and -m are the same: R_lm = Q_l (re + i im) with Q of the column m.
template <int Dirs>
__device__ __forceinline__ void add_expansion(const Vector& d, const gpu::Complex<double>* L, int order, double (&sum)[Dirs]) {
  const double r2 = d.x * d.x + d.y * d.y + d.z * d.z;
  double re = 1, im = 0;
  for (int m = 0; m <= order; ++m) {
    if (m > 0) {
      const double over = gpu::reciprocal(2.0 * m), up = (re * d.x - im * d.y) * over;
      im = (re * d.y + im * d.x) * over;
      re = up;
    }
    double below = 0, Q = m > 0 ? 2.0 : 1.0, in_re[Dirs] = {}, in_im[Dirs] = {};
    for (int l = m;; ++l) {
      SUITE_GPU_UNROLL
      for (int i = 0; i < Dirs; ++i) {
        const gpu::Complex<double> component = L[half_place(l, m) * Dirs + i];
        in_re[i] += Q * component.re;
        in_im[i] += Q * component.im;
      }
      if (l == order) break;
      const double over = gpu::reciprocal(1.0 * (l + 1 + m) * (l + 1 - m)), up = (d.z * Q * (2 * l + 1) - r2 * below) * over;
      below = Q;
      Q = up;
    }
    SUITE_GPU_UNROLL
    for (int i = 0; i < Dirs; ++i) sum[i] += re * in_re[i] + im * in_im[i];
  }
}

// The potentials begin with what is far: by the leaf's expansion, and by the moments of atoms.
template <int l_max, int Dirs> __global__ void __launch_bounds__(block_threads) sum_leaves(Fields f, int first, FarLeaves far) {
  __shared__ AtomTile<l_max, Dirs> tile;
  __shared__ gpu::Complex<double> L[half_count(most_order) * Dirs];
  const FarCell& leaf = far.cells[far.leaves[blockIdx.x]];
  const bool there = leaf.begin + thread() < leaf.end;
  const int64_t p = far.points[there ? leaf.begin + thread() : leaf.begin];
  const double* const point = f.coords + 3 * p;
  const auto* const mine = reinterpret_cast<const gpu::Complex<double>*>(far.locals) + int64_t{leaf.expansion} * Dirs;
  for (int i = thread(); i < half_count(leaf.order) * Dirs; i += block_threads) L[i] = mine[i];
  __syncthreads();
  double sum[Dirs] = {};
  if (leaf.order >= 0) add_expansion(from(leaf.centre, point), L, leaf.order, sum);
  for (int a0 = leaf.first_direct; a0 < leaf.last_direct; a0 += atoms_at_a_time) {
    const int count = leaf.last_direct - a0 < atoms_at_a_time ? leaf.last_direct - a0 : atoms_at_a_time;
    __syncthreads();
    tile.load(f, count, first, [&](int i) { return far.direct[a0 + i]; });
    __syncthreads();
    for (int i = 0; i < count; ++i) {
      const Sight s = sight(tile.coords[i], point);
      if (!(s.squared < tile.atom[i].radius_squared)) add_far<l_max>(tile.moments[i], s, sum);
    }
  }
  if (!there) return;
  SUITE_GPU_UNROLL
  for (int d = 0; d < Dirs; ++d) f.potential[p + f.n_points * (first + d)] = sum[d];
}

template <int Dirs> __global__ void __launch_bounds__(block_threads) add_near_values(Fields f, int first, PairSums near) {
  const int64_t p = near.first_point + int64_t{blockIdx.x} * block_threads + thread();
  if (p >= near.last_point) return;
  const PointSlots slots = near.slots[p];
  double sum[Dirs] = {};
  for (int64_t slot = slots.first; slot < slots.last; ++slot) {
    SUITE_GPU_UNROLL
    for (int d = 0; d < Dirs; ++d) sum[d] += near.values[slot * Dirs + d];
  }
  SUITE_GPU_UNROLL
  for (int d = 0; d < Dirs; ++d) f.potential[p + f.n_points * (first + d)] += sum[d];
}

}  // namespace

void sum_by_leaves(const gpu::Queue& queue, const Fields& f, int l_max, int dirs, int first, const FarLeaves& far) {
  by_l_max<false>(l_max, [&](auto l) {
    if (dirs == 3) SUITE_GPU_LAUNCH((sum_leaves<l, 3>), grid_of(far.n_leaves), block_threads, 0, queue.stream(), f, first, far);
    else SUITE_GPU_LAUNCH((sum_leaves<l, 1>), grid_of(far.n_leaves), block_threads, 0, queue.stream(), f, first, far);
  });
}

void add_values(const gpu::Queue& queue, const Fields& f, int dirs, int first, const PairSums& near) {
  const unsigned blocks = blocks_for(near.last_point - near.first_point, block_threads);
  if (dirs == 3) SUITE_GPU_LAUNCH(add_near_values<3>, blocks, block_threads, 0, queue.stream(), f, first, near);
  else SUITE_GPU_LAUNCH(add_near_values<1>, blocks, block_threads, 0, queue.stream(), f, first, near);
}

}  // namespace suite::dfpt
