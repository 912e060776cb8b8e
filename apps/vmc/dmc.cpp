// SPDX-License-Identifier: BSD-3-Clause
#include "dmc.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include <suite/qmc/philox.hpp>
#include "common/machine.hpp"
#include "checks.hpp"
#include "population.hpp"

namespace suite::vmc {
namespace {

constexpr double forgotten = 1.0 / 3;  // initial fraction of the equilibration excluded from the running energy estimate
constexpr double short_memory = 0.9;   // memory of that estimate until then

// The step of one walker.
namespace row {
constexpr size_t parts = 0, accepted = part::count, diffused = accepted + 1, proposed = diffused + 1, count = proposed + 1;
}

class Diffusion {
public:
  Diffusion(const Settings& settings, app::Context& context)
      : s_(settings),
        context_(context),
        share_(settings.dmc.target, context.world),
        walkers_(make_walkers(settings.system, settings.jastrow, implementation_of(context), settings.seed, 2 * share_.own + 16)) {}

  DmcResult run() {
    const double started = app::wall_s();
    begin();
    out_.equilibration_s = app::wall_s() - started;
    const int64_t each = s_.dmc.equilibration + s_.dmc.steps, all = each * static_cast<int64_t>(s_.dmc.time_steps.size());
    context_.progress.start("steps", all, out_.restarted_at);
    for (int64_t done = out_.restarted_at; done < all && !out_.stopped_by;) {
      const int64_t n = std::min(s_.reinvert_interval, all - done);
      // A longer run would not end its block here: a continued run starts from the beginning of the block.
      if (n < s_.reinvert_interval) save();
      for (int64_t i = 0; i < n; ++i) step();
      done += n;
      context_.progress.advance(done, note());
      if (n == s_.reinvert_interval) after_blocks(done, all);
    }
    context_.progress.finish();
    if (saved_.rele.empty()) save();
    write();
    if (context_.world.root() && walkers_->size() > 0)
      out_.coulomb = coulomb_sample(s_.system, walkers_->positions(), walkers_->energies());
    walkers_->add_records(context_.kernels);
    out_.progress = std::move(p_);
    out_.sampling_s = app::wall_s() - started - out_.equilibration_s;
    return std::move(out_);
  }

private:
  void begin() {
    if (!s_.restart.empty()) return restart();
    const Equilibrated e = equilibrate(*walkers_, share_, s_.vmc, s_.reinvert_interval, context_, stop_);
    refuse_to_stop(e.stopped_by, "equilibrating");
    p_.sweeps = e.sweeps;
    p_.trial.tau = e.tau;
    sample_trial_function();
    balance_load(share_.all);
    std::vector<double> own;
    const auto& parts = walkers_->energies();
    for (int64_t w = 0; w < share_.own; ++w) own.push_back(parts[static_cast<size_t>(w) * part::count]);
    energies_ = gather(context_.world, share_, own);
  }

  static void refuse_to_stop(int signal, const char* doing) {
    if (signal) throw app::Stopped(signal, {}, fmt::format("it was still {}; there is nothing to restart from", doing));
  }

  // VMC, whose mean energy is the reference for DMC; a single snapshot of the population would have an error as large as the gain of DMC.
  void sample_trial_function() {
    EnergySeries series(share_, mean_energy(context_.world, share_, walkers_->energies()));
    double accepted = 0;
    int64_t since_inversion = 0;
    context_.progress.start("VMC energies", s_.vmc.steps);
    for (int64_t i = 0; i < s_.vmc.steps; ++i) {
      walkers_->sweep({s_.vmc.move, p_.trial.tau, s_.dmc.alimit, s_.vmc.decorrelation, p_.sweeps});
      p_.sweeps += s_.vmc.decorrelation;
      accepted += acceptance_of(*walkers_, s_.vmc.decorrelation, share_, context_.world);
      series.add(walkers_->energies(), i + 1);
      since_inversion += s_.vmc.decorrelation;
      if (since_inversion >= s_.reinvert_interval) walkers_->reinvert(), since_inversion = 0;
      context_.progress.advance(i + 1);
      refuse_to_stop(app::agreed_signal(context_.world, stop_), "sampling the trial function");
    }
    context_.progress.finish();
    walkers_->reinvert();
    const Energies found = EnergySeries::estimate(series.states(context_.world), share_.all);
    p_.trial.energy = found.part[part::total];
    p_.trial.variance_error = found.variance_error;
    p_.trial.acceptance = accepted / static_cast<double>(s_.vmc.steps);
  }

