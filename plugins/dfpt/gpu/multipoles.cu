// SPDX-License-Identifier: BSD-3-Clause
// dfpt.multipoles on a GPU: a block for each shell of each atom. Some of its points at a time have their
// harmonics in shared memory; then each thread has components of its own, so that the order of every sum is
// that of the points.
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
template <int l_max>
__device__ __forceinline__ void put_point(const Shells& f, int64_t shell, int64_t p, double* to) {
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

template <int l_max>
__global__ void __launch_bounds__(block_threads) project(Shells f) {
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
  for (int e = thread(); e < n_sums; e += block_threads)
    f.components[e % f.n_lm + f.n_lm * (shell + f.n_shells * (e / f.n_lm))] = sums[e];
}

class MultipolesGpu {
public:
  MultipolesGpu(const suite_backend* backend, suite_queue* queue, const int64_t*)
      : queue_(backend, queue),
        first_(queue_, "the points of each shell"),
        points_(queue_, "the points of each shell") {}

  void prepare(const suite_array* a) {
    queue_.select();
    const HostCopies<Multipoles> host(queue_, a, {"point_atom", "point_shell"});
    l_max_ = check_multipoles(*host);
    const int64_t n_radial = host->n_radial(), n_shells = n_radial * host->n_atoms(), n_points = host->n_points();
    const auto shell = [&](int64_t p) {
      return static_cast<size_t>(host->point_shell(p) - 1 + n_radial * (host->point_atom(p) - 1));
    };
    std::vector<int32_t> first(static_cast<size_t>(n_shells + 1)), points(static_cast<size_t>(n_points));
    for (int64_t p = 0; p < n_points; ++p) ++first[shell(p) + 1];
    for (size_t s = 1; s < first.size(); ++s) first[s] += first[s - 1];
    std::vector<int32_t> next = first;
    for (int64_t p = 0; p < n_points; ++p)
      points[static_cast<size_t>(next[shell(p)]++)] = static_cast<int32_t>(p);
    first_.set(first);
    points_.set(points);
  }

  void execute(const suite_array* a) {
    queue_.select();
    const Multipoles c(a);
    const Shells shells{c.coords.data(),
                        c.atom_coords.data(),
                        c.projection_weight.data(),
                        c.rho.data(),
                        first_.data(),
                        points_.data(),
                        c.rho_multipole.data(),
                        c.n_points(),
                        c.n_radial() * c.n_atoms(),
                        static_cast<int>(c.n_radial()),
                        static_cast<int>(c.n_lm()),
                        static_cast<int>(c.n_dir())};
    const int64_t width = shells.n_lm + shells.n_dir, sums = int64_t{shells.n_lm} * shells.n_dir;
    const size_t bytes = shared_numbers(queue_, shell_points * width + sums, "the components of a shell");
    const auto kernel = l_max_ <= 4 ? project<4> : project<8>;
    SUITE_GPU_LAUNCH(kernel, grid_of(shells.n_shells), block_threads, bytes, queue_.stream(), shells);
  }

private:
  gpu::Queue queue_;
  int l_max_ = 0;
  DeviceList<int32_t> first_, points_;
};

}  // namespace

const suite_kernel_table* multipoles_table() {
  static constexpr suite_kernel_table table =
      kernel_table<Multipoles, MultipolesGpu>(SUITE_GPU_BACKEND, SUITE_GPU_BACKEND);
  return &table;
}

}  // namespace suite::dfpt
