// SPDX-License-Identifier: BSD-3-Clause
// Integrals of Gaussians on two atoms in closed form: <m| x_d |n>, <m|n> and <m| -lap/2 |n>, s to d, by
// Cartesian monomials and the binomial theorem.
#pragma once

#include "support.hpp"

namespace dfpt_test {

struct Monomial {
  double factor;
  int power[3];
};
// r^l Y_lm.
inline std::vector<Monomial> monomials(int l, int m) {
  const double s = 1 / std::sqrt(4 * pi), p = std::sqrt(3.0) * s, d = std::sqrt(15.0) * s, d0 = std::sqrt(1.25) * s;
  if (l == 0) return {{s, {0, 0, 0}}};
  if (l == 1) return {{p, {m == 1, m == -1, m == 0}}};
  if (m == 0) return {{2 * d0, {0, 0, 2}}, {-d0, {2, 0, 0}}, {-d0, {0, 2, 0}}};
  if (m == 2) return {{d / 2, {2, 0, 0}}, {-d / 2, {0, 2, 0}}};
  return {{d, {m == -2 || m == 1, m == -2 || m == -1, m == -1 || m == 1}}};
}

// Coefficients of (t + shift)^n in t.
inline Numbers power_of(double shift, int n) {
  Numbers c{1};
  for (int i = 0; i < n; ++i) {
    Numbers next(c.size() + 1);
    for (size_t k = 0; k < c.size(); ++k) {
      next[k] += shift * c[k];
      next[k + 1] += c[k];
    }
    c = next;
  }
  return c;
}
// int (x-A)^i (x-B)^j x^k exp(-a (x-A)^2 - b (x-B)^2) dx
inline double along(double A, double a, int i, double B, double b, int j, int k) {
  const double p = a + b, P = (a * A + b * B) / p;
  double sum = 0;
  const Numbers f = power_of(P - A, i), g = power_of(P - B, j), h = power_of(P, k);
  for (size_t u = 0; u < f.size(); ++u)
    for (size_t v = 0; v < g.size(); ++v)
      for (size_t w = 0; w < h.size(); ++w) {
        const size_t n = u + v + w;
        if (n % 2 == 0)
          sum += f[u] * g[v] * h[w] * std::tgamma((static_cast<double>(n) + 1) / 2) * std::pow(p, -(static_cast<double>(n) + 1) / 2);
      }
  return sum * std::exp(-a * b / p * (A - B) * (A - B));
}

// <i| x^moment[0] y^moment[1] z^moment[2] |j>, or with the radial part of j times r^2.
inline double integral(const Basis& basis, int64_t i, int64_t j, const std::array<int, 3>& moment = {}, bool times_r2 = false) {
  const size_t m = static_cast<size_t>(i), n = static_cast<size_t>(j);
  const Gaussian &f = basis.radial[static_cast<size_t>(basis.fn[m] - 1)], &g = basis.radial[static_cast<size_t>(basis.fn[n] - 1)];
  const double *const A = &basis.atoms[static_cast<size_t>(3 * (basis.atom[m] - 1))],
                      *const B = &basis.atoms[static_cast<size_t>(3 * (basis.atom[n] - 1))];
  double sum = 0;
  for (const Monomial& left : monomials(basis.l[m], basis.m[m]))
    for (const Monomial& right : monomials(basis.l[n], basis.m[n]))
      for (int extra = times_r2 ? 0 : 3; extra < (times_r2 ? 3 : 4); ++extra) {
        double product = left.factor * right.factor * f.norm() * g.norm();
        for (int d = 0; d < 3; ++d)
          product *= along(A[d], f.a, left.power[d], B[d], g.a, right.power[d] + 2 * (d == extra), moment[static_cast<size_t>(d)]);
        sum += product;
      }
  return sum;
}
inline double kinetic_integral(const Basis& basis, int64_t i, int64_t j) {
  const Gaussian& g = basis.radial[static_cast<size_t>(basis.fn[static_cast<size_t>(j)] - 1)];
  return g.a * (2 * g.l + 3) * integral(basis, i, j) - 2 * g.a * g.a * integral(basis, i, j, {}, true);
}

}  // namespace dfpt_test
