// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_f on a GPU: a warp has a position. Of some ions at a time, gamma and the powers of r_i
// make tables in shared memory that serve all others; the lanes have the pairs of these ions and the other electrons. For derivatives by
// the parameters a block has a position and its threads the powers of r_j and r_ij.
#include "../f_term.hpp"
#include "ions.cuh"

namespace suite::qmc {
namespace {

constexpr int most_ions_together = 4;

struct DeviceF {
  const double *rion, *gamma, *L;
  const int* set_of_ion;
  int nion, nen, nee, nset_pair, nset, C, together;  // together: ions at a time
  __device__ __forceinline__ int table() const { return nen * nee; }
  // Shared memory of a warp: for each ion vector and distance, powers of r_i in three orders, and tables for each spin in three orders.
  __host__ __device__ __forceinline__ int numbers_of_ion() const { return 4 + 3 * nen + 6 * nen * nee; }
};

// A function with its slope over the distance, which at distance 0 is the second derivative.
__device__ __forceinline__ double slope_of(const Radial& f, double distance) { return distance > 0 ? f.first / distance : f.second; }

// The electron at x, a lane's share of the pairs at ions `first` to first + together - 1, whose tables are there.
template <class Images>
__device__ __forceinline__ void add_pairs(const Images& images, const Positions& p, const DeviceF& f, const double* tables, int first,
                                          const double* r, const double* x, int i, Local& sum) {
  const int ions = f.nion - first < f.together ? f.nion - first : f.together;
  for (int pair = gpu::lane(); pair < ions * p.netot; pair += warpSize) {
    const int j = pair % p.netot, which = pair / p.netot, ion = first + which;
    const double* const mine = tables + which * f.numbers_of_ion();
    const double a = mine[3];
    if (!(a >= 0) || j == i) continue;  // out of reach
    double v[3], d[3];
    const double L = f.L[f.set_of_ion[ion]], b = images.from_ion(r + 3 * j, f.rion + 3 * ion, v);
    if (!(b < L)) continue;
    const double c = images.from_ion(x, r + 3 * j, d);
    const double* const h = mine + 4 + 3 * f.nen + (j >= p.nup) * 3 * f.table();
    double q = 0, q1 = 0, q2 = 0, s = 0, s1 = 0, t = 0;  // in r_ij: of A with derivatives (q2 halved), of A'/a with one, of A''
    for (int n = f.nee; n-- > 0;) {
      double of_h = 0, of_slope = 0, of_second = 0;
      for (int m = f.nen; m-- > 0;) {
        const double* const at = h + m + f.nen * n;
        of_h = of_h * b + at[0];
        of_slope = of_slope * b + at[f.table()];
        of_second = of_second * b + at[2 * f.table()];
      }
      q2 = q2 * c + q1;
      q1 = q1 * c + q;
      q = q * c + of_h;
      s1 = s1 * c + s;
      s = s * c + of_slope;
      t = t * c + of_second;
    }
    const double cut = small_power(b - L, f.C), inverse = c > 0 ? 1 / c : 0, slope = c > 0 ? q1 * inverse : 2 * q2;
    double across = 0;
    SUITE_GPU_UNROLL
    for (int k = 0; k < 3; ++k) {
      across += mine[k] * d[k];
      sum.gradient[k] += cut * (s * mine[k] + slope * d[k]);
    }
    sum.value += cut * q;
    sum.laplacian += cut * (t + 2 * s + 2 * q2 + 2 * slope + 2 * s1 * across * inverse);
  }
}

// Blocks of a multiprocessor: with fewer registers than these leave, nvcc 13.0 spills two pointers. On AMD they are wavefronts of a SIMD unit.
#if defined(__HIP_PLATFORM_AMD__)
constexpr int blocks_of_sums = 4, blocks_of_derivatives = 4;
#else
constexpr int blocks_of_sums = 6, blocks_of_derivatives = 5;
#endif

template <class Images>
__global__ void __launch_bounds__(block_threads, blocks_of_sums) sum_f(Images images, Positions p, DeviceF f, int64_t count, LocalOut out) {
  SUITE_GPU_DYNAMIC_SHARED(double, shared);
  double* const tables = shared + warp_number() * f.together * f.numbers_of_ion();
  const int64_t position = static_cast<int64_t>(blockIdx.x) * warps_of_block() + warp_number();
  const bool there = position < count;  // all warps go to the barriers
  const int64_t walker = there ? position / p.npos : 0;
  const int m = there ? static_cast<int>(position - walker * p.npos) : 0, i = p.electron(m), spin = i >= p.nup;
  const double *const r = p.of_walker(walker), *const x = p.position(m, walker);
  Local sum{};
  for (int first = 0; first < f.nion; first += f.together) {
    const int ions = f.nion - first < f.together ? f.nion - first : f.together;
    for (int k = gpu::lane(); k < ions; k += warpSize) {
      double* const mine = tables + k * f.numbers_of_ion();
      const int set = f.set_of_ion[first + k];
      const double a = images.from_ion(x, f.rion + 3 * (first + k), mine);
      mine[3] = set >= 0 && a < f.L[set] ? a : -1;
    }
    __syncthreads();
    for (int k = gpu::lane(); k < ions * f.nen; k += warpSize) {
      double* const mine = tables + k / f.nen * f.numbers_of_ion();
      const double a = mine[3];
      if (!(a >= 0)) continue;
      const int l = k % f.nen;
      const Radial A = polynomial_basis(l, f.L[f.set_of_ion[first + k / f.nen]], f.C, a);
      double* const of_l = mine + 4 + 3 * l;
      of_l[0] = A.value;
      of_l[1] = slope_of(A, a);
      of_l[2] = A.second;
    }
    __syncthreads();
    const int entries = 6 * f.table();
    for (int k = gpu::lane(); k < ions * entries; k += warpSize) {
      const int which = k / entries, entry = k % entries, other = entry / (3 * f.table()), order = entry / f.table() % 3;
      double* const mine = tables + which * f.numbers_of_ion();
      if (!(mine[3] >= 0)) continue;
      const int64_t of_sets = set_of_pair(f.nset_pair, spin, other) + f.nset_pair * f.set_of_ion[first + which];
      const double* const gamma = f.gamma + f.nen * (entry % f.table() + f.table() * of_sets);
      double h = 0;
      for (int l = 0; l < f.nen; ++l) h += gamma[l] * mine[4 + 3 * l + order];
      mine[4 + 3 * f.nen + entry] = h;
    }
    __syncthreads();
    if (there) add_pairs(images, p, f, tables, first, r, x, i, sum);
    __syncthreads();
  }
  warp_sums(sum);
  if (there && gpu::lane() == 0) out.put(position, sum);
}

// A thread has m, n, a set of pairs and a set of ions, and puts all l.
template <class Images>
__global__ void __launch_bounds__(block_threads, blocks_of_derivatives)
    sum_f_derivatives(Images images, Positions p, DeviceF f, LocalOut out) {
  const int64_t position = blockIdx.x, walker = position / p.npos;
  const int place = static_cast<int>(position - walker * p.npos), i = p.electron(place), all = f.table() * f.nset_pair * f.nset;
  const double *const r = p.of_walker(walker), *const x = p.position(place, walker);
  for (int number = thread(); number < all; number += block_threads) {
    const int m = number % f.nen, n = number / f.nen % f.nee, of_pair = number / f.table() % f.nset_pair,
              set = number / (f.table() * f.nset_pair);
    const int64_t to = f.nen * (number + all * position);
    const double L = f.L[set];
    for (int l = 0; l < f.nen; ++l) out.put(to + l, Local{});
    for (int ion = 0; ion < f.nion; ++ion) {
      if (f.set_of_ion[ion] != set) continue;
      double e[3];
      const double a = images.from_ion(x, f.rion + 3 * ion, e);
      if (!(a < L)) continue;
      double sum = 0, of_w = 0, along[3] = {0, 0, 0};  // of A_m(r_j) with r_ij^n, with w = n r_ij^(n-2), and with w times the vector
      for (int j = 0; j < p.netot; ++j) {
        if (j == i || set_of_pair(f.nset_pair, i >= p.nup, j >= p.nup) != of_pair) continue;
        double d[3];
        const double b = images.from_ion(r + 3 * j, f.rion + 3 * ion, d);
        if (!(b < L)) continue;
        const double c = images.from_ion(x, r + 3 * j, d), B = small_power(b - L, f.C) * small_power(b, m);
        const double w = n == 0 ? 0 : n == 1 ? (c > 0 ? B / c : 0) : n * B * small_power(c, n - 2);
        sum += B * small_power(c, n);
        of_w += w;
        for (int k = 0; k < 3; ++k) along[k] += w * d[k];
      }
      const double across = e[0] * along[0] + e[1] * along[1] + e[2] * along[2];
      for (int l = 0; l < f.nen; ++l) {
        const Radial A = polynomial_basis(l, L, f.C, a);
        const double slope = slope_of(A, a);
        if (out.value) out.value[to + l] += A.value * sum;
        for (int k = 0; k < 3 && out.gradient; ++k) out.gradient[3 * (to + l) + k] += slope * e[k] * sum + A.value * along[k];
        if (out.laplacian) out.laplacian[to + l] += (A.second + 2 * slope) * sum + (n + 1) * A.value * of_w + 2 * slope * across;
      }
    }
  }
}

class JastrowFGpu : public OnGpu {
public:
  using OnGpu::OnGpu;

