// SPDX-License-Identifier: BSD-3-Clause
#include "propagation.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>

#include "measure/timed_kernel.hpp"
#include "core_density.hpp"
#include "forces.hpp"
#include "grid_xc.hpp"
#include "ion_energy.hpp"
#include "orbital_unit.hpp"
#include "pulse.hpp"

namespace suite::tddft {
namespace {

using app::device_of, app::TimedKernel;

// Length of settling step n: grows to that of the propagation.
double settling_step(const PropagationSettings& p, int64_t n) {
  const double part = (static_cast<double>(n) + 0.5) / static_cast<double>(p.settling_steps);
  const double sine = std::sin(std::numbers::pi / 2 * part);
  return p.dt * sine * sine;
}

template <class R> class Orbitals final : public Propagation {
public:
  Orbitals(const Settings& settings, const GroundState& g, const Vec3& sum_rule, const app::Context& context)
      : s_(settings),
        world_(context.world),
        sum_rule_(sum_rule),
        around_(s_.system, g),
        orbitals_(g.orbitals),
        spins_(static_cast<size_t>(g.spins)),
        units_(units_of(g.orbitals_of_spin(), context)),
        together_(world_.size() > 1 || units_.ordered() || !kernels_have(settings.ground_state.functional, s_.system) ||
                  settings.propagation.absorber.there()),
        device_(device_of("lfd.propagate", context.implementation)),
        rho_(s_.system.grid.size()),
        vH_(2 * rho_.size()),
        u_(rho_.size()),
        dt_(s_.propagation.dt),
        ion_energy_(g.energies.ions) {
    for (int u = units_.begin(); u < units_.end(); ++u)
      for (int spin = 0; spin < g.spins; ++spin) {
        own_.push_back(std::make_unique<OrbitalUnit<R>>(OrbitalShare<R>(around_, g, units_, u, spin), s_, context, device_, together_));
        if (!together_ && has_wave_equation()) set_wave_equation(own_.back()->propagate());
      }
    prepare_field(context.implementation);
    if (together_) prepare_steps(context.implementation);
    if (s_.propagation.absorber.there()) layers_.emplace(s_.system.grid, s_.propagation.absorber, s_.propagation.dt);
  }

  void rest(const GroundState& g) override {
    for (auto& unit : own_) unit->upload(unit->share().part_of(g.psi));
    update_density();
    solve_field();
  }

  void settle(int64_t first, int64_t count) override {
    drive_.assign(3, 0.0);
    absorbs_ = false;
    for (int64_t n = first; n < first + count; ++n) {
      set_time_step(settling_step(s_.propagation, n));
      propagate(1);
    }
    set_time_step(s_.propagation.dt);
    if (s_.propagation.single && count > 0) restore_norm(dipole_[3], s_.system.electrons);
  }

  void start(int run, TimeSeries& series) override {
    run_ = run;
    if (s_.excitation == Excitation::kick && !s_.propagation.velocity_gauge) kick();
    series = TimeSeries{};
    const auto moments = moments_of(rho_);
    series.dipole.push_back({moments[0], moments[1], moments[2]});
    series.electrons.push_back(moments[3]);
    if (spins_ == 2) {
      std::vector<R> magnetisation(rho_.size());
      for (size_t p = 0; p < rho_.size(); ++p) magnetisation[p] = static_cast<R>(densities_[p] - densities_[p + rho_.size()]);
      const auto of_spin = moments_of(magnetisation);
      series.spin_dipole.push_back({of_spin[0], of_spin[1], of_spin[2]});
    }
    if (layers_) series.absorbed.push_back({0, 0, 0});
    series.current.push_back(first_current());
    sample(series);
  }

  void advance(TimeSeries& series, int64_t count) override {
    const double t = s_.propagation.dt * static_cast<double>(series.steps());
    drive_.resize(static_cast<size_t>(3 * count));
    for (int64_t n = 0; n < count; ++n) {
      const Vec3 value = drive(s_, run_, t + static_cast<double>(n) * s_.propagation.dt);
      std::copy(value.begin(), value.end(), drive_.begin() + 3 * n);
    }
    absorbs_ = layers_.has_value();
    propagate(count);
    for (int64_t n = 0; n < count; ++n) record(series, n);
    if (s_.propagation.single) restore_norm(series.electrons.back(), absorbs_ ? left_ : s_.system.electrons);
  }

  void sample(TimeSeries& series) override {
    const int64_t step = series.steps();
    EnergySample now;
    now.step = step;
    now.parts = energy_now(potential_at(s_, run_, time_of(step)));
    now.ions = ion_energy_;
    if (!series.energies.empty()) now.work = series.energies.back().work + work_since(series, series.energies.back().step);
    series.energies.push_back(now);
  }

  void place(const System& system) override {
    const std::vector<double> v = local_potential(system);
    around_.vloc.assign(v.begin(), v.end());
    around_.nonlocal = nonlocal_potential(system);
    if (grid_xc_) grid_xc_->set_core(core_density(system));
    ion_energy_ = ion_energy(system);
    for (auto& unit : own_) unit->set_ions();
  }

  std::vector<Vec3> forces(const System& system, int64_t step) override {
    std::vector<Vec3> forces = ion_forces(system);
    add_forces(forces, local_forces(system, {rho_.begin(), rho_.end()}));
    add_forces(forces, nonlocal_part(system, potential_at(s_, run_, time_of(step))));
    if (has_core(system) && grid_xc_) {
      grid_xc_->update(densities_);
      add_forces(forces, core_forces(system, grid_xc_->potential()));
    }
    world_.share(forces);
    return forces;
  }

  std::vector<double> density() override { return {rho_.begin(), rho_.end()}; }

  double norm_error() override {
    std::vector<double> norms(static_cast<size_t>(orbitals_), 0.0);
    for (const auto& unit : own_) {
      const Share& share = unit->share();
      const auto held = static_cast<size_t>(share.held());
      std::vector<std::complex<R>> psi(rho_.size() * held);
      unit->download(psi);
      for (size_t i = 0; i < rho_.size(); ++i)
        for (size_t n = 0; n < static_cast<size_t>(share.own()); ++n)
          norms[static_cast<size_t>(share.begin) + n] += std::norm(std::complex<double>(psi[i * held + n]));
    }
    world_.sum(std::span<double>(norms));
    double largest = 0;
    for (const double norm : norms) {
      const double excess = norm * s_.system.grid.point_volume() - 1;
      largest = std::max(largest, layers_ ? excess : std::abs(excess));
    }
    return largest;
  }

  void save(hdf5::Writer* file, const std::string& group) override {
    const auto& p = s_.system.grid.points;
    const size_t plane = static_cast<size_t>(p[1]) * p[2], all = static_cast<size_t>(orbitals_);
    std::vector<std::vector<std::complex<R>>> own;
    for (const auto& unit : own_) {
      own.emplace_back(rho_.size() * static_cast<size_t>(unit->share().held()));
      unit->download(own.back());
    }
    std::vector<std::complex<R>> whole(file ? rho_.size() * all : 0);
    std::vector<std::complex<double>> gathered(plane * all);
    for (size_t ix = 0; ix < static_cast<size_t>(p[0]); ++ix) {
      std::fill(gathered.begin(), gathered.end(), 0);
      for (size_t u = 0; u < own_.size(); ++u) {
        const Share& share = own_[u]->share();
        for (size_t i = 0; i < plane; ++i)
          std::copy_n(&own[u][(ix * plane + i) * static_cast<size_t>(share.held())], share.own(),
                      &gathered[i * all + static_cast<size_t>(share.begin)]);
      }
      world_.sum(std::span<std::complex<double>>(gathered));
      if (file)
        std::transform(gathered.begin(), gathered.end(), whole.begin() + static_cast<int64_t>(ix * plane * all),
                       [](const std::complex<double>& z) { return std::complex<R>(z); });
    }
    if (!file) return;
    file->write(group + "/psi", reinterpret_cast<const R*>(whole.data()), {p[0], p[1], p[2], orbitals_, 2});
    file->write(group + "/vH", vH_.data(), {2, p[0], p[1], p[2]});
  }

  void restore(const hdf5::File& file, const std::string& group, int run) override {
    run_ = run;
    const auto& p = s_.system.grid.points;
    const std::vector<int64_t> shape{p[0], p[1], p[2], orbitals_, 2};
    for (auto& unit : own_) {
      const Share& share = unit->share();
      std::vector<std::complex<R>> own(rho_.size() * static_cast<size_t>(share.held()));
      if (share.own() > 0) {
        const auto block = file.read_block<R>(group + "/psi", shape, {0, 0, 0, share.begin, 0}, {p[0], p[1], p[2], share.own(), 2});
        std::copy_n(block.data(), block.size(), reinterpret_cast<R*>(own.data()));
      }
      unit->upload(own);
    }
    vH_ = file.read<R>(group + "/vH", {2, p[0], p[1], p[2]});
    update_density();
  }

  void add_records(std::vector<app::Row>& records) const override {
    std::vector<app::Row> of_units;
    for (const auto& unit : own_)
      for (const TimedKernel* kernel : unit->kernels())
        if (kernel->used()) app::add_or_join(of_units, kernel->record());
    std::move(of_units.begin(), of_units.end(), std::back_inserter(records));
    for (const auto* kernel : {&field_, &wave_, &vxc_kernel_, &v_kernel_, &set_prop_})
      if (*kernel && (*kernel)->used()) records.push_back((*kernel)->record());
  }

private:
  double time_of(int64_t step) const { return s_.propagation.dt * static_cast<double>(step); }

  bool has_wave_equation() const {
    const std::string& field = s_.propagation.field;
    return field == "loop" || field == "fused" || field == "closed";
  }

  void set_wave_equation(Kernel& kernel) const {
    const PropagationSettings& p = s_.propagation;
    if (p.kappa > 0) kernel.set("kappa", p.kappa);
    kernel.set("gamma", p.gamma);
    kernel.set("field_steps", static_cast<int32_t>(p.field_steps));
  }

  // The Hartree field at rest, for the start and, with the spectral fields, for every step.
  void prepare_field(const std::string& implementation) {
    if (s_.ground_state.functional == "none") return;
    field_.emplace("lfd.spectral_field_solve", implementation, "", device_);
    (*field_)->choose("laplacian", laplacian_of(s_.system, s_.ground_state));
    (*field_)->set("h", around_.h.data(), {3});
    around_.set_field(field_->kernel(), "rho", rho_.data());
    around_.set_hartree(field_->kernel(), vH_.data());
  }

  // The kernels that lfd.propagate uses internally when one process holds all orbitals.
  void prepare_steps(const std::string& implementation) {
    zero_.assign(vH_.size(), 0);
    vxc_.resize(rho_.size() * spins_);
    v_.resize(rho_.size() * spins_);
    v_before_.resize(rho_.size() * spins_);
    if (!kernels_have(s_.ground_state.functional, s_.system)) {
      grid_xc_.emplace(s_.system.grid, xc_named(s_.ground_state.functional).value(), static_cast<int>(spins_));
      grid_xc_->set_core(core_density(s_.system));
    } else if (s_.ground_state.functional != "none") {
      vxc_kernel_.emplace("lfd.compute_vxc", implementation, "", device_);
      (*vxc_kernel_)->choose("functional", s_.ground_state.functional);
    }
    v_kernel_.emplace("lfd.compute_v", implementation, "", device_);
    set_prop_.emplace("lfd.set_prop", implementation, "", device_);
    if (has_wave_equation()) {
      wave_.emplace("lfd.field_prop", implementation, s_.propagation.field, device_);
      (*wave_)->set("h", around_.h.data(), {3});
      set_wave_equation(wave_->kernel());
    }
  }

  void kick() {
    const Grid& grid = s_.system.grid;
    const Vec3 K = s_.direction_of(run_);
    for (int ix = 0; ix < grid.points[0]; ++ix)
      for (int iy = 0; iy < grid.points[1]; ++iy)
        for (int iz = 0; iz < grid.points[2]; ++iz) {
          const double angle = -s_.kick * (K[0] * grid.coordinate(0, ix) + K[1] * grid.coordinate(1, iy) + K[2] * grid.coordinate(2, iz));
          u_[grid.index(ix, iy, iz)] = std::complex<R>(std::polar(1.0, angle));
        }
    for (auto& unit : own_)
      if (!s_.opposite || unit->share().spin == 0) unit->multiply(u_.data());
    if (!s_.opposite) return;
    for (std::complex<R>& u : u_) u = std::conj(u);
    for (auto& unit : own_)
      if (unit->share().spin == 1) unit->multiply(u_.data());
  }

  // Right after the kick every electron has its momentum, and the sum rule gives the whole current.
  Vec3 first_current() const {
    Vec3 j{};
    if (s_.excitation == Excitation::kick)
      for (int d = 0; d < 3; ++d) j[d] = -s_.kick * s_.direction_of(run_)[d] * sum_rule_[d];
    return j;
  }

  // Rounding to single precision changes the norm by 1e-8 to 1e-7 in every step, equally for all orbitals. electrons: their number now.
  void restore_norm(double electrons, double right) {
    std::fill(u_.begin(), u_.end(), std::complex<R>(static_cast<R>(std::sqrt(right / electrons))));
    for (auto& unit : own_) unit->multiply(u_.data());
    update_density();
  }

  // Of all orbitals; the units' parts are added in their order.
  std::vector<Vec3> nonlocal_part(const System& system, const Vec3& A) {
    std::vector<Vec3> sum(system.atoms.size(), Vec3{});
    if (around_.nonlocal.empty()) return sum;
    std::vector<double> parts;
    std::vector<std::complex<R>> psi;
    for (const auto& unit : own_) {
      const OrbitalShare<R>& share = unit->share();
      psi.resize(rho_.size() * static_cast<size_t>(share.held()));
      unit->download(psi);
      for (const Vec3& force : nonlocal_forces(system, around_.nonlocal, share.f, share.k, A, psi.data()))
        parts.insert(parts.end(), force.begin(), force.end());
    }
    const auto numbers = units_.sum(joined_spins(parts, 3 * sum.size()), 3 * sum.size());
    for (size_t i = 0; i < sum.size(); ++i) std::copy_n(numbers.begin() + static_cast<int64_t>(3 * i), 3, sum[i].begin());
    return sum;
  }

  void update_density() {
    for (auto& unit : own_) unit->update_density();
    sum_densities();
  }

  void sum_densities() {
    if (!together_) {
      rho_ = own_.front()->rho();
      return;
    }
    parts_.clear();
    for (const auto& unit : own_) parts_.insert(parts_.end(), unit->rho().begin(), unit->rho().end());
    densities_ = units_.sum(parts_, rho_.size() * spins_);
    join_densities();
  }

  void join_densities() {
    for (size_t p = 0; p < rho_.size(); ++p)
      rho_[p] = static_cast<R>(spins_ == 1 ? densities_[p] : densities_[p] + densities_[p + rho_.size()]);
  }

  std::array<double, 5> energy_now(const Vec3& A) {
    auto parts = energy_of_all(units_, static_cast<int>(spins_), [&](size_t i) { return own_[i]->energy(vH_, rho_, A); });
    if (grid_xc_) {
      grid_xc_->update(densities_);
      parts[4] = grid_xc_->energy();
    }
    return parts;
  }

  void solve_field() {
    if (!field_) return;
    around_.set_field(field_->kernel(), "rho", rho_.data());
    around_.set_hartree(field_->kernel(), vH_.data());
    field_->run();
    (*field_)->get("vH", suite::describe(vH_.data(), {around_.n[0], around_.n[1], around_.n[2], 2}));
  }

  // int r rho and int rho.
  std::array<double, 4> moments_of(const std::vector<R>& rho) const {
    const Grid& grid = s_.system.grid;
    std::array<double, 4> sum{};
    for (int ix = 0; ix < grid.points[0]; ++ix)
      for (int iy = 0; iy < grid.points[1]; ++iy)
        for (int iz = 0; iz < grid.points[2]; ++iz) {
          const double value = rho[grid.index(ix, iy, iz)];
          sum[0] += grid.coordinate(0, ix) * value;
          sum[1] += grid.coordinate(1, iy) * value;
          sum[2] += grid.coordinate(2, iz) * value;
          sum[3] += value;
        }
    for (double& x : sum) x *= grid.point_volume();
    return sum;
  }

  void set_time_step(double dt) {
    dt_ = dt;
    for (auto& unit : own_) unit->set_time_step(dt);
  }

  // Propagates `count` steps under drive_; stores dipole_ and current_ of each.
  void propagate(int64_t count) {
    dipole_.assign(static_cast<size_t>(4 * count), 0.0);
    current_.assign(static_cast<size_t>(3 * count), 0.0);
    if (together_) propagate_together(count);
    else propagate_alone(count);
  }

  void propagate_alone(int64_t count) {
    OrbitalUnit<R>& all = *own_.front();
    around_.set_hartree(all.propagate(), vH_.data());
    all.run(drive_.data(), dipole_.data(), current_.data(), count);
    all.propagate().get("vH", vH_.data(), {around_.n[0], around_.n[1], around_.n[2], 2});
    sum_densities();
  }

  void propagate_together(int64_t count) {
    update_density();
    left_ = absorbs_ ? moments_of(rho_)[3] : 0;
    update_potential(v_);
    const auto dipoles = static_cast<size_t>(4 * count), currents = static_cast<size_t>(3 * count);
    std::vector<double> dipole(own_.size() * dipoles, 0.0), current(own_.size() * currents, 0.0);
    for (size_t n = 0; n < static_cast<size_t>(count); ++n) {
      for (size_t u = 0; u < own_.size(); ++u) {
        around_.set_field(own_[u]->propagate(), "vloc", of_spin(v_, own_[u]->share().spin));
        around_.set_hartree(own_[u]->propagate(), zero_.data());
        own_[u]->propagate().keep("vH");  // it stays zero
        own_[u]->run(&drive_[3 * n], &dipole[u * dipoles + 4 * n], &current[u * currents + 3 * n], 1);
      }
      sum_densities();
      if (absorbs_) absorb(n);
      update_field();
      v_before_.swap(v_);
      update_potential(v_);
      for (size_t i = 0; i < v_.size(); ++i) v_before_[i] = v_[i] - v_before_[i];
      multiply_phase(v_before_);
      // That phase has changed the current of the step. vxc serves as scratch until the next one.
      if (s_.propagation.velocity_gauge)
        for (size_t u = 0; u < own_.size(); ++u) own_[u]->measure_current(vxc_.data(), &current[u * currents + 3 * n]);
    }
    units_.sum(joined_spins(current, currents), current_);
    if (absorbs_) return;  // absorb() has the dipoles
    units_.sum(joined_spins(dipole, dipoles), dipole_);
    if (spins_ == 2) spin_dipole_ = units_.sum(joined_spins(dipole, dipoles, -1), dipoles);
  }

  // The absorber's part in step n: on the density here, with the dipoles of what is left and of what is gone; on the orbitals in
  // multiply_phase().
  void absorb(size_t n) {
    const AbsorbingLayers::Moments moments = layers_->take(densities_);
    join_densities();
    const auto at = static_cast<int64_t>(4 * n);
    std::copy(moments.left.begin(), moments.left.end(), dipole_.begin() + at);
    spin_dipole_.resize(dipole_.size());
    std::copy(moments.magnetisation.begin(), moments.magnetisation.end(), spin_dipole_.begin() + at);
    gone_.resize(dipole_.size());
    std::copy(moments.gone.begin(), moments.gone.end(), gone_.begin() + at);
    left_ -= moments.gone[3];
  }

  const R* of_spin(const std::vector<R>& fields, int spin) const { return fields.data() + rho_.size() * static_cast<size_t>(spin); }
  R* of_spin(std::vector<R>& fields, int spin) const { return fields.data() + rho_.size() * static_cast<size_t>(spin); }

  // Numbers of each spin in each unit, `each` of them, added up for each unit; down: sign of those of spin down.
  std::vector<double> joined_spins(const std::vector<double>& parts, size_t each, double down = 1) const {
    if (spins_ == 1) return parts;
    std::vector<double> joined;
    for (size_t first = 0; first < parts.size(); first += 2 * each)
      for (size_t i = first; i < first + each; ++i) joined.push_back(parts[i] + down * parts[i + each]);
    return joined;
  }

  void update_field() {
    const std::string& field = s_.propagation.field;
    if (field == "spectral" || field == "isolated" || field == "continuum") return solve_field();
    if (!wave_) return;
    around_.set_field(wave_->kernel(), "rho", rho_.data());
    around_.set_hartree(wave_->kernel(), vH_.data());
    wave_->run();
    (*wave_)->get("vH", vH_.data(), {around_.n[0], around_.n[1], around_.n[2], 2});
  }

  // v = vloc + vH + vxc of each spin, without the external field.
  void update_potential(std::vector<R>& v) {
    if (grid_xc_) {
      grid_xc_->update(densities_);
      std::transform(grid_xc_->potential().begin(), grid_xc_->potential().end(), vxc_.begin(), [](double x) { return static_cast<R>(x); });
    } else if (vxc_kernel_) {
      around_.set_field(vxc_kernel_->kernel(), "rho", rho_.data());
      around_.set_field(vxc_kernel_->kernel(), "vxc", vxc_.data());
      vxc_kernel_->run();
      (*vxc_kernel_)->get("vxc", vxc_.data(), {around_.n[0], around_.n[1], around_.n[2]});
    }
    around_.set_field(v_kernel_->kernel(), "vloc", around_.vloc.data());
    around_.set_hartree(v_kernel_->kernel(), vH_.data());
    (*v_kernel_)->set("h", around_.h.data(), {3});
    for (int spin = 0; spin < static_cast<int>(spins_); ++spin) {
      if (grid_xc_ || vxc_kernel_) around_.set_field(v_kernel_->kernel(), "vxc", of_spin(vxc_, spin));
      around_.set_field(v_kernel_->kernel(), "v", of_spin(v, spin));
      v_kernel_->run();
      (*v_kernel_)->get("v", of_spin(v, spin), {around_.n[0], around_.n[1], around_.n[2]});
    }
  }

  // v: of each spin.
  void multiply_phase(const std::vector<R>& v) {
    (*set_prop_)->set("dt", dt_);
    for (int spin = 0; spin < static_cast<int>(spins_); ++spin) {
      around_.set_field(set_prop_->kernel(), "v", of_spin(v, spin));
      around_.set_field(set_prop_->kernel(), "u", u_.data());
      set_prop_->run();
      (*set_prop_)->get("u", u_.data(), {around_.n[0], around_.n[1], around_.n[2]});
      for (size_t p = 0; absorbs_ && p < u_.size(); ++p) u_[p] *= static_cast<R>(layers_->factors()[p]);
      for (auto& unit : own_)
        if (unit->share().spin == spin) unit->multiply(u_.data());
    }
  }

  // Records step n of the last advance. The kernel's current is for A at the middle of the step; its change to the end is that of free
  // electrons, by the sum rule.
  void record(TimeSeries& series, int64_t n) const {
    const double end = time_of(series.steps() + 1);
    const double* r = &dipole_[static_cast<size_t>(4 * n)];
    series.dipole.push_back({r[0], r[1], r[2]});
    series.electrons.push_back(r[3]);
    if (const double* m = spins_ == 2 ? &spin_dipole_[static_cast<size_t>(4 * n)] : nullptr)
      series.spin_dipole.push_back({m[0], m[1], m[2]});
    if (absorbs_) {
      Vec3 gone = series.absorbed.back();
      for (size_t d = 0; d < 3; ++d) gone[d] += gone_[static_cast<size_t>(4 * n) + d];
      series.absorbed.push_back(gone);
    }
    Vec3 j{};
    if (s_.propagation.velocity_gauge) {
      const Vec3 A = potential_at(s_, run_, end);
      const double part = absorbs_ ? r[3] / s_.system.electrons : 1;
      for (size_t d = 0; d < 3; ++d)
        j[d] = current_[static_cast<size_t>(3 * n) + d] + part * sum_rule_[d] * (A[d] - drive_[static_cast<size_t>(3 * n) + d]);
    }
    series.current.push_back(j);
  }

  // -int E.j dt over the steps from `step` on.
  double work_since(const TimeSeries& series, int64_t step) const {
    if (s_.excitation != Excitation::laser) return 0;
    double sum = 0;
    for (int64_t n = step; n < series.steps(); ++n) {
      const Vec3 E = mean_field(s_, run_, time_of(n));
      for (size_t d = 0; d < 3; ++d) {
        const size_t i = static_cast<size_t>(n);
        sum -= E[d] * (s_.propagation.velocity_gauge ? s_.propagation.dt * (series.current[i][d] + series.current[i + 1][d]) / 2
                                                     : series.dipole_with_absorbed(i + 1, d) - series.dipole_with_absorbed(i, d));
      }
    }
    return sum;
  }

  const Settings& s_;
  const app::Communicator& world_;
  Vec3 sum_rule_;
  Surroundings<R> around_;
  int64_t orbitals_;
  size_t spins_;
  app::WorkUnits units_;
  bool
      together_;  // one step per call, as several processes, an absorber, and exchange and correlation that the kernels do not have require
  Device device_;
  std::vector<std::unique_ptr<OrbitalUnit<R>>> own_;  // of each unit, its spins
  std::optional<TimedKernel> field_, wave_, vxc_kernel_, v_kernel_, set_prop_;
  std::optional<GridXc> grid_xc_;
  std::vector<R> rho_, vH_, zero_;
  std::vector<R> vxc_, v_, v_before_;  // of each spin
  std::vector<double> densities_;  // of each spin, with grid_xc_
  std::vector<std::complex<R>> u_;
  std::vector<double> drive_, dipole_, spin_dipole_, gone_, current_, parts_;
  std::optional<AbsorbingLayers> layers_;
  bool absorbs_ = false;  // from t = 0 on
  double left_ = 0;  // electrons, by what the absorber has taken away since the beginning of an advance
  double dt_;  // current time step
  double ion_energy_;
  int run_ = 0;
};

}  // namespace

std::unique_ptr<Propagation> make_propagation(const Settings& settings, const GroundState& system, const Vec3& sum_rule,
                                              const app::Context& context) {
  if (settings.propagation.single) return std::make_unique<Orbitals<float>>(settings, system, sum_rule, context);
  return std::make_unique<Orbitals<double>>(settings, system, sum_rule, context);
}

Vec3 sum_rule(const Settings& settings, const GroundState& g, const app::Context& context) {
  const Surroundings<double> around(settings.system, g);
  const app::WorkUnits units = units_of(g.orbitals_of_spin(), context);
  const Device device = device_of("lfd.calc_energy", context.implementation);
  std::deque<OrbitalShare<double>> shares;
  std::deque<Energy<double>> energies;
  std::deque<Array<std::complex<double>>> psi;
  for (int u = units.begin(); u < units.end(); ++u)
    for (int spin = 0; spin < g.spins; ++spin) {
      const auto& share = shares.emplace_back(around, g, units, u, spin);
      energies.emplace_back(share, "none", context.implementation, device);
      psi.emplace_back(device, Extents{share.held(), around.n[0], around.n[1], around.n[2]});
      psi.back().upload(share.part_of(g.psi));
    }
  const std::vector<double> nothing(2 * settings.system.grid.size(), 0.0), rho(settings.system.grid.size(), 0.0);
  const auto at = [&](int d, double A) {
    Vec3 vector{};
    vector[static_cast<size_t>(d)] = A;
    const auto parts = energy_of_all(units, g.spins, [&](size_t i) { return energies[i](psi[i].array(), nothing, rho, vector); });
    return parts[0] + parts[2];
  };
  Vec3 sums{};
  const double still = at(0, 0);
  for (int d = 0; d < 3; ++d) {
    if (settings.system.grid.points[static_cast<size_t>(d)] == 1) continue;
    // Second differences with the steps a and 2a, extrapolated: the error is of order (a h)^4.
    const double a = 0.02;
    const double fine = (at(d, a) - 2 * still + at(d, -a)) / (a * a);
    const double coarse = (at(d, 2 * a) - 2 * still + at(d, -2 * a)) / (4 * a * a);
    sums[static_cast<size_t>(d)] = (4 * fine - coarse) / 3;
  }
  return sums;
}

}  // namespace suite::tddft
