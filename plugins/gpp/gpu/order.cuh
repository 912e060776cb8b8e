// SPDX-License-Identifier: BSD-3-Clause
// What `best` makes on the device before it sums: the poles of each tile, the order of the bands, the packed columns.
#pragma once

#include "tiles.cuh"

namespace suite::gpp {

// Up to this |x| the form that infinite modes take is exact to rounding, and D^3 is far from the largest float.
inline constexpr double far_x = 1e5;

// low[group][row tile]: the smallest w of the tile's poles, no_pole where it has none, -1 where any w is not a real
// number from 0 to 1e12. One block per row block and group.
static __global__ void __launch_bounds__(rows)
    find_lowest(const Z* wtilde, const int* igp, int64_t ncouls, int row_blocks, int columns, double* low) {
  __shared__ double all[rows];
  const int thread = static_cast<int>(threadIdx.x);
  const int row_block = static_cast<int>(blockIdx.x % row_blocks);
  const int64_t group = blockIdx.x / row_blocks;
  const int64_t ig = static_cast<int64_t>(row_block) * rows + thread;
  double lowest = no_pole;
  for (int c = 0; c < columns && ig < ncouls; ++c) {
    const int64_t column = igp[group * columns + c];
    if (column < 0) continue;
    const Z w = wtilde[column * ncouls + ig];
    if (!(w.im == 0 && w.re >= 0 && w.re <= infinite_w)) lowest = -1;
    else if (w.re > 0 && w.re < lowest) lowest = w.re;
  }
  all[thread] = lowest;
  __syncthreads();
  if (thread % tile_rows != 0) return;
  for (int i = 1; i < tile_rows; ++i) lowest = all[thread + i] < lowest ? all[thread + i] : lowest;
  low[(group * row_blocks + row_block) * tiles_per_block + thread / tile_rows] = lowest;
}

struct Order {
  const double *wx, *occ;
  int ntband, nw, externals, first_external;
  double gamma;
  double sexcut;
  double *highest, *lowest;  // x over the energies: [external][n'], in no order
  double* highest_sorted;    // [external][k]
  double* lowest_so_far;     // [external][k]: of the bands with f = 1, the lowest x of this one and of those before it
  int *full, *occupied, *far;  // [external]: number of bands with f = 1, and with f > 0; whether any |x| is beyond far_x
  int* band;               // the rest as in Tiles
  double *x, *f, *spacing;
};

static __global__ void find_highest(const Order o) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<int64_t>(o.externals) * o.ntband) return;
  const int external = static_cast<int>(i / o.ntband);
  const int64_t at = (static_cast<int64_t>(o.first_external) * o.ntband + i) * o.nw;
  double highest = -largest_x, lowest = largest_x;
  bool far = false;
  for (int iw = 0; iw < o.nw; ++iw) {
    const double x = x_of(o.wx, at + iw);
    if (x > highest) highest = x;
    if (x < lowest) lowest = x;
    far = far || x > far_x || x < -far_x;
  }
  o.highest[i] = highest;
  o.lowest[i] = lowest;
  if (far) atomicMax(o.far + external, 1);
}

// Every band counts those that come before it: bands with f = 1, those with other f > 0, empty ones; each by falling x.
static __global__ void sort_bands(const Order o) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<int64_t>(o.externals) * o.ntband) return;
  const int external = static_cast<int>(i / o.ntband), n1 = static_cast<int>(i % o.ntband);
  const double* const highest = o.highest + static_cast<int64_t>(external) * o.ntband;
  const double* const lowest = o.lowest + static_cast<int64_t>(external) * o.ntband;
  const auto kind = [&](int j) { return o.occ[j] == 1 ? 0 : o.occ[j] > 0 ? 1 : 2; };
  const int own = kind(n1);
  int before = 0, count[3] = {};
  double least = lowest[n1];
  for (int j = 0; j < o.ntband; ++j) {
    const int other = kind(j);
    count[0] += other == 0;
    count[1] += other == 1;
    const bool higher = highest[j] > highest[n1] || (highest[j] == highest[n1] && j < n1);
    if (other < own || (other == own && higher)) ++before;
    if (other == own && higher && lowest[j] < least) least = lowest[j];
  }
  const int64_t to = static_cast<int64_t>(external) * o.ntband + before;
  o.band[to] = n1;
  o.f[to] = o.occ[n1];
  o.highest_sorted[to] = highest[n1];
  o.lowest_so_far[to] = least;
  const int64_t from = (static_cast<int64_t>(o.first_external) * o.ntband + i) * o.nw;
  for (int iw = 0; iw < o.nw; ++iw) o.x[(static_cast<int64_t>(external) * o.nw + iw) * o.ntband + before] = x_of(o.wx, from + iw);
  if (n1 == 0) {
    o.full[external] = count[0];
    o.occupied[external] = count[0] + count[1];
  }
}

