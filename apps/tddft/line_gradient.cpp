// SPDX-License-Identifier: BSD-3-Clause
#include "line_gradient.hpp"

#include <cmath>
#include <numbers>

namespace suite::tddft {

LineGradient::LineGradient(const Grid& grid) : grid_(grid) {
  for (int d = 0; d < 3; ++d) {
    const int n = grid.points[d];
    Eigen::MatrixXd& D = matrices_[static_cast<size_t>(d)];
    D.setZero(n, n);
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < j; ++k) {
        // Of an even number, half a turn apart is the zero of the cotangent.
        const double value = 2 * (j - k) == n ? 0 : std::numbers::pi / (grid.length(d) * std::tan(std::numbers::pi * (j - k) / n));
        D(j, k) = (j - k) % 2 == 0 ? value : -value;
        D(k, j) = -D(j, k);
      }
  }
}

// A plane of lines at a time: a product of dense matrices, of which z is the fastest index.
void LineGradient::add(int d, double factor, const double* f, double* out) const {
  const Eigen::Index nx = grid_.points[0], ny = grid_.points[1], nz = grid_.points[2];
  using Plane = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
  using OutPlane = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
  const Eigen::MatrixXd& D = matrices_[static_cast<size_t>(d)];
  if (D.rows() == 1) return;
  if (d == 0) {
#pragma omp parallel for schedule(static)
    for (Eigen::Index iy = 0; iy < ny; ++iy) {
      const Plane from(f + nz * iy, nz, nx, Eigen::OuterStride<>(ny * nz));
      OutPlane(out + nz * iy, nz, nx, Eigen::OuterStride<>(ny * nz)).noalias() += factor * from * D.transpose();
    }
    return;
  }
#pragma omp parallel for schedule(static)
  for (Eigen::Index ix = 0; ix < nx; ++ix) {
    const Plane from(f + ny * nz * ix, nz, ny, Eigen::OuterStride<>(nz));
    OutPlane to(out + ny * nz * ix, nz, ny, Eigen::OuterStride<>(nz));
    if (d == 1) to.noalias() += factor * from * D.transpose();
    else to.noalias() += factor * D * from;
  }
}

}  // namespace suite::tddft
