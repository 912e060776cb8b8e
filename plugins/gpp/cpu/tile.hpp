// SPDX-License-Identifier: BSD-3-Clause
// The inner loops of gpp.sigma for real w: `lanes` bands n' at a time, one column G', the list of its modes
// in a block of rows G, one to three energies. Bands and not G are the lanes, because a mode is then the same
// in all of them: a list of modes can leave out any pair (G,G') without a lane going idle. With real w the
// model (gpp.hpp) is I(G,G') w times a real factor that does not know I:
//   CH: w/D in branch A, else 0;   SX: w w/(D(x+w)) in A, -w/(2(x+w)) in B;   A: D^2 > max(gamma^2,
//   w^2/2.5e5)
// so the sums over G collect M_nn'(G) I w v/D and M_nn'(G) I w v w/(D(x+w)), and conj(M_mn'(G')) multiplies
// them once at the end. One reciprocal, of the product of the D, serves all energies.
#pragma once

#include "lanes.hpp"
#include "modes.hpp"

namespace suite::gpp {

// What one call of the loops below works on: one or two vectors of bands, some columns, some energies.
struct Work {
  const double* rows;     // M_nn'(G): [row][re lanes, im lanes], real flavour [row][lanes]
  const double* columns;  // M_mn'(G') likewise, at Modes::g
  const Modes *modes, *end;
  const double *x, *x_sx;  // [vector][energy][lanes]; x_sx for x + w
  int bin;                 // finite modes above its edge need no test for any of these bands
  double gamma, sexcut;
  bool cut;                             // some x < 0: sexcut has to be looked at
  bool first;                           // of the groups of energies: infinite modes and static CH are summed
  int64_t rows_stride, columns_stride;  // from one vector of bands to the next
  // Sums of the first vector, the second's sums_stride further: per energy re, im of CH and SX; re, im of
  // M conj(M) I v over infinite modes, and over all.
  Vector *ch, *sx, *infinite, *still;
  int64_t sums_stride;
};

template <bool Real> struct Product {
  static constexpr int parts = Real ? 1 : 2;
  Vector p[parts];
  // M_nn'(G) I
  Product(const double* a, const Mode& mode) {
    if constexpr (Real) {
      p[0] = load(a) * mode.re;
    } else {
      const Vector re = load(a), im = load(a + lanes);
      p[0] = re * mode.re - im * mode.im;
      p[1] = re * mode.im + im * mode.re;
    }
  }
  void add_to(Vector* sum) const {
    for (int i = 0; i < parts; ++i) sum[i] += p[i];
  }
  void add_to(Vector* sum, Vector factor) const {
#pragma GCC unroll 2
    for (int i = 0; i < parts; ++i) sum[i] += p[i] * factor;
  }
};

// to += a conj(m)
template <bool Real> inline void add_times_conjugate(const Vector* a, const double* m, Vector* to) {
  const Vector re = load(m);
  if constexpr (Real) {
    to[0] += a[0] * re;
  } else {
    const Vector im = load(m + lanes);
    to[0] += a[0] * re + a[1] * im;
    to[1] += a[1] * re - a[0] * im;
  }
}

// r[i] = scale/D[i] from one reciprocal. Unless Scaled the scale is 1.
template <int Energies, bool Scaled> inline void reciprocals(const Vector* D, double scale, Vector* r) {
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

// The loops over modes. Energies, flavour, whether static CH is summed too, vectors of bands at a time.
template <int Energies, bool Real, bool Static, int Vectors> struct Loops {
  static constexpr int parts = Real ? 1 : 2;
  using Sums = Vector[Vectors][Energies][parts];
  using Flat = Vector[Vectors][parts];

  // sums += M I/(x - w), or, Plus, M I/(x + w), far from any pole.
  template <bool Plus>
  [[gnu::always_inline]] static void far(const Work& work, const Mode* mode, const Mode* end, Sums& sums, Flat& still) {
    Vector x[Vectors][Energies];
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v)
#pragma GCC unroll 3
      for (int i = 0; i < Energies; ++i) x[v][i] = load((Plus ? work.x_sx : work.x) + (v * Energies + i) * lanes);
    for (; mode != end; ++mode) {
      const double* const a = work.rows + mode->row;
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) {
        const Product<Real> P(a + v * work.rows_stride, *mode);
        Vector D[Energies], r[Energies];
#pragma GCC unroll 3
        for (int i = 0; i < Energies; ++i) D[i] = Plus ? x[v][i] + mode->w : x[v][i] - mode->w;
        reciprocals<Energies, Static>(D, mode->w, r);
#pragma GCC unroll 3
        for (int i = 0; i < Energies; ++i) P.add_to(sums[v][i], r[i]);
        if constexpr (Static && !Plus) P.add_to(still[v]);
      }
    }
  }

