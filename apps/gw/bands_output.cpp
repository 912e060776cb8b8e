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

size_t spins_of(const BandStructure& bands) { return bands.levels[0].size(); }

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

// The top of the valence bands or the Fermi level; 0 where neither was found.
double zero_of(const std::optional<BandEdges>& edges, const std::optional<double>& fermi) {
  return edges ? edges->valence_top.energy : fermi.value_or(0);
}

// "mean field", "mean field 2"
std::string column(const char* name, size_t spin) { return spin == 0 ? name : fmt::format("{} {}", name, spin + 1); }

}  // namespace

std::string bands_file(const BandStructure& bands) {
  std::string text = "# bands along " + bands.path + "\n# distance in 1/bohr; k in crystal coordinates; energies in eV\n";
  for (const auto& point : bands.points)
    if (!point.label.empty()) text += fmt::format("# {:12.7f}  {}\n", point.distance, point.label);
  text += fmt::format("#{:>11}{:>13}{:>13}{:>13}", "distance", "k1", "k2", "k3");
  for (size_t spin = 0; spin < spins_of(bands); ++spin)
    text += fmt::format("{:>16}{:>16}", column("mean field", spin), column("quasiparticle", spin));
  text += '\n';
  for (size_t band = 0; band < bands.levels[0][0].mean_field.size(); ++band) {
    text += fmt::format("{}# band {}\n", band ? "\n\n" : "", bands.first_band + static_cast<int>(band));
    for (size_t i = 0; i < bands.points.size(); ++i) {
      const auto& point = bands.points[i];
      if (point.jump) text += '\n';
      text += fmt::format("{:12.7f}{:13.8f}{:13.8f}{:13.8f}", point.distance, point.k[0], point.k[1], point.k[2]);
      for (const LevelsAtK& levels : bands.levels[i])
        text += fmt::format("{:16.9f}{:16.9f}", levels.mean_field[band], levels.quasiparticle(band));
      text += '\n';
    }
  }
  return text;
}

std::string dos_file(const BandStructure& bands) {
  const DensityOfStates& dos = bands.dos;
  std::string text = fmt::format(
      "# density of states on a {} x {} x {} k grid, Gaussians of {:g} eV; states per eV and cell, {}\n"
      "# complete below {:.4f} eV: above, bands that were not computed contribute\n#{:>13}",
      dos.grid[0], dos.grid[1], dos.grid[2], dos.width, spins_of(bands) == 2 ? "by spin" : "both spins", dos.complete_below, "energy (eV)");
  for (size_t spin = 0; spin < spins_of(bands); ++spin)
    text += fmt::format("{:>16}{:>16}", column("mean field", spin), column("quasiparticle", spin));
  text += '\n';
  for (size_t i = 0; i < dos.energy.size(); ++i) {
    text += fmt::format("{:14.6f}", dos.energy[i]);
    for (size_t spin = 0; spin < spins_of(bands); ++spin)
      text += fmt::format("{:16.8f}{:16.8f}", dos.mean_field[spin][i], dos.quasiparticle[spin][i]);
    text += '\n';
  }
  return text;
}

namespace {

constexpr const char* grey = "#888";
constexpr const char* quasiparticle_colour[] = {"#0072b2", "#cc79a7"};  // by spin

// The two panels share their energies: from the lowest band up to where all bands were computed.
class BandsFigure {
public:
  explicit BandsFigure(const BandStructure& bands)
      : bands_(bands), zero_{zero_of(bands.mean_field, bands.fermi_mean_field), zero_of(bands.quasiparticle, bands.fermi_quasiparticle)} {
    double bottom = INFINITY;
    for (const auto& at : bands.levels)
      for (const auto& levels : at) bottom = std::min({bottom, levels.mean_field[0] - zero_[0], levels.quasiparticle(0) - zero_[1]});
    const double top = bands.dos.complete_below - zero_[1], margin = 0.04 * (top - bottom);
    range_ = {bottom - margin, top + margin};
  }

