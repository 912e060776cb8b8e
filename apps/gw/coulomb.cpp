// SPDX-License-Identifier: BSD-3-Clause
#include "coulomb.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "lattice.hpp"

namespace suite::gw {
namespace {

using std::numbers::pi;

Vector3 operator*(double s, const Vector3& a) { return {s * a[0], s * a[1], s * a[2]}; }
Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double length(const Vector3& a) { return std::sqrt(dot(a, a)); }

// Vectors b_i with the given scalar products; their orientation does not matter.
Matrix3 cholesky(const Matrix3& bdot) {
  Matrix3 b{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) {
      double s = bdot[i][j];
      for (int k = 0; k < j; ++k) s -= b[i][k] * b[j][k];
      if (i != j) {
        b[i][j] = s / b[j][j];
      } else {
        if (!(s > 0))
          throw Failure(SUITE_INVALID_ARGUMENT, "the reciprocal lattice is not three-dimensional: bdot is not positive definite");
        b[i][i] = std::sqrt(s);
      }
    }
  return b;
}

// The vectors whose midplanes can bound the Wigner-Seitz cell of the lattice spanned by b. Selling's
// reduction turns b_1, b_2, b_3, -(b_1+b_2+b_3) into four vectors with no acute angle among them; then they
// are the 14 sums of some, but not all, of the four (Conway and Sloane, Proc. R. Soc. Lond. A 436, 55
// (1992)).
std::vector<Vector3> voronoi_vectors(const Matrix3& b) {
  std::array<Vector3, 4> s{b[0], b[1], b[2], -1.0 * (b[0] + b[1] + b[2])};
  const auto acute_pair = [&]() -> std::pair<int, int> {
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j)
        if (dot(s[i], s[j]) > 1e-12 * length(s[i]) * length(s[j])) return {i, j};
    return {-1, -1};
  };
  for (auto [i, j] = acute_pair(); i >= 0; std::tie(i, j) = acute_pair()) {
    const Vector3 flipped = s[i];
    for (int k = 0; k < 4; ++k)
      if (k != i && k != j) s[k] = s[k] + flipped;
    s[i] = -1.0 * flipped;
  }
  std::vector<Vector3> sums;
  for (int subset = 1; subset < 15; ++subset) {
    Vector3 sum{};
    for (int k = 0; k < 4; ++k)
      if (subset >> k & 1) sum = sum + s[k];
    sums.push_back(sum);
  }
  return sums;
}

// The part of a convex polygon with n.x <= d.
std::vector<Vector3> clip(const std::vector<Vector3>& polygon, const Vector3& n, double d, double tolerance) {
  std::vector<Vector3> kept;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Vector3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double hp = dot(n, p) - d, hq = dot(n, q) - d;
    if (hp <= tolerance) kept.push_back(p);
    if ((hp < -tolerance && hq > tolerance) || (hp > tolerance && hq < -tolerance)) kept.push_back(p + (hp / (hp - hq)) * (q - p));
  }
  return kept;
}

// Nodes and weights on 0...1 by Newton's method on the Legendre polynomial.
void gauss_legendre(int n, std::vector<double>& point, std::vector<double>& weight) {
  point.resize(n);
  weight.resize(n);
  for (int i = 0; i < n; ++i) {
    double x = std::cos(pi * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int step = 0; step < 20; ++step) {
      double p0 = 1, p1 = x;
      for (int k = 2; k <= n; ++k) p0 = std::exchange(p1, ((2 * k - 1) * x * p1 - (k - 1) * p0) / k);
      slope = n == 1 ? 1 : n * (x * p1 - p0) / (x * x - 1);
      const double change = p1 / slope;
      x -= change;
      if (std::abs(change) < 1e-15) break;
    }
    point[i] = 0.5 * (1 + x);
    weight[i] = n == 1 ? 1 : 1 / ((1 - x * x) * slope * slope);
  }
}