  // q = 1/(product of the D_i), and D, of one mode.
  template <bool Plus> [[gnu::always_inline]] static void reciprocal_of(const Vector* x, const Mode& mode, Vector& q, Vector& D) {
    Vector d[Energies];
#pragma GCC unroll 3
    for (int i = 0; i < Energies; ++i) d[i] = Plus ? x[i] + mode.w : x[i] - mode.w;
    Vector product = d[0];
#pragma GCC unroll 3
    for (int i = 1; i < Energies; ++i) product *= d[i];
    q = reciprocal(product);
    if constexpr (Static) q *= mode.w;
    D = d[Energies / 3];
  }

  // U[k] += M I q D^k
  template <bool Plus>
  [[gnu::always_inline]] static void add_powers(const Work& work, int v, const Mode& mode, Vector q, Vector D, Vector (&U)[Energies][parts],
                                                Vector (&still)[parts]) {
    const Product<Real> P(work.rows + mode.row + v * work.rows_stride, mode);
#pragma GCC unroll 2
    for (int p = 0; p < parts; ++p) {
      Vector term = P.p[p] * q;
      U[0][p] += term;
#pragma GCC unroll 3
      for (int k = 1; k < Energies; ++k) {
        term *= D;
        U[k][p] += term;
      }
    }
    if constexpr (Static && !Plus) P.add_to(still);
  }

