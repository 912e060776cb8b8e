// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma at many energies: what `energies=interpolated` (../pole_bins.hpp) adds to tile.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tile.hpp"

namespace suite::gpp {

// How the moments of each bin serve the energies of each band.
class Interpolation {
public:
  // Factors of a bin at one energy: c0, u; where the vector has occupied bands those at -x too.
  static constexpr int64_t factors(bool occupied) { return occupied ? 4 : 2; }

  template <class Call> void make(const Call& call, const BandOrder& bands, const PoleBins<bins>& of) {
    nw_ = call.nw();
    occupied_ = bands.occupied;
    factors_.assign(static_cast<size_t>(at(bands.vectors)), 0.0);
    near_.assign(static_cast<size_t>(bands.vectors * groups()), {});
    bins_ = of;
  }

  // Fills in one vector of bands.
  template <class Call> void fill_in(const Call& call, const BandOrder& bands, int64_t vector) {
    const bool occupied = vector < occupied_;
    for (int64_t iw = 0; iw < nw_; iw += 3) {
      const int64_t energies = std::min<int64_t>(3, nw_ - iw);
      Near& near = near_[static_cast<size_t>(vector * groups() + iw / 3)];
      near = {bins, 0};
      for (int b = 0; b < bins; ++b) {
        double* const to = factors_.data() + at(vector) + (iw * bins + b) * factors(occupied) * lanes;
        bool far = true;
        for (int64_t i = 0; i < energies; ++i)
          far = one(call, bands, vector, bands.x.data() + bands.x_at(vector, iw, energies) + i * lanes, b,
                    to + i * bins * factors(occupied) * lanes) &&
                far;
        if (far) continue;
        for (int64_t i = 0; i < energies; ++i) std::fill_n(to + i * bins * factors(occupied) * lanes, factors(occupied) * lanes, 0.0);
        near.first = std::min(near.first, b);
        near.end = b + 1;
      }
      // The exact loops take neighbouring bins.
      for (int b = near.first; b < near.end; ++b)
        for (int64_t i = 0; i < energies; ++i)
          std::fill_n(factors_.data() + at(vector) + ((iw + i) * bins + b) * factors(occupied) * lanes, factors(occupied) * lanes, 0.0);
    }
  }

  struct Near {
    int first, end;  // bins that are summed over exactly
  };
  Near near(int64_t vector, int64_t group) const { return near_[static_cast<size_t>(vector * groups() + group)]; }
  // [energy][bin][factor][lanes]
  const double* of(int64_t vector) const { return factors_.data() + at(vector); }
  const double* edges() const { return bins_.edges; }
  double centre(int b) const { return bins_.centre(b); }
  double radius(int b) const { return bins_.radius(b); }

private:
  int64_t groups() const { return (nw_ + 2) / 3; }
  int64_t at(int64_t vector) const {
    const int64_t full = std::min(vector, occupied_);
    return (full * factors(true) + (vector - full) * factors(false)) * nw_ * bins * lanes;
  }

  // The factors of one energy and bin; whether they may be used.
  template <class Call> bool one(const Call& call, const BandOrder& bands, int64_t vector, const double* x, int b, double* to) const {
    const bool occupied = vector < occupied_;
    const double low = bins_.lower(b), high = bins_.upper(b), c = centre(b), r = radius(b);
    if (!(low <= high)) return true;  // there is no such w
    bool far = true;
    for (int l = 0; l < lanes; ++l) {
      const Band& band = bands.band[static_cast<size_t>(vector * lanes + l)];
      for (int side = 0; side < (occupied ? 2 : 1); ++side) {
        const Series series = series_of(side == 0 ? x[l] : -x[l], c, r);
        to[(2 * side) * lanes + l] = series.c0;
        to[(2 * side + 1) * lanes + l] = series.u;
        if (band.e >= 0 && (side == 0 || band.occupation > 0)) far = far && series.holds;
      }
      if (band.e >= 0) far = far && without_tests(x[l], low, high, band.occupation > 0, call.gamma, call.sexcut);
    }
    return far;
  }

