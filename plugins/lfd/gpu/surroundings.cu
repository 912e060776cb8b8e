// SPDX-License-Identifier: BSD-3-Clause
#include "propagate.hpp"

namespace suite::lfd {
namespace {

constexpr int bond_threads = 256, bond_lanes = 32, bond_shares = bond_threads / bond_lanes;

template <class T> struct Potential {
  const T *vloc, *vH, *rho;
  double h[3];
  CellOrder order;
};

template <class T, Functional functional> __global__ void set_phases(Potential<T> in, Phase phase, Number<T>* u) {
  const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (at >= in.order.size()) return;
  const int cell = at >> 3, cz = in.order.cells[2], cy = in.order.cells[1];
  const int r[3] = {2 * (cell / (cz * cy)) + (at >> 2 & 1), 2 * (cell / cz % cy) + (at >> 1 & 1), 2 * (cell % cz) + (at & 1)};
  const int* const n = in.order.n;
  if (r[0] >= n[0] || r[1] >= n[1] || r[2] >= n[2]) return;
  const int p = (r[0] * n[1] + r[1]) * n[2] + r[2];
  double v = static_cast<double>(in.vloc[p]) + static_cast<double>(in.vH[p]);
  if constexpr (functional != Functional::none) v += static_cast<double>(exchange_correlation<functional, T>(in.rho[p]).vxc);
  double angle = phase.constant + phase.factor * v;
  SUITE_GPU_UNROLL
  for (int d = 0; d < 3; ++d) {
    double slope = 0;
    if (phase.before) slope += phase.before_weight * phase.before[d];
    if (phase.now) slope += phase.now_weight * phase.now[d];
    angle += slope * ((r[d] - n[d] / 2) * in.h[d]);
  }
  const Number<double> z = unit(angle);
  u[at] = {static_cast<T>(phase.size * z.re), static_cast<T>(phase.size * z.im)};
}

// rho of all groups in their order; slots[block][4]: the sums of rho and of the grid's indices times rho.
template <class T>
__global__ void __launch_bounds__(sum_threads)
    add_groups(CellOrder order, const double* densities, int64_t groups, T* rho, double* all_slots, Row row) {
  double* const slots = all_slots + row.number() * (4 * sum_slots);
  const int points = order.n[0] * order.n[1] * order.n[2];
  const int first = static_cast<int>(blockIdx.x) * sum_threads, thread = static_cast<int>(threadIdx.x);
  // Small grids leave most blocks without a point; a sum of nothing takes as many barriers as any.
  if (first >= points) {
    if (thread < 4) slots[4 * blockIdx.x + threadIdx.x] = 0;
    return;
  }
  double sum[4] = {0, 0, 0, 0};
  for (int p = first + thread; p < points; p += sum_slots * sum_threads) {
    const int z = p % order.n[2], y = p / order.n[2] % order.n[1], x = p / order.n[2] / order.n[1];
    const double* const here = densities + order.place(x, y, z);
    double all = 0;
    for (int64_t g = 0; g < groups; ++g) all += here[g * order.size()];
    rho[p] = static_cast<T>(all);
    sum[0] += (x - order.n[0] / 2) * all;
    sum[1] += (y - order.n[1] / 2) * all;
    sum[2] += (z - order.n[2] / 2) * all;
    sum[3] += all;
  }
  block_sum<4, sum_threads>(sum, [&](int i, double total) { slots[4 * blockIdx.x + i] = total; });
}

// One block for each step.
struct Spacing {
  double h[3], volume;
};
__global__ void add_moments(const double* slots, Spacing s, double* dipole) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= 4) return;
  double sum = 0;
  for (int slot = 0; slot < sum_slots; ++slot) sum += slots[(static_cast<int64_t>(blockIdx.x) * sum_slots + slot) * 4 + i];
  dipole[4 * static_cast<int64_t>(blockIdx.x) + i] = sum * s.volume * (i < 3 ? s.h[i] : 1.0);
}