// A triangle whose centre is `ratio` of its radii away from the singular point x = 0. Gauss's rule with n
// points errs by about rho^-2n where rho = ratio + sqrt(ratio^2 - 1) (Bernstein's ellipse): this many reach
// 1e-15.
int points_needed(double ratio) {
  const double rho = ratio + std::sqrt(ratio * ratio - 1);
  return static_cast<int>(std::ceil(15 * std::log(10.0) / (2 * std::log(rho)))) + 1;
}
constexpr double nearest_ratio = 1.5;  // nearer than this a triangle is cut in four
constexpr int deepest = 50;

}  // namespace

CoulombAverage::CoulombAverage(const Matrix3& bdot, const Miller& qgrid, double volume, int more_points)
    : b_(cholesky(bdot)), more_points_(more_points) {
  Matrix3 mini = b_;
  for (int i = 0; i < 3; ++i) {
    if (qgrid[i] < 1) throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the q grid has {} divisions along b{}", qgrid[i], i + 1));
    mini[i] = (1.0 / qgrid[i]) * b_[i];
  }
  cell_volume_ = std::abs(dot(mini[0], cross(mini[1], mini[2])));
  const double expected = 8 * pi * pi * pi / (volume * qgrid[0] * qgrid[1] * qgrid[2]);
  if (!(std::abs(cell_volume_ - expected) <= 1e-5 * expected))
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("bdot gives a cell of {:f} bohr^3 but the cell volume is {:f} bohr^3",
                                                      8 * pi * pi * pi / (cell_volume_ * qgrid[0] * qgrid[1] * qgrid[2]), volume));

  const auto neighbours = voronoi_vectors(mini);
  double reach = 0;
  for (const auto& v : neighbours) reach = std::max(reach, length(v));
  double sum = 0;
  for (const auto& v : neighbours) {
    Face face{(1 / length(v)) * v, 0.5 * length(v), {}};
    int axis = 0;  // the one least along the normal
    for (int k = 1; k < 3; ++k)
      if (std::abs(face.normal[k]) < std::abs(face.normal[axis])) axis = k;
    Vector3 e{};
    e[axis] = 1;
    Vector3 e1 = cross(face.normal, e);
    e1 = (1 / length(e1)) * e1;
    const Vector3 e2 = cross(face.normal, e1), foot = face.distance * face.normal;
    std::vector<Vector3> polygon;
    for (auto [s, t] : {std::pair{-4, -4}, {4, -4}, {4, 4}, {-4, 4}}) polygon.push_back(foot + (s * reach) * e1 + (t * reach) * e2);
    for (const auto& w : neighbours)
      if (&w != &v && !polygon.empty()) polygon = clip(polygon, (1 / length(w)) * w, 0.5 * length(w), 1e-13 * reach);
    Vector3 centre{};
    for (const auto& p : polygon) centre = centre + (1.0 / polygon.size()) * p;
    double area = 0;
    for (size_t i = 0; i < polygon.size(); ++i) {
      const Triangle t{centre, polygon[i], polygon[(i + 1) % polygon.size()]};
      const double piece = 0.5 * length(cross(t.b - t.a, t.c - t.a));
      if (piece > 1e-12 * reach * reach) face.triangles.push_back(t), area += piece;
    }
    sum += face.distance * area / 3;
    if (!face.triangles.empty()) faces_.push_back(std::move(face));
  }
  if (!(std::abs(sum - cell_volume_) <= 1e-9 * cell_volume_))
    throw Failure(SUITE_INTERNAL, fmt::format("the Wigner-Seitz cell has volume {:f} instead of {:f}", sum, cell_volume_));
  const int most = points_needed(nearest_ratio) + more_points;
  rules_.resize(most + 1);
  for (int n = 1; n <= most; ++n) gauss_legendre(n, rules_[n].point, rules_[n].weight);
}

