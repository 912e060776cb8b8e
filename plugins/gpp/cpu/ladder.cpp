// SPDX-License-Identifier: BSD-3-Clause
// The published optimisation steps of this kernel ("8 steps to optimize Sigma-GPP", NERSC/BerkeleyGW, OpenACC
// on V100; arXiv 2008.11326), each with the loop order and the arithmetic of its step, as far as the step
// means something on a CPU; what differs from a GPU is said at the step. All of them carry w as a
// complex number, one reciprocal or division per energy, SX for every band times its occupation. They compute
// what `best` computes.
#include <omp.h>

#include <algorithm>

#include "lanes.hpp"
#include "sums.hpp"
#include "term.hpp"

namespace suite::gpp {
namespace {

constexpr int64_t group = 512;       // v3: vector_length(512)
constexpr int64_t short_group = 16;  // fixed_length: what is poor here, as vector_length(512) is on an A100
constexpr int64_t tasks = 64;        // a fixed number, so that sums do not depend on the threads
constexpr int64_t row_block = 256;   // v9: ig_blksize
constexpr int64_t band_block = 16;   // v9: n1loc_blksize

struct Sums {
  Z<double> ssx{0, 0}, sch{0, 0};
  void add(Z<double> x, Z<double> h) {
    ssx = ssx + x;
    sch = sch + h;
  }
};

// One external band of a call.
struct Work {
  Work(const Sigma& call, const std::vector<WeightedColumn>& owned_, int64_t e, const double* transposed)
      : owned(owned_),
        wtilde(poles_of(call).w),
        I_eps(poles_of(call).I),
        aqsn(numbers_of(call.aqsntemp) + e * call.ntband() * call.ncouls() * call.parts()),
        aqsm(numbers_of(call.aqsmtemp) + e * call.ntband() * call.ncouls() * call.parts()),
        wx(call.wx_array.data() + e * call.ntband() * call.nw()),
        occ(call.occ_array.data()),
        wx_transposed(transposed),
        ncouls(call.ncouls()),
        ntband(call.ntband()),
        nw(call.nw()),
        gamma2(call.gamma * call.gamma),
        sexcut(call.sexcut),
        real(call.is_real()) {}

  const std::vector<WeightedColumn>& owned;
  const double *wtilde, *I_eps, *aqsn, *aqsm, *wx, *occ;
  const double* wx_transposed;  // [n'] per energy, from v5 on
  int64_t ncouls, ntband, nw;
  double gamma2, sexcut;
  bool real;

