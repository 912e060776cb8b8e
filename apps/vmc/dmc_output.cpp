// SPDX-License-Identifier: BSD-3-Clause
// Table, results, data files and figures of a DMC run.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "measure/fields_json.hpp"
#include "measure/plot.hpp"
#include "components.hpp"
#include "dmc.hpp"
#include "molecule/molecule.hpp"

namespace suite::vmc {
namespace {

// Population during the statistics steps.
PopulationResult population(const Settings& s, const DmcRun& run) {
  PopulationResult p;
  double count = 0;
  for (size_t i = static_cast<size_t>(s.dmc.equilibration); i < run.steps.size(); ++i) {
    const double n = run.steps[i].population;
    p.smallest = count > 0 ? std::min(p.smallest, n) : n;
    p.largest = std::max(p.largest, n);
    p.mean += n;
    ++count;
  }
  if (count > 0) p.mean /= count;
  return p;
}

double share(double part, double all) { return all > 0 ? part / all : 0; }

bool measured(const DmcRun& run) { return run.part[part::total].samples() > 0; }

// Energy by time step with errors, for the runs that have both.
struct Points {
  std::vector<double> tau, energy, error;
};
Points points(const DmcResult& r) {
  Points p;
  for (const auto& run : r.progress.runs) {
    const Reblocked e = run.part[part::total].estimate();
    if (!(e.error > 0)) continue;
    p.tau.push_back(run.tau);
    p.energy.push_back(e.mean);
    p.error.push_back(e.error);
  }
  return p;
}

bool extrapolates(const Points& p) {
  return p.tau.size() > 1 && *std::max_element(p.tau.begin(), p.tau.end()) > *std::min_element(p.tau.begin(), p.tau.end());
}
LinearFit extrapolate(const Points& p) { return fit_line(p.tau, p.energy, p.error); }

// The run with the shortest measured time step.
const DmcRun* finest(const DmcResult& r) {
  const DmcRun* best = nullptr;
  for (const auto& run : r.progress.runs)
    if (measured(run) && (!best || run.tau < best->tau)) best = &run;
  return best;
}

TimeStepResult result_of(const Settings& s, const DmcRun& run) {
  const Reblocked e = run.part[part::total].estimate();
  return {run.tau, e.mean, e.error, run.variance(), share(run.accepted, run.moves), run.effective_tau(), population(s, run), e};
}

std::string steps_csv(const DmcResult& r) {
  std::string text =
      "# energy: sum w E_L/sum w of the step (Ha); population: walkers after branching; best: estimate of "
      "the "
      "energy; trial: E_T\ntime_step,step,energy,weight,population,best,trial\n";
  for (const auto& run : r.progress.runs)
    for (size_t i = 0; i < run.steps.size(); ++i) {
      const DmcStep& t = run.steps[i];
      text += fmt::format("{:.10g},{},{:.10g},{:.10g},{:.0f},{:.10g},{:.10g}\n", run.tau, i + 1, t.energy, t.weight, t.population, t.best,
                          t.trial);
    }
  return text;
}

// Plots every n-th of many points, to keep figures small.
constexpr size_t most_points = 2000;

app::TextFile population_figure(const DmcResult& r) {
  plot::Series energy = plot::line("step"), best = plot::line("running estimate", plot::Line::dashed), walkers = plot::line("walkers");
  size_t all = 0, at = 0;
  for (const auto& run : r.progress.runs) all += run.steps.size();
  const size_t stride = all / most_points + 1;
  for (const auto& run : r.progress.runs)
    for (const auto& t : run.steps)
      if (++at % stride == 0) {
        const auto x = static_cast<double>(at);
        energy.x.push_back(x), best.x.push_back(x), walkers.x.push_back(x);
        energy.y.push_back(t.energy), best.y.push_back(t.best), walkers.y.push_back(t.population);
      }
  return {"population.svg", plot::svg("DMC population", {{"energy", "step", "E (Ha)", {energy, best}, {}, {}},
                                                         {"population", "step", "walkers", {walkers}, {}, {}}})};
}

app::TextFile extrapolation_figure(const Points& p) {
  const LinearFit fit = extrapolate(p);
  plot::Series data{"DMC ± standard error", p.tau, p.energy, plot::Marker::filled_circle, plot::Line::none},
      line = plot::line("linear fit", plot::Line::dashed),
      zero{"time step 0", {0}, {fit.value}, plot::Marker::open_square, plot::Line::none};
  for (size_t i = 0; i < p.tau.size(); ++i) {
    data.low.push_back(p.energy[i] - p.error[i]);
    data.high.push_back(p.energy[i] + p.error[i]);
  }
  for (const double x : {0.0, *std::max_element(p.tau.begin(), p.tau.end())}) {
    line.x.push_back(x);
    line.y.push_back(fit.value + fit.slope * x);
  }
  return {"time_step.svg", plot::svg("DMC energy by time step", {{"", "time step (ħ/Ha)", "E (Ha)", {data, line, zero}, {}, {}}})};
}

std::string row_text(const Settings& s, const DmcRun& run) {
  const Reblocked e = run.part[part::total].estimate();
  const PopulationResult p = population(s, run);
  return fmt::format(" {:<10.4g} {:<20} {:<12.5g} {:<9.4f} {:<9.4f} {:.0f} < {:.1f} < {:.0f}{}\n", run.tau, with_error(e.mean, e.error),
                     run.variance(), share(run.accepted, run.moves), run.effective_tau() / run.tau, p.smallest, p.mean, p.largest,
                     e.converged ? "" : "   the error may be too small");
}

std::string trial_text(const Settings& s, const TrialFunction& t) {
  const auto n = static_cast<double>(s.system.netot());
  const Reblocked& e = t.energy;
  return fmt::format(" VMC energy {} Ha ({} per electron), variance {} Ha^2: the trial function, {} energies{}\n",
                     with_error(e.mean, e.error), with_error(e.mean / n, e.error / n), with_error(e.variance, t.variance_error), e.samples,
                     e.converged ? "" : "; the error may be too small");
}

TrialResult result_of(const TrialFunction& t) {
  return {t.energy.mean, t.energy.error, t.energy.variance, t.variance_error, t.acceptance, t.tau, t.energy};
}

}  // namespace

std::optional<Extrapolated> extrapolated(const DmcResult& r) {
  const Points p = points(r);
  if (!extrapolates(p)) return std::nullopt;
  return Extrapolated{extrapolate(p), p.tau.size()};
}

std::string table(const Settings& s, const DmcResult& r) {
  std::string text = "\n";
  if (r.restarted_at > 0) text += fmt::format("continued from {}, step {}\n", s.restart.string(), r.restarted_at);
  text += trial_text(s, r.progress.trial);
  text += fmt::format(" {:<10} {:<20} {:<12} {:<9} {:<9} {}\n", "time step", "energy (Ha)", "variance", "accepted", "effective", "walkers");
  for (const auto& run : r.progress.runs)
    if (measured(run)) text += row_text(s, run);
  const Points p = points(r);
  if (extrapolates(p)) {
    const LinearFit fit = extrapolate(p);
    text += fmt::format(" {:<10} {:<20} linear in the time step", "0", with_error(fit.value, fit.value_error));
    if (p.tau.size() > 2) text += fmt::format(", chi^2 {:.2g} for {} degrees of freedom", fit.chi2, p.tau.size() - 2);
    text += "\n";
  }
  if (const DmcRun* run = finest(r)) {
    const auto n = static_cast<double>(s.system.netot());
    const Reblocked e = run->part[part::total].estimate();
    text += fmt::format(" per electron {} Ha at the time step {:g}\n", with_error(e.mean / n, e.error / n), run->tau);
    text += components_text(s.system, [&](size_t part) { return run->part[part].estimate(); });
  }
  if (s.system.molecule && !s.system.molecule->potential.empty())
    text += s.dmc.t_moves ? " pseudopotentials by T-moves: an upper bound in the limit of short time steps\n"
                          : " pseudopotentials in the locality approximation: no upper bound\n";
  return text + fmt::format(" inverse Slater matrices kept to {:.1e}\n", r.progress.deviation);
}

nlohmann::ordered_json results(const Settings& s, const DmcResult& r) {
  const auto n = static_cast<double>(s.system.netot());
  DmcResults out;
  if (const DmcRun* run = finest(r)) {
    const Reblocked e = run->part[part::total].estimate();
    out.energy = EnergyResult{e.mean,
                              e.error,
                              e.mean / n,
                              e.error / n,
                              run->variance(),
                              run->squares.estimate().error,
                              share(run->accepted, run->moves),
                              components_of(s.system, [&](size_t part) { return run->part[part].estimate(); })};
    out.time_step = run->tau;
  }
  for (const auto& run : r.progress.runs)
    if (measured(run)) out.time_steps.push_back(result_of(s, run));
  const Points p = points(r);
  if (extrapolates(p)) {
    const LinearFit fit = extrapolate(p);
    out.extrapolated = ExtrapolatedResult{fit.value, fit.value_error, fit.slope, fit.slope_error, fit.chi2};
  }
  out.walkers = s.dmc.target;
  out.trial = result_of(r.progress.trial);
  out.inverse_deviation = r.progress.deviation;
  out.restarted_at_step = r.restarted_at;
  out.equilibration_s = r.equilibration_s;
  out.sampling_s = r.sampling_s;
  return app::json_of(out);
}

std::vector<app::TextFile> files(const Settings&, const DmcResult& r) {
  std::vector<app::TextFile> out{{"steps.csv", steps_csv(r)}, population_figure(r)};
  const Points p = points(r);
  if (extrapolates(p)) out.push_back(extrapolation_figure(p));
  return out;
}

}  // namespace suite::vmc
