// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma for any complex w, band by band, as ../cpu/general.cpp: |w|^2 and |D|^2 stand for |w/D|^2, real reciprocals for
// complex divisions, selections for branches. A work-group: one n' and one block of pairs, BLOCK_ROWS rows G times
// BLOCK_COLUMNS columns G'; n' runs fastest, so that a block stays in cache over the bands. NE may be 0: static CH alone. SX = 0: CH alone.
#define NS (4 * NE + 2)

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void sigma_general(
    const __global double* wtilde, const __global double* I_eps, const __global double* aqsn, const __global double* aqsm,
    const __global double* wx, const __global double* occ, const __global int* igp_of_column,
    const __global int* row_of_column, const __global double* v_of_column, __global double* partial, int ncouls, int nb,
    int ncolumns, int nw, int iw0, int first_pair, int e0, double gamma, double sexcut) {
  GROUP_SCRATCH(NS);
  const int n1 = get_group_id(0), e = get_global_id(2);
  const int row_blocks = (ncouls + BLOCK_ROWS - 1) / BLOCK_ROWS, pair_block = first_pair + get_global_id(1);
  const int row0 = pair_block % row_blocks * BLOCK_ROWS, row1 = min(row0 + BLOCK_ROWS, ncouls);
  const int column0 = pair_block / row_blocks * BLOCK_COLUMNS, column1 = min(column0 + BLOCK_COLUMNS, ncolumns);
  const long band = (long)(e0 + e) * nb + n1;
#if NE > 0
  const double gamma2 = gamma * gamma, sexcut2 = sexcut * sexcut;
  const int is_occupied = SX && occ[n1] > 0;
  double x[NE];
  for (int i = 0; i < NE; ++i) x[i] = kept_off_zero(wx[band * nw + iw0 + i]);
#endif
  vd sums[NS];
  for (int s = 0; s < NS; ++s) sums[s] = 0.0;

  for (int c = column0; c < column1; ++c) {
    const double m_re = aqsm[(band * ncouls + row_of_column[c]) * PARTS] * v_of_column[c];
#if !REAL
    const double m_im = -aqsm[(band * ncouls + row_of_column[c]) * PARTS + 1] * v_of_column[c];
#endif
    for (int ig = row0 + get_local_id(0) * VW; ig < row1; ig += LOCAL * VW) {
      const int rest = row1 - ig;
      const long pair = (long)igp_of_column[c] * ncouls + ig;
      vd a_re, a_im, i_re, i_im;
      load_flavour(aqsn + (band * ncouls + ig) * PARTS, rest, &a_re, &a_im);
      load_flavour(I_eps + pair * PARTS, rest, &i_re, &i_im);
#if REAL
      const vd p_re = a_re * m_re * i_re, p_im = 0.0;
#else
      const vd t_re = a_re * m_re - a_im * m_im, t_im = a_re * m_im + a_im * m_re;
      const vd p_re = t_re * i_re - t_im * i_im, p_im = t_re * i_im + t_im * i_re;
#endif
      sums[4 * NE] += p_re;
      sums[4 * NE + 1] += p_im;
#if NE > 0
      vd w_re, w_im;
      load_complex(wtilde + 2 * pair, rest, &w_re, &w_im);
      const vd w2 = w_re * w_re + w_im * w_im;
      for (int i = 0; i < NE; ++i) {
        const vd d_re = x[i] - w_re, d2 = d_re * d_re + w_im * w_im;
        const vm A = (d2 > gamma2) & (w2 < 2.5e5 * d2);
        // delta = w conj(D)/|D|^2 with D = (d_re, -w_im)
        const vd r = 1.0 / SEL(A, d2, (vd)(1.0));
        const vd f_re = SEL(A, (w_re * d_re - w_im * w_im) * r, (vd)(0.0));
        const vd f_im = SEL(A, (w_im * d_re + w_re * w_im) * r, (vd)(0.0));
        sums[4 * i] += p_re * f_re - p_im * f_im;
        sums[4 * i + 1] += p_re * f_im + p_im * f_re;
        if (is_occupied) {
          // SX: delta w/(x+w) in A, -1/2 w/(x+w) in B, 0 in C.
          const vm B = w2 > 1e-12 * d2;
          const vd s_re = x[i] + w_re, s2 = s_re * s_re + w_im * w_im;
          const vd u = 1.0 / SEL(s2 > 0.0, s2, (vd)(1e-200));
          const vd h_re = (w_re * s_re + w_im * w_im) * u, h_im = (w_im * s_re - w_re * w_im) * u;
          const vd t_re = SEL(A, f_re * h_re - f_im * h_im, SEL(B, -0.5 * h_re, (vd)(0.0)));
          const vd t_im = SEL(A, f_re * h_im + f_im * h_re, SEL(B, -0.5 * h_im, (vd)(0.0)));
          const vm keep = t_re * t_re + t_im * t_im <= (vd)(x[i] < 0 ? sexcut2 : INFINITY);
          const vd k_re = SEL(keep, t_re, (vd)(0.0)), k_im = SEL(keep, t_im, (vd)(0.0));
          sums[4 * i + 2] += p_re * k_re - p_im * k_im;
          sums[4 * i + 3] += p_re * k_im + p_im * k_re;
        }
      }
#endif
    }
  }
  double mine[NS];
  for (int s = 0; s < NS; ++s) mine[s] = lane_sum(sums[s]);
  GROUP_SUM(mine, NS, partial + (((long)e * get_global_size(1) + get_global_id(1)) * nb + n1) * NS);
}
