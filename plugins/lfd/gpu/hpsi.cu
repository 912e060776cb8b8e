// SPDX-License-Identifier: BSD-3-Clause
// lfd.hpsi on a GPU: a thread for each element of psi, whose neighbours come through the caches; then the spheres (nonlocal.hpp), for
// all orbitals together unless they lie in front of the grid and behind it.
#include "../stencil.hpp"
#include "nonlocal.hpp"

namespace suite::lfd {
namespace {

constexpr int stencil_threads = 128;

// HpsiArrays as the kernel reads them.
struct Elements {
  int n[3], low[3], m[3], boundary[3];
  int64_t stride[3], slice;
  int nfast, points;
};

// weights[term][orbital]: the center, then even and odd of each neighbour of each axis.
struct Axes {
  AxisStencil axis[3];
};
template <int R> constexpr int weight_terms = 1 + 6 * R;
template <class T, int R> __global__ void set_weights(Axes axes, Momenta momenta, int norb, T* weights) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (n >= norb) return;
  double center = 0;
  for (int a = 0; a < 3; ++a) {
    const AxisStencil& axis = axes.axis[a];
    const double q = momenta(axis.direction, n);
    center += axis.center(q);
    for (int m = 1; m <= R; ++m) {
      T* const pair = weights + static_cast<int64_t>(1 + 2 * (a * R + m - 1)) * norb + n;
      pair[0] = static_cast<T>(axis.even(m, q));
      pair[norb] = static_cast<T>(axis.odd(m, q));
    }
  }
  weights[n] = static_cast<T>(center);
}

// Of the element at `here`, whose number along the axis is i, the one `step` points further.
template <class E>
__device__ __forceinline__ Number<RealOf<E>> neighbour(const E* psi, const Elements& all, int a, int i, int step, int64_t here) {
  int to = i + step;
  const int n = all.n[a];
  if (to < 0 || to >= n) {
    if (all.boundary[a] == static_cast<int>(Boundary::zeros)) return {0, 0};
    if (all.boundary[a] == static_cast<int>(Boundary::periodic)) {
      // Once, but in boxes narrower than the stencil: a remainder would take more instructions than all else.
      while (to < 0) to += n;
      while (to >= n) to -= n;
    }
  }
  return as_number(psi[here + (to - i) * all.stride[a]]);
}

template <class E, int R, bool moving>
__global__ void __launch_bounds__(stencil_threads)
    apply_stencil(Elements all, const E* psi, const RealOf<E>* v, const int32_t* spin, const RealOf<E>* weights, int nslow, E* hpsi) {
  using T = RealOf<E>;
  const int64_t element = thread_index();
  if (element >= all.slice) return;
  const unsigned point = static_cast<unsigned>(element / all.nfast), fast = static_cast<unsigned>(element % all.nfast);
  const int at[3] = {static_cast<int>(point % all.m[0]) - all.low[0], static_cast<int>(point / all.m[0] % all.m[1]) - all.low[1],
                     static_cast<int>(point / all.m[0] / all.m[1]) - all.low[2]};
  bool inside = true;
  for (int a = 0; a < 3; ++a) inside = inside && at[a] >= 0 && at[a] < all.n[a];
  const int norb = all.nfast * nslow;
  for (int slow = static_cast<int>(blockIdx.y); slow < nslow; slow += static_cast<int>(gridDim.y)) {
    const int64_t here = slow * all.slice + element;
    Number<T> sum{0, 0}, slope{0, 0};
    if (inside) {
      const int n = slow * all.nfast + static_cast<int>(fast);
      const int64_t potential = spin ? static_cast<int64_t>(spin[n] - 1) * all.points : 0;
      const Number<T> x = as_number(psi[here]);
      const T center =
          v[potential + at[0] + static_cast<int64_t>(all.n[0]) * (at[1] + static_cast<int64_t>(all.n[1]) * at[2])] + weights[n];
      sum = {center * x.re, center * x.im};
      for (int a = 0; a < 3; ++a) {
        SUITE_GPU_UNROLL
        for (int m = 1; m <= R; ++m) {
          const T* const pair = weights + static_cast<int64_t>(1 + 2 * (a * R + m - 1)) * norb + n;
          const Number<T> up = neighbour(psi, all, a, at[a], m, here), down = neighbour(psi, all, a, at[a], -m, here);
          sum.re += pair[0] * (up.re + down.re);
          sum.im += pair[0] * (up.im + down.im);
          if constexpr (moving) {
            slope.re += pair[norb] * (up.re - down.re);
            slope.im += pair[norb] * (up.im - down.im);
          }
        }
      }
    }
    if constexpr (std::is_floating_point_v<E>) hpsi[here] = sum.re;
    else hpsi[here] = {sum.re - slope.im, sum.im + slope.re};
  }
}

class HpsiGpu : public OnGpu<Hpsi, parameter::differences, parameter::axes, parameter::vector_potential> {
public:
  HpsiGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : OnGpu(backend, queue, p), chosen_(p), nonlocal_(queue_), weights_(queue_, "the weights of the stencil") {}
  static int cost(const suite_array* a, const int64_t* p, suite_cost* cost) { return Hpsi::cost_with(a, HpsiChoices(p).radius, cost); }

