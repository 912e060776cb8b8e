// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of the published steps (ladder.cu): one term of the sums, as it changes from step to step. Operations are
// counted by running it with a type that counts.
#pragma once

#include "device.cuh"

namespace suite::gpp {

template <class R> using Complex = Number<R, false>;

template <class R> __device__ __forceinline__ Complex<R> operator-(Complex<R> a) { return {-a.re, -a.im}; }
template <class R> __device__ __forceinline__ Complex<R> plus(double a, Complex<R> b) { return {a + b.re, b.im}; }
template <class R> __device__ __forceinline__ Complex<R> operator*(Complex<R> a, Complex<R> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class S, class R> __device__ __forceinline__ Complex<R> operator*(S a, Complex<R> b) { return {a * b.re, a * b.im}; }
template <class R> __device__ __forceinline__ R norm2(Complex<R> a) { return a.re * a.re + a.im * a.im; }
template <class R> __device__ __forceinline__ R norm(Complex<R> a) { return sqrt(norm2(a)); }
template <class R> __device__ __forceinline__ Complex<R> conjugate(Complex<R> a) { return {a.re, -a.im}; }

// The steps as properties of the arithmetic.
constexpr bool simplified(int step) { return step >= 6; }
constexpr bool by_reciprocal(int step) { return step >= 7; }
constexpr bool squared(int step) { return step >= 8; }

// Smith's division up to v6; the conjugate and one real reciprocal from v7 on.
template <int Step, class R> __device__ __forceinline__ Complex<R> divide(Complex<R> a, Complex<R> b) {
  if constexpr (by_reciprocal(Step)) {
    const R r = 1.0 / norm2(b);
    return r * (a * conjugate(b));
  } else {
    if (fabs(b.re) >= fabs(b.im)) {
      const R ratio = b.im / b.re, scale = b.re + b.im * ratio;
      return {(a.re + a.im * ratio) / scale, (a.im - a.re * ratio) / scale};
    }
    const R ratio = b.re / b.im, scale = b.im + b.re * ratio;
    return {(a.re * ratio + a.im) / scale, (a.im * ratio - a.re) / scale};
  }
}

// What a pair (G,G') brings; from v6 on w^2, w^2 I and the cutoff are made once here and not per band and energy.
template <class R> struct Pair {
  Complex<R> w, I, w2, omega2;
  R cutoff;
};

template <int Step, class R> __device__ __forceinline__ Pair<R> make_pair(Complex<R> w, Complex<R> I, double sexcut) {
  Pair<R> p{w, I, {0, 0}, {0, 0}, 0};
  if constexpr (simplified(Step)) {
    p.w2 = w * w;
    p.omega2 = p.w2 * I;
    p.cutoff = squared(Step) ? sexcut * sexcut * norm2(I) : sexcut * norm(I);
  }
  return p;
}

// ssx and sch of one term.
template <int Step, class R>
__device__ __forceinline__ void term(const Pair<R>& pair, double x, double gamma, double sexcut, Complex<R>& ssx, Complex<R>& sch) {
  const Complex<R> D = plus(x, -pair.w);
  const Complex<R> delta = divide<Step>(pair.w, D);
  ssx = sch = {0, 0};
  if constexpr (simplified(Step)) {
    // Two branches; what they have in common is outside.
    const R D_size = norm2(D), delta_size = norm2(delta);
    if (D_size > gamma * gamma && delta_size < 2.5e5) {
      sch = delta * pair.I;
      ssx = divide<Step>(pair.omega2, plus(x * x, -pair.w2));
    } else if (delta_size > 1e-12) {
      ssx = divide<Step>(-(pair.omega2 * delta), 4.0 * (pair.w2 * (plus(0.5, delta))));
    }
    const R size = squared(Step) ? norm2(ssx) : norm(ssx);
    if (x < 0 && !(size <= pair.cutoff)) ssx = {0, 0};
  } else {
    const Complex<R> w2 = pair.w * pair.w, omega2 = w2 * pair.I;
    const R D_size = norm(D), delta_size = norm(delta);
    if (D_size > gamma && delta_size < 500) {
      sch = delta * pair.I;
      ssx = divide<Step>(omega2, plus(x * x, -w2));
    } else if (delta_size > 1e-6) {
      ssx = divide<Step>(-(omega2 * delta), 4.0 * (w2 * (plus(0.5, delta))));
    } else {
      ssx = {0, 0};
    }
    if (x < 0 && !(norm(ssx) <= sexcut * norm(pair.I))) ssx = {0, 0};
  }
}

}  // namespace suite::gpp
