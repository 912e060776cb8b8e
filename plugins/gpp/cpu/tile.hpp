// SPDX-License-Identifier: BSD-3-Clause
// The inner loops of gpp.sigma for real w: `lanes` bands n' at a time, one column G', the list of its modes
// in a block of rows G, one to three energies. Bands and not G are the lanes, because a mode is then the same
// in all of them: a list of modes can leave out any pair (G,G') without a lane going idle. With real w the
// model (gpp.hpp) is I(G,G') w times a real factor that does not know I:
//   CH: w/D in branch A, else 0;   SX: w w/(D(x+w)) in A, -w/(2(x+w)) in B;   A: D^2 > max(gamma^2,
//   w^2/2.5e5)
// so the sums over G collect M_nn'(G) I w v/D and M_nn'(G) I w v w/(D(x+w)), and conj(M_mn'(G')) multiplies
// them once at the end. One reciprocal, of the product of the D, serves all energies. For an occupied band SX and
// CH in A come from two sums over 1/(x^2 - w^2): w/D = (x + w) w/(x^2 - w^2) and w w/(D(x+w)) = w w/(x^2 - w^2).
#pragma once

#include <utility>

#include "../bands.hpp"
#include "lanes.hpp"
#include "modes.hpp"

namespace suite::gpp {

// What one call of the loops below works on: one or two vectors of bands, some columns, some energies.
struct Work {
  const double* rows;     // M_nn'(G): [row][re lanes, im lanes], real flavour [row][lanes]
  const double* columns;  // M_mn'(G') likewise, at Modes::g
  const Modes *modes, *end;
  const double* x;         // [vector][energy][lanes]
  const double* c;         // likewise: x^2 where a band is occupied, x where it is empty
  const int64_t* is_occupied;  // [vector][lanes], -1: yes
  int above, below;            // finite modes above the one edge or below the other need no test for any of these bands
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

// The finite modes of a column that need no test for some bands: those of high w and those of low w; between them, the others.
struct Split {
  const Mode *begin, *near, *near_end, *end;
  Split(const Modes& modes, const Work& work)
      : begin(modes.begin),
        near(begin + modes.far[work.above]),
        near_end(begin + std::max(modes.far[work.above], modes.far[work.below])),
        end(begin + modes.finite) {}
};

// The loops over modes. Energies, flavour, whether static CH is summed too, vectors of bands at a time.
template <int Energies, bool Real, bool Static, int Vectors> struct Loops {
  static constexpr int parts = Real ? 1 : 2;
  using Sums = Vector[Vectors][Energies][parts];
  using Flat = Vector[Vectors][parts];

  // sums += M I/(x - w) far from any pole.
  [[gnu::always_inline]] static void far(const Work& work, const Mode* mode, const Mode* end, Sums& sums, Flat& still) {
    Vector x[Vectors][Energies];
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v)
#pragma GCC unroll 3
      for (int i = 0; i < Energies; ++i) x[v][i] = load(work.x + (v * Energies + i) * lanes);
    for (; mode != end; ++mode) {
      const double* const a = work.rows + mode->row;
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) {
        const Product<Real> P(a + v * work.rows_stride, *mode);
        Vector D[Energies], r[Energies];
#pragma GCC unroll 3
        for (int i = 0; i < Energies; ++i) D[i] = x[v][i] - mode->w;
        reciprocals<Energies, Static>(D, mode->w, r);
#pragma GCC unroll 3
        for (int i = 0; i < Energies; ++i) P.add_to(sums[v][i], r[i]);
        if constexpr (Static) P.add_to(still[v]);
      }
    }
  }

