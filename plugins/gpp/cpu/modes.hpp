// SPDX-License-Identifier: BSD-3-Clause
// The modes w(G,G') of one column G' in one block of rows G, taken apart:
//   far      finite, and so high that no empty band of the call needs the test for branch A;
//   near     finite, the rest;
//   infinite w = largest_w, the static limit: the factor of I is one number per band and energy, so that a sum of
//            M_nn'(G) I is left, the same for all energies;
//   none     w = 0: counts in static CH only, and is not kept otherwise.
// They lie one behind the other in this order, so that the finite ones are a range of their own.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sums.hpp"

namespace suite::gpp {

struct Mode {
  double w;
  double re, im;  // I v(G'), times w where it is finite and static CH is not wanted
  int64_t row;    // of the block, in doubles of the packed rows
};

struct Modes {
  const Mode* begin;
  int64_t far, finite, infinite, all;  // ends of the kinds, counted from begin
  double lowest_near;
  int64_t g;  // where M_mn'(G') is, in doubles of the packed columns
};

// Below this x no w from `lowest` on is within reach of the test for branch A: w - x > gamma and w - x > w/500.
inline double safe_x(double lowest, double gamma) {
  const double reach = std::min(lowest - gamma, 0.998 * lowest);
  return reach - 1e-12 * std::abs(reach);
}

// How a block of rows of one column is read.
struct ModeSource {
  const double *w, *I;
  int64_t rows, row_size;
  double v, gamma, highest_x;  // the highest of the empty bands
  bool real, with_static;
};

// Writes at most rows + 1 modes to `to` and uses 3 (rows + 1) of scratch. Every mode is written to the end of all
// lists and counted in one: which list it is cannot be predicted, and a wrong guess costs more than three stores.
inline Modes take_apart(const ModeSource& from, Mode* to, Mode* scratch) {
  const int64_t capacity = from.rows + 1;
  Mode *const near = scratch, *const infinite = scratch + capacity, *const none = scratch + 2 * capacity;
  int64_t fars = 0, nears = 0, infinites = 0, nones = 0;
  double lowest_near = largest_w;
  for (int64_t g = 0; g < from.rows; ++g) {
    const double w = from.w[2 * g];
    const bool is_none = w == 0, is_infinite = w == largest_w, finite = !is_none & !is_infinite;
    const double scale = finite & !from.with_static ? from.v * w : from.v;
    const Mode mode{w, scale * (from.real ? from.I[g] : from.I[2 * g]), from.real ? 0 : scale * from.I[2 * g + 1],
                    g * from.row_size};
    const bool is_far = finite & (from.highest_x < safe_x(w, from.gamma)), is_near = finite & !is_far;
    to[fars] = near[nears] = infinite[infinites] = none[nones] = mode;
    fars += is_far;
    nears += is_near;
    infinites += is_infinite;
    nones += is_none;
    lowest_near = is_near & (w < lowest_near) ? w : lowest_near;
  }
  if (!from.with_static) nones = 0;
  Mode* end = std::copy_n(near, nears, to + fars);
  end = std::copy_n(infinite, infinites, end);
  end = std::copy_n(none, nones, end);
  return {to, fars, fars + nears, fars + nears + infinites, end - to, lowest_near, 0};
}

}  // namespace suite::gpp
