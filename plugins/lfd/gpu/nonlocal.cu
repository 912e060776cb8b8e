// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "cell_order.hpp"
#include "nonlocal.hpp"

namespace suite::lfd {
namespace {

constexpr int lanes = 32, shares = 4;  // orbitals of a block that projects, and threads of each orbital
constexpr int sphere_threads = lanes * shares;
constexpr int least_piece = 16;        // points of a sphere for one block
constexpr int lanes_of_row = 8;        // threads that share the sum over the atoms before
constexpr size_t most_inner = 96 << 10;  // bytes of shared memory for the projections of an orbital

template <class T> __device__ __forceinline__ T projector(const Spheres& s, int atom, int j, int p) {
  const int64_t at = (static_cast<int64_t>(atom) * s.nproj + j) * s.nsphere + p;
  if constexpr (std::is_same_v<T, float>) return s.beta_single[at];
  else return s.beta[at];
}

// A + k of an orbital.
struct Momentum {
  double q[3];
  bool moving;
  __device__ __forceinline__ Momentum(const Momenta& momenta, int n)
      : q{momenta(0, n), momenta(1, n), momenta(2, n)}, moving(momenta.A != nullptr || momenta.k != nullptr) {}
  __device__ __forceinline__ bool turns(const double* v) const { return moving && (v[0] != 0 || v[1] != 0 || v[2] != 0); }
  template <class T> __device__ __forceinline__ Number<T> phase(const double* v) const {
    return unit_as<T>(q[0] * v[0] + q[1] * v[1] + q[2] * v[2]);
  }
};

// sums[axis][piece][projector of all atoms][orbital] = sum_p beta_j(p) e^{i(A+k).v} u psi of the piece's points, with axis > 0
// times (r - R)_axis. A block has 32 orbitals and one piece of an atom.
template <class Sum, class E, int AtOnce>
__global__ void __launch_bounds__(sphere_threads)
    project_spheres(Spheres s, const E* psi, Momenta momenta, const Number<RealOf<E>>* u, int norb, int pieces, Number<Sum>* sums) {
  using T = RealOf<E>;
  __shared__ Number<Sum> parts[shares][AtOnce][lanes];
  const int share = static_cast<int>(threadIdx.x) / lanes, lane = static_cast<int>(threadIdx.x) % lanes;
  const int groups = static_cast<int>(gridDim.x) / pieces, piece = static_cast<int>(blockIdx.x) / groups;
  const int n = static_cast<int>(blockIdx.x) % groups * lanes + lane, own = n < norb ? n : norb - 1, axis = static_cast<int>(blockIdx.z);
  const Momentum momentum(momenta, own);
  for (int atom = static_cast<int>(blockIdx.y); atom < s.natom; atom += static_cast<int>(gridDim.y)) {
    const int count = s.count[atom], length = (count + pieces - 1) / pieces;
    const int first = piece * length, end = first + length < count ? first + length : count;
    for (int j0 = 0; j0 < s.nproj; j0 += AtOnce) {
      Number<Sum> sum[AtOnce] = {};
      for (int p = first + share; p < end; p += shares) {
        const int64_t point = static_cast<int64_t>(atom) * s.nsphere + p;
        Number<T> x = as_number(psi[s.start[point] + own * s.orbital_stride]);
        if (u) x = u[s.place[point]] * x;
        if (const double* const v = s.vectors + 3 * point; momentum.turns(v)) x = momentum.phase<T>(v) * x;
        const Sum weight = axis == 0 ? Sum(1) : static_cast<Sum>(s.r[3 * point + axis - 1]);
        const Number<Sum> y{weight * static_cast<Sum>(x.re), weight * static_cast<Sum>(x.im)};
        SUITE_GPU_UNROLL
        for (int q = 0; q < AtOnce; ++q) {
          if (j0 + q >= s.nproj) break;
          const Sum b = projector<Sum>(s, atom, j0 + q, p);
          sum[q].re += b * y.re;
          sum[q].im += b * y.im;
        }
      }
      SUITE_GPU_UNROLL
      for (int q = 0; q < AtOnce; ++q) parts[share][q][lane] = sum[q];
      __syncthreads();
      for (int q = share; q < AtOnce; q += shares) {
        if (j0 + q >= s.nproj || n >= norb) break;
        Number<Sum> all = parts[0][q][lane];
        for (int i = 1; i < shares; ++i) all = all + parts[i][q][lane];
        const int64_t row =
            (static_cast<int64_t>(axis) * pieces + piece) * s.nproj * s.natom + static_cast<int64_t>(atom) * s.nproj + j0 + q;
        sums[row * norb + n] = all;
      }
      __syncthreads();  // the next projectors take the same room
    }
  }
}

template <class Sum>
__device__ __forceinline__ Number<Sum> add_pieces(const Number<Sum>* sums, int64_t rows, int pieces, int64_t row, int norb, int n) {
  Number<Sum> all{0, 0};
  for (int piece = 0; piece < pieces; ++piece) all = all + sums[(piece * rows + row) * norb + n];
  return all;
}

// d_i = K_i c_i of one orbital, level after level. inner: whether its projections fit shared memory; else they lie in outer.
template <class T, bool inner>
__global__ void __launch_bounds__(sphere_threads) couple_spheres(Spheres s, Momenta momenta, bool descending, T scale, int norb, int pieces,
                                                                 const Number<T>* sums, Number<T>* outer, Number<T>* result) {
  SUITE_GPU_DYNAMIC_SHARED(Number<T>, room);
  const int n = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x), np = s.nproj, rows = np * s.natom;
  Number<T>*c, *d;
  if constexpr (inner) c = room, d = room + rows;
  else c = outer + int64_t{2} * rows * n, d = c + rows;
  const Momentum momentum(momenta, n);
  for (int row = thread; row < rows; row += sphere_threads) c[row] = add_pieces(sums, rows, pieces, row, norb, n);
  __syncthreads();
  for (int i = 0; i < s.levels; ++i) {
    const int level = descending ? s.levels - 1 - i : i;
    const int* const atoms = s.level_atoms + s.level_first[level];
    const int rows_here = (s.level_first[level + 1] - s.level_first[level]) * np;
    for (int first = 0; first < rows_here && i > 0; first += sphere_threads / lanes_of_row) {
      const int row = first + thread / lanes_of_row, lane = thread % lanes_of_row;
      const bool there = row < rows_here;
      const int atom = there ? atoms[row / np] : 0, j = row % np;
      const int* const links = s.link_first + 2 * atom + (descending ? 1 : 0);
      const int terms = there ? (links[1] - links[0]) * np : 0;
      Number<double> sum{0, 0};
      for (int t = lane; t < terms; t += lanes_of_row) {
        const int link = links[0] + t / np, l = t % np;
        const Link& other = s.links[link];
        Number<T> x = d[other.other * np + l];
        if (momentum.turns(other.apart)) x = momentum.phase<T>(other.apart) * x;
        const double g = s.products[(static_cast<int64_t>(link) * np + j) * np + l];
        sum.re += g * static_cast<double>(x.re);
        sum.im += g * static_cast<double>(x.im);
      }
      sum.re = section_sum(sum.re, lanes_of_row);
      sum.im = section_sum(sum.im, lanes_of_row);
      if (there && lane == 0) c[atom * np + j] = c[atom * np + j] + Number<T>{static_cast<T>(sum.re), static_cast<T>(sum.im)};
    }
    __syncthreads();
    for (int row = thread; row < rows_here; row += sphere_threads) {
      const int atom = atoms[row / np], j = row % np;
      const Number<double>* const K = s.K + static_cast<int64_t>(atom) * np * np;
      Number<T> sum{0, 0};
      for (int l = 0; l < np; ++l) {
        const Number<double> k = K[j + np * l];
        sum = sum + Number<T>{static_cast<T>(k.re), static_cast<T>(k.im)} * c[atom * np + l];
      }
      d[atom * np + j] = sum;
    }
    __syncthreads();
  }
  for (int row = thread; row < rows; row += sphere_threads)
    result[static_cast<int64_t>(row) * norb + n] = {scale * d[row].re, scale * d[row].im};
}

// d_i = D_i c_i hx hy hz.
template <class T>
__global__ void __launch_bounds__(sphere_threads) weigh_spheres(Spheres s, int norb, int pieces, const Number<T>* sums, Number<T>* result) {
  const int64_t at = thread_index(), row = at / norb;
  const int n = static_cast<int>(at % norb), np = s.nproj, rows = np * s.natom;
  if (row >= rows) return;
  const int64_t atom = row / np;
  Number<T> sum{0, 0};
  for (int l = 0; l < np; ++l) {
    const T D = static_cast<T>(s.D[(atom * np + l) * np + row % np] * s.volume);
    if (D == 0) continue;
    const Number<T> c = add_pieces(sums, rows, pieces, atom * np + l, norb, n);
    sum.re += D * c.re;
    sum.im += D * c.im;
  }
  result[at] = sum;
}

// psi(p) += sum of all atoms that have the point, u* e^{-i(A+k).v} beta_j(p) d_j. A warp's section has 32 orbitals of neighbouring points.
template <class E>
__global__ void __launch_bounds__(sphere_threads)
    add_spheres(Spheres s, E* psi, Momenta momenta, const Number<RealOf<E>>* u, int norb, int groups, const Number<RealOf<E>>* d) {
  using T = RealOf<E>;
  const int64_t unit = static_cast<int64_t>(blockIdx.x) * shares + static_cast<int>(threadIdx.x) / lanes;
  const int64_t first = unit / groups * points_together;
  const int n = static_cast<int>(unit % groups) * lanes + static_cast<int>(threadIdx.x) % lanes;
  if (first >= s.covered || n >= norb) return;
  const Momentum momentum(momenta, n);
  Number<T> all[points_together] = {};
  const int end = s.member_first[first / points_together + 1];
  for (int m = s.member_first[first / points_together]; m < end; ++m) {
    const Member& member = s.members[m];
    const int atom = member.atom;
    Number<T> sum[points_together] = {};
    for (int j = 0; j < s.nproj; ++j) {
      const Number<T> x = d[(static_cast<int64_t>(atom) * s.nproj + j) * norb + n];
      SUITE_GPU_UNROLL
      for (int i = 0; i < points_together; ++i) {
        if (member.at[i] < 0) continue;
        const T b = projector<T>(s, atom, j, member.at[i]);
        sum[i].re += b * x.re;
        sum[i].im += b * x.im;
      }
    }
    SUITE_GPU_UNROLL
    for (int i = 0; i < points_together; ++i) {
      if (member.at[i] < 0) continue;
      const double* const v = s.vectors + 3 * (static_cast<int64_t>(atom) * s.nsphere + member.at[i]);
      all[i] = all[i] + (momentum.turns(v) ? conjugate(momentum.phase<T>(v)) * sum[i] : sum[i]);
    }
  }
  SUITE_GPU_UNROLL
  for (int i = 0; i < points_together; ++i) {
    if (first + i >= s.covered) break;
    E& x = psi[s.covered_start[first + i] + n * s.orbital_stride];
    add_number(x, u ? conjugate(u[s.covered_place[first + i]]) * all[i] : all[i]);
  }
}

// sum_ij D_ij c_i* m_j of all atoms: its real part without `current` and m = c, -2 Im with m = <B|(r -
// R)_d|psi>. A block has one orbital.
template <bool current>
__global__ void __launch_bounds__(sphere_threads)
    expect_spheres(Spheres s, int norb, int pieces, const Number<double>* sums, double* result) {
  constexpr int axes = current ? 3 : 1;
  const int n = static_cast<int>(blockIdx.x), np = s.nproj, rows = np * s.natom;
  double sum[axes] = {};
  for (int row = static_cast<int>(threadIdx.x); row < rows; row += sphere_threads) {
    const int atom = row / np, i = row % np;
    const Number<double> c = conjugate(add_pieces(sums, rows, pieces, row, norb, n));
    for (int j = 0; j < np; ++j) {
      const double D = s.D[(static_cast<int64_t>(atom) * np + j) * np + i] * s.volume * s.volume;
      if (D == 0) continue;
      SUITE_GPU_UNROLL
      for (int axis = 0; axis < axes; ++axis) {
        const Number<double>* const m = sums + static_cast<int64_t>(current ? axis + 1 : 0) * pieces * rows * norb;
        const Number<double> z = c * add_pieces(m, rows, pieces, static_cast<int64_t>(atom) * np + j, norb, n);
        sum[axis] += D * (current ? -2 * z.im : z.re);
      }
    }
  }
  block_sum<axes, sphere_threads>(sum, [&](int axis, double all) { result[static_cast<int64_t>(axis) * norb + n] = all; });
}

}  // namespace