  // For Count vectors q = 1/(product of the D_i = c_i - e), times w where static CH is wanted, and the D that add_powers
  // multiplies by. Two vectors share one reciprocal, of the product of both: seven operations instead of eight.
  template <int Count>
  [[gnu::always_inline]] static void reciprocals_of(const Vector (*c)[Energies], const Vector* e, double w, Vector* q, Vector* D) {
    Vector product[Count];
#pragma GCC unroll 2
    for (int v = 0; v < Count; ++v) {
      Vector d[Energies];
#pragma GCC unroll 3
      for (int i = 0; i < Energies; ++i) d[i] = c[v][i] - e[v];
      product[v] = d[0];
#pragma GCC unroll 3
      for (int i = 1; i < Energies; ++i) product[v] *= d[i];
      D[v] = d[Energies / 3];
    }
    if constexpr (Count == 2) {
      const Vector both = Static ? w * reciprocal(product[0] * product[1]) : reciprocal(product[0] * product[1]);
      q[0] = both * product[1];
      q[1] = both * product[0];
    } else {
      q[0] = Static ? w * reciprocal(product[0]) : reciprocal(product[0]);
    }
  }

  // U[k] += M I q D^k, and W[k] += M I q D^k w where there is a W.
  [[gnu::always_inline]] static void add_powers(const Work& work, int v, const Mode& mode, Vector q, Vector D, Vector (&U)[Energies][parts],
                                                Vector (*W)[parts], Vector (&still)[parts]) {
    const Product<Real> P(work.rows + mode.row + v * work.rows_stride, mode);
#pragma GCC unroll 2
    for (int p = 0; p < parts; ++p) {
      Vector term = P.p[p] * q;
#pragma GCC unroll 3
      for (int k = 0; k < Energies; ++k) {
        if (k > 0) term *= D;
        U[k][p] += term;
        if (W) W[k][p] += term * mode.w;
      }
    }
    if constexpr (Static) P.add_to(still);
  }

  // From the sums U_k of M I q D^k those of M I/D_i, with q = 1/(product of the D_i), D_i = D + d_i = c_i - e:
  //   two energies, D = D_0:    1/D_0 = q (D + d_1),           1/D_1 = q D
  //   three energies, D = D_1:  1/D_0 = q D (D + d_2),         1/D_1 = q (D + d_0)(D + d_2),  1/D_2 = q D (D + d_0).
  static void separate(const Vector* c, const Vector (&U)[Energies][parts], Vector (&sums)[Energies][parts]) {
    for (int p = 0; p < parts; ++p) {
      if constexpr (Energies == 1) {
        sums[0][p] += U[0][p];
      } else if constexpr (Energies == 2) {
        sums[0][p] += U[1][p] + (c[1] - c[0]) * U[0][p];
        sums[1][p] += U[1][p];
      } else {
        const Vector d0 = c[0] - c[1], d2 = c[2] - c[1];
        sums[0][p] += U[2][p] + d2 * U[1][p];
        sums[1][p] += U[2][p] + (d0 + d2) * U[1][p] + d0 * d2 * U[0][p];
        sums[2][p] += U[2][p] + d0 * U[1][p];
      }
    }
  }

