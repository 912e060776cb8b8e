// SPDX-License-Identifier: BSD-3-Clause
#include "output.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/density_files.hpp"
#include "measure/fields_json.hpp"
#include "core_density.hpp"
#include "forces.hpp"
#include "laws.hpp"
#include "pseudopotential.hpp"
#include "results.hpp"

namespace suite::tddft {
namespace {

constexpr int64_t fewest_steps = 16;  // minimum for a spectrum
constexpr size_t most_levels = 24;    // shown on the terminal
constexpr int most_harmonics = 12;    // shown on the terminal

bool periodic(const Settings& s) { return s.system.boundary == Boundary::periodic; }

Observable observable_of(const Settings& s) { return periodic(s) ? Observable::current : Observable::dipole; }

// g of one run along `direction`, normalised by the field along it.
Response response_of(const Settings& s, const TimeSeries& series, const Vec3& direction, double kick) {
  Response r{observable_of(s), s.propagation.dt, {}};
  const auto along = [&](const Vec3& v) { return v[0] * direction[0] + v[1] * direction[1] + v[2] * direction[2]; };
  const auto dipole = [&](size_t n) {
    if (s.opposite) return along(series.spin_dipole[n]);
    return along({series.dipole_with_absorbed(n, 0), series.dipole_with_absorbed(n, 1), series.dipole_with_absorbed(n, 2)});
  };
  for (size_t n = 0; n < series.dipole.size(); ++n)
    r.g.push_back(-(r.observable == Observable::current ? along(series.current[n]) : dipole(n) - dipole(0)) / kick);
  return r;
}

Response mean_response(const Settings& s, const std::vector<TimeSeries>& runs) {
  Response mean;
  for (size_t run = 0; run < runs.size(); ++run) {
    const Response one = response_of(s, runs[run], s.direction_of(static_cast<int>(run)), s.kick);
    if (run == 0) mean = one;
    else std::transform(mean.g.begin(), mean.g.end(), one.g.begin(), mean.g.begin(), std::plus<>());
  }
  for (double& g : mean.g) g /= static_cast<double>(runs.size());
  return mean;
}

Vec3 axis(int d) { return {d == 0 ? 1.0 : 0.0, d == 1 ? 1.0 : 0.0, d == 2 ? 1.0 : 0.0}; }

// Occupations of the ground state's levels, times the weight of k and -k.
std::vector<double> occupations_of(const Settings& s) {
  std::vector<double> f;
  for (int spin = 0; spin < s.system.spins(); ++spin)
    for (const KPoint& point : s.system.k_points)
      for (const double occupation : occupations(s.system, spin)) f.push_back(occupation * point.weight);
  return f;
}

std::string suffix(const Settings& s, size_t run) { return s.all_directions ? std::string("_") + "xyz"[run] : std::string(); }

std::string dipole_file(const Settings& s, const TimeSeries& series) {
  const bool current = s.propagation.velocity_gauge;
  std::string text = "# int r rho relative to the centre of the cell, and int rho";
  if (periodic(s)) text += " (in a crystal the dipole has a jump at the cell's face; use the current)";
  if (current) text += "; current d/dt int r rho";
  if (!series.spin_dipole.empty()) text += "; int r (rho_up - rho_down)";
  const bool absorber = s.propagation.absorber.there();
  if (absorber) text += "; electrons that the absorber has taken away, and int r of them where it did";
  text += "\n# t (fs)  x y z (bohr)  electrons";
  if (current) text += "  jx jy jz (bohr Ha/hbar)";
  if (!series.spin_dipole.empty()) text += "  x y z (bohr) of up minus down";
  text += absorber ? "  absorbed  x y z (bohr) of these\n" : "\n";
  for (size_t n = 0; n < series.dipole.size(); ++n) {
    const Vec3 &d = series.dipole[n], &j = series.current[n];
    text += fmt::format("{:.6f} {:.12e} {:.12e} {:.12e} {:.12f}", static_cast<double>(n) * s.propagation.dt * atomic_time_fs, d[0], d[1],
                        d[2], series.electrons[n]);
    if (current) text += fmt::format(" {:.12e} {:.12e} {:.12e}", j[0], j[1], j[2]);
    if (!series.spin_dipole.empty())
      text += fmt::format(" {:.12e} {:.12e} {:.12e}", series.spin_dipole[n][0], series.spin_dipole[n][1], series.spin_dipole[n][2]);
    if (absorber) {
      const Vec3& gone = series.absorbed[n];
      text += fmt::format(" {:.6e} {:.12e} {:.12e} {:.12e}", series.electrons.front() - series.electrons[n], gone[0], gone[1], gone[2]);
    }
    text += '\n';
  }
  return text;
}

std::string energy_file(const Settings& s, const TimeSeries& series) {
  std::string text =
      "# energies in Ha; work: done by the laser since t = 0\n# t (fs)  total  kinetic  local  nonlocal  "
      "Hartree  xc  ions  work";
  text += s.moving() ? "  kinetic energy of the ions (part of the total)\n" : "\n";
  for (const auto& sample : series.energies) {
    text += fmt::format("{:.6f} {:.12f}", static_cast<double>(sample.step) * s.propagation.dt * atomic_time_fs, sample.total());
    for (double part : sample.parts) text += fmt::format(" {:.12f}", part);
    text += fmt::format(" {:.12f} {:.12e}", sample.ions, sample.total_work());
    text += s.moving() ? fmt::format(" {:.12f}\n", sample.ion_kinetic) : "\n";
  }
  return text;
}

std::string spectrum_file(const Settings& s, const Spectrum& spectrum) {
  std::string text = "# dipole strength function S, int S dE = number of electrons\n";
  text += periodic(s) ? "# E (eV)  S (1/eV)  Re sigma  Im sigma (Ha/hbar)  Re eps  Im eps\n"
                      : "# E (eV)  S (1/eV)  Re alpha  Im alpha (bohr^3)\n";
  for (size_t i = 0; i < spectrum.energy.size(); ++i) {
    const double w = spectrum.energy[i];
    text += fmt::format("{:.5f} {:.8e}", w * hartree_eV, spectrum.strength[i] / hartree_eV);
    if (!periodic(s)) {
      text += fmt::format(" {:.8e} {:.8e}\n", spectrum.response[i].real(), spectrum.response[i].imag());
      continue;
    }
    const auto sigma = spectrum.response[i] / s.system.grid.volume();
    const auto eps = dielectric(spectrum, s.system.grid.volume(), i);
    text += fmt::format(" {:.8e} {:.8e} {:.8e} {:.8e}\n", sigma.real(), sigma.imag(), eps.real(), eps.imag());
  }
  return text;
}

std::string harmonics_file(const Emission& emission) {
  std::string text = "# light sent out, S: energy per photon energy, polarised along x, y and z\n# E (eV)  S  Sx  Sy  Sz (Ha/Ha)\n";
  for (size_t i = 0; i < emission.energy.size(); ++i) {
    const auto& [x, y, z] = emission.intensity[i];
    text += fmt::format("{:.5f} {:.8e} {:.8e} {:.8e} {:.8e}\n", emission.energy[i] * hartree_eV, x + y + z, x, y, z);
  }
  return text;
}

std::string harmonics_text(const Emission& emission) {
  if (emission.harmonics.empty()) return "";
  std::string text = "\nharmonics of the first pulse, energy sent out (Ha)\n  order   energy (eV)      emitted   of the first\n";
  for (const auto& h : emission.harmonics) {
    if (h.order > most_harmonics) return text + fmt::format("    ... {} in all\n", emission.harmonics.size());
    text += fmt::format("{:7} {:13.4f} {:12.4e} {:14.4e}\n", h.order, h.energy * hartree_eV, h.intensity,
                        h.intensity / emission.harmonics.front().intensity);
  }
  return text;
}

std::vector<PeakResult> peaks_of(const Spectrum& spectrum) {
  std::vector<PeakResult> peaks;
  for (const auto& p : spectrum.peaks) peaks.push_back({p.energy * hartree_eV, p.strength, p.fitted});
  return peaks;
}

// At 1 eV, 2 eV, ..: the nearest points of the spectrum.
DielectricResult dielectric_of(const Settings& s, const Spectrum& spectrum) {
  DielectricResult out;
  const double step = s.spectrum.step * hartree_eV;
  for (int eV = 1; static_cast<size_t>(std::lround(eV / step)) < spectrum.energy.size(); ++eV) {
    const auto i = static_cast<size_t>(std::lround(eV / step));
    if (i == 0) continue;
    const std::complex<double> eps = dielectric(spectrum, s.system.grid.volume(), i);
    out.energy_eV.push_back(spectrum.energy[i] * hartree_eV);
    out.real.push_back(eps.real());
    out.imaginary.push_back(eps.imag());
  }
  return out;
}

std::string peaks_text(const Spectrum& spectrum, const std::string& title) {
  if (spectrum.peaks.empty()) return title + ": no lines\n";
  std::string text =
      title + fmt::format(" (lines closer than {:.2g} eV are not resolved)\n   energy (eV)   strength\n", spectrum.resolution * hartree_eV);
  for (const auto& p : spectrum.peaks)
    text += fmt::format("{:14.4f} {:10.4f}{}\n", p.energy * hartree_eV, p.strength, p.fitted ? "" : "   (not fitted: from the maximum)");
  return text;
}

std::string persistent_text(const Spectrum& spectrum) {
  return fmt::format("  persistent current: {:.4f} of these electrons{}\n", spectrum.persistent,
                     spectrum.chi.empty() ? "" : ", left out of the spectrum; with enough k points an insulator has none");
}

// Whether a current that stays can only be the error of too few k points: a level that is partly filled conducts, whatever the next one is.
bool insulates(const Settings& s, const GroundState& ground) {
  const double full = s.system.spins() == 1 ? 2 : 1;
  for (int spin = 0; spin < s.system.spins(); ++spin)
    for (const double f : occupations(s.system, spin))
      if (f > 1e-8 && f < full - 1e-8) return false;
  return gap_Ha(s, ground) >= least_gap_Ha;
}

}  // namespace

Solution solve(const Settings& settings, const Calculation& calculation) {
  Solution out{settings, calculation, {}, {}, {}};
  const auto& runs = calculation.progress.runs;
  if (runs.empty() || runs.back().steps() < fewest_steps) return out;
  if (settings.excitation == Excitation::laser)
    out.emission = emission({response_of(settings, runs[0], axis(0), -1), response_of(settings, runs[0], axis(1), -1),
                             response_of(settings, runs[0], axis(2), -1)},
                            settings.pulses.front().photon_energy, settings.spectrum);
  if (settings.excitation != Excitation::kick) return out;
  SpectrumSettings how = settings.spectrum;
  if (!periodic(settings)) how.persistent = PersistentCurrent::keep;
  if (how.persistent == PersistentCurrent::automatic && insulates(settings, calculation.progress.ground_state))
    how.persistent = PersistentCurrent::remove;
  // An interrupted run is not averaged with finished ones.
  if (static_cast<int>(runs.size()) == settings.runs() && runs.back().steps() == runs.front().steps())
    out.spectrum = spectrum(mean_response(settings, runs), how);
  for (size_t run = 0; settings.all_directions && run < runs.size(); ++run)
    if (runs[run].steps() >= fewest_steps)
      out.components.push_back(
          {static_cast<int>(run), spectrum(response_of(settings, runs[run], axis(static_cast<int>(run)), settings.kick), how)});
  for (int d = 0; !settings.all_directions && d < 3; ++d) {
    const double part = settings.direction[static_cast<size_t>(d)];
    if (part != 0 && std::abs(part) < 1 - 1e-12)
      out.components.push_back({d, spectrum(response_of(settings, runs[0], axis(d), settings.kick * part), how)});
  }
  return out;
}

std::vector<app::TextFile> text_files(const Solution& solution) {
  const Settings& s = solution.settings;
  std::vector<app::TextFile> files;
  const auto& runs = solution.calculation.progress.runs;
  for (size_t run = 0; run < runs.size(); ++run) {
    files.push_back({"dipole" + suffix(s, run) + ".dat", dipole_file(s, runs[run])});
    files.push_back({"energy" + suffix(s, run) + ".dat", energy_file(s, runs[run])});
  }
  if (const Trajectory& trajectory = solution.calculation.progress.trajectory; !trajectory.empty()) {
    files.push_back({"trajectory.xyz", trajectory_file(s, trajectory)});
    files.push_back({"ions.dat", ions_file(s, trajectory, ion_energies(s, solution.calculation.progress))});
  }
  if (solution.spectrum) files.push_back({"spectrum.dat", spectrum_file(s, *solution.spectrum)});
  for (const auto& c : solution.components)
    files.push_back({std::string("spectrum_") + "xyz"[c.axis] + ".dat", spectrum_file(s, c.spectrum)});
  if (solution.emission) files.push_back({"harmonics.dat", harmonics_file(*solution.emission)});
  return files;
}

std::string forces_table(const System& system, const std::vector<Vec3>& forces) {
  if (forces.empty()) return "";
  const auto row = [](const std::string& name, const Vec3& f) {
    return fmt::format("  {:8}{:13.8f} {:12.8f} {:12.8f}\n", name, f[0], f[1], f[2]);
  };
  std::string text = "forces on the ions (Ha/bohr)\n";
  for (size_t i = 0; i < std::min(forces.size(), most_levels); ++i)
    text += row(fmt::format("{:3} {}", i + 1, system.atoms[i].element), forces[i]);
  if (forces.size() > most_levels) text += fmt::format("       ... {} in all\n", forces.size());
  return text + row("  sum", total_force(forces)) +
         "       the sum is the grid's egg box: an energy that depends on where the atoms lie between its points\n";
}

namespace {

std::string levels_text(const char* of, const std::vector<double>& levels) {
  std::string text = std::string("  eigenvalues (eV)") + of;
  for (size_t n = 0; n < std::min(levels.size(), most_levels); ++n)
    text += fmt::format("{}{:10.4f}", n > 0 && n % 8 == 0 ? "\n                  " : "", levels[n] * hartree_eV);
  if (levels.size() > most_levels) text += fmt::format("\n                   ... {} in all", levels.size());
  return text + "\n";
}

std::optional<MagnetisationResult> magnetisation_of(const Settings& s, const GroundState& g) {
  if (g.spins == 1) return std::nullopt;
  MagnetisationResult out;
  for (const double m : g.magnetisation) out.total += m, out.absolute += std::abs(m);
  out.total *= s.system.grid.point_volume(), out.absolute *= s.system.grid.point_volume();
  return out;
}

}  // namespace

std::string ground_state_table(const Settings& s, const Calculation& c) {
  const GroundState& g = c.progress.ground_state;
  const auto& e = g.energies;
  std::string text = "\n";
  if (c.restarted) text += fmt::format("continued from {}, run {}, step {}\n", s.restart.string(), c.progress.run() + 1, c.restarted_at);
  text += fmt::format("ground state, {} iterations, residual {:.1e} Ha: total energy {:.8f} Ha\n", g.iterations, g.residual_Ha, e.total());
  text += fmt::format("  kinetic {:.6f}  local {:.6f}  nonlocal {:.6f}  Hartree {:.6f}  xc {:.6f}  ions {:.6f}\n", e.kinetic, e.local,
                      e.nonlocal, e.hartree, e.xc, e.ions);
  const std::vector<double> levels = levels_of(s, g);
  const size_t of_spin = levels.size() / static_cast<size_t>(g.spins);
  for (int spin = 0; spin < g.spins; ++spin) {
    const char* const of = g.spins == 1 ? "" : spin == 0 ? ", spin up" : ", spin down";
    text += levels_text(
        of, {levels.begin() + static_cast<int64_t>(of_spin) * spin, levels.begin() + static_cast<int64_t>(of_spin) * (spin + 1)});
  }
  if (const auto moment = magnetisation_of(s, g))
    text +=
        fmt::format("  magnetisation {:.6f}, of its absolute value {:.6f} (electrons up minus down)\n", moment->total, moment->absolute);
  if (has_core(s.system))
    text += fmt::format("  nonlinear core correction of {:.6f} electrons, {:.6f} on the grid\n", core_charge(s.system),
                        core_charge_on_grid(s.system));
  return text + forces_table(s.system, g.forces);
}

namespace {

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::string ions_table(const Settings& s, const Calculation& c) {
  const Trajectory& trajectory = c.progress.trajectory;
  if (trajectory.empty()) return "";
  const IonEnergies energies = ion_energies(s, c.progress);
  const Drift drift = drift_of(energies);
  std::string text = fmt::format("\nions, {} steps of {:.4g} fs", trajectory.now.step, s.ions.dt * atomic_time_fs);
  if (!s.propagation.absorber.there()) {
    text += fmt::format(": energy of electrons and ions conserved to {:.1e} Ha", drift.energy);
    if (drift.slope) text += fmt::format(", drift {:.1e} Ha/fs", *drift.slope);
    else text += " (too short a time for a drift)";
  }
  text += fmt::format("\n  kinetic energy of the ions: mean {:.6f} Ha ({:.1f} K), at the end {:.6f} Ha\n", mean(energies.kinetic),
                      temperature(s, mean(energies.kinetic)), energies.kinetic.back());
  if (c.ground_state_iterations > 0)
    text += fmt::format("  {:.1f} iterations per step, {:.3g} s per step\n",
                        static_cast<double>(c.ground_state_iterations) / static_cast<double>(trajectory.now.step),
                        c.propagation_s / static_cast<double>(trajectory.now.step - c.restarted_at));
  return text;
}

}  // namespace

std::string table(const Solution& solution) {
  const Settings& s = solution.settings;
  const auto& runs = solution.calculation.progress.runs;
  std::string text = ions_table(s, solution.calculation);
  if (runs.empty()) return text;
  const Drift drift = drift_of(runs, s.propagation.dt);
  const bool absorber = s.propagation.absorber.there();
  text += fmt::format("\npropagation, {} steps in {:.4g} s: ", runs.back().steps(), solution.calculation.propagation_s);
  text += absorber ? fmt::format("{:.6g} of {:g} electrons absorbed\n", drift.lost, s.system.electrons)
                   : fmt::format("energy conserved to {:.1e} Ha, number of electrons to {:.1e}\n", drift.energy, drift.electrons);
  if (drift.slope && !s.moving() && !absorber) text += fmt::format("  energy drift: {:.1e} Ha/fs\n", *drift.slope);
  if (s.excitation == Excitation::laser)
    text += fmt::format("laser      work done {:.6e} Ha, energy gained {:.6e} Ha{}\n", drift.work, drift.gained,
                        absorber ? " by the electrons that are left" : "");
  if (solution.spectrum) {
    text += "\n" + peaks_text(*solution.spectrum, s.all_directions ? "absorption, average of x, y and z" : "absorption");
    const double expected = expected_sum(s, solution.calculation.progress.sum_rule);
    text += fmt::format(
        "  f-sum {:.4f} over all energies, {:.4f} up to {:.4g} eV; exact on this grid {:.4f} (electrons: "
        "{:.4g})\n",
        solution.spectrum->sum, solution.spectrum->sum_in_range, s.spectrum.max_energy * hartree_eV, expected, s.system.electrons);
    if (periodic(s)) text += persistent_text(*solution.spectrum);
  }
  for (const auto& c : solution.components) text += peaks_text(c.spectrum, std::string("along ") + "xyz"[c.axis]);
  if (solution.emission) text += harmonics_text(*solution.emission);
  return text;
}

namespace {

GroundStateResult result_of(const Settings& s, const GroundState& g) {
  const auto& e = g.energies;
  return {e.total(),
          {e.kinetic, e.local, e.nonlocal, e.hartree, e.xc, e.ions},
          levels_of(s, g),
          occupations_of(s),
          g.lowest_empty_Ha,
          g.iterations,
          g.residual_Ha,
          g.forces,
          magnetisation_of(s, g),
          has_core(s.system) ? std::optional(core_charge_on_grid(s.system)) : std::nullopt};
}

SpectrumResult result_of(const Settings& s, const Spectrum& spectrum) {
  SpectrumResult out{peaks_of(spectrum), spectrum.sum, spectrum.sum_in_range, spectrum.resolution * hartree_eV, {}, {}};
  if (periodic(s)) out.dielectric_function = dielectric_of(s, spectrum), out.persistent = spectrum.persistent;
  return out;
}

PropagationResult propagation_of(const Settings& s, const Calculation& c) {
  const bool absorber = s.propagation.absorber.there();
  const auto& runs = c.progress.runs;
  const Drift drift = drift_of(runs, s.propagation.dt);
  return {runs.back().steps(),
          s.propagation.settling_steps,
          s.propagation.dt * atomic_time_fs,
          drift.energy,
          s.moving() || absorber ? std::nan("") : drift.slope.value_or(std::nan("")),
          drift.electrons,
          drift.work,
          drift.gained,
          c.propagation_s,
          absorber ? std::optional(drift.lost) : std::nullopt,
          c.restarted_at};
}

IonsResult ions_of(const Settings& s, const Calculation& c) {
  const Trajectory& trajectory = c.progress.trajectory;
  const IonEnergies energies = ion_energies(s, c.progress);
  const Drift drift = drift_of(energies);
  return {trajectory.now.step,
          s.ions.dt * atomic_time_fs,
          drift.energy,
          s.propagation.absorber.there() ? std::nan("") : drift.slope.value_or(std::nan("")),
          mean(energies.kinetic),
          temperature(s, mean(energies.kinetic)),
          trajectory.now.positions,
          trajectory.now.velocities,
          trajectory.now.forces};
}

}  // namespace

std::vector<app::TextFile> density_files(const Solution& solution, const std::string& title) {
  const Settings& s = solution.settings;
  if (s.density_file == DensityFile::none) return {};
  const Grid& grid = s.system.grid;
  app::DensityGrid density{title, {}, {}, grid.h, grid.points, periodic(s), solution.calculation.progress.ground_state.rho};
  for (size_t d = 0; d < 3; ++d) density.origin[d] = grid.coordinate(static_cast<int>(d), 0);
  for (const auto& atom : s.system.atoms) density.atoms.push_back({atom.element, pseudopotential(s.system, atom).charge, atom.position});
  const bool cube = s.density_file == DensityFile::cube;
  const auto file = [&](const char* name) {
    return app::TextFile{std::string(name) + (cube ? ".cube" : ".xsf"), cube ? cube_text(density) : xsf_text(density)};
  };
  std::vector<app::TextFile> files{file("density")};
  if (solution.calculation.density.size() != grid.size()) return files;
  density.values = solution.calculation.density;
  if (const Positions& end = solution.calculation.progress.trajectory.now.positions; !end.empty())
    for (size_t i = 0; i < end.size(); ++i) density.atoms[i].position = end[i];
  files.push_back(file("density_end"));
  return files;
}

nlohmann::ordered_json results(const Solution& solution) {
  const Settings& s = solution.settings;
  const Calculation& c = solution.calculation;
  TddftResults out;
  out.ground_state = result_of(s, c.progress.ground_state);
  out.grid = {s.system.grid.points, s.system.grid.h};
  for (const auto& file : s.pseudopotentials) {
    const Pseudopotential& p = *s.system.pseudopotentials.at(file.element);
    out.pseudopotentials.push_back({file.element, file.file, file.entry, file.sha256, p.functional, p.charge,
                                    p.core_charge > 0 ? std::optional(p.core_charge) : std::nullopt});
  }
  if (!c.progress.trajectory.empty()) out.ions = ions_of(s, c);
  if (!c.progress.runs.empty()) {
    out.propagation = propagation_of(s, c);
    if (solution.spectrum) out.spectrum = result_of(s, *solution.spectrum);
    out.f_sum_of_grid = expected_sum(s, c.progress.sum_rule);
    for (const auto& component : solution.components)
      out.components.push_back({std::string(1, "xyz"[component.axis]), {peaks_of(component.spectrum), component.spectrum.sum}});
    if (solution.emission)
      for (const auto& h : solution.emission->harmonics) out.harmonics.push_back({h.order, h.energy * hartree_eV, h.intensity});
    out.dipole_file = "dipole" + suffix(s, 0) + ".dat";
  }
  return app::json_of(out);
}

nlohmann::ordered_json results_schema() { return {{"oneOf", {app::schema_of<TddftResults>(), app::schema_of<BenchmarkResults>()}}}; }

}  // namespace suite::tddft
