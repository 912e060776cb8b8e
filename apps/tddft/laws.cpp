// SPDX-License-Identifier: BSD-3-Clause
#include "laws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Dense>
#include <fmt/core.h>

#include "stability.hpp"

namespace suite::tddft {
namespace {

constexpr size_t fewest_samples = 16;    // for a slope of the energy
constexpr double noticed_leak = 0.01;  // of the f-sum per electron

// Bounds; typical values of correct runs in parentheses (docs/tddft.md).
constexpr double unitarity_double = 1e-9;    // relative (1e-12 in 20 fs)
constexpr double unitarity_single = 1e-5;    // relative, with the norm restored at every sample (1e-6)
constexpr double energy_slope_bound = 1e-5;  // Ha/fs per electron (1e-7); with moving ions, of all of it
constexpr double energy_change_bound = 1e-3; // Ha per electron (1e-5), of a run too short for a slope
constexpr double work_bound = 0.05;          // of the most that was done
constexpr double f_sum_bound = 0.01;         // relative (3e-3 of molecules, 6e-4 of silicon)
constexpr double symmetry_bound = 0.02;      // of the largest response
constexpr double rest_angle = 0.05;          // theta up to which the next two hold; beyond, they grow with theta^2
constexpr double current_at_rest = 3e-6;     // bohr Ha/hbar per electron (2e-6 of silicon)
constexpr double dipole_at_rest = 1e-4;      // bohr per electron (2e-5 of Na2)
constexpr double absorbed_at_rest = 1e-3;    // of the electrons
constexpr double within_absorber = 1e-3;     // of the electrons, at rest

// Where an orbital reaches a face of the cell, a kick moves it through to the other side. Returns the resulting gain of the f-sum, int over
// the face of rho L; 0 if the cell is large enough.
double leak_through_faces(const Grid& grid, const std::vector<double>& rho) {
  double largest = 0;
  for (int d = 0; d < 3; ++d) {
    if (grid.points[d] == 1) continue;
    double sum = 0;
    std::array<int, 3> end = grid.points;
    end[static_cast<size_t>(d)] = 1;
    for (int ix = 0; ix < end[0]; ++ix)
      for (int iy = 0; iy < end[1]; ++iy)
        for (int iz = 0; iz < end[2]; ++iz) sum += rho[grid.index(ix, iy, iz)];
    largest = std::max(largest, sum * grid.point_volume() * grid.points[d]);
  }
  return largest;
}

double conserved(const EnergySample& sample) { return sample.total() - sample.total_work(); }

// Slope of energy minus work, Ha/fs: of the line through all energies but the first, with weights sin^2 that vanish at both ends. A split
// step conserves an energy of its own, about which the measured one oscillates by order dt^2 from the first step on; neither the initial
// shift nor the oscillation is a drift, and these weights suppress both.
std::optional<double> energy_slope(const TimeSeries& series, double dt) {
  const size_t n = series.energies.size() - 1;
  if (series.energies.size() < fewest_samples) return std::nullopt;
  const auto t = [&](size_t i) { return static_cast<double>(series.energies[i + 1].step) * dt * atomic_time_fs; };
  const auto E = [&](size_t i) { return conserved(series.energies[i + 1]); };
  const auto weight = [&](size_t i) {
    const double s = std::sin(std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(n));
    return s * s;
  };
  double sum = 0, mean_t = 0, mean_E = 0, tE = 0, tt = 0;
  for (size_t i = 0; i < n; ++i) sum += weight(i), mean_t += weight(i) * t(i), mean_E += weight(i) * E(i);
  mean_t /= sum, mean_E /= sum;
  for (size_t i = 0; i < n; ++i) {
    tE += weight(i) * (t(i) - mean_t) * (E(i) - mean_E);
    tt += weight(i) * (t(i) - mean_t) * (t(i) - mean_t);
  }
  return tE / tt;
}

// That of ions that move and of their electrons, Ha/fs. Velocity Verlet and the split step conserve energies of their own, which differ from
// the measured one by order dt^2 times what depends on where the ions are and comes back with them. The part that follows their kinetic energy
// is therefore fitted beside the line, which takes a trajectory that has gone there and back: nullopt before the kinetic energy has turned twice.
std::optional<double> slope_beside_oscillation(const IonEnergies& e) {
  const size_t n = e.time_fs.size();
  if (n < fewest_samples) return std::nullopt;
  int turns = 0;
  double direction = 0;
  for (size_t i = 1; i < n; ++i) {
    const double change = e.kinetic[i] - e.kinetic[i - 1];
    if (change * direction < 0) ++turns;
    if (change != 0) direction = change;
  }
  if (turns < 2) return std::nullopt;
  Eigen::MatrixXd terms(n, 3);
  Eigen::VectorXd energies(n);
  for (size_t i = 0; i < n; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double weight = std::sin(std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(n));
    terms.row(row) << weight, weight * e.time_fs[i], weight * e.kinetic[i];
    energies[row] = weight * (e.conserved[i] - e.conserved.front());
  }
  return terms.colPivHouseholderQr().solve(energies)[1];
}

bool velocity_gauge(const Settings& s) { return s.propagation.velocity_gauge; }

// Motion along d at step n: the current, or the displacement of the dipole; after opposite kicks, of the magnetisation.
double motion(const Settings& s, const TimeSeries& series, size_t n, size_t d) {
  if (velocity_gauge(s)) return series.current[n][d];
  const std::vector<Vec3>& dipole = s.opposite ? series.spin_dipole : series.dipole;
  return dipole[n][d] - dipole[0][d];
}

// The response along b to a kick along a equals that along a to a kick along b, at every time. Returns the largest difference relative to
// the largest response.
double asymmetry(const Settings& s, const std::vector<TimeSeries>& runs) {
  size_t steps = runs[0].dipole.size();
  for (const TimeSeries& series : runs) steps = std::min(steps, series.dipole.size());
  double most = 0, scale = 0;
  for (size_t n = 0; n < steps; ++n)
    for (size_t a = 0; a < 3; ++a) {
      scale = std::max(scale, std::abs(motion(s, runs[a], n, a)));
      for (size_t b = 0; b < a; ++b) most = std::max(most, std::abs(motion(s, runs[a], n, b) - motion(s, runs[b], n, a)));
    }
  return scale > 0 ? most / scale : 0;
}

class Laws {
public:
  Laws(const Solution& solution, app::Outcome& out)
      : solution_(solution),
        s_(solution.settings),
        c_(solution.calculation),
        g_(c_.progress.ground_state),
        runs_(c_.progress.runs),
        drift_(drift_of(runs_, s_.propagation.dt)),
        out_(out) {}

