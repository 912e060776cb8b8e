// SPDX-License-Identifier: BSD-3-Clause
// What the kernels compute with vectors of doubles, electrons, wave vectors or orbitals in the lanes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include <suite/cpu/doubles.hpp>

namespace suite::qmc {

using cpu::add_eight;
using cpu::any;
using cpu::fill;
using cpu::lane_numbers;
using cpu::larger;
using cpu::load;
using cpu::load_first;
using cpu::magnitude;
using cpu::nearest;
using cpu::padded;
using cpu::root;
using cpu::smaller;
using cpu::store;
using cpu::store_eight;
using cpu::store_first;
using cpu::sum;
using cpu::sums_of_eight;
using cpu::with_sign;
using Vector = cpu::Doubles;
using Mask = cpu::Bits;
inline constexpr int lanes = cpu::doubles;

// c = cos(2 pi s), n = sin(2 pi s), to rounding: s to its quarter, then the series in theta = 2 pi f, |theta|
// <= pi/4, whose first term left out is below 1e-17.
inline void turn(Vector s, Vector& c, Vector& n) {
  const Vector quarter = nearest(s * 4.0);
  const Vector f = s - quarter * 0.25;
  const Vector theta = f * 6.283185307179586477, x = theta * theta;
  Vector even = fill(-1.0 / 6402373705728000.0), odd = fill(1.0 / 355687428096000.0);
  for (const double a : {1.0 / 20922789888000.0, -1.0 / 87178291200.0, 1.0 / 479001600.0, -1.0 / 3628800.0, 1.0 / 40320.0, -1.0 / 720.0,
                         1.0 / 24.0, -1.0 / 2.0, 1.0})
    even = even * x + a;
  for (const double a :
       {-1.0 / 1307674368000.0, 1.0 / 6227020800.0, -1.0 / 39916800.0, 1.0 / 362880.0, -1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0})
    odd = odd * x + a;
  odd *= theta;
  // quarter modulo 4 as -2, -1, 0, 1: (c,n), turned by 0: (even,odd), 1: (-odd,even), 2: (-even,-odd).
  const Vector q = quarter - 4.0 * nearest(quarter * 0.25);
  const Mask swapped = (q * q == 1.0);
  const Vector cosine = swapped ? odd : even, sine = swapped ? even : odd;
  const Mask sine_down = (q == -1.0) | (q * q == 4.0), cosine_down = (q == 1.0) | (q * q == 4.0);
  c = cosine_down ? -cosine : cosine;
  n = sine_down ? -sine : sine;
}

// e^x for -700 < x <= 0: x = n ln 2 + f, the series of e^f (|f| < 0.35), and n into the exponent.
inline Vector exponential(Vector x) {
  const Vector n = nearest(x * 1.4426950408889634074);
  const Vector f = (x - n * 0x1.62e42fefa3800p-1) - n * 0x1.ef35793c76730p-45;
  Vector p = fill(1.0 / 6227020800.0);
  for (const double a : {1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0,
                         1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0})
    p = p * f + a;
  // Adding 1.5 2^52 leaves n in the low bits.
  const Mask shifted = (Mask)(n + 6755399441055744.0) << 52;
  return (Vector)((Mask)p + shifted);
}

// Real and imaginary parts as interleaved complex numbers: 2 lanes numbers in two vectors.
inline void interleave(Vector re, Vector im, Vector& first, Vector& second) {
#if defined(__AVX512F__)
  first = __builtin_shufflevector(re, im, 0, 8, 1, 9, 2, 10, 3, 11);
  second = __builtin_shufflevector(re, im, 4, 12, 5, 13, 6, 14, 7, 15);
#elif defined(__AVX2__)
  first = __builtin_shufflevector(re, im, 0, 4, 1, 5);
  second = __builtin_shufflevector(re, im, 2, 6, 3, 7);
#else
  first = __builtin_shufflevector(re, im, 0, 2);
  second = __builtin_shufflevector(re, im, 1, 3);
#endif
}
inline void separate(Vector first, Vector second, Vector& re, Vector& im) {
#if defined(__AVX512F__)
  re = __builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14);
  im = __builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15);
#elif defined(__AVX2__)
  re = __builtin_shufflevector(first, second, 0, 2, 4, 6);
  im = __builtin_shufflevector(first, second, 1, 3, 5, 7);
#else
  re = __builtin_shufflevector(first, second, 0, 2);
  im = __builtin_shufflevector(first, second, 1, 3);
#endif
}

// The first `some` of r(3,lanes), by component; the others are 0.
inline void load_three(const double* r, int64_t some, Vector& x, Vector& y, Vector& z) {
#if defined(__AVX512F__)
  const auto part = [&](int64_t k) { return load_first(r + k, std::clamp<int64_t>(3 * some - k, 0, lanes)); };
  const Vector a = part(0), b = part(8), c = part(16);
  x = __builtin_shufflevector(__builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, 0, 0), c, 0, 1, 2, 3, 4, 5, 10, 13);
  y = __builtin_shufflevector(__builtin_shufflevector(a, b, 1, 4, 7, 10, 13, 0, 0, 0), c, 0, 1, 2, 3, 4, 8, 11, 14);
  z = __builtin_shufflevector(__builtin_shufflevector(a, b, 2, 5, 8, 11, 14, 0, 0, 0), c, 0, 1, 2, 3, 4, 9, 12, 15);
#else
  x = y = z = Vector{};
  for (int64_t l = 0; l < std::min<int64_t>(some, lanes); ++l) {
    x[l] = r[3 * l];
    y[l] = r[3 * l + 1];
    z[l] = r[3 * l + 2];
  }
#endif
}

}  // namespace suite::qmc
