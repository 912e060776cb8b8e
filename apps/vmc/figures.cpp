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
    series.x = curves.x;
    series.y = curves.curves[i].value;
    out.series.push_back(std::move(series));
  }
  return out;
}

// The running mean with its error bars, and the block means.
std::string energy_figure(const Settings& s, const VmcResult& r) {
  const auto n = static_cast<double>(s.system.netot());
  plot::Series blocks{"blocks", {}, {}, plot::Marker::open_circle, plot::Line::none}, mean = plot::line("mean"),
                                                                                      low = plot::line("mean - error", plot::Line::dashed),
                                                                                      high = plot::line("mean + error", plot::Line::dashed);
  for (const auto& t : r.trace) {
    for (auto* series : {&blocks, &mean, &low, &high}) series->x.push_back(t.steps);
    blocks.y.push_back(t.block_mean / n);
    mean.y.push_back(t.mean / n);
    low.y.push_back((t.mean - t.error) / n);
    high.y.push_back((t.mean + t.error) / n);
  }
  return plot::svg("VMC energy", {{"local energy", "energies of each walker", "Ha per electron", {blocks, mean, low, high}, {}, {}}});
}

}  // namespace

std::vector<app::TextFile> figures(const Settings& s, const VmcResult& r) {
  std::vector<app::TextFile> files{{"energy.svg", energy_figure(s, r)}};
  std::vector<plot::Panel> pairs;
  if (s.pair_correlation) pairs.push_back(panel("pair correlation function", "r (bohr)", "g", r.pair_correlation));
  if (s.structure_factor) pairs.push_back(panel("structure factor", "k (1/bohr)", "S", r.structure_factor));
  if (!pairs.empty()) files.push_back({"pairs.svg", plot::svg("Pairs of electrons", pairs)});
  if (s.density)
    files.push_back({"density.svg", plot::svg("Electron density", {panel("along the cell's vectors", "fraction of the vector",
                                                                         "electrons/bohr^3", r.density)})});
  return files;
}

}  // namespace suite::vmc
