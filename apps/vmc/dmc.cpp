// SPDX-License-Identifier: BSD-3-Clause
#include "dmc.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../../plugins/qmc/philox.hpp"
#include "../common/machine.hpp"
#include "../common/print.hpp"
#include "population.hpp"

namespace suite::vmc {
namespace {

using app::print;

constexpr const char* checkpoint_name = "checkpoint.h5";
constexpr double forgotten = 1.0 / 3;  // of the equilibration is not in the running estimate of the energy
constexpr double short_memory = 0.9;   // of that estimate until then

// Sums over the walkers of one step.
namespace row {
constexpr size_t weight = 0, square = 1, accepted = 2, diffused = 3, proposed = 4, walkers = 5, parts = 6,
                 counts = parts + part::count;
}

class Diffusion {
public:
  Diffusion(const Settings& settings, app::Context& context)
      : s_(settings),
        context_(context),
        share_(settings.dmc.target, context.world),
        walkers_(settings.system, settings.jastrow, implementation_of(context), settings.seed,
                 2 * share_.own + 16) {}

  DmcResult run() {
    const double started = app::wall_s();
    begin();
    out_.equilibration_s = app::wall_s() - started;
    const int64_t each = s_.dmc.equilibration + s_.dmc.steps,
                  all = each * static_cast<int64_t>(s_.dmc.time_steps.size());
    context_.progress.start("steps", all);
    for (int64_t done = out_.restarted_at; done < all && !out_.stopped_by;) {
      const int64_t n = std::min(s_.reinvert_interval, all - done);
      // A longer run would not end its block here: what it goes on from is the block's begin.
      if (n < s_.reinvert_interval) save();
      for (int64_t i = 0; i < n; ++i) step();
      done += n;
      context_.progress.advance(done, note());
      if (n == s_.reinvert_interval) look_around(done, all);
    }
    context_.progress.finish();
    if (saved_.rele.empty()) save();
    write();
    walkers_.add_records(context_.kernels);
    out_.progress = std::move(p_);
    out_.sampling_s = app::wall_s() - started - out_.equilibration_s;
    return std::move(out_);
  }

private:
  std::vector<int64_t> streams(int64_t count) const {
    std::vector<int64_t> numbers;
    for (int64_t slot = 0; slot < count; ++slot)
      numbers.push_back(slot * context_.world.size() + context_.world.rank());
    return numbers;
  }

  void begin() {
    if (!s_.restart.empty()) return restart();
    const Equilibrated e = equilibrate(walkers_, share_, s_.vmc, s_.reinvert_interval, context_, stop_);
    if (e.stopped_by)
      throw app::Stopped(e.stopped_by, {}, "it was still equilibrating, so there is nothing to go on from");
    alive_ = walkers_.size();
    walkers_.resize(streams(alive_));
    p_.sweeps = e.sweeps;
    p_.vmc_acceptance = e.acceptance;
    const auto& parts = walkers_.energies();
    for (int64_t w = 0; w < alive_; ++w) energies_.push_back(parts[static_cast<size_t>(w) * part::count]);
    p_.vmc_energy =
        sum_over_walkers(context_.world, share_, energies_).front() / static_cast<double>(share_.all);
    p_.counts = counts_now();
  }

  void restart() {
    p_ = read_dmc_checkpoint(s_.restart, s_);
    const auto all = static_cast<int64_t>(p_.energies.size());
    // The walkers are where they were; on another number of processes they are spread evenly.
    if (static_cast<int>(p_.counts.size()) != context_.world.size())
      p_.counts = even_counts(all, context_.world.size());
    const auto rank = static_cast<size_t>(context_.world.rank());
    const auto first = static_cast<size_t>(std::accumulate(
        p_.counts.begin(), p_.counts.begin() + static_cast<std::ptrdiff_t>(rank), int64_t{0}));
    const auto n = static_cast<size_t>(p_.counts[rank]), each = static_cast<size_t>(3 * s_.system.netot());
    alive_ = p_.counts[rank];
    walkers_.place({p_.rele.data() + first * each, n * each}, streams(alive_));
    energies_.assign(p_.energies.begin() + static_cast<std::ptrdiff_t>(first),
                     p_.energies.begin() + static_cast<std::ptrdiff_t>(first + n));
    for (const auto& run : p_.runs) out_.restarted_at += static_cast<int64_t>(run.steps.size());
    require_same_lengths();
  }

