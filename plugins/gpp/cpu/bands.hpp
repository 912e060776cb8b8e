// SPDX-License-Identifier: BSD-3-Clause
// The bands n' of all external bands of a call, in vectors: the occupied ones first, then the empty ones by
// falling largest x, so that few vectors need the test for branch A. The last vector is filled up with bands
// of M = 0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "lanes.hpp"
#include "modes.hpp"
#include "sums.hpp"

namespace suite::gpp {

struct Band {
  int64_t e = -1, n1 = 0;  // external band, -1: none; n'
  double highest = 0;      // x over the energies
  double occupation = 0;
};

struct Bands {
  std::vector<Band> band;                  // [vector][lanes]
  std::vector<double> x;                   // per group of up to three energies: [vector][energies][lanes]
  std::vector<double> x_sx;                // the same with 1 where a band is empty, so that no x + w is zero
  std::vector<bool> close;                 // per group: its energies are close to each other for every band
  std::vector<bool> negative;              // per group and vector: some x < 0
  std::vector<double> ch_limit, sx_limit;  // factors of I of an infinite mode: [vector][energy][lanes]
  std::vector<double> far;                 // per vector: finite modes above it need no tests
  std::array<double, bins> edges{};        // of the bins of modes, taken from `far`
  int64_t vectors = 0, occupied = 0;       // occupied: vectors that hold an occupied band

  // Where a vector's x of the group from iw on are.
  int64_t x_at(int64_t vector, int64_t iw, int64_t energies) const { return (iw * vectors + vector * energies) * lanes; }
  // The bin from which on no mode needs a test for the given vectors.
  int bin_of(int64_t first, int64_t count) const {
    const double above = *std::max_element(far.begin() + first, far.begin() + first + count);
    return static_cast<int>(std::lower_bound(edges.begin(), edges.end(), above) - edges.begin());
  }
};

// Whether the energies from iw on are so close for all bands, in units of gamma, that Loops::far_close does
// not cost digits: it multiplies rounding errors by the square of the distance.
inline bool close_energies(const Sigma& call, int64_t iw, int64_t energies) {
  for (int64_t e = 0; e < call.nex(); ++e)
    for (int64_t n1 = 0; n1 < call.ntband(); ++n1)
      for (int64_t i = iw; i < iw + energies; ++i)
        if (!(std::abs(call.x(i, n1, e) - call.x(iw + energies / 3, n1, e)) <= 8 * call.gamma)) return false;
  return true;
}

// The factors that gpp.hpp gives for w = largest_w, whose D and x + w are far from zero.
inline void set_limits(const Sigma& call, double x, double& ch, double& sx) {
  const double w = largest_w, D = x - w;
  const bool A = D * D > std::max(call.gamma * call.gamma, w * w * (1 / limit_one));
  ch = A ? w / D : 0;
  sx = A ? w / D * (w / (x + w)) : -0.5 * w / (x + w);
  if (x < 0 && std::abs(sx) > call.sexcut) sx = 0;
}

inline std::vector<Band> sorted_bands(const Sigma& call) {
  std::vector<Band> bands;
  bands.reserve(static_cast<size_t>(call.ntband() * call.nex() + lanes));
  for (int64_t e = 0; e < call.nex(); ++e)
    for (int64_t n1 = 0; n1 < call.ntband(); ++n1) {
      Band band{e, n1, call.x(0, n1, e), call.occ_array(n1) > 0 ? call.occ_array(n1) : 0};
      for (int64_t iw = 1; iw < call.nw(); ++iw) band.highest = std::max(band.highest, call.x(iw, n1, e));
      bands.push_back(band);
    }
  const auto empty = std::stable_partition(bands.begin(), bands.end(), [](const Band& b) { return b.occupation > 0; });
  std::stable_sort(empty, bands.end(), [](const Band& a, const Band& b) { return a.highest > b.highest; });
  return bands;
}

// The w above which neither branch A of any of the bands (|x - w| > gamma, |x - w| > w/500) nor, where they
// are occupied, sexcut is in question: w - x is then beyond both for the highest x, and for the lowest x
// below zero w^2/(w^2 - x^2) stays below sexcut. At 1.1 |x| the powers of x + w in Loops::far_close cost one
// digit.
inline double far_from_poles(const Sigma& call, const Band* band) {
  double above = 0;
  for (const Band* end = band + lanes; band != end; ++band) {
    if (band->e < 0) continue;
    above = std::max({above, band->highest + call.gamma, band->highest / 0.998});
    for (int64_t iw = 0; iw < call.nw() && band->occupation > 0; ++iw)
      if (const double x = call.x(iw, band->n1, band->e); x < 0)
        above = std::max(above, call.sexcut > 1 ? -x * std::max(1.1, std::sqrt(call.sexcut / (call.sexcut - 1))) : 2 * largest_w);
  }
  return above * (1 + 1e-11);
}

// Edges that serve the vectors alike: the highest need, and quantiles of those above zero.
inline std::array<double, bins> edges_of(std::vector<double> far) {
  std::sort(far.begin(), far.end());
  const auto positive = std::upper_bound(far.begin(), far.end(), 0.0);
  const int64_t count = far.end() - positive;
  std::array<double, bins> edges{};
  for (int b = 1; b < bins && count > 0; ++b) edges[b] = positive[(count * b + bins - 2) / (bins - 1) - 1];
  return edges;
}

inline Bands order_bands(const Sigma& call) {
  Bands o;
  o.band = sorted_bands(call);
  const auto occupied = std::count_if(o.band.begin(), o.band.end(), [](const Band& b) { return b.occupation > 0; });
  o.occupied = (occupied + lanes - 1) / lanes;
  o.vectors = (std::ssize(o.band) + lanes - 1) / lanes;
  o.band.resize(static_cast<size_t>(o.vectors * lanes));
  const auto x = [&](int64_t iw, const Band& band) { return band.e < 0 ? -1e3 : call.x(iw, band.n1, band.e); };
  for (int64_t iw = 0; iw < call.nw(); iw += 3) {
    o.close.push_back(close_energies(call, iw, std::min<int64_t>(3, call.nw() - iw)));
    for (int64_t v = 0; v < o.vectors; ++v) {
      bool negative = false;
      for (int64_t i = iw; i < std::min(iw + 3, call.nw()); ++i)
        for (int64_t k = v * lanes; k < (v + 1) * lanes; ++k) {
          const Band& band = o.band[static_cast<size_t>(k)];
          o.x.push_back(x(i, band));
          o.x_sx.push_back(band.occupation > 0 ? o.x.back() : 1.0);
          negative = negative || o.x.back() < 0;
        }
      o.negative.push_back(negative);
    }
  }
  for (int64_t v = 0; v < o.vectors; ++v)
    for (int64_t iw = 0; iw < call.nw(); ++iw)
      for (int64_t k = v * lanes; k < (v + 1) * lanes; ++k)
        set_limits(call, x(iw, o.band[static_cast<size_t>(k)]), o.ch_limit.emplace_back(), o.sx_limit.emplace_back());
  for (int64_t v = 0; v < o.vectors; ++v) o.far.push_back(far_from_poles(call, o.band.data() + v * lanes));
  o.edges = edges_of(o.far);
  return o;
}

}  // namespace suite::gpp
