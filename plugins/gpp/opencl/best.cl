// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma for real w >= 0, as ../cpu/tile.hpp has it: with real w the model is I w v times a real factor that does not
// know I, so the sums over n' collect P/D and P w/(D(x+w)) alone; one reciprocal, of the product of the D, serves all
// energies; tiles of VW rows G times CT columns G' stay in registers over n'. Further build options:
//   CT      columns G' of a tile
//   STATIC  1: also the static CH
//   EVEN    1: the two or three energies are one spacing apart, the same for all n'
//   MIXED   1: the empty bands beyond reach of the test for branch A go in FP32, their sums to FP64 every 32 bands
//
// tables: one number for each band of each external band, `bands` in all, in the order of the tiles (occupied, then empty by
// falling largest x): which n', the largest x over the energies, f; then x of each group of energies, [external][n'][energy];
// then the spacing of the energies, [group][external], and the w above which no occupied band needs a test, [external].
#define NS (4 * NE + 2)
#define NO_POLE 2e12 /* stands for w where there is no pole: D^3 = 8e36 is harmless, in FP32 too */
#define FLUSH 32

#if MIXED
#define STREAM float
#if VW == 1
typedef float vs;
#define TO_DOUBLE(v) ((double)(v))
#define TO_STREAM(v) ((float)(v))
#define LOAD_STREAM(p) (*(p))
#else
typedef CAT(float, VW) vs;
#define TO_DOUBLE(v) CAT(convert_double, VW)(v)
#define TO_STREAM(v) CAT(convert_float, VW)(v)
#define LOAD_STREAM(p) CAT(vload, VW)(0, (p))
#endif
#else
#define STREAM double
typedef vd vs;
#define TO_DOUBLE(v) (v)
#define TO_STREAM(v) (v)
#define LOAD_STREAM(p) LOAD(p)
#endif

// P = a conj(m).
#if REAL
#define PRODUCT(V, P, LOADER, a, m) const V P##_re = LOADER(a) * (m)[0]
#define ADD(to, P, factor) (to)[0] = fma(P##_re, (factor), (to)[0])
#define ADD_PLAIN(to, P) (to)[0] += P##_re
#else
#define PRODUCT(V, P, LOADER, a, m)                                          \
  const V P##_a = LOADER(a), P##_b = LOADER((a) + LOCAL * VW);               \
  const V P##_re = fma(P##_b, (V)((m)[1]), P##_a * (V)((m)[0]));             \
  const V P##_im = fma(P##_b, (V)((m)[0]), -(P##_a * (V)((m)[1])))
