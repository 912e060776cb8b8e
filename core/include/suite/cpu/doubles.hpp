// SPDX-License-Identifier: BSD-3-Clause
// suite/cpu/doubles.hpp - vectors of doubles: parts of them, sums over lanes, roots.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <suite/cpu/vector.hpp>

namespace suite::cpu {

using Doubles = Vector<double>;
using Bits = Integers<double>;
inline constexpr int doubles = lanes<double>;

inline constexpr int64_t padded(int64_t n) { return (n + doubles - 1) / doubles * doubles; }

// The first n lanes, all of them where n is larger, none where it is not positive; the others are 0 and are not read or written.
#if defined(__AVX512F__)
inline __mmask8 first_lanes(int64_t n) { return static_cast<__mmask8>((1 << std::clamp<int64_t>(n, 0, doubles)) - 1); }
inline Doubles load_first(const double* from, int64_t n) { return _mm512_maskz_loadu_pd(first_lanes(n), from); }
inline void store_first(double* to, Doubles v, int64_t n) { _mm512_mask_storeu_pd(to, first_lanes(n), v); }
#elif defined(__AVX2__)
inline __m256i first_lanes(int64_t n) { return (__m256i)(Bits{0, 1, 2, 3} < n); }
inline Doubles load_first(const double* from, int64_t n) { return _mm256_maskload_pd(from, first_lanes(n)); }
inline void store_first(double* to, Doubles v, int64_t n) { _mm256_maskstore_pd(to, first_lanes(n), v); }
#else
inline Doubles load_first(const double* from, int64_t n) {
  if (n >= doubles) return load(from);
  return n > 0 ? Doubles{from[0], 0} : Doubles{};
}
inline void store_first(double* to, Doubles v, int64_t n) {
  if (n >= doubles) return store(to, v);
  if (n > 0) to[0] = v[0];
}
#endif

inline double sum(Doubles v) {
#if defined(__AVX512F__)
  typedef double Half __attribute__((vector_size(32)));
  const Half h = __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
  return (h[0] + h[2]) + (h[1] + h[3]);
#else
  double s = 0;
  for (int l = 0; l < doubles; ++l) s += v[l];
  return s;
#endif
}

// The sums over the lanes of eight vectors; with AVX-512 by folding two vectors into one at a time: 7
// additions for all. By value, so that the eight stay in registers.
#if defined(__AVX512F__)
inline Doubles sums_of_eight(Doubles a, Doubles b, Doubles c, Doubles d, Doubles e, Doubles f, Doubles g, Doubles h) {
  const auto halves = [](Doubles x, Doubles y) {
    return __builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11) + __builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15);
  };
  const auto quarters = [](Doubles x, Doubles y) {
    return __builtin_shufflevector(x, y, 0, 1, 4, 5, 8, 9, 12, 13) + __builtin_shufflevector(x, y, 2, 3, 6, 7, 10, 11, 14, 15);
  };
  const Doubles p = quarters(halves(a, b), halves(c, d)), q = quarters(halves(e, f), halves(g, h));
  return __builtin_shufflevector(p, q, 0, 2, 4, 6, 8, 10, 12, 14) + __builtin_shufflevector(p, q, 1, 3, 5, 7, 9, 11, 13, 15);
}
inline void store_eight(double* to, Doubles v) { store(to, v); }
inline void add_eight(double* to, Doubles v) { store(to, load(to) + v); }
#else
struct Eight {
  double x[8];
};
inline Eight sums_of_eight(Doubles a, Doubles b, Doubles c, Doubles d, Doubles e, Doubles f, Doubles g, Doubles h) {
  return {{sum(a), sum(b), sum(c), sum(d), sum(e), sum(f), sum(g), sum(h)}};
}
inline void store_eight(double* to, const Eight& v) { std::memcpy(to, v.x, sizeof v.x); }
inline void add_eight(double* to, const Eight& v) {
  for (int q = 0; q < 8; ++q) to[q] += v.x[q];
}
#endif

inline bool any(Bits m) {
#if defined(__AVX512F__)
  return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0;
#else
  bool some = false;
  for (int l = 0; l < doubles; ++l) some = some || m[l];
  return some;
#endif
}

// 0, 1, 2, ..
inline Bits lane_numbers() {
  Bits m{};
  for (int l = 0; l < doubles; ++l) m[l] = l;
  return m;
}

// All lanes by a mask: g++ 12 takes an unmasked intrinsic for a use of an uninitialised value.
inline Doubles nearest(Doubles v) {
#if defined(__AVX512F__)
  return _mm512_maskz_roundscale_pd(0xff, v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif defined(__AVX2__)
  return _mm256_round_pd(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
  for (int l = 0; l < doubles; ++l) v[l] = std::nearbyint(v[l]);
  return v;
#endif
}
inline Doubles root(Doubles v) {
#if defined(__AVX512F__)
  return _mm512_maskz_sqrt_pd(0xff, v);
#elif defined(__AVX2__)
  return _mm256_sqrt_pd(v);
#else
  for (int l = 0; l < doubles; ++l) v[l] = std::sqrt(v[l]);
  return v;
#endif
}
inline Doubles magnitude(Doubles v) { return (Doubles)((Bits)v & INT64_MAX); }
inline Doubles with_sign(Doubles size, Doubles sign) { return (Doubles)((Bits)size | ((Bits)sign & INT64_MIN)); }
inline Doubles larger(Doubles a, Doubles b) { return a > b ? a : b; }
inline Doubles smaller(Doubles a, Doubles b) { return a < b ? a : b; }

}  // namespace suite::cpu
