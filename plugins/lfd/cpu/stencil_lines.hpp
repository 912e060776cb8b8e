// SPDX-License-Identifier: BSD-3-Clause
// The stencil of lfd.hpsi on a piece of a line of psi: as many elements as lie one after the other and have the same weights. Complex
// numbers stay interleaved: weights are real, and the i before differences exchanges real and imaginary parts once, at the end.
//
// Three passes, one for each axis, with the sums between them in the first cache: the eight lines and eight weights of a pass fit the
// registers of AVX2. All axes at once would load the pointers and the weights again for each vector, as many loads as psi itself takes.
#pragma once

#include <algorithm>
#include <cstring>

#include "../stencil.hpp"
#include "lanes.hpp"

namespace suite::lfd {

// What the elements of a piece have in common.
template <class T> struct PieceWeights {
  T even[3][most_neighbours], odd[3][most_neighbours];
  double center;
  bool moving;  // whether any `odd` is not zero
};

template <class T> PieceWeights<T> piece_weights(const HpsiArrays& all, const double* q) {
  PieceWeights<T> w{};
  for (int a = 0; a < 3; ++a) {
    const AxisStencil& axis = all.axis[a];
    w.center += axis.center(q[axis.direction]);
    for (int m = 1; m <= axis.radius; ++m) {
      w.even[a][m - 1] = static_cast<T>(axis.even(m, q[axis.direction]));
      w.odd[a][m - 1] = static_cast<T>(axis.odd(m, q[axis.direction]));
      w.moving = w.moving || w.odd[a][m - 1] != 0;
    }
  }
  return w;
}

// The lines that the stencil of a line reaches: where each begins.
template <class T> struct PieceLines {
  const T *up[3][most_neighbours], *down[3][most_neighbours];
};

inline constexpr int64_t most_of_piece = 512;
template <class T> struct PieceBuffers {
  static constexpr int64_t size = most_of_piece + 64 / static_cast<int64_t>(sizeof(T));
  alignas(64) T v[size], sum[2][size], slope[2][size];
};

// Two numbers, for pieces shorter than a vector; a single one is a T.
template <class T> struct PairOf {
  typedef T type __attribute__((vector_size(2 * sizeof(T))));
};

namespace detail {

template <class V, class T> [[gnu::always_inline]] inline V get(const T* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

// A neighbour is loaded once, for its sum and its difference: compilers would rather take it from memory for each.
template <class V> [[gnu::always_inline]] inline void keep_in_register([[maybe_unused]] V& v) {
#if defined(__x86_64__)
  asm("" : "+x"(v));
#endif
}

// i times (re, im, re, im, ..).
template <class T> [[gnu::always_inline]] inline typename PairOf<T>::type times_i(typename PairOf<T>::type x) {
  return typename PairOf<T>::type{-x[1], x[0]};
}
template <class T>
[[gnu::always_inline]] inline Vector<T> times_i(Vector<T> x)
  requires(lanes<T> > 2)
{
  Vector<T> swapped, sign;
  for (int l = 0; l < lanes<T>; l += 2) sign[l] = -1, sign[l + 1] = 1;
  if constexpr (lanes<T> == 16) swapped = __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
  else if constexpr (lanes<T> == 8) swapped = __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6);
  else swapped = __builtin_shufflevector(x, x, 1, 0, 3, 2);
  return sign * swapped;
}

enum class Pass { first, middle, last };

// Adds the pairs of one axis. The last vector of a piece may overlap the one before, which is why no pass adds in place.
template <class V, int R, bool moving, Pass pass, class T>
[[gnu::always_inline]] inline void add_axis(const T* const* up, const T* const* down, int64_t begin, const T* even, const T* odd,
                                            const T* v, const T* center, const T* sum_in, const T* slope_in, T* sum_out, T* slope_out,
                                            int64_t count) {
  constexpr int64_t width = sizeof(V) / sizeof(T);
  const T *above[R], *below[R];
  T e[R], o[R];
  for (int m = 0; m < R; ++m) above[m] = up[m] + begin, below[m] = down[m] + begin, e[m] = even[m], o[m] = odd[m];
  for (int64_t i = 0;; i += width) {
    if (i + width > count) {
      if (i >= count) break;
      i = count - width;
    }
    V sum, slope{};
    if constexpr (pass == Pass::first) {
      sum = get<V>(v + i) * get<V>(center + i);
    } else {
      sum = get<V>(sum_in + i);
      if constexpr (moving) slope = get<V>(slope_in + i);
    }
    for (int m = 0; m < R; ++m) {
      V a = get<V>(above[m] + i), b = get<V>(below[m] + i);
      if constexpr (moving) keep_in_register(a), keep_in_register(b);
      sum += e[m] * (a + b);
      if constexpr (moving) slope += o[m] * (a - b);
    }
    if constexpr (pass == Pass::last && moving) sum += times_i<T>(slope);
    std::memcpy(sum_out + i, &sum, sizeof sum);
    if constexpr (pass != Pass::last && moving) std::memcpy(slope_out + i, &slope, sizeof slope);
  }
}

template <class V, int R, bool moving, class T>
void add_piece(const PieceWeights<T>& w, const PieceLines<T>& lines, int64_t begin, const T* center, PieceBuffers<T>& b, T* to,
               int64_t count) {
  add_axis<V, R, moving, Pass::first>(lines.up[0], lines.down[0], begin, w.even[0], w.odd[0], b.v, center, b.sum[0], b.slope[0], b.sum[0],
                                      b.slope[0], count);
  add_axis<V, R, moving, Pass::middle>(lines.up[1], lines.down[1], begin, w.even[1], w.odd[1], b.v, center, b.sum[0], b.slope[0], b.sum[1],
                                       b.slope[1], count);
  add_axis<V, R, moving, Pass::last>(lines.up[2], lines.down[2], begin, w.even[2], w.odd[2], b.v, center, b.sum[1], b.slope[1], to,
                                     b.slope[0], count);
}

template <int R, bool complex, class T>
void piece_of_radius(const PieceWeights<T>& w, const PieceLines<T>& lines, int64_t begin, const T* center, PieceBuffers<T>& b, T* to,
                     int64_t count) {
  using Short = std::conditional_t<complex, typename PairOf<T>::type, T>;
  if constexpr (complex) {
    if (w.moving) {
      if (count >= lanes<T>) add_piece<Vector<T>, R, true>(w, lines, begin, center, b, to, count);
      else add_piece<Short, R, true>(w, lines, begin, center, b, to, count);
      return;
    }
  }
  if (count >= lanes<T>) add_piece<Vector<T>, R, false>(w, lines, begin, center, b, to, count);
  else add_piece<Short, R, false>(w, lines, begin, center, b, to, count);
}

}  // namespace detail

// to = H psi without projectors for `count` elements of a line from `begin` on, at most PieceBuffers::size; center and to are those of
// the first one, and b.v holds the potential with the center's weight.
template <bool complex, class T>
void stencil_piece(int radius, const PieceWeights<T>& w, const PieceLines<T>& lines, int64_t begin, const T* center, PieceBuffers<T>& b,
                   T* to, int64_t count) {
  if (radius == 1) detail::piece_of_radius<1, complex>(w, lines, begin, center, b, to, count);
  else if (radius == 2) detail::piece_of_radius<2, complex>(w, lines, begin, center, b, to, count);
  else if (radius == 3) detail::piece_of_radius<3, complex>(w, lines, begin, center, b, to, count);
  else detail::piece_of_radius<4, complex>(w, lines, begin, center, b, to, count);
}

}  // namespace suite::lfd