#define ADD(to, P, factor)                     \
  (to)[0] = fma(P##_re, (factor), (to)[0]);    \
  (to)[1] = fma(P##_im, (factor), (to)[1])
#define ADD_PLAIN(to, P) \
  (to)[0] += P##_re;     \
  (to)[1] += P##_im
#endif

// r[i] = 1/D[i] from one division.
#if NE == 1
#define RECIPROCALS(V, D, r) r[0] = (V)(1) / D[0]
#elif NE == 2
#define RECIPROCALS(V, D, r)        \
  const V q_ = (V)(1) / (D[0] * D[1]); \
  r[0] = q_ * D[1];                 \
  r[1] = q_ * D[0]
#else
#define RECIPROCALS(V, D, r)                            \
  const V d01_ = D[0] * D[1];                           \
  const V q_ = (V)(1) / (d01_ * D[2]), q2_ = q_ * D[2]; \
  r[2] = q_ * d01_;                                     \
  r[0] = q2_ * D[1];                                    \
  r[1] = q2_ * D[0]
#endif

#if EVEN
// to[i] += q P D^i, of one part of P; term = q P. After the loop these sums give those of P over each D_i:
//   two energies, D = D_0, q = 1/(D (D + dE)):        1/D_0 = q D + dE q,          1/D_1 = q D
//   three, D = D_1, q = 1/(D (D^2 - dE^2)):           1/(D -+ dE) = q D^2 +- dE q D,  1/D = q D^2 - dE^2 q.
// The sums of lower powers are additions, for which a processor may have units of their own beside those for multiply-adds.
static void add_powers(vs term, vs D, int part, vs (*to)[PARTS]) {
  to[0][part] += term;
#if NE == 3
  term *= D;
  to[1][part] += term;
#endif
  to[NE - 1][part] = fma(term, D, to[NE - 1][part]);
}
#endif

// to += z (re + i im).
static void add_times(const vd* z, vd re, vd im, vd* to) {
#if REAL
  to[0] += z[0] * re;
#else
  to[0] += z[0] * re - z[1] * im;
  to[1] += z[0] * im + z[1] * re;
#endif
}

// The occupied bands of one column: CH to ch, SX to sx but for a factor w, P alone to st. a, m: P's factors for the first
// band; x, f of the bands; far: above this w no band needs a test.
static void add_occupied(const __global double* a, const __global double* m, const __global double* x,
                         const __global double* f, int bands, vd w, vd limit, double far, double sexcut,
                         vd (*ch)[PARTS], vd (*sx)[PARTS], vd* st) {
  vd S[NE], DS[NE], r[NE];
  if (lane_min(w) > far) {
    for (int k = 0; k < bands; ++k, a += PARTS * LOCAL * VW, m += CT * PARTS, x += NE) {
      PRODUCT(vd, P, LOAD, a, m);
#pragma unroll
      for (int i = 0; i < NE; ++i) {
        S[i] = x[i] + w;
        DS[i] = (x[i] - w) * S[i];
      }
      RECIPROCALS(vd, DS, r);
#pragma unroll
      for (int i = 0; i < NE; ++i) {
        ADD(ch[i], P, r[i] * S[i]);
        ADD(sx[i], P, r[i] * f[k]);
      }
#if STATIC
      ADD_PLAIN(st, P);
#endif
    }
    return;
  }
  vm A[NE];
  const vd minus_half = -0.5 / w, cut = sexcut / (w * w), cut2 = cut * cut;
  for (int k = 0; k < bands; ++k, a += PARTS * LOCAL * VW, m += CT * PARTS, x += NE) {
    PRODUCT(vd, P, LOAD, a, m);
#pragma unroll
    for (int i = 0; i < NE; ++i) {
      const vd D = x[i] - w;
      A[i] = D * D > limit;
      S[i] = x[i] + w;
      if (x[i] < 0) S[i] = SEL(S[i] == 0.0, (vd)(1e-100), S[i]);
      DS[i] = SEL(A[i], D, (vd)(1.0)) * S[i];
    }
    // 1/(D S) in A, 1/S in B.
    RECIPROCALS(vd, DS, r);
#pragma unroll
    for (int i = 0; i < NE; ++i) {
      const vd ch_factor = SEL(A[i], r[i] * S[i], (vd)(0.0));
      vd sx_factor = SEL(A[i], r[i], minus_half * r[i]);
      if (x[i] < 0) sx_factor = SEL(sx_factor * sx_factor <= cut2, sx_factor, (vd)(0.0));
      sx_factor *= f[k];
      ADD(ch[i], P, ch_factor);
      ADD(sx[i], P, sx_factor);
    }
#if STATIC
    ADD_PLAIN(st, P);
#endif
  }
}

// Rows G of aqsn in the order in which sigma_best streams them: [external][group][n'][part][LOCAL * VW], n' in the order of
// `tables`. A work-item packs its VW rows for `step` bands.
__kernel void pack_rows(const __global double* aqsn, const __global double* tables, __global double* packed,
#if MIXED
                        __global float* packed_stream,
#endif
                        int ncouls, int nb, int first_group, int groups, int e0, int step) {
  const int group = get_group_id(0), lane = get_local_id(0) * VW, e = get_global_id(2);
  const int ig = (first_group + group) * LOCAL * VW + lane;
  const int k0 = get_global_id(1) * step, k1 = min(k0 + step, nb);
  for (int k = k0; k < k1; ++k) {
    const long row = (long)(e0 + e) * nb + (long)tables[(e0 + e) * nb + k];
    vd re, im;
    load_flavour(aqsn + (row * ncouls + ig) * PARTS, ncouls - ig, &re, &im);
    const long at = (((long)e * groups + group) * nb + k) * PARTS * LOCAL * VW + lane;
    STORE(re, packed + at);
#if !REAL
    STORE(im, packed + at + LOCAL * VW);
#endif
#if MIXED
#if VW == 1
    packed_stream[at] = (float)re;
#if !REAL
    packed_stream[at + LOCAL] = (float)im;
#endif
#else
    CAT(vstore, VW)(TO_STREAM(re), 0, packed_stream + at);
#if !REAL
    CAT(vstore, VW)(TO_STREAM(im), 0, packed_stream + at + LOCAL * VW);
#endif
#endif
#endif
  }
}

// Columns G' of aqsm: [external][tile][n'][CT][part]; zeros where the last tile has no column.
__kernel void pack_columns(const __global double* aqsm, const __global double* tables, const __global int* row_of_column,
                           __global double* packed,
#if MIXED
                           __global float* packed_stream,
#endif
                           int ncouls, int nb, int ncolumns, int tiles, int e0, int step) {
  const int tile = get_global_id(0), e = get_global_id(2);
  const int k0 = get_global_id(1) * step, k1 = min(k0 + step, nb);
  // Read here, as what is written below might be a row for all that the compiler knows.
  int row_of[CT];
#pragma unroll
  for (int j = 0; j < CT; ++j) row_of[j] = tile * CT + j < ncolumns ? row_of_column[tile * CT + j] : -1;
  for (int k = k0; k < k1; ++k) {
    const __global double* m = aqsm + ((long)(e0 + e) * nb + (long)tables[(e0 + e) * nb + k]) * ncouls * PARTS;
    const long at = (((long)e * tiles + tile) * nb + k) * CT * PARTS;
#pragma unroll
    for (int j = 0; j < CT; ++j)
#pragma unroll
      for (int p = 0; p < PARTS; ++p) {
        const double number = row_of[j] >= 0 ? m[(long)row_of[j] * PARTS + p] : 0.0;
        packed[at + j * PARTS + p] = number;
#if MIXED
        packed_stream[at + j * PARTS + p] = (float)number;
#endif
      }
  }
}

// A work-group: LOCAL * VW rows, the tiles of one block of columns, all n' of one external band.
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void sigma_best(
    const __global double* rows, const __global double* columns,
#if MIXED
    const __global float* rows_stream, const __global float* columns_stream, const __global float* x_stream,
#endif
    const __global double* wtilde, const __global double* I_eps, const __global int* igp_of_column,
    const __global double* v_of_column, const __global double* tables, __global double* partial, long bands, long x0,
    long spacing0, long far0, int ncouls, int nb, int ncolumns, int tiles, int tiles_per_block, int first_group, int e0,
    int occupied, double gamma, double sexcut) {
  GROUP_SCRATCH(NS);
  const int group = get_group_id(0), lane = get_local_id(0) * VW;
  const int block = get_global_id(1), e = get_global_id(2);
  const int groups = get_num_groups(0), blocks = get_global_size(1);
  const int ig = (first_group + group) * LOCAL * VW + lane, rest = ncouls - ig;
  const __global double* a_of_group = rows + ((long)e * groups + group) * nb * PARTS * LOCAL * VW + lane;
  const __global double* highest = tables + bands + (long)(e0 + e) * nb;
  const __global double* f = highest + bands;
  const __global double* x_table = tables + 3 * bands + x0 + (long)(e0 + e) * nb * NE;
  const double far = tables[far0 + e0 + e];
#if EVEN
  const double dE = tables[spacing0 + e0 + e];
#endif
  vd sums[NS];
  for (int s = 0; s < NS; ++s) sums[s] = 0.0;

  for (int tile = block * tiles_per_block; tile < min((block + 1) * tiles_per_block, tiles); ++tile) {
    const __global double* m_of_tile = columns + ((long)e * tiles + tile) * nb * CT * PARTS;
    vd w[CT], limit[CT], low = NO_POLE;
#pragma unroll
    for (int j = 0; j < CT; ++j) {
      const int c = tile * CT + j;
      vd re = 0.0, im;
      if (c < ncolumns) load_complex(wtilde + 2 * ((long)igp_of_column[c] * ncouls + ig), rest, &re, &im);
      w[j] = SEL(re == 0.0, (vd)(NO_POLE), re);
      limit[j] = fmax(w[j] * w[j] * (1 / 2.5e5), (vd)(gamma * gamma));
      low = fmin(low, w[j]);
    }
    // Below this x no w of the tile is within reach of the test for branch A: w - x > gamma and w - x > w/500.
    const double lowest_w = lane_min(low);
    const double reach = fmin(lowest_w - gamma, 0.998 * lowest_w), safe = reach - 1e-12 * fabs(reach);
    // One after the other, for they are few; a bisection's jumps cannot be foreseen.
    int masked = occupied;
    while (masked < nb && !(highest[masked] < safe)) ++masked;

    vd ch[CT][NE][PARTS], st[CT][PARTS];
#pragma unroll
    for (int j = 0; j < CT; ++j)
#pragma unroll
      for (int p = 0; p < PARTS; ++p) {
        st[j][p] = 0.0;
#pragma unroll
        for (int i = 0; i < NE; ++i) ch[j][i][p] = 0.0;
      }

    // Empty bands beyond reach: CH in branch A.
#if MIXED
    const __global float* a_stream = rows_stream + ((long)e * groups + group) * nb * PARTS * LOCAL * VW + lane;
    const __global float* m_stream = columns_stream + ((long)e * tiles + tile) * nb * CT * PARTS;
    const __global float* x_of = x_stream + x0 + (long)(e0 + e) * nb * NE;
#else
    const __global double* a_stream = a_of_group;
    const __global double* m_stream = m_of_tile;
    const __global double* x_of = x_table;
#endif
    vs u[CT];
#pragma unroll
    for (int j = 0; j < CT; ++j) u[j] = TO_STREAM(w[j]);
#if MIXED
    for (int k0 = masked; k0 < nb; k0 += FLUSH) {
      const int k1 = min(k0 + FLUSH, nb);
      vs near[CT][NE][PARTS], st_near[CT][PARTS];
#pragma unroll
      for (int j = 0; j < CT; ++j)
#pragma unroll
        for (int p = 0; p < PARTS; ++p) {
          st_near[j][p] = 0.0f;
#pragma unroll
          for (int i = 0; i < NE; ++i) near[j][i][p] = 0.0f;
        }
#else
    {
      const int k0 = masked, k1 = nb;
#define near ch
#define st_near st
#endif
      for (int k = k0; k < k1; ++k) {
        const __global STREAM* a = a_stream + (long)k * PARTS * LOCAL * VW;
        const __global STREAM* m = m_stream + (long)k * CT * PARTS;
#pragma unroll
        for (int j = 0; j < CT; ++j) {
          PRODUCT(vs, P, LOAD_STREAM, a, m + j * PARTS);
#if EVEN
          const vs D = x_of[k * NE + NE / 3] - u[j];
#if NE == 2
          const vs q = (vs)(1) / (D * (D + (STREAM)dE));
#else
          const vs q = (vs)(1) / (D * fma(D, D, -(vs)((STREAM)(dE * dE))));
#endif
          add_powers(P_re * q, D, 0, near[j]);
#if !REAL
          add_powers(P_im * q, D, 1, near[j]);
#endif
#else
          vs D[NE], r[NE];
#pragma unroll
          for (int i = 0; i < NE; ++i) D[i] = x_of[k * NE + i] - u[j];
          RECIPROCALS(vs, D, r);
#pragma unroll
          for (int i = 0; i < NE; ++i) {
            ADD(near[j][i], P, r[i]);
          }
#endif
#if STATIC
          ADD_PLAIN(st_near[j], P);
#endif
        }
      }
#if MIXED
#pragma unroll
      for (int j = 0; j < CT; ++j)
#pragma unroll
        for (int p = 0; p < PARTS; ++p) {
#pragma unroll
          for (int i = 0; i < NE; ++i) ch[j][i][p] += TO_DOUBLE(near[j][i][p]);
          st[j][p] += TO_DOUBLE(st_near[j][p]);
        }
#else
#undef near
#undef st_near
#endif
    }
#if EVEN
#pragma unroll
    for (int j = 0; j < CT; ++j)
#pragma unroll
      for (int p = 0; p < PARTS; ++p) {
#if NE == 2
        ch[j][0][p] = ch[j][1][p] + dE * ch[j][0][p];
#else
        const vd U0 = ch[j][0][p], U1 = ch[j][1][p], U2 = ch[j][2][p];
        ch[j][0][p] = U2 + dE * U1;
        ch[j][1][p] = U2 - dE * dE * U0;
        ch[j][2][p] = U2 - dE * U1;
#endif
      }
#endif

    // Empty bands that may be in reach: CH with the test for branch A.
    for (int k = occupied; k < masked; ++k) {
#pragma unroll
      for (int j = 0; j < CT; ++j) {
        PRODUCT(vd, P, LOAD, a_of_group + (long)k * PARTS * LOCAL * VW, m_of_tile + ((long)k * CT + j) * PARTS);
        vd D[NE], r[NE];
        vm A[NE];
#pragma unroll
        for (int i = 0; i < NE; ++i) {
          D[i] = x_table[k * NE + i] - w[j];
          A[i] = D[i] * D[i] > limit[j];
          D[i] = SEL(A[i], D[i], (vd)(1.0));
        }
        RECIPROCALS(vd, D, r);
#pragma unroll
        for (int i = 0; i < NE; ++i) {
          r[i] = SEL(A[i], r[i], (vd)(0.0));
          ADD(ch[j][i], P, r[i]);
        }
#if STATIC
        ADD_PLAIN(st[j], P);
#endif
      }
    }

    // Occupied bands, and what is done once for a pair (G,G').
#pragma unroll
    for (int j = 0; j < CT; ++j) {
      vd i_re = 0.0, i_im = 0.0;
      const int c = tile * CT + j;
      if (c < ncolumns) {
        load_flavour(I_eps + ((long)igp_of_column[c] * ncouls + ig) * PARTS, rest, &i_re, &i_im);
        i_re *= v_of_column[c];
        i_im *= v_of_column[c];
      }
      const vd energy = SEL(w[j] == NO_POLE, (vd)(0.0), w[j]);
      if (occupied > 0) {
        vd sx[NE][PARTS];
#pragma unroll
        for (int i = 0; i < NE; ++i)
#pragma unroll
          for (int p = 0; p < PARTS; ++p) sx[i][p] = 0.0;
        add_occupied(a_of_group, m_of_tile + j * PARTS, x_table, f, occupied, w[j], limit[j], far, sexcut, ch[j], sx,
                     st[j]);
#pragma unroll
        for (int i = 0; i < NE; ++i)
          add_times(sx[i], i_re * energy * energy, i_im * energy * energy, sums + 4 * i + 2);
      }
#pragma unroll
      for (int i = 0; i < NE; ++i) add_times(ch[j][i], i_re * energy, i_im * energy, sums + 4 * i);
#if STATIC
      add_times(st[j], i_re, i_im, sums + 4 * NE);
#endif
    }
  }

  double mine[NS];
  for (int s = 0; s < NS; ++s) mine[s] = lane_sum(sums[s]);
  GROUP_SUM(mine, NS, partial + (((long)e * blocks + block) * groups + group) * NS);
}
