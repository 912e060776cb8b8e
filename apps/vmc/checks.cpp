// SPDX-License-Identifier: BSD-3-Clause
#include "checks.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "hartree_fock.hpp"
#include "molecule/molecule.hpp"

namespace suite::vmc {
namespace {

using app::Observable;
using app::Outcome;
constexpr double sigmas = 5;              // for statistical checks; exceeded by chance once in two million
constexpr double sum_bound = 1e-9;        // sums of parts, relative: rounding of many additions
constexpr double zero_variance = 1e-8;    // relative; the determinants' kinetic energy is constant
constexpr double exact_tolerance = 1e-8;  // Ha, for numbers without statistics
constexpr double coulomb_bound = 1e-8;    // relative; both sums are converged to 1e-12 of a pair's energy
constexpr double inverse_bound = 1e-6;    // of D(r)/D; acceptance probabilities are off by twice that
constexpr double most_refused = 0.9;      // fraction of VMC moves; above, the walkers hardly move
constexpr double most_refused_dmc = 0.1;  // fraction of DMC moves; its Green's function holds for short time steps
constexpr double weight_bound = 0.05;     // deviation of a walker's mean weight from 1
constexpr double fit_bound = 9;           // chi^2 per degree of freedom
constexpr double noise_bound = 2;         // rms deviation in units of the errors; expected 1

const char* const standard_errors = "standard errors";

// |difference| in units of its error. Without an error: 0 or infinite, depending on whether it is rounding.
double in_errors(double difference, double error) {
  if (error > 0) return difference / error;
  return std::abs(difference) <= exact_tolerance ? 0 : std::copysign(1e9, difference);
}

void check_parts(const std::array<Reblocked, part::count>& e, Outcome& out) {
  const double kei = e[part::kei].mean, ti = e[part::ti].mean, fisq = e[part::fisq].mean;
  double sum = kei, size = std::abs(kei);
  for (const size_t potential : {part::ee, part::en, part::nn, part::local, part::nonlocal})
    sum += e[potential].mean, size += std::abs(e[potential].mean);
  out.checks.push_back({"energy is the sum of its parts", e[part::total].mean - sum, sum_bound * (1 + size), "Ha",
                        "the energy of the kernels differs from KEI and the Coulomb energies"});
  out.checks.push_back({"KEI = 2 TI - FISQ", kei - 2 * ti + fisq, sum_bound * (1 + std::abs(ti) + std::abs(fisq)), "Ha",
                        "the three kinetic energies belong to different wave functions"});
}

void check_inverses(double deviation, Outcome& out) {
  out.checks.push_back(
      {"inverse Slater matrices", deviation, inverse_bound, "", "updates have degraded the matrices; use a smaller 'vmc.reinvert'"});
}

void check_coulomb(const std::optional<CoulombSample>& sample, Outcome& out) {
  if (!sample) return;
  out.checks.push_back({"Coulomb energy is independent of the Ewald splitting",
                        (sample->kernel - sample->own) / (1 + std::abs(sample->own)), coulomb_bound, "",
                        "the Ewald sum is not converged, or the background does not neutralise the electrons"});
}

void warn_of_error(const Reblocked& e, const std::string& what, Outcome& out) {
  if (e.converged) return;
  const double times = static_cast<double>(e.samples) / std::max(e.correlation_time, 1.0);
  out.warnings.push_back("the error bar of " + what + " may be too small: " +
                         (times < enough_times
                              ? fmt::format("the run has only {:.0f} correlation times, {:.0f} are needed", times, enough_times)
                              : "each walker's part of the run is shorter than the correlation time"));
}

// Compares independent halves with half of the samples each: their difference has twice the error of the whole.
void check_drift(const std::string& name, double first, double second, const Reblocked& e, Outcome& out) {
  if (!e.converged) return;
  out.checks.push_back(
      {name, in_errors(second - first, 2 * e.error), sigmas, standard_errors, "the two halves of the run differ: equilibrate longer"});
}

struct WeightedMean {
  double sum = 0, weight = 0;
  void add(double value, double w) { sum += w * value, weight += w; }
  double mean() const { return weight > 0 ? sum / weight : 0; }
};

void check_drift_of_vmc(const VmcResult& r, Outcome& out) {
  if (r.trace.size() < 2) return;
  std::array<WeightedMean, 2> half;
  const double all = r.trace.back().steps;
  double before = 0;
  for (const auto& t : r.trace) {
    half[(before + t.steps) / 2 < all / 2 ? 0 : 1].add(t.block_mean, t.steps - before);
    before = t.steps;
  }
  check_drift("energy does not drift", half[0].mean(), half[1].mean(), r.energy.part[part::total], out);
}

// Without a Jastrow factor the mean kinetic energy of a molecule is that of exact integrals over its orbitals.
void check_determinants_of_molecule(const Settings& s, const std::array<Reblocked, part::count>& e, Outcome& out) {
  if (s.jastrow.any() || !e[part::kei].converged) return;
  const double exact = kinetic_energy(*s.system.molecule);  // that of plane waves has no variance
  out.checks.push_back({"kinetic energy of the determinants equals exact integrals",
                        in_errors(e[part::kei].mean - exact, std::hypot(e[part::kei].error, zero_variance * (1 + exact))), sigmas,
                        standard_errors, "the walk does not sample the square of the determinants: equilibrate longer"});
}

// Without a Jastrow factor the kinetic energy of the gas is constant and the energy is the Hartree-Fock energy.
void check_determinants(const Settings& s, const std::array<Reblocked, part::count>& e, Outcome& out) {
  if (s.system.molecule) return check_determinants_of_molecule(s, e, out);
  const HartreeFock exact = hartree_fock(s.system);
  if (s.jastrow.any()) {
    const Reblocked& all = e[part::total];
    if (all.mean - exact.total() > sigmas * all.error)
      out.warnings.push_back(
          fmt::format("the energy is above that of the determinants alone, {:.8g} Ha: the Jastrow factor makes the wave function worse; "
                      "improve it with 'method: optimise'",
                      exact.total()));
    return;
  }
  const Reblocked& kei = e[part::kei];
  out.checks.push_back({"kinetic energy of the determinants, exact", kei.mean - exact.kinetic, zero_variance * (1 + exact.kinetic), "Ha",
                        "orbitals or determinants are wrong, or the precision is insufficient"});
  out.checks.push_back({"kinetic energy of the determinants has no variance", std::sqrt(kei.variance), zero_variance * (1 + exact.kinetic),
                        "Ha", "orbitals or determinants are wrong, or the precision is insufficient"});
  if (e[part::total].converged)
    out.checks.push_back({"energy of the determinants equals Hartree-Fock",
                          in_errors(e[part::total].mean - exact.total(), e[part::total].error), sigmas, standard_errors,
                          "the walk does not sample the square of the determinants"});
}

// Root mean square of differences in units of their errors.
class Noise {
public:
  void add(double difference, double error) {
    if (error > 0) sum_ += std::pow(difference / error, 2), ++count_;
  }
  void check(const std::string& name, const std::string& meaning, Outcome& out) const {
    if (count_ >= 8) out.checks.push_back({name, std::sqrt(sum_ / count_), noise_bound, "rms over errors", meaning});
  }

private:
  double sum_ = 0;
  int count_ = 0;
};

// The gas is homogeneous, and the spins are equivalent if there are equally many of both.
void check_symmetries(const Settings& s, const VmcResult& r, Outcome& out) {
  constexpr size_t enough_blocks = 16;  // for reliable errors
  if (s.system.molecule || r.trace.size() < enough_blocks) return;
  Noise density, spins;
  const double mean = static_cast<double>(s.system.netot()) / s.system.volume();
  for (const auto& axis : r.density.curves)
    for (size_t i = 0; i < axis.value.size(); ++i) density.add(axis.value[i] - mean, axis.error[i]);
  const Curve *up = nullptr, *down = nullptr;
  for (const auto& curve : r.structure_factor.curves) {
    if (curve.name == "uu") up = &curve;
    if (curve.name == "dd") down = &curve;
  }
  if (up && down && s.system.nele[0] == s.system.nele[1])
    for (size_t i = 0; i < up->value.size(); ++i) spins.add(up->value[i] - down->value[i], std::hypot(up->error[i], down->error[i]));
  density.check("density is homogeneous", "the density is not homogeneous: run longer, or equilibrate longer", out);
  spins.check("S(k) of both spins is the same", "the two spins differ", out);
}

Observable statistical(const std::string& name, const std::string& unit, double value, double error) {
  return {name, unit, {value}, {}, exact_tolerance, {error}};
}

Observable energy_parts(const System& system, const std::array<Reblocked, part::count>& e) {
  const Reblocked &kei = e[part::kei], &ee = e[part::ee], &en = e[part::en];
  if (!system.molecule) return {"energy components", "Ha", {kei.mean, ee.mean}, {"KEI", "ewald"}, exact_tolerance, {kei.error, ee.error}};
  return {"energy components", "Ha", {kei.mean, en.mean, ee.mean}, {"KEI", "e-n", "e-e"}, exact_tolerance, {kei.error, en.error, ee.error}};
}

double refused(double accepted, double moves) { return moves > 0 ? 1 - accepted / moves : 0; }

// Sums over the statistics steps of a run.
struct Population {
  double mean = 0, weight = 1;  // mean number of walkers; mean weight of one before branching
  WeightedMean first, second;   // energy
};
Population population_of(const Settings& s, const DmcRun& run) {
  Population p;
  double walkers = 0, weights = 0, steps = 0;
  const auto begin = static_cast<size_t>(s.dmc.equilibration);
  for (size_t i = begin; i < run.steps.size(); ++i) {
    const DmcStep& t = run.steps[i];
    if (i > 0) walkers += run.steps[i - 1].population, weights += t.weight;
    p.mean += t.population;
    ++steps;
    (2 * (i - begin) < run.steps.size() - begin ? p.first : p.second).add(t.energy, t.weight);
  }
  if (steps > 0) p.mean /= steps;
  if (walkers > 0) p.weight = weights / walkers;
  return p;
}

void check_run(const Settings& s, const DmcRun& run, Outcome& out) {
  const std::string at = fmt::format(", time step {:g}", run.tau);
  const Reblocked e = run.part[part::total].estimate();
  const Population p = population_of(s, run);
  const auto target = static_cast<double>(s.dmc.target);
  out.checks.push_back({"DMC moves refused" + at, refused(run.accepted, run.moves), most_refused_dmc, "", "the time step is too long"});
  out.checks.push_back({"population stays at its target" + at, p.mean / target - 1, 0.1 + 1 / std::sqrt(target), "",
                        "equilibrate longer, or use a shorter time step or a smaller 'dmc.feedback'"});
  out.checks.push_back(
      {"average weight of a walker is 1" + at, p.weight - 1, weight_bound, "", "the population is not stationary: equilibrate longer"});
  check_drift("DMC energy does not drift" + at, p.first.mean(), p.second.mean(), e, out);
  warn_of_error(e, fmt::format("DMC at the time step {:g}", run.tau), out);
}

bool measured(const DmcRun& run) { return run.part[part::total].samples() > 0; }

}  // namespace

void judge(const Settings& s, const VmcResult& r, Outcome& out) {
  const auto& e = r.energy.part;
  check_parts(e, out);
  check_coulomb(r.coulomb, out);
  check_inverses(r.deviation, out);
  out.checks.push_back({"VMC moves refused", 1 - r.acceptance, most_refused, "",
                        "the walkers hardly move: use a shorter 'vmc.time_step', or remove it to tune it automatically"});
  check_determinants(s, e, out);
  check_drift_of_vmc(r, out);
  check_symmetries(s, r, out);
  warn_of_error(e[part::total], "the energy", out);
  out.observables.push_back(statistical("energy", "Ha", e[part::total].mean, e[part::total].error));
  // Without a Jastrow factor the local energy diverges as 1/r where two electrons meet, so its variance has no error bar.
  if (s.jastrow.any()) out.observables.push_back(statistical("variance", "Ha^2", e[part::total].variance, r.energy.variance_error));
  out.observables.push_back(energy_parts(s.system, e));
  if (!s.system.molecule) out.observables.push_back({"Hartree-Fock energy", "Ha", {hartree_fock(s.system).total()}, {}, exact_tolerance});
}

void judge(const Settings& s, const DmcResult& r, Outcome& out) {
  const TrialFunction& trial = r.progress.trial;
  const DmcRun* finest = nullptr;
  Observable energies{"DMC energy", "Ha", {}, {}, exact_tolerance, {}}, variances = energies;
  variances.name = "DMC variance", variances.unit = "Ha^2";
  for (const auto& run : r.progress.runs) {
    if (!measured(run)) continue;
    check_run(s, run, out);
    if (!finest || run.tau < finest->tau) finest = &run;
    const Reblocked e = run.part[part::total].estimate();
    energies.values.push_back(e.mean), energies.errors.push_back(e.error);
    variances.values.push_back(run.variance()), variances.errors.push_back(run.squares.estimate().error);
    for (auto* observable : {&energies, &variances}) observable->labels.push_back(fmt::format("time step {:g}", run.tau));
  }
  warn_of_error(trial.energy, "VMC before DMC", out);
  check_inverses(r.progress.deviation, out);
  check_coulomb(r.coulomb, out);
  if (finest) {
    std::array<Reblocked, part::count> e;
    for (size_t i = 0; i < part::count; ++i) e[i] = finest->part[i].estimate();
    check_parts(e, out);
    // Projection lowers the energy of every trial function that is not exact.
    if (trial.energy.samples > 1)
      out.checks.push_back(
          {"DMC is not above VMC",
           std::max(0.0, in_errors(e[part::total].mean - trial.energy.mean, std::hypot(e[part::total].error, trial.energy.error))), sigmas,
           standard_errors, "the time step is too long, the population too small or not equilibrated"});
    out.observables.push_back(energies);
    out.observables.push_back(variances);
  }
  if (const auto line = extrapolated(r)) {
    if (line->points > 2)
      out.checks.push_back({"energies lie on a line through the time steps", line->fit.chi2 / static_cast<double>(line->points - 2),
                            fit_bound, "chi^2 for each degree of freedom", "omit the longest time steps"});
    out.observables.push_back(statistical("DMC energy at time step 0", "Ha", line->fit.value, line->fit.value_error));
  }
  out.observables.push_back(statistical("VMC energy", "Ha", trial.energy.mean, trial.energy.error));
  out.observables.push_back(statistical("VMC variance", "Ha^2", trial.energy.variance, trial.variance_error));
}

void judge(const Settings& s, const std::vector<Cycle>& cycles, size_t chosen, Outcome& out) {
  const Cycle &first = cycles.front(), &last = cycles.back(), &best = cycles[chosen];
  const bool energy = s.optimise.target == "energy";
  const double rise = energy ? in_errors(last.energy.mean - first.energy.mean, std::hypot(last.energy.error, first.energy.error))
                             : in_errors(last.variance() - first.variance(), std::hypot(last.variance_error, first.variance_error));
  out.checks.push_back({energy ? "optimisation does not raise the energy" : "optimisation does not raise the variance", std::max(0.0, rise),
                        sigmas, standard_errors, "use more configurations, or begin with 'target: variance'"});
  out.checks.push_back({"VMC moves refused", 1 - best.acceptance, most_refused, "",
                        "the walkers hardly move: use a shorter 'vmc.time_step', or remove it to tune it automatically"});
  if (chosen == 0 && cycles.size() > 1) out.warnings.push_back("no cycle found a better function than the initial one");
  warn_of_error(best.energy, "the energy", out);
  out.observables.push_back(statistical("energy", "Ha", best.energy.mean, best.energy.error));
  out.observables.push_back(statistical("variance", "Ha^2", best.variance(), best.variance_error));
}

}  // namespace suite::vmc
