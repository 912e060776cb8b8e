// SPDX-License-Identifier: BSD-3-Clause
// First derivatives on the periodic grid, along its lines: those of the trigonometric polynomial through all points, without its highest
// wave, whose derivative is 0 at every point. Each is an antisymmetric matrix,
//   D_jk = (-1)^(j-k) pi/L cot(pi (j-k)/N),   D_jj = 0,
// so that the sum over the grid of f Dg is exactly minus that of g Df.
#pragma once

#include <array>

#include <Eigen/Core>

#include "system.hpp"

namespace suite::tddft {

class LineGradient {
public:
  explicit LineGradient(const Grid& grid);

  // out += factor df/dr_d, both (Nz,Ny,Nx). Bitwise the same with any number of threads.
  void add(int d, double factor, const double* f, double* out) const;

private:
  Grid grid_;
  std::array<Eigen::MatrixXd, 3> matrices_;
};

}  // namespace suite::tddft
