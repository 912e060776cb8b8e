// SPDX-License-Identifier: BSD-3-Clause
#include "pulay.hpp"

#include <Eigen/QR>

namespace suite::app {

Pulay::Step Pulay::best(const Product& product) const {
  const std::vector<double> c = coefficients(product);
  const size_t size = steps_.back().in.size();
  Step sum{std::vector<double>(size, 0.0), std::vector<double>(size, 0.0)};
  for (size_t s = 0; s < steps_.size(); ++s)
    for (size_t i = 0; i < size; ++i) {
      sum.in[i] += c[s] * steps_[s].in[i];
      sum.residual[i] += c[s] * steps_[s].residual[i];
    }
  return sum;
}

// Coefficients c_i with sum 1 that minimise |sum_i c_i residual_i|: least squares in the differences to the newest residual.
std::vector<double> Pulay::coefficients(const Product& product) const {
  const auto n = static_cast<Eigen::Index>(steps_.size() - 1);
  std::vector<double> c(steps_.size(), 0.0);
  c.back() = 1;
  if (n == 0) return c;
  const std::vector<double>& newest = steps_.back().residual;
  std::vector<std::vector<double>> differences(static_cast<size_t>(n), newest);
  for (size_t i = 0; i < differences.size(); ++i)
    for (size_t at = 0; at < newest.size(); ++at) differences[i][at] -= steps_[i].residual[at];
  Eigen::MatrixXd a(n, n);
  Eigen::VectorXd b(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto& difference = differences[static_cast<size_t>(i)];
    for (Eigen::Index j = 0; j <= i; ++j) a(i, j) = a(j, i) = product(difference, differences[static_cast<size_t>(j)]);
    b[i] = product(difference, newest);
  }
  // Differences are often nearly parallel: scale them to unit norm and drop directions below rounding.
  const Eigen::VectorXd scale = a.diagonal().cwiseSqrt().cwiseMax(1e-300).cwiseInverse();
  a = scale.asDiagonal() * a * scale.asDiagonal();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solve;
  solve.setThreshold(1e-12);
  solve.compute(a);
  const Eigen::VectorXd t = scale.asDiagonal() * solve.solve(scale.asDiagonal() * b);
  for (Eigen::Index i = 0; i < n; ++i) {
    c[static_cast<size_t>(i)] = t[i];
    c.back() -= t[i];
  }
  return c;
}

}  // namespace suite::app
