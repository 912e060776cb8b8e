// SPDX-License-Identifier: BSD-3-Clause
// The bands n' of all external bands of a call of gpp.sigma, in vectors of `lanes` bands for implementations that sum over lists of
// modes (w(G,G') of one column): the occupied ones first, then the empty ones, both by
// falling largest x, so that few modes and vectors need the test for branch A. The last vector is filled up with bands
// of M = 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "gpp.hpp"

namespace suite::gpp {

// 1/(4 TOL_Small) of the model: |w/D|^2 beyond it is branch B.
inline constexpr double limit_one = 2.5e5;

struct Band {
  int64_t e = -1, n1 = 0;  // external band, -1: none; n'
  double highest = 0, lowest = 0;  // x over the energies
  double occupation = 0;
};

struct BandOrder {
  std::vector<Band> band;                  // [vector][lanes]
  std::vector<double> x;                   // per group of up to three energies: [vector][energies][lanes]
  std::vector<double> c;                   // the same: x^2 where a band is occupied, x where it is empty
  std::vector<int64_t> is_occupied;        // [vector][lanes], -1: yes
  std::vector<bool> close;                 // per group: its energies are close to each other for every band
  std::vector<bool> negative;              // per group and vector: some x < 0
  std::vector<double> ch_limit, sx_limit;  // factors of I of an infinite mode: [vector][energy][lanes]
  std::vector<double> far, safe;           // per vector: finite modes above the one or below the other need no tests
  std::vector<double> edges;               // of the bins of modes, taken from `far`
  int used = 0;                            // of the bins: few for few vectors, as modes are copied bin by bin
  int64_t lanes = 0, vectors = 0, occupied = 0, all_occupied = 0;  // vectors that hold an occupied band, and that hold no other

