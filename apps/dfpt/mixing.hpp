// SPDX-License-Identifier: BSD-3-Clause
// Mixes densities on the integration grid towards self-consistency, each direction separately, and with them their gradients.
#pragma once

#include <vector>

#include "base/dense/pulay.hpp"
#include "grid_matrices.hpp"
#include "settings.hpp"

namespace suite::all_electron {

class DensityMixer {
public:
  // start(n_points,n_dir,n_columns) at this process's points: `measured` columns of densities, whose changes decide, and others that are
  // mixed with them.
  DensityMixer(const Iteration& how, const GridMatrices& grid, std::vector<double> start, size_t columns = 1, size_t measured = 1);

  size_t n_dir() const { return history_.size(); }
  size_t columns() const { return columns_; }
  const std::vector<double>& density() const { return density_; }  // next trial density
  // sqrt(int (out - density)^2) of each direction.
  std::vector<double> residuals(const std::vector<double>& out) const;
  // Computes the next trial density from the output `out` of density().
  void next(const std::vector<double>& out);

  // For checkpoints.
  const app::Pulay& history(size_t direction) const { return history_[direction]; }
  void restore(size_t direction, app::Pulay::Step step) { history_[direction].add(std::move(step)); }

private:
  // Where a column of a direction begins.
  size_t at(size_t column, size_t direction) const { return grid_.n_points() * (direction + n_dir() * column); }

  const GridMatrices& grid_;
  size_t columns_, measured_;
  double share_;
  std::vector<double> density_;
  std::vector<app::Pulay> history_;
};

}  // namespace suite::all_electron
