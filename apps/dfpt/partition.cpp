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

double Partition::product(const Here& a, const Sphere& sphere, const std::vector<Here>& here) {
  double all = 1;
  const double* const apart_of = &sphere.apart[a.number * sphere.n_atoms];
  for (const Here& b : here) {
    // Without the distance of a and b: where negative, mu is at most (r_a - r_b)/(r_a + r_b).
    if (b.distance >= surely_far * a.distance || a.number == b.number) continue;
    const double further = a.distance - b.distance, apart = apart_of[b.number];
    if (further <= -edge * apart) continue;
    const double s = further >= edge * apart ? 0 : smooth_step(further / apart);
    if (s == 1) continue;
    all *= s + (1 - s) * b.relaxed;
    if (all == 0) break;
  }
  return all;
}

double Partition::at(const Sphere& sphere, const std::array<double, 3>& point) const {
  thread_local std::vector<Here> here;
  thread_local std::vector<double> squares;
  const size_t self = sphere.n_atoms - 1;
  squares.resize(self);
  size_t nearest = self;
  double least = sphere.radius * sphere.radius;
  for (size_t i = 0; i < self; ++i) {
    const double* const other = &sphere.coords[3 * i];
    const double x = point[0] - other[0], y = point[1] - other[1], z = point[2] - other[2];
    squares[i] = x * x + y * y + z * z;
    if (squares[i] < least && squares[i] < sphere.reach[i] * sphere.reach[i]) least = squares[i], nearest = i;
  }
  // Most products are 0 by the nearest atom alone.
  if (nearest != self) {
    const double r = std::sqrt(least);
    if (r <= 0.8 * sphere.reach[nearest] && sphere.radius - r >= edge * sphere.apart[self * sphere.n_atoms + nearest]) return 0;
  }
  const Here own_here{self, sphere.radius, relaxed(sphere.radius, sphere.reach[self])};
  here.assign(1, own_here);
  size_t first = 0;
  for (size_t i = 0; i < self; ++i) {
    if (!(squares[i] < sphere.reach[i] * sphere.reach[i])) continue;
    if (i == nearest) first = here.size();
    const double r = std::sqrt(squares[i]);
    here.push_back({i, r, relaxed(r, sphere.reach[i])});
  }
  // The nearest first: with it most products are 0 immediately.
  std::swap(here[0], here[first]);
  const double own = product(own_here, sphere, here);
  if (own == 0) return 0;
  // With the nearest atom's whole weight, what is so much further has none.
  const double furthest = here[0].relaxed == 0 ? surely_far * here[0].distance : INFINITY;
  double sum = 0;
  for (const Here& a : here)
    if (a.distance <= furthest) sum += a.number == self ? own : product(a, sphere, here);
  return own / sum;
}

Partition::Sphere Partition::sphere_of(size_t atom, double radius) const {
  Sphere sphere;
  sphere.radius = radius;
  std::vector<size_t> atoms;
  for (const Near& other : neighbours_[atom])
    if (other.distance < radius + radius_[other.atom]) atoms.push_back(other.atom);
  atoms.push_back(atom);
  const size_t n = sphere.n_atoms = atoms.size();
  for (const size_t a : atoms) {
    sphere.reach.push_back(radius_[a]);
    sphere.coords.insert(sphere.coords.end(), &atom_coords_[3 * a], &atom_coords_[3 * a] + 3);
  }
  sphere.apart.resize(n * n);
  for (size_t a = 0; a < n; ++a)
    for (size_t b = 0; b < a; ++b)
      sphere.apart[a * n + b] = sphere.apart[b * n + a] = distance(&sphere.coords[3 * a], &sphere.coords[3 * b]);
  return sphere;
}

std::vector<double> Partition::on_sphere(size_t atom, double sphere, const std::vector<std::array<double, 3>>& directions) const {
  const double* const centre = &atom_coords_[3 * atom];
  const std::vector<Near>& all = neighbours_[atom];
  std::vector<double> p(directions.size(), 1.0);
  // The point belongs entirely to the atom if s(mu) = 1 for all others, which holds if it holds for the nearest.
  const bool inside = all.empty() || 2 * sphere <= (1 - edge) * all.front().distance;
  if (inside && sphere <= 0.8 * radius_[atom]) return p;
  if (sphere >= radius_[atom]) return std::vector<double>(directions.size(), 0.0);
  const Sphere here = sphere_of(atom, sphere);
  for (size_t i = 0; i < directions.size(); ++i)
    p[i] = at(here, {centre[0] + sphere * directions[i][0], centre[1] + sphere * directions[i][1], centre[2] + sphere * directions[i][2]});
  return p;
}

}  // namespace suite::all_electron
