// SPDX-License-Identifier: BSD-3-Clause
#include "molecule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cells.hpp"

namespace suite::dfpt {
namespace {

constexpr double angstrom = 1 / 0.52917721;

struct Site {
  int species;
  double radius, angle, z;  // angstrom, degrees
};
// N H CA HA CB HB HB HB C O at phi = -57.8 and psi = -47 degrees in standard geometry.
constexpr Site residue[] = {{2, 1.5662, -26.654, -0.9156}, {0, 1.5386, -19.107, -1.9043}, {1, 2.2907, 0, 0},
                            {0, 3.0272, -13.850, 0.4925},  {1, 3.2961, 17.507, -0.7942},  {0, 3.0235, 34.412, -1.2966},
                            {0, 4.1047, 21.748, -0.1158},  {0, 3.7590, 6.911, -1.5367},   {1, 1.6800, 26.896, 1.0583},
                            {3, 1.9338, 20.676, 2.2469}};
constexpr double turn = 98.92757, rise = 1.541025, helix_distance = 10;
constexpr int64_t helix_atoms = 312;

// Places of a triangular lattice, ring by ring around the origin.
void helix_place(int64_t helix, double* x, double* y) {
  constexpr int along[][2] = {{-1, 1}, {-1, 0}, {0, -1}, {1, -1}, {1, 0}, {0, 1}};
  int64_t i = 0, j = 0, ring = 0, passed = 1;
  while (helix >= passed) passed += 6 * ++ring;
  if (ring > 0) {
    int64_t step = helix - (passed - 6 * ring);
    i = ring;
    for (const auto& side : along) {
      const int64_t here = std::min(step, ring);
      i += side[0] * here;
      j += side[1] * here;
      step -= here;
    }
  }
  *x = helix_distance * (static_cast<double>(i) + 0.5 * static_cast<double>(j));
  *y = helix_distance * std::sqrt(0.75) * static_cast<double>(j);
}

// Other atoms within a distance, the nearest first.
struct Neighbour {
  double distance;
  int64_t atom;
  bool operator<(const Neighbour& other) const { return distance < other.distance; }
};
std::vector<Neighbour> neighbours(const Molecule& molecule, int64_t a, double within) {
  std::vector<Neighbour> all;
  for (int64_t b = 0; b < molecule.count(); ++b)
    if (const double R = distance(molecule.at(a), molecule.at(b)); b != a && R < within) all.push_back({R, b});
  std::sort(all.begin(), all.end());
  return all;
}

// The share of an atom at distance r from it, of all that are near (Delley's form); 0 where Stratmann's rule
// gives none to it.
double share(const Molecule& molecule, const std::vector<Neighbour>& near_by, const double* point, double r) {
  const auto form = [](double d) { return std::exp(-2 * d) / (d * d); };
  double sum = form(r);
  for (const Neighbour& other : near_by) {
    if (other.distance > 2 * r + 6) break;
    const double d = distance(point, molecule.at(other.atom));
    if (r - d >= 0.64 * other.distance) return 0;
    sum += form(d);
  }
  return form(r) / sum;
}

// Points all over a sphere: a spiral of equal areas.
void direction(int i, int n, int turned, double* e) {
  const double z = 1 - (2 * i + 1.0) / n, s = std::sqrt(1 - z * z);
  const double angle = std::numbers::pi * (3 - std::sqrt(5.0)) * i + turned;
  e[0] = s * std::cos(angle);
  e[1] = s * std::sin(angle);
  e[2] = z;
}

std::vector<GridPoint> points_around(const Molecule& molecule, int64_t a, const Shells& shells) {
  const std::vector<Neighbour> near_by = neighbours(molecule, a, 2 * cutoff_radius + 6);
  std::vector<GridPoint> points;
  for (size_t s = 0; s < shells.radius.size(); ++s)
    for (int i = 0; i < shells.points[s]; ++i) {
      double e[3];
      direction(i, shells.points[s], static_cast<int>(s), e);
      GridPoint p;
      for (int d = 0; d < 3; ++d) p.r[d] = molecule.at(a)[d] + shells.radius[s] * e[d];
      p.projection_weight = 4 * std::numbers::pi / shells.points[s] * share(molecule, near_by, p.r, shells.radius[s]);
      if (!(p.projection_weight > 1e-15)) continue;
      p.weight = p.projection_weight * shells.weight[s];
      p.atom = static_cast<int32_t>(a);
      p.shell = static_cast<int32_t>(s);
      points.push_back(p);
    }
  return points;
}

// Planes across the longest edge, at unequal shares, until a part is small enough.
void cut(std::vector<GridPoint>& points, int64_t from, int64_t to, int64_t most, std::vector<int64_t>* batch) {
  if (to - from <= most) {
    batch->push_back(from);
    return;
  }
  double low[3], high[3];
  for (int d = 0; d < 3; ++d) low[d] = high[d] = points[static_cast<size_t>(from)].r[d];
  for (int64_t i = from; i < to; ++i)
    for (int d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], points[static_cast<size_t>(i)].r[d]);
      high[d] = std::max(high[d], points[static_cast<size_t>(i)].r[d]);
    }
  int edge = 0;
  for (int d = 1; d < 3; ++d)
    if (high[d] - low[d] > high[edge] - low[edge]) edge = d;
  const int64_t middle = from + std::max<int64_t>(1, (to - from) * (45 + (from + to) % 11) / 100);
  std::nth_element(points.begin() + from, points.begin() + middle, points.begin() + to, [&](const GridPoint& p, const GridPoint& q) {
    if (p.r[edge] != q.r[edge]) return p.r[edge] < q.r[edge];
    return p.atom != q.atom ? p.atom < q.atom : p.shell < q.shell;
  });
  cut(points, from, middle, most, batch);
  cut(points, middle, to, most, batch);
}