  Z<double> a(int64_t ig, int64_t n1) const { return element(aqsn, n1 * ncouls + ig); }
  Z<double> m_conj(int64_t c, int64_t n1) const {
    const Z<double> m = element(aqsm, n1 * ncouls + owned[c].g);
    return {m.re, -m.im};
  }
  Z<double> w(int64_t ig, int64_t c) const {
    const int64_t i = owned[c].igp * ncouls + ig;
    return {wtilde[2 * i], wtilde[2 * i + 1]};
  }
  Z<double> I(int64_t ig, int64_t c) const { return element(I_eps, owned[c].igp * ncouls + ig); }
  double x(int64_t iw, int64_t n1) const { return kept_off_zero(wx[n1 * nw + iw]); }
  Z<double> element(const double* from, int64_t i) const { return real ? Z<double>{from[i], 0} : Z<double>{from[2 * i], from[2 * i + 1]}; }
};

// v1: one flat loop over (n',G',G). Every 512 terms are summed apart, as a GPU's block reduces its own.
void collapse3(const Work& work, int64_t begin, int64_t end, Sums* sums) {
  const auto columns = static_cast<int64_t>(work.owned.size());
  std::vector<Sums> block(work.nw);
  for (int64_t first = begin; first < end; first += group) {
    std::fill(block.begin(), block.end(), Sums{});
    for (int64_t i = first; i < std::min(first + group, end); ++i) {
      const int64_t ig = i % work.ncouls, c = i / work.ncouls % columns, n1 = i / (work.ncouls * columns);
      const Z<double> P = times(work.owned[c].v, work.a(ig, n1) * work.m_conj(c, n1));
      const Pair<double> pair = make_pair<1>(work.w(ig, c), work.I(ig, c), work.sexcut);
      for (int64_t iw = 0; iw < work.nw; ++iw) {
        Z<double> ssx, sch;
        term<1>(pair, work.x(iw, n1), work.gamma2, work.sexcut, ssx, sch);
        block[iw].add(times(work.occ[n1], P * ssx), P * sch);
      }
    }
    for (int64_t iw = 0; iw < work.nw; ++iw) sums[iw].add(block[iw].ssx, block[iw].sch);
  }
}

// v2: one flat loop over (G',G); each of its iterations goes through all n'.
void collapse2(const Work& work, int64_t begin, int64_t end, Sums* sums) {
  std::vector<Sums> own(work.nw);
  for (int64_t i = begin; i < end; ++i) {
    const int64_t ig = i % work.ncouls, c = i / work.ncouls;
    const Pair<double> pair = make_pair<2>(work.w(ig, c), work.I(ig, c), work.sexcut);
    std::fill(own.begin(), own.end(), Sums{});
    for (int64_t n1 = 0; n1 < work.ntband; ++n1) {
      const Z<double> P = times(work.owned[c].v, work.a(ig, n1) * work.m_conj(c, n1));
      for (int64_t iw = 0; iw < work.nw; ++iw) {
        Z<double> ssx, sch;
        term<2>(pair, work.x(iw, n1), work.gamma2, work.sexcut, ssx, sch);
        own[iw].add(times(work.occ[n1], P * ssx), P * sch);
      }
    }
    for (int64_t iw = 0; iw < work.nw; ++iw) sums[iw].add(own[iw].ssx, own[iw].sch);
  }
}

// The first n of `lanes` consecutive numbers, and zeros.
Z<Vector> read(const double* from, int64_t at, int64_t n, bool real) {
  const int64_t parts = real ? 1 : 2;
  double padded[2 * lanes] = {};
  from += at * parts;
  if (n < lanes) {
    std::copy_n(from, n * parts, padded);
    from = padded;
  }
  Z<Vector> z{};
  if (real) z.re = load(from);
  else split(from, z.re, z.im);
  return z;
}

// n rows from ig of one column for the bands [band_begin, band_end) and the energies [first, last): from v3
// on the rows go together as vectors, the bands one after the other.
template <int Step>
void rows(const Work& work, int64_t c, int64_t ig, int64_t n, int64_t band_begin, int64_t band_end, int64_t first, int64_t last,
          Sums* sums) {
  // The last vector is filled up with terms that are zero.
  const int64_t vectors = (n + lanes - 1) / lanes;
  Pair<Vector> pairs[group / lanes];
  Z<Vector> P[group / lanes];
  const int64_t column = work.owned[c].igp * work.ncouls + ig;
  for (int64_t v = 0; v < vectors; ++v) {
    const int64_t rest = n - v * lanes;
    pairs[v] = make_pair<Step>(read(work.wtilde, column + v * lanes, rest, false), read(work.I_eps, column + v * lanes, rest, work.real),
                               work.sexcut);
  }
  for (int64_t n1 = band_begin; n1 < band_end; ++n1) {
    const Z<double> m = times(work.owned[c].v, work.m_conj(c, n1));
    const int64_t band = n1 * work.ncouls + ig;
    for (int64_t v = 0; v < vectors; ++v) {
      const Z<Vector> a = read(work.aqsn, band + v * lanes, n - v * lanes, work.real);
      P[v] = {a.re * m.re - a.im * m.im, a.re * m.im + a.im * m.re};
    }
    for (int64_t iw = first; iw < last; ++iw) {
      const double x = Step >= 5 ? work.wx_transposed[iw * work.ntband + n1] : work.x(iw, n1);
      Z<Vector> all_ssx{}, all_sch{};
      for (int64_t v = 0; v < vectors; ++v) {
        Z<Vector> ssx, sch;
        term<Step>(pairs[v], x, work.gamma2, work.sexcut, ssx, sch);
        all_ssx = all_ssx + P[v] * ssx;
        all_sch = all_sch + P[v] * sch;
      }
      sums[iw].add(times(work.occ[n1], Z<double>{sum(all_ssx.re), sum(all_ssx.im)}), {sum(all_sch.re), sum(all_sch.im)});
    }
  }
}

// v3 to v8: groups of 512 rows of a column (a GPU's block of 512 threads); all energies inside (v3) or
// outermost. fixed_length, number 10: v8 with shorter groups (the de-optimisation at the end of "Roofline
// model using Nsight Compute", NERSC).
template <int Step, int64_t Length = group> void groups(const Work& work, int64_t begin, int64_t end, Sums* sums) {
  const int64_t across = (work.ncouls + Length - 1) / Length;
  const auto sweep = [&](int64_t first, int64_t last) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t ig = i % across * Length;
      rows<Step>(work, i / across, ig, std::min(Length, work.ncouls - ig), 0, work.ntband, first, last, sums);
    }
  };
  if constexpr (Step < 4) {
    sweep(0, work.nw);
  } else {
    for (int64_t iw = 0; iw < work.nw; ++iw) sweep(iw, iw + 1);
  }
}

