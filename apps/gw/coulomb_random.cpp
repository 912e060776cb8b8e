// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <suite/plugin.hpp>

#include "coulomb.hpp"
#include "lattice.hpp"

namespace suite::gw {
namespace {

constexpr size_t points = 2500000, chunk = 25000;  // chunks: sums in one order for any number of threads
constexpr unsigned seed = 5000;
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

Vector3 times(const Matrix3& u, const Vector3& a) {
  return {u[0][0] * a[0] + u[0][1] * a[1] + u[0][2] * a[2], u[1][1] * a[1] + u[1][2] * a[2], u[2][2] * a[2]};
}

}  // namespace

RandomPoints::RandomPoints(const Matrix3& bdot, const Miller& qgrid) : u_(upper(bdot)), x_(3 * points) {
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
    const Vector3 cartesian =
        times(u_, {nearest[0] / qgrid[0], nearest[1] / qgrid[1], nearest[2] / qgrid[2]});
    for (int j = 0; j < 3; ++j) x_[3 * i + j] = cartesian[j];
  }
}

double RandomPoints::one_over_q(const Vector3& q) const {
  const Vector3 Q = times(u_, q);
  double of_chunk[points / chunk];
#pragma omp parallel for schedule(static)
  for (size_t c = 0; c < points / chunk; ++c) {
    double sum = 0;
    for (size_t i = c * chunk; i < (c + 1) * chunk; ++i) {
      const double x = Q[0] + x_[3 * i], y = Q[1] + x_[3 * i + 1], z = Q[2] + x_[3 * i + 2];
      sum += 1 / std::sqrt(x * x + y * y + z * z);
    }
    of_chunk[c] = sum;
  }
  double sum = 0;
  for (double part : of_chunk) sum += part;
  return 8 * std::numbers::pi * sum / points;
}

}  // namespace suite::gw