IntegrationGrid evenly(const IntegrationGrid& all, int64_t nbatches) {
  IntegrationGrid some;
  for (int64_t b = 0; b < nbatches; ++b) {
    const int64_t which = (2 * b + 1) * all.n_batches() / (2 * nbatches);
    some.batch.push_back(static_cast<int64_t>(some.points.size()));
    some.points.insert(some.points.end(), all.points.begin() + all.batch[static_cast<size_t>(which)],
                       all.points.begin() + all.batch[static_cast<size_t>(which + 1)]);
  }
  some.batch.push_back(static_cast<int64_t>(some.points.size()));
  return some;
}

constexpr double exponent(int species, int n) {
  constexpr double zeta[][3] = {{1.2, 1.2, 1.8}, {5.7, 1.6, 1.9}, {6.7, 1.9, 2.1}, {7.7, 2.2, 2.3}};
  return zeta[species][std::min(n, 3) - 1];
}

RadialFunction radial_function(int species, int n, int l) {
  RadialFunction f{species, n, l, exponent(species, n), cutoff_radius};
  for (double r = cutoff_radius; r > 0.5 && r * std::abs(f.value(r)) < 1e-6; r -= 0.02) f.outer_radius = r;
  return f;
}

Active active_of(const std::vector<std::vector<int32_t>>& lists) {
  Active active;
  for (const auto& list : lists) {
    active.first.push_back(static_cast<int64_t>(active.list.size()));
    active.list.insert(active.list.end(), list.begin(), list.end());
  }
  active.first.push_back(static_cast<int64_t>(active.list.size()));
  return active;
}

}  // namespace

Molecule molecule_of(int64_t n_atoms) {
  Molecule molecule;
  for (int64_t i = 0; i < n_atoms; ++i) {
    const int64_t in_helix = i % helix_atoms, number = in_helix / 10;
    const Site& site = residue[in_helix % 10];
    double x, y;
    helix_place(i / helix_atoms, &x, &y);
    const double angle = (site.angle + turn * static_cast<double>(number)) * std::numbers::pi / 180;
    const double r[3] = {x + site.radius * std::cos(angle), y + site.radius * std::sin(angle), site.z + rise * static_cast<double>(number)};
    for (const double component : r) molecule.coords.push_back(angstrom * component);
    molecule.species.push_back(site.species);
  }
  return molecule;
}

int64_t electrons_of(const Molecule& molecule) {
  constexpr int charge[] = {1, 6, 7, 8};
  int64_t sum = 0;
  for (const int32_t species : molecule.species) sum += charge[species];
  return sum;
}

double RadialFunction::value(double r) const {
  if (r >= cutoff_radius) return 0;
  const double x = r / cutoff_radius, end = 1 - x * x * x * x, power = 2.0 * n + 1;
  const double norm = std::sqrt(std::pow(2 * zeta, power) / std::tgamma(power));
  return norm * std::pow(r, n - 1) * std::exp(-zeta * r) * end * end;
}

BasisSet basis_of(const Molecule& molecule, int64_t l_max) {
  BasisSet basis;
  std::vector<int> of_species[n_elements];
  for (int s = 0; s < n_elements; ++s) {
    const auto add = [&](int n, int l) {
      of_species[s].push_back(static_cast<int>(basis.radial.size()));
      basis.radial.push_back(radial_function(s, n, l));
    };
    add(1, 0);
    if (s > 0) add(2, 0);
    if (s > 0 && l_max > 0) add(2, 1);
    for (int l = 2; l <= l_max; ++l) add(l + 1, l);
  }
  for (int64_t a = 0; a < molecule.count(); ++a) {
    basis.first.push_back(basis.count());
    for (const int fn : of_species[molecule.species[static_cast<size_t>(a)]]) {
      const int l = basis.radial[static_cast<size_t>(fn)].l;
      for (int m = -l; m <= l; ++m) {
        basis.atom.push_back(static_cast<int32_t>(a));
        basis.fn.push_back(fn);
        basis.l.push_back(l);
        basis.m.push_back(m);
      }
    }
  }
  basis.first.push_back(basis.count());
  return basis;
}

