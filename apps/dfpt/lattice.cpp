// SPDX-License-Identifier: BSD-3-Clause
#include "lattice.hpp"

#include <cmath>
#include <map>
#include <numbers>

#include <suite/plugin.hpp>

namespace suite::all_electron {
namespace {

double dot_product(const Place& u, const Place& v) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; }
Place cross_product(const Place& u, const Place& v) {
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}

}  // namespace

Lattice::Lattice(const std::array<Place, 3>& vectors) : a_(vectors) {
  const double signed_volume = dot_product(a_[0], cross_product(a_[1], a_[2]));
  volume_ = std::abs(signed_volume);
  const double edges = std::sqrt(dot_product(a_[0], a_[0]) * dot_product(a_[1], a_[1]) * dot_product(a_[2], a_[2]));
  if (!(volume_ > 1e-6 * edges)) throw Failure(SUITE_INVALID_ARGUMENT, "the three lattice vectors lie in a plane");
  for (size_t i = 0; i < 3; ++i) {
    b_[i] = cross_product(a_[(i + 1) % 3], a_[(i + 2) % 3]);
    for (double& x : b_[i]) x *= 2 * std::numbers::pi / signed_volume;
  }
}

Lattice Lattice::chain(const Place& vector) {
  const double length = std::sqrt(dot_product(vector, vector));
  if (!(length > 0)) throw Failure(SUITE_INVALID_ARGUMENT, "the vector of the chain is 0");
  Place across = std::abs(vector[0]) < 0.9 * length ? Place{1, 0, 0} : Place{0, 1, 0};
  across = cross_product(vector, across);
  const double across_length = std::sqrt(dot_product(across, across));
  for (double& x : across) x /= across_length;
  Place other = cross_product(vector, across);
  for (double& x : other) x /= length;
  Lattice lattice({vector, across, other});
  lattice.dimensions_ = 1;
  return lattice;
}

Lattice Lattice::slab(const Place& first, const Place& second) {
  Place across = cross_product(first, second);
  const double area = std::sqrt(dot_product(across, across)), edges = std::sqrt(dot_product(first, first) * dot_product(second, second));
  if (!(area > 1e-6 * edges)) throw Failure(SUITE_INVALID_ARGUMENT, "the two lattice vectors of the slab are parallel");
  for (double& x : across) x /= area;
  Lattice lattice({first, second, across});
  lattice.dimensions_ = 2;
  return lattice;
}

Lattice Lattice::stacked(double period) const {
  Place up = a_[2];
  for (double& x : up) x *= period;
  return Lattice({a_[0], a_[1], up});
}

Place Lattice::place(const Cell& cell) const {
  Place r{};
  for (size_t i = 0; i < 3; ++i)
    for (size_t d = 0; d < 3; ++d) r[d] += cell[i] * a_[i][d];
  return r;
}

std::vector<Cell> Lattice::cells_within(const Place& centre, double reach) const {
  Cell low{}, high{};
  for (size_t i = 0; i < static_cast<size_t>(dimensions_); ++i) {
    const double along = -dot_product(b_[i], centre) / (2 * std::numbers::pi),
                 half = reach * std::sqrt(dot_product(b_[i], b_[i])) / (2 * std::numbers::pi);
    low[i] = static_cast<int>(std::floor(along - half));
    high[i] = static_cast<int>(std::ceil(along + half));
  }
  std::vector<Cell> cells;
  for (int i = low[0]; i <= high[0]; ++i)
    for (int j = low[1]; j <= high[1]; ++j)
      for (int k = low[2]; k <= high[2]; ++k) {
        Place r = place({i, j, k});
        for (size_t d = 0; d < 3; ++d) r[d] += centre[d];
        if (dot_product(r, r) < reach * reach) cells.push_back({i, j, k});
      }
  return cells;
}

Cell Lattice::steps_to(double length) const {
  Cell steps;
  for (size_t i = 0; i < 3; ++i) steps[i] = static_cast<int>(length * std::sqrt(dot_product(a_[i], a_[i])) / (2 * std::numbers::pi)) + 1;
  return steps;
}

std::vector<KPoint> k_grid(const std::array<int, 3>& n, const std::array<bool, 3>& shifted) {
  std::vector<KPoint> points;
  std::map<Cell, size_t> numbers;  // of the points that are kept
  const double each = 1.0 / (static_cast<double>(n[0]) * n[1] * n[2]);
  for (int i = 0; i < n[0]; ++i)
    for (int j = 0; j < n[1]; ++j)
      for (int k = 0; k < n[2]; ++k) {
        const Cell at{i, j, k};
        Cell opposite;
        KPoint point{{}, each};
        for (size_t d = 0; d < 3; ++d) {
          opposite[d] = (2 * n[d] - at[d] - (shifted[d] ? 1 : 0)) % n[d];
          point.fraction[d] = (at[d] + (shifted[d] ? 0.5 : 0.0)) / n[d];
        }
        if (const auto found = numbers.find(opposite); found != numbers.end() && opposite != at) {
          points[found->second].weight += each;
          continue;
        }
        numbers[at] = points.size();
        points.push_back(point);
      }
  return points;
}

}  // namespace suite::all_electron
