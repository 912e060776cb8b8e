// SPDX-License-Identifier: BSD-3-Clause
// Figures of a VMC run.
#include <cmath>

#include "measure/plot.hpp"
#include "vmc.hpp"

namespace suite::vmc {
namespace {

plot::Panel panel(const std::string& title, const std::string& x, const std::string& y, const Curves& curves) {
  plot::Panel out{title, x, y, {}, {}, {}};
  for (size_t i = 0; i < curves.curves.size(); ++i) {
    plot::Series series = plot::line(curves.curves[i].name, i == 0 ? plot::Line::solid : plot::Line::dashed);
    const auto& [name_of_kind, value, error] = curves.curves[i];
    series.x = curves.x;
    series.y = value;
    for (size_t n = 0; n < value.size(); ++n) {
      series.low.push_back(value[n] - error[n]);
      series.high.push_back(value[n] + error[n]);
    }
    out.series.push_back(std::move(series));
  }
  return out;
}

// The running mean with its error bars, and the block means.
std::string energy_figure(const Settings& s, const VmcResult& r) {
  const auto n = static_cast<double>(s.system.netot());
  plot::Series blocks{"blocks", {}, {}, plot::Marker::open_circle, plot::Line::none}, mean = plot::line("mean ± standard error");
  for (const auto& t : r.trace) {
    for (auto* series : {&blocks, &mean}) series->x.push_back(t.steps);
    blocks.y.push_back(t.block_mean / n);
    mean.y.push_back(t.mean / n);
    mean.low.push_back((t.mean - t.error) / n);
    mean.high.push_back((t.mean + t.error) / n);
  }
  return plot::svg("VMC energy", {{"local energy", "energies of each walker", "E (Ha per electron)", {mean, blocks}, {}, {}}});
}

}  // namespace

std::vector<app::TextFile> figures(const Settings& s, const VmcResult& r) {
  std::vector<app::TextFile> files{{"energy.svg", energy_figure(s, r)}};
  std::vector<plot::Panel> pairs;
  if (s.pair_correlation) pairs.push_back(panel("pair correlation function", "r (bohr)", "g(r)", r.pair_correlation));
  if (s.structure_factor) pairs.push_back(panel("structure factor", "k (bohr⁻¹)", "S(k)", r.structure_factor));
  if (!pairs.empty()) files.push_back({"pairs.svg", plot::svg("Pairs of electrons (bands: standard errors)", pairs)});
  if (s.density)
    files.push_back({"density.svg", plot::svg("Electron density",
                                              {panel("along the cell's vectors", "fraction of the vector", "n (bohr⁻³)", r.density)})});
  return files;
}

}  // namespace suite::vmc