  // Where a vector's x of the group from iw on are.
  int64_t x_at(int64_t vector, int64_t iw, int64_t energies) const { return (iw * vectors + vector * energies) * lanes; }
  // The edge above which no mode needs a test for the given vectors.
  int above(int64_t first, int64_t count) const {
    const double highest = *std::max_element(far.begin() + first, far.begin() + first + count);
    return static_cast<int>(std::lower_bound(edges.begin(), edges.end(), highest) - edges.begin());
  }
  // The edge below which none does.
  int below(int64_t first, int64_t count) const {
    const double lowest = *std::min_element(safe.begin() + first, safe.begin() + first + count);
    return static_cast<int>(std::upper_bound(edges.begin() + 1, edges.end(), lowest) - edges.begin()) - 1;
  }
};

// Whether the energies from iw on are so close for all bands, in units of gamma, that Loops::far_close does
// not cost digits: it multiplies rounding errors by the square of the distance.
template <class Call> bool close_energies(const Call& call, int64_t iw, int64_t energies) {
  for (int64_t e = 0; e < call.nex(); ++e)
    for (int64_t n1 = 0; n1 < call.ntband(); ++n1)
      for (int64_t i = iw; i < iw + energies; ++i)
        if (!(std::abs(call.x(i, n1, e) - call.x(iw + energies / 3, n1, e)) <= 8 * call.gamma)) return false;
  return true;
}

// The factors that gpp.hpp gives for w = largest_w, whose D and x + w are far from zero.
template <class Call> void set_limits(const Call& call, double x, double& ch, double& sx) {
  const double w = largest_w, D = x - w;
  const bool A = D * D > std::max(call.gamma * call.gamma, w * w * (1 / limit_one));
  ch = A ? w / D : 0;
  sx = A ? w / D * (w / (x + w)) : -0.5 * w / (x + w);
  if (x < 0 && std::abs(sx) > call.sexcut) sx = 0;
}

template <class Call> std::vector<Band> sorted_bands(const Call& call, int64_t lanes) {
  std::vector<Band> bands;
  bands.reserve(static_cast<size_t>(call.ntband() * call.nex() + lanes));
  for (int64_t e = 0; e < call.nex(); ++e)
    for (int64_t n1 = 0; n1 < call.ntband(); ++n1) {
      const double x = call.x(0, n1, e);
      Band band{e, n1, x, x, call.occ_array(n1) > 0 ? call.occ_array(n1) : 0};
      for (int64_t iw = 1; iw < call.nw(); ++iw) {
        band.highest = std::max(band.highest, call.x(iw, n1, e));
        band.lowest = std::min(band.lowest, call.x(iw, n1, e));
      }
      bands.push_back(band);
    }
  const auto empty = std::stable_partition(bands.begin(), bands.end(), [](const Band& b) { return b.occupation > 0; });
  const auto higher = [](const Band& a, const Band& b) { return a.highest > b.highest; };
  std::stable_sort(bands.begin(), empty, higher);
  std::stable_sort(empty, bands.end(), higher);
  return bands;
}

// The w above which neither branch A of any of the bands (|x - w| > gamma, |x - w| > w/500) nor, where they
// are occupied, sexcut is in question: w - x is then beyond both for the highest x, and for the lowest x
// below zero w^2/(w^2 - x^2) stays below sexcut. At 1.1 |x| the powers of x^2 - w^2 in Loops::far_occupied cost
// one digit.
template <class Call> double far_from_poles(const Call& call, const Band* band, int64_t lanes) {
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

// The w below which all bands of a vector are in branch A (x - w > gamma and x - w > w/500); 0: none. Not where an
// occupied band has x < 0: sexcut is in question there.
template <class Call> double safe_below_poles(const Call& call, const Band* band, int64_t lanes) {
  double below = largest_w;
  for (const Band* end = band + lanes; band != end; ++band)
    if (band->e >= 0 && (band->occupation > 0 || band->highest > -call.gamma))
      below = std::min({below, band->lowest - call.gamma, band->lowest * 0.998});
  return std::max(below * (1 - 1e-11), 0.0);
}

// Edges of the bins in use that serve the vectors alike: the highest need, and quantiles of those above zero.
inline std::vector<double> edges_of(std::vector<double> far, int64_t bins, int used) {
  std::sort(far.begin(), far.end());
  const auto positive = std::upper_bound(far.begin(), far.end(), 0.0);
  const int64_t count = far.end() - positive;
  std::vector<double> edges(static_cast<size_t>(bins));
  for (int b = 1; b < used && count > 0; ++b) edges[b] = positive[(count * b + used - 2) / (used - 1) - 1];
  std::fill(edges.begin() + used, edges.end(), std::numeric_limits<double>::infinity());
  return edges;
}

template <class Call> BandOrder order_bands(const Call& call, int64_t lanes, int64_t bins) {
  BandOrder o;
  o.band = sorted_bands(call, lanes);
  o.lanes = lanes;
  const auto occupied = std::count_if(o.band.begin(), o.band.end(), [](const Band& b) { return b.occupation > 0; });
  o.occupied = (occupied + lanes - 1) / lanes;
  o.all_occupied = occupied / lanes;
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
          o.c.push_back(band.occupation > 0 ? o.x.back() * o.x.back() : o.x.back());
          negative = negative || o.x.back() < 0;
        }
      o.negative.push_back(negative);
    }
  }
  for (int64_t v = 0; v < o.vectors; ++v)
    for (int64_t iw = 0; iw < call.nw(); ++iw)
      for (int64_t k = v * lanes; k < (v + 1) * lanes; ++k)
        set_limits(call, x(iw, o.band[static_cast<size_t>(k)]), o.ch_limit.emplace_back(), o.sx_limit.emplace_back());
  for (const Band& band : o.band) o.is_occupied.push_back(band.occupation > 0 ? -1 : 0);
  for (int64_t v = 0; v < o.vectors; ++v) {
    o.far.push_back(far_from_poles(call, o.band.data() + v * lanes, lanes));
    o.safe.push_back(safe_below_poles(call, o.band.data() + v * lanes, lanes));
  }
  o.used = static_cast<int>(std::clamp<int64_t>(o.vectors / 2, std::min<int64_t>(4, bins), bins));
  o.edges = edges_of(o.far, bins, o.used);
  return o;
}

}  // namespace suite::gpp