// i[T,r] of the bonds of 32 orbitals and one portion of the points, times f: slots[block][3].
template <class T>
__global__ void __launch_bounds__(bond_threads)
    sum_currents(const Number<T>* psi, Strides strides, const Number<T>* u, CellOrder order, Momenta momenta, Spacing s, const double* f,
                 int norb, int portions, double* slots) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread % bond_lanes, share = thread / bond_lanes;
  const int portion = static_cast<int>(blockIdx.x) % portions;
  const int n = static_cast<int>(blockIdx.x) / portions * bond_lanes + lane, own = n < norb ? n : norb - 1;
  const int points = order.n[0] * order.n[1] * order.n[2];
  const double occupation = n < norb ? f[n] : 0;
  Number<double> border[3];
  SUITE_GPU_UNROLL
  for (int d = 0; d < 3; ++d) border[d] = unit(momenta(d, own) * s.h[d] * order.n[d]);
  const auto value = [&](const int(&r)[3]) {
    const Number<T> x = psi[strides.first + r[0] * strides.x + r[1] * strides.y + r[2] * strides.z + own * strides.orbital];
    const Number<double> wide{static_cast<double>(x.re), static_cast<double>(x.im)};
    if (!u) return wide;
    const Number<T> phase = u[order.place(r[0], r[1], r[2])];
    return Number<double>{static_cast<double>(phase.re), static_cast<double>(phase.im)} * wide;
  };
  double sum[3] = {0, 0, 0};
  for (int p = portion * bond_shares + share; p < points; p += portions * bond_shares) {
    const int r[3] = {p / order.n[2] / order.n[1], p / order.n[2] % order.n[1], p % order.n[2]};
    const Number<double> here = value(r);
    SUITE_GPU_UNROLL
    for (int d = 0; d < 3; ++d) {
      if (order.n[d] == 1) continue;
      int next[3] = {r[0], r[1], r[2]};
      const bool last = r[d] + 1 == order.n[d];
      next[d] = last ? 0 : r[d] + 1;
      Number<double> there = value(next);
      if (last) there = border[d] * there;
      sum[d] += (here.re * there.im - here.im * there.re) * (s.volume / s.h[d]);
    }
  }
  SUITE_GPU_UNROLL
  for (int d = 0; d < 3; ++d) sum[d] *= occupation;
  block_sum<3, bond_threads>(sum, [&](int d, double total) { slots[3 * static_cast<int64_t>(blockIdx.x) + d] = total; });
}

__global__ void __launch_bounds__(bond_threads)
    add_currents(const double* slots, int blocks, const double* nonlocal, const double* f, int norb, double* current, Row row) {
  double sum[3] = {0, 0, 0};
  for (int i = static_cast<int>(threadIdx.x); i < blocks; i += bond_threads)
    for (int d = 0; d < 3; ++d) sum[d] += slots[3 * i + d];
  for (int n = static_cast<int>(threadIdx.x); n < norb; n += bond_threads)
    for (int d = 0; d < 3; ++d) sum[d] += f[n] * nonlocal[static_cast<int64_t>(d) * norb + n];
  block_sum<3, bond_threads>(sum, [&](int d, double total) { current[3 * row.number() + d] = total; });
}

template <class T>
__global__ void __launch_bounds__(row_threads)
    turn_by_momenta(CellOrder order, Momenta momenta, Spacing s, double sign, const Number<T>* from, Strides from_strides, Number<T>* to,
                    Strides to_strides, int norb, int shift) {
  const Lane lane = row_lane(shift);
  if (lane.row >= int64_t{1} * order.n[0] * order.n[1] * order.n[2]) return;
  const int p = static_cast<int>(lane.row);
  const int x = p / order.n[2] / order.n[1], y = p / order.n[2] % order.n[1], z = p % order.n[2];
  const double r[3] = {(x - order.n[0] / 2) * s.h[0], (y - order.n[1] / 2) * s.h[1], (z - order.n[2] / 2) * s.h[2]};
  const Number<T>* const source = from + from_strides.first + x * from_strides.x + y * from_strides.y + z * from_strides.z;
  Number<T>* const target = to + to_strides.first + x * to_strides.x + y * to_strides.y + z * to_strides.z;
  for (int n = lane.first; n < norb; n += lane.width) {
    Number<T> value = source[n * from_strides.orbital];
    if (momenta.A || momenta.k) value = value * unit_as<T>(sign * (momenta(0, n) * r[0] + momenta(1, n) * r[1] + momenta(2, n) * r[2]));
    target[n * to_strides.orbital] = value;
  }
}

Spacing spacing(const Grid& g) { return {{g.h[0], g.h[1], g.h[2]}, g.volume_element()}; }

}  // namespace

template <class T>
void turn_to_bloch(gpu::Stream stream, const Grid& g, const Momenta& momenta, bool back, const Number<T>* from, const Strides& from_strides,
                   Number<T>* to, const Strides& to_strides) {
  const int shift = row_shift(g.norb);
  SUITE_GPU_LAUNCH(turn_by_momenta<T>, row_blocks(g.points(), shift), row_threads, 0, stream, CellOrder(g), momenta, spacing(g),
                   back ? -1.0 : 1.0, from, from_strides, to, to_strides, g.norb, shift);
}
template void turn_to_bloch<float>(gpu::Stream, const Grid&, const Momenta&, bool, const Number<float>*, const Strides&, Number<float>*,
                                   const Strides&);
template void turn_to_bloch<double>(gpu::Stream, const Grid&, const Momenta&, bool, const Number<double>*, const Strides&, Number<double>*,
                                    const Strides&);

