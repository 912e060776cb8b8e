// SPDX-License-Identifier: BSD-3-Clause
// The product of matrices that rho, h and the response come down to, on a register tile: `tile_rows` rows of
// A, a number at a time, times `tile_vectors` vectors of a packed B. With AVX-512 24 of 32 registers hold
// sums; each step takes 3 + 8 loads for 24 multiply-adds, two of each fit in a cycle.
#pragma once

#include <utility>

#include "kernels.hpp"

namespace suite::dfpt {

#if defined(__AVX512F__)
inline constexpr int tile_rows = 8;
#else
inline constexpr int tile_rows = 4;
#endif
inline constexpr int tile_vectors = 3;
inline constexpr int tile_width = tile_vectors * lanes;

// A(row,step): rows lie `row` apart, steps `step`. One of the two is 1 and known to the compiler.
struct RowsOfSteps {  // steps side by side
  const double* data;
  int64_t row;
  double operator()(int r, int64_t k) const { return data[r * row + k]; }
};
struct StepsOfRows {  // rows side by side
  const double* data;
  int64_t step;
  double operator()(int r, int64_t k) const { return data[k * step + r]; }
};

// sums[r][v] = sum_k A(r,k) B(k,v), B's steps `width` apart. By macro-free means: the sums are a local array
// of known subscripts, which the compiler keeps in registers.
template <int Rows, int Vectors, class A, class Finish>
[[gnu::always_inline]] inline void multiply_tile(const A& a, const double* b, int64_t width, int64_t steps, const Finish& finish) {
  Vector s[Rows][Vectors];
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 3
    for (int v = 0; v < Vectors; ++v) s[r][v] = Vector{};
  for (int64_t k = 0; k < steps; ++k) {
    Vector x[Vectors];
#pragma GCC unroll 3
    for (int v = 0; v < Vectors; ++v) x[v] = load(b + k * width + v * lanes);
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) {
      const double w = a(r, k);
#pragma GCC unroll 3
      for (int v = 0; v < Vectors; ++v) s[r][v] += x[v] * w;
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 3
    for (int v = 0; v < Vectors; ++v) finish(r, v, s[r][v]);
}

// The tile of a matrix C with rows `ldc` apart: C = A B.
template <int Vectors, class A>
inline void product_tile(const A& a, const double* b, int64_t width, int64_t steps, double* c, int64_t ldc) {
  multiply_tile<tile_rows, Vectors>(
      a, b, width, steps, [ c, ldc ](int r, int v, const Vector& s) __attribute__((always_inline)) { store(c + r * ldc + v * lanes, s); });
}

// C += A B
template <int Vectors, class A>
inline void add_product_tile(const A& a, const double* b, int64_t width, int64_t steps, double* c, int64_t ldc) {
  multiply_tile<tile_rows, Vectors>(
      a, b, width, steps, [ c, ldc ](int r, int v, const Vector& s) __attribute__((always_inline)) {
        double* const to = c + r * ldc + v * lanes;
        store(to, load(to) + s);
      });
}

// sum(column) += sum over the tile's rows of X(row,column) (A B)(row,column), X packed as B is.
template <int Vectors, class A>
inline void dot_tile(const A& a, const double* b, int64_t width, int64_t steps, const double* x, double* sum) {
  Vector total[Vectors];
  for (int v = 0; v < Vectors; ++v) total[v] = load(sum + v * lanes);
  multiply_tile<tile_rows, Vectors>(
      a, b, width, steps, [ x, width, &total ](int r, int v, const Vector& s) __attribute__((always_inline)) {
        total[v] += load(x + r * width + v * lanes) * s;
      });
  for (int v = 0; v < Vectors; ++v) store(sum + v * lanes, total[v]);
}

namespace detail {

// Where bit s of the lane's number is set, b's lane without it, else a's; and the other way round.
template <int s, int... i> inline Vector low(Vector a, Vector b, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(a, b, ((i & s) ? lanes + i - s : i)...);
}
template <int s, int... i> inline Vector high(Vector a, Vector b, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(a, b, ((i & s) ? lanes + i : i + s)...);
}
template <int s> inline void exchange(Vector* v) {
  using Numbers = std::make_integer_sequence<int, lanes>;
#pragma GCC unroll 8
  for (int i = 0; i < lanes; ++i)
    if (!(i & s)) {
      const Vector a = v[i], b = v[i + s];
      v[i] = low<s>(a, b, Numbers());
      v[i + s] = high<s>(a, b, Numbers());
    }
}

}  // namespace detail

// A square of lanes by lanes numbers: neighbours change places, then pairs, then halves.
inline void transpose(Vector* v) {
  detail::exchange<1>(v);
  if constexpr (lanes > 2) detail::exchange<2>(v);
  if constexpr (lanes > 4) detail::exchange<4>(v);
}

// Columns of a matrix, `stride` apart and n long, as a panel [row][tile_width]; what lies beyond n, up to
// `rows`, or beyond the columns is 0.
inline void pack_transposed(const double* from, int64_t stride, int64_t n, int64_t columns, int64_t rows, double* panel) {
  for (int64_t c = 0; c < tile_width; c += lanes)
    for (int64_t r = 0; r < rows; r += lanes) {
      Vector v[lanes];
      if (c + lanes <= columns && r + lanes <= n) {
#pragma GCC unroll 8
        for (int i = 0; i < lanes; ++i) v[i] = load(from + (c + i) * stride + r);
      } else {
        for (int i = 0; i < lanes; ++i) v[i] = c + i < columns ? load_first(from + (c + i) * stride + r, n - r) : Vector{};
      }
      transpose(v);
#pragma GCC unroll 8
      for (int i = 0; i < lanes; ++i) store(panel + (r + i) * tile_width + c, v[i]);
    }
}

// The first `width` numbers of columns, `stride` apart and n long, as [column][width], each column times its
// `scale` or once; 0 beyond n.
template <int width>
inline void pack_columns(const double* from, int64_t stride, int64_t n, int64_t columns, const double* scale, double* panel) {
  for (int64_t c = 0; c < columns; ++c) {
    const double s = scale ? scale[c] : 1;
    for (int64_t r = 0; r < width; r += lanes) store(panel + c * width + r, load_first(from + c * stride + r, n - r) * s);
  }
}

}  // namespace suite::dfpt
