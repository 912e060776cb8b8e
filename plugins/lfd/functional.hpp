// SPDX-License-Identifier: BSD-3-Clause
// Exchange and correlation of the unpolarised electron gas, by point: energy per electron and potential.
//   exchange     ex = -(3/4) (3/pi)^{1/3} n^{1/3},  vx = 4/3 ex
//   pw92         Perdew and Wang, Phys. Rev. B 45, 13244 (1992), eq. (10), with A = 0.0310907
//   pz81         Perdew and Zunger, Phys. Rev. B 23, 5048 (1981), table XII
// The functions hold no branch, so that a loop over points becomes vectors and a device runs them; what
// differs between rs < 1 and rs >= 1 is computed twice and selected. Math supplies roots and logarithms:
// StandardMath the library's, VectorMath forms made of arithmetic and integer operations alone (4e-16, 2e-7
// relative).
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include <suite/gpu/host_device.hpp>

#include "lfd.hpp"

namespace suite::lfd {

template <class T> struct ExchangeCorrelation {
  T exc, vxc;
};

// Densities below this count as 0.
inline constexpr double smallest_density = 1e-20;

struct StandardMath {
  template <class T> static SUITE_HOST_DEVICE T root(T x) { return std::sqrt(x); }
  template <class T> static SUITE_HOST_DEVICE T cube_root(T x) { return std::cbrt(x); }
  template <class T> static SUITE_HOST_DEVICE T logarithm(T x) { return std::log(x); }
  template <class T> static SUITE_HOST_DEVICE T logarithm_1p(T x) { return std::log1p(x); }
};

// For normal positive numbers only, which densities above smallest_density are.
struct VectorMath {
  template <class T> static SUITE_HOST_DEVICE T root(T x) { return std::sqrt(x); }

  // x = 2^e m with 1 <= m < 2; e as a floating number, through its own bits (there is no vector conversion of
  // 64-bit integers before AVX-512).
  static SUITE_HOST_DEVICE double split(double x, double& exponent) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t e = (bits >> 52) | 0x4330000000000000u, m = (bits & 0xfffffffffffffu) | 0x3ff0000000000000u;
    double as_number, mantissa;
    memcpy(&as_number, &e, sizeof e);
    memcpy(&mantissa, &m, sizeof m);
    exponent = as_number - (0x1p52 + 1023);
    return mantissa;
  }
  static SUITE_HOST_DEVICE float split(float x, float& exponent) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint32_t m = (bits & 0x7fffffu) | 0x3f800000u;
    float mantissa;
    memcpy(&mantissa, &m, sizeof m);
    exponent = static_cast<float>(static_cast<int32_t>(bits >> 23) - 127);
    return mantissa;
  }
  static SUITE_HOST_DEVICE double power_of_two(double n) {
    const double shifted = n + (0x1p52 + 1023);
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits <<= 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
  }
  static SUITE_HOST_DEVICE float power_of_two(float n) {
    const uint32_t bits = static_cast<uint32_t>(static_cast<int32_t>(n) + 127) << 23;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
  }

  // ln m = 2 artanh s, s = (m - 1)/(m + 1), |s| <= 0.172 for m from sqrt(1/2) to sqrt 2; the series ends
  // where it meets the last bit.
  template <class T> static SUITE_HOST_DEVICE T logarithm(T x) {
    T exponent, m = split(x, exponent);
    const bool high = m > static_cast<T>(1.4142135623730951);
    m = high ? m / 2 : m;
    exponent = high ? exponent + 1 : exponent;
    const T s = (m - 1) / (m + 1), s2 = s * s;
    T sum;
    if constexpr (sizeof(T) == 4) sum = s2 * (T(1) / 3 + s2 * (T(1) / 5 + s2 * (T(1) / 7 + s2 * (T(1) / 9))));
    else
      sum = s2 * (T(1) / 3 +
                  s2 * (T(1) / 5 +
                        s2 * (T(1) / 7 +
                              s2 * (T(1) / 9 +
                                    s2 * (T(1) / 11 +
                                          s2 * (T(1) / 13 + s2 * (T(1) / 15 + s2 * (T(1) / 17 + s2 * (T(1) / 19 + s2 * (T(1) / 21))))))))));
    const T log_m = 2 * s + 2 * s * sum;
    return exponent * static_cast<T>(0.6931471805599453) + log_m;
  }

  // What 1 + x rounds away comes back to first order.
  template <class T> static SUITE_HOST_DEVICE T logarithm_1p(T x) {
    const T sum = 1 + x;
    return logarithm(sum) + (x - (sum - 1)) / sum;
  }

  // x = 2^{3q + r} m: a quadratic in m (within 0.13 %), then Halley's iteration, which cubes the error: 1.4e-9, then the last bit.
  template <class T> static SUITE_HOST_DEVICE T cube_root(T x) {
    T exponent;
    const T m = split(x, exponent);
    const T q = std::floor((exponent + static_cast<T>(0.5)) * static_cast<T>(1.0 / 3));
    const T r = exponent - 3 * q;
    const T factor = r < static_cast<T>(0.5)   ? static_cast<T>(1)
                     : r < static_cast<T>(1.5) ? static_cast<T>(1.2599210498948732)
                                               : static_cast<T>(1.5874010519681996);
    const T full = m * (r < static_cast<T>(0.5) ? static_cast<T>(1) : r < static_cast<T>(1.5) ? static_cast<T>(2) : static_cast<T>(4));
    T y = factor * (static_cast<T>(0.62635221) + m * (static_cast<T>(0.43356724) - m * static_cast<T>(0.05863781)));
    for (int i = 0; i < (sizeof(T) == 4 ? 1 : 2); ++i) {
      const T y3 = y * y * y;
      y -= y * (y3 - full) / (2 * y3 + full);
    }
    return y * power_of_two(q);
  }
};

