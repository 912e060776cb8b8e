// SPDX-License-Identifier: BSD-3-Clause
// The pole of a pair (G,G') without branches, for vectors and for devices: w of Omega^2 = w^2 I. With z =
// Omega^2/I, |z|^2/Re z is |Omega^2|^2/Re(Omega^2 conj(I)), so that nothing is divided by a small I.
#pragma once

#include <cmath>

#include <suite/gpu/host_device.hpp>

namespace suite::gw {

struct Pole {
  double re, im;
};

// Where w^2 < 0 nothing is a pole, and the mode says what stands for it; root: of w^2 then.
SUITE_HOST_DEVICE Pole invalid_pole(int mode, Pole root) {
  const double re = mode == 1 ? root.re : mode == 2 ? 2 * 13.60569253 : mode == 3 ? 1e12 : 0.0;
  return {re, mode == 1 ? root.im : 0.0};
}

// For real numbers |z|^2/Re z is z. The thresholds are 1e-6, of gw.hpp.
SUITE_HOST_DEVICE Pole hybertsen_louie(Pole omega, Pole I, int mode) {
  const double tiny = 1e-12;  // squares of them
  const double overlap = omega.re * I.re + omega.im * I.im, norm_I = I.re * I.re + I.im * I.im,
               norm_omega = omega.re * omega.re + omega.im * omega.im;
  const bool small_z = (norm_omega < tiny * norm_I) | (overlap * overlap < tiny * norm_omega * norm_I);
  const bool none = (norm_I < tiny) | (norm_omega < tiny) | small_z;
  const double w2 = norm_omega / overlap;
  const double root = ::sqrt(w2 < 0 ? -w2 : w2);
  const Pole invalid = invalid_pole(mode, {0.0, root});
  const double re = w2 < 0 ? invalid.re : root, im = w2 < 0 ? invalid.im : 0.0;
  return {none ? 0.0 : re, none ? 0.0 : im};
}

// I_i: at the imaginary frequency whose square is w_i2.
SUITE_HOST_DEVICE Pole godby_needs(Pole I, Pole I_i, double w_i2, int mode) {
  const double tiny = 1e-12;
  const double d_re = I.re - I_i.re, d_im = I.im - I_i.im, norm = d_re * d_re + d_im * d_im;
  const double re2 = w_i2 * (I_i.re * d_re + I_i.im * d_im) / norm,
               im2 = w_i2 * (I_i.im * d_re - I_i.re * d_im) / norm;
  const bool none = (I.re * I.re + I.im * I.im < tiny) & (I_i.re * I_i.re + I_i.im * I_i.im < tiny);
  const double im =
      ::sqrt(0.5 * (::sqrt(re2 * re2 + im2 * im2) - re2));  // of the root; re2 < 0 where it counts
  const Pole invalid = invalid_pole(mode, {0.5 * (im2 < 0 ? -im2 : im2) / im, im2 < 0 ? -im : im});
  const double w_re = norm == 0 ? 1e12
                      : re2 < 0 ? invalid.re
                                : ::sqrt(re2),
               w_im = norm != 0 && re2 < 0 ? invalid.im : 0.0;
  return {none ? 0.0 : w_re, none ? 0.0 : w_im};
}

}  // namespace suite::gw