  // Only the last time step may get longer.
  void require_same_lengths() const {
    const auto each = static_cast<size_t>(s_.dmc.equilibration + s_.dmc.steps);
    for (size_t i = 0; i < p_.runs.size(); ++i) {
      const size_t there = p_.runs[i].steps.size();
      const bool last = i + 1 == p_.runs.size();
      if (there > each || (!last && there != each))
        throw Failure(SUITE_INVALID_ARGUMENT,
                      print("%s has %zu steps of the time step %g, this input %zu (%lld of equilibration)",
                            s_.restart.c_str(), there, p_.runs[i].tau, each,
                            static_cast<long long>(s_.dmc.equilibration)));
    }
  }

  // The run that the next step belongs to.
  DmcRun& current() {
    const auto each = static_cast<size_t>(s_.dmc.equilibration + s_.dmc.steps);
    if (p_.runs.empty() || p_.runs.back().steps.size() == each) {
      DmcRun run;
      run.tau = s_.dmc.time_steps[p_.runs.size()];
      run.best = run.reference = p_.runs.empty() ? p_.vmc_energy : p_.runs.back().best;
      run.trial = p_.runs.empty() ? run.best : p_.runs.back().trial;
      p_.runs.push_back(run);
    }
    return p_.runs.back();
  }

  void step() {
    DmcRun& run = current();
    const bool counts = static_cast<int64_t>(run.steps.size()) >= s_.dmc.equilibration;
    const int64_t sweep = p_.sweeps++;
    walkers_.sweep({Move::langevin, run.tau, s_.dmc.alimit, 1, sweep});
    const auto& parts = walkers_.energies();
    const auto from = branch(run, parts, sweep);
    if (!from.empty()) walkers_.branch(from);
    context_.world.sum(sums_);
    take(run, counts);
    settle();
  }

  // Weights and their sums; who goes on, and in which slot.
  std::vector<int32_t> branch(const DmcRun& run, const std::vector<double>& parts, int64_t sweep) {
    const auto n = static_cast<size_t>(alive_);
    const double tau = run.effective_tau(),
                 limit = s_.dmc.energy_limit * std::sqrt(static_cast<double>(s_.system.netot()) / run.tau);
    std::vector<int32_t> copies(n);
    sums_.assign(row::counts + static_cast<size_t>(context_.world.size()), 0.0);
    for (size_t w = 0; w < n; ++w) {
      const double energy = parts[w * part::count];
      if (!std::isfinite(energy))
        throw Failure(SUITE_INTERNAL, print("the local energy of walker %zu is not finite in step %zu of the "
                                            "time step %g",
                                            w + 1, run.steps.size() + 1, run.tau));
      const double growth = 0.5 * (limited(run.best, energies_[w], limit) + limited(run.best, energy, limit));
      const double weight = std::exp(tau * (run.trial - run.best + growth));
      copies[w] = static_cast<int32_t>(std::min(weight + branching_uniform(w, sweep), 1e6));
      add(run, w, weight, parts);
    }
    auto from = slots_after(copies);
    alive_ = static_cast<int64_t>(from.size());
    if (alive_ > walkers_.capacity())
      throw Failure(
          SUITE_INTERNAL,
          print("the population grew to %lld walkers on one process, which has room for %lld: the "
                "time step %g is too long or the Jastrow factor too poor",
                static_cast<long long>(alive_), static_cast<long long>(walkers_.capacity()), run.tau));
    std::vector<double> kept(from.size());
    for (size_t i = 0; i < from.size(); ++i) kept[i] = parts[static_cast<size_t>(from[i] - 1) * part::count];
    energies_ = std::move(kept);
    sums_[row::counts + static_cast<size_t>(context_.world.rank())] = static_cast<double>(alive_);
    return from;
  }