// v9: blocks of 256 G and 16 n' that all columns use while they are in cache (a GPU strides its blocks
// instead).
void blocks(const Work& work, int64_t begin, int64_t end, Sums* sums) {
  const auto columns = static_cast<int64_t>(work.owned.size());
  for (int64_t iw = 0; iw < work.nw; ++iw)
    for (int64_t block = begin; block < end; ++block) {
      const int64_t ig = block * row_block;
      for (int64_t n1 = 0; n1 < work.ntband; n1 += band_block)
        for (int64_t c = 0; c < columns; ++c)
          rows<9>(work, c, ig, std::min(row_block, work.ncouls - ig), n1, std::min(n1 + band_block, work.ntband), iw, iw + 1, sums);
    }
}

using Step = void (*)(const Work&, int64_t begin, int64_t end, Sums*);
constexpr Step steps[] = {collapse3, collapse2, groups<3>, groups<4>, groups<5>,
                          groups<6>, groups<7>, groups<8>, blocks,    groups<8, short_group>};

// -1/2 sum over n', G', G of P I: in the source a matrix product of its own.
void static_sums(const Sigma& call, const std::vector<WeightedColumn>& owned) {
  for (int64_t e = 0; e < call.nex(); ++e) {
    const Work work(call, owned, e, nullptr);
    Z<double> total{0, 0};
    for (int64_t n1 = 0; n1 < call.ntband(); ++n1)
      for (int64_t c = 0; c < std::ssize(owned); ++c) {
        Z<double> inner{0, 0};
        for (int64_t ig = 0; ig < call.ncouls(); ++ig) inner = inner + work.a(ig, n1) * work.I(ig, c);
        total = total + times(owned[c].v, inner * work.m_conj(c, n1));
      }
    call.achstemp(e) = {-0.5 * total.re, -0.5 * total.im};
  }
}

}  // namespace

void ladder_sums(const Sigma& call, int threads, int step) {
  const std::vector<WeightedColumn> owned = weighted_columns(call);
  const auto columns = static_cast<int64_t>(owned.size());
  const int64_t work_items = step == 1   ? call.ntband() * columns * call.ncouls()
                             : step == 2 ? columns * call.ncouls()
                             : step < 9  ? columns * ((call.ncouls() + group - 1) / group)
                             : step == 9 ? (call.ncouls() + row_block - 1) / row_block
                                         : columns * ((call.ncouls() + short_group - 1) / short_group);
  std::vector<double> transposed(call.nw() * call.ntband());
  for (int64_t e = 0; e < call.nex(); ++e) {
    for (int64_t n1 = 0; n1 < call.ntband(); ++n1)
      for (int64_t iw = 0; iw < call.nw(); ++iw) transposed[iw * call.ntband() + n1] = call.x(iw, n1, e);
    const Work work(call, owned, e, transposed.data());
    std::vector<Sums> slots(tasks * call.nw());
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int64_t t = 0; t < tasks; ++t)
      steps[step - 1](work, work_items * t / tasks, work_items * (t + 1) / tasks, slots.data() + t * call.nw());
    for (int64_t iw = 0; iw < call.nw(); ++iw) {
      Sums total;
      for (int64_t t = 0; t < tasks; ++t) total.add(slots[t * call.nw() + iw].ssx, slots[t * call.nw() + iw].sch);
      call.asxtemp(iw, e) = {-total.ssx.re, -total.ssx.im};
      call.achtemp(iw, e) = {0.5 * total.sch.re, 0.5 * total.sch.im};
    }
  }
  if (call.achstemp) static_sums(call, owned);
}

}  // namespace suite::gpp
