// SPDX-License-Identifier: BSD-3-Clause
#include "general.hpp"

#include <Eigen/Core>
#include <Eigen/LU>

namespace suite::app {

bool invert_general(std::complex<double>* a, int64_t n) {
  Eigen::Map<Eigen::MatrixXcd> matrix(a, n, n);
  const Eigen::PartialPivLU<Eigen::MatrixXcd> factors(matrix);
  if (!(factors.rcond() > 1e-15)) return false;
  matrix = factors.inverse();
  return matrix.allFinite();
}

}  // namespace suite::app