// Half the distance between the first and the last of the energies iw, iw+1 and, if there is one, iw+2, where it is one for
// all n', but for rounding, and the third lies in the middle. One far beyond gamma is declined: it would cost digits where
// D^2 - spacing^2 cancels. One block per external band and group of energies.
static __global__ void __launch_bounds__(rows) find_spacing(const Order o) {
  __shared__ int even[rows];
  const int thread = static_cast<int>(threadIdx.x), across = (o.nw + 2) / 3;
  const int64_t external = blockIdx.x / across;
  const int iw = static_cast<int>(blockIdx.x % across) * 3, energies = o.nw - iw < 3 ? o.nw - iw : 3;
  const double* const x = o.x + (external * o.nw + iw) * o.ntband;
  const double* const last = x + static_cast<int64_t>(energies - 1) * o.ntband;
  const double spacing = 0.5 * (last[0] - x[0]);
  bool own = energies > 1 && fabs(spacing) * (4 - energies) <= 16 * o.gamma;
  for (int n1 = thread; own && n1 < o.ntband; n1 += rows) {
    const double middle = energies == 3 ? x[o.ntband + n1] : 0.5 * (x[n1] + last[n1]);
    const double rounding = 1e-15 * (fabs(middle) + fabs(spacing));
    own = fabs(x[n1] - (middle - spacing)) <= rounding && fabs(last[n1] - (middle + spacing)) <= rounding;
  }
  even[thread] = own;
  __syncthreads();
  if (thread != 0) return;
  for (int i = 0; i < rows; ++i) own = own && even[i];
  o.spacing[blockIdx.x] = own ? spacing : 0;
}

// The first k of [begin, end) for which `late` holds, as it does for all after it.
template <class Late> __device__ __forceinline__ int first_late(int begin, int end, Late late) {
  while (begin < end) {
    const int middle = begin + (end - begin) / 2;
    if (late(middle)) end = middle;
    else begin = middle + 1;
  }
  return begin;
}

// Below `safe` no w of the tile is within reach of the test for branch A: w - x > gamma and w - x > w/500. An occupied band
// needs no test of sexcut where x >= 0 or, if s = sexcut > 1, |x| <= w sqrt(1 - 1/s): w^2/(w^2 - x^2) is then s at most, and
// w/(2(x+w)) of branch B as well. At w = 1.1 |x| the forms of occupied.cuh cost one digit, and where x is far above w their SX
// is a small difference: both take all tests beyond. Where `mixed` precision is wanted but cannot hold x, all bands count as
// such that need the tests, which are in double precision.
static __global__ void find_ranges(const Order o, const double* low, int64_t tiles, bool mixed, Range* range) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= tiles * o.externals) return;
  const int64_t external = i / tiles;
  const double w = low[i % tiles];
  Range r{0, 0, 0, no_poles};
  if (w >= no_pole) {
    range[i] = r;
    return;
  }
  const double reach = w - o.gamma < 0.998 * w ? w - o.gamma : 0.998 * w;
  const double safe = reach - 1e-12 * fabs(reach);
  const double* const highest = o.highest_sorted + external * o.ntband;
  const double* const lowest = o.lowest_so_far + external * o.ntband;
  const auto is_safe = [&](int k) { return highest[k] < safe; };
  const bool far = o.far[external];
  r.poles = w == infinite_w && !far ? infinite_poles : finite_poles;
  r.tested = mixed && far ? o.ntband : first_late(o.occupied[external], o.ntband, is_safe);
  const int full = o.full[external];
  if (full > 0 && highest[0] <= 1e4 * w) {
    const double root = o.sexcut > 1 ? sqrt(1 - 1 / o.sexcut) : 0, most = w * (root < 1 / 1.1 ? root : 1 / 1.1) * (1 - 1e-11);
    r.far = first_late(0, full, [&](int k) { return lowest[k] < -most; });
    r.near = first_late(0, r.far, is_safe);
  }
  range[i] = r;
}

// Packs M_m(G') of the owned columns in the order of the bands: [external][group][k][column].
template <class R, bool Real> __global__ void pack_columns(const Tiles t, const Number<double, Real>* from, Number<R, Real>* to) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<int64_t>(t.externals) * t.groups * t.ntband * t.columns) return;
  const int column = static_cast<int>(i % t.columns);
  const int64_t j = i / t.columns;
  const int k = static_cast<int>(j % t.ntband);
  const int64_t group = j / t.ntband % t.groups, external = j / t.ntband / t.groups;
  const int64_t c = (t.first_group + group) * t.columns + column;
  Number<R, Real> z = {};
  if (t.igp[c] >= 0) {
    const int64_t n1 = t.band[external * t.ntband + k];
    const Number<double, Real> m = from[((t.first_external + external) * t.ntband + n1) * t.ncouls + t.g[c]];
    z.re = static_cast<R>(m.re);
    if constexpr (!Real) z.im = static_cast<R>(m.im);
  }
  to[i] = z;
}

static __global__ void to_single(const double* from, float* to, int64_t count) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) to[i] = static_cast<float>(from[i]);
}

static __global__ void write_sums(const double* total, int64_t count, Z* asx, Z* ach) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const double* const q = total + i * quantities;
  const double *const smooth = q + smooth_sums, *const masked = q + masked_sums, *const occupied = q + occupied_sums;
  ach[i] = {0.5 * (smooth[0] + masked[0] + occupied[0]), 0.5 * (smooth[1] + masked[1] + occupied[1])};
  asx[i] = {-(masked[2] + occupied[2]), -(masked[3] + occupied[3])};
}

static __global__ void write_static(const double* total, int64_t count, Z* ach_static) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) ach_static[i] = {-0.5 * total[2 * i], -0.5 * total[2 * i + 1]};
}

}  // namespace suite::gpp
