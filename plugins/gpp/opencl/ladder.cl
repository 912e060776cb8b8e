// SPDX-License-Identifier: BSD-3-Clause
// The published optimisation steps of this kernel ("8 steps to optimize Sigma-GPP", NERSC/BerkeleyGW, OpenACC on V100;
// arXiv 2008.11326), STEP = 1 to 9, each with the loop order and the arithmetic of its step; 10 is v8 with vectors
// of a fixed length. All of them carry w as a complex number, a division or reciprocal per energy, SX for every band
// times its occupation. From v3 on VW rows go together, on a processor as one vector. Further build option: STEP.
#define NS (4 * NE + 2)
#define BAND_BLOCK 16 /* v9: n1loc_blksize; its ig_blksize is LOCAL * VW = 256 */

typedef struct {
  vd re, im;
} z;
static z make(vd re, vd im) {
  z r;
  r.re = re;
  r.im = im;
  return r;
}
static z less(double x, z a) { return make(x - a.re, -a.im); }
static z times(z a, z b) { return make(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re); }
static z scaled(vd s, z a) { return make(s * a.re, s * a.im); }
static z negative(z a) { return make(-a.re, -a.im); }
static vd norm2(z a) { return a.re * a.re + a.im * a.im; }
static z chosen(vm mask, z yes, z no) { return make(SEL(mask, yes.re, no.re), SEL(mask, yes.im, no.im)); }

// Smith's division, as compilers expand a complex '/', up to v6; the conjugate and one real reciprocal from v7 on.
static z divide(z a, z b) {
#if STEP >= 7
  const vd r = 1.0 / norm2(b);
  return make(r * (a.re * b.re + a.im * b.im), r * (a.im * b.re - a.re * b.im));
#else
  const vm wide = fabs(b.re) >= fabs(b.im);
  const vd large = SEL(wide, b.re, b.im), ratio = SEL(wide, b.im, b.re) / large;
  const vd scale = large + SEL(wide, b.im, b.re) * ratio;
  return chosen(wide, make((a.re + a.im * ratio) / scale, (a.im - a.re * ratio) / scale),
                make((a.re * ratio + a.im) / scale, (a.im * ratio - a.re) / scale));
#endif
}

// What a pair (G,G') brings; from v6 on w^2, w^2 I and the cutoff are made once and not per band and energy.
typedef struct {
  z w, I, w2, omega2;
  vd cutoff;
} Pair;

static vd size_of(z a) { return STEP >= 8 ? norm2(a) : sqrt(norm2(a)); }

static Pair make_pair(z w, z I, double sexcut) {
  Pair pair;
  pair.w = w;
  pair.I = I;
  pair.w2 = times(w, w);
  pair.omega2 = times(pair.w2, I);
  pair.cutoff = (STEP >= 8 ? sexcut * sexcut : sexcut) * size_of(I);
  return pair;
}

// ssx and sch of one term.
static void term(const Pair* pair, double x, double gamma2, double sexcut, z* ssx, z* sch) {
  const z zero = make(0.0, 0.0);
  const z D = less(x, pair->w);
  const z delta = divide(pair->w, D);
  const vd delta2 = norm2(delta);
  const vm A = (norm2(D) > gamma2) & (delta2 < 2.5e5);
  const vm B = delta2 > 1e-12;
  const z half_more = make(delta.re + 0.5, delta.im);
#if STEP >= 6
  // Both branches share one division.
  const z in_b = times(scaled(4.0, pair->w2), half_more);
  const z denominator = chosen(A, less(x * x, pair->w2), in_b);
  const z numerator = chosen(A, pair->omega2, negative(times(pair->omega2, delta)));
  *sch = chosen(A, times(delta, pair->I), zero);
  *ssx = chosen(A, divide(numerator, denominator), chosen(B, divide(numerator, denominator), zero));
  const vd cutoff = pair->cutoff;
#else
  // Three branches, each with its own division.
  const z w2 = times(pair->w, pair->w), omega2 = times(w2, pair->I);
  const z in_a = divide(omega2, less(x * x, w2));
  const z in_b = divide(negative(times(omega2, delta)), times(scaled(4.0, w2), half_more));
  *sch = chosen(A, times(delta, pair->I), zero);
  *ssx = chosen(A, in_a, chosen(B, in_b, zero));
  const vd cutoff = sexcut * size_of(pair->I);
#endif
  if (x < 0) *ssx = chosen(size_of(*ssx) <= cutoff, *ssx, zero);
}

typedef struct {
  const __global double *wtilde, *I_eps, *aqsn, *aqsm, *v_of_column;
  const __global int *igp_of_column, *row_of_column;
  int ncouls;
} Call;

static Pair pair_at(const Call* call, int ig, int c, double sexcut) {
  const long pair = (long)call->igp_of_column[c] * call->ncouls + ig;
  const int rest = call->ncouls - ig;
  z w, I;
  load_complex(call->wtilde + 2 * pair, rest, &w.re, &w.im);
  load_flavour(call->I_eps + pair * PARTS, rest, &I.re, &I.im);
  return make_pair(w, I, sexcut);
}

