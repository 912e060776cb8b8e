// SPDX-License-Identifier: BSD-3-Clause
// What `energies=interpolated` of gpp.sigma is, for every implementation that has it. The finite modes w of a bin [c - r, c + r] enter at
// every x = E - E_n' that is far from the bin by Chebyshev's series in t = (w - c)/r,
//   1/(x - w) = c0 (1 + 2 sum_{j>0} u^j T_j(t)),   c0 = s/(r sqrt(z^2 - 1)),  1/u = z + s sqrt(z^2 - 1),  z = (x - c)/r,  s = sign of z
// (the generating function of the T_j, (1 - u^2)/(1 - 2 u t + u^2)), so that the sums over G and G' collect the moments
// sum M_nn'(G) conj(M_mn'(G')) I w v T_j(t), which do not depend on the energies. The terms from j = J on are left out; relative to
// 1/(x - w) they are at most
//   sum_{j>=J} 2 |u|^j (|z| + 1)/sqrt(z^2 - 1) = 2 |u|^J (1 + |u|)/(1 - |u|)^2.
// Where that bound exceeds SUITE_GPP_ALLOWED, or a test of the model is in question (branch A, sexcut), the bin is summed over exactly.
// SX of an occupied band is (CH - sum of 1/(x + w))/2 in branch A, and 1/(x + w) = -1/(-x - w) has the same moments.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpp.hpp"
#include "pole_series.h"

namespace suite::gpp {

inline constexpr int moments = SUITE_GPP_MOMENTS;
// The fewest energies that they serve; for fewer, one reciprocal for three energies is faster.
inline constexpr int64_t fewest_energies = 7;

inline constexpr suite_choice energy_sums[] = {
    choice("exact", "every energy by itself"),
    choice("interpolated",
           "from seven energies on, best sums over modes in bins of w, each once for all energies that are far from it; exactly near the "
           "poles",
           tolerance{1e-8}),
};

// Bins of the finite modes: each is in the last one whose edge it exceeds, the first edge being 0.
template <int Bins> struct PoleBins {
  double edges[Bins] = {};
  double lowest = 0, highest = 0;  // finite w
  SUITE_HOST_DEVICE double lower(int b) const { return b == 0 || edges[b] < lowest ? lowest : edges[b]; }
  SUITE_HOST_DEVICE double upper(int b) const { return b + 1 < Bins && edges[b + 1] < highest ? edges[b + 1] : highest; }
  SUITE_HOST_DEVICE double centre(int b) const { return 0.5 * (lower(b) + upper(b)); }
  // Never zero, also where all w of a bin are the same.
  SUITE_HOST_DEVICE double radius(int b) const {
    const double half = 0.5 * (upper(b) - lower(b)), least = 1e-3 * (1 + centre(b));
    return half > least ? half : least;
  }
  // Edges of bins of one width in log(w + shift) that hold all of a sample of finite w but its lowest and its highest hundredth, which
  // have bins of their own. The shift is a typical distance of x from zero, eV.
  void spread(std::vector<double> sample) {
    constexpr double shift = 3;
    std::fill(edges, edges + Bins, 0.0);
    if (sample.empty()) return;
    std::sort(sample.begin(), sample.end());
    const double low = sample[sample.size() / 100] + shift, high = sample[sample.size() - 1 - sample.size() / 100] + shift;
    for (int b = 1; b < Bins; ++b) edges[b] = low * std::pow(high / low, static_cast<double>(b - 1) / (Bins - 2)) - shift;
  }
};

}  // namespace suite::gpp
