// SPDX-License-Identifier: BSD-3-Clause
#include "calculation.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "../common/machine.hpp"
#include "../common/print.hpp"
#include "../common/stop.hpp"

namespace suite::tddft {
namespace {

using app::print;

template <class T>
void broadcast(const app::Communicator& world, std::vector<T>& values) {
  auto size = static_cast<int64_t>(values.size());
  world.broadcast({reinterpret_cast<char*>(&size), sizeof size}, 0);
  values.resize(static_cast<size_t>(size));
  world.broadcast({reinterpret_cast<char*>(values.data()), values.size() * sizeof(T)}, 0);
}

void broadcast_ground_state(const app::Communicator& world, GroundState& g) {
  if (world.size() == 1) return;
  for (auto* field : {&g.f, &g.k, &g.eigenvalues_Ha, &g.rho, &g.vH, &g.vxc, &g.vloc, &g.nonlocal.nldisp,
                      &g.nonlocal.beta, &g.nonlocal.dnl})
    broadcast(world, *field);
  broadcast(world, g.psi);
  broadcast(world, g.nonlocal.nlpoint);
  const auto plain = [&](auto& value) {
    world.broadcast({reinterpret_cast<char*>(&value), sizeof value}, 0);
  };
  plain(g.bands), plain(g.orbitals), plain(g.energies), plain(g.residual_Ha), plain(g.density_error),
      plain(g.iterations), plain(g.converged), plain(g.nonlocal.nsphere), plain(g.nonlocal.nproj),
      plain(g.nonlocal.natom);
}

GroundState ground_state(const Settings& settings, app::Context& context) {
  GroundState g;
  if (context.world.root()) {
    GroundStateSettings how = settings.ground_state;
    how.implementation = context.implementation;
    context.progress.start("ground state", how.max_iterations);
    g = solve_ground_state(settings.system, how,
                           [&](const GroundStateIteration& i) { context.progress.advance(i.number); });
    context.progress.finish();
    if (!g.converged)
      throw Failure(SUITE_INVALID_ARGUMENT, print("the ground state has not converged in %d iterations: its "
                                                  "density changes by %.2g per electron where %.2g is "
                                                  "wanted, its residual is %.2g Ha where %.2g is wanted; "
                                                  "ground_state.max_iterations and mixing may help",
                                                  g.iterations, g.density_error, how.density_tolerance,
                                                  g.residual_Ha, how.residual_tolerance));
  }
  broadcast_ground_state(context.world, g);
  return g;
}

// Several ranks may be told at different moments; they stop together.
int agreed_signal(const app::Communicator& world, const app::StopRequest& stop) {
  std::vector<double> asked(static_cast<size_t>(world.size()), 0.0);
  asked[static_cast<size_t>(world.rank())] = stop.signal();
  world.sum(asked);
  return static_cast<int>(*std::max_element(asked.begin(), asked.end()));
}

class Runner {
public:
  Runner(const Settings& settings, app::Context& context)
      : s_(settings), context_(context), file_(context.folder / "checkpoint.h5") {}

  Calculation run() {
    begin();
    if (s_.propagation.steps == 0 && !c_.restarted) return std::move(c_);
    const double started = app::wall_s();
    auto propagation = make_propagation(s_, progress().ground_state, progress().sum_rule, context_);
    if (c_.restarted) propagation->restore(app::hdf5::File(s_.restart), "now", progress().run());
    const int64_t total = s_.propagation.steps * s_.runs();
    context_.progress.start("steps", total);
    for (int run = std::max(0, progress().run()); run < s_.runs() && !c_.stopped_by; ++run) {
      if (run > progress().run()) {
        progress().tracks.emplace_back();
        propagation->start(progress().ground_state, run, progress().tracks.back());
      }
      follow(*propagation, run);
    }
    context_.progress.finish();
    c_.density = propagation->density();
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
      progress() = read_checkpoint(app::hdf5::File(s_.restart), s_);
      c_.restarted = true;
      c_.restarted_at = progress().tracks.back().steps();
      if (c_.restarted_at > s_.propagation.steps)
        throw Failure(SUITE_INVALID_ARGUMENT,
                      s_.restart.string() + " is at step " + std::to_string(c_.restarted_at) +
                          ", behind the " + std::to_string(s_.propagation.steps) + " steps of this input");
    } else {
      progress().ground_state = ground_state(s_, context_);
      progress().sum_rule = sum_rule(s_, progress().ground_state, context_);
    }
    c_.ground_state_s = app::wall_s() - started;
  }

  void follow(Propagation& propagation, int run) {
    Track& track = progress().tracks.back();
    int64_t saved = track.steps();
    while (track.steps() < s_.propagation.steps) {
      propagation.advance(track, std::min(s_.propagation.interval, s_.propagation.steps - track.steps()));
      propagation.look(track);
      if (!std::isfinite(track.looks.back().electrons()))
        throw Failure(SUITE_INTERNAL,
                      print("the energy is not finite after step %lld; a smaller time step may help",
                            static_cast<long long>(track.steps())));
      context_.progress.advance(run * s_.propagation.steps + track.steps());
      c_.stopped_by = agreed_signal(context_.world, stop_);
      if (c_.stopped_by) return;
      if (s_.checkpoint_interval > 0 && track.steps() - saved >= s_.checkpoint_interval &&
          track.steps() < s_.propagation.steps) {
        save_checkpoint(file_, s_, progress(), propagation, context_.world);
        saved = track.steps();
      }
    }
  }

  const Settings& s_;
  app::Context& context_;
  std::filesystem::path file_;
  app::StopRequest stop_;
  Calculation c_;
};

}  // namespace

Calculation calculate(const Settings& settings, app::Context& context) {
  return Runner(settings, context).run();
}

}  // namespace suite::tddft