  // Assigns slots 0 to n-1 to the processes consecutively, as in Share.
  void balance_load(int64_t n) {
    const int processes = context_.world.size();
    home_.clear();
    mine_.clear();
    for (int32_t p = 0; p < processes; ++p) home_.resize(static_cast<size_t>(n * (p + 1) / processes), p);
    for (size_t s = 0; s < home_.size(); ++s)
      if (home_[s] == context_.world.rank()) mine_.push_back(static_cast<int64_t>(s));
  }

  void restart() {
    p_ = read_dmc_checkpoint(s_.restart, s_);
    energies_ = p_.energies;
    balance_load(std::ssize(energies_));
    const auto each = static_cast<size_t>(3 * s_.system.netot());
    const size_t first = mine_.empty() ? 0 : static_cast<size_t>(mine_.front()) * each;
    walkers_->place({p_.rele.data() + first, mine_.size() * each}, mine_);
    for (const auto& run : p_.runs) out_.restarted_at += static_cast<int64_t>(run.steps.size());
    require_same_lengths();
  }

  // Only the run at the last time step may be extended.
  void require_same_lengths() const {
    const auto each = static_cast<size_t>(s_.dmc.equilibration + s_.dmc.steps);
    for (size_t i = 0; i < p_.runs.size(); ++i) {
      const size_t there = p_.runs[i].steps.size();
      const bool last = i + 1 == p_.runs.size();
      if (there > each || (!last && there != each))
        throw Failure(SUITE_INVALID_ARGUMENT,
                      fmt::format("{} has {} steps of the time step {:g}, but this input has {} ({} of equilibration)", s_.restart.string(),
                                  there, p_.runs[i].tau, each, s_.dmc.equilibration));
    }
  }

  // The run that the next step belongs to.
  DmcRun& current() {
    const auto each = static_cast<size_t>(s_.dmc.equilibration + s_.dmc.steps);
    if (p_.runs.empty() || p_.runs.back().steps.size() == each) {
      DmcRun run;
      run.tau = s_.dmc.time_steps[p_.runs.size()];
      run.best = run.reference = p_.runs.empty() ? p_.trial.energy.mean : p_.runs.back().best;
      run.trial = p_.runs.empty() ? run.best : p_.runs.back().trial;
      p_.runs.push_back(run);
    }
    return p_.runs.back();
  }

  void step() {
    DmcRun& run = current();
    const bool counts = static_cast<int64_t>(run.steps.size()) >= s_.dmc.equilibration;
    const int64_t sweep = p_.sweeps++;
    walkers_->sweep({Move::langevin, run.tau, s_.dmc.alimit, 1, sweep, s_.dmc.t_moves});
    const auto from = branch(run, steps_of_all(), sweep, counts);
    const Branching branching = branching_of(mine_, from);
    if (std::ssize(branching.from) > walkers_->capacity())
      throw Failure(SUITE_INTERNAL, fmt::format("the population grew to {} walkers on one process, beyond its capacity of {}: the time "
                                                "step {:g} is too long or the Jastrow factor too poor",
                                                branching.from.size(), walkers_->capacity(), run.tau));
    if (!branching.from.empty()) walkers_->branch(branching.from);
    settle(branching.slots, from);
  }

  // table(row::count,slots) of the population, on every process.
  std::vector<double> steps_of_all() {
    const auto& parts = walkers_->energies();
    std::vector<double> table(row::count * home_.size(), 0.0);
    for (size_t w = 0; w < mine_.size(); ++w) {
      double* const of = &table[row::count * static_cast<size_t>(mine_[w])];
      std::copy_n(&parts[w * part::count], part::count, of + row::parts);
      of[row::accepted] = walkers_->accepted()[w];
      of[row::diffused] = walkers_->diffusion()[2 * w];
      of[row::proposed] = walkers_->diffusion()[2 * w + 1];
    }
    context_.world.sum(table);
    return table;
  }

