// SPDX-License-Identifier: BSD-3-Clause
// FieldSolver wave by wave (field.hpp), in double whatever the call's precision: the waves of a density
// differ by many orders, and the rounding of its mean would come out of the inverse Laplacian as the largest
// error.
#pragma once

#include <numbers>

#include "field.hpp"

namespace suite::lfd {
namespace {

// What happens to a wave (x,y,z) of the last transform forward before it is written.
struct Keep {
  __device__ __forceinline__ double operator()(int, int, int, int64_t, double value) const { return value; }
};
// Times a number of the wave.
struct Multiply {
  const double* factor;
  int ny, nz;  // how many different waves
  __device__ __forceinline__ double operator()(int x, int y, int z, int64_t, double value) const {
    return value * factor[((x + 1) / 2 * ny + (y + 1) / 2) * nz + (z + 1) / 2];
  }
};
// All field steps of a wave, with its density: gives v, and writes w.
struct Power {
  const double* power;  // vv, vw, vr, wv, ww, wr of each wave
  const double* v;
  double* w;
  int ny, nz;
  __device__ __forceinline__ double operator()(int x, int y, int z, int64_t at, double rho) const {
    const double* const m = power + 6 * (((x + 1) / 2 * ny + (y + 1) / 2) * nz + (z + 1) / 2);
    const double a = v[at], b = w[at];
    w[at] = m[3] * a + m[4] * b + m[5] * rho;
    return m[0] * a + m[1] * b + m[2] * rho;
  }
};

constexpr int tile = 32;
constexpr int tile_threads = 256;
constexpr int rows_of_thread = tile * tile / tile_threads;

// out(row,r) = last(sum_i matrix(row,i) in(r,i)): the slowest index is transformed and becomes the fastest.
template <class In, class Out, class Last>
__global__ void __launch_bounds__(tile_threads)
    turn_axis(const In* in, const double* matrix, int rows, int columns, int rest, int ny, Last last, Out* out) {
  __shared__ double values[tile][tile + 1], factors[tile][tile + 1];
  const int tiles = (rest + tile - 1) / tile;
  const int r0 = static_cast<int>(blockIdx.x) % tiles * tile, row0 = static_cast<int>(blockIdx.x) / tiles * tile;
  const int tx = static_cast<int>(threadIdx.x) % tile, ty = static_cast<int>(threadIdx.x) / tile;
  double sum[rows_of_thread] = {};
  for (int c0 = 0; c0 < columns; c0 += tile) {
    SUITE_GPU_UNROLL
    for (int j = 0; j < rows_of_thread; ++j) {
      const int i = ty + j * (tile_threads / tile);
      values[i][tx] = c0 + i < columns && r0 + tx < rest ? static_cast<double>(in[static_cast<int64_t>(c0 + i) * rest + r0 + tx]) : 0.0;
      factors[i][tx] = row0 + i < rows && c0 + tx < columns ? matrix[(row0 + i) * columns + c0 + tx] : 0.0;
    }
    __syncthreads();
    SUITE_GPU_UNROLL
    for (int c = 0; c < tile; ++c) SUITE_GPU_UNROLL
    for (int j = 0; j < rows_of_thread; ++j) sum[j] += factors[ty + j * (tile_threads / tile)][c] * values[c][tx];
    __syncthreads();
  }
  SUITE_GPU_UNROLL
  for (int j = 0; j < rows_of_thread; ++j) values[ty + j * (tile_threads / tile)][tx] = sum[j];
  __syncthreads();
  SUITE_GPU_UNROLL
  for (int j = 0; j < rows_of_thread; ++j) {
    const int r = r0 + ty + j * (tile_threads / tile), row = row0 + tx;
    if (r >= rest || row >= rows) continue;
    const int64_t at = static_cast<int64_t>(r) * rows + row;
    out[at] = static_cast<Out>(last(r / ny, r % ny, row, at, values[tx][ty + j * (tile_threads / tile)]));
  }
}

template <class In, class Out, class Last>
void turn(gpu::Stream stream, const In* in, const double* matrix, int64_t rows, int64_t columns, int64_t rest, int64_t ny, const Last& last,
          Out* out) {
  const int64_t blocks = (rest + tile - 1) / tile * ((rows + tile - 1) / tile);
  SUITE_GPU_LAUNCH((turn_axis<In, Out, Last>), static_cast<unsigned>(blocks), tile_threads, 0, stream, in, matrix, rows, columns, rest, ny,
                   last, out);
}

}  // namespace

template <class T> int64_t FieldSolver<T>::Axes::largest() const { return waves[0] * waves[1] * waves[2]; }

// The matrices of all axes. doubled: the density is surrounded by as many zeros, which are not stored.
template <class T> void FieldSolver<T>::set_axes(bool doubled) {
  if (axes_set_ && doubled == doubled_) return;
  std::vector<double> all;
  for (int d = 0; d < 3; ++d) {
    const AxisBasis basis = axis_basis(grid_.n[d], doubled);
    axes_.points[d] = grid_.n[d];
    axes_.waves[d] = doubled ? 2 * grid_.n[d] : grid_.n[d];
    axes_.forward[d] = std::ssize(all);
    all.insert(all.end(), basis.to_waves.begin(), basis.to_waves.end());
    axes_.backward[d] = std::ssize(all);
    all.insert(all.end(), basis.to_points.begin(), basis.to_points.end());
  }
  matrices_.upload(all.data(), std::ssize(all));
  queue_.wait();  // `all` goes
  axes_set_ = true;
  doubled_ = doubled;
}

template <class T> void FieldSolver<T>::set_powers() {
  set_axes(false);
  waves_.at_least(2 * grid_.points());
  if (powers_set_) return;
  const std::vector<double> coulomb = coulomb_factors(Laplacian::differences, grid_.n, grid_.h);
  const std::vector<FieldPower> powers = field_powers(grid_.n, grid_.h, constants_.kappa, constants_.gamma, constants_.steps);
  std::vector<double> all;
  for (size_t i = 0; i < powers.size(); ++i) {
    const FieldPower& m = powers[i];
    const double source = coulomb[i];
    for (const double number : {m.dd, m.dw, (1 - m.dd) * source, m.wd, m.ww, -m.wd * source}) all.push_back(number);
  }
  powers_.upload(all.data(), std::ssize(all));
  queue_.wait();
  powers_set_ = true;
}

template <class T> void FieldSolver<T>::set_inverse(Laplacian laplacian) {
  set_axes(laplacian == Laplacian::isolated);
  if (inverse_set_ && laplacian == laplacian_) return;
  const std::vector<double> all = coulomb_factors(laplacian, grid_.n, grid_.h);
  inverse_.upload(all.data(), std::ssize(all));
  queue_.wait();
  inverse_set_ = true;
  laplacian_ = laplacian;
}

template <class T> template <class Last> void FieldSolver<T>::forward(const T* in, double* out, const Last& last) {
  const auto &p = axes_.points, &m = axes_.waves;
  double *const one = one_.at_least(axes_.largest()), *const two = two_.at_least(axes_.largest());
  const double* const matrices = matrices_.data();
  const gpu::Stream stream = queue_.stream();
  turn(stream, in, matrices + axes_.forward[0], m[0], p[0], p[1] * p[2], 1, Keep(), one);
  turn(stream, one, matrices + axes_.forward[1], m[1], p[1], p[2] * m[0], 1, Keep(), two);
  turn(stream, two, matrices + axes_.forward[2], m[2], p[2], m[0] * m[1], m[1], last, out);
}

template <class T> void FieldSolver<T>::backward(const double* in, T* out) {
  const auto &p = axes_.points, &m = axes_.waves;
  double *const one = one_.at_least(axes_.largest()), *const two = two_.at_least(axes_.largest());
  const double* const matrices = matrices_.data();
  const gpu::Stream stream = queue_.stream();
  turn(stream, in, matrices + axes_.backward[0], p[0], m[0], m[1] * m[2], 1, Keep(), one);
  turn(stream, one, matrices + axes_.backward[1], p[1], m[1], m[2] * p[0], 1, Keep(), two);
  turn(stream, two, matrices + axes_.backward[2], p[2], m[2], p[0] * p[1], 1, Keep(), out);
}

template <class T> void FieldSolver<T>::load_waves(const T* vH) {
  const int64_t points = grid_.points();
  forward(vH, waves_.data(), Keep());
  forward(vH + points, waves_.data() + points, Keep());
}

template <class T> void FieldSolver<T>::closed_waves(T* v, const T* rho) {
  double *const v_waves = waves_.data(), *const w_waves = v_waves + grid_.points();
  forward(rho, v_waves,
          Power{powers_.data(), v_waves, w_waves, static_cast<int>(grid_.n[1] / 2 + 1), static_cast<int>(grid_.n[2] / 2 + 1)});
  backward(v_waves, v);
}

template <class T> void FieldSolver<T>::finish_waves(T* w) { backward(waves_.data() + grid_.points(), w); }

template <class T> void FieldSolver<T>::solve(T* v, const T* rho) {
  double* const waves = waves_.at_least(axes_.largest());
  forward(rho, waves, Multiply{inverse_.data(), static_cast<int>(axes_.waves[1] / 2 + 1), static_cast<int>(axes_.waves[2] / 2 + 1)});
  backward(waves, v);
}

}  // namespace suite::lfd