  void prepare(const suite_array* a) {
    OnGpu::prepare(a);
    const Hpsi c(a);
    ghost_ = on_host<int32_t>(queue_, c.ghost.array());
    boundary_ = on_host<int32_t>(queue_, c.boundary.array());
    spin_ = on_host<int32_t>(queue_, c.spin.array());
    const HpsiArrays all = arrays_of(c);
    Grid g = all.grid();
    g.norb = all.nfast > 1 ? all.nfast : all.nslow;
    nonlocal_.prepare(g, c.nonlocal);
    nonlocal_.set_layout({all.stride(2), all.stride(1), all.stride(0), all.nfast > 1 ? 1 : all.slice(), all.first()}, false);
  }

  void execute(const suite_array* a) {
    const Hpsi c = begin(a);
    const HpsiArrays all = arrays_of(c);
    if (all.slice() > int64_t{1} << 31 || all.norb() > int64_t{1} << 30)
      throw Failure(SUITE_UNSUPPORTED,
                    concat("psi has ", all.slice(), " elements of one slow index and ", all.norb(),
                           " orbitals; this implementation supports up to ", int64_t{1} << 31, " and ", int64_t{1} << 30));
    by_precision(c.v.array(), [&](auto type) {
      using T = decltype(type);
      if (!all.complex) with_radius<T, false>(c, all);
      else if (c.A || c.k) with_radius<Number<T>, true>(c, all);
      else with_radius<Number<T>, false>(c, all);
    });
  }

private:
  HpsiArrays arrays_of(const Hpsi& c) const {
    const auto or_null = [](const std::vector<int32_t>& list) { return list.empty() ? nullptr : list.data(); };
    return hpsi_arrays(c, chosen_, h_.data(), or_null(ghost_), or_null(boundary_), or_null(spin_));
  }

  template <class E, bool moving> void with_radius(const Hpsi& c, const HpsiArrays& all) {
    if (chosen_.radius == 1) run<E, 1, moving>(c, all);
    else if (chosen_.radius == 2) run<E, 2, moving>(c, all);
    else if (chosen_.radius == 3) run<E, 3, moving>(c, all);
    else run<E, 4, moving>(c, all);
  }

  template <class E, int R, bool moving> void run(const Hpsi& c, const HpsiArrays& all) {
    using T = RealOf<E>;
    const gpu::Stream stream = queue_.stream();
    const int norb = static_cast<int>(all.norb()), nslow = static_cast<int>(all.nslow);
    auto* const weights = reinterpret_cast<T*>(weights_.at_least(int64_t{weight_terms<R>} * norb));
    const Momenta momenta{c.A.data(), c.k.data()};
    SUITE_GPU_LAUNCH((set_weights<T, R>), blocks_for(norb, 128), 128, 0, stream, Axes{{all.axis[0], all.axis[1], all.axis[2]}}, momenta,
                     norb, weights);
    Elements elements{};
    for (int d = 0; d < 3; ++d) {
      elements.n[d] = static_cast<int>(all.n[d]);
      elements.low[d] = static_cast<int>(all.low[d]);
      elements.m[d] = static_cast<int>(all.m[d]);
      elements.boundary[d] = static_cast<int>(all.boundary[d]);
      elements.stride[d] = all.stride(d);
    }
    elements.slice = all.slice();
    elements.nfast = static_cast<int>(all.nfast);
    elements.points = static_cast<int>(all.points());
    const E* const psi = device_data<const E>(c.psi);
    E* const hpsi = device_data<E>(c.hpsi);
    const gpu::Dim3 blocks(blocks_for(all.slice(), stencil_threads), static_cast<unsigned>(std::min(nslow, 65535)), 1);
    SUITE_GPU_LAUNCH((apply_stencil<E, R, moving>), blocks, stencil_threads, 0, stream, elements, psi, device_data<const T>(c.v),
                     c.spin.data(), weights, nslow, hpsi);
    if (nonlocal_.empty()) return;
    const int64_t slices = all.nfast > 1 ? all.nslow : 1;
    for (int64_t slow = 0; slow < slices; ++slow)
      nonlocal_.apply(psi + slow * all.slice(), hpsi + slow * all.slice(),
                      Momenta{momenta.A, momenta.k ? momenta.k + 3 * slow * all.nfast : nullptr});
  }

  HpsiChoices chosen_;
  Nonlocal nonlocal_;
  std::vector<int32_t> ghost_, boundary_, spin_;
  gpu::Buffer<double> weights_;
};

}  // namespace

const suite_kernel_table* hpsi_table() { return gpu_table<Hpsi, HpsiGpu>(); }

}  // namespace suite::lfd
