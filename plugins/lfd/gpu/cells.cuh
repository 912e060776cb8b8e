// SPDX-License-Identifier: BSD-3-Clause
// The kinetic propagator in cells of 2 x 2 x 2 points (docs/performance/lfd.propagate.md).
//
// The parts of different directions commute, so that [half x, half y, half z] [full x, full y, full z] [half
// x, half y, half z] is the step of lfd.hpp: three passes over cells that do not touch each other, in place.
// The halves join the even cells, from (0,0,0), the full parts the odd ones, from (1,1,1), around the border.
// Each pair takes the form  a += i t b, b += i t a (../splitting.hpp), four multiply-adds; the constants
// collect in the phase u.
//
// A thread holds the 8 points of a cell for one orbital; a section of 8, 16 or 32 lanes as many orbitals of
// the cell. Wavefunctions are chi = e^{i(A+k).r} psi, for which only the bonds across the border carry a
// phase.
#pragma once

#include "cell_order.hpp"
#include "device.cuh"

namespace suite::lfd {

template <class T> struct CellStep {
  Number<T>* psi;
  const Number<T>* u;       // [place]
  const Number<T>* border;  // t e^{i(A+k)_d h_d N_d} of the full parts, [d][orbital], or null
  const double* f;
  double* density;  // [group][place]
  T half[3], full[3];
  CellOrder order;
  int norb, shift, groups;
};

// Point q = 4 dx + 2 dy + dz.
template <class T> struct Cell {
  T re[8], im[8];

  __device__ __forceinline__ void pair(int a, int b, T t) {
    const T ar = re[a] - t * im[b], ai = im[a] + t * re[b], br = re[b] - t * im[a], bi = im[b] + t * re[a];
    re[a] = ar, im[a] = ai, re[b] = br, im[b] = bi;
  }
  // a is the last point of a direction and b the first, behind the border.
  __device__ __forceinline__ void pair(int a, int b, Number<T> t) {
    const T ar = re[a] - t.im * re[b] - t.re * im[b], ai = im[a] + t.re * re[b] - t.im * im[b];
    const T br = re[b] + t.im * re[a] - t.re * im[a], bi = im[b] + t.re * re[a] + t.im * im[a];
    re[a] = ar, im[a] = ai, re[b] = br, im[b] = bi;
  }
  template <int D, class Factor> __device__ __forceinline__ void pairs(Factor t) {
    constexpr int apart = 4 >> D;
    SUITE_GPU_UNROLL
    for (int q = 0; q < 8; ++q)
      if (!(q & apart)) pair(q, q | apart, t);
  }
  __device__ __forceinline__ void join(const T (&t)[3]) {
    pairs<2>(t[2]);
    pairs<1>(t[1]);
    pairs<0>(t[0]);
  }
};

// Where the points of a cell lie; those of a direction with one point only are absent.
struct Place {
  int64_t at[2], dx[2], dy[2];  // sums of one of each
  int absent;
  __device__ __forceinline__ bool has(int q) const { return (q & absent) == 0; }
  __device__ __forceinline__ int64_t operator()(int q) const { return dx[q >> 2] + dy[q >> 1 & 1] + at[q & 1]; }
};
__device__ __forceinline__ int absent_points(const CellOrder& o) {
  return (o.n[0] == 1 ? 4 : 0) + (o.n[1] == 1 ? 2 : 0) + (o.n[2] == 1 ? 1 : 0);
}
// The cell from point (2 cx + odd, ..), of orbital n.
__device__ __forceinline__ Place place_of(const CellOrder& o, int cell, int odd, int norb, int n) {
  const int index[3] = {cell / (o.cells[1] * o.cells[2]), cell / o.cells[2] % o.cells[1], cell % o.cells[2]};
  int at[3][2];
  SUITE_GPU_UNROLL
  for (int d = 0; d < 3; ++d) {
    at[d][0] = o.n[d] == 1 ? 0 : 2 * index[d] + odd;
    at[d][1] = at[d][0] + 1 < o.n[d] ? at[d][0] + 1 : 0;
  }
  const int64_t row = static_cast<int64_t>(o.n[2]) * norb, plane = row * o.n[1];
  return {{int64_t{1} * at[2][0] * norb + n, int64_t{1} * at[2][1] * norb + n},
          {at[0][0] * plane, at[0][1] * plane},
          {at[1][0] * row, at[1][1] * row},
          absent_points(o)};
}

template <class T> __device__ __forceinline__ void load(Cell<T>& cell, const Number<T>* psi, const Place& place) {
  SUITE_GPU_UNROLL
  for (int q = 0; q < 8; ++q) {
    const Number<T> x = place.has(q) ? psi[place(q)] : Number<T>{0, 0};
    cell.re[q] = x.re;
    cell.im[q] = x.im;
  }
}
template <class T> __device__ __forceinline__ void store(const Cell<T>& cell, Number<T>* psi, const Place& place) {
  SUITE_GPU_UNROLL
  for (int q = 0; q < 8; ++q)
    if (place.has(q)) psi[place(q)] = {cell.re[q], cell.im[q]};
}

// Sums of 8 numbers over a section of lanes, in 7 exchanges for 8 lanes and one more for each doubling; lane
// l gets the sum of number l % 8.
__device__ __forceinline__ double sums_of_eight(double (&r)[8], int lane, int width) {
  SUITE_GPU_UNROLL
  for (int half = 4; half > 0; half /= 2) {
    const bool upper = (lane & half) != 0;
    SUITE_GPU_UNROLL
    for (int i = 0; i < half; ++i) {
      const double mine = upper ? r[i + half] : r[i], other = upper ? r[i] : r[i + half];
      r[i] = mine + gpu::shuffle_xor<32>(other, half);
    }
  }
  double sum = r[0];
  for (int mask = 8; mask < width; mask *= 2) sum += gpu::shuffle_xor<32>(sum, mask);
  return sum;
}

// Even cells: Before joins the halves that end a step, Density sums f |psi|^2, Turn multiplies by u, After
// joins the halves that begin a step.
template <class T, bool Before, bool Density, bool Turn, bool After>
__global__ void SUITE_GPU_RESIDENT_BOUNDS(row_threads, 4) even_cells(CellStep<T> step) {
  const Lane lane = row_lane(step.shift);
  const int unit = static_cast<int>(lane.row), cell = unit / step.groups, group = unit % step.groups;
  const int n = group * lane.width + lane.first;
  const bool there = cell * 8 < step.order.size(), own = there && n < step.norb;
  Cell<T> x{};
  Place place{};
  if (own) {
    place = place_of(step.order, cell, 0, step.norb, n);
    load(x, step.psi, place);
  }
  if constexpr (Before) x.join(step.half);
  if constexpr (Density) {
    const double f = own ? step.f[n] : 0;
    double r[8];
    SUITE_GPU_UNROLL
    for (int q = 0; q < 8; ++q) r[q] = f * static_cast<double>(x.re[q] * x.re[q] + x.im[q] * x.im[q]);
    const double sum = sums_of_eight(r, lane.first, lane.width);
    if (there && lane.first < 8) step.density[static_cast<int64_t>(group) * step.order.size() + cell * 8 + lane.first] = sum;
  }
  if (!own) return;
  if constexpr (Turn) {
    SUITE_GPU_UNROLL
    for (int q = 0; q < 8; ++q) {
      const Number<T> u = place.has(q) ? step.u[cell * 8 + q] : Number<T>{0, 0};
      const T re = u.re * x.re[q] - u.im * x.im[q];
      x.im[q] = u.re * x.im[q] + u.im * x.re[q];
      x.re[q] = re;
    }
  }
  if constexpr (After) x.join(step.half);
  if constexpr (Before || Turn || After) store(x, step.psi, place);
}

// Odd cells: the full parts.
template <class T, bool Bloch> __global__ void SUITE_GPU_RESIDENT_BOUNDS(row_threads, 4) odd_cells(CellStep<T> step) {
  const Lane lane = row_lane(step.shift);
  const int unit = static_cast<int>(lane.row), cell = unit / step.groups;
  const int n = unit % step.groups * lane.width + lane.first;
  if (cell * 8 >= step.order.size() || n >= step.norb) return;
  const CellOrder& o = step.order;
  const Place place = place_of(o, cell, 1, step.norb, n);
  Cell<T> x;
  load(x, step.psi, place);
  if constexpr (Bloch) {
    const int index[3] = {cell / (o.cells[1] * o.cells[2]), cell / o.cells[2] % o.cells[1], cell % o.cells[2]};
    Number<T> t[3];
    SUITE_GPU_UNROLL
    for (int d = 0; d < 3; ++d) t[d] = index[d] + 1 == o.cells[d] ? step.border[d * step.norb + n] : Number<T>{step.full[d], 0};
    x.template pairs<2>(t[2]);
    x.template pairs<1>(t[1]);
    x.template pairs<0>(t[0]);
  } else {
    x.join(step.full);
  }
  store(x, step.psi, place);
}

}  // namespace suite::lfd