  void add() {
    ground_state();
    observe_ground_state();
    if (s_.moving()) energy_of_ions();
    if (runs_.empty()) return;
    unitarity();
    energy();
    if (s_.moving()) return observe_motion();  // the dipole is also that of electrons that follow the ions
    if (s_.excitation == Excitation::kick) response();
    if (s_.excitation == Excitation::none) rest();
    observe_motion();
  }

private:
  void ground_state() {
    const double gap = gap_Ha(s_, g_), top = g_.lowest_empty_Ha - gap;
    if (!(gap >= least_gap_Ha))
      out_.warnings.push_back(
          fmt::format("the highest occupied and the lowest empty level are {:.4f} eV apart: {}", gap * hartree_eV, what_no_gap_means(s_)));
    for (const double f : occupations(s_.system))
      if (std::abs(f - 2) > 1e-8 && s_.system.spins() == 1 && s_.ground_state.functional != "none") {
        out_.warnings.push_back(
            fmt::format("an orbital has {:g} electrons: both spins share the orbitals, which a spin-polarised calculation would split", f));
        break;
      }
    if (s_.system.boundary != Boundary::isolated) return;
    if (!s_.system.well && !(top < 0))
      out_.warnings.push_back(
          fmt::format("the highest occupied level lies at {:+.4f} eV: it is unbound in this functional and confined only by the cell",
                      top * hartree_eV));
    const double leak = leak_through_faces(s_.system.grid, g_.rho);
    if (leak > noticed_leak * s_.system.electrons)
      out_.warnings.push_back(
          fmt::format("the cell is small: orbitals that reach its faces add {:.2g} to the f-sum and shift the lines", leak));
    if (!absorber()) return;
    const double within = electrons_within(s_.system.grid, s_.propagation.absorber, g_.rho);
    if (within > within_absorber * s_.system.electrons)
      out_.warnings.push_back(fmt::format(
          "{:.2g} electrons of the ground state are within the absorber, which takes them away without a field: enlarge the cell", within));
  }

  bool absorber() const { return s_.propagation.absorber.there(); }

  void check(const std::string& name, double deviation, double bound, const std::string& unit, const std::string& meaning) {
    out_.checks.push_back({name, deviation, bound, unit, meaning});
  }

  void unitarity() {
    const double bound = s_.propagation.single ? unitarity_single : unitarity_double;
    const std::string meaning =
        s_.propagation.single ? "single precision loses electrons; use propagation.precision: double" : "the propagation is not unitary";
    if (absorber()) {
      check("growth of the number of electrons", drift_.grown / s_.system.electrons, bound, "", meaning);
      check("growth of the norm of the orbitals", c_.norm_error, bound, "", meaning);
      return;
    }
    check("number of electrons", drift_.electrons / s_.system.electrons, bound, "", meaning);
    check("norm of the orbitals", c_.norm_error, bound, "", meaning);
  }

