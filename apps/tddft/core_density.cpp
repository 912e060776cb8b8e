// SPDX-License-Identifier: BSD-3-Clause
#include "core_density.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace suite::tddft {
namespace {

// Points of the grid along one direction that a sphere around an atom touches, also those that its images touch in a crystal.
struct Line {
  struct Point {
    int index;
    double distance;  // from the atom, bohr
  };
  std::vector<Point> points;
};

Line line_of(const System& system, int d, double position, double reach) {
  const Grid& grid = system.grid;
  const int n = grid.points[d];
  if (n == 1) return {{{0, 0.0}}};
  Line line;
  const auto last = static_cast<int>(std::floor((position + reach) / grid.h[d]));
  for (auto i = static_cast<int>(std::ceil((position - reach) / grid.h[d])); i <= last; ++i) {
    const int index = i + n / 2;
    const bool inside = index >= 0 && index < n;
    if (system.boundary == Boundary::isolated && !inside) continue;
    line.points.push_back({(index % n + n) % n, i * grid.h[d] - position});
  }
  return line;
}

// Calls f(point of the grid, displacement, density and slope) within the sphere, for the planes x of the grid in parallel: f must not write
// to what belongs to another plane.
template <class F> void for_core_points(const System& system, const Atom& atom, F&& f) {
  const Pseudopotential& p = pseudopotential(system, atom);
  const double reach = p.core_reach();
  if (!(reach > 0)) return;
  const Grid& grid = system.grid;
  std::array<Line, 3> lines;
  for (int d = 0; d < 3; ++d) lines[static_cast<size_t>(d)] = line_of(system, d, atom.position[static_cast<size_t>(d)], reach);
#pragma omp parallel for schedule(static)
  for (int ix = 0; ix < grid.points[0]; ++ix)
    for (const auto& x : lines[0].points) {
      if (x.index != ix) continue;
      for (const auto& y : lines[1].points)
        for (const auto& z : lines[2].points) {
          const Vec3 r{x.distance, y.distance, z.distance};
          const double distance = std::hypot(r[0], r[1], r[2]);
          if (distance < reach) f(ix, grid.index(ix, y.index, z.index), r, p.core(distance));
        }
    }
}

}  // namespace

bool has_core(const System& system) {
  return std::any_of(system.atoms.begin(), system.atoms.end(),
                     [&](const Atom& atom) { return pseudopotential(system, atom).core_reach() > 0; });
}

std::vector<double> core_density(const System& system) {
  if (!has_core(system)) return {};
  std::vector<double> rho(system.grid.size(), 0.0);
  for (const Atom& atom : system.atoms)
    for_core_points(system, atom, [&](int, size_t at, const Vec3&, const Pseudopotential::Radial& core) { rho[at] += core.value; });
  return rho;
}

double core_charge(const System& system) {
  double charge = 0;
  for (const Atom& atom : system.atoms) charge += pseudopotential(system, atom).core_charge;
  return charge;
}

double core_charge_on_grid(const System& system) {
  double charge = 0;
  for (const double density : core_density(system)) charge += density * system.grid.point_volume();
  return charge;
}

std::vector<Vec3> core_forces(const System& system, const std::vector<double>& v) {
  const size_t points = system.grid.size(), spins = v.size() / points;
  std::vector<Vec3> forces;
  for (const Atom& atom : system.atoms) {
    std::vector<Vec3> of_planes(static_cast<size_t>(system.grid.points[0]), Vec3{});
    for_core_points(system, atom, [&](int ix, size_t at, const Vec3& r, const Pseudopotential::Radial& core) {
      const double potential = spins == 1 ? v[at] : (v[at] + v[at + points]) / 2;
      for (size_t d = 0; d < 3; ++d) of_planes[static_cast<size_t>(ix)][d] += potential * core.slope * r[d];
    });
    Vec3 force{};
    for (const Vec3& part : of_planes)
      for (size_t d = 0; d < 3; ++d) force[d] += part[d] * system.grid.point_volume();
    forces.push_back(force);
  }
  return forces;
}

}  // namespace suite::tddft
