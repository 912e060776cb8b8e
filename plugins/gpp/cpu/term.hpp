// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of the published steps (ladder.cpp): one term of the sums, for one number or a vector of
// them, as it changes from step to step. Operations are counted by running it with a type that counts.
#pragma once

#include <cmath>

#include "lanes.hpp"

namespace suite::gpp {

// Complex numbers of one double (v1, v2) or of a vector of them (from v3 on).
template <class T> struct Z {
  T re, im;
};
template <class T> Z<T> operator+(Z<T> a, Z<T> b) { return {a.re + b.re, a.im + b.im}; }
template <class T> Z<T> operator-(Z<T> a) { return {-a.re, -a.im}; }
template <class T> Z<T> operator*(Z<T> a, Z<T> b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
template <class T> Z<T> times(double a, Z<T> b) { return {a * b.re, a * b.im}; }
template <class T> Z<T> plus(double a, Z<T> b) { return {a + b.re, b.im}; }
template <class T> T norm2(Z<T> a) { return a.re * a.re + a.im * a.im; }
template <class M, class T> Z<T> select(M condition, Z<T> a, Z<T> b) { return {condition ? a.re : b.re, condition ? a.im : b.im}; }
inline double root(double x) { return std::sqrt(x); }
inline Vector root(Vector x) {
  for (int l = 0; l < lanes; ++l) x[l] = std::sqrt(x[l]);
  return x;
}
template <class T> T absolute(T x) { return x < 0.0 ? -x : x; }

// The steps as properties of the arithmetic.
constexpr bool simplified(int step) { return step >= 6; }
constexpr bool by_reciprocal(int step) { return step >= 7; }
constexpr bool squared(int step) { return step >= 8; }

// Smith's division, as compilers expand a complex '/', up to v6; the conjugate and one real reciprocal from
// v7 on.
template <int Step, class T> Z<T> divide(Z<T> a, Z<T> b) {
  if constexpr (by_reciprocal(Step)) {
    const T r = 1.0 / norm2(b);
    return {(a.re * b.re + a.im * b.im) * r, (a.im * b.re - a.re * b.im) * r};
  } else {
    const auto wide = absolute(b.re) >= absolute(b.im);
    const T large = wide ? b.re : b.im, small = wide ? b.im : b.re;
    const T ratio = small / large, scale = large + small * ratio;
    const Z<T> numerator = select(wide, Z<T>{a.re + a.im * ratio, a.im - a.re * ratio}, Z<T>{a.re * ratio + a.im, a.im * ratio - a.re});
    return {numerator.re / scale, numerator.im / scale};
  }
}

// What a pair (G,G') brings; from v6 on w^2, w^2 I and the cutoff are made once here and not per band and
// energy.
template <class T> struct Pair {
  Z<T> w, I, w2, omega2;
  T cutoff;
};

template <int Step, class T> Pair<T> make_pair(Z<T> w, Z<T> I, double sexcut) {
  const Z<T> w2 = w * w;
  if constexpr (squared(Step)) return {w, I, w2, w2 * I, sexcut * sexcut * norm2(I)};
  return {w, I, w2, w2 * I, sexcut * root(norm2(I))};
}

// ssx and sch of one term.
template <int Step, class T> void term(const Pair<T>& pair, double x, double gamma2, double sexcut, Z<T>& ssx, Z<T>& sch) {
  const Z<T> zero{};
  const Z<T> D = plus(x, -pair.w);
  const Z<T> delta = divide<Step>(pair.w, D);
  const T delta2 = norm2(delta);
  const Z<T> w2 = simplified(Step) ? pair.w2 : pair.w * pair.w;
  const Z<T> omega2 = simplified(Step) ? pair.omega2 : w2 * pair.I;
  const auto A = (norm2(D) > gamma2) & (delta2 < 2.5e5);
  const auto above_zero = delta2 > 1e-12;  // B, where not A
  if constexpr (simplified(Step)) {
    // Both branches share one division.
    const Z<T> denominator = select(A, plus(x * x, -w2), times(4, w2 * plus(0.5, delta)));
    const Z<T> numerator = select(A, omega2, -(omega2 * delta));
    const Z<T> quotient = divide<Step>(numerator, denominator);
    sch = select(A, delta * pair.I, zero);
    ssx = select(A, quotient, select(above_zero, quotient, zero));
  } else {
    // Three branches, each with its own division.
    const Z<T> in_a = divide<Step>(omega2, plus(x * x, -w2));
    const Z<T> in_b = divide<Step>(-(omega2 * delta), times(4, w2 * plus(0.5, delta)));
    sch = select(A, delta * pair.I, zero);
    ssx = select(A, in_a, select(above_zero, in_b, zero));
  }
  const T cutoff = simplified(Step) ? pair.cutoff : sexcut * root(norm2(pair.I));
  const T size = squared(Step) ? norm2(ssx) : root(norm2(ssx));
  if (x < 0) ssx = select(size <= cutoff, ssx, zero);
}

}  // namespace suite::gpp
