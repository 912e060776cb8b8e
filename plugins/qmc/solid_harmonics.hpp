// SPDX-License-Identifier: BSD-3-Clause
// Real solid harmonics without their norms: c_lm + i s_lm = Q_lm(z, r^2) (x + i y)^m, component k of l at l^2 + k from 0, k = 0 for
// m = 0, then c_l1, s_l1, c_l2, s_l2, ..: the order of TREXIO. With norm(l, m) they are sqrt(4 pi/(2l+1)) r^l Y_lm. The norms belong to
// the coefficients of the orbitals, so that no loop multiplies by them.
//   c_ll + i s_ll = (2l-1) (x + i y)(c + i s)_(l-1)(l-1),  (l-m) (c + i s)_lm = (2l-1) z (c + i s)_(l-1)m - (l+m-1) r^2 (c + i s)_(l-2)m
// Derivatives are harmonics of l - 1 (f = c + i s, f_l0 real):
//   d/dz f_lm = (l+m) f_(l-1)m,  (d/dx - i d/dy) f_lm = (l+m)(l+m-1) f_(l-1)(m-1),  (d/dx + i d/dy) f_lm = -f_(l-1)(m+1)
// T is double, or a vector of them with one point in each lane.
#pragma once

#include <type_traits>

#include <suite/gpu/host_device.hpp>

namespace suite::qmc {

inline constexpr int largest_l = 4;
constexpr int harmonics_to(int l) { return (l + 1) * (l + 1); }  // components of 0 to l

// f(std::integral_constant<int, l>()).
template <class F> SUITE_HOST_DEVICE void by_l(int l, F&& f) {
  static_assert(largest_l == 4);
  switch (l) {
    case 0: return f(std::integral_constant<int, 0>());
    case 1: return f(std::integral_constant<int, 1>());
    case 2: return f(std::integral_constant<int, 2>());
    case 3: return f(std::integral_constant<int, 3>());
    default: return f(std::integral_constant<int, 4>());
  }
}

// All components of l = 0 to top.
template <int top, class T> SUITE_HOST_DEVICE void solid_harmonics(T x, T y, T z, T r2, T* value) {
  value[0] = x - x + 1.0;
  for (int l = 1; l <= top; ++l) {
    const T* const one = value + (l - 1) * (l - 1);  // of l - 1
    const T* const two = value + (l - 2) * (l - 2);  // of l - 2
    T* const now = value + l * l;
    for (int k = 0; k < 2 * l - 1; ++k) {
      const int m = (k + 1) / 2;
      now[k] = (2.0 * l - 1) * z * one[k];
      if (m <= l - 2) now[k] -= (l + m - 1.0) * r2 * two[k];
      now[k] = now[k] * (1.0 / (l - m));
    }
    const T c = l == 1 ? one[0] : one[2 * l - 3];
    now[2 * l - 1] = (2.0 * l - 1) * x * c;
    now[2 * l] = (2.0 * l - 1) * y * c;
    if (l == 1) continue;
    now[2 * l - 1] -= (2.0 * l - 1) * y * one[2 * l - 2];
    now[2 * l] += (2.0 * l - 1) * x * one[2 * l - 2];
  }
}

// The gradients of the 2l + 1 components of l, from the components `one` of l - 1.
template <int l, class T> SUITE_HOST_DEVICE void harmonic_gradients(const T* one, T (*gradient)[3]) {
  if constexpr (l == 0) {
    for (int d = 0; d < 3; ++d) gradient[0][d] = one[0] - one[0];
  } else {
    const T zero = one[0] - one[0];
    for (int m = 0; m <= l; ++m) {
      // c and s of l - 1 at m - 1, m and m + 1
      const T c0 = m == 0 ? zero : m == 1 ? one[0] : one[2 * m - 3], s0 = m < 2 ? zero : one[2 * m - 2];
      const T c1 = m == 0 ? one[0] : m < l ? one[2 * m - 1] : zero, s1 = m == 0 || m == l ? zero : one[2 * m];
      const T c2 = m + 1 < l ? one[2 * m + 1] : zero, s2 = m + 1 < l ? one[2 * m + 2] : zero;
      if (m == 0) {
        gradient[0][0] = -c2;
        gradient[0][1] = -s2;
        gradient[0][2] = static_cast<double>(l) * c1;
        continue;
      }
      const double down = 0.5 * (l + m) * (l + m - 1);
      T(&cosine)[3] = gradient[2 * m - 1], (&sine)[3] = gradient[2 * m];
      cosine[0] = down * c0 - 0.5 * c2;
      cosine[1] = -down * s0 - 0.5 * s2;
      cosine[2] = static_cast<double>(l + m) * c1;
      sine[0] = down * s0 - 0.5 * s2;
      sine[1] = down * c0 + 0.5 * c2;
      sine[2] = static_cast<double>(l + m) * s1;
    }
  }
}

}  // namespace suite::qmc
