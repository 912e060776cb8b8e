// SPDX-License-Identifier: BSD-3-Clause
// What the device code of qmc shares: complex numbers, plane waves by powers of three exponentials, sums in a
// fixed order. A block has the same number of threads everywhere.
#pragma once

#include <cstdint>

#include "../images.hpp"

#include <suite/gpu/numbers.hpp>

namespace suite::qmc {

inline constexpr int block_threads = 128;
inline constexpr int most_warps = block_threads / 32;

// Anew at each use: what depends on it alone would else be held in registers for the whole of a kernel that does many things in turn
// (sweep, slater_update), and spilled.
__device__ __forceinline__ int thread() { return gpu::opaque(static_cast<int>(threadIdx.x)); }
__device__ __forceinline__ int warp_number() { return thread() / warpSize; }
__device__ __forceinline__ int warps_of_block() { return block_threads / warpSize; }

using gpu::conjugate;
using Complex = gpu::Complex<double>;
__device__ __forceinline__ Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
__device__ __forceinline__ Complex operator*(double a, Complex b) { return {a * b.re, a * b.im}; }

// e^{2 pi i x}. In units of pi no angle is too large for the device's fast path, which needs no stack.
__device__ __forceinline__ Complex turn(double x) {
  const double part = 2 * (x - ::rint(x));
  Complex z;
#if defined(SUITE_GPU_EMULATED)
  z.re = std::cos(3.141592653589793 * part);
  z.im = std::sin(3.141592653589793 * part);
#else
  ::sincospi(part, &z.im, &z.re);
#endif
  return z;
}

// Rows b_d/(2 pi): fractions of the lattice vectors, and turns of a wave.
struct Reciprocal {
  double b[3][3];
  __device__ __forceinline__ double fraction(int d, const double* r) const { return b[d][0] * r[0] + b[d][1] * r[1] + b[d][2] * r[2]; }
};

// sum_i n(i) b_i, with the number of its star from 0.
struct alignas(16) Wave {
  int n[3], star;
};
__device__ __forceinline__ void wave_vector(const Reciprocal& cell, const Wave& w, double* G) {
  constexpr double two_pi = 6.283185307179586;
  SUITE_GPU_UNROLL
  for (int d = 0; d < 3; ++d) G[d] = two_pi * (w.n[0] * cell.b[0][d] + w.n[1] * cell.b[1][d] + w.n[2] * cell.b[2][d]);
}

// Which powers of e_d = e^{i b_d.r}, d = 1..3, a table of one position holds: 0 to top of each.
struct Powers {
  int start[3] = {0, 1, 2}, width = 3;
  int top(int d) const { return (d < 2 ? start[d + 1] : width) - start[d] - 1; }
};
__device__ __forceinline__ Complex power(const Complex* table, int n) {
  const Complex z = table[n < 0 ? -n : n];
  return {z.re, n < 0 ? -z.im : z.im};
}
// e^{i G.r}.
__device__ __forceinline__ Complex wave_at(const Powers& p, const Complex* table, const Wave& w) {
  return power(table + p.start[0], w.n[0]) * power(table + p.start[1], w.n[1]) * power(table + p.start[2], w.n[2]);
}
// One entry of a table, by its place.
__device__ __forceinline__ Complex table_entry(const Reciprocal& cell, const Powers& p, const double* r, int entry) {
  const int d = entry < p.start[1] ? 0 : entry < p.start[2] ? 1 : 2;
  const double s = cell.fraction(d, r);
  return turn((s - ::rint(s)) * (entry - p.start[d]));
}
// Tables of `count` positions r(3,count), by the threads from `first` in steps of `step`.
__device__ __forceinline__ void fill_tables(const Reciprocal& cell, const Powers& p, const double* r, int count, Complex* tables, int first,
                                            int step) {
  for (int i = first; i < count * p.width; i += step) tables[i] = table_entry(cell, p, r + 3 * (i / p.width), i % p.width);
}
// Without tables.
__device__ __forceinline__ Complex wave_directly(const Reciprocal& cell, const Wave& w, const double* r) {
  return turn(w.n[0] * cell.fraction(0, r) + w.n[1] * cell.fraction(1, r) + w.n[2] * cell.fraction(2, r));
}

// Sums over the block in an order that does not change: every thread gets them. `parts` has most_warps N
// numbers of shared memory, which nobody else touches before the next barrier.
template <int N> __device__ __forceinline__ void block_sums(double (&value)[N], double* parts) {
  const int warps = warps_of_block();
  SUITE_GPU_UNROLL
  for (int n = 0; n < N; ++n) {
    const double sum = gpu::warp_sum(value[n]);
    if (gpu::lane() == 0) parts[warp_number() * N + n] = sum;
  }
  __syncthreads();
  SUITE_GPU_UNROLL
  for (int n = 0; n < N; ++n) {
    double sum = 0;
    for (int w = 0; w < warps; ++w) sum += parts[w * N + n];
    value[n] = sum;
  }
  __syncthreads();
}

// A function of one electron's position.
struct Local {
  double value, gradient[3], laplacian;
};
__device__ __forceinline__ void warp_sums(Local& sum) {
  sum.value = gpu::warp_sum(sum.value);
  SUITE_GPU_UNROLL
  for (int d = 0; d < 3; ++d) sum.gradient[d] = gpu::warp_sum(sum.gradient[d]);
  sum.laplacian = gpu::warp_sum(sum.laplacian);
}

// Where such functions go, one after the other; each may be null.
struct LocalOut {
  double *value, *gradient, *laplacian;
  __device__ __forceinline__ void put(int64_t at, const Local& local) const {
    if (value) value[at] = local.value;
    if (laplacian) laplacian[at] = local.laplacian;
    for (int d = 0; d < 3 && gradient; ++d) gradient[3 * at + d] = local.gradient[d];
  }
};

}  // namespace suite::qmc
