// SPDX-License-Identifier: BSD-3-Clause
// Expansions of far fields on a GPU: a block for each cell, a thread for each component of m >= 0. Formulas: ../cpu/expansions.hpp.
// The harmonics of one vector are made by the block, a thread for each column of m, and read from shared memory.
#include "../device/far_field.hpp"
#include "call.hpp"

#include <suite/gpu/numbers.hpp>

namespace suite::dfpt {
namespace {

using Component = gpu::Complex<double>;

constexpr int cell_threads = 96;    // half_count(cell_order) components
constexpr int moved_threads = 192;  // half_count(most_order)
static_assert(half_count(cell_order) <= cell_threads && half_count(most_order) <= moved_threads);

// R_lm or I_lm of (x,y,z), m >= 0. Barriers around are the caller's.
template <bool Irregular> __device__ __forceinline__ void put_harmonics(const Vector& v, int order, Component* h) {
  const double r2 = v.x * v.x + v.y * v.y + v.z * v.z, over = 1 / r2;
  for (int m = thread(); m <= order; m += static_cast<int>(blockDim.x)) {
    Component here{Irregular ? ::sqrt(over) : 1.0, 0.0};
    for (int k = 1; k <= m; ++k) {
      const double factor = Irregular ? (2 * k - 1) * over : gpu::reciprocal(2.0 * k);
      here = {(here.re * v.x - here.im * v.y) * factor, (here.re * v.y + here.im * v.x) * factor};
    }
    Component below{0.0, 0.0};
    h[half_place(m, m)] = here;
    for (int l = m + 1; l <= order; ++l) {
      const double scale = Irregular ? over : gpu::reciprocal(1.0 * (l + m) * (l - m));
      const double along = (2 * l - 1) * v.z * scale, back = (Irregular ? 1.0 * (l - 1) * (l - 1) - 1.0 * m * m : r2) * scale;
      const Component up{along * here.re - back * below.re, along * here.im - back * below.im};
      below = here;
      h[half_place(l, m)] = here = up;
    }
  }
}

// X_l(-m) = (-1)^m conj(X_lm); `apart` components from one (l,m) to the next.
__device__ __forceinline__ Component of_any_m(const Component* h, int l, int m, int apart = 1) {
  const Component z = h[half_place(l, m < 0 ? -m : m) * apart];
  const double sign = m < 0 && m % 2 ? -1.0 : 1.0;
  return {sign * z.re, (m < 0 ? -sign : sign) * z.im};
}

__device__ __forceinline__ int row_of(int component) {
  int l = 0;
  while (half_count(l) <= component) ++l;
  return l;
}

__device__ __forceinline__ void copy_components(const double* from, int64_t first, int count, Component* to) {
  for (int i = thread(); i < count; i += static_cast<int>(blockDim.x)) to[i] = reinterpret_cast<const Component*>(from)[first + i];
}

template <int Dirs>
__global__ void __launch_bounds__(block_threads)
    read_moments(const double* moments, const int32_t* atom_table, const double* factors, double* multipoles, int64_t n_atoms,
                 int64_t n_tables, int l_max, int64_t first_dir) {
  const int64_t e = int64_t{blockIdx.x} * block_threads + thread();
  if (e >= n_atoms * half_count(l_max)) return;
  const int64_t atom = e / half_count(l_max);
  const int component = static_cast<int>(e % half_count(l_max)), l = row_of(component), m = component - half_place(l, 0);
  SUITE_GPU_UNROLL
  for (int d = 0; d < Dirs; ++d) {
    const double* const from = moments + components(l_max) * (atom_table[atom] - 1 + n_tables * (first_dir + d)) + l * l + l;
    const Component value{factors[component] * from[m], m > 0 ? factors[component] * from[-m] : 0.0};
    reinterpret_cast<Component*>(multipoles)[e * Dirs + d] = value;
  }
}

template <int Dirs>
__global__ void __launch_bounds__(cell_threads)
    join_multipoles(const FarSource* sources, const FarParts* cells, const int32_t* parts, double* multipoles, int64_t first) {
  __shared__ Component R[half_count(cell_order)], M[half_count(cell_order) * Dirs];
  const FarParts cell = cells[first + blockIdx.x];
  const FarSource& whole = sources[cell.source];
  const int l = row_of(thread()), m = thread() - half_place(l, 0);
  const bool mine = thread() < half_count(cell_order);
  Component sum[Dirs] = {};
  for (int i = cell.first; i < cell.last; ++i) {
    const FarSource& part = sources[parts[i]];
    __syncthreads();
    put_harmonics<false>(from(whole.centre, part.centre), cell_order, R);
    copy_components(multipoles, int64_t{part.multipole} * Dirs, half_count(part.order) * Dirs, M);
    __syncthreads();
    if (!mine) continue;
    for (int j = 0; j <= l && j <= part.order; ++j) {
      const int least = m - (l - j) > -j ? m - (l - j) : -j, most = m + (l - j) < j ? m + (l - j) : j;
      for (int k = least; k <= most; ++k) {
        const Component r = of_any_m(R, l - j, m - k);
        SUITE_GPU_UNROLL
        for (int d = 0; d < Dirs; ++d) sum[d] = sum[d] + r * of_any_m(M + d, j, k, Dirs);
      }
    }
  }
  if (!mine) return;
  SUITE_GPU_UNROLL
  for (int d = 0; d < Dirs; ++d) reinterpret_cast<Component*>(multipoles)[(int64_t{whole.multipole} + thread()) * Dirs + d] = sum[d];
}

// L_jk of one source, but for its sign. The terms of m and -m have the same M_lm = a + i b, and
//   conj(M_lm) I+ + (-1)^m M_lm I- = a (I+ + I') + i b (I' - I+),  I' = (-1)^m I-,
// with I+ and I- at k + m and k - m.
template <int Dirs>
__device__ __forceinline__ void add_source(const Component* I, const Component* M, int source_order, int j, int k, Component (&sum)[Dirs]) {
  const double sign_of_k = k % 2 ? -1.0 : 1.0;
  for (int l = 0; l <= source_order; ++l) {
    const Component* const row = I + half_place(l + j, 0);
    const Component* const of_l = M + half_place(l, 0) * Dirs;
    SUITE_GPU_UNROLL
    for (int d = 0; d < Dirs; ++d) {
      sum[d].re += row[k].re * of_l[d].re;
      sum[d].im += row[k].im * of_l[d].re;
    }
    for (int m = 1; m <= l; ++m) {
      const bool below = m > k;
      const Component up = row[k + m], down = row[below ? m - k : k - m];
      const double sign = below ? sign_of_k : m % 2 ? -1.0 : 1.0;
      const Component turned{sign * down.re, (below ? -sign : sign) * down.im};
      const Component both = up + turned, difference{turned.re - up.re, turned.im - up.im};
      SUITE_GPU_UNROLL
      for (int d = 0; d < Dirs; ++d) {
        const Component moment = of_l[m * Dirs + d];
        sum[d].re += moment.re * both.re - moment.im * difference.im;
        sum[d].im += moment.re * both.im + moment.im * difference.re;
      }
    }
  }
}

template <int Dirs>
__global__ void __launch_bounds__(moved_threads)
    take_from_far(const FarSource* sources, const FarCell* cells, const FarTaken* taken, const int32_t* targets, const double* multipoles,
                  double* locals, int64_t first, int most) {
  SUITE_GPU_DYNAMIC_SHARED(Component, shared);
  Component *const I = shared, *const M = shared + half_count(most + cell_order);
  const FarCell& cell = cells[targets[first + blockIdx.x]];
  const int j = row_of(thread()), k = thread() - half_place(j, 0);
  Component sum[Dirs] = {};
  for (int i = cell.first_far; i < cell.last_far; ++i) {
    const FarTaken take = taken[i];
    const FarSource& source = sources[take.source];
    __syncthreads();
    put_harmonics<true>(from(source.centre, cell.centre), take.order + take.source_order, I);
    copy_components(multipoles, int64_t{source.multipole} * Dirs, half_count(take.source_order) * Dirs, M);
    __syncthreads();
    if (thread() < half_count(take.order)) add_source(I, M, take.source_order, j, k, sum);
  }
  if (thread() >= half_count(cell.order)) return;
  const double sign = j % 2 ? -1.0 : 1.0;
  SUITE_GPU_UNROLL
  for (int d = 0; d < Dirs; ++d) {
    const Component value{sign * sum[d].re, sign * sum[d].im};
    reinterpret_cast<Component*>(locals)[(int64_t{cell.expansion} + thread()) * Dirs + d] = value;
  }
}

template <int Dirs>
__global__ void __launch_bounds__(moved_threads) move_down(const FarCell* cells, const int32_t* moved, double* locals, int64_t first) {
  __shared__ Component R[half_count(most_order)], L[half_count(most_order) * Dirs];
  const FarCell& cell = cells[moved[first + blockIdx.x]];
  const FarCell& above = cells[cell.parent];
  put_harmonics<false>(from(above.centre, cell.centre), above.order, R);
  copy_components(locals, int64_t{above.expansion} * Dirs, half_count(above.order) * Dirs, L);
  __syncthreads();
  if (thread() >= half_count(cell.order)) return;
  const int l = row_of(thread()), m = thread() - half_place(l, 0);
  Component sum[Dirs] = {};
  for (int j = l; j <= above.order; ++j) {
    const int least = m - (j - l) > -j ? m - (j - l) : -j, most = m + (j - l) < j ? m + (j - l) : j;
    for (int k = least; k <= most; ++k) {
      const Component r = conjugate(of_any_m(R, j - l, k - m));
      SUITE_GPU_UNROLL
      for (int d = 0; d < Dirs; ++d) sum[d] = sum[d] + r * of_any_m(L + d, j, k, Dirs);
    }
  }
  SUITE_GPU_UNROLL
  for (int d = 0; d < Dirs; ++d) {
    Component& to = reinterpret_cast<Component*>(locals)[(int64_t{cell.expansion} + thread()) * Dirs + d];
    to = to + sum[d];
  }
}

template <class F> void by_dirs(int64_t dirs, F&& f) {
  if (dirs == 3) f(std::integral_constant<int, 3>());
  else f(std::integral_constant<int, 1>());
}

void launch_atom_multipoles(const device::Queue& queue, int64_t items, const double* moments, const int32_t* atom_table,
                            const double* factors, double* multipoles, int64_t n_atoms, int64_t n_tables, int32_t l_max, int64_t first_dir,
                            int32_t dirs) {
  by_dirs(dirs, [&](auto n) {
    SUITE_GPU_LAUNCH(read_moments<n>, blocks_for(items, block_threads), block_threads, 0, queue.stream(), moments, atom_table, factors,
                     multipoles, n_atoms, n_tables, l_max, first_dir);
  });
}

void launch_cell_multipoles(const device::Queue& queue, int64_t groups, const FarSource* sources, const FarParts* cells,
                            const int32_t* parts, double* multipoles, int64_t first, int64_t, int32_t dirs) {
  by_dirs(dirs, [&](auto n) {
    SUITE_GPU_LAUNCH(join_multipoles<n>, grid_of(groups), cell_threads, 0, queue.stream(), sources, cells, parts, multipoles, first);
  });
}

void launch_local_expansions(const device::Queue& queue, int64_t groups, const FarSource* sources, const FarCell* cells,
                             const FarTaken* taken, const int32_t* targets, const double* multipoles, double* locals, int64_t first,
                             int64_t, int32_t most, int32_t dirs) {
  const auto threads = static_cast<unsigned>(rounded(half_count(most), 32));
  const size_t shared = sizeof(Component) * at(half_count(most + cell_order) + half_count(cell_order) * dirs);
  by_dirs(dirs, [&](auto n) {
    SUITE_GPU_LAUNCH(take_from_far<n>, grid_of(groups), threads, shared, queue.stream(), sources, cells, taken, targets, multipoles, locals,
                     first, most);
  });
}

void launch_moved_expansions(const device::Queue& queue, int64_t groups, const FarCell* cells, const int32_t* moved, double* locals,
                             int64_t first, int64_t, int32_t dirs) {
  by_dirs(dirs,
          [&](auto n) { SUITE_GPU_LAUNCH(move_down<n>, grid_of(groups), moved_threads, 0, queue.stream(), cells, moved, locals, first); });
}

}  // namespace

int64_t far_component(int64_t dirs) { return 2 * dirs; }
int64_t items_of_groups(const device::Queue&, int64_t groups) { return groups; }
AtomMultipoles atom_multipoles() { return {launch_atom_multipoles}; }
CellMultipoles cell_multipoles() { return {launch_cell_multipoles}; }
LocalExpansions local_expansions() { return {launch_local_expansions}; }
MovedExpansions moved_expansions() { return {launch_moved_expansions}; }

}  // namespace suite::dfpt
