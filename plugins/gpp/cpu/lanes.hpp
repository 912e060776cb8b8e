// SPDX-License-Identifier: BSD-3-Clause
// The vector type of the level that this file is compiled for: 8 doubles with AVX-512, 4 with AVX2, else 2.
#pragma once

#include <cstdint>

#include <suite/cpu/vector.hpp>

namespace suite::gpp {

inline constexpr int lanes = cpu::lanes<double>;
using Vector = cpu::Vector<double>;
using Mask = cpu::Integers<double>;
using cpu::load, cpu::store, cpu::fill;

// Real and imaginary parts of `lanes` interleaved complex numbers.
inline void split(const double* from, Vector& re, Vector& im) {
  const Vector a = load(from), b = load(from + lanes);
#if defined(__AVX512F__)
  re = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
  im = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
#elif defined(__AVX2__)
  re = __builtin_shufflevector(a, b, 0, 2, 4, 6);
  im = __builtin_shufflevector(a, b, 1, 3, 5, 7);
#else
  re = __builtin_shufflevector(a, b, 0, 2);
  im = __builtin_shufflevector(a, b, 1, 3);
#endif
}

// r[i][j] becomes r[j][i].
inline void transpose(Vector* r) {
#if defined(__AVX512F__)
  for (int i = 0; i < 4; ++i) {
    const Vector a = r[i], b = r[i + 4];
    r[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
    r[i + 4] = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
  }
  for (int i : {0, 1, 4, 5}) {
    const Vector a = r[i], b = r[i + 2];
    r[i] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
    r[i + 2] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (int i = 0; i < 8; i += 2) {
    const Vector a = r[i], b = r[i + 1];
    r[i] = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
    r[i + 1] = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  }
#elif defined(__AVX2__)
  for (int i = 0; i < 2; ++i) {
    const Vector a = r[i], b = r[i + 2];
    r[i] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    r[i + 2] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  }
  for (int i = 0; i < 4; i += 2) {
    const Vector a = r[i], b = r[i + 1];
    r[i] = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    r[i + 1] = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  }
#else
  const Vector a = r[0], b = r[1];
  r[0] = __builtin_shufflevector(a, b, 0, 2);
  r[1] = __builtin_shufflevector(a, b, 1, 3);
#endif
}

// 1/d. AVX-512: a seed of 14 bits and one step of third order (Chebyshev's, 1/d = r(1 + e + e^2 + ...) with
// e = 1 - d r), which leaves e^3 < 2.3e-13; three FMA instead of a division that the pipes take four times as
// long for.
inline Vector reciprocal(Vector d) {
#if defined(__AVX512F__)
  // All lanes by a mask: g++ 12 takes the unmasked intrinsic for a use of an uninitialised value.
  const Vector r = _mm512_maskz_rcp14_pd(0xff, d);
  const Vector e = 1.0 - d * r;
  const Vector t = e * e + e;
  return r * t + r;
#else
  return 1.0 / d;
#endif
}

inline double sum(Vector v) {
  double s = 0;
  for (int l = 0; l < lanes; ++l) s += v[l];
  return s;
}

}  // namespace suite::gpp
