// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "best.hpp"

namespace suite::lfd {
namespace {

struct Lengths {
  double l[3];  // h N
};
template <class T> __global__ void set_border_factors(Momenta momenta, Lengths cell, CellStep<T> step, Number<T>* border) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (n >= step.norb) return;
  SUITE_GPU_UNROLL
  for (int d = 0; d < 3; ++d) {
    const Number<double> z = unit(momenta(d, n) * cell.l[d]);
    border[d * step.norb + n] = {static_cast<T>(z.re * static_cast<double>(step.full[d])),
                                 static_cast<T>(z.im * static_cast<double>(step.full[d]))};
  }
}

}  // namespace

template <class T>
Best<T>::Best(const gpu::Queue& queue)
    : queue_(queue), lines_(queue), u_(queue, "the phases of the potential"), border_(queue, "the bonds across the border") {}

template <class T> void Best<T>::start(const PropagateCall<T>& call, Surroundings<T>& around) {
  fourier_ = call.choices.fourier();
  if (fourier_) lines_.set(call.grid);
  const double theta[] = {call.angle(0), call.angle(1), call.angle(2)};
  kinetic_ = fourier_ ? TangentStep() : tangent_step<T>(theta);
  for (int d = 0; d < 3; ++d) {
    step_.half[d] = static_cast<T>(kinetic_.half[d]);
    step_.full[d] = static_cast<T>(kinetic_.full[d]);
  }
  bloch_ = call.k || call.choices.velocity;
  step_.order = around.order();
  step_.norb = static_cast<int>(call.grid.norb);
  step_.shift = row_shift(call.grid.norb);
  step_.groups = (step_.norb + (1 << step_.shift) - 1) >> step_.shift;
  step_.psi = call.psi;
  step_.f = call.f;
  step_.density = around.densities(step_.groups);
  step_.u = u_.at_least(2 * step_.order.size());
  step_.border = bloch_ ? border_.at_least(3 * call.grid.norb) : nullptr;
}

// The phase before the kinetic part: the end of the step before, the beginning of this one, the change of A
// between them, and the constants of the kinetic part.
template <class T> Phase Best<T>::beginning_of(const PropagateCall<T>& call, int64_t step) const {
  Phase phase{kinetic_.size, kinetic_.angle, step > 0 ? -call.dt : -0.5 * call.dt, nullptr, call.drive + 3 * step, 0, 0};
  phase.now_weight = call.choices.velocity ? 1 : -0.5 * call.dt;
  if (step > 0) {
    phase.before = call.drive + 3 * (step - 1);
    phase.before_weight = call.choices.velocity ? -1 : -0.5 * call.dt;
  }
  return phase;
}

// Of a whole step, with chi as it is.
template <class T> Phase Best<T>::end_of(const PropagateCall<T>& call, int64_t step) const {
  return {1, 0, -0.5 * call.dt, nullptr, call.choices.velocity ? nullptr : call.drive + 3 * step, 0, -0.5 * call.dt};
}

// Of the call: chi becomes psi, but for k.
template <class T> Phase Best<T>::last_of(const PropagateCall<T>& call) const {
  return {1, 0, -0.5 * call.dt, nullptr, call.drive + 3 * (call.nsteps - 1), 0, call.choices.velocity ? -1 : -0.5 * call.dt};
}

template <class T> void Best<T>::set_border(const PropagateCall<T>& call, int64_t step) {
  if (fourier_) {
    if (step == 0 || call.choices.velocity) lines_.set_step(call.dt, {call.A(step), call.k}, bloch_);
    return;
  }
  if (!bloch_ || (step > 0 && !call.choices.velocity)) return;
  Lengths cell;
  for (int d = 0; d < 3; ++d) cell.l[d] = call.grid.h[d] * static_cast<double>(call.grid.n[d]);
  SUITE_GPU_LAUNCH(set_border_factors<T>, blocks_for(call.grid.norb, 128), 128, 0, queue_.stream(), (Momenta{call.A(step), call.k}), cell,
                   step_, border_.data());
}

template <class T> unsigned Best<T>::blocks() const { return row_blocks(int64_t{1} * step_.order.size() / 8 * step_.groups, step_.shift); }
template <class T> template <bool Before, bool Density, bool Turn, bool After> void Best<T>::even() const {
  SUITE_GPU_LAUNCH((even_cells<T, Before, Density, Turn, After>), blocks(), row_threads, 0, queue_.stream(), step_);
}
template <class T> template <bool Before, bool Density, bool Turn, bool After> void Best<T>::pass() const {
  if (!fourier_) even<Before, Density, Turn, After>();
  else if constexpr (Density || Turn) even<false, Density, Turn, false>();
}
template <class T> void Best<T>::middle() {
  if (fourier_) return lines_.propagate(step_.psi);
  if (bloch_) SUITE_GPU_LAUNCH((odd_cells<T, true>), blocks(), row_threads, 0, queue_.stream(), step_);
  else SUITE_GPU_LAUNCH((odd_cells<T, false>), blocks(), row_threads, 0, queue_.stream(), step_);
}

template <class T> void Best<T>::run(const PropagateCall<T>& call, Surroundings<T>& around, Nonlocal& nonlocal) {
  around.start(call);
  start(call, around);
  Number<T>*const u = u_.data(), *const u_end = u + step_.order.size();
  const Strides rows = row_strides(call.grid);
  const double scale = 1 / (kinetic_.size * kinetic_.size);
  // The end of one step and the beginning of the next are one pass where nothing has to happen in between.
  const bool merged = !call.choices.potential_moves() && nonlocal.empty() && !call.current;
  if (call.k) turn_to_bloch<T>(queue_.stream(), call.grid, {nullptr, call.k}, false, call.psi, rows, call.psi, rows);
  if (call.choices.functional != Functional::none) {
    even<false, true, false, false>();
    around.collect(call, step_.groups, 0);
  }
  for (int64_t step = 0; step < call.nsteps; ++step) {
    const Momenta momenta{call.A(step), call.k};
    around.phases(call, beginning_of(call, step), u);
    set_border(call, step);
    if (merged && step > 0) {
      pass<true, true, true, true>();
      around.collect(call, step_.groups, step - 1);
    } else {
      nonlocal.propagate<T>(call.psi, momenta, false, u, scale);
      pass<false, false, true, true>();
    }
    middle();
    if (merged && step + 1 < call.nsteps) continue;
    if (nonlocal.empty()) {
      pass<true, true, false, false>();
    } else {
      pass<true, false, false, false>();
      nonlocal.propagate<T>(call.psi, momenta, true, nullptr, 1);
      even<false, true, false, false>();
    }
    around.collect(call, step_.groups, step);
    around.advance_field(call, LoopRun::queued);
    if (!call.current) continue;
    around.phases(call, end_of(call, step), u_end);
    around.current(call, nonlocal, call.psi, rows, u_end, step, fourier_ ? &lines_ : nullptr);
  }
  around.phases(call, last_of(call), u);
  even<false, false, true, false>();
  if (call.k) turn_to_bloch<T>(queue_.stream(), call.grid, {nullptr, call.k}, true, call.psi, rows, call.psi, rows);
  around.finish(call);
}

template class Best<float>;
template class Best<double>;

}  // namespace suite::lfd
