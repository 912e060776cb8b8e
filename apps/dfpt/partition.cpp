// SPDX-License-Identifier: BSD-3-Clause
#include "partition.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace suite::all_electron {
namespace {

constexpr double edge = 0.64;
constexpr double surely_far = (1 + edge) / (1 - edge);  // r_b/r_a from which on mu_ab <= -edge for any distance

double smooth_step(double mu) {
  const double q = mu / edge;
  if (q >= 1) return 0;
  if (q <= -1) return 1;
  const double q2 = q * q;
  return 0.5 * (1 - q * (35 + q2 * (-35 + q2 * (21 - 5 * q2))) / 16);
}

// Rises from 0 inside to 1 at the radius.
double relaxed(double distance, double radius) {
  const double t = (distance / radius - 0.8) / 0.2;
  if (t <= 0) return 0;
  return t >= 1 ? 1 : 0.5 * (1 - std::cos(std::numbers::pi * t));
}

}  // namespace

Partition::Partition(std::vector<double> atom_coords, std::vector<double> radius)
    : atom_coords_(std::move(atom_coords)), radius_(std::move(radius)), neighbours_(radius_.size()) {
  for (size_t a = 0; a < radius_.size(); ++a) {
    for (size_t b = 0; b < radius_.size(); ++b) {
      if (b == a) continue;
      const double apart = distance(&atom_coords_[3 * a], &atom_coords_[3 * b]);
      if (apart < radius_[a] + radius_[b]) neighbours_[a].push_back({b, apart});
    }
    std::sort(neighbours_[a].begin(), neighbours_[a].end(),
              [](const Near& one, const Near& other) { return std::pair(one.distance, one.atom) < std::pair(other.distance, other.atom); });
  }
}

double Partition::product(const Here& a, const std::vector<Here>& here) const {
  double all = 1;
  for (const Here& b : here) {
    // Without the distance of a and b: where negative, mu is at most (r_a - r_b)/(r_a + r_b).
    if (b.distance >= surely_far * a.distance || a.atom == b.atom) continue;
    const double apart = distance(&atom_coords_[3 * a.atom], &atom_coords_[3 * b.atom]);
    const double s = smooth_step((a.distance - b.distance) / apart);
    if (s == 1) continue;
    all *= s + (1 - s) * b.relaxed;
    if (all == 0) break;
  }
  return all;
}

double Partition::at(size_t atom, double sphere, const std::array<double, 3>& point, const std::vector<Near>& near) const {
  if (sphere >= radius_[atom]) return 0;
  thread_local std::vector<Here> here;
  const Here self{atom, sphere, relaxed(sphere, radius_[atom])};
  here.assign(1, self);
  for (const Near& other : near) {
    const double r = distance(point.data(), &atom_coords_[3 * other.atom]);
    if (r < radius_[other.atom]) here.push_back({other.atom, r, relaxed(r, radius_[other.atom])});
  }
  // The nearest first: with it most products are 0 immediately.
  const auto closer = [](const Here& one, const Here& other) { return one.distance < other.distance; };
  std::iter_swap(here.begin(), std::min_element(here.begin(), here.end(), closer));
  const double own = product(self, here);
  if (own == 0) return 0;
  double sum = 0;
  for (const Here& a : here) sum += a.atom == atom ? own : product(a, here);
  return own / sum;
}

std::vector<double> Partition::on_sphere(size_t atom, double sphere, const std::vector<std::array<double, 3>>& directions) const {
  const double* const centre = &atom_coords_[3 * atom];
  const std::vector<Near>& all = neighbours_[atom];
  std::vector<double> p(directions.size(), 1.0);
  // The point belongs entirely to the atom if s(mu) = 1 for all others, which holds if it holds for the nearest.
  const bool inside = all.empty() || 2 * sphere <= (1 - edge) * all.front().distance;
  if (inside && sphere <= 0.8 * radius_[atom]) return p;
  std::vector<Near> near;
  for (const Near& other : all)
    if (other.distance < sphere + radius_[other.atom]) near.push_back(other);
  for (size_t i = 0; i < directions.size(); ++i)
    p[i] = at(atom, sphere,
              {centre[0] + sphere * directions[i][0], centre[1] + sphere * directions[i][1], centre[2] + sphere * directions[i][2]}, near);
  return p;
}

}  // namespace suite::all_electron
