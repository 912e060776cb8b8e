// SPDX-License-Identifier: BSD-3-Clause
#include "calculation.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>

#include <fmt/core.h>

#include "base/stop.hpp"
#include "common/machine.hpp"
#include "born_oppenheimer.hpp"
#include "ehrenfest.hpp"
#include "laws.hpp"

namespace suite::tddft {
namespace {

void broadcast_ground_state(const app::Communicator& world, GroundState& g) {
  if (world.size() == 1) return;
  for (auto* field : {&g.f, &g.k, &g.eigenvalues_Ha, &g.rho, &g.vH, &g.vxc, &g.vloc, &g.magnetisation, &g.nonlocal.nldisp, &g.nonlocal.beta,
                      &g.nonlocal.dnl})
    world.share(*field);
  world.share(g.psi), world.share(g.nonlocal.nlpoint), world.share(g.forces);
  world.share(g.spins), world.share(g.bands), world.share(g.orbitals), world.share(g.energies), world.share(g.residual_Ha);
  world.share(g.lowest_empty_Ha);
  world.share(g.density_error), world.share(g.iterations), world.share(g.converged);
  world.share(g.nonlocal.nsphere), world.share(g.nonlocal.nproj), world.share(g.nonlocal.natom);
}

std::string what_may_help(const Settings& settings, const GroundState& g) {
  const double gap = gap_Ha(settings, g);
  if (gap >= 10 * least_gap_Ha) return "ground_state.max_iterations and mixing may help";
  return fmt::format("its highest occupied and lowest empty level are {:.4f} eV apart: {}", gap * hartree_eV, what_no_gap_means(settings));
}

// The root's solver; the others have none.
std::unique_ptr<GroundStateSolver> solver_of(const Settings& settings, const app::Context& context) {
  if (!context.world.root()) return nullptr;
  GroundStateSettings how = settings.ground_state;
  how.implementation = context.implementation;
  return make_solver(settings.system, how);
}

GroundState ground_state(const Settings& settings, app::Context& context, GroundStateSolver* solver) {
  GroundState g;
  if (solver) {
    const GroundStateSettings& how = settings.ground_state;
    context.progress.start_iterations("ground state", how.max_iterations);
    g = solver->solve([&](const GroundStateIteration& i) { context.progress.iterate(i.number, i.density_error, how.density_tolerance); });
    context.progress.finish();
    if (!g.converged)
      throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the ground state did not converge in {} iterations: density change {:.2g} per "
                                                        "electron (tolerance {:.2g}), residual {:.2g} Ha (tolerance {:.2g}); {}",
                                                        g.iterations, g.density_error, how.density_tolerance, g.residual_Ha,
                                                        how.residual_tolerance, what_may_help(settings, g)));
  }
  broadcast_ground_state(context.world, g);
  return g;
}

class Runner {
public:
  Runner(const Settings& settings, app::Context& context) : s_(settings), context_(context), file_(context.folder / "checkpoint.h5") {}

  Calculation run() {
    begin();
    if (s_.ions.dynamics == Dynamics::ground_state) return move_on_ground_state();
    if (s_.propagation.steps == 0 && !c_.restarted) return std::move(c_);
    const double started = app::wall_s();
    auto propagation = make_propagation(s_, progress().ground_state, progress().sum_rule, context_);
    if (progress().run() >= 0) {
      propagation->restore(hdf5::File(s_.restart), "now", progress().run());
      if (s_.moving()) Ehrenfest(s_, *propagation, progress().runs.back()).restore(progress().trajectory.now);
    }
    context_.progress.start("steps", steps_of_run() * s_.runs(), steps_before());
    for (int run = std::max(0, progress().run()); run < s_.runs() && !c_.stopped_by; ++run) {
      if (run > progress().run()) {
        if (!settle(*propagation, run)) break;
        progress().runs.emplace_back();
        propagation->start(run, progress().runs.back());
        if (s_.moving()) start_ions(*propagation, progress().runs.back());
      }
      follow(*propagation, run);
    }
    context_.progress.finish();
    c_.density = propagation->density();
    c_.norm_error = propagation->norm_error();
    save_checkpoint(file_, s_, progress(), *propagation, context_.world);
    propagation->add_records(context_.kernels);
    c_.propagation_s = app::wall_s() - started;
    return std::move(c_);
  }

private:
  Progress& progress() { return c_.progress; }

  void begin() {
    const double started = app::wall_s();
    if (!s_.restart.empty()) {
      progress() = read_checkpoint(hdf5::File(s_.restart), s_);
      c_.restarted = true;
      if (!progress().runs.empty()) c_.restarted_at = progress().runs.back().steps();
      if (s_.ions.dynamics == Dynamics::ground_state) c_.restarted_at = progress().trajectory.now.step;
      const int64_t steps = s_.ions.dynamics == Dynamics::ground_state ? s_.ions.steps : s_.propagation.steps;
      if (c_.restarted_at > steps)
        throw Failure(SUITE_INVALID_ARGUMENT,
                      fmt::format("{} is at step {}, beyond the {} steps of this input", s_.restart.string(), c_.restarted_at, steps));
    } else {
      auto solver = solver_of(s_, context_);
      progress().ground_state = ground_state(s_, context_, solver.get());
      if (s_.ions.dynamics == Dynamics::ground_state) {
        solver_ = std::move(solver);
        c_.ground_state_s = app::wall_s() - started;
        return;
      }
      if (s_.propagation.steps > 0) add_minus_k(s_.system, progress().ground_state);
      progress().sum_rule = sum_rule(s_, progress().ground_state, context_);
    }
    c_.ground_state_s = app::wall_s() - started;
  }

