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

// Doubles that take_apart works in.
inline int64_t apart_size(int64_t rows) { return 2 * (rows + lanes); }

// Writes `rows` modes to `to`, of which Modes::all are kept. First the kind of every mode, as vectors: its bin, `bins` if it is infinite,
// one more if it is none; then how many there are of each kind, then each mode to its place. The quarters of the rows are counted and
// placed side by side, so that none waits for the one before; in a list the rows rise, as caches like it (docs/performance/gpp.sigma.md).
template <bool Real> inline Modes take_apart(const ModeSource& from, Mode* to, double* scratch) {
  constexpr int ways = 4;
  const int64_t room = from.rows + lanes, whole = from.rows / lanes * lanes;
  double* const scale = scratch + room;  // of I
  const auto look = [&](const double* w, int64_t g) {
    Vector re, im;
    split(w, re, im);
    const Mask infinite = re == fill(largest_w), none = re == Vector{};
    Mask kind{};
    for (int b = 1; b < from.used; ++b) kind -= from.edges[b] < re;
    kind = infinite ? Mask{} + bins : none ? Mask{} + (bins + 1) : kind;
    std::memcpy(scratch + g, &kind, sizeof kind);
    store(scale + g, from.with_static ? fill(from.v) : from.v * (infinite | none ? fill(1.0) : re));
  };
  for (int64_t g = 0; g < whole; g += lanes) {
    __builtin_prefetch(from.next_w + 2 * g);
    __builtin_prefetch(from.next_I + (Real ? 1 : 2) * g);
    look(from.w + 2 * g, g);
  }
  if (whole < from.rows) {
    double last[2 * lanes] = {};
    std::copy(from.w + 2 * whole, from.w + 2 * from.rows, last);
    look(last, whole);
  }
  const auto kind_of = [&](int64_t g) { return std::bit_cast<int64_t>(scratch[g]); };
  std::array<std::array<Mode*, ways>, bins + 2> place;
  std::array<std::array<int32_t, ways>, bins + 2> count = {};
  const auto each = [&](const auto& f) {
    const int64_t quarter = from.rows / ways;
    for (int64_t i = 0; i < quarter; ++i)
#pragma GCC unroll 4
      for (int way = 0; way < ways; ++way) f(way * quarter + i, way);
    for (int64_t g = ways * quarter; g < from.rows; ++g) f(g, ways - 1);
  };
  each([&](int64_t g, int way) { ++count[kind_of(g)][way]; });
  Mode* at = to;
  const auto end_of = [&](int kind) {
    for (int way = 0; way < ways; ++way) {
      place[kind][way] = at;
      at += count[kind][way];
    }
    return at - to;
  };
  Modes modes;
  modes.begin = to;
  std::fill(modes.far.begin() + from.used, modes.far.end(), 0);
  for (int b = from.used - 1; b >= 0; --b) modes.far[b] = end_of(b);
  modes.finite = modes.far[0];
  modes.infinite = end_of(bins);
  modes.all = end_of(bins + 1);
  if (!from.with_static) modes.all = modes.infinite;
  each([&](int64_t g, int way) {
    Mode*& mode = place[kind_of(g)][way];
    const double w = from.w[2 * g];
    const Packed packed{w, scale[g] * (Real ? from.I[g] : from.I[2 * g]), Real ? 0 : scale[g] * from.I[2 * g + 1],
                        std::bit_cast<double>(g * from.row_size)};
    std::memcpy(static_cast<void*>(mode), &packed, sizeof packed);
    mode->w2 = w * w;
    ++mode;
  });
  return modes;
}

}  // namespace suite::gpp
