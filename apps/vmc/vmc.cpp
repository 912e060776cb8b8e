// SPDX-License-Identifier: BSD-3-Clause
#include "vmc.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/checkpoint/checkpoint.hpp"
#include "base/stop.hpp"
#include "common/machine.hpp"
#include "checks.hpp"

namespace suite::vmc {
namespace {

constexpr int vmc_version = 4;  // of checkpoints

double largest_of_all(const app::Communicator& world, double value) {
  std::vector<double> all(static_cast<size_t>(world.size()), 0.0);
  all[static_cast<size_t>(world.rank())] = value;
  world.sum(all);
  return *std::max_element(all.begin(), all.end());
}

class Walk {
public:
  Walk(const Settings& settings, app::Context& context)
      : s_(settings),
        context_(context),
        file_(context.folder / checkpoint_name),
        share_(settings.vmc.walkers, context.world),
        walkers_(make_walkers(settings.system, settings.jastrow, implementation_of(context), settings.seed, share_.own)),
        observables_(settings, implementation_of(context), share_, context.world, walkers_->device()),
        series_(share_, 0),
        block_(std::max<int64_t>(1, settings.reinvert_interval / settings.vmc.decorrelation)) {}

  VmcResult run() {
    const double started = app::wall_s();
    begin();
    out_.equilibration_s = app::wall_s() - started;
    context_.progress.start("energies", s_.vmc.steps, p_.steps);
    while (p_.steps < s_.vmc.steps && !out_.stopped_by) {
      const int64_t n = std::min(block_, s_.vmc.steps - p_.steps);
      // A longer run would not end its block here: a continued run starts from the beginning of the block.
      if (n < block_) save();
      for (int64_t i = 0; i < n; ++i) step();
      close_block(n);
      if (n == block_) after_blocks();
    }
    context_.progress.finish();
    finish();
    out_.sampling_s = app::wall_s() - started - out_.equilibration_s;
    return std::move(out_);
  }

private:
  void begin() {
    if (!s_.restart.empty()) return restart();
    const Equilibrated e = equilibrate(*walkers_, share_, s_.vmc, s_.reinvert_interval, context_, stop_);
    if (e.stopped_by) throw app::Stopped(e.stopped_by, {}, "it was still equilibrating; there is nothing to restart from");
    p_.tau = e.tau;
    p_.first_acceptance = e.acceptance;
    p_.sweeps = e.sweeps;
    p_.reference = mean_energy(context_.world, share_, walkers_->energies());
    series_ = EnergySeries(share_, p_.reference);
  }

  void restart() {
    p_ = read_checkpoint(s_.restart, s_);
    if (p_.steps > s_.vmc.steps)
      throw Failure(SUITE_INVALID_ARGUMENT,
                    fmt::format("{} is at step {}, beyond the {} steps of this input", s_.restart.string(), p_.steps, s_.vmc.steps));
    out_.restarted_at = p_.steps;
    const auto each = static_cast<size_t>(3 * s_.system.netot());
    walkers_->place({p_.rele.data() + each * static_cast<size_t>(share_.begin), each * static_cast<size_t>(share_.own)}, share_.streams());
    observables_.restore(p_.observables);
    series_ = EnergySeries(share_, p_.reference);
    if (p_.steps > 0) series_.restore(p_.energies);
  }

  void step() {
    walkers_->sweep({s_.vmc.move, p_.tau, 0.5, s_.vmc.decorrelation, p_.sweeps});
    p_.sweeps += s_.vmc.decorrelation;
    for (const int32_t count : walkers_->accepted()) accepted_ += count;
    const auto& energies = walkers_->energies();
    series_.add(energies, p_.steps + 1);
    for (size_t w = 0; w < block_sums_.size(); ++w) block_sums_[w] += energies[part::count * w];
    ++p_.steps;
    if (observables_.any() && p_.steps % s_.interval == 0) observables_.sample(*walkers_);
  }

  void close_block(int64_t steps) {
    p_.deviation = std::max(p_.deviation, largest_of_all(context_.world, walkers_->reinvert()));
    observables_.close_block();
    context_.world.sum({&accepted_, 1});  // whole numbers: exact in any order
    p_.accepted += accepted_;
    accepted_ = 0;
    p_.energies = series_.states(context_.world);
    const double sum = sum_over_walkers(context_.world, share_, block_sums_).front();
    std::fill(block_sums_.begin(), block_sums_.end(), 0.0);
    const Reblocked total = EnergySeries::estimate(p_.energies, share_.all).part[part::total];
    p_.trace.push_back({static_cast<double>(p_.steps), sum / static_cast<double>(steps * share_.all), total.mean, total.error});
    context_.progress.advance(p_.steps, "E = " + with_error(total.mean, total.error) + " Ha");
  }

