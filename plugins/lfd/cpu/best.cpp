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
    else if (step > 0) phase.slope[d] = now[d] - before;
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
      planned.fresh = !(phase_of(call, step) == phase_of(call, step - 1)) || (call.choices.velocity && !std::equal(now, now + 3, then));
      planned.slot = before.slot + planned.fresh;
      planned.synchronous = planned.slot == steps_at_once;
      if (planned.synchronous) planned.slot = 0;
    }
    plan_.push_back(planned);
  }
}

template <class T> void Best<T>::start(const PropagateCall<T>& call, int threads) {
  blocks_.resize(call.grid);
  kinetic_ = kinetic(call);
  bloch_ = call.k || call.choices.velocity;
  const CellOrder order(call.grid);
  order_size_ = order.size();
  has_cells_ = order.width[0] * order.width[1] * order.width[2] == 8;
  const int64_t count = blocks_.count();
  slabs_.assign(static_cast<size_t>(count * (call.choices.fourier() ? call.grid.n[1] : order.cells[0])), Moments{});
  // Blocks go to threads whole where that keeps the threads busy for three quarters of the time.
  const int64_t rounds = (count + threads - 1) / threads;
  by_slabs_ = 4 * count < 3 * rounds * threads;
  u_ = u_storage_.at_least(2 * order_size_ * (steps_at_once + 1));
  rho_ = rho_storage_.at_least(order_size_ * count);
  moments_.assign(static_cast<size_t>(count * call.nsteps), Moments{});
  make_plan(call);
  spheres_.clear();
  size_t images = 0;
  for (const Sphere& sphere : call.spheres.atoms) {
    spheres_.emplace_back(sphere, blocks_);
    images = std::max(images, sphere.shift.size());
  }
  room_size_ = spheres_room_ = 4 * call.spheres.nproj + 2 * static_cast<int64_t>(images);
  if (call.choices.fourier()) {
    fourier_.set(blocks_);
    room_size_ += fourier_.room();
    tables_.at_least(count * fourier_.table_size());
    for (int64_t b = 0; b < count; ++b) fourier_.set_tables(waves_of(call, b, 0), call.dt, tables_.data() + b * fourier_.table_size());
  }
  workspace_.at_least(threads * room_size_);
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
  const WaveVectors<T> waves = waves_of(call, b, back ? call.nsteps - 1 : 0);
  double r[] = {call.coordinate(0, i), call.coordinate(1, j), 0};
  for (int64_t k = 0; k < call.grid.n[2]; ++k, line += 2) {
    r[2] = call.coordinate(2, k);
    V c, s;
    waves.phase(r, c, s);
    if (back) s = -s;
    const V re = c * line[0] - s * line[1];
    line[1] = c * line[1] + s * line[0];
    line[0] = re;
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

// V_nl for dt/2 over a block. Before a step the block waits for the phase u, whose size the projectors take
// out again; after it, the density is there already.
template <class T>
void Best<T>::nonlocal(const PropagateCall<T>& call, int64_t b, const T* u, const WaveVectors<T>* waves, double* rho, Moments* moments) {
  const int64_t atoms = static_cast<int64_t>(spheres_.size());
  Moments none;
  DensityChange<T> change(call.grid, occupation_[b], rho, moments ? *moments : none);
  for (int64_t a = 0; a < atoms; ++a) {
    const int64_t atom = u ? a : atoms - 1 - a;
    const Sphere& sphere = call.spheres.atoms[atom];
    V *const workspace = workspace_of_thread(), *const images = workspace + 4 * call.spheres.nproj;
    if (waves) image_phases(sphere, *waves, images);
    BlockRows<T> rows(blocks_.block(b), sphere, spheres_[atom]);
    rows.u = u;
    if (waves) rows.images = images;
    if (!u) rows.change = &change;
    propagate_sphere<T>(sphere, call.spheres.nproj, rows, u ? 1 / (kinetic_.size * kinetic_.size) : 1, workspace);
  }
  change.flush();
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
  WaveVectors<T> waves;
  if (bloch_) {
    waves = waves_of(call, b, step);
    at_border = border_of(waves);
  }
  const Border<T>* const border = bloch_ ? &at_border : nullptr;
  const WaveVectors<T>* const wave = bloch_ ? &waves : nullptr;
  const bool stored = step + 1 == call.nsteps || call.choices.potential_moves();
  double* const rho = stored ? rho_ + b * order_size_ : nullptr;
  const int64_t slabs = static_cast<int64_t>(slabs_.size()) / blocks_.count();
  Moments* const moments = &slabs_[b * slabs];
  const T* const u = u_of(step);
  const V f = occupation_[b];

  if (!spheres_.empty()) team.once([&] { nonlocal(call, b, u, wave, nullptr, nullptr); });
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
    for (int64_t i = 0; i < slabs; ++i) sum.n += moments[i].n, sum.x += moments[i].x, sum.y += moments[i].y, sum.z += moments[i].z;
    if (!spheres_.empty()) nonlocal(call, b, nullptr, wave, rho, &sum);
  });
}

