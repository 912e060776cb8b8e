// SPDX-License-Identifier: BSD-3-Clause
// A register tile of a product of packed matrices, real or complex: chi(G,G') of some rows G, as vectors, and columns G'.
#pragma once

#include <suite/cpu/doubles.hpp>

namespace suite::gw {

// Rows lie as [k][part][rows], columns as [k][column][part]. Numbers of sums: as many as leave registers for an element of the rows
// and one of the columns; there are 32 with AVX-512, else 16.
template <int Parts> struct Tile {
  using Doubles = cpu::Doubles;
#if defined(__AVX512F__)
  static constexpr int vectors = Parts == 1 ? 3 : 2, columns = Parts == 1 ? 8 : 6;
#else
  static constexpr int vectors = Parts == 1 ? 3 : 1, columns = 4;
#endif
  static constexpr int rows = vectors * cpu::doubles;

  // sum over k of row(k) column(k), as [column][row][part].
  static void multiply(const double* __restrict__ row, const double* __restrict__ column, int64_t count, double* __restrict__ to) {
    Doubles re[columns][vectors] = {}, im[columns][vectors] = {};
    for (int64_t k = 0; k < count; ++k, row += Parts * rows, column += Parts * columns) {
      Doubles a_re[vectors], a_im[vectors];
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) {
        a_re[v] = cpu::load(row + v * cpu::doubles);
        if constexpr (Parts == 2) a_im[v] = cpu::load(row + rows + v * cpu::doubles);
      }
#pragma GCC unroll 8
      for (int c = 0; c < columns; ++c) {
        const double b_re = column[c * Parts];
        if constexpr (Parts == 1) {
#pragma GCC unroll 8
          for (int v = 0; v < vectors; ++v) re[c][v] += a_re[v] * b_re;
        } else {
          const double b_im = column[c * Parts + 1];
#pragma GCC unroll 8
          for (int v = 0; v < vectors; ++v) {
            re[c][v] += a_re[v] * b_re;
            im[c][v] += a_re[v] * b_im;
            re[c][v] -= a_im[v] * b_im;
            im[c][v] += a_im[v] * b_re;
          }
        }
      }
    }
#pragma GCC unroll 8
    for (int c = 0; c < columns; ++c)
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) {
        double* const at = to + (c * rows + v * cpu::doubles) * Parts;
        if constexpr (Parts == 1) cpu::store(at, re[c][v]);
        else store_pairs(at, re[c][v], im[c][v]);
      }
  }

private:
  // re[0], im[0], re[1], im[1], ...
  static void store_pairs(double* to, Doubles re, Doubles im) {
#if defined(__AVX512F__)
    const Doubles low = __builtin_shufflevector(re, im, 0, 8, 1, 9, 2, 10, 3, 11),
                  high = __builtin_shufflevector(re, im, 4, 12, 5, 13, 6, 14, 7, 15);
#elif defined(__AVX2__)
    const Doubles low = __builtin_shufflevector(re, im, 0, 4, 1, 5), high = __builtin_shufflevector(re, im, 2, 6, 3, 7);
#else
    const Doubles low = __builtin_shufflevector(re, im, 0, 2), high = __builtin_shufflevector(re, im, 1, 3);
#endif
    cpu::store(to, low);
    cpu::store(to + cpu::doubles, high);
  }
};

}  // namespace suite::gw