  // Computes weights and their sums in the order of the slots; returns the slot from which each walker of the next population is copied.
  std::vector<int32_t> branch(DmcRun& run, const std::vector<double>& table, int64_t sweep, bool counts) {
    const size_t n = home_.size();
    const double tau = run.effective_tau(), limit = s_.dmc.energy_limit * std::sqrt(static_cast<double>(s_.system.netot()) / run.tau);
    std::vector<int32_t> copies(n);
    Sums sums;
    for (size_t w = 0; w < n; ++w) {
      const double* const of = &table[row::count * w];
      const double energy = of[row::parts + part::total];
      if (!std::isfinite(energy))
        throw Failure(SUITE_INTERNAL, fmt::format("the local energy of walker {} is not finite in step {} of the time step {:g}", w + 1,
                                                  run.steps.size() + 1, run.tau));
      const double growth = 0.5 * (limited(run.best, energies_[w], limit) + limited(run.best, energy, limit));
      const double weight = std::exp(tau * (run.trial - run.best + growth));
      copies[w] = static_cast<int32_t>(std::min(weight + branching_uniform(w, sweep), 1e6));
      sums.add(of, weight, run.reference);
    }
    auto from = slots_after(copies);
    energies_.resize(from.size());
    for (size_t s = 0; s < from.size(); ++s) energies_[s] = table[row::count * static_cast<size_t>(from[s] - 1) + row::parts + part::total];
    take(run, sums, from.size(), counts);
    return from;
  }

  double branching_uniform(size_t slot, int64_t sweep) const {
    const qmc::Words words = qmc::draw(s_.seed, static_cast<int64_t>(slot), sweep, s_.system.netot(), 0);
    return qmc::uniform(words.w[0], words.w[1]);
  }

  // Sums over the walkers of one step.
  struct Sums {
    double weight = 0, square = 0, accepted = 0, diffused = 0, proposed = 0, walkers = 0;
    std::array<double, part::count> parts{};
    void add(const double* of, double w, double reference) {
      const double off = of[row::parts + part::total] - reference;
      weight += w;
      square += w * off * off;
      for (size_t i = 0; i < part::count; ++i) parts[i] += w * of[row::parts + i];
      accepted += of[row::accepted];
      diffused += of[row::diffused];
      proposed += of[row::proposed];
      walkers += 1;
    }
  };

  // Adds a step's sums to the run and sets the next trial energy.
  void take(DmcRun& run, const Sums& sums, size_t population, bool counts) {
    if (population == 0)
      throw Failure(SUITE_INTERNAL, fmt::format("the population died out in step {} of the time step {:g}", run.steps.size() + 1, run.tau));
    const double energy = sums.parts[part::total] / sums.weight;
    run.steps.push_back({energy, sums.weight, static_cast<double>(population), run.best, run.trial});
    run.diffused += sums.diffused;
    run.proposed += sums.proposed;
    if (counts) {
      for (size_t i = 0; i < part::count; ++i) run.part[i].add(sums.parts[i] / sums.weight, sums.weight);
      run.squares.add(sums.square / sums.weight, sums.weight);
      run.weight += sums.weight;
      run.square += sums.square;
      run.accepted += sums.accepted;
      run.moves += sums.walkers * static_cast<double>(s_.system.netot());
    }
    const auto done = static_cast<double>(run.steps.size()), first = forgotten * static_cast<double>(s_.dmc.equilibration);
    const double memory = done < first ? short_memory : 1;
    run.best_energy = memory * run.best_energy + sums.weight * energy;
    run.best_weight = memory * run.best_weight + sums.weight;
    run.best = run.best_energy / run.best_weight;
    if (done <= first && done + 1 > first) run.best_energy = run.best_weight = 0;
    run.trial =
        run.best - std::log(static_cast<double>(population) / static_cast<double>(s_.dmc.target)) / (s_.dmc.feedback * run.effective_tau());
  }

