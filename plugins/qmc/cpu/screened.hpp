// SPDX-License-Identifier: BSD-3-Clause
// q erfc(alpha r)/r added up over the lanes of vectors, from r^2. With AVX-512 by 1/sqrt(x) - h(x), x =
// (alpha r)^2, h(x) = erf(sqrt(x))/sqrt(x), which has no singularity: of 16 polynomials, whose coefficients
// lie in two registers for each power, every lane picks its own. That is neither a root nor a quotient nor an
// exponential, and a row takes half of its time with short_range (docs/performance/qmc.ewald.md), which other
// vectors take.
#pragma once

#include <algorithm>

#include "short_range.hpp"

namespace suite::qmc {

class Screened {
public:
  Screened() = default;
  // Distances in units of `unit`; what is beyond reach/alpha counts nothing.
  Screened(double alpha, double reach, double unit);

#if defined(__AVX512F__)
  using Valid = __mmask8;
  // Of the places j, j+1, .., those from `first` on and before `end` that are not `without`.
  static Valid valid(int64_t j, int64_t first, int64_t end, int64_t without) {
    const unsigned before = j < first ? (1U << std::min<int64_t>(first - j, lanes)) - 1 : 0,
                   own = without >= j && without < j + lanes ? 1U << (without - j) : 0;
    return static_cast<Valid>(cpu::first_lanes(end - j) & ~(before | own));
  }
  // `square` in units^2, of several vectors at a time, so that none waits for itself.
  template <int n>
  [[gnu::always_inline]] void add(const Vector (&square)[n], const double* charge, const Valid (&there)[n], Vector& value) const {
    Vector x[n], y[n];
    Valid inside[n];
    unsigned some = 0;
    for (int b = 0; b < n; ++b) {
      x[b] = square[b] * scale_;
      inside[b] = _mm512_mask_cmp_pd_mask(there[b], (__m512d)x[b], (__m512d)fill(end_), _CMP_LT_OQ);
      some |= inside[b];
    }
    if (!some) return;
    of(x, y);
    for (int b = 0; b < n; ++b) value = _mm512_mask3_fmadd_pd((__m512d)load(charge + b * lanes), (__m512d)y[b], (__m512d)value, inside[b]);
  }
  double total(Vector value) const { return alpha_ * sum(value); }

private:
  // erfc(sqrt x)/sqrt x; beyond the end any number.
  template <int n> [[gnu::always_inline]] void of(const Vector (&x)[n], Vector (&y)[n]) const {
    // Adding 1.5 2^52 rounds, and leaves the integer in the low bits.
    constexpr double shift = 6755399441055744.0;
    Vector shifted[n], t[n], square[n], even[n], odd[n];
    const auto pick = [&](int k, int b) -> Vector {
      return _mm512_permutex2var_pd((__m512d)load(&table_[k][0]), (__m512i)shifted[b], (__m512d)load(&table_[k][lanes]));
    };
    for (int b = 0; b < n; ++b) {
      shifted[b] = x[b] * per_interval_ + shift;
      t[b] = x[b] * per_interval_ - (shifted[b] - shift);
      square[b] = t[b] * t[b];
      even[b] = pick(terms - 1, b);
      odd[b] = pick(terms - 2, b);
    }
    // The even and the odd powers apart, so that neither waits for the other.
#pragma GCC unroll 8
    for (int k = terms - 3; k > 0; k -= 2)
      for (int b = 0; b < n; ++b) {
        even[b] = even[b] * square[b] + pick(k, b);
        odd[b] = odd[b] * square[b] + pick(k - 1, b);
      }
    for (int b = 0; b < n; ++b) y[b] = inverse_root(x[b]) - (even[b] * square[b] + pick(0, b) + odd[b] * t[b]);
  }
  // From 14 bits by the series of (1 - e)^(-1/2); infinite at 0.
  static Vector inverse_root(Vector x) {
    const Vector y = _mm512_maskz_rsqrt14_pd(0xff, (__m512d)x), e = 1.0 - x * y * y, p = (e * 0.3125 + 0.375) * e + 0.5,
                 root = y + y * e * p;
    return _mm512_mask_mov_pd((__m512d)root, _mm512_cmp_pd_mask((__m512d)x, _mm512_setzero_pd(), _CMP_EQ_OQ), (__m512d)y);
  }

  // Powers of t up to the 14th: off by less than 3e-16 where the tolerance is 1e-16, the smallest, and by
  // rounding at the default.
  static constexpr int terms = 15, intervals = 16;
  alignas(64) double table_[terms][intervals] = {};
  double per_interval_ = 0;
#else
  using Valid = Mask;
  static Valid valid(int64_t j, int64_t first, int64_t end, int64_t without) {
    const Mask place = lane_numbers() + j;
    return (place >= first) & (place < end) & (place != without);
  }
  template <int n> void add(const Vector (&square)[n], const double* charge, const Valid (&there)[n], Vector& value) const {
    for (int b = 0; b < n; ++b) {
      const Vector x = square[b] * scale_;
      const Mask inside = there[b] & (x < end_);
      if (!any(inside)) continue;
      const Vector s = short_range<false>(root(inside ? x : fill(1.0)), 1.0).value;
      value += inside ? load(charge + b * lanes) * s : Vector{};
    }
  }
  double total(Vector value) const { return alpha_ * sum(value); }

private:
#endif
  double alpha_ = 0, scale_ = 0, end_ = 0;
};

}  // namespace suite::qmc
