// SPDX-License-Identifier: BSD-3-Clause
#include "pulay.hpp"

#include <Eigen/QR>

namespace suite::app {

void Pulay::add(Step step) {
  if (!steps_.empty()) {
    Change change{step.residual, {}};
    const std::vector<double>& before = steps_.back().residual;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < before.size(); ++i) change.residual[i] -= before[i];
    changes_.push_back(std::move(change));
  }
  steps_.push_back(std::move(step));
  if (steps_.size() <= history_) return;
  steps_.pop_front();
  changes_.pop_front();
  for (Change& change : changes_)
    if (!change.products.empty()) change.products.pop_front();
}

Pulay::Step Pulay::best(const Product& product) {
  const std::vector<double> c = coefficients(product);
  const size_t size = steps_.back().in.size();
  Step sum{std::vector<double>(size), std::vector<double>(size)};
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < size; ++i) {
    double in = 0, residual = 0;
    for (size_t s = 0; s < c.size(); ++s) {
      in += c[s] * steps_[s].in[i];
      residual += c[s] * steps_[s].residual[i];
    }
    sum.in[i] = in;
    sum.residual[i] = residual;
  }
  return sum;
}

// Coefficients c_i with sum 1 that minimise |sum_i c_i residual_i|: least squares in the changes from step to step.
std::vector<double> Pulay::coefficients(const Product& product) {
  const auto n = static_cast<Eigen::Index>(changes_.size());
  std::vector<double> c(steps_.size(), 0.0);
  c.back() = 1;
  if (n == 0) return c;
  Eigen::MatrixXd a(n, n);
  Eigen::VectorXd b(n);
  for (size_t i = 0; i < changes_.size(); ++i) {
    Change& change = changes_[i];
    for (size_t j = change.products.size(); j <= i; ++j) change.products.push_back(product(change.residual, changes_[j].residual));
    const auto row = static_cast<Eigen::Index>(i);
    for (size_t j = 0; j <= i; ++j) a(row, static_cast<Eigen::Index>(j)) = a(static_cast<Eigen::Index>(j), row) = change.products[j];
    b[row] = product(change.residual, steps_.back().residual);
  }
  // Changes are often nearly parallel: scale them to unit norm and drop directions below rounding.
  const Eigen::VectorXd scale = a.diagonal().cwiseSqrt().cwiseMax(1e-300).cwiseInverse();
  a = scale.asDiagonal() * a * scale.asDiagonal();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solve;
  solve.setThreshold(1e-12);
  solve.compute(a);
  const Eigen::VectorXd t = scale.asDiagonal() * solve.solve(scale.asDiagonal() * b);
  // newest - sum_i t_i change_i, as a sum over the steps.
  for (size_t i = 0; i < changes_.size(); ++i) {
    c[i] += t[static_cast<Eigen::Index>(i)];
    c[i + 1] -= t[static_cast<Eigen::Index>(i)];
  }
  return c;
}

}  // namespace suite::app