  void prepare(const suite_array* arguments) {
    const JastrowF c(arguments);
    queue_.select();
    cell_.prepare_or_open(queue_, c.cell);
    nele_ = on_host<int32_t>(queue_, c.nele);
    const FTerm f = f_term(c, cell_.lattice_or_open(), fetch_from(queue_));
    upload(gamma_, f.gamma);
    upload(L_, f.L);
    upload(set_of_ion_, f.set_of_ion);
    queue_.wait();  // what was uploaded goes
    f_ = {nullptr,
          gamma_.data(),
          L_.data(),
          set_of_ion_.data(),
          static_cast<int>(c.nion()),
          static_cast<int>(f.nen),
          static_cast<int>(f.nee),
          f.nset_pair,
          f.nset,
          f.C,
          most_ions_together};
    // As many ions at a time as a block has memory for.
    while (f_.together > 1 && of_block(f_.together) * sizeof(double) > queue_.properties().shared_per_block) f_.together /= 2;
  }

  void execute(const suite_array* arguments) {
    const JastrowF c(arguments);
    queue_.select();
    const Positions p = positions_of(c, nele_);
    f_.rion = c.rion.data();
    const int64_t count = p.npos * p.nwalker;
    by_images(cell_.lattice_or_open(), [&](auto images) {
      using Images = decltype(images);
      SUITE_GPU_LAUNCH(sum_f<Images>, grid_of((count + warps() - 1) / warps()), block_threads,
                       shared_numbers(queue_, static_cast<int64_t>(of_block(f_.together))), queue_.stream(), images, p, f_, count,
                       LocalOut{c.value.data(), c.gradient.data(), c.laplacian.data()});
      if (!c.dvalue && !c.dgradient && !c.dlaplacian) return;
      SUITE_GPU_LAUNCH(sum_f_derivatives<Images>, grid_of(count), block_threads, 0, queue_.stream(), images, p, f_,
                       LocalOut{c.dvalue.data(), c.dgradient.data(), c.dlaplacian.data()});
    });
  }

private:
  int64_t warps() const { return block_threads / queue_.properties().warp; }
  size_t of_block(int together) const { return static_cast<size_t>(warps() * together * f_.numbers_of_ion()); }

  Cell cell_;
  std::vector<int32_t> nele_;
  gpu::Buffer<double> gamma_{queue_, "the f term"}, L_{queue_, "the f term"};
  gpu::Buffer<int> set_of_ion_{queue_, "the ions"};
  DeviceF f_{};
};

}  // namespace

const suite_kernel_table* jastrow_f_table() { return gpu_table<JastrowF, JastrowFGpu>(); }

}  // namespace suite::qmc
