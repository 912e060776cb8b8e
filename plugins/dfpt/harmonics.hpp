// SPDX-License-Identifier: BSD-3-Clause
// Real orthonormal spherical harmonics without the Condon-Shortley phase, component (l,m) at l^2 + l + m from
// 0, and the solid ones r^l Y_lm. With C_m + i S_m = (x + i y)^m:
//   r^l Y_lm = Q_lm C_m for m >= 0,  Q_l|m| S_|m| for m < 0
//   Q_mm = N_m,  Q_lm = a_lm z Q_(l-1)m - b_lm r^2 Q_(l-2)m
//   a_lm^2 = (4 l^2 - 1)/(l^2 - m^2),  b_lm^2 = (2l+1)/(2l-3) ((l-1)^2 - m^2)/(l^2 - m^2)
//   N_0^2 = 1/(4 pi),  N_m^2 = (2m+1)/(2m) N_(m-1)^2, times 2 for m = 1
// The constants are the compiler's, l and m are template arguments: with an array of fixed size every
// subscript is known at compile time. T is double, or a vector of them with one point in each lane.
#pragma once

#include <type_traits>

#include <suite/gpu/host_device.hpp>

namespace suite::dfpt {

inline constexpr int largest_l = 8;
constexpr int components(int l_max) { return (l_max + 1) * (l_max + 1); }

namespace harmonics {

SUITE_HOST_DEVICE constexpr double square_root(double x) {
  double root = x < 1 ? 1 : x;
  for (int i = 0; i < 64; ++i) root = 0.5 * (root + x / root);
  return root;
}
SUITE_HOST_DEVICE constexpr double a(int l, int m) { return square_root((4.0 * l * l - 1) / (1.0 * l * l - m * m)); }
SUITE_HOST_DEVICE constexpr double b(int l, int m) {
  return square_root((2.0 * l + 1) / (2.0 * l - 3) * ((l - 1.0) * (l - 1) - m * m) / (1.0 * l * l - m * m));
}
SUITE_HOST_DEVICE constexpr double N(int m) {
  constexpr double four_pi = 12.566370614359172954;
  double square = 1 / four_pi;
  for (int k = 1; k <= m; ++k) square *= (2.0 * k + 1) / (2.0 * k) * (k == 1 ? 2 : 1);
  return square_root(square);
}

// With Q_mm = 1 and a_lm = 1 instead: the solid harmonic is `scale` times as large, and Q_lm = z Q_(l-1)m -
// b_monic r^2 Q_(l-2)m.
SUITE_HOST_DEVICE constexpr double scale(int l, int m) {
  double product = N(m);
  for (int k = m + 1; k <= l; ++k) product *= a(k, m);
  return product;
}
SUITE_HOST_DEVICE constexpr double b_monic(int l, int m) { return b(l, m) * scale(l - 2, m) / scale(l, m); }

// What all components of a point have in common, with the powers C_m and S_m of one m.
template <class T> struct Column {
  T z, c, s;
};

template <int l, int m, class T> SUITE_HOST_DEVICE void put(const Column<T>& column, const T& Q, T* Y) {
  if constexpr (m == 0) {
    Y[l * l + l] = Q;
  } else {
    Y[l * l + l + m] = Q * column.c;
    Y[l * l + l - m] = Q * column.s;
  }
}

// Q_lm and those above it, from Q_(l-1)m and Q_(l-2)m.
template <int l_max, int l, int m, class T>
SUITE_HOST_DEVICE void rise(const Column<T>& column, const T& one_below, const T& two_below, T* Y) {
  if constexpr (l <= l_max) {
    constexpr double along_z = a(l, m);
    T Q = along_z * column.z * one_below;
    if constexpr (l > m + 1) {
      constexpr double down = b(l, m);
      Q = Q - down * two_below;
    }
    put<l, m>(column, Q, Y);
    rise<l_max, l + 1, m>(column, Q, one_below, Y);
  }
}

template <int l_max, int m, class T> SUITE_HOST_DEVICE void columns(const T& x, const T& y, const Column<T>& column, T* Y) {
  constexpr double first = N(m);
  const T Q = T{} + first;
  put<m, m>(column, Q, Y);
  rise<l_max, m + 1, m>(column, Q, Q, Y);
  if constexpr (m == 0 && l_max > 0) columns<l_max, 1>(x, y, Column<T>{column.z, x, y}, Y);
  else if constexpr (m < l_max)
    columns<l_max, m + 1>(x, y, Column<T>{column.z, column.c * x - column.s * y, column.s * x + column.c * y}, Y);
}

}  // namespace harmonics

// Y_lm of the unit vector (x,y,z) for l up to l_max, (l_max+1)^2 numbers.
template <int l_max, class T> SUITE_HOST_DEVICE void spherical_harmonics(const T& x, const T& y, const T& z, T* Y) {
  static_assert(l_max >= 0 && l_max <= largest_l);
  harmonics::columns<l_max, 0>(x, y, harmonics::Column<T>{z, T{} + 1.0, T{}}, Y);
}

// f(std::integral_constant<int, l_max>) for an l_max from 0 to 8 of run time.
template <class F> void with_l_max(int l_max, F&& f) {
  switch (l_max) {
    case 0: return f(std::integral_constant<int, 0>());
    case 1: return f(std::integral_constant<int, 1>());
    case 2: return f(std::integral_constant<int, 2>());
    case 3: return f(std::integral_constant<int, 3>());
    case 4: return f(std::integral_constant<int, 4>());
    case 5: return f(std::integral_constant<int, 5>());
    case 6: return f(std::integral_constant<int, 6>());
    case 7: return f(std::integral_constant<int, 7>());
    default: return f(std::integral_constant<int, 8>());
  }
}

}  // namespace suite::dfpt
