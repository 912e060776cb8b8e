// SPDX-License-Identifier: BSD-3-Clause
// dfpt.multipoles on a GPU: a block for each shell of each atom. Some of its points at a time have their
// harmonics in shared memory; then each thread has components of its own, so that the order of every sum is
// that of the points.
#include "../device/multipoles.hpp"
#include "call.hpp"

namespace suite::dfpt {
namespace {

constexpr int shell_points = 32;

struct Shells {
  const double *coords, *atom_coords, *weight, *rho;
  const int32_t *first, *points;  // of each shell, and of all shells, one after the other
  double* components;             // (n_lm,n_shells,n_dir)
  int64_t n_points, n_shells;
  int n_radial, n_lm, n_dir;
};

// Harmonics and weighted densities of one point: Y(lm), then w rho(d).
template <int l_max> __device__ __forceinline__ void put_point(const Shells& f, int64_t shell, int64_t p, double* to) {
  const double* const atom = f.atom_coords + 3 * (shell / f.n_radial);
  const Vector d = from(atom, f.coords + 3 * p);
  const double r = ::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  double Y[components(l_max)];
  harmonics_along<l_max>(d, r, r == 0, Y);
  SUITE_GPU_UNROLL
  for (int lm = 0; lm < components(l_max); ++lm)
    if (lm < f.n_lm) to[lm] = Y[lm];
  for (int c = 0; c < f.n_dir; ++c) to[f.n_lm + c] = f.weight[p] * f.rho[p + f.n_points * c];
}

template <int l_max> __global__ void __launch_bounds__(block_threads) project(Shells f) {
  SUITE_GPU_DYNAMIC_SHARED(double, shared);
  const int64_t shell = blockIdx.x;
  const int width = f.n_lm + f.n_dir, n_sums = f.n_lm * f.n_dir;
  double* const sums = shared + shell_points * width;
  for (int e = thread(); e < n_sums; e += block_threads) sums[e] = 0;
  for (int i0 = f.first[shell]; i0 < f.first[shell + 1]; i0 += shell_points) {
    const int left = f.first[shell + 1] - i0, some = left < shell_points ? left : shell_points;
    if (thread() < some) put_point<l_max>(f, shell, f.points[i0 + thread()], shared + thread() * width);
    __syncthreads();
    for (int e = thread(); e < n_sums; e += block_threads) {
      const int lm = e % f.n_lm, d = e / f.n_lm;
      double sum = 0;
      for (int i = 0; i < some; ++i) sum += shared[i * width + lm] * shared[i * width + f.n_lm + d];
      sums[e] += sum;
    }
    __syncthreads();
  }
  for (int e = thread(); e < n_sums; e += block_threads) f.components[e % f.n_lm + f.n_lm * (shell + f.n_shells * (e / f.n_lm))] = sums[e];
}

void launch_projection(const device::Queue& queue, int64_t n_shells, const double* coords, const double* atom_coords, const int32_t* first,
                       const int32_t* points, const double* weight, const double* rho, double* results, int64_t n_radial, int64_t,
                       int64_t n_points, int64_t n_dir, int32_t l_max) {
  const Shells shells{coords,
                      atom_coords,
                      weight,
                      rho,
                      first,
                      points,
                      results,
                      n_points,
                      n_shells,
                      static_cast<int>(n_radial),
                      components(l_max),
                      static_cast<int>(n_dir)};
  const int64_t width = shells.n_lm + shells.n_dir, sums = int64_t{shells.n_lm} * shells.n_dir;
  const size_t bytes = shared_numbers(queue, shell_points * width + sums, "the components of a shell");
  const auto kernel = l_max <= 4 ? project<4> : project<8>;
  SUITE_GPU_LAUNCH(kernel, grid_of(n_shells), block_threads, bytes, queue.stream(), shells);
}

}  // namespace

Projection projection() { return {launch_projection}; }

}  // namespace suite::dfpt
