// SPDX-License-Identifier: BSD-3-Clause
// What the parts of dfpt.sum_up share: an atom's field at a point, near by its table, far by its moments.
#pragma once

#include "../steps.hpp"
#include "pair_chunks.hpp"

#include "call.hpp"

namespace suite::dfpt {

struct Fields {
  const double *coords, *atom_coords;
  const NearAtom* atoms;
  const RadialGrid* grids;
  const double *tables, *moments;  // (n_lm,4,n_knots,n_tables,n_dir), (n_lm,n_tables,n_dir)
  double* potential;
  int64_t n_points, n_tables;
  int n_atoms, n_lm, n_knots;

  // Coefficients of component 0 at a knot; those of the same component are n_lm apart.
  __device__ __forceinline__ const double* coefficients(int table, int knot, int d) const {
    return tables + int64_t{4} * n_lm * (knot + n_knots * (table + n_tables * d));
  }
  __device__ __forceinline__ const double* moments_of(int table, int d) const { return moments + n_lm * (table + n_tables * d); }
};

// A point seen from an atom.
struct Sight {
  Vector d;
  double squared;
};
__device__ __forceinline__ Sight sight(const double* atom, const double* point) {
  const Vector d = from(atom, point);
  return {d, square(d.x, d.y, d.z)};
}

// Where the table is to be read, and the harmonics there.
template <int l_max> struct NearPoint {
  Knot knot;
  double Y[components(l_max)];
  __device__ __forceinline__ NearPoint(const RadialGrid& grid, const Sight& s) {
    const double r = ::sqrt(s.squared);
    knot = grid.position(r);
    harmonics_along<l_max>(s.d, r, grid.is_at_nucleus(r), Y);
  }
};

template <int l_max, int Dirs>
__device__ __forceinline__ void add_near(const Fields& f, const NearAtom& atom, const Sight& s, int first, double (&sum)[Dirs]) {
  const NearPoint<l_max> at(f.grids[atom.grid], s);
  SUITE_GPU_UNROLL
  for (int d = 0; d < Dirs; ++d) {
    const double* const c = f.coefficients(atom.table, at.knot.number, first + d);
    SUITE_GPU_UNROLL
    for (int lm = 0; lm < components(l_max); ++lm)
      if (lm < f.n_lm) sum[d] += cubic(c + lm, f.n_lm, at.knot.fraction) * at.Y[lm];
  }
}

// moments: those of one atom, components(l_max) for each direction, 0 where there are fewer.
template <int l_max, int Dirs> __device__ __forceinline__ void add_far(const double* moments, const Sight& s, double (&sum)[Dirs]) {
  const double inverse = ::rsqrt(s.squared);
  double Y[components(l_max)], power = inverse;
  spherical_harmonics<l_max>(s.d.x * inverse, s.d.y * inverse, s.d.z * inverse, Y);
  SUITE_GPU_UNROLL
  for (int l = 0; l <= l_max; ++l) {
    SUITE_GPU_UNROLL
    for (int d = 0; d < Dirs; ++d) {
      double part = 0;
      SUITE_GPU_UNROLL
      for (int m = 0; m <= 2 * l; ++m) part += Y[l * l + m] * moments[components(l_max) * d + l * l + m];
      sum[d] += power * part;
    }
    power *= inverse;
  }
}

// f(std::integral_constant<int, l_max>) with the smallest l_max that there is code for: 4, 6 or 8; Ladder: 4
// or 8.
template <bool Ladder, class F> void by_l_max(int l_max, F&& f) {
  if (l_max <= 4) return f(std::integral_constant<int, 4>());
  if constexpr (!Ladder)
    if (l_max <= 6) return f(std::integral_constant<int, 6>());
  return f(std::integral_constant<int, 8>());
}

// naive and parallelism, all directions. work: naive's harmonics, of `slots` threads.
constexpr int naive_points = 32;
void sum_by_groups(const gpu::Queue& queue, const Fields& f, int l_max, int n_dir, int64_t slots, double* work);
void sum_by_points(const gpu::Queue& queue, const Fields& f, int l_max, int n_dir);
// memory, control_flow, and the far field of best for the points of a chunk, with the values of their near
// pairs.
struct PairSums {
  const PointSlots* slots;
  const double* values;  // (dirs,slot)
  int64_t first_point, last_point;
};
void sum_by_atoms(const gpu::Queue& queue, Step variant, const Fields& f, int l_max, int dirs, int first, const PairSums& near);
void evaluate_pairs(const gpu::Queue& queue, const Fields& f, int l_max, int dirs, int first, const NearPair* pairs, int64_t count,
                    double* values);

}  // namespace suite::dfpt
