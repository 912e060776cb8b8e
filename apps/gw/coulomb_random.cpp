// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <suite/plugin.hpp>

#include "coulomb.hpp"
#include "lattice.hpp"

namespace suite::gw {
namespace {

constexpr size_t points = RandomPoints::points, chunk = 25000;  // chunks: sums in one order for any number of threads
constexpr unsigned seed = 5000;
constexpr size_t points_nearby = 250000;               // for v at twice the radius of the inscribed sphere; fewer farther away
constexpr int reach = 3;  // lattice vectors -2 ... 3 of each direction are tried in folding

// Upper triangle U with U^T U = bdot.
Matrix3 upper(const Matrix3& bdot) {
  Matrix3 u{};
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      double s = bdot[i][j];
      for (int k = 0; k < i; ++k) s -= u[k][i] * u[k][j];
      u[i][j] = i == j ? std::sqrt(s) : s / u[i][i];
    }
  return u;
}

// In the order of operations of that code: where the number of points falls on a half, rounding decides it.
double squared_length(const Matrix3& bdot, const Vector3& a) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += a[i] * (bdot[i][0] * a[0] + bdot[i][1] * a[1] + bdot[i][2] * a[2]);
  return sum;
}

Vector3 times(const Matrix3& u, const Vector3& a) {
  return {u[0][0] * a[0] + u[0][1] * a[1] + u[0][2] * a[2], u[1][1] * a[1] + u[1][2] * a[2], u[2][2] * a[2]};
}

}  // namespace

RandomPoints::RandomPoints(const Matrix3& bdot, const Miller& qgrid)
    : bdot_(bdot),
      u_(upper(bdot)),
      cell_volume_(u_[0][0] * u_[1][1] * u_[2][2] / (double(qgrid[0]) * qgrid[1] * qgrid[2])),
      sphere2_(std::numeric_limits<double>::infinity()),
      x_(3 * points) {
  for (int a = 1 - reach; a <= reach; ++a)
    for (int b = 1 - reach; b <= reach; ++b)
      for (int c = 1 - reach; c <= reach; ++c) {
        if (a == 0 && b == 0 && c == 0) continue;
        const Vector3 half{a * (1.0 / qgrid[0]) * 0.5, b * (1.0 / qgrid[1]) * 0.5, c * (1.0 / qgrid[2]) * 0.5};
        sphere2_ = std::min(sphere2_, squared_length(bdot_, half));
      }
  std::mt19937 generator(seed);
  generator.discard(3 * points);
  constexpr double largest = 4294967295.0;
  for (double& x : x_) x = static_cast<double>(generator()) / largest;
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < points; ++i) {
    Vector3 p{x_[3 * i], x_[3 * i + 1], x_[3 * i + 2]}, nearest{};
    double shortest = std::numeric_limits<double>::infinity();
    for (int a = 1 - reach; a <= reach; ++a)
      for (int b = 1 - reach; b <= reach; ++b)
        for (int c = 1 - reach; c <= reach; ++c) {
          const Vector3 moved{p[0] - a, p[1] - b, p[2] - c}, at = times(u_, moved);
          const double length2 = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
          if (length2 < shortest) shortest = length2, nearest = moved;
        }
    const Vector3 cartesian = times(u_, {nearest[0] / qgrid[0], nearest[1] / qgrid[1], nearest[2] / qgrid[2]});
    for (int j = 0; j < 3; ++j) x_[3 * i + j] = cartesian[j];
  }
}

template <class F> double RandomPoints::mean(const Vector3& Q, size_t count, F&& of_length2) const {
  double of_chunk[points / chunk] = {};
#pragma omp parallel for schedule(static) if (count > chunk)
  for (size_t c = 0; c < points / chunk; ++c) {
    double sum = 0;
    for (size_t i = c * chunk; i < std::min(count, (c + 1) * chunk); ++i) {
      const double x = Q[0] + x_[3 * i], y = Q[1] + x_[3 * i + 1], z = Q[2] + x_[3 * i + 2];
      sum += of_length2(x * x + y * y + z * z);
    }
    of_chunk[c] = sum;
  }
  double sum = 0;
  for (double part : of_chunk) sum += part;
  return 8 * std::numbers::pi * sum / static_cast<double>(count);
}

double RandomPoints::one_over_q(const Vector3& q) const {
  return mean(times(u_, q), points, [](double length2) { return 1 / std::sqrt(length2); });
}

double RandomPoints::mean_in_plane(const std::function<double(double)>& f) const {
  // mean() gives the squared length of all three components, and has a factor.
  double of_chunk[points / chunk] = {};
#pragma omp parallel for schedule(static)
  for (size_t c = 0; c < points / chunk; ++c)
    for (size_t i = c * chunk; i < (c + 1) * chunk; ++i) of_chunk[c] += f(std::hypot(x_[3 * i], x_[3 * i + 1]));
  double sum = 0;
  for (double part : of_chunk) sum += part;
  return sum / points;
}

double RandomPoints::v(const Vector3& q) const {
  const Vector3 Q = times(u_, q);
  const double length2 = squared_length(bdot_, q);
  if (length2 < 1e-12)
    return mean(Q, points, [this](double p2) { return p2 > sphere2_ ? 1 / p2 : 0; }) +
           32 * std::numbers::pi * std::numbers::pi * std::sqrt(sphere2_) / cell_volume_;
  const auto count = std::llround(points_nearby * 4 * sphere2_ / length2);
  return mean(Q, static_cast<size_t>(std::clamp<long long>(count, 1, points)), [](double p2) { return 1 / p2; });
}

}  // namespace suite::gw
