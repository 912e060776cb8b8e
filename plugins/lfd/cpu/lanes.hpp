// SPDX-License-Identifier: BSD-3-Clause
// Vectors and their sums. A lane is an orbital in the propagation, a grid point in the field's kernels.
#pragma once

#include <cstdint>
#include <cstring>

#include <suite/cpu/vector.hpp>

namespace suite::lfd {

using cpu::vector_bytes, cpu::Vector, cpu::lanes, cpu::Integers, cpu::load, cpu::store, cpu::fill;

// Eight sums of doubles, one for each point of a cell.
typedef double Eight __attribute__((vector_size(64)));

inline Eight load_eight(const double* from) {
  Eight v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline void store_eight(double* to, const Eight& v) { std::memcpy(to, &v, sizeof v); }

#if defined(__AVX512F__)
// The sums over the lanes of eight vectors, by folding two vectors into one at a time: 7 additions for all.
inline Eight sums_of_eight(const Vector<double>* r) {
  Vector<double> a[4], b[2];
  for (int q = 0; q < 4; ++q)
    a[q] = __builtin_shufflevector(r[2 * q], r[2 * q + 1], 0, 1, 2, 3, 8, 9, 10, 11) +
           __builtin_shufflevector(r[2 * q], r[2 * q + 1], 4, 5, 6, 7, 12, 13, 14, 15);
  for (int q = 0; q < 2; ++q)
    b[q] = __builtin_shufflevector(a[2 * q], a[2 * q + 1], 0, 1, 4, 5, 8, 9, 12, 13) +
           __builtin_shufflevector(a[2 * q], a[2 * q + 1], 2, 3, 6, 7, 10, 11, 14, 15);
  return __builtin_shufflevector(b[0], b[1], 0, 2, 4, 6, 8, 10, 12, 14) + __builtin_shufflevector(b[0], b[1], 1, 3, 5, 7, 9, 11, 13, 15);
}

// In single precision the last two of sixteen lanes, and everything after them, are added in double.
inline Eight sums_of_eight(const Vector<float>* r) {
  Vector<float> a[4], b[2];
  for (int q = 0; q < 4; ++q)
    a[q] = __builtin_shufflevector(r[2 * q], r[2 * q + 1], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
           __builtin_shufflevector(r[2 * q], r[2 * q + 1], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
  for (int q = 0; q < 2; ++q)
    b[q] = __builtin_shufflevector(a[2 * q], a[2 * q + 1], 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27) +
           __builtin_shufflevector(a[2 * q], a[2 * q + 1], 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
  const Vector<float> c = __builtin_shufflevector(b[0], b[1], 0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29) +
                          __builtin_shufflevector(b[0], b[1], 2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31);
  typedef float EightFloats __attribute__((vector_size(32)));
  const EightFloats even = __builtin_shufflevector(c, c, 0, 2, 4, 6, 8, 10, 12, 14),
                    odd = __builtin_shufflevector(c, c, 1, 3, 5, 7, 9, 11, 13, 15);
  return __builtin_convertvector(even, Eight) + __builtin_convertvector(odd, Eight);
}
#elif defined(__AVX2__)
inline Eight sums_of_eight(const Vector<double>* r) {
  Vector<double> a[4], b[2];
  for (int q = 0; q < 4; ++q)
    a[q] = __builtin_shufflevector(r[2 * q], r[2 * q + 1], 0, 4, 2, 6) + __builtin_shufflevector(r[2 * q], r[2 * q + 1], 1, 5, 3, 7);
  for (int q = 0; q < 2; ++q)
    b[q] = __builtin_shufflevector(a[2 * q], a[2 * q + 1], 0, 1, 4, 5) + __builtin_shufflevector(a[2 * q], a[2 * q + 1], 2, 3, 6, 7);
  return __builtin_shufflevector(b[0], b[1], 0, 1, 2, 3, 4, 5, 6, 7);
}

// The last two of eight lanes are added in double.
inline Eight sums_of_eight(const Vector<float>* r) {
  Vector<float> a[4], b[2];
  for (int q = 0; q < 4; ++q)
    a[q] = __builtin_shufflevector(r[2 * q], r[2 * q + 1], 0, 1, 2, 3, 8, 9, 10, 11) +
           __builtin_shufflevector(r[2 * q], r[2 * q + 1], 4, 5, 6, 7, 12, 13, 14, 15);
  for (int q = 0; q < 2; ++q)
    b[q] = __builtin_shufflevector(a[2 * q], a[2 * q + 1], 0, 1, 4, 5, 8, 9, 12, 13) +
           __builtin_shufflevector(a[2 * q], a[2 * q + 1], 2, 3, 6, 7, 10, 11, 14, 15);
  const Vector<float> even = __builtin_shufflevector(b[0], b[1], 0, 2, 4, 6, 8, 10, 12, 14),
                      odd = __builtin_shufflevector(b[0], b[1], 1, 3, 5, 7, 9, 11, 13, 15);
  return __builtin_convertvector(even, Eight) + __builtin_convertvector(odd, Eight);
}
#else
template <class V> inline Eight sums_of_eight(const V* r) {
  Eight sums{};
  for (int q = 0; q < 8; ++q)
    for (int l = 0; l < static_cast<int>(sizeof(V) / sizeof r[q][0]); ++l) sums[q] += static_cast<double>(r[q][l]);
  return sums;
}
#endif

}  // namespace suite::lfd
