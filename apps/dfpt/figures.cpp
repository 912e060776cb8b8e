// SPDX-License-Identifier: BSD-3-Clause
// Figure of a run's convergence.
#include "measure/plot.hpp"
#include "calculation.hpp"

namespace suite::all_electron {
namespace {

plot::Panel panel(const std::string& title) {
  plot::Panel empty{title, "iteration", "residual of the density", {}, {}, {}};
  empty.log_y = true;
  return empty;
}

void add(plot::Series& series, size_t iteration, double residual) {
  if (!(residual > 0)) return;  // exactly 0, or not requested
  series.x.push_back(static_cast<double>(iteration));
  series.y.push_back(residual);
}

}  // namespace

std::string convergence_figure(const Calculated& o) {
  plot::Series scf{"density", {}, {}, plot::Marker::filled_circle, plot::Line::solid};
  for (size_t i = 0; i < o.ground.steps.size(); ++i) add(scf, i + 1, o.ground.steps[i].residual);
  std::vector<plot::Panel> panels{panel("ground state")};
  panels[0].series.push_back(std::move(scf));
  if (o.response) {
    panels.push_back(panel("response"));
    constexpr plot::Marker markers[] = {plot::Marker::filled_circle, plot::Marker::open_square, plot::Marker::triangle};
    for (size_t d = 0; d < 3; ++d) {
      plot::Series series{std::string("field along ") + "xyz" [d], {}, {}, markers[d], plot::Line::solid};
      for (size_t i = 0; i < o.response->steps.size(); ++i) add(series, i + 1, o.response->steps[i].residual[d]);
      if (!series.x.empty()) panels[1].series.push_back(std::move(series));
    }
  }
  return plot::svg("Convergence of the density", panels);
}

}  // namespace suite::all_electron
