// SPDX-License-Identifier: BSD-3-Clause
#include "sphere_rule.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <suite/plugin.hpp>

#include "text.hpp"

namespace suite::qmc {
namespace {

using Direction = std::array<double, 3>;

// All permutations and signs of a vector, on the unit sphere.
std::vector<Direction> orbit(Direction v) {
  std::set<Direction> all;
  std::sort(v.begin(), v.end());
  do
    for (int signs = 0; signs < 8; ++signs) {
      Direction p = v;
      for (size_t d = 0; d < 3; ++d)
        if (signs >> d & 1) p[d] = v[d] == 0 ? 0 : -v[d];
      all.insert(p);
    }
  while (std::next_permutation(v.begin(), v.end()));
  const double length = std::hypot(v[0], v[1], v[2]);
  std::vector<Direction> points(all.begin(), all.end());
  for (Direction& p : points)
    for (double& x : p) x /= length;
  return points;
}

std::vector<Direction> icosahedron() {
  const double golden = (1 + std::sqrt(5.0)) / 2, length = std::hypot(1, golden);
  std::vector<Direction> points;
  for (size_t axis = 0; axis < 3; ++axis)
    for (const double a : {1.0, -1.0})
      for (const double b : {golden, -golden}) {
        Direction p{};
        p[(axis + 1) % 3] = a / length, p[(axis + 2) % 3] = b / length;
        points.push_back(p);
      }
  return points;
}

}  // namespace

SphereRule sphere_rule(int64_t points) {
  SphereRule rule;
  const auto add = [&](const std::vector<Direction>& some, double weight) {
    rule.point.insert(rule.point.end(), some.begin(), some.end());
    rule.weight.insert(rule.weight.end(), some.size(), weight);
  };
  const Direction faces{0, 0, 1}, edges{0, 1, 1}, corners{1, 1, 1}, between{1, 1, 3};
  switch (points) {
    case 6: add(orbit(faces), 1.0 / 6); break;
    case 12: add(icosahedron(), 1.0 / 12); break;
    case 18: add(orbit(faces), 1.0 / 30), add(orbit(edges), 1.0 / 15); break;
    case 26: add(orbit(faces), 1.0 / 21), add(orbit(edges), 4.0 / 105), add(orbit(corners), 9.0 / 280); break;
    case 50:
      add(orbit(faces), 4.0 / 315), add(orbit(edges), 64.0 / 2835), add(orbit(corners), 27.0 / 1280);
      add(orbit(between), 14641.0 / 725760);
      break;
    default: throw Failure(SUITE_INVALID_ARGUMENT, "a rule of " + text_of(points) + " points; it must be one of 6, 12, 18, 26, 50");
  }
  return rule;
}

}  // namespace suite::qmc