  // The next population: slots of this process's walkers, and for all slots the one they are copied from. Walkers move to processes that
  // have too few, together with their matrices, so the results are bitwise unaffected.
  void settle(std::vector<int64_t> slots, const std::vector<int32_t>& from) {
    std::vector<int32_t> home(from.size());
    for (size_t s = 0; s < from.size(); ++s) home[s] = home_[static_cast<size_t>(from[s] - 1)];
    home_ = std::move(home);
    mine_ = std::move(slots);
    const auto moves = moves_to_balance(home_, context_.world.size());
    if (!moves.empty()) return relocate(moves);
    walkers_->resize(mine_);
  }

  void relocate(const std::vector<Relocation>& moves) {
    const size_t each = walkers_->whole_size();
    std::vector<double> whole, moved(each * moves.size(), 0.0);
    if (!mine_.empty()) {
      walkers_->resize(mine_);
      whole = walkers_->whole();
    }
    const int rank = context_.world.rank();
    for (size_t i = 0; i < moves.size(); ++i) {
      home_[static_cast<size_t>(moves[i].slot)] = moves[i].to;
      if (moves[i].from != rank) continue;
      const auto at = std::find(mine_.begin(), mine_.end(), moves[i].slot);
      const auto w = at - mine_.begin(), numbers = w * static_cast<std::ptrdiff_t>(each);
      std::copy_n(whole.begin() + numbers, each, &moved[i * each]);
      whole.erase(whole.begin() + numbers, whole.begin() + numbers + static_cast<std::ptrdiff_t>(each));
      mine_.erase(at);
    }
    context_.world.sum(moved);  // exact: one process holds the number, the others 0
    bool changed = false;
    for (size_t i = 0; i < moves.size(); ++i) {
      changed = changed || moves[i].from == rank || moves[i].to == rank;
      if (moves[i].to != rank) continue;
      whole.insert(whole.end(), &moved[i * each], &moved[i * each] + each);
      mine_.push_back(moves[i].slot);
    }
    if (changed) walkers_->place_whole(whole, mine_);
  }

  // Between whole blocks: inverts the matrices again, checks for a signal, writes a checkpoint.
  void after_blocks(int64_t done, int64_t all) {
    double deviation = walkers_->reinvert();
    std::vector<double> deviations(static_cast<size_t>(context_.world.size()), 0.0);
    deviations[static_cast<size_t>(context_.world.rank())] = deviation;
    context_.world.sum(deviations);
    p_.deviation = std::max(p_.deviation, *std::max_element(deviations.begin(), deviations.end()));
    out_.stopped_by = app::agreed_signal(context_.world, stop_);
    saved_ = {};
    if (s_.checkpoint_interval <= 0 || done - last_checkpoint_ < s_.checkpoint_interval || done >= all) return;
    save();
    write();
    last_checkpoint_ = done;
  }

  void save() {
    const auto each = static_cast<size_t>(3 * s_.system.netot());
    const auto positions = walkers_->positions();
    p_.rele.assign(each * home_.size(), 0.0);
    for (size_t w = 0; w < mine_.size(); ++w) std::copy_n(&positions[w * each], each, &p_.rele[static_cast<size_t>(mine_[w]) * each]);
    context_.world.sum(p_.rele);
    p_.energies = energies_;
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
  std::unique_ptr<Walkers> walkers_;
  int64_t last_checkpoint_ = 0;
  std::vector<int32_t> home_;  // process of each slot of the population
  std::vector<int64_t> mine_;  // slots of this process's walkers, which are their random number streams
  std::vector<double> energies_;  // E_L of each slot
  DmcProgress p_, saved_;
  DmcResult out_;
};

}  // namespace

DmcResult diffuse(const Settings& settings, app::Context& context) { return Diffusion(settings, context).run(); }

MethodOutput run_dmc(const Settings& settings, app::Context& context) {
  const DmcResult result = diffuse(settings, context);
  judge(settings, result, context.outcome);
  return {results(settings, result), table(settings, result), files(settings, result), result.stopped_by};
}

}  // namespace suite::vmc
