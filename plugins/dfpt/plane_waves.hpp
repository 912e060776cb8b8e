// SPDX-License-Identifier: BSD-3-Clause
// The plane waves of dfpt.reciprocal in lines of equal g_1 and g_2. Re[e^(iG.r) S(G)] is the same for -G with
// the conjugate of S, so that g_1, g_2, g_3 can be chosen to have the first one that is not 0 positive. Pair k
// of a line has g_3 = k and -k: with u = e^(i k b_3.r), and S+ and S- of the two with their weights,
//   S+ u + S- u* = P cos(k b_3.r) + Q sin(k b_3.r),  P = S+ + S-,  Q = i (S+ - S-)
// and the sum of a line is the real part of e^(i (g_1 b_1 + g_2 b_2).r) times the sum of its pairs: four
// products for two plane waves.
#pragma once

#include <cstdint>
#include <vector>

#include <suite/gpu/host_device.hpp>

#include "dfpt.hpp"

namespace suite::dfpt {

struct PlaneWaves {
  struct Line {
    int32_t g1, g2;
    int32_t first, count;  // pairs
  };
  std::vector<Line> lines;        // ascending in g1, then in g2
  std::vector<double> up, down;   // weights of g_3 = k and -k; 0 where there is no such plane wave
  int32_t most[3] = {0, 0, 0};    // the largest g_1, |g_2| and g_3
  int64_t n_pairs() const { return static_cast<int64_t>(up.size()); }
};

// Of a call that has been checked. A G that is there twice, or with -G, counts twice.
PlaneWaves plane_waves_of(const Reciprocal& c);

// (-i)^l/(2l-1)!! without its factor -i for odd l.
SUITE_HOST_DEVICE constexpr double multipole_factor(int l) {
  double factor = l % 4 < 2 ? 1 : -1;
  for (int k = 2 * l - 1; k > 1; k -= 2) factor /= k;
  return factor;
}

}  // namespace suite::dfpt
