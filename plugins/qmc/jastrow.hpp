// SPDX-License-Identifier: BSD-3-Clause
// The u term of one pair, in both forms (qmc.hpp), with derivatives by the distance and by the parameters.
// Drummond, Towler, Needs, Phys. Rev. B 70, 235119 (2004); the form of B-splines as QMCPACK documents it.
#pragma once

#include <cstdint>

#include <suite/gpu/host_device.hpp>

#include "qmc.hpp"

namespace suite::qmc {

// A function of the distance with its first and second derivative.
struct Radial {
  double value, first, second;
};

// Which set of parameters a pair of electrons of these spins (0 up, 1 down) has, from 0.
SUITE_HOST_DEVICE int set_of_pair(int nset, int spin_i, int spin_j) {
  return nset == 3 ? spin_i + spin_j : nset == 2 ? spin_i != spin_j : 0;
}

// x^n for a small n.
SUITE_HOST_DEVICE double small_power(double x, int n) {
  double power = 1;
  for (int i = 0; i < n; ++i) power *= x;
  return power;
}

// (r - L)^C P(r), P = sum_l alpha_l r^l, for r < L.
SUITE_HOST_DEVICE Radial polynomial_u(const double* alpha, int64_t nalpha, double L, int C, double r) {
  if (!(r < L)) return {0, 0, 0};
  double p = 0, p1 = 0, p2 = 0;  // P, P', P''/2
  for (int64_t l = nalpha; l-- > 0;) {
    p2 = p2 * r + p1;
    p1 = p1 * r + p;
    p = p * r + alpha[l];
  }
  const double x = r - L, f2 = small_power(x, C - 2), f1 = f2 * x, f = f1 * x;
  return {f * p, C * f1 * p + f * p1, C * (C - 1) * f2 * p + 2 * C * f1 * p1 + 2 * f * p2};
}

// d u/d alpha_l of it: (r - L)^C r^l.
SUITE_HOST_DEVICE Radial polynomial_basis(int64_t l, double L, int C, double r) {
  if (!(r < L)) return {0, 0, 0};
  const double x = r - L, f2 = small_power(x, C - 2), f1 = f2 * x, f = f1 * x;
  const int n = static_cast<int>(l);
  const double q = small_power(r, n), q1 = n > 0 ? n * small_power(r, n - 1) : 0, q2 = n > 1 ? n * (n - 1) * small_power(r, n - 2) : 0;
  return {f * q, C * f1 * q + f * q1, C * (C - 1) * f2 * q + 2 * C * f1 * q1 + f * q2};
}

// The k-th (0 to 3) of the four cubic B-splines that live in an interval of width h, at x of it (0 to 1).
SUITE_HOST_DEVICE Radial bspline_piece(int k, double x, double inverse_h) {
  const double y = 1 - x, d1 = inverse_h / 2, d2 = inverse_h * inverse_h;
  switch (k) {
    case 0: return {y * y * y / 6, -y * y * d1, y * d2};
    case 1: return {(4 - x * x * (6 - 3 * x)) / 6, x * (3 * x - 4) * d1, (3 * x - 2) * d2};
    case 2: return {(1 + x * (3 + x * (3 - 3 * x))) / 6, (1 + x * (2 - 3 * x)) * d1, (1 - 3 * x) * d2};
    default: return {x * x * x / 6, x * x * d1, x * d2};
  }
}

// nalpha - 3 intervals of L; interval i takes alpha[i] to alpha[i+3].
SUITE_HOST_DEVICE Radial bspline_u(const double* alpha, int64_t nalpha, double L, double r) {
  if (!(r < L)) return {0, 0, 0};
  const double inverse_h = static_cast<double>(nalpha - 3) / L, t = r * inverse_h;
  int64_t i = static_cast<int64_t>(t);
  if (i > nalpha - 4) i = nalpha - 4;
  Radial u{0, 0, 0};
  for (int k = 0; k < 4; ++k) {
    const Radial piece = bspline_piece(k, t - static_cast<double>(i), inverse_h);
    u.value += alpha[i + k] * piece.value;
    u.first += alpha[i + k] * piece.first;
    u.second += alpha[i + k] * piece.second;
  }
  return u;
}

SUITE_HOST_DEVICE Radial bspline_basis(int64_t l, int64_t nalpha, double L, double r) {
  if (!(r < L)) return {0, 0, 0};
  const double inverse_h = static_cast<double>(nalpha - 3) / L, t = r * inverse_h;
  int64_t i = static_cast<int64_t>(t);
  if (i > nalpha - 4) i = nalpha - 4;
  if (l < i || l > i + 3) return {0, 0, 0};
  return bspline_piece(static_cast<int>(l - i), t - static_cast<double>(i), inverse_h);
}

SUITE_HOST_DEVICE Radial u_of_pair(Form form, const double* alpha, int64_t nalpha, double L, int C, double r) {
  return form == Form::bspline ? bspline_u(alpha, nalpha, L, r) : polynomial_u(alpha, nalpha, L, C, r);
}
SUITE_HOST_DEVICE Radial u_basis(Form form, int64_t l, int64_t nalpha, double L, int C, double r) {
  return form == Form::bspline ? bspline_basis(l, nalpha, L, r) : polynomial_basis(l, L, C, r);
}

// Kato's cusp: u'(0) = 1/4 for parallel, 1/2 for antiparallel spins (three dimensions, charges -1). What
// alpha_1 of the polynomial, or the first coefficient of the B-splines, has to be with the others as they
// are: u'(0) = (-L)^C (alpha_1 - C alpha_0/L), and u'(0) = (alpha[2] - alpha[0])/(2 h).
SUITE_HOST_DEVICE double cusp_slope(bool parallel) { return parallel ? 0.25 : 0.5; }
SUITE_HOST_DEVICE void apply_cusp(Form form, double* alpha, int64_t nalpha, double L, int C, bool parallel) {
  const double slope = cusp_slope(parallel);
  if (form == Form::bspline) alpha[0] = alpha[2] - 2 * slope * L / static_cast<double>(nalpha - 3);
  else alpha[1] = slope / small_power(-L, C) + C * alpha[0] / L;
}
// Where set (from 0) of nset is of parallel spins; with one set for all pairs, the cusp is that of
// antiparallel ones, which come closest.
SUITE_HOST_DEVICE bool parallel_set(int nset, int set) { return nset == 3 ? set != 1 : nset == 2 && set == 0; }

}  // namespace suite::qmc