Shells shells_of(int species, int64_t coarse) {
  constexpr int counts[] = {24, 34, 35, 36};
  constexpr double near_nucleus[] = {0.30, 0.38, 0.32, 0.31};  // angstrom, of the smallest angular grid
  constexpr double outermost = 5 * angstrom;
  const int N = std::max(4, static_cast<int>(counts[species] / coarse));
  const double whole = -std::log(1 - std::pow(N / (N + 1.0), 2));
  Shells shells;
  shells.scale = outermost / whole;
  for (int i = 1; i <= N; ++i) {
    const double x = i / (N + 1.0), rest = 1 - x * x, r = -shells.scale * std::log(rest);
    const double ratio = r / (near_nucleus[species] * angstrom);
    shells.radius.push_back(r);
    shells.weight.push_back(r * r * shells.scale * 2 * x / ((N + 1.0) * rest));
    shells.points.push_back(ratio < 1 ? 50 : ratio < 1.7 ? 110 : ratio < 2.3 ? 194 : 302);
  }
  return shells;
}

IntegrationGrid grid_of(const Molecule& molecule, int64_t points, int64_t nbatches, int64_t coarse) {
  Shells shells[n_elements];
  for (int s = 0; s < n_elements; ++s) shells[s] = shells_of(s, coarse);
  std::vector<std::vector<GridPoint>> of_atom(static_cast<size_t>(molecule.count()));
#pragma omp parallel for schedule(dynamic)
  for (int64_t a = 0; a < molecule.count(); ++a)
    of_atom[static_cast<size_t>(a)] = points_around(molecule, a, shells[molecule.species[static_cast<size_t>(a)]]);
  IntegrationGrid all;
  for (const auto& some : of_atom) all.points.insert(all.points.end(), some.begin(), some.end());
  const int64_t n = static_cast<int64_t>(all.points.size());
  cut(all.points, 0, n, points, &all.batch);
  all.batch.push_back(n);
  return nbatches > 0 && nbatches < all.n_batches() ? evenly(all, nbatches) : all;
}

Active active_functions(const Molecule& molecule, const BasisSet& basis, const IntegrationGrid& grid) {
  std::vector<std::vector<int32_t>> lists(static_cast<size_t>(grid.n_batches()));
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t b = 0; b < grid.n_batches(); ++b)
    for (int64_t a = 0; a < molecule.count(); ++a) {
      double nearest = HUGE_VAL;
      for (int64_t p = grid.batch[static_cast<size_t>(b)]; p < grid.batch[static_cast<size_t>(b + 1)]; ++p) {
        const double r = distance(grid.points[static_cast<size_t>(p)].r, molecule.at(a));
        nearest = std::min(nearest, r);
        // No batch is wider than the grid of an atom.
        if (r > 4 * cutoff_radius) break;
      }
      for (int64_t i = basis.first[static_cast<size_t>(a)]; i < basis.first[static_cast<size_t>(a + 1)]; ++i)
        if (nearest < basis.radial[static_cast<size_t>(basis.fn[static_cast<size_t>(i)])].outer_radius)
          lists[static_cast<size_t>(b)].push_back(static_cast<int32_t>(i));
    }
  return active_of(lists);
}

void empty_some(int64_t count, IntegrationGrid& grid, Active& active) {
  if (count == 0 || active.first.empty()) return;
  std::vector<std::vector<int32_t>> lists;
  for (int64_t b = 0; b < grid.n_batches(); ++b) {
    const auto from = active.list.begin();
    const bool emptied = b % 2 == 1 && b < 2 * count;
    lists.emplace_back(from + active.first[static_cast<size_t>(b)], from + active.first[static_cast<size_t>(emptied ? b : b + 1)]);
  }
  for (int64_t i = 0; i < count; ++i) {
    grid.batch.push_back(grid.batch.back());
    lists.push_back(lists[0]);
  }
  active = active_of(lists);
}

std::vector<int64_t> first_in_wave(const IntegrationGrid& grid, const Active& active) {
  std::vector<int64_t> first{0};
  for (size_t b = 1; b < active.first.size(); ++b)
    first.push_back(first.back() + (grid.batch[b] - grid.batch[b - 1]) * (active.first[b] - active.first[b - 1]));
  return first;
}

}  // namespace suite::dfpt
