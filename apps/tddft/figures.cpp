// SPDX-License-Identifier: BSD-3-Clause
#include "figures.hpp"

#include <algorithm>

#include "measure/plot.hpp"

namespace suite::tddft {
namespace {

constexpr size_t most_points = 1500;  // per line; more would be invisible

std::string spectrum_figure(const Solution& solution, const std::string& title) {
  const bool periodic = solution.settings.system.boundary == Boundary::periodic;
  plot::Panel panel{"dipole strength function", "energy (eV)", "S (eV⁻¹)", {}, {}, {}};
  const auto add = [&](const Spectrum& s, const std::string& name, plot::Line style) {
    plot::Series curve = plot::line(name, style);
    for (size_t i = 0; i < s.energy.size(); ++i) {
      curve.x.push_back(s.energy[i] * hartree_eV);
      curve.y.push_back(s.strength[i] / hartree_eV);
    }
    panel.series.push_back(curve);
  };
  if (solution.spectrum)
    add(*solution.spectrum, solution.settings.all_directions ? "mean of x, y, z" : "along the field", plot::Line::solid);
  for (const auto& c : solution.components) add(c.spectrum, std::string(1, "xyz"[c.axis]), plot::Line::dashed);
  plot::Panel second{periodic ? "dielectric function" : "polarizability", "energy (eV)", periodic ? "ε" : "α (bohr³)", {}, {}, {}};
  if (solution.spectrum) {
    plot::Series re = plot::line(periodic ? "Re ε" : "Re α"), im = plot::line(periodic ? "Im ε" : "Im α", plot::Line::dashed);
    const auto& s = *solution.spectrum;
    for (size_t i = 1; i < s.energy.size(); ++i) {
      const auto value = periodic ? dielectric(s, solution.settings.system.grid.volume(), i) : s.response[i];
      if (periodic && s.chi.empty() && s.energy[i] * hartree_eV < 1) continue;  // the persistent current would hide everything else
      re.x.push_back(s.energy[i] * hartree_eV), re.y.push_back(value.real());
      im.x.push_back(s.energy[i] * hartree_eV), im.y.push_back(value.imag());
    }
    second.series = {re, im};
  }
  return plot::svg("Absorption, " + title, {panel, second});
}

std::string harmonics_figure(const Solution& solution, const std::string& title) {
  const Emission& emission = *solution.emission;
  plot::Panel panel{"light sent out", "photon energy over that of the laser", "S (Ha/Ha)", {}, {}, {}};
  panel.log_y = true;
  plot::Series total = plot::line("S");
  for (size_t i = 1; i < emission.energy.size(); ++i) {
    total.x.push_back(emission.energy[i] / solution.settings.pulses.front().photon_energy);
    total.y.push_back(emission.intensity[i][0] + emission.intensity[i][1] + emission.intensity[i][2]);
  }
  panel.series = {total};
  return plot::svg("Harmonics, " + title, {panel});
}

std::string dipole_figure(const Solution& solution, const std::string& title) {
  const Settings& s = solution.settings;
  const auto& runs = solution.calculation.progress.runs;
  const bool current = s.system.boundary == Boundary::periodic;
  plot::Panel moves{current      ? "current"
                    : s.opposite ? "dipole of the magnetisation"
                                 : "dipole",
                    "time (fs)",
                    current ? "j (bohr Ha/ħ)" : "d − d(0) (e bohr)",
                    {},
                    {},
                    {}};
  plot::Panel energy{"energy", "time (fs)", "E − E(0) (Ha)", {}, {}, {}};
  plot::Panel absorbed{"ionisation", "time (fs)", "electrons absorbed", {}, {}, {}};
  for (size_t run = 0; run < runs.size(); ++run) {
    const TimeSeries& series = runs[run];
    const size_t stride = std::max<size_t>(1, series.dipole.size() / most_points);
    const std::vector<Vec3>& dipole = s.opposite ? series.spin_dipole : series.dipole;
    for (size_t d = 0; d < 3; ++d) {
      if (!s.drives(static_cast<int>(run), d)) continue;
      plot::Series curve = plot::line(std::string(1, "xyz"[d]), d == 2 ? plot::Line::solid : plot::Line::dashed);
      for (size_t n = 0; n < series.dipole.size(); n += stride) {
        curve.x.push_back(static_cast<double>(n) * s.propagation.dt * atomic_time_fs);
        curve.y.push_back(current ? series.current[n][d] : dipole[n][d] - dipole[0][d]);
      }
      moves.series.push_back(curve);
    }
    const std::string name = s.all_directions ? std::string("run ") + "xyz"[run] : "";
    plot::Series gone = plot::line(name.empty() ? "absorbed" : name);
    for (size_t n = 0; n < series.electrons.size(); n += stride) {
      gone.x.push_back(static_cast<double>(n) * s.propagation.dt * atomic_time_fs);
      gone.y.push_back(series.electrons.front() - series.electrons[n]);
    }
    absorbed.series.push_back(gone);
    plot::Series total = plot::line(name.empty() ? "energy" : name);
    plot::Series work = plot::line("work of the laser", plot::Line::dashed);
    for (const auto& sample : series.energies) {
      total.x.push_back(static_cast<double>(sample.step) * s.propagation.dt * atomic_time_fs);
      total.y.push_back(sample.total() - series.energies.front().total());
      work.x.push_back(total.x.back());
      work.y.push_back(sample.total_work());
    }
    energy.series.push_back(total);
    if (s.excitation == Excitation::laser) energy.series.push_back(work);
  }
  if (!s.propagation.absorber.there()) return plot::svg("Electrons in motion, " + title, {moves, energy});
  return plot::svg("Electrons in motion, " + title, {moves, energy, absorbed});
}

// The plane y = 0: density at rest, and its change at the end.
std::string density_figure(const Solution& solution, const std::string& title) {
  const Grid& grid = solution.settings.system.grid;
  const auto slice = [&](const char* name, const std::vector<double>& rho, const std::vector<double>* minus, bool with_sign) {
    plot::Map map;
    map.columns = grid.points[2], map.rows = grid.points[0];
    map.x_low = (-grid.points[2] / 2 - 0.5) * grid.h[2], map.x_high = map.x_low + grid.length(2);
    map.y_low = (-grid.points[0] / 2 - 0.5) * grid.h[0], map.y_high = map.y_low + grid.length(0);
    map.signed_ = with_sign;
    map.unit = "bohr⁻³";
    for (int iz = 0; iz < grid.points[2]; ++iz)
      for (int ix = 0; ix < grid.points[0]; ++ix) {
        const size_t at = grid.index(ix, grid.points[1] / 2, iz);
        map.value.push_back(rho[at] - (minus ? (*minus)[at] : 0));
      }
    plot::Panel panel{name, "z (bohr)", "x (bohr)", {}, {}, {}};
    panel.map = map;
    return panel;
  };
  const auto& at_rest = solution.calculation.progress.ground_state.rho;
  std::vector<plot::Panel> panels{slice("density at rest, y = 0", at_rest, nullptr, false)};
  if (solution.calculation.density.size() == at_rest.size())
    panels.push_back(slice("change at the end", solution.calculation.density, &at_rest, true));
  return plot::svg("Electron density, " + title, panels);
}

}  // namespace

std::vector<app::TextFile> figures(const Solution& solution, const std::string& title) {
  std::vector<app::TextFile> out;
  if (solution.spectrum || !solution.components.empty()) out.push_back({"spectrum.svg", spectrum_figure(solution, title)});
  if (solution.emission) out.push_back({"harmonics.svg", harmonics_figure(solution, title)});
  if (!solution.calculation.progress.runs.empty()) out.push_back({"dipole.svg", dipole_figure(solution, title)});
  const Grid& grid = solution.settings.system.grid;
  if (grid.points[0] > 1 && grid.points[2] > 1) out.push_back({"density.svg", density_figure(solution, title)});
  return out;
}

}  // namespace suite::tddft
