// SPDX-License-Identifier: BSD-3-Clause
#include "bands_output.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "measure/plot.hpp"

namespace suite::gw {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

std::string coordinates(const Vector3& k) {
  std::string text;
  for (const double x : k) text += fmt::format("{}{:.4g}", text.empty() ? "" : " ", std::abs(x) < 5e-5 ? 0.0 : x);
  return text;
}

std::string where_text(const BandEdge& edge) {
  return edge.place.empty()      ? "(" + coordinates(edge.k) + ")"
         : edge.place == "Gamma" ? edge.place
                                 : edge.place + " (" + coordinates(edge.k) + ")";
}

std::string greek(std::string label) { return label == "Gamma" ? "Γ" : label; }

// Labels by distance; the two ends of a jump share one.
std::vector<std::pair<double, std::string>> marks(const BandStructure& bands) {
  std::vector<std::pair<double, std::string>> all;
  for (const auto& point : bands.points) {
    if (point.label.empty()) continue;
    if (point.jump) all.back().second += "|" + greek(point.label);
    else all.emplace_back(point.distance, greek(point.label));
  }
  return all;
}

double zero_of(const std::optional<BandEdges>& edges) { return edges ? edges->valence_top.energy : 0; }

}  // namespace

std::string bands_file(const BandStructure& bands) {
  std::string text = "# bands along " + bands.path + "\n# distance in 1/bohr; k in crystal coordinates; energies in eV\n";
  for (const auto& point : bands.points)
    if (!point.label.empty()) text += fmt::format("# {:12.7f}  {}\n", point.distance, point.label);
  text += fmt::format("#{:>11}{:>13}{:>13}{:>13}{:>16}{:>16}\n", "distance", "k1", "k2", "k3", "mean field", "quasiparticle");
  for (size_t band = 0; band < bands.levels[0].mean_field.size(); ++band) {
    text += fmt::format("{}# band {}\n", band ? "\n\n" : "", bands.first_band + static_cast<int>(band));
    for (size_t i = 0; i < bands.points.size(); ++i) {
      const auto& point = bands.points[i];
      if (point.jump) text += '\n';
      text += fmt::format("{:12.7f}{:13.8f}{:13.8f}{:13.8f}{:16.9f}{:16.9f}\n", point.distance, point.k[0], point.k[1], point.k[2],
                          bands.levels[i].mean_field[band], bands.levels[i].quasiparticle(band));
    }
  }
  return text;
}

std::string dos_file(const BandStructure& bands) {
  const DensityOfStates& dos = bands.dos;
  std::string text = fmt::format(
      "# density of states on a {} x {} x {} k grid, Gaussians of {:g} eV; states per eV and cell, both spins\n"
      "# complete below {:.4f} eV: above, bands that were not computed contribute\n#{:>13}{:>16}{:>16}\n",
      dos.grid[0], dos.grid[1], dos.grid[2], dos.width, dos.complete_below, "energy (eV)", "mean field", "quasiparticle");
  for (size_t i = 0; i < dos.energy.size(); ++i)
    text += fmt::format("{:14.6f}{:16.8f}{:16.8f}\n", dos.energy[i], dos.mean_field[i], dos.quasiparticle[i]);
  return text;
}

