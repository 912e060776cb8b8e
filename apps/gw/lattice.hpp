// SPDX-License-Identifier: BSD-3-Clause
// Crystal coordinates: vectors, metric and symmetry operations. Lengths in bohr.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/core.h>

#include "gw.hpp"

namespace suite::gw {

struct Crystal {
  double volume = 0;  // of the cell, bohr^3
  Matrix3 bdot{};     // metric of reciprocal space: |k|^2 = k bdot k, bohr^-2 = Ry
  Matrix3 bvec{};     // the vectors themselves, one a row, Cartesian in a unit of the file
  int atoms = 0;
  std::vector<int> species;        // atomic numbers; none where the file does not tell
  std::vector<Vector3> positions;  // Cartesian, in lattice constants
};

inline Vector3 operator+(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vector3 operator-(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector3 operator-(const Vector3& a) { return {-a[0], -a[1], -a[2]}; }
inline Miller operator+(const Miller& a, const Miller& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Miller operator-(const Miller& a, const Miller& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Miller operator-(const Miller& a) { return {-a[0], -a[1], -a[2]}; }
inline Vector3 operator+(const Vector3& a, const Miller& g) { return {a[0] + g[0], a[1] + g[1], a[2] + g[2]}; }

// Of vectors in Cartesian coordinates.
inline double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double dot(const Matrix3& metric, const Vector3& a, const Vector3& b) {
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum += a[i] * metric[i][j] * b[j];
  return sum;
}
inline double length2(const Matrix3& metric, const Vector3& a) { return dot(metric, a, a); }
// The largest components of vectors with length2 <= limit: sqrt(limit (metric^-1)_ii), the extent of an ellipsoid along an axis.
inline Vector3 sphere_extent(const Matrix3& metric, double limit) {
  Vector3 out;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double minor = metric[j][j] * metric[k][k] - metric[j][k] * metric[k][j];
    double determinant = 0;
    for (int c = 0; c < 3; ++c) {
      const int d = (c + 1) % 3, e = (c + 2) % 3;
      determinant += metric[0][c] * (metric[1][d] * metric[2][e] - metric[1][e] * metric[2][d]);
    }
    out[i] = std::sqrt(limit * minor / determinant);
  }
  return out;
}
inline double distance(const Vector3& a, const Vector3& b) {
  return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}
constexpr double same_point = 1e-5;  // of k points in crystal coordinates; files have six digits
// Whether two k points differ by a G.
inline bool equivalent(const Vector3& a, const Vector3& b) {
  return std::all_of(a.begin(), a.end(), [&, i = 0](double x) mutable {
    const double d = x - b[static_cast<size_t>(i++)];
    return std::abs(d - std::round(d)) <= same_point;
  });
}
inline Miller nearest(const Vector3& a) {
  return {static_cast<int>(std::lround(a[0])), static_cast<int>(std::lround(a[1])), static_cast<int>(std::lround(a[2]))};
}
inline Vector3 real(const Miller& g) { return {double(g[0]), double(g[1]), double(g[2])}; }

// Written out because std::complex's product checks for infinities.
inline std::complex<double> product(const std::complex<double>& a, const std::complex<double>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// "(0, 0.2, 0.4)"
inline std::string text(const Vector3& a) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", a[0] + 0.0, a[1] + 0.0, a[2] + 0.0); }
inline std::string text(const Miller& g) { return text(real(g)); }
// "(0 0.2 0.4)", for messages about files where vectors stand so
inline std::string as_in_files(const Vector3& a) { return fmt::format("({:g} {:g} {:g})", a[0], a[1], a[2]); }

// One operation {rotation | translation} of the space group. rotation acts on k and G in crystal coordinates;
// translation is 2 pi times the fractional translation, so that c(rotation G) = c(G) exp(-i rotation G .
// translation).
struct Operation {
  std::array<Miller, 3> rotation{};  // rows
  Vector3 translation{};
  std::array<std::complex<double>, 4> spin{1, 0, 0, 1};  // what becomes of the two components of a spinor, by rows

  template <class T> std::array<T, 3> operator()(const std::array<T, 3>& k) const {
    std::array<T, 3> out{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out[i] += rotation[i][j] * k[j];
    return out;
  }
  // The phase's argument for the rotated vector g.
  double phase(const Miller& g) const { return -(g[0] * translation[0] + g[1] * translation[1] + g[2] * translation[2]); }
};

// Whether exp(-i G.translation) is 1 or -1 for every G and operation.
inline bool have_real_phases(const std::vector<Operation>& operations) {
  return std::all_of(operations.begin(), operations.end(), [](const Operation& operation) {
    return std::all_of(operation.translation.begin(), operation.translation.end(),
                       [](double t) { return std::abs(t / std::numbers::pi - std::round(t / std::numbers::pi)) <= 1e-6; });
  });
}

}  // namespace suite::gw
