// SPDX-License-Identifier: BSD-3-Clause
// method: optimise. Each cycle samples configurations of the current wave function and finds a better one from them.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "measure/fields_json.hpp"
#include "measure/plot.hpp"
#include "checks.hpp"
#include "derivatives.hpp"
#include "jastrow_files.hpp"
#include "molecule/molecule.hpp"
#include "results.hpp"
#include "run.hpp"
#include "statistics.hpp"

namespace suite::vmc {
namespace {

constexpr double forget = 0.25;  // fraction of the equilibration: sweeps after a change of the wave function

class Optimisation {
public:
  Optimisation(const Settings& settings, app::Context& context)
      : settings_(settings),
        context_(context),
        share_(settings.vmc.walkers, context.world),
        walkers_(make_walkers(settings.system, settings.jastrow, implementation_of(context), settings.seed, share_.own)),
        free_(free_of_first_cycle(settings)),
        derivatives_(derivatives_of(settings.jastrow)),
        each_((settings.optimise.configurations + settings.vmc.walkers - 1) / settings.vmc.walkers) {
    if (settings.system.molecule && !settings.system.molecule->potential.empty())
      context.outcome.warnings.push_back(
          "the non-local energy of the pseudopotentials is kept as it is within a cycle; the next cycle measures it again");
  }

  MethodOutput run() {
    const auto start = equilibrate(*walkers_, share_, settings_.vmc, settings_.reinvert_interval, context_, stop_);
    tau_ = start.tau;
    sweeps_ = start.sweeps;
    MethodOutput out;
    out.stopped_by = start.stopped_by;
    context_.progress.start("configurations", (settings_.optimise.cycles + 1) * each_);
    Jastrow jastrow = settings_.jastrow;
    for (int i = 0; i <= settings_.optimise.cycles && !out.stopped_by; ++i) {
      LocalEnergies energies(derivatives_->parameters());
      Cycle cycle = sample(jastrow, energies);
      out.stopped_by = stopped_by_;
      if (out.stopped_by) break;
      if (i < settings_.optimise.cycles) jastrow = improve(cycle, energies);
      cycles_.push_back(cycle);
      if (i < settings_.optimise.cycles) change_to(jastrow);
    }
    context_.progress.finish();
    walkers_->add_records(context_.kernels);
    derivatives_->add_records(records_);
    context_.kernels.insert(context_.kernels.end(), records_.begin(), records_.end());
    report(out);
    return out;
  }

private:
  // To first order a cutoff is worth what the coefficients of its term are, which may be far from their best: they come first.
  static Free free_of_first_cycle(const Settings& settings) {
    const Free& all = settings.optimise.free;
    const bool alone = settings.optimise.cycles == 1 || parameters(settings.jastrow, all.without_cutoffs()).empty();
    return alone ? all : all.without_cutoffs();
  }

  std::unique_ptr<Derivatives> derivatives_of(const Jastrow& jastrow) const {
    return std::make_unique<Derivatives>(settings_.system, jastrow, free_, implementation_of(context_), walkers_->device());
  }

  void sweep(int64_t n) {
    walkers_->sweep({settings_.vmc.move, tau_, 0.5, n, sweeps_});
    sweeps_ += n;
    since_inversion_ += n;
    if (since_inversion_ >= settings_.reinvert_interval) {
      walkers_->reinvert();
      since_inversion_ = 0;
    }
  }

  Cycle sample(const Jastrow& jastrow, LocalEnergies& energies) {
    Cycle cycle;
    cycle.jastrow = jastrow;
    for (int64_t k = 0; k < each_ && !stopped_by_; ++k) {
      sweep(settings_.vmc.decorrelation);
      cycle.acceptance += acceptance_of(*walkers_, settings_.vmc.decorrelation, share_, context_.world) / static_cast<double>(each_);
      derivatives_->collect(*walkers_, energies);
      context_.progress.advance(static_cast<int64_t>(cycles_.size()) * each_ + k + 1);
      stopped_by_ = app::agreed_signal(context_.world, stop_);
    }
    if (!stopped_by_) {
      cycle.energy = estimate(energies, [](double energy) { return energy; });
      cycle.variance_error = estimate(energies, [&](double energy) { return std::pow(energy - cycle.energy.mean, 2); }).error;
    }
    return cycle;
  }

  // Walker w of this process has configurations w, w + own, w + 2 own ...
  template <class F> Reblocked estimate(const LocalEnergies& energies, F&& of) const {
    const auto own = static_cast<size_t>(share_.own), each = static_cast<size_t>(each_);
    std::vector<double> mine(own * each);
    for (size_t i = 0; i < mine.size(); ++i) mine[i % own * each + i / own] = energies.energy(i);
    const auto all = gather(context_.world, share_, mine);
    Reblocking merged;
    for (size_t w = 0; w < static_cast<size_t>(share_.all); ++w) {
      Reblocking one;
      for (size_t k = 0; k < each; ++k) one.add(of(all[w * each + k]));
      merged.merge(one);
    }
    return merged.estimate();
  }

  Jastrow improve(Cycle& cycle, const LocalEnergies& energies) const {
    // Summed walker by walker, so that any number of processes finds the same wave function.
    const SumOver sum = [&](size_t row, const std::function<void(size_t, std::span<double>)>& term) {
      const auto own = static_cast<size_t>(share_.own);
      std::vector<double> rows(row * own, 0.0);
      for (size_t i = 0; i < energies.count(); ++i) term(i, {rows.data() + i % own * row, row});
      return sum_over_walkers(context_.world, share_, rows);
    };
    const std::string& target = settings_.optimise.target;
    const Step step = target == "energy" ? minimise_energy(energies, sum)
                      : target == "mad"  ? minimise_mad(energies, sum)
                                         : minimise_variance(energies, sum);
    cycle.before = step.before;
    cycle.after = step.after;
    cycle.iterations = step.iterations;
    Jastrow better = cycle.jastrow;
    change_parameters(settings_.system, better, {step.change.begin(), step.change.end()}, free_);
    return better;
  }