namespace detail {

// ec(rs) = -2A (1 + a1 rs) ln(1 + 1/Q),  Q = 2A (b1 rs^1/2 + b2 rs + b3 rs^3/2 + b4 rs^2);  vc = ec - rs/3
// dec/drs
template <class T, class Math> SUITE_HOST_DEVICE ExchangeCorrelation<T> correlation_pw92(T rs) {
  constexpr T two_A = static_cast<T>(2 * 0.0310907), a1 = static_cast<T>(0.21370);
  constexpr T b1 = static_cast<T>(7.5957), b2 = static_cast<T>(3.5876), b3 = static_cast<T>(1.6382), b4 = static_cast<T>(0.49294);
  const T x = Math::root(rs);
  const T Q = two_A * x * (b1 + x * (b2 + x * (b3 + x * b4)));
  const T rs_dQ = two_A * x * (b1 / 2 + x * (b2 + x * (b3 * static_cast<T>(1.5) + x * (2 * b4))));
  const T inverse = 1 / Q;
  const T L = Math::logarithm_1p(inverse);
  const T front = two_A * (1 + a1 * rs);
  const T ec = -front * L;
  const T rs_dec = -two_A * a1 * rs * L + front * (rs_dQ * inverse) / (Q + 1);
  return {ec, ec - rs_dec / 3};
}

template <class T, class Math> SUITE_HOST_DEVICE ExchangeCorrelation<T> correlation_pz81(T rs) {
  constexpr T g = static_cast<T>(-0.1423), b1 = static_cast<T>(1.0529), b2 = static_cast<T>(0.3334);
  constexpr T A = static_cast<T>(0.0311), B = static_cast<T>(-0.048), C = static_cast<T>(0.0020), D = static_cast<T>(-0.0116);
  const T x = Math::root(rs), d = 1 / (1 + b1 * x + b2 * rs);
  const T low = g * d, low_v = low * (1 + static_cast<T>(7.0 / 6) * b1 * x + static_cast<T>(4.0 / 3) * b2 * rs) * d;
  const T L = Math::logarithm(rs);
  const T high = A * L + B + C * rs * L + D * rs;
  const T high_v = A * L + (B - A / 3) + static_cast<T>(2.0 / 3) * C * rs * L + (2 * D - C) / 3 * rs;
  const bool dense = rs < 1;
  return {dense ? high : low, dense ? high_v : low_v};
}

}  // namespace detail

// Energy per electron and potential at density n. Functional::none gives zero.
template <Functional functional, class T, class Math = StandardMath> SUITE_HOST_DEVICE ExchangeCorrelation<T> exchange_correlation(T n) {
  if constexpr (functional == Functional::none) return {0, 0};
  const bool there = n >= static_cast<T>(smallest_density);
  const T c = Math::cube_root(there ? n : static_cast<T>(smallest_density));
  const T ex = static_cast<T>(-0.73855876638202240588) * c;
  const T rs = static_cast<T>(0.62035049089940001667) / c;
  const ExchangeCorrelation<T> correlation =
      functional == Functional::pw92 ? detail::correlation_pw92<T, Math>(rs) : detail::correlation_pz81<T, Math>(rs);
  const T exc = ex + correlation.exc, vxc = static_cast<T>(4.0 / 3) * ex + correlation.vxc;
  return {there ? exc : 0, there ? vxc : 0};
}

}  // namespace suite::lfd
