// SPDX-License-Identifier: BSD-3-Clause
// The inner loop of gpp.sigma for real w: `lanes` rows G times `columns` columns G', all bands n' of a chunk,
// one to three energies. With real w the model (gpp.hpp) is I(G,G') w times a real factor that does not know
// I:
//   CH: w/D in branch A, else 0;   SX: w w/(D(x+w)) in A, -w/(2(x+w)) in B;   A: D^2 > max(gamma^2,
//   w^2/2.5e5)
// so the sums over n' collect P/D and P w/(D(x+w)) only, and I w v multiplies them once at the end. One
// reciprocal, of the product of the D, serves all energies.
#pragma once

#include "lanes.hpp"

namespace suite::gpp {

inline constexpr int columns = lanes == 8 ? 2 : 1;

// Stands for w where there is no pole: harmless in every formula (D^3 = 8e36), and above the largest allowed
// w.
inline constexpr double no_pole = 2e12;
inline constexpr double largest_w = 1e12;
// 1/(4 TOL_Small) of the model: |w/D|^2 beyond it is branch B.
inline constexpr double limit_one = 2.5e5;

// What is common to the bands and energies of one tile.
struct Poles {
  Vector w[columns];                      // no_pole where I counts in static CH only
  Vector limit[columns];                  // branch A where D^2 exceeds it
  Vector i_re[columns], i_im[columns];    // I v(G')
  Vector iw_re[columns], iw_im[columns];  // I v(G') w
  double lowest_w;
};

// Bands of one chunk, of one external band: occupied ones first, then empty ones of falling x.
struct Bands {
  const double* a;  // M_nn'(G):  [n'][re lanes, im lanes], real flavour [n'][lanes]
  const double* m;  // M_mn'(G'): [n'][columns][re, im], real flavour [n'][columns]
  const double* x;  // [n'][energies]
  const double* f;  // [n'], occupied bands only
  double spacing;   // of three even energies
  int occupied, masked,
      count;  // up to `occupied` SX and CH; up to `masked` CH with the test for branch A; then without
};

// Sums over a task, one Vector each: per energy CH re, im, SX re, im; then static CH re, im.
inline constexpr int sums_of(int energies) { return 4 * energies + 2; }

template <bool Real>
struct Product {
  static constexpr int parts = Real ? 1 : 2;
  Vector p[parts];
  // a conj(m)
  Product(const double* a, const double* m) {
    if constexpr (Real) {
      p[0] = load(a) * m[0];
    } else {
      const Vector re = load(a), im = load(a + lanes);
      p[0] = re * m[0] + im * m[1];
      p[1] = im * m[0] - re * m[1];
    }
  }
};

// r[i] = 1/D[i] from one reciprocal.
template <int Energies>
inline void reciprocals(const Vector* D, Vector* r) {
  if constexpr (Energies == 1) {
    r[0] = reciprocal(D[0]);
  } else if constexpr (Energies == 2) {
    const Vector q = reciprocal(D[0] * D[1]);
    r[0] = q * D[1];
    r[1] = q * D[0];
  } else {
    const Vector d01 = D[0] * D[1];
    const Vector q = reciprocal(d01 * D[2]);
    const Vector q2 = q * D[2];
    r[2] = q * d01;
    r[0] = q2 * D[1];
    r[1] = q2 * D[0];
  }
}

// to += z (re + i im), for z with one or two parts.
template <bool Real>
inline void add_times(const Vector* z, Vector re, Vector im, Vector* to) {
  if constexpr (Real) {
    to[0] += z[0] * re;
  } else {
    to[0] += z[0] * re - z[1] * im;
    to[1] += z[0] * im + z[1] * re;
  }
}

// The occupied bands: SX and CH, one column at a time (twice the sums of an empty band).
template <int Energies, bool Real, bool Static>
[[gnu::noinline]] void tile_occupied(const Poles& poles, const Bands& bands, double sexcut, Vector* sums) {
  constexpr int parts = Real ? 1 : 2;
  const Vector zero{}, one = fill(1.0);
  for (int c = 0; c < columns; ++c) {
    const Vector w = poles.w[c], limit = poles.limit[c];
    Vector ch[Energies][parts] = {}, sx[Energies][parts] = {}, st[parts] = {};
    for (int n1 = 0; n1 < bands.occupied; ++n1) {
      const Product<Real> P(bands.a + static_cast<int64_t>(n1) * parts * lanes,
                            bands.m + (static_cast<int64_t>(n1) * columns + c) * parts);
#pragma GCC unroll 3
      for (int i = 0; i < Energies; ++i) {
        const double x = bands.x[static_cast<int64_t>(n1) * Energies + i];
        const Vector D = x - w;
        const Mask A = D * D > limit;
        Vector S = x + w;
        S = S == zero ? fill(1e-100) : S;
        // 1/(D S) in A, 1/S in B.
        const Vector q = reciprocal((A ? D : one) * S);
        const Vector ch_factor = A ? q * S : zero;
        Vector sx_factor = (A ? w : fill(-0.5)) * q;
        if (x < 0) {
          const Vector ssx = sx_factor * w;
          sx_factor = ssx * ssx <= sexcut * sexcut ? sx_factor : zero;
        }
        sx_factor *= bands.f[n1];
#pragma GCC unroll 2
        for (int p = 0; p < parts; ++p) {
          ch[i][p] += P.p[p] * ch_factor;
          sx[i][p] += P.p[p] * sx_factor;
        }
      }
      if constexpr (Static)
        for (int p = 0; p < parts; ++p) st[p] += P.p[p];
    }
    for (int i = 0; i < Energies; ++i) {
      add_times<Real>(ch[i], poles.iw_re[c], poles.iw_im[c], sums + 4 * i);
      add_times<Real>(sx[i], poles.iw_re[c], poles.iw_im[c], sums + 4 * i + 2);
    }
    if constexpr (Static) add_times<Real>(st, poles.i_re[c], poles.i_im[c], sums + 4 * Energies);
  }
}

// The empty bands: CH, first those with the test for branch A, then those without.
template <int Energies, bool Real, bool Static, bool Even>
[[gnu::noinline]] void tile_empty(const Poles& poles, const Bands& bands, Vector* sums) {
  constexpr int parts = Real ? 1 : 2;
  const Vector zero{}, one = fill(1.0);
  Vector ch[columns][Energies][parts] = {}, st[columns][parts] = {};

  for (int n1 = bands.occupied; n1 < bands.masked; ++n1) {
    const double* a = bands.a + static_cast<int64_t>(n1) * parts * lanes;
    const double* x = bands.x + static_cast<int64_t>(n1) * Energies;
#pragma GCC unroll 2
    for (int c = 0; c < columns; ++c) {
      const Product<Real> P(a, bands.m + (static_cast<int64_t>(n1) * columns + c) * parts);
      Vector D[Energies], r[Energies];
      Mask A[Energies];
#pragma GCC unroll 3
      for (int i = 0; i < Energies; ++i) {
        D[i] = x[i] - poles.w[c];
        A[i] = D[i] * D[i] > poles.limit[c];
        D[i] = A[i] ? D[i] : one;
      }
      reciprocals<Energies>(D, r);
#pragma GCC unroll 3
      for (int i = 0; i < Energies; ++i) {
        r[i] = A[i] ? r[i] : zero;
#pragma GCC unroll 2
        for (int p = 0; p < parts; ++p) ch[c][i][p] += P.p[p] * r[i];
      }
      if constexpr (Static)
        for (int p = 0; p < parts; ++p) st[c][p] += P.p[p];
    }
  }

  if constexpr (Even) {
    // Three energies dE apart, D the middle one: q = 1/(D(D^2 - dE^2)) gives 1/D = q(D^2 - dE^2) and, with
    // s = 1/(D^2 - dE^2) = q D, 1/(D -+ dE) = s D +- dE s, which are put together after the loop.
    Vector s[columns][2][parts] = {};
    const Vector spacing2 = fill(bands.spacing * bands.spacing);
    for (int n1 = bands.masked; n1 < bands.count; ++n1) {
      const double* a = bands.a + static_cast<int64_t>(n1) * parts * lanes;
      const double x = bands.x[static_cast<int64_t>(n1) * Energies + 1];
#pragma GCC unroll 2
      for (int c = 0; c < columns; ++c) {
        const Product<Real> P(a, bands.m + (static_cast<int64_t>(n1) * columns + c) * parts);
        const Vector D = x - poles.w[c];
        const Vector e = D * D - spacing2;
        const Vector q = reciprocal(D * e);
        const Vector q_e = q * e, q_d = q * D, q_d2 = q_d * D;
#pragma GCC unroll 2
        for (int p = 0; p < parts; ++p) {
          ch[c][1][p] += P.p[p] * q_e;
          s[c][0][p] += P.p[p] * q_d;
          s[c][1][p] += P.p[p] * q_d2;
        }
        if constexpr (Static)
          for (int p = 0; p < parts; ++p) st[c][p] += P.p[p];
      }
    }
    for (int c = 0; c < columns; ++c)
      for (int p = 0; p < parts; ++p) {
        ch[c][0][p] += s[c][1][p] + bands.spacing * s[c][0][p];
        ch[c][2][p] += s[c][1][p] - bands.spacing * s[c][0][p];
      }
  } else {
    for (int n1 = bands.masked; n1 < bands.count; ++n1) {
      const double* a = bands.a + static_cast<int64_t>(n1) * parts * lanes;
      const double* x = bands.x + static_cast<int64_t>(n1) * Energies;
#pragma GCC unroll 2
      for (int c = 0; c < columns; ++c) {
        const Product<Real> P(a, bands.m + (static_cast<int64_t>(n1) * columns + c) * parts);
        Vector D[Energies], r[Energies];
#pragma GCC unroll 3
        for (int i = 0; i < Energies; ++i) D[i] = x[i] - poles.w[c];
        reciprocals<Energies>(D, r);
#pragma GCC unroll 3
        for (int i = 0; i < Energies; ++i)
#pragma GCC unroll 2
          for (int p = 0; p < parts; ++p) ch[c][i][p] += P.p[p] * r[i];
        if constexpr (Static)
          for (int p = 0; p < parts; ++p) st[c][p] += P.p[p];
      }
    }
  }

#pragma GCC unroll 3
  for (int i = 0; i < Energies; ++i)
#pragma GCC unroll 2
    for (int c = 0; c < columns; ++c) add_times<Real>(ch[c][i], poles.iw_re[c], poles.iw_im[c], sums + 4 * i);
  if constexpr (Static)
#pragma GCC unroll 2
    for (int c = 0; c < columns; ++c)
      add_times<Real>(st[c], poles.i_re[c], poles.i_im[c], sums + 4 * Energies);
}

// CH band by band: sums[n'][energy][re, im] over the rows and columns of the tile. I w v goes into every
// product here, since its sum over n' is not wanted, and the sums lie in memory: about twice the work of
// tile_empty.
template <int Energies, bool Real>
[[gnu::noinline]] void tile_bands(const Poles& poles, const Bands& bands, int64_t stride, Vector* sums) {
  constexpr int parts = Real ? 1 : 2;
  const Vector zero{}, one = fill(1.0);
  for (int n1 = 0; n1 < bands.count; ++n1) {
    const double* a = bands.a + static_cast<int64_t>(n1) * parts * lanes;
    const double* x = bands.x + static_cast<int64_t>(n1) * Energies;
    Vector ch[Energies][2] = {};
#pragma GCC unroll 2
    for (int c = 0; c < columns; ++c) {
      const Product<Real> P(a, bands.m + (static_cast<int64_t>(n1) * columns + c) * parts);
      Vector product[2] = {zero, zero};
      add_times<Real>(P.p, poles.iw_re[c], poles.iw_im[c], product);
      Vector D[Energies], r[Energies];
      Mask A[Energies];
#pragma GCC unroll 3
      for (int i = 0; i < Energies; ++i) {
        D[i] = x[i] - poles.w[c];
        A[i] = D[i] * D[i] > poles.limit[c];
        D[i] = A[i] ? D[i] : one;
      }
      reciprocals<Energies>(D, r);
#pragma GCC unroll 3
      for (int i = 0; i < Energies; ++i) {
        r[i] = A[i] ? r[i] : zero;
#pragma GCC unroll 2
        for (int p = 0; p < parts; ++p) ch[i][p] += product[p] * r[i];
      }
    }
    for (int i = 0; i < Energies; ++i)
      for (int p = 0; p < parts; ++p) sums[n1 * stride + 2 * i + p] += ch[i][p];
  }
}

template <int Energies, bool Real, bool Static, bool Even>
inline void tile(const Poles& poles, const Bands& bands, double sexcut, Vector* sums) {
  if (bands.occupied > 0) tile_occupied<Energies, Real, Static>(poles, bands, sexcut, sums);
  if (bands.occupied < bands.count) tile_empty<Energies, Real, Static, Even>(poles, bands, sums);
}

}  // namespace suite::gpp