  void change_to(const Jastrow& jastrow) {
    walkers_->set_jastrow(jastrow);
    free_ = settings_.optimise.free;
    if (settings_.optimise.free.cutoffs) {  // on which the derivatives by the coefficients depend
      derivatives_->add_records(records_);
      derivatives_ = derivatives_of(jastrow);
    }
    const auto sweeps = static_cast<int64_t>(forget * static_cast<double>(settings_.vmc.equilibration));
    for (int64_t done = 0; done < sweeps; done += 10) sweep(std::min<int64_t>(10, sweeps - done));
  }

  // The best measured cycle; the comparison adds the error to the energy.
  const Cycle& best() const {
    const bool energy = settings_.optimise.target == "energy";
    const auto worth = [&](const Cycle& c) { return energy ? c.energy.mean + c.energy.error : c.variance(); };
    return *std::min_element(cycles_.begin(), cycles_.end(), [&](const Cycle& a, const Cycle& b) { return worth(a) < worth(b); });
  }

  static CycleResult result_of(const Cycle& c, bool last) {
    CycleResult out{c.energy.mean, c.energy.error, c.variance(), c.acceptance, {}};
    if (!last) out.step = NextStep{c.before, c.after, c.iterations};
    return out;
  }

  app::TextFile figure() const {
    plot::Series variance{"variance", {}, {}, plot::Marker::filled_circle, plot::Line::solid}, energy = variance;
    energy.name = "energy ± standard error";
    for (size_t i = 0; i < cycles_.size(); ++i) {
      const auto x = static_cast<double>(i);
      variance.x.push_back(x), energy.x.push_back(x);
      variance.y.push_back(cycles_[i].variance());
      const auto& [mean, error] = std::pair(cycles_[i].energy.mean, cycles_[i].energy.error);
      energy.y.push_back(mean), energy.low.push_back(mean - error), energy.high.push_back(mean + error);
    }
    plot::Panel variances{"variance of the local energy", "cycle", "σ² (Ha²)", {variance}, {}, {}};
    variances.log_y = plot::spans_decades(variance.y);
    return {"optimisation.svg",
            plot::svg("optimisation by " + settings_.optimise.target, {variances, {"energy", "cycle", "E (Ha)", {energy}, {}, {}}})};
  }

  void report(MethodOutput& out) const {
    OptimiseResults results;
    out.table = fmt::format("\n{:>5}  {:<22} {:<12} {:<10} {}\n", "cycle", "energy (Ha)", "variance", "accepted",
                            (settings_.optimise.target + " predicted for the next"));
    for (size_t i = 0; i < cycles_.size(); ++i) {
      const Cycle& c = cycles_[i];
      const bool last = static_cast<int>(i) == settings_.optimise.cycles;
      out.table +=
          fmt::format("{:5}  {:<22} {:<12.5g} {:<10.3f} ", i, with_error(c.energy.mean, c.energy.error), c.variance(), c.acceptance) +
          (last ? std::string("\n") : fmt::format("{:.6g} (now {:.6g})\n", c.after, c.before));
      results.cycles.push_back(result_of(c, last));
    }
    if (cycles_.empty()) throw app::Stopped(out.stopped_by, {}, "no cycle was finished; there is nothing to restart from");
    const Cycle& chosen = best();
    judge(settings_, cycles_, static_cast<size_t>(&chosen - cycles_.data()), context_.outcome);
    const auto n = static_cast<double>(settings_.system.netot());
    results.mean = chosen.energy.mean;
    results.error = chosen.energy.error;
    results.of_electron = chosen.energy.mean / n;
    results.variance = chosen.variance();
    results.variance_error = chosen.variance_error;
    results.acceptance = chosen.acceptance;
    results.best_cycle = &chosen - cycles_.data();
    Free all;
    all.cutoffs = settings_.optimise.free.cutoffs;
    const auto names = parameter_names(chosen.jastrow, all);
    const auto values = parameters(chosen.jastrow, all);
    for (size_t k = 0; k < names.size(); ++k) results.parameters.push_back({names[k], values[k]});
    out.results = app::json_of(results);
    out.files = jastrow_files(settings_.system, chosen.jastrow, settings_.optimise.free,
                              fmt::format("optimised: E = {:.6f} Ha, variance {:.6f} Ha^2", chosen.energy.mean, chosen.variance()));
    out.files.push_back(figure());
    // A B-spline is written to jastrow.yaml only, which replaces the section of the input.
    out.continue_key = "jastrow.file", out.continue_file = "correlation.data";
    out.table += fmt::format("best: cycle {}\n", &chosen - cycles_.data());
  }

  const Settings& settings_;
  app::Context& context_;
  const app::StopRequest stop_;
  Share share_;
  std::unique_ptr<Walkers> walkers_;
  Free free_;  // of this cycle
  std::unique_ptr<Derivatives> derivatives_;
  std::vector<app::Row> records_;  // of all of them
  int64_t each_;  // configurations per walker and cycle
  double tau_ = 0;
  int64_t sweeps_ = 0, since_inversion_ = 0;
  int stopped_by_ = 0;
  std::vector<Cycle> cycles_;
};

}  // namespace

MethodOutput run_optimise(const Settings& settings, app::Context& context) {
  if (parameters(settings.jastrow, settings.optimise.free).empty())
    throw Failure(SUITE_INVALID_ARGUMENT, "there is no parameter of the Jastrow factor to optimise");
  return Optimisation(settings, context).run();
}

}  // namespace suite::vmc
