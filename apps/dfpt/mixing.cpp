// SPDX-License-Identifier: BSD-3-Clause
#include "mixing.hpp"

#include <algorithm>
#include <cmath>

namespace suite::all_electron {

DensityMixer::DensityMixer(const Iteration& how, const GridMatrices& grid, std::vector<double> start)
    : grid_(grid), share_(how.mixing), density_(std::move(start)), history_(density_.size() / grid.n_points(), app::Pulay(how.history)) {}

std::vector<double> DensityMixer::residuals(const std::vector<double>& out) const {
  std::vector<double> norms, change(grid_.n_points());
  for (size_t d = 0; d < n_dir(); ++d) {
    const size_t first = d * change.size();
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < change.size(); ++i) change[i] = out[first + i] - density_[first + i];
    norms.push_back(std::sqrt(grid_.integral(change, change)));
  }
  return norms;
}

void DensityMixer::next(const std::vector<double>& out) {
  const size_t points = grid_.n_points();
  for (size_t d = 0; d < n_dir(); ++d) {
    const auto in = density_.begin() + static_cast<std::ptrdiff_t>(d * points);
    app::Pulay::Step step{{in, in + static_cast<std::ptrdiff_t>(points)}, {}};
    step.residual.resize(points);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < points; ++i) step.residual[i] = out[d * points + i] - step.in[i];
    history_[d].add(std::move(step));
    const auto best = history_[d].best([&](const auto& a, const auto& b) { return grid_.integral(a, b); });
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < points; ++i) density_[d * points + i] = best.in[i] + share_ * best.residual[i];
  }
}

double seconds_left(double first, double now, double tolerance, double seconds) {
  if (!(now < first) || now <= tolerance) return 0;
  return seconds * std::log(now / tolerance) / std::log(first / now);
}

}  // namespace suite::all_electron
