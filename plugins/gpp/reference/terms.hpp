// SPDX-License-Identifier: BSD-3-Clause
// The two frequency factors of the plasmon-pole model, term by term.
#pragma once

#include <cmath>

#include "../gpp.hpp"

namespace suite::gpp {

using Complex = std::complex<double>;

inline double norm2(Complex z) { return z.real() * z.real() + z.imag() * z.imag(); }
inline double conjugate(double z) { return z; }
inline Complex conjugate(Complex z) { return std::conj(z); }

struct Terms {
  Complex ssx, sch;
};

// ssx/I and sch/I at x = E - E_n'.
inline Terms factors(Complex w, double x, double gamma, double sexcut) {
  const double tol_small = 1e-6, tol_zero = 1e-12;
  Terms t{0, 0};
  if (w == Complex(0)) return t;  // no pole
  const Complex D = x - w;
  // |w/D|^2 against a limit as |w|^2 against limit |D|^2: D may be 0.
  if (norm2(D) > gamma * gamma && norm2(w) < 1 / (4 * tol_small) * norm2(D)) {  // (A)
    t.sch = w / D;
    t.ssx = w * w / (D * (x + w));
  } else if (norm2(w) > tol_zero * norm2(D)) {  // (B), with delta/(delta + 1/2) = 2 w/(x + w)
    t.ssx = -w / (2.0 * (x + w));
  }
  // Written so that a pole of ssx itself (x = -w) is cut as well.
  if (x < 0 && !(norm2(t.ssx) <= sexcut * sexcut)) t.ssx = 0;
  return t;
}

}  // namespace suite::gpp
