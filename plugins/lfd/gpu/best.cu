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

// Before each step. One block of threads.
__global__ void count_step(const double* drive, int64_t steps_at_once, StepNow* now) {
  const int d = static_cast<int>(threadIdx.x);
  const int64_t step = now->step + 1;
  __syncthreads();
  if (d < 3) {
    now->before[d] = step > 0 ? drive[3 * (step - 1) + d] : 0;
    now->now[d] = drive[3 * step + d];
  }
  if (d > 0) return;
  now->step = step;
  now->moments_before = (step + steps_at_once - 1) % steps_at_once;
  now->moments = step % steps_at_once;
}
__global__ void begin_counting(StepNow* now) {
  if (threadIdx.x == 0) now->step = -1;
}

// Whether a graph that was recorded for one of them serves the other; extents and constants have not changed (forget()).
template <class T> bool same_addresses(const PropagateCall<T>& a, const PropagateCall<T>& b) {
  return a.psi == b.psi && a.f == b.f && a.k == b.k && a.drive == b.drive && a.vloc == b.vloc && a.vH == b.vH && a.rho == b.rho &&
         a.current == b.current && a.dt == b.dt && a.field.kappa == b.field.kappa && a.field.gamma == b.field.gamma &&
         a.field.steps == b.field.steps;
}

}  // namespace

template <class T>
Best<T>::Best(const gpu::Queue& queue)
    : queue_(queue),
      lines_(queue),
      u_(queue, "the phases of the potential"),
      border_(queue, "the bonds across the border"),
      now_(queue, "the number of the step") {}

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
  now_.at_least(1);
  step_.border = bloch_ ? border_.at_least(3 * call.grid.norb) : nullptr;
}

template <class T> void Best<T>::next_step(const PropagateCall<T>& call) {
  SUITE_GPU_LAUNCH(count_step, 1, 32, 0, queue_.stream(), call.drive, Surroundings<T>::steps_at_once, now_.data());
}

// A of this step; null in the length gauge.
template <class T> const double* Best<T>::A(const PropagateCall<T>& call) const {
  return call.choices.velocity ? now_.data()->now : nullptr;
}

// The phase before the kinetic part: the end of the step before, the beginning of this one, the change of A
// between them, and the constants of the kinetic part.
template <class T> Phase Best<T>::beginning_of(const PropagateCall<T>& call, bool first) const {
  Phase phase{kinetic_.size, kinetic_.angle, first ? -0.5 * call.dt : -call.dt, nullptr, now_.data()->now, 0, 0};
  phase.now_weight = call.choices.velocity ? 1 : -0.5 * call.dt;
  if (!first) {
    phase.before = now_.data()->before;
    phase.before_weight = call.choices.velocity ? -1 : -0.5 * call.dt;
  }
  return phase;
}

// Of a whole step, with chi as it is.
template <class T> Phase Best<T>::end_of(const PropagateCall<T>& call) const {
  return {1, 0, -0.5 * call.dt, nullptr, call.choices.velocity ? nullptr : now_.data()->now, 0, -0.5 * call.dt};
}

// Of the call: chi becomes psi, but for k.
template <class T> Phase Best<T>::last_of(const PropagateCall<T>& call) const {
  return {1, 0, -0.5 * call.dt, nullptr, now_.data()->now, 0, call.choices.velocity ? -1 : -0.5 * call.dt};
}

template <class T> void Best<T>::set_border(const PropagateCall<T>& call, bool first) {
  const Momenta momenta{A(call), call.k};
  if (fourier_) {
    if (first || call.choices.velocity) lines_.set_step(call.dt, momenta, bloch_);
    return;
  }
  if (!bloch_ || (!first && !call.choices.velocity)) return;
  Lengths cell;
  for (int d = 0; d < 3; ++d) cell.l[d] = call.grid.h[d] * static_cast<double>(call.grid.n[d]);
  SUITE_GPU_LAUNCH(set_border_factors<T>, blocks_for(call.grid.norb, 128), 128, 0, queue_.stream(), momenta, cell, step_, border_.data());
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

template <class T>
void Best<T>::make_step(const PropagateCall<T>& call, Surroundings<T>& around, Nonlocal& nonlocal, bool first, bool last) {
  Number<T>*const u = u_.data(), *const u_end = u + step_.order.size();
  const double scale = 1 / (kinetic_.size * kinetic_.size);
  const StepNow* const now = now_.data();
  next_step(call);
  const Momenta momenta{A(call), call.k};
  around.phases(call, beginning_of(call, first), u);
  set_border(call, first);
  if (merged_ && !first) {
    pass<true, true, true, true>();
    around.collect(call, step_.groups, Row{0, &now->moments_before});
  } else {
    nonlocal.propagate<T>(call.psi, momenta, false, u, scale);
    pass<false, false, true, true>();
  }
  middle();
  if (merged_ && !last) return;
  if (nonlocal.empty()) {
    pass<true, true, false, false>();
  } else {
    pass<true, false, false, false>();
    nonlocal.propagate<T>(call.psi, momenta, true, nullptr, 1);
    even<false, true, false, false>();
  }
  // The last of merged steps collects two.
  if (merged_) around.make_room(call, call.nsteps - 1);
  around.collect(call, step_.groups, Row{0, &now->moments});
  around.advance_field(call, LoopRun::queued);
  if (!call.current) return;
  around.phases(call, end_of(call), u_end);
  around.current(call, nonlocal, call.psi, row_strides(call.grid), u_end, A(call), Row{0, &now->step}, fourier_ ? &lines_ : nullptr);
}

template <class T> void Best<T>::run(const PropagateCall<T>& call, Surroundings<T>& around, Nonlocal& nonlocal) {
  around.start(call);
  start(call, around);
  Number<T>* const u = u_.data();
  const Strides rows = row_strides(call.grid);
  merged_ = !call.choices.potential_moves() && nonlocal.empty() && !call.current;
  if (call.k) turn_to_bloch<T>(queue_.stream(), call.grid, {nullptr, call.k}, false, call.psi, rows, call.psi, rows);
  if (call.choices.functional != Functional::none) {
    even<false, true, false, false>();
    around.collect(call, step_.groups, 0);
  }
  SUITE_GPU_LAUNCH(begin_counting, 1, 32, 0, queue_.stream(), now_.data());
  // All steps but the first and, if merged, the last launch the same; the first has sized all memory when they are recorded.
  if (graph_ && !same_addresses(*recorded_, call)) graph_.clear();
  const int64_t alike = call.nsteps - (merged_ ? 2 : 1);
  const bool graph = graph_ || alike > 1;
  for (int64_t step = 0; step < call.nsteps; ++step) {
    const bool first = step == 0, last = step + 1 == call.nsteps;
    around.make_room(call, merged_ ? std::max<int64_t>(step - 1, 0) : step);
    if (!graph || first || (merged_ && last)) {
      make_step(call, around, nonlocal, first, last);
      continue;
    }
    if (!graph_) {
      graph_.record(queue_.stream(), [&] { make_step(call, around, nonlocal, false, false); });
      recorded_ = call;
    }
    graph_.launch(queue_.stream());
  }
  around.phases(call, last_of(call), u);
  even<false, false, true, false>();
  if (call.k) turn_to_bloch<T>(queue_.stream(), call.grid, {nullptr, call.k}, true, call.psi, rows, call.psi, rows);
  around.finish(call);
}

template class Best<float>;
template class Best<double>;

}  // namespace suite::lfd
