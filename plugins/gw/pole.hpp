// SPDX-License-Identifier: BSD-3-Clause
// The pole of a pair (G,G') without branches, for vectors and for devices: w of Omega^2 = w^2 I. With z =
// Omega^2/I, |z|^2/Re z is |Omega^2|^2/Re(Omega^2 conj(I)), so that nothing is divided by a small I; for real
// numbers it is z.
#pragma once

#include <cmath>

#include <suite/gpu/host_device.hpp>

namespace suite::gw {

// D: double, or a vector of them, whose comparisons are masks. Math::root(D).
template <class D>
struct Complexes {
  D re, im;
};
// I is 0 where it is too small to count.
template <class D>
struct PoleOf {
  Complexes<D> w, I;
};

struct ScalarMath {
  SUITE_HOST_DEVICE static double root(double x) { return ::sqrt(x); }
};

// Where w^2 < 0 nothing is a pole, and the mode says what stands for it; root: of w^2 then.
template <class D>
SUITE_HOST_DEVICE Complexes<D> invalid_pole(int mode, Complexes<D> root) {
  if (mode == 1) return root;
  return {D{} + (mode == 2 ? 2 * 13.60569253 : mode == 3 ? 1e12 : 0.0), D{}};
}

// The thresholds are 1e-6 (gw.hpp), here their squares.
template <class D, class Math>
SUITE_HOST_DEVICE PoleOf<D> hybertsen_louie(Complexes<D> omega, Complexes<D> I, int mode) {
  const double tiny = 1e-12;
  const D zero{};
  const D overlap = omega.re * I.re + omega.im * I.im, norm_I = I.re * I.re + I.im * I.im,
          norm_omega = omega.re * omega.re + omega.im * omega.im;
  const auto no_I = norm_I < tiny;
  const auto none = no_I | (norm_omega < tiny) | (norm_omega < tiny * norm_I) |
                    (overlap * overlap < tiny * norm_omega * norm_I);
  const D w2 = norm_omega / overlap;
  const auto negative = w2 < 0;
  const D root = Math::root(negative ? -w2 : w2);
  const Complexes<D> invalid = invalid_pole<D>(mode, {zero, root});
  const D re = negative ? invalid.re : root, im = negative ? invalid.im : zero;
  return {{none ? zero : re, none ? zero : im}, {no_I ? zero : I.re, no_I ? zero : I.im}};
}

// I_i: at the imaginary frequency whose square is w_i2. Without decay with frequency (I = I_i) the limit is
// static.
template <class D, class Math>
SUITE_HOST_DEVICE PoleOf<D> godby_needs(Complexes<D> I, Complexes<D> I_i, double w_i2, int mode) {
  const double tiny = 1e-12;
  const D zero{};
  const D d_re = I.re - I_i.re, d_im = I.im - I_i.im, norm = d_re * d_re + d_im * d_im;
  const D re2 = w_i2 * (I_i.re * d_re + I_i.im * d_im) / norm,
          im2 = w_i2 * (I_i.im * d_re - I_i.re * d_im) / norm;
  const auto none = (I.re * I.re + I.im * I.im < tiny) & (I_i.re * I_i.re + I_i.im * I_i.im < tiny);
  const auto still = norm == 0, negative = re2 < 0;
  Complexes<D> invalid = invalid_pole<D>(mode, {zero, zero});
  if (mode == 1) {  // the principal root; its imaginary part is far from 0 where re2 < 0
    const D im = Math::root(0.5 * (Math::root(re2 * re2 + im2 * im2) - re2));
    invalid = {0.5 * (im2 < 0 ? -im2 : im2) / im, im2 < 0 ? -im : im};
  }
  const D valid = Math::root(negative ? zero : re2);
  D re = negative ? invalid.re : valid, im = negative ? invalid.im : zero;
  re = still ? zero + 1e12 : re;
  im = still ? zero : im;
  return {{none ? zero : re, none ? zero : im}, {none ? zero : I.re, none ? zero : I.im}};
}

}  // namespace suite::gw
