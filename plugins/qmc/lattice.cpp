// SPDX-License-Identifier: BSD-3-Clause
#include "lattice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <suite/plugin.hpp>

#include "text.hpp"

namespace suite::qmc {
namespace {

struct Vector {
  double x[3] = {0, 0, 0};
};
double dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double dot(const Vector& a, const Vector& b) { return dot(a.x, b.x); }
Vector plus(const Vector& a, const Vector& b, double factor = 1) {
  return {{a.x[0] + factor * b.x[0], a.x[1] + factor * b.x[1], a.x[2] + factor * b.x[2]}};
}
void cross(const double* a, const double* b, double* c) {
  for (int d = 0; d < 3; ++d) c[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
}

// Rows of the inverse: inverse[i].v[j] = delta_ij. Returns v[0].(v[1] x v[2]).
double invert(const double (&v)[3][3], double (&inverse)[3][3]) {
  for (int i = 0; i < 3; ++i) cross(v[(i + 1) % 3], v[(i + 2) % 3], inverse[i]);
  const double determinant = dot(v[0], inverse[0]);
  for (auto& row : inverse)
    for (double& x : row) x /= determinant;
  return determinant;
}

// Selling's reduction: four vectors of sum zero, any three of them a basis, no two at an acute angle. Each
// step takes from the sum of squares.
struct Superbase {
  Vector v[4];
};
Superbase selling(const Lattice& lattice) {
  Superbase s;
  for (int i = 0; i < 3; ++i) {
    std::copy_n(lattice.a[i], 3, s.v[i].x);
    s.v[3] = plus(s.v[3], s.v[i], -1);
  }
  for (bool acute = true; acute;) {
    acute = false;
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) {
        const double product = dot(s.v[i], s.v[j]);
        if (product <= 1e-14 * (dot(s.v[i], s.v[i]) + dot(s.v[j], s.v[j]))) continue;
        for (int k = 0; k < 4; ++k)
          if (k != i && k != j) s.v[k] = plus(s.v[k], s.v[i]);
        for (double& x : s.v[i].x) x = -x;
        acute = true;
      }
  }
  return s;
}

// The centre c of the sphere through 0, p, q, r has p.c = p^2/2 and so on.
double circumradius(const Vector& p, const Vector& q, const Vector& r) {
  const Vector* const edges[] = {&p, &q, &r};
  double m[3][3], inverse[3][3];
  for (int i = 0; i < 3; ++i) std::copy_n(edges[i]->x, 3, m[i]);
  invert(m, inverse);
  Vector centre;
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < 3; ++d) centre.x[d] += inverse[i][d] * dot(*edges[i], *edges[i]) / 2;
  return std::sqrt(dot(centre, centre));
}

// The bounding vectors, the radii, and the basis of the wrapping; the Delaunay cells of a superbase without
// acute angles are the six tetrahedra 0, v_i, v_i + v_j, v_i + v_j + v_k.
void set_bounds(Lattice& lattice, const Superbase& s) {
  ImageRule& rule = lattice.images;
  for (int i = 0; i < 3; ++i) std::copy_n(s.v[i].x, 3, rule.basis[i]);
  invert(rule.basis, rule.inverse);
  const Vector bound[] = {s.v[0], s.v[1], s.v[2], s.v[3], plus(s.v[0], s.v[1]), plus(s.v[0], s.v[2]), plus(s.v[1], s.v[2])};
  double shortest = HUGE_VAL;
  for (int i = 0; i < 7; ++i) {
    std::copy_n(bound[i].x, 3, rule.bound[i]);
    const double square = dot(bound[i], bound[i]);
    rule.inverse_square[i] = 1 / square;
    shortest = std::min(shortest, square);
  }
  lattice.inscribed_radius = std::sqrt(shortest) / 2;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      if (i == j) continue;
      const Vector two = plus(s.v[i], s.v[j]);
      lattice.circumscribed_radius = std::max(lattice.circumscribed_radius, circumradius(s.v[i], two, plus(two, s.v[3 - i - j])));
    }
}