  void energy() {
    const bool interacting = s_.ground_state.functional != "none";
    if (s_.propagation.field == "frozen" && interacting) return;  // a frozen field conserves a different energy
    if (absorber()) return;  // it takes energy away
    const char* const meaning =
        "the energy drifts: use a shorter time step or, if the Hartree field follows its wave equation, more field_steps";
    if (drift_.slope && !s_.moving()) check("energy minus work", *drift_.slope, energy_slope_bound * s_.system.electrons, "Ha/fs", meaning);
    else if (!s_.moving()) check("change of energy minus work", drift_.energy, energy_change_bound * s_.system.electrons, "Ha", meaning);
    if (s_.excitation != Excitation::laser) return;
    // After a pulse that no line absorbs almost nothing is left of what the field had done within it.
    double most = std::abs(drift_.gained);
    for (const EnergySample& sample : runs_[0].energies) most = std::max(most, std::abs(sample.total_work()));
    if (most > 0)
      check("work of the laser", (drift_.gained - drift_.work) / most, work_bound, "",
            "the energy gained differs from the work done, which is its uncertainty: use a shorter time step or a stronger pulse");
  }

  void energy_of_ions() {
    if (c_.progress.trajectory.empty() || absorber()) return;
    if (const auto slope = drift_of(ion_energies(s_, c_.progress)).slope)
      check("energy of electrons and ions", *slope, energy_slope_bound, "Ha/fs",
            s_.ions.dynamics == Dynamics::ground_state ? "the energy drifts: use a shorter ions.time_step or a smaller ions.force_tolerance"
                                                       : "the energy drifts: use a shorter propagation.time_step or ions.time_step");
  }

  void response() {
    const Vec3& sums = c_.progress.sum_rule;
    const auto sum = [&](const std::string& name, double found, double expected) {
      check(name, found / expected - 1, f_sum_bound, "",
            "strengths have this error: use a shorter time step, a larger cell or a finer grid; a stronger kick if the electrons move "
            "without one, a weaker one if the response is not linear");
    };
    if (solution_.spectrum) sum("f-sum rule", solution_.spectrum->sum, expected_sum(s_, sums));
    if (!s_.all_directions) return;
    for (const auto& c : solution_.components)
      sum(std::string("f-sum rule along ") + "xyz"[c.axis], c.spectrum.sum, sums[static_cast<size_t>(c.axis)]);
    if (runs_.size() == 3)
      check("symmetry of the response", asymmetry(s_, runs_), symmetry_bound, "",
            "the splitting moves the electrons even without a kick: use a longer propagation.settling, a shorter time step or a stronger "
            "kick");
  }

  // Without a field nothing moves, except for the effect of the splitting on electrons that have not settled.
  void rest() {
    if (absorber())
      check("electrons absorbed without a field", drift_.lost / s_.system.electrons, absorbed_at_rest, "",
            "the absorber takes electrons away that are at rest: use a larger cell or thinner layers");
    double most = 0;
    for (size_t n = 0; n < runs_[0].dipole.size(); ++n)
      for (size_t d = 0; d < 3; ++d) most = std::max(most, std::abs(motion(s_, runs_[0], n, d)));
    const double ratio = splitting_angle(s_.system.grid, s_.propagation.dt) / rest_angle;
    check(velocity_gauge(s_) ? "current without a field" : "dipole without a field", most,
          (velocity_gauge(s_) ? current_at_rest : dipole_at_rest) * s_.system.electrons * std::max(1.0, ratio * ratio),
          velocity_gauge(s_) ? "bohr Ha/hbar" : "bohr",
          "the electrons move without a field: use a longer propagation.settling, a shorter time step or a smaller "
          "ground_state.residual_tolerance");
  }

  void observe(const std::string& name, const std::string& unit, std::vector<double> values, double tolerance,
               std::vector<std::string> labels = {}) {
    if (!values.empty()) out_.observables.push_back({name, unit, std::move(values), std::move(labels), tolerance});
  }

  void observe_ground_state() {
    observe("total energy of the ground state", "Ha", {g_.energies.total()}, 1e-7 * s_.system.electrons);
    std::vector<double> levels = levels_of(s_, g_);
    std::vector<std::string> labels;
    for (size_t n = 0; n < levels.size(); ++n) {
      const size_t bands = static_cast<size_t>(g_.bands), of_spin = levels.size() / static_cast<size_t>(g_.spins);
      const char* spin = g_.spins == 1 ? "" : n < of_spin ? "spin up, " : "spin down, ";
      labels.push_back(fmt::format("{}k {}, band {}", spin, n % of_spin / bands + 1, n % bands + 1));
      levels[n] *= hartree_eV;
    }
    observe("eigenvalues", "eV", levels, 4 * s_.ground_state.residual_tolerance * hartree_eV, labels);
  }