  double branching_uniform(size_t w, int64_t sweep) const {
    const int64_t stream = static_cast<int64_t>(w) * context_.world.size() + context_.world.rank();
    const qmc::Words words = qmc::draw(s_.seed, stream, sweep, s_.system.netot(), 0);
    return qmc::uniform(words.w[0], words.w[1]);
  }

  void add(const DmcRun& run, size_t w, double weight, const std::vector<double>& parts) {
    const double* energy = &parts[w * part::count];
    const double off = energy[part::total] - run.reference;
    sums_[row::weight] += weight;
    sums_[row::square] += weight * off * off;
    for (size_t i = 0; i < part::count; ++i) sums_[row::parts + i] += weight * energy[i];
    sums_[row::accepted] += walkers_.accepted()[w];
    sums_[row::diffused] += walkers_.diffusion()[2 * w];
    sums_[row::proposed] += walkers_.diffusion()[2 * w + 1];
    sums_[row::walkers] += 1;
  }

  // The sums of all processes into the run; the next trial energy.
  void take(DmcRun& run, bool counts) {
    p_.counts.clear();
    for (int p = 0; p < context_.world.size(); ++p)
      p_.counts.push_back(static_cast<int64_t>(sums_[row::counts + static_cast<size_t>(p)]));
    const auto population = std::accumulate(p_.counts.begin(), p_.counts.end(), int64_t{0});
    if (population == 0)
      throw Failure(SUITE_INTERNAL, print("the population died out in step %zu of the time step %g",
                                          run.steps.size() + 1, run.tau));
    const double weight = sums_[row::weight], energy = sums_[row::parts + part::total] / weight;
    run.steps.push_back({energy, weight, static_cast<double>(population), run.best, run.trial});
    run.diffused += sums_[row::diffused];
    run.proposed += sums_[row::proposed];
    if (counts) {
      for (size_t i = 0; i < part::count; ++i) run.part[i].add(sums_[row::parts + i] / weight, weight);
      run.weight += weight;
      run.square += sums_[row::square];
      run.accepted += sums_[row::accepted];
      run.moves += sums_[row::walkers] * static_cast<double>(s_.system.netot());
    }
    const auto done = static_cast<double>(run.steps.size()),
               first = forgotten * static_cast<double>(s_.dmc.equilibration);
    const double memory = done < first ? short_memory : 1;
    run.best_energy = memory * run.best_energy + weight * energy;
    run.best_weight = memory * run.best_weight + weight;
    run.best = run.best_energy / run.best_weight;
    if (done <= first && done + 1 > first) run.best_energy = run.best_weight = 0;
    run.trial = run.best - std::log(static_cast<double>(population) / static_cast<double>(s_.dmc.target)) /
                               (s_.dmc.feedback * run.effective_tau());
  }