bool near(double x, double y) { return std::abs(x - y) <= 4e-14 * (std::abs(x) + std::abs(y)); }

// Lattice vectors of the two shortest lengths, one of each +-.
struct Shells {
  std::vector<Vector> first, second;
};
Shells two_shells(const ImageRule& rule) {
  std::vector<Vector> all;
  for (int n0 = -2; n0 <= 2; ++n0)
    for (int n1 = -2; n1 <= 2; ++n1)
      for (int n2 = -2; n2 <= 2; ++n2) {
        if (n0 < 0 || (n0 == 0 && (n1 < 0 || (n1 == 0 && n2 <= 0)))) continue;
        Vector v;
        for (int d = 0; d < 3; ++d) v.x[d] = n0 * rule.basis[0][d] + n1 * rule.basis[1][d] + n2 * rule.basis[2][d];
        all.push_back(v);
      }
  std::stable_sort(all.begin(), all.end(), [](const Vector& v, const Vector& w) { return dot(v, v) < dot(w, w); });
  Shells shells;
  for (const Vector& v : all) {
    if (near(dot(v, v), dot(all[0], all[0]))) shells.first.push_back(v);
    else if (shells.second.empty() || near(dot(v, v), dot(shells.second[0], shells.second[0]))) shells.second.push_back(v);
  }
  return shells;
}

// Three orthogonal lattice vectors of one length whose cube holds 1, 2 or 4 cells.
bool is_cube(const std::vector<Vector>& edges, double volume, double points) {
  if (edges.size() != 3) return false;
  const double square = dot(edges[0], edges[0]);
  for (int i = 0; i < 3; ++i)
    if (std::abs(dot(edges[i], edges[(i + 1) % 3])) > 4e-14 * square) return false;
  return near(square * std::sqrt(square), points * volume);
}

// sc has 6 closest neighbours along its edges; of fcc and bcc the edges are the second shell, behind 12 and 8
// neighbours.
void recognise(Lattice& lattice) {
  ImageRule& rule = lattice.images;
  const Shells shells = two_shells(rule);
  const std::vector<Vector>* edges = nullptr;
  const auto kind_is = [&](LatticeKind kind, const std::vector<Vector>& candidate) {
    rule.kind = kind;
    edges = &candidate;
  };
  if (shells.first.size() == 3 && is_cube(shells.first, lattice.volume, 1)) kind_is(LatticeKind::simple_cubic, shells.first);
  if (shells.first.size() == 6 && is_cube(shells.second, lattice.volume, 4)) kind_is(LatticeKind::face_centred, shells.second);
  if (shells.first.size() == 4 && is_cube(shells.second, lattice.volume, 2)) kind_is(LatticeKind::body_centred, shells.second);
  if (!edges) return;
  rule.edge = std::sqrt(dot((*edges)[0], (*edges)[0]));
  rule.inverse_edge = 1 / rule.edge;
  rule.aligned = 1;
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < 3; ++d) {
      rule.axes[i][d] = (*edges)[i].x[d] * rule.inverse_edge;
      const double size = std::abs(rule.axes[i][d]);
      if (size > 1e-15 && std::abs(size - 1) > 1e-15) rule.aligned = 0;
    }
  for (int i = 0; rule.aligned && i < 3; ++i)
    for (int d = 0; d < 3; ++d) rule.axes[i][d] = i == d;
}

}  // namespace

Lattice lattice_of(const double* cell) {
  Lattice lattice;
  double longest = 1;
  for (int i = 0; i < 3; ++i) {
    std::copy_n(cell + 3 * i, 3, lattice.a[i]);
    longest *= std::sqrt(dot(lattice.a[i], lattice.a[i]));
  }
  lattice.volume = std::abs(invert(lattice.a, lattice.b));
  if (!(lattice.volume > 1e-6 * longest) || !std::isfinite(lattice.volume))
    throw Failure(SUITE_INVALID_ARGUMENT,
                  "cell has a volume of " + text_of(lattice.volume) + " bohr^3; its three vectors must span a cell");
  for (auto& row : lattice.b)
    for (double& x : row) x *= 2 * std::numbers::pi;
  set_bounds(lattice, selling(lattice));
  recognise(lattice);
  return lattice;
}

