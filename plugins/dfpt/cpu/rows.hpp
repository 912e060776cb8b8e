// SPDX-License-Identifier: BSD-3-Clause
// Four numbers of a point side by side, as rows that are moved whole, and as vectors over points.
#pragma once

#include "kernels.hpp"

namespace suite::dfpt {

inline constexpr int row = 4;

typedef double Row __attribute__((vector_size(row * sizeof(double))));

// Adds to rows of these numbers x, y and z, and 0; `step` doubles from one row to the next.
template <int64_t step> inline void add_to_rows(double* rows, const uint16_t* number, Vector x, Vector y, Vector z) {
  const auto add = [&](int i, const Row& more) {
    Row sum;
    double* const to = rows + step * number[i];
    std::memcpy(&sum, to, sizeof sum);
    sum += more;
    std::memcpy(to, &sum, sizeof sum);
  };
#if defined(__AVX512F__)
  // Four by four numbers are turned in each half.
  const Vector zero{};
  const Vector xy = __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14),
               xy2 = __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15),
               z0 = __builtin_shufflevector(z, zero, 0, 8, 2, 10, 4, 12, 6, 14),
               z02 = __builtin_shufflevector(z, zero, 1, 9, 3, 11, 5, 13, 7, 15);
  const auto first = [](Vector a, Vector b) { return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13); };
  const auto second = [](Vector a, Vector b) { return __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15); };
  const Vector four[] = {first(xy, z0), first(xy2, z02), second(xy, z0), second(xy2, z02)};
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    add(i, __builtin_shufflevector(four[i], four[i], 0, 1, 2, 3));
    add(4 + i, __builtin_shufflevector(four[i], four[i], 4, 5, 6, 7));
  }
#else
  for (int i = 0; i < lanes; ++i) add(i, Row{x[i], y[i], z[i], 0});
#endif
}

// x, y and z of the rows with these numbers, `step` doubles from one to the next.
template <int64_t step> inline void load_rows(const double* rows, const uint16_t* number, Vector& x, Vector& y, Vector& z) {
#if defined(__AVX512F__)
  const auto two = [rows, number](int i) {
    Row a, b;
    std::memcpy(&a, rows + step * number[i], sizeof a);
    std::memcpy(&b, rows + step * number[i + 1], sizeof b);
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
  };
  const auto pairs = [](Vector a, Vector b) { return __builtin_shufflevector(a, b, 0, 4, 8, 12, 1, 5, 9, 13); };
  const auto last = [](Vector a, Vector b) { return __builtin_shufflevector(a, b, 2, 6, 10, 14, 2, 6, 10, 14); };
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
