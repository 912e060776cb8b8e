// SPDX-License-Identifier: BSD-3-Clause
#include "pseudopotential.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::vmc {
namespace {

constexpr double felt = 1e-8;      // Ha bohr: |r dV_l(r)| below this counts as nothing
constexpr double farthest = 10;     // bohr, where the search for the cutoff begins
constexpr double search_step = 0.01;

// All permutations and signs of a vector, on the unit sphere.
std::vector<Point> orbit(Point v) {
  std::set<Point> all;
  std::sort(v.begin(), v.end());
  do
    for (int signs = 0; signs < 8; ++signs) {
      Point p = v;
      for (size_t d = 0; d < 3; ++d)
        if (signs >> d & 1) p[d] = v[d] == 0 ? 0 : -v[d];
      all.insert(p);
    }
  while (std::next_permutation(v.begin(), v.end()));
  const double length = std::hypot(v[0], v[1], v[2]);
  std::vector<Point> points(all.begin(), all.end());
  for (Point& p : points)
    for (double& x : p) x /= length;
  return points;
}

std::vector<Point> icosahedron() {
  const double golden = (1 + std::sqrt(5.0)) / 2, length = std::hypot(1, golden);
  std::vector<Point> points;
  for (size_t axis = 0; axis < 3; ++axis)
    for (const double a : {1.0, -1.0})
      for (const double b : {golden, -golden}) {
        Point p{};
        p[(axis + 1) % 3] = a / length, p[(axis + 2) % 3] = b / length;
        points.push_back(p);
      }
  return points;
}

}  // namespace

SphereRule sphere_rule(int points) {
  SphereRule rule;
  const auto add = [&](const std::vector<Point>& some, double weight) {
    rule.point.insert(rule.point.end(), some.begin(), some.end());
    rule.weight.insert(rule.weight.end(), some.size(), weight);
  };
  const Point faces{0, 0, 1}, edges{0, 1, 1}, corners{1, 1, 1}, between{1, 1, 3};
  switch (points) {
    case 6: add(orbit(faces), 1.0 / 6); break;
    case 12: add(icosahedron(), 1.0 / 12); break;
    case 18: add(orbit(faces), 1.0 / 30), add(orbit(edges), 1.0 / 15); break;
    case 26: add(orbit(faces), 1.0 / 21), add(orbit(edges), 4.0 / 105), add(orbit(corners), 9.0 / 280); break;
    case 50:
      add(orbit(faces), 4.0 / 315), add(orbit(edges), 64.0 / 2835), add(orbit(corners), 27.0 / 1280);
      add(orbit(between), 14641.0 / 725760);
      break;
    default: throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("a rule of {} points; it must be one of 6, 12, 18, 26, 50", points));
  }
  return rule;
}

// A unit quaternion, uniform on its sphere (Shoemake, Graphics Gems III (1992)).
SphereRule turned(const SphereRule& rule, const qmc::Words& words) {
  const double u = qmc::open_uniform(words.w[0]);
  double q[4];
  qmc::turn_by(qmc::open_uniform(words.w[1]), q[0], q[1]);
  qmc::turn_by(qmc::open_uniform(words.w[2]), q[2], q[3]);
  for (int k = 0; k < 4; ++k) q[k] *= std::sqrt(k < 2 ? 1 - u : u);
  const double m[3][3] = {{1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]), 2 * (q[1] * q[3] + q[0] * q[2])},
                          {2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]), 2 * (q[2] * q[3] - q[0] * q[1])},
                          {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]), 1 - 2 * (q[1] * q[1] + q[2] * q[2])}};
  SphereRule out = rule;
  for (size_t i = 0; i < rule.point.size(); ++i)
    for (size_t d = 0; d < 3; ++d) out.point[i][d] = m[d][0] * rule.point[i][0] + m[d][1] * rule.point[i][1] + m[d][2] * rule.point[i][2];
  return out;
}

double legendre(int l, double x) {
  double before = 0, now = 1;
  for (int n = 0; n < l; ++n) {
    const double next = ((2 * n + 1) * x * now - n * before) / (n + 1);
    before = now;
    now = next;
  }
  return now;
}

Pseudopotentials::Pseudopotentials(const Molecule& m) : terms_(m.charge.size()) {
  for (const PotentialTerm& term : m.potential) terms_[static_cast<size_t>(term.ion)].push_back(term);
  for (size_t a = 0; a < terms_.size(); ++a) {
    Projectors found{a, -1, 0};
    for (const PotentialTerm& term : terms_[a]) found.largest_l = std::max(found.largest_l, term.l);
    if (found.largest_l < 0) continue;
    const auto is_felt = [&](double r) {
      for (int l = 0; l <= found.largest_l; ++l)
        if (std::abs(r * channel(a, l, r)) > felt) return true;
      return false;
    };
    for (found.cutoff = farthest; found.cutoff > search_step && !is_felt(found.cutoff); found.cutoff -= search_step) {}
    projectors_.push_back(found);
  }
}

double Pseudopotentials::sum(size_t ion, int l, double r) const {
  double value = 0;
  for (const PotentialTerm& t : terms_[ion])
    if (t.l == l) value += t.at(r);
  return value;
}

}  // namespace suite::vmc
