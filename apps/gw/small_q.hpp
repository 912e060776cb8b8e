// SPDX-License-Identifier: BSD-3-Clause
// How the head of eps^-1 goes on from the small q at which it was computed: W(q) = v(q)/(1 + v(q) x(q)), x the polarizability of G = G' = 0 with its sign
// changed and with the local fields, Ry^-1 bohr^-3.
//   with a gap  x is a multiple of q^2 at every frequency
//   a metal     q^2/x is linear in q^2, and x a constant at zero frequency: Thomas and Fermi's screening, and Drude's -w_p^2/w^2 where w is beyond
//               the velocity of the electrons times q (the hydrodynamic model; Bloch, Z. Phys. 81, 363 (1933))
//   graphene    (q^2/x)^2 is linear in q^2, and x a multiple of q at zero frequency: x = q^2/(16 (v^2 q^2 - w^2)^1/2) of each cone, but for a factor
//               (Wunsch, Stauber, Sols, Guinea, New J. Phys. 8, 318 (2006))
#pragma once

#include <complex>

#include "gw.hpp"

namespace suite::gw {

// (eps^-1)_00 at a small q.
struct SmallQ {
  ScreeningKind kind = ScreeningKind::semiconductor;
  Vector3 q{};  // crystal coordinates
  std::complex<double> inverse_head = 1;
  double inverse_head_static = 1;  // the same at zero frequency; with a gap any
};

class SmallQPolarizability {
public:
  // length: |q| of the small q, bohr^-1; v: the interaction there, Ry bohr^3.
  SmallQPolarizability(const SmallQ& at, double length, double v);
  // q: a length, bohr^-1.
  std::complex<double> operator()(double q) const;
  // Real where the head is.
  bool real() const { return x_.imag() == 0; }

private:
  ScreeningKind kind_;
  double q2_;  // of the small q
  std::complex<double> x_;  // at the small q
  double x_static_;
};

}  // namespace suite::gw