  // The same as far for energies close to each other, with fewer products. U_0 (and U_1 of three) are additions, which
  // do not compete with multiply-adds for a unit. q and D are made one mode ahead, beside the sums of the mode before:
  // they are the longer half of the chain of dependent operations.
  [[gnu::always_inline]] static void far_close(const Work& work, const Mode* mode, const Mode* end, Sums& sums, Flat& still) {
    if (mode == end) return;
    Vector x[Vectors][Energies], q[Vectors], D[Vectors];
    Sums U = {};
    const auto make = [&](const Mode& of, Vector* to_q, Vector* to_D) {
      const Vector w = fill(of.w), e[2] = {w, w};
      reciprocals_of<Vectors>(x, e, of.w, to_q, to_D);
    };
    for (int v = 0; v < Vectors; ++v)
      for (int i = 0; i < Energies; ++i) x[v][i] = load(work.x + (v * Energies + i) * lanes);
    make(*mode, q, D);
    for (; mode + 1 != end; ++mode) {
      Vector next_q[Vectors], next_D[Vectors];
      make(mode[1], next_q, next_D);
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) {
        add_powers(work, v, *mode, q[v], D[v], U[v], nullptr, still[v]);
        q[v] = next_q[v];
        D[v] = next_D[v];
      }
    }
    for (int v = 0; v < Vectors; ++v) add_powers(work, v, *mode, q[v], D[v], U[v], nullptr, still[v]);
    for (int v = 0; v < Vectors; ++v) separate(x[v], U[v], sums[v]);
  }

  // Vectors with occupied bands, far from any pole: sums of M I/(c - e) to r and of M I w/(c - e) to s, with c - e = x^2 - w^2
  // where a band is occupied and x - w where it is empty; two vectors at a time are of occupied bands alone. Of Count vectors
  // from First on: as many as there are registers for.
  template <bool Close, int First, int Count>
  [[gnu::always_inline]] static void far_occupied(const Work& work, const Mode* mode, const Mode* end, Sums& r, Sums& s, Flat& still) {
    if (mode == end) return;
    Vector c[Count][Energies], q[Count], D[Count];
    Mask squared[Count];
    const auto e_of = [&](const Mode& of, Vector* e) {
      for (int v = 0; v < Count; ++v) {
        e[v] = fill(of.w2);
        if constexpr (Vectors == 1) e[v] = squared[v] ? e[v] : fill(of.w);
      }
    };
    for (int v = 0; v < Count; ++v) {
      std::memcpy(&squared[v], work.is_occupied + (First + v) * lanes, sizeof squared[v]);
      for (int i = 0; i < Energies; ++i) c[v][i] = load(work.c + ((First + v) * Energies + i) * lanes);
    }
    if constexpr (Close) {
      Vector U[Count][Energies][parts] = {}, W[Count][Energies][parts] = {};
      const auto make = [&](const Mode& of, Vector* to_q, Vector* to_D) {
        Vector e[Count];
        e_of(of, e);
        reciprocals_of<Count>(c, e, of.w, to_q, to_D);
      };
      make(*mode, q, D);
      for (; mode + 1 != end; ++mode) {
        Vector next_q[Count], next_D[Count];
        make(mode[1], next_q, next_D);
#pragma GCC unroll 2
        for (int v = 0; v < Count; ++v) {
          add_powers(work, First + v, *mode, q[v], D[v], U[v], W[v], still[First + v]);
          q[v] = next_q[v];
          D[v] = next_D[v];
        }
      }
      for (int v = 0; v < Count; ++v) {
        add_powers(work, First + v, *mode, q[v], D[v], U[v], W[v], still[First + v]);
        separate(c[v], U[v], r[First + v]);
        separate(c[v], W[v], s[First + v]);
      }
    } else {
      for (; mode != end; ++mode) {
        Vector e[Count];
        e_of(*mode, e);
#pragma GCC unroll 2
        for (int v = 0; v < Count; ++v) {
          const Product<Real> P(work.rows + mode->row + (First + v) * work.rows_stride, *mode);
          Vector d[Energies], f[Energies];
#pragma GCC unroll 3
          for (int i = 0; i < Energies; ++i) d[i] = c[v][i] - e[v];
          reciprocals<Energies, Static>(d, mode->w, f);
#pragma GCC unroll 3
          for (int i = 0; i < Energies; ++i)
#pragma GCC unroll 2
            for (int p = 0; p < parts; ++p) {
              const Vector term = P.p[p] * f[i];
              r[First + v][i][p] += term;
              s[First + v][i][p] += term * mode->w;
            }
          if constexpr (Static) P.add_to(still[First + v]);
        }
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
    const Vector zero{};
    for (; mode != end; ++mode) {
      const double w = mode->w, limit = std::max(work.gamma * work.gamma, w * w * (1 / limit_one));
      for (int v = 0; v < Vectors; ++v) {
        const Product<Real> P(work.rows + mode->row + v * work.rows_stride, *mode);
        Vector x[Energies], S[Energies], DS[Energies], r[Energies];
        Mask A[Energies];
#pragma GCC unroll 3
        for (int i = 0; i < Energies; ++i) {
          x[i] = load(work.x + (v * Energies + i) * lanes);
          S[i] = x[i] + w;
          if constexpr (Cut) S[i] = S[i] == zero ? fill(1e-100) : S[i];
          const Vector D = x[i] - w;
          A[i] = D * D > limit;
          DS[i] = (A[i] ? D : fill(-2.0)) * S[i];
        }
        // 1/(D S) in A, -1/(2 S) in B; with static CH times w.
        reciprocals<Energies, Static>(DS, w, r);
#pragma GCC unroll 3
        for (int i = 0; i < Energies; ++i) {
          P.add_to(ch[v][i], A[i] ? r[i] * S[i] : zero);
          Vector factor = A[i] ? w * r[i] : r[i];
          if constexpr (Cut) {
            const Vector ssx = Static ? factor : factor * w;
            factor = (ssx * ssx > work.sexcut * work.sexcut) & (x[i] < zero) ? zero : factor;
          }
          P.add_to(sx[v][i], factor);
        }
        if constexpr (Static) P.add_to(still[v]);
      }
    }
  }

  // Infinite modes, and those without a pole: the sum of M I. Each product of two numbers has a sum of its own, of several modes side by
  // side: multiply-adds that do not wait for each other.
  [[gnu::always_inline]] static void flat(const Work& work, const Mode* mode, const Mode* end, Flat& sum) {
    constexpr int together = Real ? 4 / Vectors : 2 / Vectors;
    Vector with_re[together][Vectors][parts] = {}, with_im[together][Vectors][parts] = {};
    const auto add = [&](const Mode& of, int i) {
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v)
#pragma GCC unroll 2
        for (int p = 0; p < parts; ++p) {
          const Vector m = load(work.rows + of.row + v * work.rows_stride + p * lanes);
          with_re[i][v][p] += m * of.re;
          if constexpr (!Real) with_im[i][v][p] += m * of.im;
        }
    };
    for (; end - mode >= together; mode += together)
#pragma GCC unroll 4
      for (int i = 0; i < together; ++i) add(mode[i], i);
    for (; mode != end; ++mode) add(*mode, 0);
    for (int v = 0; v < Vectors; ++v)
      for (int i = 0; i < together; ++i) {
        if constexpr (Real) {
          sum[v][0] += with_re[i][v][0];
        } else {
          sum[v][0] += with_re[i][v][0] - with_im[i][v][1];
          sum[v][1] += with_re[i][v][1] + with_im[i][v][0];
        }
      }
  }

  template <bool Close>
  [[gnu::always_inline]] static void all_far(const Work& work, const Mode* mode, const Mode* end, Sums& sums, Flat& still) {
    if constexpr (Close) far_close(work, mode, end, sums, still);
    else far(work, mode, end, sums, still);
  }

  // The finite modes of one column, occupied bands.
  template <bool Close> [[gnu::always_inline]] static void occupied(const Work& work, const Modes& modes, Sums& ch, Flat& still) {
    const Split split(modes, work);
    Sums sx = {};
    for (const auto& [mode, end] : {std::pair{split.begin, split.near}, std::pair{split.near_end, split.end}}) {
      if constexpr (Energies < 3 || Vectors == 1) {
        far_occupied<Close, 0, Vectors>(work, mode, end, ch, sx, still);
      } else {
        far_occupied<Close, 0, 1>(work, mode, end, ch, sx, still);
        far_occupied<Close, 1, 1>(work, mode, end, ch, sx, still);
      }
    }
    for (int v = 0; v < Vectors; ++v) {
      Mask squared;
      std::memcpy(&squared, work.is_occupied + v * lanes, sizeof squared);
      for (int i = 0; i < Energies; ++i) {
        const Vector x = load(work.x + (v * Energies + i) * lanes);
        for (int p = 0; p < parts; ++p) ch[v][i][p] = squared ? x * ch[v][i][p] + sx[v][i][p] : ch[v][i][p];
      }
    }
    if (work.cut) near_occupied<true>(work, split.near, split.near_end, ch, sx, still);
    else near_occupied<false>(work, split.near, split.near_end, ch, sx, still);
    for (int v = 0; v < Vectors; ++v)
      for (int i = 0; i < Energies; ++i)
        add_times_conjugate<Real>(sx[v][i], work.columns + modes.g + v * work.columns_stride, work.sx + v * work.sums_stride + 2 * i);
  }

  template <bool Close> [[gnu::always_inline]] static void empty(const Work& work, const Modes& modes, Sums& ch, Flat& still) {
    const Split split(modes, work);
    for (const auto& [mode, end] : {std::pair{split.begin, split.near}, std::pair{split.near_end, split.end}})
      all_far<Close>(work, mode, end, ch, still);
    if (split.near != split.near_end) near(work, split.near, split.near_end, ch, still);
  }

  // What no energy enters: infinite modes, and in static CH those without a pole beside the finite ones, whose sums `still` are.
  [[gnu::always_inline]] static void add_flat(const Work& work, const Modes& modes, Flat& still) {
    Flat infinite = {};
    flat(work, modes.begin + modes.finite, modes.begin + modes.infinite, infinite);
    if constexpr (Static) flat(work, modes.begin + modes.infinite, modes.begin + modes.all, still);
    for (int v = 0; v < Vectors; ++v) {
      const double* const mv = work.columns + modes.g + v * work.columns_stride;
      add_times_conjugate<Real>(infinite[v], mv, work.infinite + v * work.sums_stride);
      if constexpr (Static) {
        for (int p = 0; p < parts; ++p) still[v][p] += infinite[v][p];
        add_times_conjugate<Real>(still[v], mv, work.still + v * work.sums_stride);
      }
    }
  }

  // CH and SX of the modes between two bins, with all tests.
  template <bool Occupied> [[gnu::noinline]] static void near_columns(const Work& work, int first_bin, int end_bin) {
    for (const Modes* modes = work.modes; modes != work.end; ++modes) {
      const Mode *const begin = modes->begin + modes->far[end_bin], *const end = modes->begin + modes->far[first_bin];
      if (begin == end) continue;
      Sums ch = {}, sx = {};
      Flat still = {};
      if constexpr (!Occupied) near(work, begin, end, ch, still);
      else if (work.cut) near_occupied<true>(work, begin, end, ch, sx, still);
      else near_occupied<false>(work, begin, end, ch, sx, still);
      for (int v = 0; v < Vectors; ++v)
        for (int i = 0; i < Energies; ++i) {
          const double* const m = work.columns + modes->g + v * work.columns_stride;
          add_times_conjugate<Real>(ch[v][i], m, work.ch + v * work.sums_stride + 2 * i);
          if (Occupied) add_times_conjugate<Real>(sx[v][i], m, work.sx + v * work.sums_stride + 2 * i);
        }
    }
  }

  template <bool Close, bool Occupied> [[gnu::noinline]] static void columns(const Work& work) {
    for (const Modes* modes = work.modes; modes != work.end; ++modes) {
      const double* const m = work.columns + modes->g;
      Sums ch = {};
      Flat still = {};
      if constexpr (Occupied) occupied<Close>(work, *modes, ch, still);
      else empty<Close>(work, *modes, ch, still);
      for (int v = 0; v < Vectors; ++v)
        for (int i = 0; i < Energies; ++i)
          add_times_conjugate<Real>(ch[v][i], m + v * work.columns_stride, work.ch + v * work.sums_stride + 2 * i);
      if (!work.first) continue;
      add_flat(work, *modes, still);
    }
  }
};

}  // namespace suite::gpp