Vector3 CoulombAverage::cartesian(const Vector3& crystal) const { return crystal[0] * b_[0] + crystal[1] * b_[1] + crystal[2] * b_[2]; }

// int dS/|Q+p|^power over a triangle, by the product rule on (s,t) with p = a + s (b-a + t (c-b)), dS = 2
// area s ds dt.
double CoulombAverage::surface(const Triangle& triangle, const Vector3& Q, int power, int depth) const {
  const auto& [a, b, c] = triangle;
  const Vector3 centre = (1.0 / 3) * (a + b + c);
  const double radius = std::max({length(a - centre), length(b - centre), length(c - centre)});
  const double ratio = length(Q + centre) / radius;
  if (ratio < nearest_ratio && depth < deepest) {
    const Vector3 ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
    return surface({a, ab, ca}, Q, power, depth + 1) + surface({ab, b, bc}, Q, power, depth + 1) +
           surface({ca, bc, c}, Q, power, depth + 1) + surface({ab, bc, ca}, Q, power, depth + 1);
  }
  const Rule& rule = rules_[points_needed(std::max(ratio, nearest_ratio)) + more_points_];
  const Vector3 origin = Q + a, ab = b - a, bc = c - b;
  const size_t n = rule.point.size();
  double sum = 0;
  for (size_t i = 0; i < n; ++i) {
    const double s = rule.point[i];
    const Vector3 start = origin + s * ab, along = s * bc;
    double line = 0;
    for (size_t j = 0; j < n; ++j) {
      const Vector3 x = start + rule.point[j] * along;
      const double r2 = dot(x, x);
      line += rule.weight[j] / (power == 2 ? r2 : std::sqrt(r2));
    }
    sum += rule.weight[i] * s * line;
  }
  return sum * length(cross(ab, c - a));
}

double CoulombAverage::flux(const Vector3& Q, int power) const {
  double sum = 0;
  for (const auto& face : faces_) {
    const double height = face.distance + dot(face.normal, Q);
    if (std::abs(height) < 1e-14 * face.distance) continue;  // height times a logarithm of it
    double integral = 0;
    for (const auto& triangle : face.triangles) integral += surface(triangle, Q, power, 0);
    sum += height * integral;
  }
  return sum;
}

double CoulombAverage::v(const Vector3& q_plus_G) const { return 8 * pi * flux(cartesian(q_plus_G), 2) / cell_volume_; }

// d^3p = dS n.x/R^3 r^2 dr along the ray from 0 through x on a face, R = |x|.
std::complex<double> CoulombAverage::mean_at_origin(const std::function<std::complex<double>(double)>& f_q2) const {
  constexpr int on_ray = 32, on_side = 10;
  Rule ray, side;
  gauss_legendre(on_ray, ray.point, ray.weight);
  gauss_legendre(on_side, side.point, side.weight);
  std::complex<double> sum = 0;
  for (const auto& face : faces_)
    for (const auto& [a, b, c] : face.triangles)
      for (int i = 0; i < on_side; ++i)
        for (int j = 0; j < on_side; ++j) {
          const double s = side.point[static_cast<size_t>(i)], t = side.point[static_cast<size_t>(j)];
          const Vector3 x = a + s * (b - a + t * (c - b));
          const double R = length(x),
                       area = side.weight[static_cast<size_t>(i)] * side.weight[static_cast<size_t>(j)] * s * length(cross(b - a, c - a));
          std::complex<double> on_it = 0;
          for (size_t k = 0; k < on_ray; ++k) on_it += ray.weight[k] * f_q2(R * ray.point[k]);
          sum += area * face.distance / (R * R) * on_it;  // R of dr
        }
  return sum / cell_volume_;
}

double CoulombAverage::one_over_q(const Vector3& q_plus_G) const { return 8 * pi * flux(cartesian(q_plus_G), 1) / (2 * cell_volume_); }

}  // namespace suite::gw