Nonlocal::Nonlocal(const gpu::Queue& queue)
    : queue_(queue),
      integers_(queue, "the points of the spheres"),
      counts_(queue, "the points of the spheres"),
      starts_(queue, "the points of the spheres"),
      shifts_(queue, "the phases of the spheres"),
      displacements_there_(queue, "the points of the spheres"),
      projectors_there_(queue, "the projectors"),
      coefficients_there_(queue, "the coefficients between projectors"),
      products_(queue, "the products of projectors"),
      projectors_single_(queue, "the projectors"),
      links_(queue, "the spheres that touch"),
      members_(queue, "the atoms at each point"),
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
  const std::vector<float> single(V_.beta.begin(), V_.beta.end());
  counts_.upload(V_.counts.data(), V_.natom);
  displacements_there_.upload(V_.displacements.data(), std::ssize(V_.displacements));
  projectors_there_.upload(V_.beta.data(), std::ssize(V_.beta));
  projectors_single_.upload(single.data(), std::ssize(single));
  coefficients_there_.upload(V_.D.data(), std::ssize(V_.D));
  queue_.wait();
  spheres_.count = counts_.data();
  spheres_.r = displacements_there_.data();
  spheres_.beta = projectors_there_.data();
  spheres_.beta_single = projectors_single_.data();
  spheres_.D = coefficients_there_.data();
  spheres_.nsphere = static_cast<int>(V_.nsphere);
  spheres_.nproj = static_cast<int>(V_.nproj);
  spheres_.natom = static_cast<int>(V_.natom);
  spheres_.volume = V_.volume;
  groups_ = static_cast<int>(blocks_for(g.norb, lanes));
  // Enough blocks for all multiprocessors, four times over.
  const int64_t wanted = 4 * queue_.properties().multiprocessors / (V_.natom * groups_) + 1;
  pieces_ = static_cast<int>(std::clamp<int64_t>(wanted, 1, V_.nsphere / least_piece + 1));
}

