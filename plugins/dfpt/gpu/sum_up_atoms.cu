// SPDX-License-Identifier: BSD-3-Clause
// dfpt.sum_up: the steps memory and control_flow, and both fields of best.
#include "atom_tile.cuh"

namespace suite::dfpt {
namespace {

// control_flow: only the radial factors of an l differ between near and far, the sum over m is one.
template <int l_max, int Dirs>
__device__ __forceinline__ void add_merged(const Fields& f, const NearAtom& atom, const double* moments, const Sight& s, int first,
                                           double (&sum)[Dirs]) {
  const bool is_near = s.squared < atom.radius_squared;
  const RadialGrid grid = f.grids[atom.grid];
  const double r = ::sqrt(s.squared), inverse = ::rsqrt(s.squared);
  double Y[components(l_max)], power = inverse;
  harmonics_along<l_max>(s.d, r, is_near && grid.is_at_nucleus(r), Y);
  const Knot knot = is_near ? grid.position(r) : Knot{0, 0.0};
  const double* const c = f.coefficients(atom.table, knot.number, first);
  const int64_t apart = int64_t{4} * f.n_lm * f.n_knots * f.n_tables;
  SUITE_GPU_UNROLL
  for (int l = 0; l <= l_max; ++l) {
    double radial[Dirs][2 * l_max + 1];
    SUITE_GPU_UNROLL
    for (int d = 0; d < Dirs; ++d) SUITE_GPU_UNROLL
    for (int m = 0; m <= 2 * l; ++m) radial[d][m] = power * moments[components(l_max) * d + l * l + m];
    if (is_near && components(l) <= f.n_lm) {
      SUITE_GPU_UNROLL
      for (int d = 0; d < Dirs; ++d) SUITE_GPU_UNROLL
      for (int m = 0; m <= 2 * l; ++m) radial[d][m] = cubic(c + apart * d + l * l + m, f.n_lm, knot.fraction);
    }
    SUITE_GPU_UNROLL
    for (int d = 0; d < Dirs; ++d) SUITE_GPU_UNROLL
    for (int m = 0; m <= 2 * l; ++m) sum[d] += radial[d][m] * Y[l * l + m];
    power *= inverse;
  }
}

template <int l_max, int Dirs, Step variant>
__global__ void __launch_bounds__(block_threads) sum_atoms(Fields f, int first, PairSums near) {
  __shared__ AtomTile<l_max, Dirs> tile;
  const int64_t p = near.first_point + int64_t{blockIdx.x} * block_threads + thread();
  const bool there = p < near.last_point;
  const double* const point = f.coords + 3 * (there ? p : near.first_point);
  double sum[Dirs] = {};
  for (int a0 = 0; a0 < f.n_atoms; a0 += atoms_at_a_time) {
    const int count = f.n_atoms - a0 < atoms_at_a_time ? f.n_atoms - a0 : atoms_at_a_time;
    __syncthreads();
    tile.load(f, count, first, [a0](int i) { return a0 + i; });
    __syncthreads();
    for (int i = 0; i < count; ++i) {
      const Sight s = sight(tile.coords[i], point);
      if constexpr (variant == Step::control_flow) {
        add_merged<l_max>(f, tile.atom[i], tile.moments[i], s, first, sum);
      } else {
        if (!(s.squared < tile.atom[i].radius_squared)) add_far<l_max>(tile.moments[i], s, sum);
        else if (variant == Step::memory) add_near<l_max>(f, tile.atom[i], s, first, sum);
      }
    }
  }
  if (!there) return;
  if constexpr (variant == Step::best) {
    const PointSlots slots = near.slots[p];
    for (int64_t slot = slots.first; slot < slots.last; ++slot) {
      SUITE_GPU_UNROLL
      for (int d = 0; d < Dirs; ++d) sum[d] += near.values[slot * Dirs + d];
    }
  }
  SUITE_GPU_UNROLL
  for (int d = 0; d < Dirs; ++d) f.potential[p + f.n_points * (first + d)] = sum[d];
}

// best: a thread for each near pair; neighbours read the same coefficients.
template <int l_max, int Dirs>
__global__ void __launch_bounds__(block_threads) near_values(Fields f, int first, const NearPair* pairs, int64_t count, double* values) {
  const int64_t e = int64_t{blockIdx.x} * block_threads + thread();
  if (e >= count) return;
  const NearPair pair = pairs[e];
  double sum[Dirs] = {};
  add_near<l_max>(f, f.atoms[pair.atom], sight(f.atom_coords + 3 * pair.atom, f.coords + int64_t{3} * pair.point), first, sum);
  SUITE_GPU_UNROLL
  for (int d = 0; d < Dirs; ++d) values[int64_t{pair.slot} * Dirs + d] = sum[d];
}

template <Step variant, class F> void by_instance(int l_max, int dirs, F&& f) {
  by_l_max<variant == Step::memory>(l_max, [&](auto l) {
    if (dirs == 3) f(l, std::integral_constant<int, 3>());
    else f(l, std::integral_constant<int, 1>());
  });
}

template <Step variant> void launch_atoms(const gpu::Queue& queue, const Fields& f, int l_max, int dirs, int first, const PairSums& near) {
  by_instance<variant>(l_max, dirs, [&](auto l, auto n) {
    SUITE_GPU_LAUNCH((sum_atoms<l, n, variant>), blocks_for(near.last_point - near.first_point, block_threads), block_threads, 0,
                     queue.stream(), f, first, near);
  });
}

}  // namespace

void sum_by_atoms(const gpu::Queue& queue, Step variant, const Fields& f, int l_max, int dirs, int first, const PairSums& near) {
  if (variant == Step::memory) launch_atoms<Step::memory>(queue, f, l_max, dirs, first, near);
  else if (variant == Step::control_flow) launch_atoms<Step::control_flow>(queue, f, l_max, dirs, first, near);
  else launch_atoms<Step::best>(queue, f, l_max, dirs, first, near);
}

void evaluate_pairs(const gpu::Queue& queue, const Fields& f, int l_max, int dirs, int first, const NearPair* pairs, int64_t count,
                    double* values) {
  if (count == 0) return;
  by_instance<Step::best>(l_max, dirs, [&](auto l, auto n) {
    SUITE_GPU_LAUNCH((near_values<l, n>), grid_of((count + block_threads - 1) / block_threads), block_threads, 0, queue.stream(), f, first,
                     pairs, count, values);
  });
}

}  // namespace suite::dfpt
