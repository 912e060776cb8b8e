// SPDX-License-Identifier: BSD-3-Clause
// The quadrature of qmc.pseudopotential, for the host and for devices: random rotations, radial functions, sums of Legendre polynomials.
#pragma once

#include <cmath>
#include <cstdint>

#include <suite/gpu/host_device.hpp>

#include "philox.hpp"

namespace suite::qmc {

inline constexpr int l_channels = 5;  // l from 0 to 4

// The number, among those of philox.hpp, that electrons have for the rotations of rules around an ion; all from 0.
SUITE_HOST_DEVICE int64_t rotation_number(int64_t netot, int64_t electron, int64_t nion, int64_t ion) {
  return 2 * netot + 1 + electron * nion + ion;
}

// Drawn uniformly: a unit quaternion, uniform on its sphere (Shoemake, Graphics Gems III (1992)).
SUITE_HOST_DEVICE void random_rotation(const Words& words, double (&m)[3][3]) {
  const double u = open_uniform(words.w[0]), size0 = std::sqrt(1 - u), size1 = std::sqrt(u);
  double q[4];
  turn_by(open_uniform(words.w[1]), q[0], q[1]);
  turn_by(open_uniform(words.w[2]), q[2], q[3]);
  q[0] *= size0;
  q[1] *= size0;
  q[2] *= size1;
  q[3] *= size1;
  m[0][0] = 1 - 2 * (q[2] * q[2] + q[3] * q[3]);
  m[0][1] = 2 * (q[1] * q[2] - q[0] * q[3]);
  m[0][2] = 2 * (q[1] * q[3] + q[0] * q[2]);
  m[1][0] = 2 * (q[1] * q[2] + q[0] * q[3]);
  m[1][1] = 1 - 2 * (q[1] * q[1] + q[3] * q[3]);
  m[1][2] = 2 * (q[2] * q[3] - q[0] * q[1]);
  m[2][0] = 2 * (q[1] * q[3] - q[0] * q[2]);
  m[2][1] = 2 * (q[2] * q[3] + q[0] * q[1]);
  m[2][2] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
}

// coefficient r^power exp(-exponent r^2); at r = 0 without those that have no limit.
SUITE_HOST_DEVICE double radial_term(double coefficient, int power, double exponent, double r) {
  if (power < 0 && !(r > 0)) return 0;
  double x = coefficient * std::exp(-exponent * r * r);
  for (int k = 0; k < power; ++k) x *= r;
  for (int k = power; k < 0; ++k) x /= r;
  return x;
}

// sum_{l <= top} a(l) P_l(x), by the recursion of the polynomials; 0 for top = -1. x: a number or a vector of them.
template <class T> SUITE_HOST_DEVICE T legendre_sum(const double* a, int top, T x) {
  T before = x * 0.0, now = before + 1.0, sum = before;
  for (int l = 0; l <= top; ++l) {
    sum += a[l] * now;
    const double n = l, scale = 1.0 / (n + 1);
    const T next = ((2 * n + 1) * scale) * x * now - (n * scale) * before;
    before = now;
    now = next;
  }
  return sum;
}

}  // namespace suite::qmc
