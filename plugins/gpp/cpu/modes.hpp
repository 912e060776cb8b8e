// SPDX-License-Identifier: BSD-3-Clause
// The modes w(G,G') of one column G' in one block of rows G, taken apart into lists, one behind the other:
// - finite ones, by falling bins of w: whatever the bands, those far enough from a pole not to need a test
// for
//   the branches of the model come first;
// - infinite ones, w = largest_w, the static limit: their factor of I is one number per band and energy, so
//   that one sum of M_nn'(G) I serves all energies;
// - none, w = 0: they count in static CH only, and are not kept otherwise.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "lanes.hpp"
#include "sums.hpp"

namespace suite::gpp {

struct Mode {
  double w;
  double re, im;  // I v(G'), times w where it is finite and static CH is not wanted
  int64_t row;    // in doubles of the packed rows
  double w2;      // w^2
};

struct Modes {
  const Mode* begin;
  std::array<int64_t, bins + 1> far;  // the first far[b] are above the edges b, b+1, ...; the last is 0
  int64_t finite, infinite, all;      // ends of the kinds
  int64_t g;                          // where M_mn'(G') is, in doubles of the packed columns
};

// How a block of rows of one column is read.
struct ModeSource {
  const double *w, *I;
  int64_t rows, row_size;
  double v;
  bool with_static;
  const double* edges;  // [bins], rising, the first 0: a mode is in the last bin whose edge w exceeds
  int used;             // of the bins: the edges of the others are infinite
  const double *next_w, *next_I;  // what is read next, far away in memory: asked for in time
};

// A mode but for w^2 in one register: g++ would put one together in memory, and wait for it there.
using Packed = double __attribute__((vector_size(4 * sizeof(double))));

// How many of the edges but for the first are below w.
inline int edges_below(const double* edges, int used, double w) {
#if defined(__AVX512F__)
  static_assert(bins == 16);
  const __m512d all = _mm512_set1_pd(w);
  const auto low = _mm512_cmp_pd_mask(_mm512_loadu_pd(edges), all, _CMP_LT_OQ),
             high = _mm512_cmp_pd_mask(_mm512_loadu_pd(edges + 8), all, _CMP_LT_OQ);
  static_cast<void>(used);
  return std::popcount((low | unsigned{high} << 8) & ~1u);
#else
  static_assert(bins % lanes == 0);
  Mask below{};
  for (int b = 0; b < used; b += lanes) below -= load(edges + b) < w;
  int64_t count = 0;
  for (int l = 0; l < lanes; ++l) count += below[l];
  return static_cast<int>(count) - (edges[0] < w);
#endif
}

// Writes at most `rows` modes to `to`; scratch: (bins + 1) rows.
template <bool Real> inline Modes take_apart(const ModeSource& from, Mode* to, Mode* scratch) {
  const int top = from.used - 1;
  std::array<Mode*, bins + 2> first, end;  // by bin, infinite, none
  for (int i = 0; i < bins + 2; ++i) first[i] = i == top ? to : scratch + (i < top ? i : i - 1) * from.rows;
  end = first;
  for (int64_t g = 0; g < from.rows; ++g) {
    if (g % 4 == 0) {
      __builtin_prefetch(from.next_w + 2 * g);
      __builtin_prefetch(from.next_I + (Real ? 1 : 2) * g);
    }
    const double w = from.w[2 * g];
    const bool none = w == 0, infinite = w == largest_w, finite = !none & !infinite;
    // By masks: kinds follow each other in no order that a branch could be predicted by.
    const int kind = (edges_below(from.edges, from.used, w) & -int{finite}) | (bins & -int{infinite}) | ((bins + 1) & -int{none});
    const double scale = from.v * (finite & !from.with_static ? w : 1.0);
    const Packed mode{w, scale * (Real ? from.I[g] : from.I[2 * g]), Real ? 0 : scale * from.I[2 * g + 1],
                      std::bit_cast<double>(g * from.row_size)};
    std::memcpy(static_cast<void*>(end[kind]), &mode, sizeof mode);
    end[kind]->w2 = w * w;
    ++end[kind];
  }
  if (!from.with_static) end[bins + 1] = first[bins + 1];
  Modes modes;
  modes.begin = to;
  Mode* at = end[top];
  std::fill(modes.far.begin() + from.used, modes.far.end(), 0);
  modes.far[top] = at - to;
  for (int b = top - 1; b >= 0; --b) {
    at = std::copy(first[b], end[b], at);
    modes.far[b] = at - to;
  }
  modes.finite = modes.far[0];
  at = std::copy(first[bins], end[bins], at);
  modes.infinite = at - to;
  at = std::copy(first[bins + 1], end[bins + 1], at);
  modes.all = at - to;
  return modes;
}

}  // namespace suite::gpp