  int64_t steps_of_run() const { return s_.propagation.settling_steps + s_.propagation.steps; }

  // Of all runs, after step n of this one, the settling included.
  int64_t steps_done(int run, int64_t n) const { return run * steps_of_run() + n; }

  int64_t steps_before() const {
    const auto& runs = c_.progress.runs;
    return runs.empty() ? 0 : steps_done(c_.progress.run(), s_.propagation.settling_steps + runs.back().steps());
  }

  Calculation move_on_ground_state() {
    const double started = app::wall_s();
    BornOppenheimer driver(s_, context_, c_.restarted ? solver_of(s_, context_) : std::move(solver_));
    Trajectory& trajectory = progress().trajectory;
    if (c_.restarted) {
      driver.restore(hdf5::File(s_.restart), "now");
    } else {
      trajectory.now = ions_at_start(s_);
      driver.start(trajectory.now, progress().ground_state);
      trajectory.samples.push_back(trajectory.now);
    }
    const VelocityVerlet verlet(s_);
    int64_t saved = trajectory.now.step;
    context_.progress.start("steps of the ions", s_.ions.steps, trajectory.now.step);
    while (trajectory.now.step < s_.ions.steps && !c_.stopped_by) {
      verlet.step(trajectory.now, driver);
      trajectory.samples.push_back(trajectory.now);
      context_.progress.advance(trajectory.now.step);
      c_.stopped_by = app::agreed_signal(context_.world, stop_);
      if (s_.checkpoint_interval > 0 && trajectory.now.step - saved >= s_.checkpoint_interval && trajectory.now.step < s_.ions.steps) {
        save_checkpoint(file_, s_, progress(), driver, context_.world);
        saved = trajectory.now.step;
      }
    }
    context_.progress.finish();
    c_.density = driver.density();
    context_.world.share(c_.density);
    save_checkpoint(file_, s_, progress(), driver, context_.world);
    c_.ground_state_iterations = driver.iterations();
    c_.propagation_s = app::wall_s() - started;
    return std::move(c_);
  }

  void start_ions(Propagation& propagation, TimeSeries& series) {
    Trajectory& trajectory = progress().trajectory;
    trajectory = {ions_at_start(s_), {}};
    Ehrenfest(s_, propagation, series).start(trajectory.now);
    sample_ions(series);
  }

  // Adds the ions to the last sample of the electrons, and the electrons' energy to the ions.
  void sample_ions(TimeSeries& series) {
    IonState& ions = progress().trajectory.now;
    EnergySample& sample = series.energies.back();
    sample.ion_kinetic = kinetic_energy(ions, ion_masses(s_));
    sample.ion_work = ions.work;
    ions.energy = sample.electrons() + sample.ions;
    progress().trajectory.samples.push_back(ions);
  }

  void advance(Propagation& propagation, TimeSeries& series, int64_t steps) {
    if (!s_.moving()) return propagation.advance(series, steps);
    Ehrenfest driver(s_, propagation, series);
    const VelocityVerlet verlet(s_);
    for (int64_t n = 0; n < steps; n += s_.ions.electron_steps) verlet.step(progress().trajectory.now, driver);
  }

  // Returns false if stopped; the run has then not begun, and a continued one settles again.
  bool settle(Propagation& propagation, int run) {
    propagation.rest(progress().ground_state);
    const PropagationSettings& p = s_.propagation;
    for (int64_t n = 0; n < p.settling_steps; n += p.interval) {
      propagation.settle(n, std::min(p.interval, p.settling_steps - n));
      context_.progress.advance(steps_done(run, std::min(n + p.interval, p.settling_steps)));
      c_.stopped_by = app::agreed_signal(context_.world, stop_);
      if (c_.stopped_by) return false;
    }
    return true;
  }

  void follow(Propagation& propagation, int run) {
    TimeSeries& series = progress().runs.back();
    int64_t saved = series.steps();
    while (series.steps() < s_.propagation.steps) {
      advance(propagation, series, std::min(s_.propagation.interval, s_.propagation.steps - series.steps()));
      propagation.sample(series);
      if (s_.moving()) sample_ions(series);
      if (!std::isfinite(series.energies.back().electrons()))
        throw Failure(SUITE_INTERNAL, fmt::format("the energy is not finite after step {}; a smaller time step may help", series.steps()));
      context_.progress.advance(steps_done(run, s_.propagation.settling_steps + series.steps()));
      c_.stopped_by = app::agreed_signal(context_.world, stop_);
      if (c_.stopped_by) return;
      if (s_.checkpoint_interval > 0 && series.steps() - saved >= s_.checkpoint_interval && series.steps() < s_.propagation.steps) {
        save_checkpoint(file_, s_, progress(), propagation, context_.world);
        saved = series.steps();
      }
    }
  }

  const Settings& s_;
  app::Context& context_;
  std::filesystem::path file_;
  app::StopRequest stop_;
  std::unique_ptr<GroundStateSolver> solver_;  // of ions on the ground state
  Calculation c_;
};

}  // namespace

Calculation calculate(const Settings& settings, app::Context& context) { return Runner(settings, context).run(); }

}  // namespace suite::tddft
