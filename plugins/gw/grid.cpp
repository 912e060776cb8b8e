// SPDX-License-Identifier: BSD-3-Clause
#include "grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace suite::gw {
namespace {

using Direction = std::array<double, 3>;

double dot(const Direction& d, const Direction& g) { return d[0] * g[0] + d[1] * g[1] + d[2] * g[2]; }

Direction numbers(const Miller& g) { return {static_cast<double>(g[0]), static_cast<double>(g[1]), static_cast<double>(g[2])}; }

// The ends of the columns of a list: a linear function has its extremes there. All of a list that is far from a sphere.
std::vector<Direction> ends_of_columns(const std::vector<Miller>& list) {
  Miller low = list[0], high = list[0];
  for (const Miller& g : list)
    for (int d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], g[d]);
      high[d] = std::max(high[d], g[d]);
    }
  const auto width = static_cast<size_t>(high[1] - low[1] + 1), height = static_cast<size_t>(high[0] - low[0] + 1);
  std::vector<Direction> all;
  if (width * height > 64 * list.size()) {
    for (const Miller& g : list) all.push_back(numbers(g));
    return all;
  }
  constexpr int32_t none = std::numeric_limits<int32_t>::max();
  std::vector<std::array<int32_t, 2>> columns(height * width, {none, -none});
  for (const Miller& g : list) {
    auto& ends = columns[static_cast<size_t>(g[0] - low[0]) * width + static_cast<size_t>(g[1] - low[1])];
    ends = {std::min(ends[0], g[2]), std::max(ends[1], g[2])};
  }
  for (int32_t x = low[0]; x <= high[0]; ++x)
    for (int32_t y = low[1]; y <= high[1]; ++y) {
      const auto& ends = columns[static_cast<size_t>(x - low[0]) * width + static_cast<size_t>(y - low[1])];
      if (ends[0] == none) continue;
      all.push_back(numbers({x, y, ends[0]}));
      if (ends[1] != ends[0]) all.push_back(numbers({x, y, ends[1]}));
    }
  return all;
}

// Four at a time, whose comparisons do not wait for each other.
double highest(const std::vector<Direction>& list, const Direction& d) {
  constexpr double lowest = -std::numeric_limits<double>::infinity();
  double most[4] = {lowest, lowest, lowest, lowest};
  const size_t end = list.size() & ~size_t{3};
  for (size_t i = 0; i < end; i += 4)
    for (size_t j = 0; j < 4; ++j) most[j] = std::max(most[j], dot(d, list[i + j]));
  for (size_t i = end; i < list.size(); ++i) most[0] = std::max(most[0], dot(d, list[i]));
  return *std::max_element(most, most + 4);
}

// The inverse of the matrix of second moments.
std::array<Direction, 3> metric_of(const std::vector<Miller>& list) {
  const double n = static_cast<double>(list.size());
  Direction mean{};
  for (const Miller& g : list)
    for (int i = 0; i < 3; ++i) mean[i] += g[i] / n;
  std::array<Direction, 3> m{};
  for (const Miller& g : list)
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) m[i][k] += (g[i] - mean[i]) * (g[k] - mean[k]) / n;
  for (int i = 0; i < 3; ++i) m[i][i] += 0.1;  // a list may lie in a plane
  std::array<Direction, 3> inverse{};
  double determinant = 0;
  for (int i = 0; i < 3; ++i) determinant += m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3]);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      inverse[k][i] =
          (m[(i + 1) % 3][(k + 1) % 3] * m[(i + 2) % 3][(k + 2) % 3] - m[(i + 1) % 3][(k + 2) % 3] * m[(i + 2) % 3][(k + 1) % 3]) /
          determinant;
  return inverse;
}

class Aliases {
public:
  explicit Aliases(const GridDemand& demand)
      : demand_(demand),
        metric_(metric_of(demand.ket)),
        ket_(ends_of_columns(demand.ket)),
        bra_(ends_of_columns(demand.bra)),
        wanted_(ends_of_columns(demand.wanted)) {}

  bool absent(const std::array<int, 3>& n) {
    for (int d = 0; d < 3; ++d)
      if (n[d] < demand_.least[d] || 2 * n[d] < demand_.sufficient[d]) return false;  // T is at most one n
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          const Miller t{x * n[0], y * n[1], z * n[2]};
          if ((x || y || z) && !beyond_ranges(t) && !separated(t)) return false;
        }
    return true;
  }

private:
  bool beyond_ranges(const Miller& t) const {
    for (int d = 0; d < 3; ++d)
      if (std::abs(t[d]) >= demand_.sufficient[d]) return true;
    return false;
  }
  bool separated(const Miller& t) {
    const auto [at, fresh] = known_.try_emplace(t, false);
    if (fresh) {
      Direction d{}, opposite{};
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) d[i] += metric_[i][k] * t[k];
        opposite[i] = -d[i];
      }
      const double most = highest(ket_, d) + highest(bra_, opposite) + highest(wanted_, opposite), distance = dot(d, numbers(t));
      at->second = distance > most + 1e-9 * std::abs(distance);
    }
    return at->second;
  }

  const GridDemand& demand_;
  std::array<Direction, 3> metric_;
  std::vector<Direction> ket_, bra_, wanted_;
  std::map<Miller, bool> known_;
};

}  // namespace

std::array<int, 3> smallest_grid(const GridDemand& demand, std::array<int, 3> lengths, int (*next_lower)(int)) {
  if (demand.wanted.empty()) return lengths;
  Aliases aliases(demand);
  const auto lower = [&](int first, int last) {
    std::array<int, 3> n = lengths;
    for (int d = first; d <= last; ++d) n[d] = next_lower(n[d]);
    const bool possible = aliases.absent(n);
    if (possible) lengths = n;
    return possible;
  };
  while (lower(0, 2)) continue;
  for (int d = 0; d < 3; ++d)
    while (lower(d, d)) continue;
  return lengths;
}

}  // namespace suite::gw
