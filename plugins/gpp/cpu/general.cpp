// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma for any complex w (invalid_gpp_mode 1 makes imaginary ones), band by band. |w|^2 and |D|^2 stand
// for |w/D|^2, real reciprocals for complex divisions, and the branches are selections, so that the loop over
// G becomes vectors.
#include <omp.h>

#include <algorithm>

#include "sums.hpp"

namespace suite::gpp {
namespace {

constexpr int64_t block_rows = 256;  // w, I and their products: 16 KiB, in L1 over all bands

// Sums over some rows of one column of P times the factors, for one energy.
struct Sums {
  double ch_re = 0, ch_im = 0, sx_re = 0, sx_im = 0;
};

struct Rows {
  double w_re[block_rows], w_im[block_rows], i_re[block_rows], i_im[block_rows];
  double p_re[block_rows], p_im[block_rows];  // I M_n(G) conj(M_m(G')) v(G')
};

template <bool Occupied> Sums factors(const Rows& rows, int64_t n, double x, double gamma2, double sexcut2) {
  double ch_re = 0, ch_im = 0, sx_re = 0, sx_im = 0;
#pragma omp simd reduction(+ : ch_re, ch_im, sx_re, sx_im)
  for (int64_t g = 0; g < n; ++g) {
    const double w_re = rows.w_re[g], w_im = rows.w_im[g], p_re = rows.p_re[g], p_im = rows.p_im[g];
    const double d_re = x - w_re, d2 = d_re * d_re + w_im * w_im, w2 = w_re * w_re + w_im * w_im;
    const bool A = (d2 > gamma2) & (w2 < 2.5e5 * d2);
    // delta = w conj(D)/|D|^2 with D = (d_re, -w_im)
    const double r = 1 / (A ? d2 : 1.0);
    const double f_re = A ? (w_re * d_re - w_im * w_im) * r : 0.0, f_im = A ? (w_im * d_re + w_re * w_im) * r : 0.0;
    ch_re += p_re * f_re - p_im * f_im;
    ch_im += p_re * f_im + p_im * f_re;
    if constexpr (Occupied) {
      // SX: delta w/(x+w) in A, -1/2 w/(x+w) in B, 0 in C.
      const bool B = !A & (w2 > 1e-12 * d2);
      const double s_re = x + w_re, s2 = s_re * s_re + w_im * w_im;
      const double u = 1 / (s2 > 0 ? s2 : 1e-200);
      const double h_re = (w_re * s_re + w_im * w_im) * u, h_im = (w_im * s_re - w_re * w_im) * u;
      const double t_re = A ? f_re * h_re - f_im * h_im : B ? -0.5 * h_re : 0.0;
      const double t_im = A ? f_re * h_im + f_im * h_re : B ? -0.5 * h_im : 0.0;
      const bool keep = (x >= 0) | (t_re * t_re + t_im * t_im <= sexcut2);
      const double k_re = keep ? t_re : 0.0, k_im = keep ? t_im : 0.0;
      sx_re += p_re * k_re - p_im * k_im;
      sx_im += p_re * k_im + p_im * k_re;
    }
  }
  return {ch_re, ch_im, sx_re, sx_im};
}

struct Task {
  const Sigma& call;
  const WeightedColumn* begin;
  const WeightedColumn* end;
  double* slot;  // [external][n'][energy][4], then [external][n'][2] of static CH
};

void run_task(const Task& task) {
  const Sigma& call = task.call;
  const double gamma2 = call.gamma * call.gamma;
  const auto [all_w, all_I] = poles_of(call);
  const double *const aqsn = numbers_of(call.aqsntemp), *const aqsm = numbers_of(call.aqsmtemp);
  const double *const wx = call.wx_array.data(), *const occ = call.occ_array.data(), sexcut2 = call.sexcut * call.sexcut;
  const int64_t ncouls = call.ncouls(), ntband = call.ntband(), nw = call.nw(), nex = call.nex();
  const bool real = call.is_real(), with_static = call.with_static();
  double* const static_slot = task.slot + nex * ntband * nw * 4;
  Rows rows;
  for (const WeightedColumn* column = task.begin; column != task.end; ++column)
    for (int64_t ig = 0; ig < ncouls; ig += block_rows) {
      const int64_t n = std::min(block_rows, ncouls - ig);
      const double* w = all_w + (column->igp * ncouls + ig) * 2;
      const double* I = all_I + (column->igp * ncouls + ig) * call.parts();
      for (int64_t g = 0; g < n; ++g) {
        rows.w_re[g] = w[2 * g];
        rows.w_im[g] = w[2 * g + 1];
        rows.i_re[g] = real ? I[g] : I[2 * g];
        rows.i_im[g] = real ? 0 : I[2 * g + 1];
      }
      for (int64_t e = 0; e < nex; ++e)
        for (int64_t n1 = 0; n1 < ntband; ++n1) {
          const int64_t band = (e * ntband + n1) * ncouls;
          double static_re = 0, static_im = 0;
          if (real) {
            const double m = aqsm[band + column->g] * column->v;
            const double* a = aqsn + band + ig;
            for (int64_t g = 0; g < n; ++g) {
              rows.p_re[g] = a[g] * m * rows.i_re[g];
              rows.p_im[g] = 0;
            }
          } else {
            const double m_re = aqsm[2 * (band + column->g)] * column->v, m_im = -aqsm[2 * (band + column->g) + 1] * column->v;
            const double* a = aqsn + 2 * (band + ig);
            for (int64_t g = 0; g < n; ++g) {
              const double t_re = a[2 * g] * m_re - a[2 * g + 1] * m_im, t_im = a[2 * g] * m_im + a[2 * g + 1] * m_re;
              rows.p_re[g] = t_re * rows.i_re[g] - t_im * rows.i_im[g];
              rows.p_im[g] = t_re * rows.i_im[g] + t_im * rows.i_re[g];
            }
          }
          if (with_static) {
            for (int64_t g = 0; g < n; ++g) {
              static_re += rows.p_re[g];
              static_im += rows.p_im[g];
            }
            static_slot[2 * (e * ntband + n1)] += static_re;
            static_slot[2 * (e * ntband + n1) + 1] += static_im;
          }
          for (int64_t iw = 0; iw < nw; ++iw) {
            const double x = kept_off_zero(wx[(e * ntband + n1) * nw + iw]);
            const Sums s = occ[n1] > 0 ? factors<true>(rows, n, x, gamma2, sexcut2) : factors<false>(rows, n, x, gamma2, sexcut2);
            double* const to = task.slot + ((e * ntband + n1) * nw + iw) * 4;
            to[0] += s.ch_re;
            to[1] += s.ch_im;
            to[2] += s.sx_re;
            to[3] += s.sx_im;
          }
        }
    }
}

}  // namespace

void general_sums(const Sigma& call, int threads, bool totals) {
  const std::vector<WeightedColumn> owned = weighted_columns(call);
  const int64_t bands = call.nex() * call.ntband() * call.nw() * 4, size = bands + 2 * call.nex() * call.ntband();
  // As many tasks as 64 MB of sums allow, at most 64: a number that the sizes decide, not the threads.
  const int64_t tasks = std::clamp<int64_t>((int64_t{8} << 20) / size, 1, std::clamp<int64_t>(static_cast<int64_t>(owned.size()), 1, 64));
  std::vector<double> slots(tasks * size);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (int64_t t = 0; t < tasks; ++t) {
    const auto n = static_cast<int64_t>(owned.size());
    run_task({call, owned.data() + n * t / tasks, owned.data() + n * (t + 1) / tasks, slots.data() + t * size});
  }
  for (int64_t t = 1; t < tasks; ++t)
    for (int64_t i = 0; i < size; ++i) slots[i] += slots[t * size + i];

  for (int64_t e = 0; e < call.nex(); ++e) {
    for (int64_t iw = 0; iw < call.nw(); ++iw) {
      std::complex<double> ch = 0, sx = 0;
      for (int64_t n1 = 0; n1 < call.ntband(); ++n1) {
        const int64_t at = (e * call.ntband() + n1) * call.nw() + iw;
        const double* s = slots.data() + at * 4;
        const std::complex<double> band(0.5 * s[0], 0.5 * s[1]);
        if (call.acht_n1) call.acht_n1.data()[at] = band;
        if (call.acht_n1_iw && iw == call.energy_n1()) call.acht_n1_iw(n1, e) = band;
        ch += band;
        if (call.occ_array(n1) > 0) sx -= call.occ_array(n1) * std::complex<double>(s[2], s[3]);
      }
      if (totals) {
        call.achtemp(iw, e) = ch;
        call.asxtemp(iw, e) = sx;
      }
    }
    std::complex<double> still = 0;
    for (int64_t n1 = 0; n1 < call.ntband() && call.with_static(); ++n1) {
      const double* s = slots.data() + bands + 2 * (e * call.ntband() + n1);
      const std::complex<double> band(-0.5 * s[0], -0.5 * s[1]);
      if (call.achst_n1) call.achst_n1(n1, e) = band;
      still += band;
    }
    if (totals && call.achstemp) call.achstemp(e) = still;
  }
}

}  // namespace suite::gpp
