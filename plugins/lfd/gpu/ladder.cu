// SPDX-License-Identifier: BSD-3-Clause
#include "ladder.hpp"

namespace suite::lfd {
namespace {

constexpr unsigned threads = 128;

// The index of a thread taken apart, in the order of the array: orbitals outermost, or innermost.
struct Element {
  int n, a, b, c;
};
template <bool OrbitalFirst>
__device__ __forceinline__ Element element(unsigned i, unsigned norb, unsigned nb, unsigned nc, unsigned count) {
  Element e;
  if constexpr (OrbitalFirst) {
    const unsigned points = count / norb, p = i % points;
    e.n = static_cast<int>(i / points);
    e.c = static_cast<int>(p % nc);
    e.b = static_cast<int>(p / nc % nb);
    e.a = static_cast<int>(p / nc / nb);
  } else {
    const unsigned p = i / norb;
    e.n = static_cast<int>(i % norb);
    e.c = static_cast<int>(p % nc);
    e.b = static_cast<int>(p / nc % nb);
    e.a = static_cast<int>(p / nc / nb);
  }
  return e;
}
__device__ __forceinline__ unsigned element_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <class T, bool OrbitalFirst>
__global__ void turn_points(Ghosted g, CellOrder order, const Number<T>* u, unsigned count, Number<T>* psi) {
  const unsigned i = element_index();
  if (i >= count) return;
  const Element e = element<OrbitalFirst>(i, g.norb, g.n[1], g.n[2], count);
  Number<T>& x = psi[g.at(e.n, e.a + 1, e.b + 1, e.c + 1)];
  x = x * u[order.place(e.a, e.b, e.c)];
}

// Ghosts of direction d: chi at N + 1 is e^{i(A+k) h N} chi at 1.
template <class T, bool OrbitalFirst>
__global__ void copy_ghosts(Ghosted g, int d, Momenta momenta, double length, unsigned count, Number<T>* psi) {
  const unsigned i = element_index();
  if (i >= count) return;
  const int e = d == 0 ? 1 : 0, f = d == 2 ? 1 : 2;
  const Element at = element<OrbitalFirst>(i, g.norb, g.n[e], g.n[f], count);
  Number<T>* const ghost = psi + at.n * g.orbital + (at.b + 1) * g.stride[e] + (at.c + 1) * g.stride[f];
  Number<T>* const upper = ghost + (g.n[d] + 1) * g.stride[d];
  const Number<T> last = ghost[g.n[d] * g.stride[d]], first = ghost[g.stride[d]];
  if (momenta.A || momenta.k) {
    const Number<T> phase = unit_as<T>(momenta(d, at.n) * length);
    *ghost = conjugate(phase) * last;
    *upper = phase * first;
  } else {
    *ghost = last;
    *upper = first;
  }
}

// psi_i' = al psi_i + bl[i] psi_{i-1} + bu[i] psi_{i+1},  all old values; real and imaginary parts by
// themselves.
template <class T> struct Line {
  Number<T> al;
  const Number<T>*bl, *bu;
};
template <class T> __device__ __forceinline__ Number<T> by_parts(const T* x) { return {x[0], x[1]}; }
template <class T> __device__ __forceinline__ Number<T> changed(const Line<T>& c, int i, Number<T> before, Number<T> here, Number<T> next) {
  return c.al * here + c.bl[i] * before + c.bu[i] * next;
}

// D: the direction, or -1 where it is known by its stride only.
template <class T, bool OrbitalFirst, int D>
__global__ void change_points(Ghosted g, int direction, Line<T> c, unsigned count, const T* psi, T* work) {
  const unsigned i = element_index();
  if (i >= count) return;
  const int d = D < 0 ? direction : D;
  const Element e = element<OrbitalFirst>(i, g.norb, g.n[1], g.n[2], count);
  const int on_line = (d == 0 ? e.a : d == 1 ? e.b : e.c) + 1;
  const int64_t at = 2 * g.at(e.n, e.a + 1, e.b + 1, e.c + 1), apart = 2 * g.stride[d];
  const Number<T> w = changed(c, on_line, by_parts(psi + at - apart), by_parts(psi + at), by_parts(psi + at + apart));
  work[at] = w.re;
  work[at + 1] = w.im;
}
template <class T, bool OrbitalFirst> __global__ void copy_back(Ghosted g, unsigned count, const T* work, T* psi) {
  const unsigned i = element_index();
  if (i >= count) return;
  const Element e = element<OrbitalFirst>(i, g.norb, g.n[1], g.n[2], count);
  const int64_t at = 2 * g.at(e.n, e.a + 1, e.b + 1, e.c + 1);
  psi[at] = work[at];
  psi[at + 1] = work[at + 1];
}

template <bool Complex, class T> __device__ __forceinline__ void change_line(const Ghosted& g, int d, const Line<T>& c, Number<T>* line) {
  const int64_t apart = g.stride[d];
  const auto get = [&](int i) {
    if constexpr (Complex) return line[i * apart];
    else return by_parts(reinterpret_cast<const T*>(line) + 2 * i * apart);
  };
  Number<T> old = get(0), here = get(1);
  for (int i = 1; i <= g.n[d]; ++i) {
    const Number<T> next = get(i + 1), w = changed(c, i, old, here, next);
    if constexpr (Complex) {
      line[i * apart] = w;
    } else {
      T* const to = reinterpret_cast<T*>(line) + 2 * i * apart;
      to[0] = w.re;
      to[1] = w.im;
    }
    old = here;
    here = next;
  }
}

// A block has one plane of lines.
template <class T, bool Complex> __global__ void change_planes(Ghosted g, int d, Line<T> c, Number<T>* psi) {
  const int e = d == 0 ? 1 : 0, f = d == 2 ? 1 : 2;
  for (int b = 1; b <= g.n[f]; ++b)
    for (int n = static_cast<int>(threadIdx.x); n < g.norb; n += static_cast<int>(blockDim.x))
      change_line<Complex>(g, d, c, psi + n * g.orbital + (blockIdx.x + 1) * g.stride[e] + b * g.stride[f]);
}
template <class T> __global__ void change_lines(Ghosted g, int d, Line<T> c, unsigned count, Number<T>* psi) {
  const unsigned i = element_index();
  if (i >= count) return;
  const int e = d == 0 ? 1 : 0, f = d == 2 ? 1 : 2;
  const Element at = element<false>(i, g.norb, g.n[e], g.n[f], count);
  change_line<true>(g, d, c, psi + at.n * g.orbital + (at.b + 1) * g.stride[e] + (at.c + 1) * g.stride[f]);
}

template <class T>
__global__ void sum_points_density(Ghosted g, CellOrder order, const Number<T>* psi, const double* f, unsigned points, double* rho) {
  const unsigned i = element_index();
  if (i >= points) return;
  const Element e = element<true>(i, 1, g.n[1], g.n[2], points);
  double sum = 0;
  for (int n = 0; n < g.norb; ++n) sum += f[n] * norm(psi[g.at(n, e.a + 1, e.b + 1, e.c + 1)]);
  rho[order.place(e.a, e.b, e.c)] = sum;
}
template <class T>
__global__ void __launch_bounds__(row_threads)
    sum_rows_density(Ghosted g, CellOrder order, const Number<T>* psi, const double* f, unsigned points, int shift, double* rho) {
  const Lane lane = row_lane(shift);
  const bool there = lane.row < points;
  const Element e = element<true>(static_cast<unsigned>(there ? lane.row : 0), 1, g.n[1], g.n[2], points);
  double sum = 0;
  for (int n = lane.first; there && n < g.norb; n += lane.width) sum += f[n] * norm(psi[g.at(n, e.a + 1, e.b + 1, e.c + 1)]);
  sum = section_sum(sum, lane.width);
  if (there && lane.first == 0) rho[order.place(e.a, e.b, e.c)] = sum;
}

}  // namespace

template <class T>
Ladder<T>::Ladder(const gpu::Queue& queue)
    : queue_(queue),
      coefficients_(queue, "the coefficients of kin_prop"),
      psi_(queue, "the wavefunctions with ghost points"),
      work_(queue, "the work array of kin_prop"),
      u_(queue, "the phases of the potential") {}

template <class T> void Ladder<T>::set_coefficients(const PropagateCall<T>& call) {
  const Grid& g = call.grid;
  std::vector<Number<T>> all;
  for (int d = 0; d < 3; ++d)
    for (const Part part : {Part::half, Part::full}) {
      const Rotation r = rotation(call.angle(d), part);
      const int p = static_cast<int>(part);
      const Number<T> em{static_cast<T>(r.em.real()), static_cast<T>(r.em.imag())}, none{0, 0};
      al_[d][p] = {static_cast<T>(r.ep.real()), static_cast<T>(r.ep.imag())};
      const auto joins_upper = [&](int64_t i) { return (i % 2 == 1) == (part == Part::half); };
      lower_[d][p] = std::ssize(all);
      for (int64_t i = 0; i < g.n[d] + 2; ++i) all.push_back(joins_upper(i) ? none : em);
      upper_[d][p] = std::ssize(all);
      for (int64_t i = 0; i < g.n[d] + 2; ++i) all.push_back(joins_upper(i) ? em : none);
    }
  coefficients_.upload(all.data(), std::ssize(all));
  queue_.wait();  // `all` goes
}

template <class T> void Ladder<T>::start(Step variant, const PropagateCall<T>& call) {
  const Grid& g = call.grid;
  variant_ = variant;
  if (g.norb * g.points() > int64_t{1} << 31)
    throw Failure(SUITE_UNSUPPORTED,
                  concat("psi has ", g.norb * g.points(), " numbers; the variants before best support up to ", int64_t{1} << 31));
  const int64_t m[] = {g.n[0] + 2, g.n[1] + 2, g.n[2] + 2}, with_ghosts = m[0] * m[1] * m[2];
  const int64_t point = orbital_first() ? 1 : g.norb;
  grid_.norb = static_cast<int>(g.norb);
  grid_.orbital = orbital_first() ? with_ghosts : 1;
  for (int d = 0; d < 3; ++d) grid_.n[d] = static_cast<int>(g.n[d]);
  grid_.stride[0] = m[1] * m[2] * point;
  grid_.stride[1] = m[2] * point;
  grid_.stride[2] = point;
  psi_.at_least(with_ghosts * g.norb);
  if (variant <= Step::reordered) work_.at_least(with_ghosts * g.norb);
  set_coefficients(call);
}

template <class T> Strides Ladder<T>::strides() const {
  return {grid_.stride[0], grid_.stride[1], grid_.stride[2], grid_.orbital, grid_.stride[0] + grid_.stride[1] + grid_.stride[2]};
}

template <class T> void Ladder<T>::turn(const PropagateCall<T>& call, Surroundings<T>& around, const Phase& phase) {
  around.phases(call, phase, u_.data());
  const unsigned count = static_cast<unsigned>(call.grid.norb * call.grid.points());
  const auto kernel = orbital_first() ? turn_points<T, true> : turn_points<T, false>;
  SUITE_GPU_LAUNCH(kernel, blocks_for(count, threads), threads, 0, queue_.stream(), grid_, around.order(), u_.data(), count, psi_.data());
}

template <class T> void Ladder<T>::ghosts(const PropagateCall<T>& call, const Momenta& momenta, int d) {
  const unsigned count = static_cast<unsigned>(call.grid.norb * call.grid.points() / call.grid.n[d]);
  const auto kernel = orbital_first() ? copy_ghosts<T, true> : copy_ghosts<T, false>;
  SUITE_GPU_LAUNCH(kernel, blocks_for(count, threads), threads, 0, queue_.stream(), grid_, d, momenta,
                   call.grid.h[d] * static_cast<double>(call.grid.n[d]), count, psi_.data());
}

template <class T> void Ladder<T>::kin_prop(const PropagateCall<T>& call, int d, Part part) {
  const int p = static_cast<int>(part), e = d == 0 ? 1 : 0;
  const Number<T>* const all = coefficients_.data();
  const Line<T> line{al_[d][p], all + lower_[d][p], all + upper_[d][p]};
  const gpu::Stream stream = queue_.stream();
  Number<T>* const psi = psi_.data();
  if (variant_ > Step::reordered) {
    if (variant_ == Step::scratch_free)
      SUITE_GPU_LAUNCH((change_planes<T, false>), static_cast<unsigned>(grid_.n[e]), threads, 0, stream, grid_, d, line, psi);
    else if (variant_ == Step::complex_1d)
      SUITE_GPU_LAUNCH((change_planes<T, true>), static_cast<unsigned>(grid_.n[e]), threads, 0, stream, grid_, d, line, psi);
    else {
      const unsigned lines = static_cast<unsigned>(call.grid.norb * call.grid.points() / call.grid.n[d]);
      SUITE_GPU_LAUNCH(change_lines<T>, blocks_for(lines, threads), threads, 0, stream, grid_, d, line, lines, psi);
    }
    return;
  }
  const unsigned count = static_cast<unsigned>(call.grid.norb * call.grid.points()), blocks = blocks_for(count, threads);
  const auto change = variant_ == Step::reordered  ? change_points<T, false, -1>
                      : variant_ == Step::original ? change_points<T, true, -1>
                      : d == 0                     ? change_points<T, true, 0>
                      : d == 1                     ? change_points<T, true, 1>
                                                   : change_points<T, true, 2>;
  const auto back = orbital_first() ? copy_back<T, true> : copy_back<T, false>;
  T *const x = reinterpret_cast<T*>(psi), *const work = reinterpret_cast<T*>(work_.data());
  SUITE_GPU_LAUNCH(change, blocks, threads, 0, stream, grid_, d, line, count, x, work);
  SUITE_GPU_LAUNCH(back, blocks, threads, 0, stream, grid_, count, work, x);
}

template <class T> void Ladder<T>::kinetic(const PropagateCall<T>& call, const Momenta& momenta) {
  for (int d = 0; d < 3; ++d) {
    if (call.grid.n[d] == 1) continue;
    for (const Part part : {Part::half, Part::full, Part::half}) {
      ghosts(call, momenta, d);
      kin_prop(call, d, part);
    }
  }
}

template <class T> void Ladder<T>::density(const PropagateCall<T>& call, Surroundings<T>& around, int64_t step) {
  const unsigned points = static_cast<unsigned>(call.grid.points());
  double* const rho = around.densities(1);
  if (orbital_first()) {
    SUITE_GPU_LAUNCH(sum_points_density<T>, blocks_for(points, threads), threads, 0, queue_.stream(), grid_, around.order(), psi_.data(),
                     call.f, points, rho);
  } else {
    const int shift = row_shift(call.grid.norb);
    SUITE_GPU_LAUNCH(sum_rows_density<T>, row_blocks(points, shift), row_threads, 0, queue_.stream(), grid_, around.order(), psi_.data(),
                     call.f, points, shift, rho);
  }
  around.collect(call, 1, step);
}

template <class T> void Ladder<T>::run(Step variant, const PropagateCall<T>& call, Surroundings<T>& around, Nonlocal& nonlocal) {
  around.start(call);
  start(variant, call);
  u_.at_least(around.order().size());
  nonlocal.set_layout(strides(), true);
  const LoopRun how = variant <= Step::offloaded ? LoopRun::one_block : variant == Step::field_sync ? LoopRun::waiting : LoopRun::queued;
  const Strides rows = row_strides(call.grid);
  Number<T>* const psi = psi_.data();
  turn_to_bloch<T>(queue_.stream(), call.grid, {call.A(0), call.k}, false, call.psi, rows, psi, strides());
  if (call.choices.functional != Functional::none) density(call, around, 0);
  for (int64_t step = 0; step < call.nsteps; ++step) {
    const Momenta momenta{call.A(step), call.k};
    const double* const drive = call.drive + 3 * step;
    Phase half{1, 0, -0.5 * call.dt, nullptr, nullptr, 0, 0};
    if (!call.choices.velocity) {
      half.now = drive;
      half.now_weight = -0.5 * call.dt;
    }
    Phase first = half;
    if (call.choices.velocity && step > 0) {  // chi goes over to the new A
      first.now = drive;
      first.now_weight = 1;
      first.before = drive - 3;
      first.before_weight = -1;
    }
    turn(call, around, first);
    nonlocal.propagate<T>(psi, momenta, false, nullptr, 1);
    kinetic(call, momenta);
    nonlocal.propagate<T>(psi, momenta, true, nullptr, 1);
    density(call, around, step);
    around.advance_field(call, how);
    turn(call, around, half);
    if (call.current) around.current(call, nonlocal, psi, strides(), nullptr, call.A(step), Row{step, nullptr});
  }
  turn_to_bloch<T>(queue_.stream(), call.grid, {call.A(call.nsteps - 1), call.k}, true, psi, strides(), call.psi, rows);
  around.finish(call);
}

template class Ladder<float>;
template class Ladder<double>;

}  // namespace suite::lfd