void reciprocal_vector(const Lattice& lattice, const int32_t* n, double* G) {
  for (int d = 0; d < 3; ++d) G[d] = n[0] * lattice.b[0][d] + n[1] * lattice.b[1][d] + n[2] * lattice.b[2][d];
}

std::vector<int32_t> vectors_within(const double (&v)[3][3], double radius, bool half, const char* what, int64_t most) {
  double inverse[3][3];
  const double volume = std::abs(invert(v, inverse));
  const double expected = 4.19 * radius * radius * radius / volume;
  if (!(expected <= static_cast<double>(most)))
    throw Failure(SUITE_INVALID_ARGUMENT, std::string(what) + " would need about " + text_of(std::floor(expected)) + " vectors; at most " +
                                              text_of(most) + " are supported");
  int32_t top[3];  // |n_i| = |inverse[i].v| <= |inverse[i]| radius
  for (int i = 0; i < 3; ++i) top[i] = static_cast<int32_t>(radius * std::sqrt(dot(inverse[i], inverse[i])) + 1e-9);
  struct Found {
    double square;
    int32_t n[3];
  };
  std::vector<Found> found;
  for (int32_t i = half ? 0 : -top[0]; i <= top[0]; ++i)
    for (int32_t j = half && i == 0 ? 0 : -top[1]; j <= top[1]; ++j)
      for (int32_t k = half && i == 0 && j == 0 ? 1 : -top[2]; k <= top[2]; ++k) {
        double x[3];
        for (int d = 0; d < 3; ++d) x[d] = i * v[0][d] + j * v[1][d] + k * v[2][d];
        const double square = dot(x, x);
        if (square <= radius * radius * (1 + 1e-12)) found.push_back({square, {i, j, k}});
      }
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& p, const Found& q) { return p.square < q.square * (1 - 1e-10) && p.square < q.square; });
  std::vector<int32_t> n;
  n.reserve(3 * found.size());
  for (const Found& f : found) n.insert(n.end(), f.n, f.n + 3);
  return n;
}

std::vector<int32_t> in_rows(const std::vector<int32_t>& n) {
  std::vector<std::array<int32_t, 3>> sorted;
  for (size_t i = 0; i < n.size(); i += 3) sorted.push_back({n[i], n[i + 1], n[i + 2]});
  std::sort(sorted.begin(), sorted.end());
  std::vector<int32_t> rows;
  for (const auto& v : sorted) rows.insert(rows.end(), v.begin(), v.end());
  return rows;
}

std::vector<int32_t> shortest_reciprocal(const Lattice& lattice, int64_t count, std::vector<int32_t>* stars) {
  // The sphere that holds 2 count vectors on average, and larger until it does.
  double radius = std::cbrt(2.0 * static_cast<double>(count + 1) * 8 * std::pow(std::numbers::pi, 3) / lattice.volume / 4.18);
  std::vector<int32_t> n;
  do {
    radius *= 1.2;
    n = vectors_within(lattice.b, radius, true, "the list of reciprocal vectors");
  } while (static_cast<int64_t>(n.size()) < 3 * count);
  n.resize(static_cast<size_t>(3 * count));
  if (!stars) return n;
  stars->clear();
  double last = -1;
  for (int64_t i = 0; i < count; ++i) {
    double G[3];
    reciprocal_vector(lattice, &n[3 * i], G);
    const double square = dot(G, G);
    const bool next = stars->empty() || square > last * (1 + 1e-9);
    stars->push_back(stars->empty() ? 1 : stars->back() + next);
    if (next) last = square;
  }
  return n;
}

}  // namespace suite::qmc