std::string bands_plot(const BandStructure& bands, const std::string& system) {
  const double mean_field_zero = zero_of(bands.mean_field), quasiparticle_zero = zero_of(bands.quasiparticle);
  const bool relative = bands.quasiparticle.has_value();
  plot::Series mean_field = plot::line("mean field", plot::Line::dashed), quasiparticle = plot::line("quasiparticle");
  mean_field.colour = "#888", quasiparticle.colour = "#0072b2";
  plot::Series computed{"computed", {}, {}, plot::Marker::open_circle, plot::Line::none, {}, "#d55e00"};
  const size_t count = bands.levels[0].mean_field.size();
  // Up to where all bands were computed.
  double bottom = INFINITY;
  for (const auto& levels : bands.levels)
    bottom = std::min({bottom, levels.mean_field[0] - mean_field_zero, levels.quasiparticle(0) - quasiparticle_zero});
  const double top = bands.dos.complete_below - quasiparticle_zero;
  const auto margin = 0.04 * (top - bottom);
  const plot::Range range{bottom - margin, top + margin};
  const auto inside = [&](double e) { return e >= range.low && e <= range.high ? e : nothing; };
  for (size_t band = 0; band < count; ++band)
    for (size_t i = 0; i <= bands.points.size(); ++i) {
      const bool end = i == bands.points.size();
      if (end || bands.points[i].jump)
        for (plot::Series* series : {&mean_field, &quasiparticle}) series->x.push_back(nothing), series->y.push_back(nothing);
      if (end) break;
      const double x = bands.points[i].distance;
      mean_field.x.push_back(x);
      mean_field.y.push_back(inside(bands.levels[i].mean_field[band] - mean_field_zero));
      quasiparticle.x.push_back(x);
      quasiparticle.y.push_back(inside(bands.levels[i].quasiparticle(band) - quasiparticle_zero));
      if (!bands.computed[i]) continue;
      computed.x.push_back(x);
      computed.y.push_back(quasiparticle.y.back());
    }
  plot::Panel along{"Bands along " + bands.path,           "",           relative ? "E − E_{VBM} (eV)" : "E (eV)",
                    {mean_field, quasiparticle, computed}, marks(bands), {}};
  for (size_t at; (at = along.title.find("Gamma")) != std::string::npos;) along.title.replace(at, 5, "Γ");
  along.x_lines = true;
  along.y_range = range;
  along.width = 640, along.height = 420;
  plot::Series dos_before = plot::line("", plot::Line::dashed), dos_after = plot::line("");
  dos_before.colour = mean_field.colour, dos_after.colour = quasiparticle.colour;
  const DensityOfStates& dos = bands.dos;
  for (size_t i = 0; i < dos.energy.size(); ++i) {
    dos_before.x.push_back(dos.mean_field[i]);
    dos_before.y.push_back(inside(dos.energy[i] - mean_field_zero));
    dos_after.x.push_back(dos.quasiparticle[i]);
    dos_after.y.push_back(inside(dos.energy[i] - quasiparticle_zero));
  }
  plot::Panel states{"Density of states", "states per eV and cell", "", {dos_before, dos_after}, {}, {}};
  states.y_range = range;
  states.width = 340, states.height = along.height;
  if (bands.quasiparticle) {
    along.bands.push_back({0, bands.quasiparticle->gap(), ""});
    states.bands = along.bands;
  }
  std::string title = "Quasiparticle bands, " + (system.empty() ? std::string("GW") : system);
  if (bands.quasiparticle)
    title += fmt::format(": gap {:.3f} eV, mean field {:.3f} eV", bands.quasiparticle->gap(), bands.mean_field->gap());
  return plot::svg(title, {along, states});
}

std::string bands_table(const BandStructure& bands) {
  std::string text = fmt::format("bands along {}, {} points, from {} k points\n", bands.path, bands.points.size(), bands.known);
  const auto line = [&](const char* what, const std::optional<BandEdges>& edges) {
    if (!edges) return;
    text += fmt::format("{:>15} {:9.4f} eV from {} to {}; direct {:.4f} eV at {}\n", what, edges->gap(), where_text(edges->valence_top),
                        where_text(edges->conduction_bottom), edges->direct.energy, where_text(edges->direct));
  };
  line("gap, mean field", bands.mean_field);
  line("quasiparticle", bands.quasiparticle);
  for (const HeldOut& held : bands.held_out) {
    text += held.of == "run" ? fmt::format("held out: each k point of the run from the others")
                             : fmt::format("held out: {} points of {}", held.points, held.of);
    text += fmt::format(", error of the mean field {:.3f} eV (rms; largest {:.3f})", held.mean_field_rms, held.mean_field_worst);
    if (held.quasiparticle_rms)
      text += fmt::format(", with corrections {:.3f} ({:.3f})", *held.quasiparticle_rms, *held.quasiparticle_worst);
    text += '\n';
  }
  return text;
}

BandsResult bands_results(const BandStructure& bands) {
  BandsResult out;
  out.path = bands.path;
  out.lattice = bands.lattice;
  out.first_band = bands.first_band;
  out.k_points_known = bands.known;
  const auto edge = [](const BandEdge& e) { return EdgeResult{e.energy, e.k, e.place}; };
  const auto edges = [&](const std::optional<BandEdges>& e) -> std::optional<BandEdgesResult> {
    if (!e) return {};
    return BandEdgesResult{e->gap(), e->direct.energy, edge(e->valence_top), edge(e->conduction_bottom), edge(e->direct)};
  };
  out.mean_field = edges(bands.mean_field);
  out.quasiparticle = edges(bands.quasiparticle);
  for (const HeldOut& held : bands.held_out)
    out.held_out.push_back(
        {held.of, held.points, held.mean_field_rms, held.mean_field_worst, held.quasiparticle_rms, held.quasiparticle_worst});
  for (size_t i = 0; i < bands.points.size(); ++i) {
    PathPointResult& point = out.points.emplace_back();
    point.label = bands.points[i].label;
    point.k = bands.points[i].k;
    point.distance = bands.points[i].distance;
    point.mean_field = bands.levels[i].mean_field;
    for (size_t band = 0; band < point.mean_field.size(); ++band) point.quasiparticle.push_back(bands.levels[i].quasiparticle(band));
  }
  const DensityOfStates& dos = bands.dos;
  out.dos = {dos.grid, dos.width, dos.complete_below, dos.energy, dos.mean_field, dos.quasiparticle};
  return out;
}

}  // namespace suite::gw