// The steps first..last-1, between which no block needs to know of another.
template <class T> void Best<T>::steps(const PropagateCall<T>& call, int64_t first, int64_t last, const Team& team) {
  if (by_slabs_) {
    for (int64_t b = 0; b < blocks_.count(); ++b)
      for (int64_t step = first; step < last; ++step) step_of_block(call, b, step, step == first, team);
    return;
  }
#pragma omp for schedule(dynamic)
  for (int64_t b = 0; b < blocks_.count(); ++b)
    for (int64_t step = first; step < last; ++step) step_of_block(call, b, step, step == first, Team::alone());
}

// Of one step, by all threads: u is the phase at its end.
template <class T> void Best<T>::currents(const PropagateCall<T>& call, int64_t step, const T* u) {
  const int64_t nx = call.grid.n[0], planes = nx * blocks_.count();
#pragma omp for schedule(static)
  for (int64_t p = 0; p < planes; ++p) {
    const int64_t b = p / nx, i = p % nx;
    const V* const psi = blocks_.block(b);
    double* const total = &currents_[3 * (step * planes + p)];
    const WaveVectors<T> waves = waves_of(call, b, step);
    if (call.choices.fourier()) fourier_.add_velocities(lines_of(b), u, waves, occupation_[b], i, total);
    else currents_of_plane(blocks_, psi, u, occupation_[b], bloch_ ? &waves : nullptr, i, total);
    if (i > 0) continue;
    for (size_t atom = 0; atom < spheres_.size(); ++atom) {
      const Sphere& sphere = call.spheres.atoms[atom];
      V *const workspace = workspace_of_thread(), *const images = workspace + 4 * call.spheres.nproj;
      image_phases(sphere, waves, images);
      BlockRows<T> rows(blocks_.block(b), sphere, spheres_[atom]);
      rows.u = u;
      if (bloch_) rows.images = images;
      for (int d = 0; d < 3; ++d) {
        const V one = expectation<T>(sphere, call.spheres.nproj, rows, call.grid.volume_element(), d, workspace);
        for (int l = 0; l < lanes<T>; ++l) total[d] += static_cast<double>(occupation_[b][l] * one[l]) / call.grid.volume_element();
      }
    }
  }
}

// The density of the wavefunctions as they came, for the functional before the first step.
template <class T> void Best<T>::first_density(const PropagateCall<T>& call) {
  const Grid& g = call.grid;
  const CellOrder order(g);
#pragma omp for schedule(static)
  for (int64_t b = 0; b < blocks_.count(); ++b)
    for (int64_t i = 0; i < g.n[0]; ++i)
      for (int64_t j = 0; j < g.n[1]; ++j)
        for (int64_t k = 0; k < g.n[2]; ++k) {
          const V* const p = blocks_.block(b) + blocks_.at(i, j, k);
          const V r = occupation_[b] * (p[0] * p[0] + p[1] * p[1]);
          double sum = 0;
          for (int l = 0; l < lanes<T>; ++l) sum += static_cast<double>(r[l]);
          rho_[b * order_size_ + order.place(i, j, k)] = sum;
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
    if (call.choices.functional != Functional::none) first_density(call);
    potential.first(call, team);
    for (int64_t first = 0, last; first < call.nsteps; first = last) {
      for (last = first; last == first || (last < call.nsteps && !plan_[last].synchronous); ++last) {
        if (!plan_[last].fresh) continue;
        const int64_t slot = plan_[last].slot;
        set_phases(call.grid, potential.v(), phase_of(call, last), u_ + slot * order_size_ * 2);
      }
      steps(call, first, last, team);
      if (call.choices.potential_moves() || last == call.nsteps) collect_density(call);
      if (call.choices.potential_moves()) potential.advance(call, team);
      if (call.current) {
        T* const end = u_ + steps_at_once * order_size_ * 2;
        set_phases(call.grid, potential.v(), end_of(call, last - 1), end);
        currents(call, last - 1, end);
      }
    }
    set_phases(call.grid, potential.v(), end_of(call, call.nsteps - 1), u_);
    unpack(call, u_);
    potential.finish(call, team);
  }
  sum_moments(call);
}

template class Best<float>;
template class Best<double>;

}  // namespace suite::lfd
