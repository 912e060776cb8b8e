// SPDX-License-Identifier: BSD-3-Clause
#include "system.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "pseudopotential.hpp"

namespace suite::tddft {

namespace {

using std::numbers::pi;

std::string number(double x) { return fmt::format("{:.6g}", x); }

std::string text(const Vec3& r) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", r[0], r[1], r[2]); }

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(SUITE_INVALID_ARGUMENT, sentence); }

// Factors 2, 3 and 5 only, for which Fourier transforms are fast.
bool has_small_factors(int n) {
  for (int p : {2, 3, 5})
    while (n % p == 0) n /= p;
  return n == 1;
}

void check_grid(const Grid& grid) {
  for (int d = 0; d < 3; ++d) {
    const std::string axis(1, "xyz"[d]);
    const int n = grid.points[d];
    if (n < 1 || (n > 1 && n % 2 != 0)) refuse(fmt::format("the grid has {} points along {}, but they must be even, or 1", n, axis));
    if (!(grid.h[d] > 0) || !std::isfinite(grid.h[d]))
      refuse("the grid spacing along " + axis + " is " + number(grid.h[d]) + " bohr, but must be positive");
  }
}

void check_atoms(const System& system) {
  for (const Atom& atom : system.atoms) {
    const Pseudopotential& potential = pseudopotential(system, atom);
    for (int d = 0; d < 3; ++d) {
      if (!std::isfinite(atom.position[d])) refuse("a position of atom " + atom.element + " is not a number");
      if (system.boundary == Boundary::isolated && std::abs(atom.position[d]) > system.grid.length(d) / 2)
        refuse("atom " + atom.element + " at " + text(atom.position) + " bohr lies outside the cell, which goes from " +
               number(-system.grid.length(d) / 2) + " to " + number(system.grid.length(d) / 2) + " along " + "xyz"[d]);
      // Such a face cuts at least a sixth of its electrons off.
      const double from_face = system.grid.length(d) / 2 - std::abs(atom.position[d]);
      if (system.boundary == Boundary::isolated && system.grid.points[d] > 1 && from_face < potential.width())
        refuse("atom " + atom.element + " at " + text(atom.position) + " bohr is " + number(from_face) +
               " bohr from a face of the cell along " + "xyz"[d] +
               ", which cuts its electrons off; an isolated system needs several bohr of empty space around its atoms");
    }
  }
  for (size_t a = 0; a < system.atoms.size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      const Vec3 r = displacement(system, system.atoms[a].position, system.atoms[b].position);
      const double distance = std::hypot(r[0], r[1], r[2]);
      if (!(distance > 0.1))
        refuse(fmt::format("atoms {} ({}) and {} ({}) are {} bohr apart", b + 1, system.atoms[b].element, a + 1, system.atoms[a].element,
                           number(distance)));
    }
}

}  // namespace

Grid make_grid(const Vec3& lengths, double h) {
  Grid grid;
  for (int d = 0; d < 3; ++d) {
    if (!(lengths[d] > 0) || !(h > 0) || !(lengths[d] / h < 1e5))
      refuse("a cell of " + number(lengths[d]) + " bohr cannot have a grid spacing of " + number(h) + " bohr");
    // With a small tolerance, so that 10 bohr at 0.1 bohr give 100 points and not 108.
    int half = std::max(1, static_cast<int>(std::ceil(lengths[d] / h / 2 * (1 - 1e-10))));
    while (!has_small_factors(half)) ++half;
    grid.points[d] = 2 * half;
    grid.h[d] = lengths[d] / grid.points[d];
  }
  return grid;
}

double JelliumSphere::radius() const { return rs * std::cbrt(charge); }

std::vector<KPoint> monkhorst_pack(const Grid& grid, const std::array<int, 3>& divisions) {
  for (int q : divisions)
    if (q < 1) refuse(fmt::format("a k grid has {} points in one direction; at least 1 is needed", q));
  const auto component = [&](int d, int n) { return (2 * n - divisions[d] + 1) * pi / (divisions[d] * grid.length(d)); };
  std::vector<KPoint> points;
  const double weight = 1.0 / (double(divisions[0]) * divisions[1] * divisions[2]);
  const int count = divisions[0] * divisions[1] * divisions[2];
  for (int i = 0; i < count; ++i) {
    const std::array<int, 3> n{i / divisions[2] / divisions[1], i / divisions[2] % divisions[1], i % divisions[2]};
    // -k has the numbers q - 1 - n; the later of the two represents both.
    const int minus = ((divisions[0] - 1 - n[0]) * divisions[1] + divisions[1] - 1 - n[1]) * divisions[2] + divisions[2] - 1 - n[2];
    if (minus > i) continue;
    const bool both = minus != i;
    points.push_back({{component(0, n[0]), component(1, n[1]), component(2, n[2])}, both ? 2 * weight : weight, both});
  }
  return points;
}

