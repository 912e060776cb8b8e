// SPDX-License-Identifier: BSD-3-Clause
#include <numbers>

#include "field.hpp"

namespace suite::lfd {
namespace {

constexpr double four_pi = 4 * std::numbers::pi;
constexpr unsigned one_block_threads = 256;

__device__ __forceinline__ int point_index() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

template <class T> __global__ void __launch_bounds__(sum_threads) sum_values(const T* values, int64_t points, double* slots) {
  double sum[1] = {0};
  for (int64_t p = static_cast<int64_t>(blockIdx.x) * sum_threads + threadIdx.x; p < points; p += int64_t{sum_slots} * sum_threads)
    sum[0] += static_cast<double>(values[p]);
  block_sum<1, sum_threads>(sum, [&](int, double all) { slots[blockIdx.x] = all; });
}

// values - their mean, times a factor; the mean comes as sums in slots.
template <class In, class T>
__global__ void subtract_mean(const In* values, const double* slots, double factor, int64_t points, T* result) {
  const int64_t p = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (p >= points) return;
  double sum = 0;
  for (int s = 0; s < sum_slots; ++s) sum += slots[s];
  result[p] = static_cast<T>(factor * (static_cast<double>(values[p]) - sum / static_cast<double>(points)));
}

// The loop form: arrays with one layer of ghost points, v and w and the change u and the source.
struct GhostedField {
  int n[3];
  __device__ __forceinline__ int row() const { return n[2] + 2; }
  __device__ __forceinline__ int plane() const { return row() * (n[1] + 2); }
  __device__ __forceinline__ int points() const { return n[0] * n[1] * n[2]; }
  __device__ __forceinline__ int at(int p) const {
    return (p / (n[1] * n[2]) + 1) * plane() + (p / n[2] % n[1] + 1) * row() + p % n[2] + 1;
  }
  __device__ __forceinline__ int faces() const { return 2 * (n[0] * n[1] + n[1] * n[2] + n[0] * n[2]); }
};

template <class T> __device__ __forceinline__ void copy_ghost(const GhostedField& g, T* v, int face) {
  const int upper = face % 2;
  int i = face / 2, d = 0;
  const int sizes[2] = {g.n[1] * g.n[2], g.n[0] * g.n[2]};
  if (i >= sizes[0]) i -= sizes[0], d = 1;
  if (d == 1 && i >= sizes[1]) i -= sizes[1], d = 2;
  const int a = d == 2 ? g.n[1] : g.n[2];
  const int first = i / a + 1, second = i % a + 1;
  const int base = d == 0 ? first * g.row() + second : d == 1 ? first * g.plane() + second : first * g.plane() + second * g.row();
  const int stride = d == 0 ? g.plane() : d == 1 ? g.row() : 1, n = g.n[d];
  if (upper) v[base + (n + 1) * stride] = v[base + stride];
  else v[base] = v[base + n * stride];
}

// Second differences direction by direction: with their weights collected into one factor of v, its last bit
// would be a spring on the mean of v.
template <class T, class Constants>
__device__ __forceinline__ T change_of(const Constants& c, const T* v, const int (&next)[3], const int (&before)[3], T here) {
  T sum = 0;
  SUITE_GPU_UNROLL
  for (int d = 0; d < 3; ++d) sum += c.along[d] * ((v[next[d]] - here) + (v[before[d]] - here));
  return sum;
}

template <class T, class Constants>
__device__ __forceinline__ void change_ghosted(const GhostedField& g, const Constants& c, const T* v, const T* w, const T* source, T* u,
                                               int p) {
  const int at = g.at(p);
  const int next[3] = {at + g.plane(), at + g.row(), at + 1}, before[3] = {at - g.plane(), at - g.row(), at - 1};
  u[p] = change_of(c, v, next, before, v[at]) + source[p] - (1 - c.keep) * w[p];
}
template <class T> __device__ __forceinline__ void add_ghosted(const GhostedField& g, T* v, T* w, const T* u, int p) {
  const T sum = w[p] + u[p];
  w[p] = sum;
  v[g.at(p)] += sum;
}

template <class T> __global__ void load_ghosted(GhostedField g, const T* vH, T* v) {
  const int p = point_index();
  if (p < g.points()) v[g.at(p)] = vH[p];
}
template <class T> __global__ void store_ghosted(GhostedField g, const T* v, T* vH) {
  const int p = point_index();
  if (p < g.points()) vH[p] = v[g.at(p)];
}
template <class T> __global__ void copy_ghosts(GhostedField g, T* v) {
  const int face = point_index();
  if (face < g.faces()) copy_ghost(g, v, face);
}
template <class T, class Constants>
__global__ void change_points(GhostedField g, Constants c, const T* v, const T* w, const T* source, T* u) {
  const int p = point_index();
  if (p < g.points()) change_ghosted(g, c, v, w, source, u, p);
}
template <class T> __global__ void add_change(GhostedField g, T* v, T* w, const T* u) {
  const int p = point_index();
  if (p < g.points()) add_ghosted(g, v, w, u, p);
}

template <class T, class Constants>
__global__ void __launch_bounds__(one_block_threads)
    loop_in_one_block(GhostedField g, Constants c, int64_t steps, T* v, T* w, const T* source, T* u) {
  const int first = static_cast<int>(threadIdx.x);
  for (int64_t step = 0; step < steps; ++step) {
    for (int face = first; face < g.faces(); face += one_block_threads) copy_ghost(g, v, face);
    __syncthreads();
    for (int p = first; p < g.points(); p += one_block_threads) change_ghosted(g, c, v, w, source, u, p);
    __syncthreads();
    for (int p = first; p < g.points(); p += one_block_threads) add_ghosted(g, v, w, u, p);
    __syncthreads();
  }
}

template <class T, class Constants> __global__ void step_fused(Constants c, const T* v, T* w, const T* source, T* v_next) {
  const int p = point_index(), nx = c.n[0], ny = c.n[1], nz = c.n[2];
  if (p >= nx * ny * nz) return;
  const int z = p % nz, y = p / nz % ny, x = p / (nz * ny), row = nz, plane = nz * ny;
  const int next[3] = {x + 1 < nx ? p + plane : p - x * plane, y + 1 < ny ? p + row : p - y * row, z + 1 < nz ? p + 1 : p - z};
  const int before[3] = {x > 0 ? p - plane : p + (nx - 1) * plane, y > 0 ? p - row : p + (ny - 1) * row, z > 0 ? p - 1 : p + nz - 1};
  const T here = v[p], sum = c.keep * w[p] + (change_of(c, v, next, before, here) + source[p]);
  w[p] = sum;
  v_next[p] = here + sum;
}

}  // namespace

template <class T> void sum_points(gpu::Stream stream, const T* values, int64_t points, double* slots) {
  SUITE_GPU_LAUNCH(sum_values<T>, sum_slots, sum_threads, 0, stream, values, points, slots);
}
template void sum_points<float>(gpu::Stream, const float*, int64_t, double*);
template void sum_points<double>(gpu::Stream, const double*, int64_t, double*);

template <class T>
FieldSolver<T>::FieldSolver(const gpu::Queue& queue)
    : queue_(queue),
      source_(queue, "the source of the field"),
      scratch_(queue, "the field between its steps"),
      slots_(queue, "the sums of the density"),
      matrices_(queue, "the waves of each axis"),
      powers_(queue, "the powers of the field's step"),
      inverse_(queue, "the field's inverse Laplacian"),
      waves_(queue, "the field's waves"),
      one_(queue, "the field between transforms"),
      two_(queue, "the field between transforms") {}

template <class T> void FieldSolver<T>::set(const Grid& grid, const FieldConstants& constants, Form form, Laplacian laplacian) {
  check_size(grid);
  const bool same_grid = std::equal(grid.n, grid.n + 3, grid_.n) && std::equal(grid.h, grid.h + 3, grid_.h);
  if (!same_grid) axes_set_ = inverse_set_ = false;
  if (!same_grid || constants.kappa != constants_.kappa || constants.gamma != constants_.gamma || constants.steps != constants_.steps)
    powers_set_ = false;
  grid_ = grid;
  constants_ = constants;
  for (int d = 0; d < 3; ++d) {
    device_.n[d] = static_cast<int>(grid.n[d]);
    device_.along[d] = grid.n[d] > 1 ? static_cast<T>(constants.kappa / (grid.h[d] * grid.h[d])) : 0;
  }
  device_.keep = static_cast<T>(1 - constants.gamma);
  slots_.at_least(2 * sum_slots);
  if (form == Form::at_once) set_powers();
  if (form == Form::solution) set_inverse(laplacian);
}

// 4 pi kappa (rho - mean rho). The rounding of a mean is a source at all points alike, which undamped steps
// add up with the square of their number; so the mean is taken twice.
template <class T> void FieldSolver<T>::make_source(const T* rho) {
  const int64_t points = grid_.points();
  T* const source = source_.at_least(points);
  double* const centred = two_.at_least(points);
  double* const slots = slots_.data();
  const gpu::Stream stream = queue_.stream();
  sum_points(stream, rho, points, slots);
  SUITE_GPU_LAUNCH((subtract_mean<T, double>), blocks_for(points, point_threads), point_threads, 0, stream, rho, slots, 1.0, points,
                   centred);
  sum_points(stream, static_cast<const double*>(centred), points, slots + sum_slots);
  SUITE_GPU_LAUNCH((subtract_mean<double, T>), blocks_for(points, point_threads), point_threads, 0, stream, centred, slots + sum_slots,
                   four_pi * constants_.kappa, points, source);
}

template <class T> void FieldSolver<T>::loop(T* vH, const T* rho, LoopRun how) {
  const GhostedField g{{device_.n[0], device_.n[1], device_.n[2]}};
  const int64_t points = grid_.points(), with_ghosts = (grid_.n[0] + 2) * (grid_.n[1] + 2) * (grid_.n[2] + 2);
  const int64_t faces = 2 * (grid_.n[0] * grid_.n[1] + grid_.n[1] * grid_.n[2] + grid_.n[0] * grid_.n[2]);
  const unsigned blocks = blocks_for(points, point_threads);
  const gpu::Stream stream = queue_.stream();
  make_source(rho);
  T *const v = scratch_.at_least(with_ghosts + points), *const u = v + with_ghosts, *const w = vH + points;
  const T* const source = source_.data();
  SUITE_GPU_LAUNCH(load_ghosted<T>, blocks, point_threads, 0, stream, g, vH, v);
  if (how == LoopRun::one_block) {
    SUITE_GPU_LAUNCH((loop_in_one_block<T, Constants>), 1, one_block_threads, 0, stream, g, device_, constants_.steps, v, w, source, u);
  } else {
    const auto joined = [&] {
      if (how == LoopRun::waiting) queue_.wait();
    };
    for (int64_t step = 0; step < constants_.steps; ++step) {
      SUITE_GPU_LAUNCH(copy_ghosts<T>, blocks_for(faces, point_threads), point_threads, 0, stream, g, v);
      joined();
      SUITE_GPU_LAUNCH((change_points<T, Constants>), blocks, point_threads, 0, stream, g, device_, v, w, source, u);
      joined();
      SUITE_GPU_LAUNCH(add_change<T>, blocks, point_threads, 0, stream, g, v, w, u);
      joined();
    }
  }
  SUITE_GPU_LAUNCH(store_ghosted<T>, blocks, point_threads, 0, stream, g, v, vH);
}

template <class T> void FieldSolver<T>::fused(T* vH, const T* rho) {
  const int64_t points = grid_.points();
  const gpu::Stream stream = queue_.stream();
  make_source(rho);
  T *from = vH, *to = scratch_.at_least(points);
  for (int64_t step = 0; step < constants_.steps; ++step) {
    SUITE_GPU_LAUNCH((step_fused<T, Constants>), blocks_for(points, point_threads), point_threads, 0, stream, device_, from, vH + points,
                     source_.data(), to);
    std::swap(from, to);
  }
  if (from != vH) gpu::copy(stream, vH, from, static_cast<size_t>(points) * sizeof(T));
}

}  // namespace suite::lfd

#include "waves.cuh"

namespace suite::lfd {
template class FieldSolver<float>;
template class FieldSolver<double>;
}  // namespace suite::lfd
