// SPDX-License-Identifier: BSD-3-Clause
// suite/cpu/vector.hpp - vectors of the level that a file is compiled for: 64 bytes with AVX-512, 32 with
// AVX2, else 16. Arithmetic is that of the compiler's vector types.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace suite::cpu {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

template <class T> struct VectorOf {
  typedef T type __attribute__((vector_size(vector_bytes)));
};
template <class T> using Vector = typename VectorOf<T>::type;
template <class T> inline constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));

// The integers of a vector's bits, of the same size as T.
template <class T> struct IntegerOf;
template <> struct IntegerOf<float> {
  using scalar = int32_t;
};
template <> struct IntegerOf<double> {
  using scalar = int64_t;
};
template <class T> using Integers = Vector<typename IntegerOf<T>::scalar>;

template <class T> inline Vector<T> load(const T* from) {
  Vector<T> v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <class T> inline void store(T* to, Vector<T> v) { std::memcpy(to, &v, sizeof v); }
// x - 0 is x; 0 + x is not for x = -0, so that it would be computed.
template <class T> inline Vector<T> fill(T x) { return x - Vector<T>{}; }

}  // namespace suite::cpu