std::vector<KPoint> all_k_points(const System& system) {
  std::vector<KPoint> points = system.k_points;
  for (const KPoint& point : system.k_points)
    if (point.with_minus) points.push_back({{-point.k[0], -point.k[1], -point.k[2]}, point.weight / 2});
  for (KPoint& point : points)
    if (point.with_minus) point.weight /= 2, point.with_minus = false;
  return points;
}

double ion_charge(const System& system) {
  double charge = system.sphere ? system.sphere->charge : 0;
  for (const Atom& atom : system.atoms) charge += pseudopotential(system, atom).charge;
  return charge;
}

double default_electrons(const System& system) { return ion_charge(system); }

namespace {

// Filled from below with `most` in each, if they are not given.
std::vector<double> filled(std::vector<double> given, double electrons, double most) {
  if (given.empty())
    for (double rest = electrons; rest > 1e-12; rest -= most) given.push_back(std::min(rest, most));
  while (!given.empty() && given.back() == 0) given.pop_back();
  return given;
}

}  // namespace

std::vector<double> occupations(const System& system, int spin) {
  if (system.spins() == 1) return filled(system.occupations, system.electrons, 2);
  std::vector<double> up = filled(system.occupations, (system.electrons + system.unpaired) / 2, 1);
  std::vector<double> down = filled(system.occupations_down, (system.electrons - system.unpaired) / 2, 1);
  const size_t bands = std::max(up.size(), down.size());
  up.resize(bands, 0.0);
  down.resize(bands, 0.0);
  return spin == 0 ? up : down;
}

namespace {

void check_occupations(const std::vector<double>& occupations, double most, double electrons, const char* what, const std::string& which) {
  double sum = 0;
  for (const double f : occupations) {
    if (!(f >= 0 && f <= most)) refuse("an occupation is " + number(f) + ", but must be 0 to " + number(most));
    sum += f;
  }
  if (!occupations.empty() && !(std::abs(sum - electrons) <= 1e-8))
    refuse(std::string("the ") + what + " add up to " + number(sum) + ", but " + which);
}

void check_spins(const System& system) {
  if (system.spins() == 1) {
    if (!system.occupations_down.empty()) refuse("there are occupations of spin down, but no unpaired electrons");
    return;
  }
  const double pairs = (system.electrons - system.unpaired) / 2;
  if (!(pairs >= 0) || !(std::abs(pairs - std::round(pairs)) <= 1e-9))
    refuse("of " + number(system.electrons) + " electrons " + number(system.unpaired) +
           " cannot be unpaired: both numbers must be even or both odd, and the first not smaller");
}

}  // namespace

void check(const System& system) {
  check_grid(system.grid);
  check_atoms(system);
  if (system.sphere) {
    const JelliumSphere& sphere = *system.sphere;
    if (!system.atoms.empty()) refuse("a cell cannot contain both a jellium sphere and atoms");
    if (!(sphere.charge > 0) || !(sphere.rs > 0))
      refuse("the jellium sphere has charge " + number(sphere.charge) + " and rs " + number(sphere.rs) +
             " bohr, but both must be positive");
    for (int d = 0; d < 3; ++d)
      if (2 * sphere.radius() > system.grid.length(d))
        refuse("the jellium sphere is " + number(2 * sphere.radius()) + " bohr across, but the cell only " + number(system.grid.length(d)) +
               " bohr along " + "xyz"[d]);
  }
  if (!(system.electrons > 0) || !std::isfinite(system.electrons))
    refuse("the system has " + number(system.electrons) + " electrons, but must have more than 0");
  check_spins(system);
  if (system.spins() == 1) {
    check_occupations(system.occupations, 2, system.electrons, "occupations", "the system has " + number(system.electrons) + " electrons");
  } else {
    for (const int sign : {1, -1}) {
      const double electrons = (system.electrons + sign * system.unpaired) / 2;
      check_occupations(sign > 0 ? system.occupations : system.occupations_down, 1, electrons,
                        sign > 0 ? "occupations of spin up" : "occupations of spin down",
                        "of " + number(system.electrons) + " electrons " + number(electrons) + " have that spin");
    }
  }
  if (system.k_points.empty()) refuse("there is no k point");
  double weights = 0;
  for (const KPoint& point : system.k_points) {
    weights += point.weight;
    if (system.boundary == Boundary::isolated && point.k != Vec3{})
      refuse("an isolated system has only the k point 0, not " + text(point.k));
    for (int d = 0; d < 3; ++d)
      if (system.grid.points[d] == 1 && point.k[d] != 0)
        refuse("a k point has the component " + number(point.k[d]) + " along " + "xyz"[d] + ", along a direction that does not exist");
  }
  if (!(std::abs(weights - 1) <= 1e-8)) refuse("the weights of the k points add up to " + number(weights) + ", not 1");
}

Vec3 displacement(const System& system, const Vec3& r, const Vec3& centre) {
  Vec3 out;
  for (int d = 0; d < 3; ++d) {
    out[d] = r[d] - centre[d];
    if (system.boundary == Boundary::periodic) {
      const double length = system.grid.length(d);
      out[d] -= length * std::round(out[d] / length);
    }
  }
  return out;
}

}  // namespace suite::tddft