  plot::Panel along_the_path() const {
    std::vector<plot::Series> mean_field, quasiparticle;
    plot::Series computed{"computed", {}, {}, plot::Marker::open_circle, plot::Line::none, {}, "#d55e00"};
    for (size_t spin = 0; spin < spins_of(bands_); ++spin) {
      mean_field.push_back(plot::line(spin == 0 ? "mean field" : "", plot::Line::dashed));
      mean_field.back().colour = grey;
      quasiparticle.push_back(plot::line(spins_of(bands_) == 2 ? fmt::format("quasiparticle, spin {}", spin + 1) : "quasiparticle"));
      quasiparticle.back().colour = quasiparticle_colour[spin];
      for (size_t band = 0; band < bands_.levels[0][spin].mean_field.size(); ++band)
        add_band(spin, band, mean_field.back(), quasiparticle.back(), computed);
    }
    mean_field.insert(mean_field.end(), quasiparticle.begin(), quasiparticle.end());
    mean_field.push_back(computed);
    const char* energy = bands_.quasiparticle ? "E − E_{VBM} (eV)" : bands_.fermi_quasiparticle ? "E − E_{F} (eV)" : "E (eV)";
    plot::Panel panel{"Bands along " + bands_.path, "", energy, std::move(mean_field), marks(bands_), {}};
    for (size_t at; (at = panel.title.find("Gamma")) != std::string::npos;) panel.title.replace(at, 5, "Γ");
    panel.x_lines = true;
    panel.y_range = range_;
    panel.width = 640, panel.height = height;
    panel.bands = gap();
    return panel;
  }

  // The second spin to the left.
  plot::Panel density_of_states() const {
    const DensityOfStates& dos = bands_.dos;
    plot::Panel panel{"Density of states", "states per eV and cell", "", {}, {}, {}};
    for (size_t spin = 0; spin < spins_of(bands_); ++spin) {
      plot::Series before = plot::line("", plot::Line::dashed), after = plot::line("");
      before.colour = grey, after.colour = quasiparticle_colour[spin];
      const double side = spin == 0 ? 1 : -1;
      for (size_t i = 0; i < dos.energy.size(); ++i) {
        before.x.push_back(side * dos.mean_field[spin][i]);
        before.y.push_back(inside(dos.energy[i] - zero_[0]));
        after.x.push_back(side * dos.quasiparticle[spin][i]);
        after.y.push_back(inside(dos.energy[i] - zero_[1]));
      }
      panel.series.push_back(std::move(before));
      panel.series.push_back(std::move(after));
    }
    panel.y_range = range_;
    panel.width = 340, panel.height = height;
    panel.bands = gap();
    return panel;
  }

private:
  static constexpr double height = 420;
  double inside(double e) const { return e >= range_.low && e <= range_.high ? e : nothing; }
  std::vector<plot::Band> gap() const {
    if (!bands_.quasiparticle || !(bands_.quasiparticle->gap() > 0)) return {};
    return {{0, bands_.quasiparticle->gap(), ""}};
  }
  void add_band(size_t spin, size_t band, plot::Series& mean_field, plot::Series& quasiparticle, plot::Series& computed) const {
    for (size_t i = 0; i <= bands_.points.size(); ++i) {
      const bool end = i == bands_.points.size();
      if (end || bands_.points[i].jump)
        for (plot::Series* series : {&mean_field, &quasiparticle}) series->x.push_back(nothing), series->y.push_back(nothing);
      if (end) return;
      const double x = bands_.points[i].distance;
      mean_field.x.push_back(x);
      mean_field.y.push_back(inside(bands_.levels[i][spin].mean_field[band] - zero_[0]));
      quasiparticle.x.push_back(x);
      quasiparticle.y.push_back(inside(bands_.levels[i][spin].quasiparticle(band) - zero_[1]));
      if (!bands_.computed[i]) continue;
      computed.x.push_back(x);
      computed.y.push_back(quasiparticle.y.back());
    }
  }

  const BandStructure& bands_;
  double zero_[2];  // of the mean field, of quasiparticles
  plot::Range range_{};
};

}  // namespace