  void observe_motion() {
    if (absorber()) observe("electrons absorbed", "electrons", {drift_.lost}, 1e-6 + 1e-3 * drift_.lost);
    if (s_.excitation == Excitation::laser) observe("energy gained", "Ha", {drift_.gained}, 1e-6 + 1e-3 * std::abs(drift_.gained));
    if (!solution_.spectrum) return;
    const Spectrum& spectrum = *solution_.spectrum;
    observe("f-sum", "electrons", {spectrum.sum}, 1e-3 * expected_sum(s_, c_.progress.sum_rule));
    std::vector<double> energies, strengths;
    std::vector<std::string> labels;
    for (const Peak& peak : spectrum.peaks) {
      energies.push_back(peak.energy * hartree_eV);
      strengths.push_back(peak.strength);
      labels.push_back(fmt::format("line {}", labels.size() + 1));
    }
    // One hundredth of the line width.
    observe("energies of the lines", "eV", energies, 0.01 * spectrum.resolution * hartree_eV, labels);
    observe("strengths of the lines", "electrons", strengths, 1e-3 * s_.system.electrons, labels);
  }

  const Solution& solution_;
  const Settings& s_;
  const Calculation& c_;
  const GroundState& g_;
  const std::vector<TimeSeries>& runs_;
  Drift drift_;
  app::Outcome& out_;
};

}  // namespace

void add_outcome(const Solution& solution, app::Outcome& outcome) { Laws(solution, outcome).add(); }

double expected_sum(const Settings& s, const Vec3& sums) {
  double sum = 0;
  for (int run = 0; run < s.runs(); ++run) {
    const Vec3 n = s.direction_of(run);
    for (size_t d = 0; d < 3; ++d) sum += n[d] * n[d] * sums[d] / s.runs();
  }
  return sum;
}

std::vector<double> levels_of(const Settings& s, const GroundState& g) {
  const auto own = static_cast<int64_t>(static_cast<size_t>(g.bands) * s.system.k_points.size());
  std::vector<double> levels;
  for (int64_t first = 0; first < g.orbitals; first += g.orbitals_of_spin())
    levels.insert(levels.end(), g.eigenvalues_Ha.begin() + first, g.eigenvalues_Ha.begin() + first + own);
  return levels;
}

std::string what_no_gap_means(const Settings& s) {
  return s.system.spins() == 1 ? "an open shell or a metal, which fixed occupations without spin do not describe (system.spin)"
                               : "a partly filled shell or a metal, or a ground state with another number of unpaired electrons";
}

double gap_Ha(const Settings& s, const GroundState& g) {
  double top = -INFINITY;
  const std::vector<double> levels = levels_of(s, g);
  const size_t of_spin = levels.size() / static_cast<size_t>(g.spins);
  for (int spin = 0; spin < g.spins; ++spin) {
    const std::vector<double> f = occupations(s.system, spin);
    for (size_t n = 0; n < of_spin; ++n)
      if (f[n % f.size()] > 0) top = std::max(top, levels[n + of_spin * static_cast<size_t>(spin)]);
  }
  return g.lowest_empty_Ha - top;
}

Drift drift_of(const std::vector<TimeSeries>& runs, double dt) {
  Drift d;
  for (const auto& series : runs) {
    for (double n : series.electrons) d.electrons = std::max(d.electrons, std::abs(n - series.electrons.front()));
    for (size_t n = 1; n < series.electrons.size(); ++n) d.grown = std::max(d.grown, series.electrons[n] - series.electrons[n - 1]);
    d.lost = std::max(d.lost, series.electrons.front() - series.electrons.back());
    for (const auto& sample : series.energies)
      d.energy = std::max(d.energy, std::abs(conserved(sample) - conserved(series.energies.front())));
    const std::optional<double> slope = energy_slope(series, dt);
    if (slope && (!d.slope || !(std::abs(*slope) <= std::abs(*d.slope)))) d.slope = slope;
  }
  if (!runs.empty() && !runs.back().energies.empty()) {
    d.work = runs.back().energies.back().total_work();
    d.gained = runs.back().energies.back().total() - runs.back().energies.front().total();
  }
  return d;
}

Drift drift_of(const IonEnergies& energies) {
  Drift d;
  for (const double energy : energies.conserved) d.energy = std::max(d.energy, std::abs(energy - energies.conserved.front()));
  d.slope = slope_beside_oscillation(energies);
  return d;
}

IonEnergies ion_energies(const Settings& s, const Progress& progress) {
  std::vector<double> work;
  if (!progress.runs.empty())
    for (const EnergySample& sample : progress.runs.back().energies) work.push_back(sample.work);
  return energies_of(s, progress.trajectory, work);
}

}  // namespace suite::tddft
