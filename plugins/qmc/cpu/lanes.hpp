// SPDX-License-Identifier: BSD-3-Clause
// What the kernels compute with vectors of doubles, electrons, wave vectors or orbitals in the lanes.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include <suite/cpu/vector.hpp>

namespace suite::qmc {

using cpu::fill;
using cpu::load;
using cpu::store;
using Vector = cpu::Vector<double>;
using Mask = cpu::Integers<double>;
inline constexpr int lanes = cpu::lanes<double>;

inline constexpr int64_t padded(int64_t n) { return (n + lanes - 1) / lanes * lanes; }

// The first n lanes, all of them where n is larger; the others are 0 and are not read or written.
#if defined(__AVX512F__)
inline __mmask8 first_lanes(int64_t n) { return static_cast<__mmask8>(n >= lanes ? 0xff : (1 << n) - 1); }
inline Vector load_first(const double* from, int64_t n) {
  return _mm512_maskz_loadu_pd(first_lanes(n), from);
}
inline void store_first(double* to, Vector v, int64_t n) { _mm512_mask_storeu_pd(to, first_lanes(n), v); }
#elif defined(__AVX2__)
inline __m256i first_lanes(int64_t n) { return (__m256i)(Mask{0, 1, 2, 3} < n); }
inline Vector load_first(const double* from, int64_t n) { return _mm256_maskload_pd(from, first_lanes(n)); }
inline void store_first(double* to, Vector v, int64_t n) { _mm256_maskstore_pd(to, first_lanes(n), v); }
#else
inline Vector load_first(const double* from, int64_t n) {
  if (n >= lanes) return load(from);
  return n > 0 ? Vector{from[0], 0} : Vector{};
}
inline void store_first(double* to, Vector v, int64_t n) {
  if (n >= lanes) return store(to, v);
  if (n > 0) to[0] = v[0];
}
#endif

inline double sum(Vector v) {
#if defined(__AVX512F__)
  typedef double Half __attribute__((vector_size(32)));
  const Half h = __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
  return (h[0] + h[2]) + (h[1] + h[3]);
#else
  double s = 0;
  for (int l = 0; l < lanes; ++l) s += v[l];
  return s;
#endif
}

// The sums over the lanes of eight vectors; with AVX-512 by folding two vectors into one at a time: 7
// additions for all. By value, so that the eight stay in registers.
#if defined(__AVX512F__)
inline Vector sums_of_eight(Vector a, Vector b, Vector c, Vector d, Vector e, Vector f, Vector g, Vector h) {
  const auto halves = [](Vector x, Vector y) {
    return __builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11) +
           __builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15);
  };
  const auto quarters = [](Vector x, Vector y) {
    return __builtin_shufflevector(x, y, 0, 1, 4, 5, 8, 9, 12, 13) +
           __builtin_shufflevector(x, y, 2, 3, 6, 7, 10, 11, 14, 15);
  };
  const Vector p = quarters(halves(a, b), halves(c, d)), q = quarters(halves(e, f), halves(g, h));
  return __builtin_shufflevector(p, q, 0, 2, 4, 6, 8, 10, 12, 14) +
         __builtin_shufflevector(p, q, 1, 3, 5, 7, 9, 11, 13, 15);
}
inline void store_eight(double* to, Vector v) { store(to, v); }
inline void add_eight(double* to, Vector v) { store(to, load(to) + v); }
#else
struct Eight {
  double x[8];
};
inline Eight sums_of_eight(Vector a, Vector b, Vector c, Vector d, Vector e, Vector f, Vector g, Vector h) {
  return {{sum(a), sum(b), sum(c), sum(d), sum(e), sum(f), sum(g), sum(h)}};
}
inline void store_eight(double* to, const Eight& v) { std::memcpy(to, v.x, sizeof v.x); }
inline void add_eight(double* to, const Eight& v) {
  for (int q = 0; q < 8; ++q) to[q] += v.x[q];
}
#endif

inline bool any(Mask m) {
#if defined(__AVX512F__)
  return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0;
#else
  bool some = false;
  for (int l = 0; l < lanes; ++l) some = some || m[l];
  return some;
#endif
}

// 0, 1, 2, ..
inline Mask lane_numbers() {
  Mask m{};
  for (int l = 0; l < lanes; ++l) m[l] = l;
  return m;
}

// All lanes by a mask: g++ 12 takes an unmasked intrinsic for a use of an uninitialised value.
inline Vector nearest(Vector v) {
#if defined(__AVX512F__)
  return _mm512_maskz_roundscale_pd(0xff, v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif defined(__AVX2__)
  return _mm256_round_pd(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
  for (int l = 0; l < lanes; ++l) v[l] = std::nearbyint(v[l]);
  return v;
#endif
}
inline Vector root(Vector v) {
#if defined(__AVX512F__)
  return _mm512_maskz_sqrt_pd(0xff, v);
#elif defined(__AVX2__)
  return _mm256_sqrt_pd(v);
#else
  for (int l = 0; l < lanes; ++l) v[l] = std::sqrt(v[l]);
  return v;
#endif
}
inline Vector magnitude(Vector v) { return (Vector)((Mask)v & INT64_MAX); }
inline Vector with_sign(Vector size, Vector sign) { return (Vector)((Mask)size | ((Mask)sign & INT64_MIN)); }
inline Vector larger(Vector a, Vector b) { return a > b ? a : b; }
inline Vector smaller(Vector a, Vector b) { return a < b ? a : b; }

// c = cos(2 pi s), n = sin(2 pi s), to rounding: s to its quarter, then the series in theta = 2 pi f, |theta|
// <= pi/4, whose first term left out is below 1e-17.
inline void turn(Vector s, Vector& c, Vector& n) {
  const Vector quarter = nearest(s * 4.0);
  const Vector f = s - quarter * 0.25;
  const Vector theta = f * 6.283185307179586477, x = theta * theta;
  Vector even = fill(-1.0 / 6402373705728000.0), odd = fill(1.0 / 355687428096000.0);
  for (const double a : {1.0 / 20922789888000.0, -1.0 / 87178291200.0, 1.0 / 479001600.0, -1.0 / 3628800.0,
                         1.0 / 40320.0, -1.0 / 720.0, 1.0 / 24.0, -1.0 / 2.0, 1.0})
    even = even * x + a;
  for (const double a : {-1.0 / 1307674368000.0, 1.0 / 6227020800.0, -1.0 / 39916800.0, 1.0 / 362880.0,
                         -1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0})
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

}  // namespace suite::qmc
