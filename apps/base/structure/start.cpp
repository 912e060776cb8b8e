// SPDX-License-Identifier: BSD-3-Clause
#include "start.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/core.h>

#include "formats.hpp"

namespace suite::app {

std::string formula_of(const Structure& structure) {
  std::map<std::string, int> counts;
  for (const auto& atom : structure.atoms) ++counts[atom.element];
  std::string text;
  const auto take = [&](const std::string& element) {
    const auto found = counts.find(element);
    if (found == counts.end()) return;
    text += element + (found->second > 1 ? fmt::format("{}", found->second) : std::string());
    counts.erase(found);
  };
  if (counts.count("C") > 0) take("C"), take("H");
  while (!counts.empty()) take(counts.begin()->first);
  return text;
}

std::array<int, 3> k_points_of(const std::array<Vector, 3>& cell, double distance) {
  std::array<int, 3> divisions{};
  for (size_t i = 0; i < 3; ++i) {
    const Vector &a = cell[(i + 1) % 3], &b = cell[(i + 2) % 3];
    const double area = std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
    const double length = 2 * std::numbers::pi * area / std::abs(volume(cell));
    divisions[i] = std::max(1, static_cast<int>(std::ceil(length / distance - 1e-6)));
  }
  return divisions;
}

std::string list_text(const std::array<int, 3>& numbers) { return fmt::format("[{}, {}, {}]", numbers[0], numbers[1], numbers[2]); }

}  // namespace suite::app
