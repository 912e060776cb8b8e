// SPDX-License-Identifier: BSD-3-Clause
#include "spin_rotation.hpp"

#include <numbers>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::gw {

namespace {

double determinant(const Matrix3& m) {
  double sum = 0;
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3, k = (i + 2) % 3;
    sum += m[0][i] * (m[1][j] * m[2][k] - m[1][k] * m[2][j]);
  }
  return sum;
}

Matrix3 inverse_of(const Matrix3& m) {
  Matrix3 out{};
  const double d = determinant(m);
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j) {
      const size_t a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, e = (i + 2) % 3;
      out[i][j] = (m[a][c] * m[b][e] - m[a][e] * m[b][c]) / d;
    }
  return out;
}

// k = sum_i k_i b_i, so that the Cartesian matrix is B^T R (B^T)^-1 with the vectors as rows of B.
Matrix3 cartesian(const Operation& operation, const Matrix3& b) {
  const Matrix3 back = inverse_of(b);
  Matrix3 out{};
  for (size_t x = 0; x < 3; ++x)
    for (size_t y = 0; y < 3; ++y)
      for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 3; ++j) out[x][y] += b[i][x] * operation.rotation[i][j] * back[y][j];
  return out;
}

// Unit quaternion (cos, n sin) of half the angle, by the largest of its components, which is divided by.
std::array<double, 4> quaternion(const Matrix3& r) {
  const std::array<double, 4> squares{1 + r[0][0] + r[1][1] + r[2][2], 1 + r[0][0] - r[1][1] - r[2][2], 1 - r[0][0] + r[1][1] - r[2][2],
                                      1 - r[0][0] - r[1][1] + r[2][2]};
  const auto largest = static_cast<size_t>(std::max_element(squares.begin(), squares.end()) - squares.begin());
  // Products of pairs of components, times 4.
  const double wx = r[2][1] - r[1][2], wy = r[0][2] - r[2][0], wz = r[1][0] - r[0][1];
  const double xy = r[1][0] + r[0][1], xz = r[0][2] + r[2][0], yz = r[2][1] + r[1][2];
  const std::array<std::array<double, 4>, 4> products{
      {{squares[0], wx, wy, wz}, {wx, squares[1], xy, xz}, {wy, xy, squares[2], yz}, {wz, xz, yz, squares[3]}}};
  std::array<double, 4> out{};
  for (size_t i = 0; i < 4; ++i) out[i] = products[largest][i] / (2 * std::sqrt(squares[largest]));
  return out;
}

}  // namespace

std::vector<Operation> with_spin_rotations(std::vector<Operation> operations, const Crystal& crystal) {
  if (!(std::abs(determinant(crystal.bvec)) > 1e-9))
    throw Failure(SUITE_INVALID_ARGUMENT, "the reciprocal lattice vectors (bvec) span no volume");
  for (Operation& operation : operations) {
    Matrix3 r = cartesian(operation, crystal.bvec);
    if (determinant(r) < 0)
      for (Vector3& row : r)
        for (double& x : row) x = -x;
    const auto [w, x, y, z] = quaternion(r);
    operation.spin = {std::complex<double>{w, -z}, {-y, -x}, {y, -x}, {w, z}};
  }
  return operations;
}

}  // namespace suite::gw