// M_nn'(G) conj(M_mn'(G')) v(G')
static z product_at(const Call* call, long band, int ig, int c) {
  const long row = band * call->ncouls;
  const double v = call->v_of_column[c];
  const __global double* m = call->aqsm + (row + call->row_of_column[c]) * PARTS;
  z a;
  load_flavour(call->aqsn + (row + ig) * PARTS, call->ncouls - ig, &a.re, &a.im);
#if REAL
  return scaled(v * m[0], a);
#else
  return times(a, make(v * m[0], -v * m[1]));
#endif
}

static void add_term(const Pair* pair, z P, double x, double occupation, double gamma2, double sexcut, vd* sums) {
  z ssx, sch;
  term(pair, x, gamma2, sexcut, &ssx, &sch);
  ssx = times(P, ssx);
  sch = times(P, sch);
  sums[0] += sch.re;
  sums[1] += sch.im;
  sums[2] += occupation * ssx.re;
  sums[3] += occupation * ssx.im;
}

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void sigma_step(
    const __global double* wtilde, const __global double* I_eps, const __global double* aqsn, const __global double* aqsm,
    const __global double* wx, const __global double* wx_transposed, const __global double* occ,
    const __global int* igp_of_column, const __global int* row_of_column, const __global double* v_of_column,
    __global double* partial, int ncouls, int nb, int ncolumns, int nw, int iw0, double gamma, double sexcut) {
  GROUP_SCRATCH(NS);
  const Call call = {wtilde, I_eps, aqsn, aqsm, v_of_column, igp_of_column, row_of_column, ncouls};
  const int e = get_global_id(2), item = get_local_id(0), group = get_group_id(0), groups = get_num_groups(0);
  const long first_band = (long)e * nb;
  const double gamma2 = gamma * gamma;
  vd sums[NS];
  for (int s = 0; s < NS; ++s) sums[s] = 0.0;
#if STEP >= 5
#define X(n1, i) wx_transposed[((long)e * nw + iw0 + (i)) * nb + (n1)]
#else
#define X(n1, i) kept_off_zero(wx[(first_band + (n1)) * nw + iw0 + (i)])
#endif

#if STEP == 1
  // One flat loop over (n',G',G).
  const long all = (long)nb * ncolumns * ncouls;
  for (long i = (long)group * LOCAL + item; i < all; i += (long)groups * LOCAL) {
    const int ig = i % ncouls, c = i / ncouls % ncolumns, n1 = i / ncouls / ncolumns;
    const Pair pair = pair_at(&call, ig, c, sexcut);
    const z P = product_at(&call, first_band + n1, ig, c);
    for (int w = 0; w < NE; ++w) add_term(&pair, P, X(n1, w), occ[n1], gamma2, sexcut, sums + 4 * w);
  }
#elif STEP == 2
  // One flat loop over (G',G); each of its iterations goes through all n'.
  const long all = (long)ncolumns * ncouls;
  for (long i = (long)group * LOCAL + item; i < all; i += (long)groups * LOCAL) {
    const int ig = i % ncouls, c = i / ncouls;
    const Pair pair = pair_at(&call, ig, c, sexcut);
    for (int n1 = 0; n1 < nb; ++n1) {
      const z P = product_at(&call, first_band + n1, ig, c);
      for (int w = 0; w < NE; ++w) add_term(&pair, P, X(n1, w), occ[n1], gamma2, sexcut, sums + 4 * w);
    }
  }
#elif STEP != 9
  // Groups of LOCAL * VW = 512 rows of a column.
  const int across = (ncouls + LOCAL * VW - 1) / (LOCAL * VW);
  for (int i = group; i < across * ncolumns; i += groups) {
    const int ig = (i % across * LOCAL + item) * VW, c = i / across;
    if (ig >= ncouls) continue;
    const Pair pair = pair_at(&call, ig, c, sexcut);
    for (int n1 = 0; n1 < nb; ++n1) {
      const z P = product_at(&call, first_band + n1, ig, c);
      for (int w = 0; w < NE; ++w) add_term(&pair, P, X(n1, w), occ[n1], gamma2, sexcut, sums + 4 * w);
    }
  }
#else
  // Blocks of 256 G and 16 n' that a stripe of columns uses while they are in cache.
  const int stripe = get_global_id(1), stripes = get_global_size(1), ig = (group * LOCAL + item) * VW;
  if (ig < ncouls)
    for (int first = 0; first < nb; first += BAND_BLOCK)
      for (int c = stripe; c < ncolumns; c += stripes) {
        const Pair pair = pair_at(&call, ig, c, sexcut);
        for (int n1 = first; n1 < min(first + BAND_BLOCK, nb); ++n1) {
          const z P = product_at(&call, first_band + n1, ig, c);
          for (int w = 0; w < NE; ++w) add_term(&pair, P, X(n1, w), occ[n1], gamma2, sexcut, sums + 4 * w);
        }
      }
#endif
  double mine[NS];
  for (int s = 0; s < NS; ++s) mine[s] = lane_sum(sums[s]);
  GROUP_SUM(mine, NS, partial + (((long)e * get_global_size(1) + get_global_id(1)) * groups + group) * NS);
}