  int64_t nw_ = 0, occupied_ = 0;
  PoleBins<bins> bins_;
  std::vector<double> factors_;  // [vector][energy][bin][factor][lanes]
  std::vector<Near> near_;       // [vector][group of three energies]
};

// T_j(t) of the finite modes of a column: [mode][moments]. With static CH the modes hold I without w, and this w T_j.
template <bool Static> inline void fill_basis(const Modes& modes, const Interpolation& all, double* to) {
  for (int b = 0; b < bins; ++b) {
    const double c = all.centre(b), by_r = 1 / all.radius(b);
    for (int64_t i = modes.far[b + 1]; i < modes.far[b]; ++i) {
      const double w = modes.begin[i].w, t = (w - c) * by_r;
      double* const T = to + i * moments;
      T[0] = Static ? w : 1;
      T[1] = t * T[0];
      for (int j = 2; j < moments; ++j) T[j] = 2 * t * T[j - 1] - T[j - 2];
    }
  }
}

// The loops over modes for one vector of bands.
template <bool Real, bool Static> struct Moments {
  static constexpr int parts = Real ? 1 : 2;
  // As many moments at a time as there are registers for.
  static constexpr int at_a_time = lanes == 8 ? moments : moments / 2;
  using Sums = Vector[bins][moments][parts];

  // to[j] += conj(M_mn'(G')) sum over the modes of M_nn'(G) I v w T_j, of moments from First on.
  template <int First>
  [[gnu::always_inline]] static void add(const Work& work, const Mode* mode, const Mode* end, const double* T, const double* m,
                                         Vector (&to)[moments][parts], Vector* still) {
    Vector U[at_a_time][parts] = {};
    Vector flat[parts] = {};
    for (; mode != end; ++mode, T += moments) {
      const Product<Real> P(work.rows + mode->row, *mode);
#pragma GCC unroll 8
      for (int j = 0; j < at_a_time; ++j)
#pragma GCC unroll 2
        for (int p = 0; p < parts; ++p) {
          if (First + j == 0 && !Static) U[j][p] += P.p[p];
          else U[j][p] += P.p[p] * T[First + j];
        }
      if constexpr (Static && First == 0) P.add_to(flat);
    }
    for (int j = 0; j < at_a_time; ++j) add_times_conjugate<Real>(U[j], m, to[First + j]);
    if constexpr (Static && First == 0) add_times_conjugate<Real>(flat, m, still);
  }

  // basis: of the first column; those of the next lie behind it. Rows of the next vector of bands are asked for meanwhile: lists by bins
  // read them in an order that no processor foresees.
  [[gnu::noinline]] static void columns(const Work& work, const double* basis, int64_t basis_stride, Sums& sums) {
    const int64_t share = work.rows_stride / std::max<int64_t>(work.end - work.modes, 1) + 1;
    const double* next = work.rows + work.rows_stride;
    for (const Modes* modes = work.modes; modes != work.end; ++modes, basis += basis_stride, next += share) {
      const double* const m = work.columns + modes->g;
      for (int64_t i = 0; i < share; i += 64 / sizeof(double)) __builtin_prefetch(next + i, 0, 2);
      for (int b = 0; b < bins; ++b) {
        const int64_t first = modes->far[b + 1], end = modes->far[b];
        if (first == end) continue;
        add<0>(work, modes->begin + first, modes->begin + end, basis + first * moments, m, sums[b], work.still);
        if constexpr (at_a_time < moments)
          add<at_a_time>(work, modes->begin + first, modes->begin + end, basis + first * moments, m, sums[b], work.still);
      }
      Vector still[1][parts] = {};
      Loops<1, Real, Static, 1>::add_flat(work, *modes, still);
    }
  }

  // c0 (A_0 + 2 sum_{j>0} u^j A_j), added to `to` with a factor.
  [[gnu::always_inline]] static void add_series(const double* factors, const Vector (&A)[moments][parts], double factor, Vector* to) {
    const Vector c0 = load(factors) * factor, u = load(factors + lanes);
    for (int p = 0; p < parts; ++p) {
      Vector h = A[moments - 1][p];
#pragma GCC unroll 8
      for (int j = moments - 2; j > 0; --j) h = h * u + A[j][p];
      to[p] += c0 * (2.0 * u * h + A[0][p]);
    }
  }

  // CH and SX, [energy][re, im] each, of the moments.
  [[gnu::noinline]] static void energies(const double* factors, int64_t nw, bool occupied, const Sums& A, Vector* ch, Vector* sx) {
    const int64_t stride = Interpolation::factors(occupied) * lanes;
    for (int64_t iw = 0; iw < nw; ++iw) {
      Vector V[2] = {}, T[2] = {};
      for (int b = 0; b < bins; ++b, factors += stride) {
        add_series(factors, A[b], 1, V);
        if (occupied) add_series(factors + 2 * lanes, A[b], -1, T);
      }
      for (int p = 0; p < parts; ++p) {
        ch[2 * iw + p] += V[p];
        if (occupied) sx[2 * iw + p] += 0.5 * (V[p] - T[p]);
      }
    }
  }
};

}  // namespace suite::gpp
