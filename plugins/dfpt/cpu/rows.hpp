// SPDX-License-Identifier: BSD-3-Clause
// Four numbers of a point side by side, as rows that are moved whole, and as vectors over points.
#pragma once

#include "kernels.hpp"

namespace suite::dfpt {

inline constexpr int row = 4;

// The rows of some vectors.
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
// x, y and z of the rows with these numbers, `step` doubles from one to the next.
template <int64_t step>
inline void load_rows(const double* rows, const uint16_t* number, Vector& x, Vector& y, Vector& z) {
#if defined(__AVX512F__)
  typedef double Row __attribute__((vector_size(row * sizeof(double))));
  const auto two = [rows, number](int i) {
    Row a, b;
    std::memcpy(&a, rows + step * number[i], sizeof a);
    std::memcpy(&b, rows + step * number[i + 1], sizeof b);
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
  };
  const auto pairs = [](Vector a, Vector b) {
    return __builtin_shufflevector(a, b, 0, 4, 8, 12, 1, 5, 9, 13);
  };
  const auto last = [](Vector a, Vector b) {
    return __builtin_shufflevector(a, b, 2, 6, 10, 14, 2, 6, 10, 14);
  };
  const Vector a = two(0), b = two(2), c = two(4), d = two(6);
  const Vector xy = pairs(a, b), xy2 = pairs(c, d);
  x = __builtin_shufflevector(xy, xy2, 0, 1, 2, 3, 8, 9, 10, 11);
  y = __builtin_shufflevector(xy, xy2, 4, 5, 6, 7, 12, 13, 14, 15);
  z = __builtin_shufflevector(last(a, b), last(c, d), 0, 1, 2, 3, 8, 9, 10, 11);
#else
  for (int i = 0; i < lanes; ++i) {
    const double* const from = rows + step * number[i];
    x[i] = from[0];
    y[i] = from[1];
    z[i] = from[2];
  }
#endif
}

}  // namespace suite::dfpt