  // Between whole blocks: checks for a signal and writes a checkpoint.
  void after_blocks() {
    out_.stopped_by = app::agreed_signal(context_.world, stop_);
    saved_ = {};
    const bool due = s_.checkpoint_interval > 0 && p_.steps - last_checkpoint_ >= s_.checkpoint_interval;
    if (!due || p_.steps >= s_.vmc.steps) return;
    save();
    write();
  }

  void save() {
    p_.rele = gather(context_.world, share_, walkers_->positions());
    p_.observables = observables_.state();
    if (p_.energies.empty()) p_.energies = series_.states(context_.world);
    saved_ = p_;
  }
  void write() {
    last_checkpoint_ = saved_.steps;
    if (context_.world.root()) save_checkpoint(file_, s_, saved_);
  }

  void finish() {
    if (saved_.rele.empty()) save();
    write();
    if (p_.energies.empty()) p_.energies = series_.states(context_.world);
    out_.energy = EnergySeries::estimate(p_.energies, share_.all);
    const double moves = static_cast<double>(p_.steps) * static_cast<double>(s_.vmc.decorrelation) * static_cast<double>(share_.all) *
                         static_cast<double>(s_.system.netot());
    out_.acceptance = moves > 0 ? p_.accepted / moves : p_.first_acceptance;
    out_.tau = p_.tau;
    if (context_.world.root()) out_.coulomb = coulomb_sample(s_.system, walkers_->positions(), walkers_->energies());
    out_.deviation = p_.deviation;
    out_.steps = p_.steps;
    out_.trace = p_.trace;
    out_.pair_correlation = observables_.pair_correlation();
    out_.structure_factor = observables_.structure_factor();
    out_.density = observables_.density();
    walkers_->add_records(context_.kernels);
    observables_.add_records(context_.kernels);
  }

  const Settings& s_;
  app::Context& context_;
  std::filesystem::path file_;
  app::StopRequest stop_;
  Share share_;
  std::unique_ptr<Walkers> walkers_;
  Observables observables_;
  EnergySeries series_;
  std::vector<double> block_sums_ = std::vector<double>(static_cast<size_t>(share_.own), 0.0);
  int64_t block_;  // steps between inversions
  int64_t last_checkpoint_ = 0;
  double accepted_ = 0;  // of this process in this block
  VmcProgress p_, saved_;
  VmcResult out_;
};

}  // namespace

VmcResult walk(const Settings& settings, app::Context& context) { return Walk(settings, context).run(); }

MethodOutput run_vmc(const Settings& settings, app::Context& context) {
  const VmcResult result = walk(settings, context);
  judge(settings, result, context.outcome);
  MethodOutput out{results(settings, result), table(settings, result), text_files(settings, result), result.stopped_by};
  for (auto& figure : figures(settings, result)) out.files.push_back(std::move(figure));
  return out;
}

void save_checkpoint(const std::filesystem::path& path, const Settings& settings, const VmcProgress& p) {
  hdf5::Writer file(path);
  app::begin_checkpoint(file, "vmc", vmc_version, fingerprint(settings));
  file.write("numbers", std::vector<double>{p.tau, p.first_acceptance, p.accepted, p.deviation, p.reference});
  file.write("counts", std::vector<int64_t>{p.sweeps, p.steps});
  file.write("rele", p.rele.data(), {settings.vmc.walkers, settings.system.netot(), 3});
  file.write("energies", p.energies);
  file.write("observables", p.observables);
  std::vector<double> rows;
  for (const auto& t : p.trace) rows.insert(rows.end(), {t.steps, t.block_mean, t.mean, t.error});
  file.write("trace", rows.data(), {static_cast<int64_t>(p.trace.size()), 4});
  file.commit();
}

VmcProgress read_checkpoint(const std::filesystem::path& path, const Settings& settings) {
  const hdf5::File file(path);
  app::require_checkpoint(file, "vmc", vmc_version, fingerprint(settings));
  VmcProgress p;
  const auto numbers = file.read<double>("numbers", {5});
  p.tau = numbers[0], p.first_acceptance = numbers[1], p.accepted = numbers[2], p.deviation = numbers[3];
  p.reference = numbers[4];
  const auto counts = file.read<int64_t>("counts", {2});
  p.sweeps = counts[0], p.steps = counts[1];
  p.rele = file.read<double>("rele", {settings.vmc.walkers, settings.system.netot(), 3});
  p.energies = file.read<double>("energies", {hdf5::any});
  p.observables = file.read<double>("observables", {hdf5::any});
  const auto rows = file.read<double>("trace", {hdf5::any, 4});
  for (size_t i = 0; i < rows.size(); i += 4) p.trace.push_back({rows[i], rows[i + 1], rows[i + 2], rows[i + 3]});
  if (p.energies.size() % ((part::count + 1) * static_cast<size_t>(settings.vmc.walkers)) != 0)
    file.fail("energies", "its length does not match the number of walkers");
  return p;
}

}  // namespace suite::vmc
