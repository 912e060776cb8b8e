// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "cell_order.hpp"
#include "nonlocal.hpp"

namespace suite::lfd {
namespace {

constexpr int lanes = 32, shares = 8;  // orbitals of a block, and threads of each orbital
constexpr int block_threads = lanes * shares;
constexpr int at_once = 4;  // projectors of one pass over the sphere

// One orbital's thread at one atom.
template <class T> struct Walk {
  const Spheres& s;
  const Number<T>* u;
  double momentum[3];
  bool moving, active;
  int share, lane, atom, count;
  int64_t orbital;

  __device__ __forceinline__ int64_t point(int p) const { return static_cast<int64_t>(atom) * s.nsphere + p; }
  __device__ __forceinline__ double beta(int p, int j) const { return s.beta[(static_cast<int64_t>(atom) * s.nproj + j) * s.nsphere + p]; }
  // What psi is multiplied by before the projectors see it.
  __device__ __forceinline__ Number<T> factor(int p) const {
    Number<T> z = u ? u[s.place[point(p)]] : Number<T>{1, 0};
    if (moving) {
      const double* const v = s.vectors + 3 * point(p);
      if (v[0] != 0 || v[1] != 0 || v[2] != 0) z = z * unit_as<T>(momentum[0] * v[0] + momentum[1] * v[1] + momentum[2] * v[2]);
    }
    return z;
  }
};

template <class T> __device__ __forceinline__ Walk<T> start_walk(const Spheres& s, const Momenta& momenta, const Number<T>* u, int norb) {
  const int thread = static_cast<int>(threadIdx.x), n = static_cast<int>(blockIdx.x) * lanes + thread % lanes;
  const int own = n < norb ? n : norb - 1;
  return {s,
          u,
          {momenta(0, own), momenta(1, own), momenta(2, own)},
          momenta.A != nullptr || momenta.k != nullptr,
          n < norb,
          thread / lanes,
          thread % lanes,
          0,
          0,
          own * s.orbital_stride};
}

// sums[j][lane] = sum_p beta_j(p) psi(p), with axis >= 0 times (r - R)_axis, by all threads of the block,
// always in the same order.
template <class Sum, class T>
__device__ __forceinline__ void project(const Walk<T>& walk, const Number<T>* psi, int axis, Number<Sum>* sums) {
  __shared__ Number<Sum> parts[shares][at_once][lanes];
  const Spheres& s = walk.s;
  for (int j0 = 0; j0 < s.nproj; j0 += at_once) {
    Number<Sum> sum[at_once] = {};
    for (int p = walk.share; p < walk.count; p += shares) {
      const Number<T> x = psi[s.start[walk.point(p)] + walk.orbital] * walk.factor(p);
      const double weight = axis < 0 ? 1.0 : s.r[3 * walk.point(p) + axis];
      SUITE_GPU_UNROLL
      for (int q = 0; q < at_once; ++q) {
        if (j0 + q >= s.nproj) break;
        const Sum b = static_cast<Sum>(weight * walk.beta(p, j0 + q));
        sum[q].re += b * static_cast<Sum>(x.re);
        sum[q].im += b * static_cast<Sum>(x.im);
      }
    }
    SUITE_GPU_UNROLL
    for (int q = 0; q < at_once; ++q) parts[walk.share][q][walk.lane] = sum[q];
    __syncthreads();
    if (walk.share < at_once && j0 + walk.share < s.nproj) {
      Number<Sum> all{0, 0};
      for (int i = 0; i < shares; ++i) all = all + parts[i][walk.share][walk.lane];
      sums[(j0 + walk.share) * lanes + walk.lane] = all;
    }
    __syncthreads();
  }
}

template <class T>
__global__ void __launch_bounds__(block_threads) propagate_atoms(Spheres s, Number<T>* psi, Momenta momenta, bool descending,
                                                                 const Number<T>* u, T scale, int norb, Number<double>* workspace) {
  Walk<T> walk = start_walk(s, momenta, u, norb);
  Number<T>* const c = reinterpret_cast<Number<T>*>(workspace + int64_t{2} * blockIdx.x * s.nproj * lanes);
  Number<T>* const d = c + s.nproj * lanes;
  for (int i = 0; i < s.natom; ++i) {
    walk.atom = descending ? s.natom - 1 - i : i;
    walk.count = s.count[walk.atom];
    project<T>(walk, psi, -1, c);
    const Number<double>* const K = s.K + static_cast<int64_t>(walk.atom) * s.nproj * s.nproj;
    for (int j = walk.share; j < s.nproj; j += shares) {
      Number<T> sum{0, 0};
      for (int l = 0; l < s.nproj; ++l) {
        const Number<double> k = K[j + s.nproj * l];
        sum = sum + Number<T>{static_cast<T>(k.re), static_cast<T>(k.im)} * c[l * lanes + walk.lane];
      }
      d[j * lanes + walk.lane] = {scale * sum.re, scale * sum.im};
    }
    __syncthreads();
    for (int p = walk.share; walk.active && p < walk.count; p += shares) {
      Number<T> sum{0, 0};
      for (int j = 0; j < s.nproj; ++j) {
        const T b = static_cast<T>(walk.beta(p, j));
        sum.re += b * d[j * lanes + walk.lane].re;
        sum.im += b * d[j * lanes + walk.lane].im;
      }
      Number<T>& x = psi[s.start[walk.point(p)] + walk.orbital];
      x = x + conjugate(walk.factor(p)) * sum;
    }
    __syncthreads();  // the next atom may have the same points
  }
}

// sum_ij D_ij c_i* m_j of all atoms: its real part without `current` and m = c, -2 Im with m = <B|(r -
// R)_d|psi>.
template <class T, bool current>
__global__ void SUITE_GPU_RESIDENT_BOUNDS(block_threads, 2)
    expect_atoms(Spheres s, const Number<T>* psi, Momenta momenta, const Number<T>* u, int norb, Number<double>* workspace,
                 double* result) {
  Walk<T> walk = start_walk(s, momenta, u, norb);
  Number<double>* const c = workspace + int64_t{2} * blockIdx.x * s.nproj * lanes;
  Number<double>* const m = c + s.nproj * lanes;
  const bool writes = walk.share == 0 && walk.active;
  double* const own = result + blockIdx.x * lanes + walk.lane;
  for (int axis = 0; writes && axis < (current ? 3 : 1); ++axis) own[static_cast<int64_t>(axis) * norb] = 0;
  SUITE_GPU_NO_UNROLL
  for (int atom = 0; atom < s.natom; ++atom) {
    walk.atom = atom;
    walk.count = s.count[atom];
    project<double>(walk, psi, -1, c);
    const double* const D = s.D + static_cast<int64_t>(atom) * s.nproj * s.nproj;
    SUITE_GPU_NO_UNROLL
    for (int axis = 0; axis < (current ? 3 : 1); ++axis) {
      if constexpr (current) project<double>(walk, psi, axis, m);
      double sum = 0;
      for (int i = 0; writes && i < s.nproj; ++i)
        for (int j = 0; j < s.nproj; ++j) {
          const Number<double> z = conjugate(c[i * lanes + walk.lane]) * (current ? m : c)[j * lanes + walk.lane];
          sum += D[i + s.nproj * j] * (current ? -2 * z.im : z.re);
        }
      if (writes) own[static_cast<int64_t>(axis) * norb] += sum * s.volume * s.volume;
      __syncthreads();
    }
  }
}

}  // namespace

Nonlocal::Nonlocal(const gpu::Queue& queue)
    : queue_(queue),
      count_(queue, "the points of the spheres"),
      place_(queue, "the points of the spheres"),
      start_(queue, "the points of the spheres"),
      shifts_(queue, "the phases of the spheres"),
      displacements_there_(queue, "the points of the spheres"),
      projectors_there_(queue, "the projectors"),
      coefficients_there_(queue, "the coefficients between projectors"),
      K_(queue, "the exponentials of the nonlocal pseudopotential"),
      sums_(queue, "the projections") {}

void Nonlocal::prepare(const Grid& g, const line::Nonlocal& V) {
  layout_set_ = time_set_ = false;
  grid_ = g;
  if (V.nlpoint) check_size(g);
  V_.read(g, V, [&](const auto& argument, const char*, auto& to) {
    to = on_host<typename std::decay_t<decltype(to)>::value_type>(queue_, argument.array());
  });
  if (empty()) return;
  count_.upload(V_.counts.data(), V_.natom);
  displacements_there_.upload(V_.displacements.data(), std::ssize(V_.displacements));
  projectors_there_.upload(V_.beta.data(), std::ssize(V_.beta));
  coefficients_there_.upload(V_.D.data(), std::ssize(V_.D));
  queue_.wait();
  spheres_.count = count_.data();
  spheres_.r = displacements_there_.data();
  spheres_.beta = projectors_there_.data();
  spheres_.D = coefficients_there_.data();
  spheres_.nsphere = static_cast<int>(V_.nsphere);
  spheres_.nproj = static_cast<int>(V_.nproj);
  spheres_.natom = static_cast<int>(V_.natom);
  spheres_.volume = V_.volume;
}

void Nonlocal::set_layout(const Strides& strides, bool chi) {
  if (empty() || (layout_set_ && chi == chi_ && strides == strides_)) return;
  const CellOrder order(grid_);
  const int64_t *const n = grid_.n, size = V_.nsphere * V_.natom;
  std::vector<int64_t> start(static_cast<size_t>(size));
  std::vector<int> place(start.size());
  for (int64_t i = 0; i < size; ++i) {
    if (V_.points[i] == 0) continue;
    const int64_t p = V_.points[i] - 1, at[] = {p / (n[1] * n[2]), p / n[2] % n[1], p % n[2]};
    start[i] = strides.first + at[0] * strides.x + at[1] * strides.y + at[2] * strides.z;
    place[i] = order.place(static_cast<int>(at[0]), static_cast<int>(at[1]), static_cast<int>(at[2]));
  }
  const std::vector<double> shifts = chi ? V_.image_shifts(grid_) : std::vector<double>();
  start_.upload(start.data(), size);
  place_.upload(place.data(), size);
  if (chi) shifts_.upload(shifts.data(), std::ssize(shifts));
  queue_.wait();
  spheres_.start = start_.data();
  spheres_.place = place_.data();
  spheres_.vectors = chi ? shifts_.data() : spheres_.r;
  spheres_.orbital_stride = strides.orbital;
  strides_ = strides;
  chi_ = chi;
  layout_set_ = true;
}

void Nonlocal::set_time(double tau) {
  if (empty() || (time_set_ && tau == tau_)) return;
  const std::vector<std::complex<double>> K = V_.exponentials(tau);
  K_.upload(reinterpret_cast<const Number<double>*>(K.data()), std::ssize(K));
  queue_.wait();
  spheres_.K = K_.data();
  tau_ = tau;
  time_set_ = true;
}

template <class T> void Nonlocal::propagate(Number<T>* psi, const Momenta& momenta, bool descending, const Number<T>* u, double scale) {
  if (empty()) return;
  const unsigned blocks = blocks_for(grid_.norb, lanes);
  Number<double>* const workspace = sums_.at_least(int64_t{2} * blocks * V_.nproj * lanes);
  SUITE_GPU_LAUNCH(propagate_atoms<T>, blocks, block_threads, 0, queue_.stream(), spheres_, psi, momenta, descending, u, scale, grid_.norb,
                   workspace);
}

template <class T> void Nonlocal::expect(const Number<T>* psi, const Momenta& momenta, const Number<T>* u, bool current, double* result) {
  if (empty()) return queue_.set_zero(result, static_cast<size_t>(grid_.norb * (current ? 3 : 1)) * sizeof(double));
  const unsigned blocks = blocks_for(grid_.norb, lanes);
  Number<double>* const workspace = sums_.at_least(int64_t{2} * blocks * V_.nproj * lanes);
  const auto kernel = current ? expect_atoms<T, true> : expect_atoms<T, false>;
  SUITE_GPU_LAUNCH(kernel, blocks, block_threads, 0, queue_.stream(), spheres_, psi, momenta, u, grid_.norb, workspace, result);
}

template void Nonlocal::propagate<float>(Number<float>*, const Momenta&, bool, const Number<float>*, double);
template void Nonlocal::propagate<double>(Number<double>*, const Momenta&, bool, const Number<double>*, double);
template void Nonlocal::expect<float>(const Number<float>*, const Momenta&, const Number<float>*, bool, double*);
template void Nonlocal::expect<double>(const Number<double>*, const Momenta&, const Number<double>*, bool, double*);

}  // namespace suite::lfd
