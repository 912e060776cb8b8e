// SPDX-License-Identifier: BSD-3-Clause
#include "mixing.hpp"

#include <algorithm>
#include <cmath>

namespace suite::all_electron {

DensityMixer::DensityMixer(const Iteration& how, const GridMatrices& grid, std::vector<double> start, size_t columns, size_t measured)
    : grid_(grid),
      columns_(columns),
      measured_(measured),
      share_(how.mixing),
      density_(std::move(start)),
      history_(density_.size() / grid.n_points() / columns, app::Pulay(how.history)) {}

std::vector<double> DensityMixer::residuals(const std::vector<double>& out) const {
  std::vector<double> norms, change(grid_.n_points());
  for (size_t d = 0; d < n_dir(); ++d) {
    double square = 0;
    for (size_t c = 0; c < measured_; ++c) {
      const size_t first = at(c, d);
#pragma omp parallel for schedule(static)
      for (size_t i = 0; i < change.size(); ++i) change[i] = out[first + i] - density_[first + i];
      square += grid_.integral(change, change);
    }
    norms.push_back(std::sqrt(square));
  }
  return norms;
}

void DensityMixer::next(const std::vector<double>& out) {
  const size_t points = grid_.n_points();
  const auto product = [&](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (size_t c = 0; c < measured_; ++c) sum += grid_.integral({a.data() + c * points, points}, {b.data() + c * points, points});
    return sum;
  };
  for (size_t d = 0; d < n_dir(); ++d) {
    app::Pulay::Step step;
    step.in.resize(columns_ * points), step.residual.resize(columns_ * points);
    for (size_t c = 0; c < columns_; ++c) {
      const double *const in = &density_[at(c, d)], *const to = &out[at(c, d)];
#pragma omp parallel for schedule(static)
      for (size_t i = 0; i < points; ++i) step.in[c * points + i] = in[i], step.residual[c * points + i] = to[i] - in[i];
    }
    history_[d].add(std::move(step));
    const auto best = history_[d].best(product);
    for (size_t c = 0; c < columns_; ++c) {
      double* const next = &density_[at(c, d)];
#pragma omp parallel for schedule(static)
      for (size_t i = 0; i < points; ++i) next[i] = best.in[c * points + i] + share_ * best.residual[c * points + i];
    }
  }
}

}  // namespace suite::all_electron