template <class T>
Surroundings<T>::Surroundings(const gpu::Queue& queue)
    : queue_(queue),
      solver_(queue),
      densities_(queue, "the densities of groups of orbitals"),
      moments_(queue, "the moments of the density"),
      bonds_(queue, "the currents of the bonds") {}

template <class T> void Surroundings<T>::start(const PropagateCall<T>& call) {
  using Form = typename FieldSolver<T>::Form;
  order_ = CellOrder(call.grid);
  written_ = 0;
  moments_.at_least(std::min(call.nsteps, steps_at_once) * sum_slots * 4);
  switch (call.choices.field) {
    case Field::frozen: return;
    case Field::loop:
    case Field::fused: return solver_.set(call.grid, call.field, Form::stepwise);
    case Field::closed: solver_.set(call.grid, call.field, Form::at_once); return solver_.load_waves(call.vH);
    case Field::spectral:
    case Field::isolated:
    case Field::continuum: return solver_.set(call.grid, call.field, Form::solution, *solution_of(call.choices.field));
  }
}

template <class T> void Surroundings<T>::phases(const PropagateCall<T>& call, const Phase& phase, Number<T>* u) const {
  Potential<T> in{call.vloc, call.vH, call.rho, {call.grid.h[0], call.grid.h[1], call.grid.h[2]}, order_};
  const auto kernel = call.choices.functional == Functional::none   ? set_phases<T, Functional::none>
                      : call.choices.functional == Functional::pw92 ? set_phases<T, Functional::pw92>
                                                                    : set_phases<T, Functional::pz81>;
  SUITE_GPU_LAUNCH(kernel, blocks_for(order_.size(), point_threads), point_threads, 0, queue_.stream(), in, phase, u);
}

template <class T> void Surroundings<T>::make_room(const PropagateCall<T>& call, int64_t step) {
  if (step - written_ == steps_at_once) write_dipoles(call, step);
}

template <class T> void Surroundings<T>::collect(const PropagateCall<T>& call, int64_t groups, const Row& moments) {
  SUITE_GPU_LAUNCH(add_groups<T>, sum_slots, sum_threads, 0, queue_.stream(), order_, densities_.data(), groups, call.rho, moments_.data(),
                   moments);
}

template <class T> void Surroundings<T>::write_dipoles(const PropagateCall<T>& call, int64_t end) {
  if (end > written_)
    SUITE_GPU_LAUNCH(add_moments, static_cast<unsigned>(end - written_), 32, 0, queue_.stream(), moments_.data(), spacing(call.grid),
                     call.dipole + 4 * written_);
  written_ = end;
}

template <class T> void Surroundings<T>::advance_field(const PropagateCall<T>& call, LoopRun how) {
  switch (call.choices.field) {
    case Field::frozen: return;
    case Field::loop: return solver_.loop(call.vH, call.rho, how);
    case Field::fused: return solver_.fused(call.vH, call.rho);
    case Field::closed: return solver_.closed_waves(call.vH, call.rho);
    case Field::spectral:
    case Field::isolated:
    case Field::continuum: return solver_.solve(call.vH, call.rho);
  }
}

template <class T>
void Surroundings<T>::current(const PropagateCall<T>& call, Nonlocal& nonlocal, const Number<T>* psi, const Strides& strides,
                              const Number<T>* u, const double* A, const Row& row, FourierLines<T>* lines) {
  const int norb = static_cast<int>(call.grid.norb), groups = (norb + bond_lanes - 1) / bond_lanes;
  const int portions =
      static_cast<int>(std::clamp<int64_t>(4 * queue_.properties().multiprocessors / groups, 1, call.grid.points() / bond_shares + 1));
  const int blocks = lines ? 0 : groups * portions;
  double *const slots = bonds_.at_least(3 * (int64_t{1} * blocks + norb)), *const of_atoms = slots + 3 * blocks;
  const Momenta momenta{A, call.k};
  nonlocal.expect<T>(psi, momenta, u, true, of_atoms);
  if (lines) lines->add_velocities(psi, u, momenta, of_atoms);
  else
    SUITE_GPU_LAUNCH(sum_currents<T>, static_cast<unsigned>(blocks), bond_threads, 0, queue_.stream(), psi, strides, u, order_, momenta,
                     spacing(call.grid), call.f, norb, portions, slots);
  SUITE_GPU_LAUNCH(add_currents, 1, bond_threads, 0, queue_.stream(), slots, blocks, of_atoms, call.f, norb, call.current, row);
}

template <class T> void Surroundings<T>::finish(const PropagateCall<T>& call) {
  write_dipoles(call, call.nsteps);
  T* const w = call.vH + call.grid.points();
  if (call.choices.field == Field::closed) solver_.finish_waves(w);
  if (solution_of(call.choices.field)) queue_.set_zero(w, static_cast<size_t>(call.grid.points()) * sizeof(T));
}

template class Surroundings<float>;
template class Surroundings<double>;

}  // namespace suite::lfd