  // The same for energies close to each other, with fewer products: D one of the D_i = D + d_i, q =
  // 1/(product of the D_i); from the sums U_k of M I q D^k come, after the loop, those of
  //   two energies, D = D_0:    1/D_0 = q (D + d_1),           1/D_1 = q D
  //   three energies, D = D_1:  1/D_0 = q D (D + d_2),         1/D_1 = q (D + d_0)(D + d_2),  1/D_2 = q D (D
  //   + d_0).
  // U_0 (and U_1 of three) are additions, which do not compete with multiply-adds for a unit. q and D are
  // made one mode ahead, beside the sums of the mode before: they are the longer half of the chain of
  // dependent operations.
  template <bool Plus>
  [[gnu::always_inline]] static void far_close(const Work& work, const Mode* mode, const Mode* end, Sums& sums, Flat& still) {
    if (mode == end) return;
    Vector x[Vectors][Energies], q[Vectors], D[Vectors];
    Sums U = {};
    for (int v = 0; v < Vectors; ++v) {
      for (int i = 0; i < Energies; ++i) x[v][i] = load((Plus ? work.x_sx : work.x) + (v * Energies + i) * lanes);
      reciprocal_of<Plus>(x[v], *mode, q[v], D[v]);
    }
    for (; mode + 1 != end; ++mode) {
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) {
        Vector next_q, next_D;
        reciprocal_of<Plus>(x[v], mode[1], next_q, next_D);
        add_powers<Plus>(work, v, *mode, q[v], D[v], U[v], still[v]);
        q[v] = next_q;
        D[v] = next_D;
      }
    }
    for (int v = 0; v < Vectors; ++v) add_powers<Plus>(work, v, *mode, q[v], D[v], U[v], still[v]);
    for (int v = 0; v < Vectors; ++v)
      for (int p = 0; p < parts; ++p) {
        if constexpr (Energies == 2) {
          sums[v][0][p] += U[v][1][p] + (x[v][1] - x[v][0]) * U[v][0][p];
          sums[v][1][p] += U[v][1][p];
        } else {
          const Vector d0 = x[v][0] - x[v][1], d2 = x[v][2] - x[v][1];
          sums[v][0][p] += U[v][2][p] + d2 * U[v][1][p];
          sums[v][1][p] += U[v][2][p] + (d0 + d2) * U[v][1][p] + d0 * d2 * U[v][0][p];
          sums[v][2][p] += U[v][2][p] + d0 * U[v][1][p];
        }
      }
  }

  // Empty bands with the test for branch A.
  [[gnu::always_inline]] static void near(const Work& work, const Mode* mode, const Mode* end, Sums& ch, Flat& still) {
    const Vector zero{}, one = fill(1.0);
    for (; mode != end; ++mode) {
      const double w = mode->w, limit = std::max(work.gamma * work.gamma, w * w * (1 / limit_one));
      for (int v = 0; v < Vectors; ++v) {
        const Product<Real> P(work.rows + mode->row + v * work.rows_stride, *mode);
        Vector D[Energies], r[Energies];
        Mask A[Energies];
#pragma GCC unroll 3
        for (int i = 0; i < Energies; ++i) {
          D[i] = load(work.x + (v * Energies + i) * lanes) - w;
          A[i] = D[i] * D[i] > limit;
          D[i] = A[i] ? D[i] : one;
        }
        reciprocals<Energies, Static>(D, w, r);
#pragma GCC unroll 3
        for (int i = 0; i < Energies; ++i) P.add_to(ch[v][i], A[i] ? r[i] : zero);
        if constexpr (Static) P.add_to(still[v]);
      }
    }
  }

  // Vectors with occupied bands, all tests. Where a lane is an empty band its SX is not used.
  template <bool Cut>
  [[gnu::always_inline]] static void near_occupied(const Work& work, const Mode* mode, const Mode* end, Sums& ch, Sums& sx, Flat& still) {
    const Vector zero{}, one = fill(1.0);
    for (; mode != end; ++mode) {
      const double w = mode->w, limit = std::max(work.gamma * work.gamma, w * w * (1 / limit_one));
      for (int v = 0; v < Vectors; ++v) {
        const Product<Real> P(work.rows + mode->row + v * work.rows_stride, *mode);
#pragma GCC unroll 3
        for (int i = 0; i < Energies; ++i) {
          const Vector x = load(work.x + (v * Energies + i) * lanes), D = x - w;
          const Mask A = D * D > limit;
          Vector S = x + w;
          S = S == zero ? fill(1e-100) : S;
          // 1/(D S) in A, 1/S in B.
          Vector q = reciprocal((A ? D : one) * S);
          if constexpr (Static) q *= w;
          P.add_to(ch[v][i], A ? q * S : zero);
          Vector factor = (A ? fill(w) : fill(-0.5)) * q;
          if constexpr (Cut) {
            const Vector ssx = Static ? factor : factor * w;
            factor = (ssx * ssx > work.sexcut * work.sexcut) & (x < zero) ? zero : factor;
          }
          P.add_to(sx[v][i], factor);
        }
        if constexpr (Static) P.add_to(still[v]);
      }
    }
  }

  // Infinite modes, and those without a pole: the sum of M I.
  [[gnu::always_inline]] static void flat(const Work& work, const Mode* mode, const Mode* end, Flat& sum) {
    for (; mode != end; ++mode)
      for (int v = 0; v < Vectors; ++v) Product<Real>(work.rows + mode->row + v * work.rows_stride, *mode).add_to(sum[v]);
  }

  template <bool Close, bool Plus>
  [[gnu::always_inline]] static void all_far(const Work& work, const Mode* mode, const Mode* end, Sums& sums, Flat& still) {
    if constexpr (Close) far_close<Plus>(work, mode, end, sums, still);
    else far<Plus>(work, mode, end, sums, still);
  }

  // The finite modes of one column, occupied bands. Far from any pole SX is half of 1/(x-w) - 1/(x+w).
  template <bool Close> [[gnu::always_inline]] static void occupied(const Work& work, const Modes& modes, Sums& ch, Flat& still) {
    const Mode *const far_end = modes.begin + modes.far[work.bin], *const end = modes.begin + modes.finite;
    Sums sx = {};
    all_far<Close, true>(work, modes.begin, far_end, sx, still);
    all_far<Close, false>(work, modes.begin, far_end, ch, still);
    for (int v = 0; v < Vectors; ++v)
      for (int i = 0; i < Energies; ++i)
        for (int p = 0; p < parts; ++p) sx[v][i][p] = 0.5 * (ch[v][i][p] - sx[v][i][p]);
    if (work.cut) near_occupied<true>(work, far_end, end, ch, sx, still);
    else near_occupied<false>(work, far_end, end, ch, sx, still);
    for (int v = 0; v < Vectors; ++v)
      for (int i = 0; i < Energies; ++i)
        add_times_conjugate<Real>(sx[v][i], work.columns + modes.g + v * work.columns_stride, work.sx + v * work.sums_stride + 2 * i);
  }

  template <bool Close> [[gnu::always_inline]] static void empty(const Work& work, const Modes& modes, Sums& ch, Flat& still) {
    const Mode *const far_end = modes.begin + modes.far[work.bin], *const end = modes.begin + modes.finite;
    all_far<Close, false>(work, modes.begin, far_end, ch, still);
    if (far_end != end) near(work, far_end, end, ch, still);
  }

  template <bool Close, bool Occupied> [[gnu::noinline]] static void columns(const Work& work) {
    for (const Modes* modes = work.modes; modes != work.end; ++modes) {
      const double* const m = work.columns + modes->g;
      Sums ch = {};
      Flat still = {}, infinite = {};
      if constexpr (Occupied) occupied<Close>(work, *modes, ch, still);
      else empty<Close>(work, *modes, ch, still);
      for (int v = 0; v < Vectors; ++v)
        for (int i = 0; i < Energies; ++i)
          add_times_conjugate<Real>(ch[v][i], m + v * work.columns_stride, work.ch + v * work.sums_stride + 2 * i);
      if (!work.first) continue;
      flat(work, modes->begin + modes->finite, modes->begin + modes->infinite, infinite);
      if constexpr (Static) flat(work, modes->begin + modes->infinite, modes->begin + modes->all, still);
      for (int v = 0; v < Vectors; ++v) {
        const double* const mv = m + v * work.columns_stride;
        add_times_conjugate<Real>(infinite[v], mv, work.infinite + v * work.sums_stride);
        if constexpr (Static) {
          for (int p = 0; p < parts; ++p) still[v][p] += infinite[v][p];
          add_times_conjugate<Real>(still[v], mv, work.still + v * work.sums_stride);
        }
      }
    }
  }
};

}  // namespace suite::gpp
