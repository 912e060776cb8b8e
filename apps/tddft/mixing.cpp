// SPDX-License-Identifier: BSD-3-Clause
#include "mixing.hpp"

#include <algorithm>
#include <numbers>

#include "subspace.hpp"

namespace suite::tddft {

Mixer::Mixer(const Grid& grid, double share, int history, double kerker)
    : grid_(grid), share_(share), kerker_(kerker), history_(static_cast<size_t>(std::max(history, 1))) {
  if (kerker_ == 0) return;
  buffer_ = app::allocate_complex(grid.size());
  forward_ = std::make_unique<app::Transform>(grid.points, app::Exponent::minus);
  backward_ = std::make_unique<app::Transform>(grid.points, app::Exponent::plus);
}

// The c_i with sum 1 for which |sum_i c_i residual_i| is least: differences to the newest residual, least
// squares.
std::vector<double> Mixer::coefficients() const {
  const auto n = static_cast<Eigen::Index>(steps_.size() - 1);
  std::vector<double> c(steps_.size(), 0.0);
  c.back() = 1;
  if (n == 0) return c;
  std::vector<std::vector<double>> differences(n, steps_.back().residual);
  for (Eigen::Index i = 0; i < n; ++i)
    for (size_t at = 0; at < grid_.size(); ++at) differences[i][at] -= steps_[i].residual[at];
  Eigen::MatrixXd a(n, n);
  Eigen::VectorXd b(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j)
      a(i, j) = a(j, i) = sum_of_products(differences[i].data(), differences[j].data(), grid_.size());
    b[i] = sum_of_products(differences[i].data(), steps_.back().residual.data(), grid_.size());
  }
  // Nearly parallel differences are common: their scale is taken out, and directions below rounding are left
  // out.
  const Eigen::VectorXd scale = a.diagonal().cwiseSqrt().cwiseMax(1e-300).cwiseInverse();
  a = scale.asDiagonal() * a * scale.asDiagonal();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solve;
  solve.setThreshold(1e-12);
  solve.compute(a);
  const Eigen::VectorXd t = scale.asDiagonal() * solve.solve(scale.asDiagonal() * b);
  for (Eigen::Index i = 0; i < n; ++i) {
    c[i] = t[i];
    c.back() -= t[i];
  }
  return c;
}

void Mixer::damp(std::vector<double>& residual) const {
  if (kerker_ == 0) return;
  std::copy(residual.begin(), residual.end(), buffer_.get());
  (*forward_)(buffer_.get());
  const auto component = [&](int d, int m) {
    return 2 * std::numbers::pi * std::min(m, grid_.points[d] - m) / grid_.length(d);
  };
  for (int x = 0; x < grid_.points[0]; ++x)
    for (int y = 0; y < grid_.points[1]; ++y)
      for (int z = 0; z < grid_.points[2]; ++z) {
        const double qx = component(0, x), qy = component(1, y), qz = component(2, z);
        const double q2 = qx * qx + qy * qy + qz * qz;
        buffer_[grid_.index(x, y, z)] *= q2 / (q2 + kerker_ * kerker_) / static_cast<double>(grid_.size());
      }
  (*backward_)(buffer_.get());
  for (size_t i = 0; i < residual.size(); ++i) residual[i] = buffer_[i].real();
}

std::vector<double> Mixer::next(const std::vector<double>& in, const std::vector<double>& out) {
  Step step{in, out};
  for (size_t i = 0; i < in.size(); ++i) step.residual[i] -= in[i];
  steps_.push_back(std::move(step));
  if (steps_.size() > history_) steps_.pop_front();
  const std::vector<double> c = coefficients();
  std::vector<double> rho(in.size(), 0.0), residual(in.size(), 0.0);
  for (size_t s = 0; s < steps_.size(); ++s)
    for (size_t i = 0; i < in.size(); ++i) {
      rho[i] += c[s] * steps_[s].in[i];
      residual[i] += c[s] * steps_[s].residual[i];
    }
  damp(residual);
  for (size_t i = 0; i < in.size(); ++i) rho[i] += share_ * residual[i];
  return rho;
}

}  // namespace suite::tddft