void Nonlocal::set_layout(const Strides& strides, bool chi) {
  if (empty() || (layout_set_ && chi == chi_ && strides == strides_)) return;
  const CellOrder order(grid_);
  const int64_t* const n = grid_.n;
  const std::vector<double> shifts = chi ? V_.image_shifts(grid_) : std::vector<double>();
  const SphereTables tables = sphere_tables(V_, chi ? shifts : V_.displacements);
  std::vector<int64_t> start;
  std::vector<int> integers;  // places first
  const auto add = [&](int64_t p) {
    const int64_t at[] = {p / (n[1] * n[2]), p / n[2] % n[1], p % n[2]};
    start.push_back(strides.first + at[0] * strides.x + at[1] * strides.y + at[2] * strides.z);
    integers.push_back(order.place(static_cast<int>(at[0]), static_cast<int>(at[1]), static_cast<int>(at[2])));
  };
  for (const int32_t point : V_.points) add(std::max(point - 1, 0));
  for (const int p : tables.covered) add(p);
  const auto append = [&](const std::vector<int>& numbers) {
    integers.insert(integers.end(), numbers.begin(), numbers.end());
    return integers.size() - numbers.size();
  };
  const size_t level_first = append(tables.level_first), level_atoms = append(tables.level_atoms), link_first = append(tables.link_first),
               member_first = append(tables.member_first);
  starts_.upload(start.data(), std::ssize(start));
  integers_.upload(integers.data(), std::ssize(integers));
  if (!tables.links.empty()) {
    links_.upload(tables.links.data(), std::ssize(tables.links));
    products_.upload(tables.products.data(), std::ssize(tables.products));
  }
  if (!tables.members.empty()) members_.upload(tables.members.data(), std::ssize(tables.members));
  if (chi) shifts_.upload(shifts.data(), std::ssize(shifts));
  queue_.wait();
  const int* const there = integers_.data();
  spheres_.start = starts_.data();
  spheres_.place = there;
  spheres_.covered_start = starts_.data() + V_.points.size();
  spheres_.covered_place = there + V_.points.size();
  spheres_.level_first = there + level_first;
  spheres_.level_atoms = there + level_atoms;
  spheres_.link_first = there + link_first;
  spheres_.member_first = there + member_first;
  spheres_.links = links_.data();
  spheres_.products = products_.data();
  spheres_.members = members_.data();
  spheres_.levels = tables.levels();
  spheres_.covered = static_cast<int>(tables.covered.size());
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

template <class Sum, class E>
void Nonlocal::project(const E* psi, const Momenta& momenta, const Number<RealOf<E>>* u, int axes, Number<Sum>* sums) {
  const gpu::Dim3 blocks(static_cast<unsigned>(groups_ * pieces_), static_cast<unsigned>(std::min<int64_t>(V_.natom, 65535)),
                         static_cast<unsigned>(axes));
  const auto kernel = V_.nproj > 4 ? project_spheres<Sum, E, 8> : project_spheres<Sum, E, 4>;
  SUITE_GPU_LAUNCH(kernel, blocks, sphere_threads, 0, queue_.stream(), spheres_, psi, momenta, u, grid_.norb, pieces_, sums);
}

template <class T> void Nonlocal::propagate(Number<T>* psi, const Momenta& momenta, bool descending, const Number<T>* u, double scale) {
  if (empty()) return;
  const int64_t all = rows() * grid_.norb;
  const size_t inner = static_cast<size_t>(2 * rows()) * sizeof(Number<T>);
  const bool fits = inner <= std::min(most_inner, queue_.properties().shared_per_block);
  // Projections in pieces, their results, and where they are made of them if they are too many.
  const int64_t numbers = (pieces_ + 1 + (fits ? 0 : 2)) * all;
  auto* const sums = reinterpret_cast<Number<T>*>(sums_.at_least(sizeof(T) == sizeof(float) ? (numbers + 1) / 2 : numbers));
  Number<T>*const result = sums + pieces_ * all, *const outer = result + all;
  const gpu::Stream stream = queue_.stream();
  project<T>(psi, momenta, u, 1, sums);
  const auto couple = fits ? couple_spheres<T, true> : couple_spheres<T, false>;
  SUITE_GPU_LAUNCH(couple, static_cast<unsigned>(grid_.norb), sphere_threads, fits ? inner : 0, stream, spheres_, momenta, descending,
                   scale, grid_.norb, pieces_, sums, outer, result);
  add(psi, momenta, u, result);
}

template <class E> void Nonlocal::add(E* psi, const Momenta& momenta, const Number<RealOf<E>>* u, const Number<RealOf<E>>* projections) {
  if (spheres_.covered == 0) return;
  const unsigned blocks = blocks_for(blocks_for(spheres_.covered, points_together) * int64_t{groups_}, shares);
  SUITE_GPU_LAUNCH(add_spheres<E>, blocks, sphere_threads, 0, queue_.stream(), spheres_, psi, momenta, u, grid_.norb, groups_, projections);
}

template <class E> void Nonlocal::apply(const E* psi, E* hpsi, const Momenta& momenta) {
  using T = RealOf<E>;
  if (empty()) return;
  const int64_t all = rows() * grid_.norb, numbers = (pieces_ + 1) * all;
  auto* const sums = reinterpret_cast<Number<T>*>(sums_.at_least(sizeof(T) == sizeof(float) ? (numbers + 1) / 2 : numbers));
  Number<T>* const result = sums + pieces_ * all;
  project<T>(psi, momenta, static_cast<const Number<T>*>(nullptr), 1, sums);
  SUITE_GPU_LAUNCH(weigh_spheres<T>, blocks_for(all, sphere_threads), sphere_threads, 0, queue_.stream(), spheres_,
                   static_cast<int>(grid_.norb), pieces_, sums, result);
  add(hpsi, momenta, static_cast<const Number<T>*>(nullptr), result);
}

template <class T> void Nonlocal::expect(const Number<T>* psi, const Momenta& momenta, const Number<T>* u, bool current, double* result) {
  if (empty()) return queue_.set_zero(result, static_cast<size_t>(grid_.norb * (current ? 3 : 1)) * sizeof(double));
  const int axes = current ? 4 : 1;
  Number<double>* const sums = sums_.at_least(axes * pieces_ * rows() * grid_.norb);
  project<double>(psi, momenta, u, axes, sums);
  const auto kernel = current ? expect_spheres<true> : expect_spheres<false>;
  SUITE_GPU_LAUNCH(kernel, static_cast<unsigned>(grid_.norb), sphere_threads, 0, queue_.stream(), spheres_, grid_.norb, pieces_, sums,
                   result);
}

template void Nonlocal::apply<float>(const float*, float*, const Momenta&);
template void Nonlocal::apply<double>(const double*, double*, const Momenta&);
template void Nonlocal::apply<Number<float>>(const Number<float>*, Number<float>*, const Momenta&);
template void Nonlocal::apply<Number<double>>(const Number<double>*, Number<double>*, const Momenta&);
template void Nonlocal::propagate<float>(Number<float>*, const Momenta&, bool, const Number<float>*, double);
template void Nonlocal::propagate<double>(Number<double>*, const Momenta&, bool, const Number<double>*, double);
template void Nonlocal::expect<float>(const Number<float>*, const Momenta&, const Number<float>*, bool, double*);
template void Nonlocal::expect<double>(const Number<double>*, const Momenta&, const Number<double>*, bool, double*);

}  // namespace suite::lfd
