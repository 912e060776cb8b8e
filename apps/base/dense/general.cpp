// SPDX-License-Identifier: BSD-3-Clause
#include "general.hpp"

#include <Eigen/Core>
#include <Eigen/LU>

namespace suite::app {

bool invert_general(std::complex<double>* a, int64_t n) {
  Eigen::Map<Eigen::MatrixXcd> matrix(a, n, n);
  const Eigen::MatrixXcd inverse = matrix.partialPivLu().inverse();
  if (!inverse.allFinite()) return false;
  matrix = inverse;
  return true;
}

}  // namespace suite::app
