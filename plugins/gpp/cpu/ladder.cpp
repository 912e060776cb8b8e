// SPDX-License-Identifier: BSD-3-Clause
// The published optimisation steps of this kernel ("8 steps to optimize Sigma-GPP", NERSC/BerkeleyGW, OpenACC
// on V100; arXiv 2008.11326), each with the loop order and the arithmetic of its step, as far as the step
// means something on a processor; what differs from a GPU is said at the step. All of them carry w as a
// complex number, one reciprocal or division per energy, SX for every band times its occupation. They compute
// what `best` computes.
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "sums.hpp"

namespace suite::gpp {
namespace {

struct Z {
  double re, im;
};
inline Z operator+(Z a, Z b) { return {a.re + b.re, a.im + b.im}; }
inline Z operator-(Z a, Z b) { return {a.re - b.re, a.im - b.im}; }
inline Z operator*(Z a, Z b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
inline Z operator*(double a, Z b) { return {a * b.re, a * b.im}; }
inline double norm2(Z a) { return a.re * a.re + a.im * a.im; }

// The steps as properties of the arithmetic.
constexpr bool simplified(int step) { return step >= 6; }
constexpr bool by_reciprocal(int step) { return step >= 7; }
constexpr bool squared(int step) { return step >= 8; }

// Smith's division, as compilers expand a complex '/', up to v6; the conjugate and one real reciprocal from
// v7 on.
template <int Step>
inline Z divide(Z a, Z b) {
  if constexpr (by_reciprocal(Step)) {
    const double r = 1 / norm2(b);
    return r * Z{a.re * b.re + a.im * b.im, a.im * b.re - a.re * b.im};
  } else {
    const bool wide = std::abs(b.re) >= std::abs(b.im);
    const double large = wide ? b.re : b.im, small = wide ? b.im : b.re;
    const double ratio = small / large, scale = large + small * ratio;
    return wide ? Z{(a.re + a.im * ratio) / scale, (a.im - a.re * ratio) / scale}
                : Z{(a.re * ratio + a.im) / scale, (a.im * ratio - a.re) / scale};
  }
}

// What a pair (G,G') brings; from v6 on w^2, w^2 I and the cutoff are made once here and not per band and
// energy.
struct Pair {
  Z w, I, w2, omega2;
  double cutoff;
};

template <int Step>
inline Pair make_pair(Z w, Z I, double sexcut) {
  const Z w2 = w * w;
  return {w, I, w2, w2 * I, squared(Step) ? sexcut * sexcut * norm2(I) : sexcut * std::sqrt(norm2(I))};
}

// ssx and sch of one term.
template <int Step>
inline void term(const Pair& pair, double x, double gamma2, double sexcut, Z& ssx, Z& sch) {
  const Z zero{0, 0};
  const Z D = Z{x, 0} - pair.w;
  const Z delta = divide<Step>(pair.w, D);
  const double delta2 = norm2(delta);
  const Z w2 = simplified(Step) ? pair.w2 : pair.w * pair.w;
  const Z omega2 = simplified(Step) ? pair.omega2 : w2 * pair.I;
  const bool A = (norm2(D) > gamma2) & (delta2 < 2.5e5);
  const bool B = !A & (delta2 > 1e-12);
  if constexpr (simplified(Step)) {
    // Both branches share one division.
    const Z denominator = A ? Z{x * x, 0} - w2 : Z{4, 0} * w2 * (delta + Z{0.5, 0});
    const Z numerator = A ? omega2 : Z{-1, 0} * omega2 * delta;
    const Z quotient = divide<Step>(numerator, denominator);
    sch = A ? delta * pair.I : zero;
    ssx = A | B ? quotient : zero;
  } else {
    // Three branches, each with its own division.
    const Z in_a = divide<Step>(omega2, Z{x * x, 0} - w2);
    const Z in_b = divide<Step>(Z{-1, 0} * omega2 * delta, Z{4, 0} * w2 * (delta + Z{0.5, 0}));
    const Z sch_a = delta * pair.I;
    sch = A ? sch_a : zero;
    ssx = A ? in_a : B ? in_b : zero;
  }
  const double cutoff = simplified(Step) ? pair.cutoff : sexcut * std::sqrt(norm2(pair.I));
  const double size = squared(Step) ? norm2(ssx) : std::sqrt(norm2(ssx));
  ssx = (x < 0) & !(size <= cutoff) ? zero : ssx;
}

constexpr int64_t group = 512;      // v3: vector_length(512)
constexpr int64_t tasks = 64;       // a fixed number, so that sums do not depend on the threads
constexpr int64_t row_block = 256;  // v9: ig_blksize
constexpr int64_t band_block = 16;  // v9: n1loc_blksize

struct Sums {
  Z ssx{0, 0}, sch{0, 0};
  void add(Z x, Z h) {
    ssx = ssx + x;
    sch = sch + h;
  }
};

// One external band of a call.
struct Work {
  const Call& call;
  const std::vector<Column>& owned;
  int64_t e;
  double gamma2;
  const double* wx_transposed;  // [n'] per energy, from v5 on

  Z a(int64_t ig, int64_t n1) const { return element(call.aqsn, (e * call.ntband + n1) * call.ncouls + ig); }
  Z m_conj(int64_t c, int64_t n1) const {
    const Z m = element(call.aqsm, (e * call.ntband + n1) * call.ncouls + owned[c].g);
    return {m.re, -m.im};
  }
  Z element(const double* from, int64_t i) const {
    return call.real ? Z{from[i], 0} : Z{from[2 * i], from[2 * i + 1]};
  }
  template <int Step>
  Pair pair(int64_t ig, int64_t c) const {
    const int64_t i = owned[c].igp * call.ncouls + ig;
    return make_pair<Step>({call.wtilde[2 * i], call.wtilde[2 * i + 1]}, element(call.I, i), call.sexcut);
  }
};

// v1: one flat loop over (n',G',G). Every 512 terms are summed apart, as a GPU's block reduces its own.
void collapse3(const Work& work, int64_t begin, int64_t end, Sums* sums) {
  const Call& call = work.call;
  const auto columns = static_cast<int64_t>(work.owned.size());
  std::vector<Sums> block(call.nw);
  for (int64_t first = begin; first < end; first += group) {
    std::fill(block.begin(), block.end(), Sums{});
    for (int64_t i = first; i < std::min(first + group, end); ++i) {
      const int64_t ig = i % call.ncouls, c = i / call.ncouls % columns, n1 = i / (call.ncouls * columns);
      const Z P = work.owned[c].v * (work.a(ig, n1) * work.m_conj(c, n1));
      const Pair pair = work.pair<1>(ig, c);
      for (int64_t iw = 0; iw < call.nw; ++iw) {
        Z ssx, sch;
        term<1>(pair, call.x(iw, n1, work.e), work.gamma2, call.sexcut, ssx, sch);
        block[iw].add(call.occ[n1] * (P * ssx), P * sch);
      }
    }
    for (int64_t iw = 0; iw < call.nw; ++iw) sums[iw].add(block[iw].ssx, block[iw].sch);
  }
}

// v2: one flat loop over (G',G); each of its iterations goes through all n'.
void collapse2(const Work& work, int64_t begin, int64_t end, Sums* sums) {
  const Call& call = work.call;
  std::vector<Sums> own(call.nw);
  for (int64_t i = begin; i < end; ++i) {
    const int64_t ig = i % call.ncouls, c = i / call.ncouls;
    const Pair pair = work.pair<2>(ig, c);
    std::fill(own.begin(), own.end(), Sums{});
    for (int64_t n1 = 0; n1 < call.ntband; ++n1) {
      const Z P = work.owned[c].v * (work.a(ig, n1) * work.m_conj(c, n1));
      for (int64_t iw = 0; iw < call.nw; ++iw) {
        Z ssx, sch;
        term<2>(pair, call.x(iw, n1, work.e), work.gamma2, call.sexcut, ssx, sch);
        own[iw].add(call.occ[n1] * (P * ssx), P * sch);
      }
    }
    for (int64_t iw = 0; iw < call.nw; ++iw) sums[iw].add(own[iw].ssx, own[iw].sch);
  }
}

// n rows from ig of one column for the bands [band_begin, band_end) and the energies [first, last): from v3
// on the rows go together as vectors, the bands one after the other.
template <int Step>
void rows(const Work& work, int64_t c, int64_t ig, int64_t n, int64_t band_begin, int64_t band_end,
          int64_t first, int64_t last, Sums* sums) {
  const Call& call = work.call;
  Pair pairs[group];
  for (int64_t g = 0; g < n; ++g) pairs[g] = work.pair<Step>(ig + g, c);
  for (int64_t n1 = band_begin; n1 < band_end; ++n1) {
    const Z m = work.owned[c].v * work.m_conj(c, n1);
    const double occupation = call.occ[n1];
    Z P[group];
    for (int64_t g = 0; g < n; ++g) P[g] = work.a(ig + g, n1) * m;
    for (int64_t iw = first; iw < last; ++iw) {
      const double x = Step >= 5 ? work.wx_transposed[iw * call.ntband + n1] : call.x(iw, n1, work.e);
      double ssx_re = 0, ssx_im = 0, sch_re = 0, sch_im = 0;
#pragma omp simd reduction(+ : ssx_re, ssx_im, sch_re, sch_im)
      for (int64_t g = 0; g < n; ++g) {
        Z ssx, sch;
        term<Step>(pairs[g], x, work.gamma2, call.sexcut, ssx, sch);
        ssx = P[g] * ssx;
        sch = P[g] * sch;
        ssx_re += ssx.re;
        ssx_im += ssx.im;
        sch_re += sch.re;
        sch_im += sch.im;
      }
      sums[iw].add(occupation * Z{ssx_re, ssx_im}, {sch_re, sch_im});
    }
  }
}

// v3 to v8: groups of 512 rows of a column (a GPU's block of 512 threads); all energies inside (v3) or
// outermost.
template <int Step>
void groups(const Work& work, int64_t begin, int64_t end, Sums* sums) {
  const Call& call = work.call;
  const int64_t across = (call.ncouls + group - 1) / group;
  const auto sweep = [&](int64_t first, int64_t last) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t ig = i % across * group;
      rows<Step>(work, i / across, ig, std::min(group, call.ncouls - ig), 0, call.ntband, first, last, sums);
    }
  };
  if constexpr (Step < 4) {
    sweep(0, call.nw);
  } else {
    for (int64_t iw = 0; iw < call.nw; ++iw) sweep(iw, iw + 1);
  }
}

// v9: blocks of 256 G and 16 n' that all columns use while they are in cache (a GPU strides its blocks
// instead).
void blocks(const Work& work, int64_t begin, int64_t end, Sums* sums) {
  const Call& call = work.call;
  const auto columns = static_cast<int64_t>(work.owned.size());
  for (int64_t iw = 0; iw < call.nw; ++iw)
    for (int64_t block = begin; block < end; ++block) {
      const int64_t ig = block * row_block;
      for (int64_t n1 = 0; n1 < call.ntband; n1 += band_block)
        for (int64_t c = 0; c < columns; ++c)
          rows<9>(work, c, ig, std::min(row_block, call.ncouls - ig), n1,
                  std::min(n1 + band_block, call.ntband), iw, iw + 1, sums);
    }
}

using Step = void (*)(const Work&, int64_t begin, int64_t end, Sums*);
constexpr Step steps[] = {collapse3, collapse2, groups<3>, groups<4>, groups<5>,
                          groups<6>, groups<7>, groups<8>, blocks};

// -1/2 sum over n', G', G of P I: in the source a matrix product of its own.
void static_sums(const Call& call, const std::vector<Column>& owned) {
  for (int64_t e = 0; e < call.nex; ++e) {
    const Work work{call, owned, e, 0, nullptr};
    Z total{0, 0};
    for (int64_t n1 = 0; n1 < call.ntband; ++n1)
      for (int64_t c = 0; c < static_cast<int64_t>(owned.size()); ++c) {
        Z inner{0, 0};
        for (int64_t ig = 0; ig < call.ncouls; ++ig)
          inner = inner + work.a(ig, n1) * work.element(call.I, owned[c].igp * call.ncouls + ig);
        total = total + owned[c].v * (inner * work.m_conj(c, n1));
      }
    call.ach_static[e] = {-0.5 * total.re, -0.5 * total.im};
  }
}

}  // namespace