std::string bands_plot(const BandStructure& bands, const std::string& system) {
  const BandsFigure figure(bands);
  std::string title = "Quasiparticle bands, " + (system.empty() ? std::string("GW") : system);
  if (bands.quasiparticle)
    title += fmt::format(": gap {:.3f} eV, mean field {:.3f} eV", bands.quasiparticle->gap(), bands.mean_field->gap());
  return plot::svg(title, {figure.along_the_path(), figure.density_of_states()});
}

std::string bands_table(const BandStructure& bands) {
  std::string text = fmt::format("bands along {}, {} points, from {} k points\n", bands.path, bands.points.size(), bands.known);
  const auto line = [&](const char* what, const std::optional<BandEdges>& edges) {
    if (!edges) return;
    const auto end = [&](const BandEdge& edge) {
      return where_text(edge) + (spins_of(bands) == 2 ? fmt::format(" of spin {}", edge.spin) : "");
    };
    text += fmt::format("{:>15} {:9.4f} eV from {} to {}; direct {:.4f} eV at {}\n", what, edges->gap(), end(edges->valence_top),
                        end(edges->conduction_bottom), edges->direct.energy, where_text(edges->direct));
  };
  line("gap, mean field", bands.mean_field);
  line("quasiparticle", bands.quasiparticle);
  if (bands.fermi_mean_field && bands.fermi_quasiparticle)
    text += fmt::format("Fermi level {:.4f} eV of the mean field, {:.4f} of quasiparticles, on a {} x {} x {} k grid\n",
                        *bands.fermi_mean_field, *bands.fermi_quasiparticle, bands.dos.grid[0], bands.dos.grid[1], bands.dos.grid[2]);
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
  const bool both = spins_of(bands) == 2;
  const auto place = [](const BandEdge& e) { return EdgeResult{e.energy, e.k, e.place, {}}; };
  const auto edge = [&](const BandEdge& e) {
    EdgeResult to = place(e);
    if (both) to.spin = e.spin;
    return to;
  };
  const auto edges = [&](const std::optional<BandEdges>& e) -> std::optional<BandEdgesResult> {
    if (!e) return {};
    return BandEdgesResult{e->gap(), e->direct.energy, edge(e->valence_top), edge(e->conduction_bottom), place(e->direct)};
  };
  out.mean_field = edges(bands.mean_field);
  out.quasiparticle = edges(bands.quasiparticle);
  out.fermi_mean_field = bands.fermi_mean_field;
  out.fermi_quasiparticle = bands.fermi_quasiparticle;
  for (const HeldOut& held : bands.held_out)
    out.held_out.push_back(
        {held.of, held.points, held.mean_field_rms, held.mean_field_worst, held.quasiparticle_rms, held.quasiparticle_worst});
  for (size_t i = 0; i < bands.points.size(); ++i) {
    PathPointResult& point = out.points.emplace_back();
    point.label = bands.points[i].label;
    point.k = bands.points[i].k;
    point.distance = bands.points[i].distance;
    const auto quasiparticles = [&](size_t spin) {
      std::vector<double> energies;
      const LevelsAtK& levels = bands.levels[i][spin];
      for (size_t band = 0; band < levels.mean_field.size(); ++band) energies.push_back(levels.quasiparticle(band));
      return energies;
    };
    point.mean_field = bands.levels[i][0].mean_field;
    point.quasiparticle = quasiparticles(0);
    if (!both) continue;
    point.mean_field_2 = bands.levels[i][1].mean_field;
    point.quasiparticle_2 = quasiparticles(1);
  }
  const DensityOfStates& dos = bands.dos;
  out.dos = {dos.grid, dos.width, dos.complete_below, dos.energy, dos.mean_field[0], dos.quasiparticle[0], {}, {}};
  if (both) out.dos.mean_field_2 = dos.mean_field[1], out.dos.quasiparticle_2 = dos.quasiparticle[1];
  return out;
}

}  // namespace suite::gw
