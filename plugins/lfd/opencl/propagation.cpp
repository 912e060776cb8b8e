// SPDX-License-Identifier: BSD-3-Clause
#include "propagation.hpp"

#include <algorithm>

#include "kernels.hpp"
#include "sources.hpp"

namespace suite::lfd::cl {
namespace {

constexpr int64_t steps_at_once = 64;          // whose moments are added together
constexpr int phases_at_once = Tables::slots;  // different ones that blocks have before them

}  // namespace

Propagation::Propagation(const suite_backend* b, suite_queue* q, const Choices& choices, Variant variant, Knobs knobs)
    : choices_(choices),
      variant_(choices.fourier() ? Variant::best : variant),
      engine_(b, q, {variant_ == Variant::original ? 1 : knobs.vector, knobs.local}, Propagate::name),
      solver_(engine_, choices.functional),
      spheres_(engine_, blocks()),
      lines_(engine_, blocks()),
      tables_(engine_),
      bond_tables_(engine_),
      blocks_(b, q, "the blocks of orbitals"),
      work_(b, q, "the work array"),
      u_(b, q, "the phase"),
      v_(b, q, "the local potential"),
      shares_(b, q, "the blocks' shares of the density"),
      moments_(b, q, "the moments of the density"),
      currents_(b, q, "the current by plane") {}

void Propagation::prepare(const suite_array* a) {
  const Propagate c(a);
  const std::vector<double> h = engine_.read(c.h.array(), "h");
  std::copy_n(h.begin(), 3, h_.x);
  engine_.set_single(is_single(c.psi.array()));
  const Grid grid = orbital_grid(c.psi, h_.x);
  V_ = read(engine_, grid, c.nonlocal);
  spheres_.set(V_, grid);
}

void Propagation::execute(const suite_array* a) {
  const Propagate c(a);
  begin(c);
  for (int64_t s = 0; s < nsteps_;)
    if (at_rest()) s = steps_at_rest(s);
    else step(s++);
  finish();
}

std::string Propagation::orbital_options() const { return define("BLOCKS", blocks()); }

// The published original has the loop over orbitals outside.
opencl::Range Propagation::orbital_range(int64_t pieces) const {
  const int64_t vectors = engine_.vectors(grid_.norb);
  if (variant_ <= Variant::specialised && engine_.coarse())
    return {{static_cast<size_t>(vectors), static_cast<size_t>(pieces > 0), 1}, {1, 1, 1}};
  return engine_.orbital_shares(vectors, pieces);
}

opencl::Range Propagation::density_range() const {
  const opencl::Range range = engine_.orbital_shares(1, grid_.points());
  return {{1, range.global[1], 1}, {1, 1, 1}};
}

void Propagation::begin(const Propagate& c) {
  c_ = &c;
  check_precision("psi", c.psi, "vloc", c.vloc);
  grid_ = orbital_grid(c.psi, h_.x);
  dt_ = c.dt;
  check_time_step(dt_, grid_.h, grid_.n, choices_.mass_correction, choices_.kinetic);
  const FieldConstants constants = field_constants(grid_, c.wave);
  const Counts n(grid_);
  engine_.set_single(is_single(c.psi.array()));
  nsteps_ = c.nsteps();
  drive_ = engine_.read(c.drive.array(), "drive");
  psi_ = memory_of(c.psi);
  current_ = memory_of(c.current);
  bloch_ = choices_.velocity || c.k;
  phase_known_ = false;
  for (int d = 0; d < 3; ++d) theta_[d] = grid_.n[d] > 1 ? splitting_angle(dt_, grid_.h[d], choices_.mass_correction) : 0;
  // Of the others each part takes its constants itself.
  kinetic_ = !best() || choices_.fourier() ? TangentStep() : engine_.single() ? tangent_step<float>(theta_) : tangent_step<double>(theta_);
  spheres_.set_time(dt_ / 2);

  const size_t bytes = engine_.real_bytes(), points = static_cast<size_t>(n.points);
  u_.at_least(2 * points * bytes * (at_rest() ? phases_at_once : 1));
  v_.at_least(points * bytes);
  const size_t vectors = static_cast<size_t>(engine_.vectors(grid_.norb)), nx = static_cast<size_t>(n.nx);
  moments_.at_least(4 * sizeof(double) * std::max(nx, vectors) * steps_at_once);
  if (current_) currents_.at_least(3 * sizeof(double) * vectors * (std::max(nx, static_cast<size_t>(n.ny)) + 1));
  shares_.at_least(one_pass() ? vectors * points * bytes : 1);

  if (const auto laplacian = solution_of(choices_.field)) solver_.set_solution(grid_, *laplacian);
  else solver_.set_steps(grid_, constants, choices_.field == Field::closed);
  solver_.take(memory_of(c.vH));
  if (choices_.field == Field::closed) solver_.begin_closed();

  if (choices_.fourier()) lines_.set(grid_);
  set_tables(0);
  take_orbitals();
  if (choices_.functional != Functional::none || nsteps_ == 0) make_density();
  make_potential();
}

// The orbitals in the variant's own order.
void Propagation::take_orbitals() {
  const Counts n(grid_);
  const auto vector = static_cast<size_t>(engine_.vector()), blocks_count = static_cast<size_t>(engine_.vectors(n.norb));
  const auto nx = static_cast<size_t>(n.nx), ny = static_cast<size_t>(n.ny), nz = static_cast<size_t>(n.nz);
  const size_t numbers =
      blocks() ? (((2 * nz + 3) * ny + 5) * nx + 7) * vector * blocks_count : 2 * nx * ny * nz * static_cast<size_t>(n.norb);
  if (variant_ <= Variant::reordered) work_.at_least(numbers * engine_.real_bytes());
  if (!blocks()) return;
  const cl_mem own = blocks_.at_least(numbers * engine_.real_bytes());
  engine_.run(blocks_cl, "pack", define("BLOCKS", 1) + define("BLOCH", bloch_),
              engine_.orbital_shares(static_cast<int64_t>(blocks_count), n.points), psi_, own, tables_.waves(), n.nx, n.ny, n.nz, n.norb,
              grid_.h[0], grid_.h[1], grid_.h[2]);
  psi_ = own;
}

void Propagation::give_orbitals() {
  if (!blocks()) return;
  const Counts n(grid_);
  set_phase(merged() && nsteps_ > 0 ? phase_behind(nsteps_ - 1) : Phase{});
  engine_.run(blocks_cl, "unpack", define("BLOCKS", 1) + define("BLOCH", bloch_), engine_.orbital_shares(engine_.vectors(n.norb), n.points),
              memory_of(c_->psi), psi_, tables_.waves(), u_.at_least(0), n.nx, n.ny, n.nz, n.norb, grid_.h[0], grid_.h[1], grid_.h[2]);
}

// A+k of a step, and the phases of its bonds: of one bond, or of the way across the cell. `best` has the
// tangents of the full part in them.
void Propagation::set_tables(int64_t step, int slot) {
  Three A;
  if (choices_.velocity && step < nsteps_) std::copy_n(drive_of(step), 3, A.x);
  double length[3];
  for (int d = 0; d < 3; ++d) length[d] = grid_.h[d] * (blocks() ? static_cast<double>(grid_.n[d]) : 1);
  tables_.set(grid_, memory_of(c_->k), memory_of(c_->f), A, length, best() ? kinetic_.full : ones, slot);
  if (choices_.fourier()) return lines_.set_step(dt_, tables_.waves(), bloch_);
  if (best() && current_) bond_tables_.set(grid_, memory_of(c_->k), memory_of(c_->f), A, length, ones);
}

// Before the kinetic part of a step: the end of the step before where they are merged, the beginning of this
// one, the change of A between them, which chi takes, and the constants of the kinetic part.
Phase Propagation::phase_before(int64_t step) const {
  Phase phase;
  const bool both = merged() && step > 0;
  phase.factor = both ? -dt_ : -0.5 * dt_;
  phase.size = kinetic_.size;
  phase.constant = kinetic_.angle;
  for (int d = 0; d < 3; ++d) {
    const double now = drive_of(step)[d], before = step > 0 ? drive_of(step - 1)[d] : 0;
    if (!choices_.velocity) phase.slope[d] = -0.5 * dt_ * (now + (both ? before : 0));
    else if (blocks() && step > 0) phase.slope[d] = now - before;
  }
  return phase;
}

Phase Propagation::phase_behind(int64_t step) const {
  Phase phase;
  phase.factor = -0.5 * dt_;
  for (int d = 0; d < 3 && !choices_.velocity; ++d) phase.slope[d] = phase.factor * drive_of(step)[d];
  return phase;
}

// Of several phases, only the first is remembered.
void Propagation::set_phase(const Phase& phase, int slot) {
  if (slot == 0 && phase_known_ && phase == phase_) return;
  const Counts n(grid_);
  engine_.run(fields_cl, "phases", field_options(engine_, choices_.functional), engine_.shares(ceil_div(n.points, engine_.vector()), 32),
              v_.at_least(0), u_.at_least(0), cl_int(slot), n.nx, n.ny, n.nz, phase.factor, phase.slope[0] * grid_.h[0],
              phase.slope[1] * grid_.h[1], phase.slope[2] * grid_.h[2], phase.constant, phase.size);
  if (slot > 0) return;
  phase_ = phase;
  phase_known_ = true;
}

// psi *= u
void Propagation::turn() {
  const Counts n(grid_);
  engine_.run(orbitals_cl, "pot_prop", orbital_options(), orbital_range(n.points), psi_, u_.at_least(0), n.nx, n.ny, n.nz, n.norb);
}

void Propagation::step(int64_t s) {
  const bool nonlocal = !spheres_.empty();
  if (choices_.velocity && s > 0 && !std::equal(drive_of(s), drive_of(s) + 3, drive_of(s - 1))) set_tables(s);
  set_phase(phase_before(s));
  if (!best()) turn();
  if (nonlocal)
    spheres_.propagate(psi_, best() ? u_.at_least(0) : nullptr, bloch_, tables_.waves(), false, 1 / (kinetic_.size * kinetic_.size));
  if (choices_.fourier()) lines_.propagate(psi_, u_.at_least(0));
  else if (best()) cells();
  else kinetic();
  if (nonlocal) spheres_.propagate(psi_, nullptr, bloch_, tables_.waves(), true);
  if (!one_pass() || nonlocal) make_density();
  moments(s);
  if (choices_.potential_moves()) {
    advance_field();
    make_potential();
  }
  if (!merged()) {
    set_phase(phase_behind(s));
    turn();
  }
  if (current_) current(s);
}

// Steps from `first` on, as many as share phases_at_once phases; returns the step behind them.
int64_t Propagation::steps_at_rest(int64_t first) {
  int64_t last = first;
  cl_ulong fresh = 0;
  for (int slot = -1; last < nsteps_ && last < first + steps_at_once; ++last) {
    const Phase phase = phase_before(last);
    const bool same_drive = last > 0 && std::equal(drive_of(last), drive_of(last) + 3, drive_of(last - 1));
    if (last == first || !(phase == phase_before(last - 1)) || (choices_.velocity && !same_drive)) {
      if (++slot == phases_at_once) break;
      fresh |= cl_ulong{1} << (last - first);
      set_phase(phase, slot);
      if (bloch_) set_tables(last, slot);  // blocks move on to the next table with the next phase
    }
  }
  const auto blocks = static_cast<size_t>(engine_.vectors(grid_.norb));
  run_cells("steps_of_block", {{blocks, 1, 1}, {1, 1, 1}}, last == nsteps_, static_cast<cl_int>(last - first), fresh, moments_.at_least(0),
            grid_.h[0], grid_.h[1], grid_.h[2]);
  sum_moments(static_cast<int64_t>(blocks), first, last);
  if (last == nsteps_) collect(true, 0);
  return last;
}

// Three passes over cells, in one kernel or in three.
void Propagation::cells() {
  const auto blocks = static_cast<size_t>(engine_.vectors(grid_.norb)), group = static_cast<size_t>(engine_.local());
  if (one_pass()) return run_cells("step_of_block", {{blocks, 1, 1}, {1, 1, 1}}, spheres_.empty());
  size_t cells = 1;
  for (int d = 0; d < 3; ++d) cells *= static_cast<size_t>(grid_.n[d] > 1 ? grid_.n[d] / 2 : 1);
  const opencl::Range each_cell{{(cells + group - 1) / group * group, blocks, 1}, {group, 1, 1}};
  run_cells("begin_cells", each_cell, false);
  run_cells("middle_cells", each_cell, false);
  run_cells("end_cells", each_cell, false);
}

template <class... More> void Propagation::run_cells(const char* name, const opencl::Range& range, bool with_rho, const More&... more) {
  const Counts n(grid_);
  std::string options = define("BLOCKS", 1) + define("BORDER", bloch_);
  static constexpr const char* widths[] = {"WX", "WY", "WZ"};
  for (int d = 0; d < 3; ++d) options += define(widths[d], grid_.n[d] > 1 ? 2 : 1);
  engine_.run(cells_cl, name, options, range, psi_, u_.at_least(0), tables_.bonds(), tables_.f_real(), shares_.at_least(0),
              cl_int(with_rho), n.nx, n.ny, n.nz, static_cast<cl_int>(engine_.padded(n.norb)), kinetic_.half[0], kinetic_.half[1],
              kinetic_.half[2], kinetic_.full[0], kinetic_.full[1], kinetic_.full[2], more...);
}

// half, full, half in each direction, a kernel for each part.
void Propagation::kinetic() {
  const Counts n(grid_);
  const bool through = variant_ <= Variant::reordered;
  for (int d = 0; d < 3; ++d) {
    if (grid_.n[d] == 1) continue;
    for (const Part part : {Part::half, Part::full, Part::half}) {
      const Rotation r = rotation(theta_[d], part);
      const auto first = cl_int(part == Part::full);
      if (through) {
        // The result is wanted where psi was.
        const size_t numbers =
            blocks() ? static_cast<size_t>(((2 * int64_t(n.nz) + 3) * n.ny + 5) * n.nx + 7) * static_cast<size_t>(engine_.padded(n.norb))
                     : 2 * static_cast<size_t>(n.points) * static_cast<size_t>(n.norb);
        engine_.run(orbitals_cl, "kin_prop_through", orbital_options(), orbital_range(n.points), psi_, work_.at_least(0), tables_.bonds(),
                    n.nx, n.ny, n.nz, n.norb, cl_int(d), first, r.ep.real(), r.ep.imag(), r.em.real(), r.em.imag());
        copy(engine_, work_.at_least(0), 0, psi_, 0, numbers);
      } else {
        engine_.run(orbitals_cl, "kin_prop", orbital_options(), orbital_range(n.points / 2), psi_, tables_.bonds(), n.nx, n.ny, n.nz,
                    n.norb, cl_int(d), first, r.em.real(), r.em.imag());
      }
    }
  }
}

void Propagation::make_density() {
  const Counts n(grid_);
  engine_.run(orbitals_cl, "density", orbital_options(), density_range(), psi_, tables_.f_double(), memory_of(c_->rho), n.nx, n.ny, n.nz,
              n.norb);
}

// rho of the blocks' shares where they hold it, and the dipole.
void Propagation::moments(int64_t step) {
  const int64_t slot = step % steps_at_once;
  collect(one_pass() && spheres_.empty(), slot);
  if (slot + 1 == steps_at_once || step + 1 == nsteps_) sum_moments(grid_.n[0], step - slot, step + 1);
}

void Propagation::collect(bool shares, int64_t slot) {
  const Counts n(grid_);
  engine_.run(fields_cl, "collect", field_options(engine_, choices_.functional), engine_.shares(n.nx), shares_.at_least(0),
              memory_of(c_->rho), moments_.at_least(0), n.nx, n.ny, n.nz, static_cast<cl_int>(shares ? engine_.vectors(n.norb) : 0),
              static_cast<cl_int>(slot), grid_.h[0], grid_.h[1], grid_.h[2]);
}

// The dipole of the steps from first to last, of `count` parts each.
void Propagation::sum_moments(int64_t count, int64_t first, int64_t last) {
  engine_.run(orbitals_cl, "sum_partials", orbital_options(), {{4, static_cast<size_t>(last - first), 1}, {1, 1, 1}}, moments_.at_least(0),
              memory_of(c_->dipole), static_cast<cl_int>(count), cl_int(4), cl_int(4), static_cast<cl_int>(first), grid_.volume_element());
}

void Propagation::current(int64_t step) {
  const Counts n(grid_);
  const bool fourier = choices_.fourier();
  const int64_t vectors = engine_.vectors(n.norb), bonds = vectors * (fourier ? lines_.rows() : n.nx);
  Tables& tables = best() && !fourier ? bond_tables_ : tables_;
  double weight[3];
  for (int d = 0; d < 3; ++d) weight[d] = grid_.n[d] > 1 ? 1 / grid_.h[d] : 0;
  if (fourier) lines_.velocities(psi_, tables.waves(), tables.f_double(), currents_.at_least(0));
  else
    engine_.run(orbitals_cl, "currents", orbital_options(), engine_.orbital_shares(vectors, n.nx), psi_, tables.bonds(), tables.f_double(),
                currents_.at_least(0), n.nx, n.ny, n.nz, n.norb, weight[0], weight[1], weight[2]);
  if (!spheres_.empty()) spheres_.currents(psi_, bloch_, tables.waves(), tables.f_double(), currents_.at_least(0), bonds);
  engine_.run(orbitals_cl, "sum_partials", orbital_options(), {{3, 1, 1}, {1, 1, 1}}, currents_.at_least(0), current_,
              static_cast<cl_int>(bonds + (spheres_.empty() ? 0 : vectors)), cl_int(3), cl_int(3), static_cast<cl_int>(step),
              grid_.volume_element());
}

void Propagation::advance_field() {
  const cl_mem rho = memory_of(c_->rho);
  const Start start = variant_ < Variant::field_sync ? Start::one_item : variant_ == Variant::field_sync ? Start::wait : Start::queue;
  switch (choices_.field) {
    case Field::frozen: return;
    case Field::loop: return solver_.loop(rho, start);
    case Field::fused: return solver_.fused(rho);
    case Field::closed: return solver_.closed(rho);
    case Field::spectral:
    case Field::isolated:
    case Field::continuum: return solver_.solve(rho);
  }
}

void Propagation::make_potential() {
  const Counts n(grid_);
  engine_.run(fields_cl, "potential", field_options(engine_, choices_.functional), engine_.shares(ceil_div(n.points, engine_.vector()), 32),
              memory_of(c_->vloc), solver_.v(), memory_of(c_->rho), v_.at_least(0), n.points);
  phase_known_ = false;
}

void Propagation::finish() {
  give_orbitals();
  if (choices_.field == Field::frozen || nsteps_ == 0) return;
  if (choices_.field == Field::closed) solver_.end_closed();
  if (solution_of(choices_.field)) solver_.clear_w();
  solver_.give(memory_of(c_->vH));
}

}  // namespace suite::lfd::cl