void ladder_sums(const Call& call, int threads, int step) {
  const std::vector<Column> owned = owned_columns(call);
  const auto columns = static_cast<int64_t>(owned.size());
  const int64_t work_items = step == 1   ? call.ntband * columns * call.ncouls
                             : step == 2 ? columns * call.ncouls
                             : step < 9  ? columns * ((call.ncouls + group - 1) / group)
                                         : (call.ncouls + row_block - 1) / row_block;
  std::vector<double> transposed(call.nw * call.ntband);
  for (int64_t e = 0; e < call.nex; ++e) {
    for (int64_t n1 = 0; n1 < call.ntband; ++n1)
      for (int64_t iw = 0; iw < call.nw; ++iw) transposed[iw * call.ntband + n1] = call.x(iw, n1, e);
    const Work work{call, owned, e, call.gamma * call.gamma, transposed.data()};
    std::vector<Sums> slots(tasks * call.nw);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int64_t t = 0; t < tasks; ++t)
      steps[step - 1](work, work_items * t / tasks, work_items * (t + 1) / tasks, slots.data() + t * call.nw);
    for (int64_t iw = 0; iw < call.nw; ++iw) {
      Sums total;
      for (int64_t t = 0; t < tasks; ++t) total.add(slots[t * call.nw + iw].ssx, slots[t * call.nw + iw].sch);
      call.asx[e * call.nw + iw] = {-total.ssx.re, -total.ssx.im};
      call.ach[e * call.nw + iw] = {0.5 * total.sch.re, 0.5 * total.sch.im};
    }
  }
  if (call.ach_static) static_sums(call, owned);
}

}  // namespace suite::gpp
