// SPDX-License-Identifier: BSD-3-Clause
// cos and sin of vectors, without a call of a library: the argument, made in double whatever the precision,
// is brought within pi/4 of a multiple of pi/2, then the series of both, to the last bit.
#pragma once

#include <type_traits>

#include "lanes.hpp"

namespace suite::lfd {

// x = quadrant pi/2 + rest, for |x| < 1e6.
struct Reduced {
  Vector<double> rest;
  Vector<int64_t> quadrant;
};
inline Reduced reduce_angle(Vector<double> x) {
  constexpr double rounder = 0x1.8p52;  // its addition rounds to an integer, which stands in the low bits
  const Vector<double> shifted = x * 0.63661977236758134 + rounder, n = shifted - rounder;
  Reduced r;
  r.rest = x - n * 1.5707963267948966;
  r.rest = r.rest - n * 6.123233995736766e-17;
  std::memcpy(&r.quadrant, &shifted, sizeof shifted);
  return r;
}

// Series on |r| <= pi/4, then the exchange and the signs of the quadrant.
template <class T> inline void cos_sin_reduced(Vector<T> r, Integers<T> quadrant, Vector<T>& cosine, Vector<T>& sine) {
  using V = Vector<T>;
  using I = Integers<T>;
  const V s = r * r;
  V p, q;
  if constexpr (std::is_same_v<T, double>) {
    p = fill(1.0 / 355687428096000);
    for (const double c : {-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6})
      p = p * s + c;
    q = fill(1.0 / 20922789888000);
    for (const double c : {-1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24, -0.5}) q = q * s + c;
  } else {
    p = fill(1.0f / 362880);
    for (const float c : {-1.0f / 5040, 1.0f / 120, -1.0f / 6}) p = p * s + c;
    q = fill(-1.0f / 3628800);
    for (const float c : {1.0f / 40320, -1.0f / 720, 1.0f / 24, -0.5f}) q = q * s + c;
  }
  const V si = r * s * p + r, co = s * q + static_cast<T>(1);
  const I swapped = -(quadrant & 1) != 0;
  const V a = swapped ? si : co, b = swapped ? co : si;
  constexpr int to_sign = 8 * sizeof(T) - 2;
  I a_bits, b_bits;
  std::memcpy(&a_bits, &a, sizeof a);
  std::memcpy(&b_bits, &b, sizeof b);
  a_bits ^= ((quadrant + 1) & 2) << to_sign;
  b_bits ^= (quadrant & 2) << to_sign;
  std::memcpy(&cosine, &a_bits, sizeof a);
  std::memcpy(&sine, &b_bits, sizeof b);
}

// cos and sin of factor v + offset, `offset` being as many doubles as there are lanes.
inline void cos_sin(double factor, Vector<double> v, const double* offset, Vector<double>& cosine, Vector<double>& sine) {
  const Reduced r = reduce_angle(factor * v + load(offset));
  cos_sin_reduced<double>(r.rest, r.quadrant, cosine, sine);
}
inline void cos_sin(double factor, Vector<float> v, const double* offset, Vector<float>& cosine, Vector<float>& sine) {
  typedef float Half __attribute__((vector_size(vector_bytes / 2)));
  typedef int32_t HalfIntegers __attribute__((vector_size(vector_bytes / 2)));
  Vector<float> rest;
  Integers<float> quadrant;
  for (int part = 0; part < 2; ++part) {
    Half half;
    std::memcpy(&half, reinterpret_cast<const char*>(&v) + part * sizeof half, sizeof half);
    const Reduced r = reduce_angle(factor * __builtin_convertvector(half, Vector<double>) + load(offset + part * lanes<double>));
    const Half back = __builtin_convertvector(r.rest, Half);
    const HalfIntegers turns = __builtin_convertvector(r.quadrant, HalfIntegers);
    std::memcpy(reinterpret_cast<char*>(&rest) + part * sizeof half, &back, sizeof half);
    std::memcpy(reinterpret_cast<char*>(&quadrant) + part * sizeof half, &turns, sizeof half);
  }
  cos_sin_reduced<float>(rest, quadrant, cosine, sine);
}

}  // namespace suite::lfd
