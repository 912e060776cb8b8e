// SPDX-License-Identifier: BSD-3-Clause
// The inner loops of gpp.sigma for real w: `lanes` bands n' at a time, one column G', the list of its modes in a block
// of rows G, one to three energies. Bands and not G are the lanes, because a mode is then the same in all of them: a
// list of modes can leave out any pair (G,G') without a lane going idle. With real w the model (gpp.hpp) is
// I(G,G') w times a real factor that does not know I:
//   CH: w/D in branch A, else 0;   SX: w w/(D(x+w)) in A, -w/(2(x+w)) in B;   A: D^2 > max(gamma^2, w^2/2.5e5)
// so the sums over G collect M_nn'(G) I w v/D and M_nn'(G) I w v w/(D(x+w)), and conj(M_mn'(G')) multiplies them once
// at the end. One reciprocal, of the product of the D, serves all energies.
#pragma once

#include "lanes.hpp"
#include "modes.hpp"

namespace suite::gpp {

// What one call of the loops below works on: one vector of bands, some columns, some energies.
struct Work {
  const double* rows;     // M_nn'(G): [row][re lanes, im lanes], real flavour [row][lanes]
  const double* columns;  // M_mn'(G') likewise, at Modes::g
  const Modes *modes, *end;
  const double* x;        // [energy][lanes]
  const double* spacing;  // [lanes], of three even energies
  double highest;         // the largest x of the lanes
  double gamma, sexcut;
  bool cut;    // some x < 0: sexcut has to be looked at
  bool first;  // of the groups of energies: infinite modes and static CH are summed
  Vector *ch, *sx;          // [energy][re, im]
  Vector *infinite, *still;  // [re, im]: sum of M conj(M) I v over infinite modes, and over all
};

template <bool Real>
struct Product {
  static constexpr int parts = Real ? 1 : 2;
  Vector p[parts];
  // M_nn'(G) I
  Product(const double* rows, const Mode& mode) {
    const double* a = rows + mode.row;
    if constexpr (Real) {
      p[0] = load(a) * mode.re;
    } else {
      const Vector re = load(a), im = load(a + lanes);
      p[0] = re * mode.re - im * mode.im;
      p[1] = re * mode.im + im * mode.re;
    }
  }
};

// to += a conj(m)
template <bool Real>
inline void add_times_conjugate(const Vector* a, const double* m, Vector* to) {
  const Vector re = load(m);
  if constexpr (Real) {
    to[0] += a[0] * re;
  } else {
    const Vector im = load(m + lanes);
    to[0] += a[0] * re + a[1] * im;
    to[1] += a[1] * re - a[0] * im;
  }
}

// r[i] = scale/D[i] from one reciprocal. Without Scaled the scale is 1.
template <int Energies, bool Scaled>
inline void reciprocals(const Vector* D, double scale, Vector* r) {
  const auto scaled = [&](Vector d) { return Scaled ? scale * reciprocal(d) : reciprocal(d); };
  if constexpr (Energies == 1) {
    r[0] = scaled(D[0]);
  } else if constexpr (Energies == 2) {
    const Vector q = scaled(D[0] * D[1]);
    r[0] = q * D[1];
    r[1] = q * D[0];
  } else {
    const Vector d01 = D[0] * D[1];
    const Vector q = scaled(d01 * D[2]);
    const Vector q2 = q * D[2];
    r[2] = q * d01;
    r[0] = q2 * D[1];
    r[1] = q2 * D[0];
  }
}

// Sums over the modes of one column.
template <int Energies, bool Real>
struct Sums {
  static constexpr int parts = Real ? 1 : 2;
  Vector ch[Energies][parts] = {};
  Vector still[parts] = {};
};

// Empty bands with the test for branch A.
template <int Energies, bool Real, bool Static>
[[gnu::always_inline]] inline void sum_near(const Work& work, const Vector* x, const Mode* mode, const Mode* end,
                                            Sums<Energies, Real>& s) {
  const Vector zero{}, one = fill(1.0);
  for (; mode != end; ++mode) {
    const Product<Real> P(work.rows, *mode);
    const double w = mode->w, limit = std::max(work.gamma * work.gamma, w * w * (1 / limit_one));
    Vector D[Energies], r[Energies];
    Mask A[Energies];
#pragma GCC unroll 3
    for (int i = 0; i < Energies; ++i) {
      D[i] = x[i] - w;
      A[i] = D[i] * D[i] > limit;
      D[i] = A[i] ? D[i] : one;
    }
    reciprocals<Energies, Static>(D, w, r);
#pragma GCC unroll 3
    for (int i = 0; i < Energies; ++i) {
      r[i] = A[i] ? r[i] : zero;
#pragma GCC unroll 2
      for (int p = 0; p < P.parts; ++p) s.ch[i][p] += P.p[p] * r[i];
    }
    if constexpr (Static)
      for (int p = 0; p < P.parts; ++p) s.still[p] += P.p[p];
  }
}

// Empty bands without it.
template <int Energies, bool Real, bool Static>
[[gnu::always_inline]] inline void sum_far(const Work& work, const Vector* x, const Mode* mode, const Mode* end,
                                           Sums<Energies, Real>& s) {
  for (; mode != end; ++mode) {
    const Product<Real> P(work.rows, *mode);
    Vector D[Energies], r[Energies];
#pragma GCC unroll 3
    for (int i = 0; i < Energies; ++i) D[i] = x[i] - mode->w;
    reciprocals<Energies, Static>(D, mode->w, r);
#pragma GCC unroll 3
    for (int i = 0; i < Energies; ++i)
#pragma GCC unroll 2
      for (int p = 0; p < P.parts; ++p) s.ch[i][p] += P.p[p] * r[i];
    if constexpr (Static)
      for (int p = 0; p < P.parts; ++p) s.still[p] += P.p[p];
  }
}

// The same for three energies dE apart, D the middle one: q = 1/(D(D^2 - dE^2)) gives 1/D = q(D^2 - dE^2) and, with
// s = 1/(D^2 - dE^2) = q D, 1/(D -+ dE) = s D +- dE s, which are put together after the loop.
template <bool Real, bool Static>
[[gnu::always_inline]] inline void sum_far_even(const Work& work, const Vector* x, const Mode* mode, const Mode* end,
                                                Sums<3, Real>& sums) {
  constexpr int parts = Real ? 1 : 2;
  const Vector spacing = load(work.spacing), spacing2 = spacing * spacing, middle = x[1];
  Vector s[2][parts] = {};
  for (; mode != end; ++mode) {
    const Product<Real> P(work.rows, *mode);
    const Vector D = middle - mode->w;
    const Vector e = D * D - spacing2;
    Vector q = reciprocal(D * e);
    if constexpr (Static) q *= mode->w;
    const Vector q_e = q * e, q_d = q * D, q_d2 = q_d * D;
#pragma GCC unroll 2
    for (int p = 0; p < parts; ++p) {
      sums.ch[1][p] += P.p[p] * q_e;
      s[0][p] += P.p[p] * q_d;
      s[1][p] += P.p[p] * q_d2;
    }
    if constexpr (Static)
      for (int p = 0; p < parts; ++p) sums.still[p] += P.p[p];
  }
  for (int p = 0; p < parts; ++p) {
    sums.ch[0][p] += s[1][p] + spacing * s[0][p];
    sums.ch[2][p] += s[1][p] - spacing * s[0][p];
  }
}

// Vectors with occupied bands: SX and CH, all finite modes with the test. Where a lane is an empty band its SX goes
// away with its occupation, 0.
template <int Energies, bool Real, bool Static, bool Cut>
[[gnu::always_inline]] inline void sum_occupied(const Work& work, const Vector* x, const Mode* mode, const Mode* end,
                                                Sums<Energies, Real>& s, Vector (*sx)[Real ? 1 : 2]) {
  const Vector zero{}, one = fill(1.0);
  for (; mode != end; ++mode) {
    const Product<Real> P(work.rows, *mode);
    const double w = mode->w, limit = std::max(work.gamma * work.gamma, w * w * (1 / limit_one));
#pragma GCC unroll 3
    for (int i = 0; i < Energies; ++i) {
      const Vector D = x[i] - w;
      const Mask A = D * D > limit;
      Vector S = x[i] + w;
      S = S == zero ? fill(1e-100) : S;
      // 1/(D S) in A, 1/S in B.
      Vector q = reciprocal((A ? D : one) * S);
      if constexpr (Static) q *= w;
      const Vector ch_factor = A ? q * S : zero;
      Vector sx_factor = (A ? fill(w) : fill(-0.5)) * q;
      if constexpr (Cut) {
        const Vector ssx = Static ? sx_factor : sx_factor * w;
        sx_factor = ssx * ssx > work.sexcut * work.sexcut && x[i] < zero ? zero : sx_factor;
      }
#pragma GCC unroll 2
      for (int p = 0; p < P.parts; ++p) {
        s.ch[i][p] += P.p[p] * ch_factor;
        sx[i][p] += P.p[p] * sx_factor;
      }
    }
    if constexpr (Static)
      for (int p = 0; p < P.parts; ++p) s.still[p] += P.p[p];
  }
}

// Infinite modes, and those without a pole: the sum of M_nn'(G) I.
template <bool Real>
[[gnu::always_inline]] inline void sum_flat(const double* rows, const Mode* mode, const Mode* end, Vector* s) {
  for (; mode != end; ++mode) {
    const Product<Real> P(rows, *mode);
#pragma GCC unroll 2
    for (int p = 0; p < P.parts; ++p) s[p] += P.p[p];
  }
}

template <int Energies, bool Real, bool Static, bool Even, bool Occupied>
[[gnu::noinline]] void sum_columns(const Work& work) {
  constexpr int parts = Real ? 1 : 2;
  Vector x[Energies];
  for (int i = 0; i < Energies; ++i) x[i] = load(work.x + i * lanes);
  for (const Modes* modes = work.modes; modes != work.end; ++modes) {
    const Mode *const far = modes->begin + modes->far, *const finite = modes->begin + modes->finite,
                     *const infinite = modes->begin + modes->infinite, *const all = modes->begin + modes->all;
    const double* const m = work.columns + modes->g;
    Sums<Energies, Real> s;
    if constexpr (Occupied) {
      Vector sx[Energies][parts] = {};
      if (work.cut)
        sum_occupied<Energies, Real, Static, true>(work, x, modes->begin, finite, s, sx);
      else
        sum_occupied<Energies, Real, Static, false>(work, x, modes->begin, finite, s, sx);
      for (int i = 0; i < Energies; ++i) add_times_conjugate<Real>(sx[i], m, work.sx + 2 * i);
    } else {
      if (far != finite) {
        if (work.highest < safe_x(modes->lowest_near, work.gamma))
          sum_far<Energies, Real, Static>(work, x, far, finite, s);
        else
          sum_near<Energies, Real, Static>(work, x, far, finite, s);
      }
      if constexpr (Even)
        sum_far_even<Real, Static>(work, x, modes->begin, far, s);
      else
        sum_far<Energies, Real, Static>(work, x, modes->begin, far, s);
    }
    for (int i = 0; i < Energies; ++i) add_times_conjugate<Real>(s.ch[i], m, work.ch + 2 * i);
    if (!work.first) continue;
    Vector flat[parts] = {};
    sum_flat<Real>(work.rows, finite, infinite, flat);
    add_times_conjugate<Real>(flat, m, work.infinite);
    if constexpr (Static) {
      sum_flat<Real>(work.rows, infinite, all, s.still);
      for (int p = 0; p < parts; ++p) s.still[p] += flat[p];
      add_times_conjugate<Real>(s.still, m, work.still);
    }
  }
}

}  // namespace suite::gpp
