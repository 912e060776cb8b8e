// SPDX-License-Identifier: BSD-3-Clause
// lfd.kin_prop on a GPU: each pair of points by the lanes of one section, orbital after orbital, in place.
#include "call.hpp"

namespace suite::lfd {
namespace {

// Where the pairs of one part of a direction lie: points i and i + 1 of its n, `inner` apart.
struct Pairs {
  unsigned count, n, inner, first;  // first: 0 for half, 1 for full
};

// em e^{+i(A+k)h} of each orbital, then em e^{-i(A+k)h}.
template <class T> __global__ void set_factors(Momenta momenta, int d, double h, Number<double> em, int norb, Number<T>* factors) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (n >= norb) return;
  const Number<double> phase = unit(momenta(d, n) * h);
  const Number<double> up = em * phase, down = em * conjugate(phase);
  factors[n] = {static_cast<T>(up.re), static_cast<T>(up.im)};
  factors[norb + n] = {static_cast<T>(down.re), static_cast<T>(down.im)};
}

template <class T>
__global__ void __launch_bounds__(row_threads)
    turn_pairs(Number<T>* psi, Pairs pairs, Number<T> ep, const Number<T>* factors, int norb, int shift) {
  const Lane lane = row_lane(shift);
  if (lane.row >= pairs.count) return;
  const unsigned pair = static_cast<unsigned>(lane.row), across = pair % pairs.inner, line = pair / pairs.inner;
  const unsigned half = pairs.n / 2, i = 2 * (line % half) + pairs.first, next = i + 1 < pairs.n ? i + 1 : 0;
  const int64_t base = static_cast<int64_t>(line / half) * pairs.n * pairs.inner + across;
  Number<T>* const a = psi + (base + static_cast<int64_t>(i) * pairs.inner) * norb;
  Number<T>* const b = psi + (base + static_cast<int64_t>(next) * pairs.inner) * norb;
  for (int n = lane.first; n < norb; n += lane.width) {
    const Number<T> x = a[n], y = b[n];
    a[n] = ep * x + factors[n] * y;
    b[n] = ep * y + factors[norb + n] * x;
  }
}

class KinPropGpu : public OnGpu<KinProp, parameter::d, parameter::p, parameter::mass_correction> {
public:
  KinPropGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : OnGpu(backend, queue, p),
        d_(static_cast<int>(p[0])),
        part_(p[1] == 0 ? Part::half : Part::full),
        mass_correction_(p[2] != 0),
        factors_(queue_, "the factors of the bonds") {}

  void execute(const suite_array* a) {
    const KinProp c = begin(a);
    const Grid g = orbital_grid(c.psi, h_.data());
    check_size(g);
    check_time_step(c.dt, g.h, g.n, mass_correction_);
    if (g.n[d_] == 1) return;
    by_precision(c.psi.array(), [&](auto type) { run<decltype(type)>(g, c); });
  }

private:
  template <class T> void run(const Grid& g, const KinProp& c) {
    const Rotation r = rotation(splitting_angle(c.dt, g.h[d_], mass_correction_), part_);
    Number<T>* const factors = reinterpret_cast<Number<T>*>(factors_.at_least(2 * g.norb));
    const Momenta momenta{c.A.data(), c.k.data()};
    const int norb = static_cast<int>(g.norb), shift = row_shift(g.norb);
    SUITE_GPU_LAUNCH(set_factors<T>, blocks_for(norb, 128), 128, 0, queue_.stream(), momenta, d_, g.h[d_],
                     Number<double>{r.em.real(), r.em.imag()}, norb, factors);
    const int64_t inner = d_ == 0 ? g.n[1] * g.n[2] : d_ == 1 ? g.n[2] : 1;
    const Pairs pairs{static_cast<unsigned>(g.points() / 2), static_cast<unsigned>(g.n[d_]), static_cast<unsigned>(inner),
                      part_ == Part::full};
    SUITE_GPU_LAUNCH(turn_pairs<T>, row_blocks(pairs.count, shift), row_threads, 0, queue_.stream(), device_data<Number<T>>(c.psi), pairs,
                     Number<T>{static_cast<T>(r.ep.real()), static_cast<T>(r.ep.imag())}, factors, norb, shift);
  }

  int d_;
  Part part_;
  bool mass_correction_;
  gpu::Buffer<Number<double>> factors_;
};

}  // namespace

const suite_kernel_table* kin_prop_table() { return gpu_table<KinProp, KinPropGpu>(); }

}  // namespace suite::lfd
