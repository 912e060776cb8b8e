// SPDX-License-Identifier: BSD-3-Clause
#include "mixing.hpp"

#include <algorithm>
#include <numbers>

#include "subspace.hpp"

namespace suite::tddft {

Mixer::Mixer(const Grid& grid, double share, int history, double kerker) : grid_(grid), share_(share), kerker_(kerker), history_(history) {
  if (kerker_ == 0) return;
  buffer_ = app::allocate_complex(grid.size());
  forward_ = std::make_unique<app::Transform>(grid.points, app::Exponent::minus);
  backward_ = std::make_unique<app::Transform>(grid.points, app::Exponent::plus);
}

void Mixer::damp(std::vector<double>& residual) const {
  if (kerker_ == 0) return;
  std::copy_n(residual.begin(), grid_.size(), buffer_.get());
  (*forward_)(buffer_.get());
  const auto component = [&](int d, int m) { return 2 * std::numbers::pi * std::min(m, grid_.points[d] - m) / grid_.length(d); };
  for (int x = 0; x < grid_.points[0]; ++x)
    for (int y = 0; y < grid_.points[1]; ++y)
      for (int z = 0; z < grid_.points[2]; ++z) {
        const double qx = component(0, x), qy = component(1, y), qz = component(2, z);
        const double q2 = qx * qx + qy * qy + qz * qz;
        buffer_[grid_.index(x, y, z)] *= q2 / (q2 + kerker_ * kerker_) / static_cast<double>(grid_.size());
      }
  (*backward_)(buffer_.get());
  for (size_t i = 0; i < grid_.size(); ++i) residual[i] = buffer_[i].real();
}

std::vector<double> Mixer::next(const std::vector<double>& in, const std::vector<double>& out) {
  app::Pulay::Step step{in, out};
  for (size_t i = 0; i < in.size(); ++i) step.residual[i] -= in[i];
  history_.add(std::move(step));
  auto [rho, residual] = history_.best(
      [](const std::vector<double>& a, const std::vector<double>& b) { return sum_of_products(a.data(), b.data(), a.size()); });
  damp(residual);
  for (size_t i = 0; i < in.size(); ++i) rho[i] += share_ * residual[i];
  return rho;
}

}  // namespace suite::tddft
