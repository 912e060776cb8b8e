// SPDX-License-Identifier: BSD-3-Clause
// Four numbers of a point side by side, as rows that are moved whole, and as vectors over points.
#pragma once

#include "kernels.hpp"

namespace suite::dfpt {

inline constexpr int row = 4;

// The rows of some vectors, and back.
inline void store_rows(double* to, Vector x, Vector y, Vector z, Vector fraction) {
#if defined(__AVX512F__)
  const auto low = [](Vector a, Vector b) { return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11); };
  const auto high = [](Vector a, Vector b) {
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  };
  const auto first = [](Vector a, Vector b) {
    return __builtin_shufflevector(a, b, 0, 1, 8, 9, 2, 3, 10, 11);
  };
  const auto second = [](Vector a, Vector b) {
    return __builtin_shufflevector(a, b, 4, 5, 12, 13, 6, 7, 14, 15);
  };
  const Vector xy = low(x, y), zf = low(z, fraction), xy2 = high(x, y), zf2 = high(z, fraction);
  store(to, first(xy, zf));
  store(to + 8, second(xy, zf));
  store(to + 16, first(xy2, zf2));
  store(to + 24, second(xy2, zf2));
#else
  for (int i = 0; i < lanes; ++i) {
    to[row * i] = x[i];
    to[row * i + 1] = y[i];
    to[row * i + 2] = z[i];
    to[row * i + 3] = fraction[i];
  }
#endif
}
inline void load_rows(const double* from, Vector& x, Vector& y, Vector& z, Vector& fraction) {
#if defined(__AVX512F__)
  const auto pairs = [](Vector a, Vector b) {
    return __builtin_shufflevector(a, b, 0, 4, 8, 12, 1, 5, 9, 13);
  };
  const auto pairs2 = [](Vector a, Vector b) {
    return __builtin_shufflevector(a, b, 2, 6, 10, 14, 3, 7, 11, 15);
  };
  const auto first = [](Vector a, Vector b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
  };
  const auto second = [](Vector a, Vector b) {
    return __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
  };
  const Vector a = load(from), b = load(from + 8), c = load(from + 16), d = load(from + 24);
  const Vector xy = pairs(a, b), xy2 = pairs(c, d), zf = pairs2(a, b), zf2 = pairs2(c, d);
  x = first(xy, xy2);
  y = second(xy, xy2);
  z = first(zf, zf2);
  fraction = second(zf, zf2);
#else
  for (int i = 0; i < lanes; ++i) {
    x[i] = from[row * i];
    y[i] = from[row * i + 1];
    z[i] = from[row * i + 2];
    fraction[i] = from[row * i + 3];
  }
#endif
}
inline void copy_row(const double* from, double* to) { std::memcpy(to, from, row * sizeof(double)); }

}  // namespace suite::dfpt
