// SPDX-License-Identifier: BSD-3-Clause
// One factor of the model, ssx/I or sch/I of ../gpp.hpp, at one x = E - E_n'.
#pragma once

#include "device.cuh"

namespace suite::gpp {

struct Limits {
  double gamma2, sexcut2;
};

// For real w from 0 to 1e12, in one reciprocal.
__device__ __forceinline__ double factor(double w, double x, bool exchange, const Limits& limits) {
  const double D = x - w, D2 = D * D, w2 = w * w;
  const bool A = D2 > limits.gamma2 && w2 < 2.5e5 * D2;
  if (!exchange) return A ? w * reciprocal(A ? D : 1) : 0;
  if (!A && !(w2 > 1e-12 * D2)) return 0;
  // w^2/(D S) in A, -w/(2 S) in B. A pole at x = -w is beyond any cutoff.
  const double S = x + w, q = reciprocal((A ? D : 1) * (S == 0 ? 1e-100 : S));
  const double ssx = (A ? w : -0.5) * q * w;
  return x < 0 && !(ssx * ssx <= limits.sexcut2) ? 0 : ssx;
}

// For any w: |w|^2 and |D|^2 stand for |w/D|^2, real reciprocals for complex divisions.
__device__ __forceinline__ Z factor(Z w, double x, bool exchange, const Limits& limits) {
  const double d_re = x - w.re, d2 = d_re * d_re + w.im * w.im, w2 = w.re * w.re + w.im * w.im;
  const bool A = d2 > limits.gamma2 && w2 < 2.5e5 * d2;
  Z delta{0, 0};
  if (A) {
    const double r = reciprocal(d2);
    delta = {(w.re * d_re - w.im * w.im) * r, (w.im * d_re + w.re * w.im) * r};
  }
  if (!exchange || w2 == 0 || !(A || w2 > 1e-12 * d2)) return exchange ? Z{0, 0} : delta;
  const double s_re = x + w.re, s2 = s_re * s_re + w.im * w.im;
  const double u = reciprocal(s2 > 1e-200 ? s2 : 1e-200);
  const Z h{(w.re * s_re + w.im * w.im) * u, (w.im * s_re - w.re * w.im) * u};
  const Z ssx = A ? Z{delta.re * h.re - delta.im * h.im, delta.re * h.im + delta.im * h.re} : Z{-0.5 * h.re, -0.5 * h.im};
  return x < 0 && !(ssx.re * ssx.re + ssx.im * ssx.im <= limits.sexcut2) ? Z{0, 0} : ssx;
}

}  // namespace suite::gpp
