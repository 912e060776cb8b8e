// SPDX-License-Identifier: BSD-3-Clause
#include "best.hpp"

#include <omp.h>

#include <cmath>

#include "currents.hpp"
#include "lines.hpp"

namespace suite::lfd {
namespace {

// As many phases of successive steps as are made before the blocks use them, while v itself stands still.
constexpr int64_t steps_at_once = 8;

}  // namespace

template <class T> typename Best<T>::Kinetic Best<T>::kinetic(const PropagateCall<T>& call) {
  if (call.choices.fourier()) return {};
  const double theta[] = {call.angle(0), call.angle(1), call.angle(2)};
  const TangentStep step = tangent_step<T>(theta);
  Kinetic k{{}, step.size, step.angle};
  for (int d = 0; d < 3; ++d) {
    k.tangents.half[d] = static_cast<T>(step.half[d]);
    k.tangents.full[d] = static_cast<T>(step.full[d]);
  }
  return k;
}

// The phase before the kinetic part of `step`: the end of the step before, the beginning of this one, the
// change of A between them, and the constants of the kinetic part.
template <class T> Phase Best<T>::phase_of(const PropagateCall<T>& call, int64_t step) const {
  Phase phase;
  phase.factor = step > 0 ? -call.dt : -0.5 * call.dt;
  phase.size = kinetic_.size;
  phase.constant = kinetic_.angle;
  const double* const now = call.drive_of(step);
  for (int d = 0; d < 3; ++d) {
    const double before = step > 0 ? call.drive_of(step - 1)[d] : 0;
    if (!call.choices.velocity) phase.slope[d] = -0.5 * call.dt * (before + now[d]);
    else if (step > 0 && bloch_) phase.slope[d] = now[d] - before;
  }
  return phase;
}

template <class T> Phase Best<T>::end_of(const PropagateCall<T>& call, int64_t step) const {
  Phase phase;
  phase.factor = -0.5 * call.dt;
  for (int d = 0; d < 3 && !call.choices.velocity; ++d) phase.slope[d] = phase.factor * call.drive_of(step)[d];
  return phase;
}

// Steps that blocks do at once share at most steps_at_once different phases; steps with the same phase share
// it.
template <class T> void Best<T>::make_plan(const PropagateCall<T>& call) {
  plan_.clear();
  for (int64_t step = 0; step < call.nsteps; ++step) {
    Planned planned{0, true, true};
    if (step > 0 && !call.choices.potential_moves() && !call.current) {
      const Planned& before = plan_.back();
      const double *now = call.drive_of(step), *then = call.drive_of(step - 1);
      const bool turns = call.choices.velocity && !std::equal(now, now + 3, then);
      planned.fresh = !(phase_of(call, step) == phase_of(call, step - 1)) || turns;
      planned.slot = before.slot + planned.fresh;
      // The projectors' phases are those of one A at a time.
      planned.synchronous = planned.slot == steps_at_once || (turns && !spheres_.empty());
      if (planned.synchronous) planned.slot = 0;
    }
    plan_.push_back(planned);
  }
}

template <class T> void Best<T>::start(const PropagateCall<T>& call, int threads) {
  blocks_.resize(call.grid);
  kinetic_ = kinetic(call);
  still_ = call.dt == 0 && call.nsteps == 1;
  const bool turned = call.k || call.choices.velocity;
  bloch_ = turned && !call.choices.fourier();
  const CellOrder order(call.grid);
  order_size_ = order.size();
  has_cells_ = order.width[0] * order.width[1] * order.width[2] == 8;
  if (bloch_) set_bloch_lines(call);
  const int64_t count = blocks_.count();
  slabs_.assign(static_cast<size_t>(count * (call.choices.fourier() ? call.grid.n[1] : order.cells[0])), Moments{});
  // Blocks go to threads whole where that keeps the threads busy for three quarters of the time.
  const int64_t rounds = (count + threads - 1) / threads;
  by_slabs_ = 4 * count < 3 * rounds * threads;
  u_ = u_storage_.at_least(2 * order_size_ * (steps_at_once + 1));
  rho_ = rho_storage_.at_least(order_size_ * count);
  moments_.assign(static_cast<size_t>(count * call.nsteps), Moments{});
  spheres_.set(call.spheres, blocks_, call.k, {turned, call.choices.fourier(), steps_at_once + 1, threads});
  make_plan(call);
  if (call.choices.fourier()) {
    fourier_.set(blocks_);
    workspace_.at_least(threads * fourier_.room());
    tables_.at_least(count * fourier_.table_size());
    for (int64_t b = 0; b < count; ++b) fourier_.set_tables(waves_of(call, b, 0), call.dt, tables_.data() + b * fourier_.table_size());
  }
  currents_.assign(call.current ? static_cast<size_t>(3 * call.nsteps * count * call.grid.n[0]) : 0, 0);
  occupation_.assign(static_cast<size_t>(count), V{});
  for (int64_t n = 0; n < call.grid.norb; ++n) occupation_[n / lanes<T>][n % lanes<T>] = static_cast<T>(call.f[n]);
}

template <class T> WaveVectors<T> Best<T>::waves_of(const PropagateCall<T>& call, int64_t b, int64_t step) const {
  const double* const A = call.choices.velocity ? call.drive_of(step) : nullptr;
  WaveVectors<T> waves;
  for (int d = 0; d < 3; ++d)
    for (int l = 0; l < lanes<T>; ++l) {
      const int64_t n = std::min(b * lanes<T> + l, call.grid.norb - 1);
      waves.w[d][l] = (A ? A[d] : 0) + (call.k ? call.k[3 * n + d] : 0);
    }
  return waves;
}

template <class T> Border<T> Best<T>::border_of(const WaveVectors<T>& waves) const {
  const Grid& g = blocks_.grid();
  Border<T> border;
  for (int d = 0; d < 3; ++d) {
    double r[3] = {0, 0, 0};
    r[d] = static_cast<double>(g.n[d]) * g.h[d];
    waves.phase(r, border.c[d], border.s[d]);
    border.c[d] *= kinetic_.tangents.full[d];
    border.s[d] *= kinetic_.tangents.full[d];
  }
  return border;
}

// Multiplies the points of a line by e^{i(A+k).r}, or back by e^{-i(A+k).r}.
template <class T>
template <bool back>
void Best<T>::turn_to_bloch(const PropagateCall<T>& call, int64_t b, int64_t i, int64_t j, V* line) const {
  const int64_t nz = call.grid.n[2];
  const double r[] = {call.coordinate(0, i), call.coordinate(1, j), 0};
  const V* const along = bloch_lines_.data() + ((back ? blocks_.count() : 0) + b) * 2 * nz;
  V c, s;
  waves_of(call, b, back ? call.nsteps - 1 : 0).phase(r, c, s);
  for (int64_t k = 0; k < 2 * nz; k += 2) {
    const V x = c * along[k] - s * along[k + 1];
    V y = c * along[k + 1] + s * along[k];
    if (back) y = -y;
    const V re = x * line[k] - y * line[k + 1];
    line[k + 1] = x * line[k + 1] + y * line[k];
    line[k] = re;
  }
}

// e^{i(A+k)_z z} of the points of a line, for the A of the first step and of the last one.
template <class T> void Best<T>::set_bloch_lines(const PropagateCall<T>& call) {
  V* to = bloch_lines_.at_least(4 * blocks_.count() * call.grid.n[2]);
  for (const int64_t step : {int64_t{0}, call.nsteps - 1})
    for (int64_t b = 0; b < blocks_.count(); ++b) {
      const WaveVectors<T> waves = waves_of(call, b, step);
      for (int64_t k = 0; k < call.grid.n[2]; ++k, to += 2) {
        const double r[] = {0, 0, call.coordinate(2, k)};
        waves.phase(r, to[0], to[1]);
      }
    }
}

template <class T> void Best<T>::pack(const PropagateCall<T>& call) {
  const Grid& g = call.grid;
#pragma omp for collapse(2) schedule(static)
  for (int64_t i = 0; i < g.n[0]; ++i)
    for (int64_t j = 0; j < g.n[1]; ++j) {
      const T* from = reinterpret_cast<const T*>(call.psi + (i * g.n[1] + j) * g.n[2] * g.norb);
      for (int64_t b = 0; b < blocks_.count(); ++b) {
        V* const line = blocks_.block(b) + blocks_.at(i, j, 0);
        const int64_t there = std::min<int64_t>(lanes<T>, g.norb - b * lanes<T>);
        for (int64_t k = 0; k < g.n[2]; ++k) {
          const T* row = from + 2 * (k * g.norb + b * lanes<T>);
          T padded[2 * lanes<T>] = {};
          if (there < lanes<T>) {
            std::copy_n(row, 2 * there, padded);
            row = padded;
          }
          split(row, line[2 * k], line[2 * k + 1]);
        }
        if (bloch_) turn_to_bloch<false>(call, b, i, j, line);
      }
    }
}

template <class T> void Best<T>::unpack(const PropagateCall<T>& call, const T* u) {
  const Grid& g = call.grid;
  const CellOrder order(g);
#pragma omp for collapse(2) schedule(static)
  for (int64_t i = 0; i < g.n[0]; ++i)
    for (int64_t j = 0; j < g.n[1]; ++j) {
      T* to = reinterpret_cast<T*>(call.psi + (i * g.n[1] + j) * g.n[2] * g.norb);
      for (int64_t b = 0; b < blocks_.count(); ++b) {
        V* const line = blocks_.block(b) + blocks_.at(i, j, 0);
        if (bloch_) turn_to_bloch<true>(call, b, i, j, line);
        const int64_t there = std::min<int64_t>(lanes<T>, g.norb - b * lanes<T>);
        for (int64_t k = 0; k < g.n[2]; ++k) {
          const T* const phase = u + 2 * order.place(i, j, k);
          const T c = phase[0], s = phase[1];
          const V re = c * line[2 * k] - s * line[2 * k + 1], im = c * line[2 * k + 1] + s * line[2 * k];
          T* const row = to + 2 * (k * g.norb + b * lanes<T>);
          if (there < lanes<T>) {
            T padded[2 * lanes<T>];
            interleave(padded, re, im);
            std::copy_n(padded, 2 * there, row);
          } else {
            interleave(row, re, im);
          }
        }
      }
    }
}

template <class T>
void Best<T>::fourier_step(const PropagateCall<T>& call, int64_t b, int64_t step, const Team& team, double* rho, Moments* moments) {
  if (call.choices.velocity && step > 0 && !std::equal(call.drive_of(step), call.drive_of(step) + 3, call.drive_of(step - 1)))
    team.once([&] { fourier_.set_tables(waves_of(call, b, step), call.dt, tables_.data() + b * fourier_.table_size()); });
  const typename FourierLines<T>::Block block = lines_of(b);
  team.share(call.grid.n[0], [&](int64_t i) { fourier_.plane(block, u_of(step), i); });
  team.share(call.grid.n[1], [&](int64_t j) { moments[j] = fourier_.columns(block, occupation_[b], rho, j); });
}

// One step of a block, by a team: one thread in one pass, or several in three passes over its slabs.
template <class T> void Best<T>::step_of_block(const PropagateCall<T>& call, int64_t b, int64_t step, bool far, const Team& team) {
  V* const psi = blocks_.block(b);
  Border<T> at_border;
  if (bloch_) at_border = border_of(waves_of(call, b, step));
  const Border<T>* const border = bloch_ ? &at_border : nullptr;
  const bool stored = step + 1 == call.nsteps || call.choices.potential_moves() || !spheres_.empty();
  double* const rho = stored ? rho_ + b * order_size_ : nullptr;
  const int64_t slabs = static_cast<int64_t>(slabs_.size()) / blocks_.count();
  Moments* const moments = &slabs_[b * slabs];
  const T* const u = u_of(step);
  const V f = occupation_[b];

  if (!spheres_.empty()) team.once([&] { spheres_.before(psi, b, plan_[step].slot, kinetic_.size * kinetic_.size); });
  const Cells<T> cells(blocks_, kinetic_.tangents, far);
  if (call.choices.fourier()) {
    fourier_step(call, b, step, team, rho, moments);
  } else if (!has_cells_) {
    team.once([&] { Lines<T>(blocks_, kinetic_.tangents).step(psi, u, border, f, rho, moments); });
  } else if (team.size() == 1) {
    cells.step(psi, u, border, f, rho, moments);
  } else {
    team.share(slabs, [&](int64_t i) { cells.begin_slab(psi, u, 2 * i); });
    team.share(slabs, [&](int64_t i) { cells.middle_slab(psi, border, 2 * i + 1); });
    team.share(slabs, [&](int64_t i) { moments[i] = cells.end_slab(psi, f, rho, 2 * i); });
  }
  team.once([&] {
    Moments& sum = moments_[b * call.nsteps + step];
    if (!spheres_.empty()) {
      spheres_.after(psi, b, f, rho);
      sum = moments_of_density(call.grid, rho);
      return;
    }
    for (int64_t i = 0; i < slabs; ++i) sum.n += moments[i].n, sum.x += moments[i].x, sum.y += moments[i].y, sum.z += moments[i].z;
  });
}

// The steps first..last-1, between which no block needs to know of another. measured: whether the block, while it is in a near cache, first
// gives the current after the step before.
template <class T> void Best<T>::steps(const PropagateCall<T>& call, int64_t first, int64_t last, bool measured, const Team& team) {
  const auto steps_of = [&](int64_t b, const Team& by) {
    if (measured) currents_of_block(call, b, first - 1, by);
    for (int64_t step = first; step < last; ++step) step_of_block(call, b, step, step == first && !measured, by);
  };
  if (by_slabs_) {
    for (int64_t b = 0; b < blocks_.count(); ++b) steps_of(b, team);
    return;
  }
#pragma omp for schedule(dynamic)
  for (int64_t b = 0; b < blocks_.count(); ++b) steps_of(b, Team::alone());
}

// Of a block after one step, whose end's phase is in the last slot.
template <class T> void Best<T>::currents_of_block(const PropagateCall<T>& call, int64_t b, int64_t step, const Team& team) {
  const int64_t nx = call.grid.n[0];
  const T* const u = u_ + steps_at_once * order_size_ * 2;
  V* const psi = blocks_.block(b);
  double* const total = &currents_[3 * (step * blocks_.count() + b) * nx];
  const WaveVectors<T> waves = waves_of(call, b, step);
  if (!spheres_.empty())
    team.once([&] {
      double of_spheres[3] = {};
      spheres_.add_current(psi, b, steps_at_once, occupation_[b], call.grid.volume_element(), of_spheres);
      for (int d = 0; d < 3; ++d) total[d] = of_spheres[d] / call.grid.volume_element();
    });
  team.share(nx, [&](int64_t i) {
    if (call.choices.fourier()) fourier_.add_velocities(lines_of(b), u, waves, occupation_[b], i, total + 3 * i);
    else BondCurrents<T>(blocks_, u, bloch_ ? &waves : nullptr).add_plane(psi, occupation_[b], i, total + 3 * i);
  });
}

// Of all blocks.
template <class T> void Best<T>::currents(const PropagateCall<T>& call, int64_t step, const Team& team) {
  if (by_slabs_) {
    for (int64_t b = 0; b < blocks_.count(); ++b) currents_of_block(call, b, step, team);
    return;
  }
#pragma omp for schedule(dynamic)
  for (int64_t b = 0; b < blocks_.count(); ++b) currents_of_block(call, b, step, Team::alone());
}

// The density of the wavefunctions as they came, for the functional before the first step.
template <class T> void Best<T>::first_density(const PropagateCall<T>& call) {
  const Grid& g = call.grid;
  const CellOrder order(g);
#pragma omp for schedule(static)
  for (int64_t b = 0; b < blocks_.count(); ++b) {
    DensityOfRows<T> density(occupation_[b], rho_ + b * order_size_);
    for (int64_t i = 0; i < g.n[0]; ++i)
      for (int64_t j = 0; j < g.n[1]; ++j)
        for (int64_t k = 0; k < g.n[2]; ++k) {
          const V* const p = blocks_.block(b) + blocks_.at(i, j, k);
          density.set(order.place(i, j, k), p[0], p[1]);
        }
    density.flush();
  }
  collect_density(call);
}

// rho of all blocks, in their order.
template <class T> void Best<T>::collect_density(const PropagateCall<T>& call) {
  const Grid& g = call.grid;
  const CellOrder order(g);
#pragma omp for schedule(static)
  for (int64_t x = 0; x < order.cells[0]; ++x) {
    const int64_t size = order.size() / order.cells[0];
    double* const sum = rho_ + x * size;
    for (int64_t b = 1; b < blocks_.count(); ++b) {
      const double* const one = rho_ + b * order_size_ + x * size;
      for (int64_t p = 0; p < size; ++p) sum[p] += one[p];
    }
    for (int64_t i = x * order.width[0]; i < (x + 1) * order.width[0]; ++i)
      for (int64_t j = 0; j < g.n[1]; ++j)
        for (int64_t k = 0; k < g.n[2]; ++k) call.rho[(i * g.n[1] + j) * g.n[2] + k] = static_cast<T>(rho_[order.place(i, j, k)]);
  }
}

template <class T> void Best<T>::sum_moments(const PropagateCall<T>& call) {
  const Grid& g = call.grid;
  const double volume = g.volume_element();
  if (still_) moments_[0] = moments_of_density(g, rho_);  // of all blocks
  for (int64_t step = 0; step < call.nsteps; ++step) {
    Moments sum;
    for (int64_t b = 0; b < blocks_.count(); ++b) {
      const Moments& m = moments_[b * call.nsteps + step];
      sum.n += m.n, sum.x += m.x, sum.y += m.y, sum.z += m.z;
    }
    double* const out = call.dipole + 4 * step;
    const double first[] = {sum.x, sum.y, sum.z};
    for (int d = 0; d < 3; ++d) out[d] = (first[d] - static_cast<double>(g.n[d] / 2) * sum.n) * g.h[d] * volume;
    out[3] = sum.n * volume;
    if (!call.current) continue;
    const int64_t planes = g.n[0] * blocks_.count();
    double total[3] = {0, 0, 0};
    for (int64_t i = 0; i < 3 * planes; ++i) total[i % 3] += currents_[3 * step * planes + i];
    for (int d = 0; d < 3; ++d) call.current[3 * step + d] = total[d] * volume;
  }
}

template <class T> void Best<T>::run(const PropagateCall<T>& call, LocalPotential<T>& potential, int threads) {
  start(call, threads);
  potential.start(call, threads);

#pragma omp parallel num_threads(threads)
  {
    const Team team = Team::all();
    pack(call);
    if (call.choices.functional != Functional::none || still_) first_density(call);
    potential.first(call, team);
    for (int64_t first = 0, last; first < call.nsteps; first = last) {
      // The current after a step is left to the next one, unless that has other phases of projectors.
      const double* const A = call.choices.velocity ? call.drive_of(first) : nullptr;
      const bool turns = first == 0 || (A && !std::equal(A, A + 3, A - 3));
      const bool waits = call.current && first > 0;
      if (waits && turns && !spheres_.empty()) currents(call, first - 1, team);
      if (turns && !spheres_.empty()) spheres_.set_momenta(A);
      for (last = first; last == first || (last < call.nsteps && !plan_[last].synchronous); ++last) {
        if (!plan_[last].fresh) continue;
        const int64_t slot = plan_[last].slot;
        set_phases(call.grid, potential.v(), phase_of(call, last), u_ + slot * order_size_ * 2);
        if (!spheres_.empty()) spheres_.set_phase(u_ + slot * order_size_ * 2, slot);
      }
      if (!still_) steps(call, first, last, waits && !(turns && !spheres_.empty()), team);
      if (!still_ && (call.choices.potential_moves() || last == call.nsteps)) collect_density(call);
      if (call.choices.potential_moves()) potential.advance(call, team);
      if (call.current) {
        T* const end = u_ + steps_at_once * order_size_ * 2;
        set_phases(call.grid, potential.v(), end_of(call, last - 1), end);
        if (!spheres_.empty()) spheres_.set_phase(end, steps_at_once);
      }
    }
    if (call.current) currents(call, call.nsteps - 1, team);
    if (!still_) {
      set_phases(call.grid, potential.v(), end_of(call, call.nsteps - 1), u_);
      unpack(call, u_);
    }
    potential.finish(call, team);
  }
  sum_moments(call);
}

template class Best<float>;
template class Best<double>;

}  // namespace suite::lfd
