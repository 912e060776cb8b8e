// SPDX-License-Identifier: BSD-3-Clause
// Delayed updates of one walker's inverse Slater matrix by one block (McDaniel et al., J. Chem. Phys. 147,
// 174107 (2017)). With U the columns of dbar of the electrons that wait, V their new orbitals, B(l,m) =
// U_l.V_m, and t_l = dbar_i.V_l - [l is i], column i of dbar after these moves is
//   dbar_i - sum_m d_m U_m,   d_m = sum_l t_l Binv(l,m).
#pragma once

#include "product.cuh"

namespace suite::qmc {

// As delayed_phi, delayed_dbar, delayed_binv and delayed_electron of the interface: V, U, Binv, and how many
// wait and who. In memory of the device or of the block.
struct Window {
  int n, kmax;
  double *phi, *columns, *binv;
  int* electron;
  __device__ __forceinline__ int count() const { return electron[0]; }
};

// Numbers that a block works with: t and d of the last column, and two more lists.
struct WindowWork {
  double *t, *d, *b, *g;  // kmax each
};
inline constexpr int window_lists = 4;
__device__ __forceinline__ WindowWork window_work(double* memory, int kmax) {
  return {memory, memory + kmax, memory + 2 * kmax, memory + 3 * kmax};
}

// to[l] = vector.matrix(:,l) for l < count, a warp for each two, so that the vector is read half as often.
__device__ __forceinline__ void products_with(const double* vector, const double* matrix, int n, int count, double* to) {
  for (int l = 2 * warp_number(); l < count; l += 2 * warps_of_block()) {
    const bool both = l + 1 < count;
    const double *x = vector + gpu::lane(), *one = matrix + static_cast<int64_t>(l) * n + gpu::lane(), *two = both ? one + n : one;
    double sum[2] = {0, 0};
    for (int a = gpu::lane(); a < n; a += warpSize, x += warpSize, one += warpSize, two += warpSize) {
      sum[0] += *x * *one;
      sum[1] += *x * *two;
    }
    sum[0] = gpu::warp_sum(sum[0]);
    sum[1] = gpu::warp_sum(sum[1]);
    if (gpu::lane() > 0) continue;
    to[l] = sum[0];
    if (both) to[l + 1] = sum[1];
  }
}

// Column i, from 0, as it is now. Leaves t and d behind.
__device__ __forceinline__ void current_column(const Window& w, const double* dbar, int i, const WindowWork& work, double* column) {
  const int count = w.count();
  const double* const old = dbar + static_cast<int64_t>(i) * w.n;
  products_with(old, w.phi, w.n, count, work.t);
  __syncthreads();
  for (int m = thread(); m < count; m += block_threads) {
    double sum = 0;
    for (int l = 0; l < count; ++l) sum += (work.t[l] - (w.electron[1 + l] == i + 1 ? 1 : 0)) * w.binv[l + w.kmax * m];
    work.d[m] = sum;
  }
  __syncthreads();
  for (int a = thread(); a < w.n; a += block_threads) {
    double x = old[a];
    const double* other = w.columns + a;
    for (int m = 0; m < count; ++m, other += w.n) x -= work.d[m] * *other;
    column[a] = x;
  }
  __syncthreads();
}

// Electron i, which does not wait yet, joins with new orbitals and this ratio, after current_column of i.
// Binv grows by bordering.
__device__ __forceinline__ void join(const Window& w, const double* dbar, int i, const double* phi, double ratio, const WindowWork& work) {
  const int count = w.count();
  const double inverse = 1 / ratio;
  products_with(phi, w.columns, w.n, count, work.b);
  for (int a = thread(); a < w.n; a += block_threads) {
    w.phi[static_cast<int64_t>(count) * w.n + a] = phi[a];
    w.columns[static_cast<int64_t>(count) * w.n + a] = dbar[static_cast<int64_t>(i) * w.n + a];
  }
  __syncthreads();
  for (int l = thread(); l < count; l += block_threads) {
    double sum = 0;
    for (int m = 0; m < count; ++m) sum += w.binv[l + w.kmax * m] * work.b[m];
    work.g[l] = sum;
  }
  __syncthreads();
  for (int e = thread(); e < (count + 1) * (count + 1); e += block_threads) {
    const int l = e % (count + 1), m = e / (count + 1);
    double& x = w.binv[l + w.kmax * m];
    if (l < count && m < count) x += work.g[l] * work.d[m] * inverse;
    else x = l < count ? -work.g[l] * inverse : m < count ? -work.d[m] * inverse : inverse;
  }
  if (thread() == 0) {
    w.electron[0] = count + 1;
    w.electron[1 + count] = i + 1;
  }
  __syncthreads();
}

// Columns of dbar that are brought up to date at a time, and the memory of the device that it takes.
inline constexpr int flush_columns = 64;
SUITE_HOST_DEVICE int64_t flush_numbers(int64_t kmax) { return (2 * flush_columns + kmax) * kmax; }

// dbar takes the moves that wait, and nobody waits any more. `scratch` has flush_numbers(kmax). Binv, grown
// by bordering, has lost digits where ratios were small; one step of refinement with B rebuilt, d += (t - d
// B) Binv, has them back (docs/theory/qmc.md).
__device__ __forceinline__ void flush(const Window& w, double* dbar, Tiles& tiles, double* scratch) {
  const int n = w.n, count = w.count(), kmax = w.kmax;
  double *const t = scratch, *const d = t + flush_columns * kmax, *const B = d + flush_columns * kmax;
  block_product<Fast::inner, Fast::inner>(tiles, count, count, n, {w.columns, n}, {w.phi, n},
                                          [&](int l, int m, double sum) { B[l + kmax * m] = sum; });
  __syncthreads();
  for (int i0 = 0; i0 < n && count > 0; i0 += flush_columns) {
    const int some = n - i0 < flush_columns ? n - i0 : flush_columns;
    double* const part = dbar + static_cast<int64_t>(i0) * n;
    block_product<Fast::inner, Fast::inner>(tiles, some, count, n, {part, n}, {w.phi, n}, [&](int i, int l, double sum) {
      t[l * flush_columns + i] = sum - (w.electron[1 + l] == i0 + i + 1 ? 1 : 0);
    });
    __syncthreads();
    // d = t Binv, t -= d B, d += t Binv.
    SUITE_GPU_NO_UNROLL
    for (int step = 0; step < 3; ++step) {
      const bool back = step == 1;
      double* const to = back ? t : d;
      block_product<Fast::outer, Fast::inner>(tiles, some, count, count, {back ? d : t, flush_columns}, {back ? B : w.binv, kmax},
                                              [&](int i, int m, double sum) {
                                                double& x = to[m * flush_columns + i];
                                                x = step == 0 ? sum : back ? x - sum : x + sum;
                                              });
      __syncthreads();
    }
    block_product<Fast::outer, Fast::outer>(tiles, n, some, count, {w.columns, n}, {d, flush_columns},
                                            [&](int a, int i, double sum) { part[static_cast<int64_t>(i) * n + a] -= sum; });
    __syncthreads();
  }
  if (thread() == 0) w.electron[0] = 0;
  __syncthreads();
}

}  // namespace suite::qmc