  // Walkers to the processes that have too few.
  void settle() {
    if (!unbalanced(p_.counts)) {
      walkers_.resize(streams(alive_));
      return;
    }
    const Balance balance = balance_of(p_.counts);
    const auto rank = static_cast<size_t>(context_.world.rank());
    const auto each = static_cast<size_t>(3 * s_.system.netot());
    std::vector<double> positions;
    if (alive_ > 0) {
      walkers_.resize(streams(alive_));
      positions = walkers_.positions();
    }
    const auto before = [&](const std::vector<int64_t>& list) {
      return static_cast<size_t>(
          std::accumulate(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(rank), int64_t{0}));
    };
    std::vector<double> moved((each + 1) * static_cast<size_t>(balance.moved), 0.0);
    const auto given = static_cast<size_t>(balance.given[rank]),
               taken = static_cast<size_t>(balance.taken[rank]);
    for (size_t i = 0; i < given; ++i) {
      const size_t w = energies_.size() - given + i;
      double* parcel = &moved[(before(balance.given) + i) * (each + 1)];
      std::copy_n(positions.begin() + static_cast<std::ptrdiff_t>(w * each), each, parcel);
      parcel[each] = energies_[w];
    }
    context_.world.sum(moved);
    energies_.resize(energies_.size() - given);
    for (size_t i = 0; i < taken; ++i) {
      const double* parcel = &moved[(before(balance.taken) + i) * (each + 1)];
      positions.insert(positions.end(), parcel, parcel + each);
      energies_.push_back(parcel[each]);
    }
    alive_ = static_cast<int64_t>(energies_.size());
    if (taken > 0)
      walkers_.place(positions, streams(alive_));
    else
      walkers_.resize(streams(alive_));
    p_.counts = counts_now();
  }

  std::vector<int64_t> counts_now() const {
    std::vector<double> numbers(static_cast<size_t>(context_.world.size()), 0.0);
    numbers[static_cast<size_t>(context_.world.rank())] = static_cast<double>(alive_);
    context_.world.sum(numbers);
    return {numbers.begin(), numbers.end()};
  }

  // Between whole blocks: fresh matrices, a signal, a checkpoint.
  void look_around(int64_t done, int64_t all) {
    double deviation = walkers_.reinvert();
    std::vector<double> deviations(static_cast<size_t>(context_.world.size()), 0.0);
    deviations[static_cast<size_t>(context_.world.rank())] = deviation;
    context_.world.sum(deviations);
    p_.deviation = std::max(p_.deviation, *std::max_element(deviations.begin(), deviations.end()));
    out_.stopped_by = app::agreed_signal(context_.world, stop_);
    saved_ = {};
    if (s_.checkpoint_interval <= 0 || done - last_checkpoint_ < s_.checkpoint_interval || done >= all)
      return;
    save();
    write();
    last_checkpoint_ = done;
  }

  void save() {
    const auto rank = static_cast<std::ptrdiff_t>(context_.world.rank());
    const auto before = [&](auto end) { return std::accumulate(p_.counts.begin(), end, int64_t{0}); };
    const int64_t first = before(p_.counts.begin() + rank), all = before(p_.counts.end());
    const int64_t each = 3 * s_.system.netot();
    const auto mine = walkers_.positions();
    p_.rele.assign(static_cast<size_t>(each * all), 0.0);
    p_.energies.assign(static_cast<size_t>(all), 0.0);
    std::copy(mine.begin(), mine.end(), p_.rele.begin() + first * each);
    std::copy(energies_.begin(), energies_.end(), p_.energies.begin() + first);
    context_.world.sum(p_.rele);
    context_.world.sum(p_.energies);
    saved_ = p_;
  }
  void write() {
    if (context_.world.root()) save_checkpoint(context_.folder / checkpoint_name, s_, saved_);
  }

  std::string note() const {
    const Reblocked e = p_.runs.back().part[part::total].estimate();
    return e.samples ? "E = " + with_error(e.mean, e.error) + " Ha" : "";
  }

  const Settings& s_;
  app::Context& context_;
  const app::StopRequest stop_;
  Share share_;
  Walkers walkers_;
  int64_t alive_ = 0, last_checkpoint_ = 0;
  std::vector<double> energies_;  // E_L of this process's walkers
  std::vector<double> sums_;
  DmcProgress p_, saved_;
  DmcResult out_;
};

}  // namespace

DmcResult diffuse(const Settings& settings, app::Context& context) {
  return Diffusion(settings, context).run();
}

Outcome run_dmc(const Settings& settings, app::Context& context) {
  const DmcResult result = diffuse(settings, context);
  return {results(settings, result), table(settings, result), files(settings, result), result.stopped_by};
}

}  // namespace suite::vmc
