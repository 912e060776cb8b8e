// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma_offdiag, as ../cpu/sigma_offdiag.cpp has it: for every n', E and CH or SX the matrix A(G,G') = v I f is made
// block by block and multiplied at once with M_n of the external bands, T(n,G') = sum_G M_n(G) A(G,G'); then Sigma(n,m) =
// sum_{n',G'} T(n,G') conj(M_m(G')). Both products have one register tile: V vectors of external bands times CT columns. A
// work-group has LN work-items along the external bands and LC along the columns, LOCAL in all; they share A in local
// memory, BLOCK rows G at a time. Further build options:
//   REAL_W  1: all w are real numbers from 0 to 1e12
//   KEEP    1: a work-group has one n', E and CH or SX, and one panel of external bands, whose sums stay in registers over
//           all G: for GPUs. 0: it goes through many of them with the same rows of w and I from cache, and its sums go
//           through memory after each block of rows: for processors
#define NP (REAL && REAL_W ? 1 : 2)  // real and imaginary part, in the arithmetic
#define WIDTH (LN * V * VW)          // external bands of a panel
#define COLUMNS (LC * CT)            // of a work-group

// M_n(G) of some n' as the products read it: [n'][panel][G][part][WIDTH], zeros where a panel is wider than there are bands.
__kernel void pack_rows(const __global double* aqs, __global double* rows, int ncouls, int ntband, int nex, int first_band,
                        int step) {
  const int n = get_global_id(0), b = get_global_id(1), panels = get_global_size(0) / WIDTH;
  const int g0 = get_global_id(2) * step, g1 = min(g0 + step, ncouls);
  const __global double* from = aqs + ((long)n * ntband + first_band + b) * ncouls * PARTS;
  __global double* to = rows + ((long)b * panels + n / WIDTH) * ncouls * NP * WIDTH + n % WIDTH;
  for (int g = g0; g < g1; ++g)
    for (int p = 0; p < NP; ++p) to[((long)g * NP + p) * WIDTH] = n < nex && p < PARTS ? from[(long)g * PARTS + p] : 0.0;
}

// conj(M_m(G')) of the owned columns: [n'][m][part][column], padded by zeros in m and in columns.
__kernel void pack_conjugates(const __global double* aqs, const __global int* row_of_column, __global double* conjugates,
                              int ncouls, int ntband, int nex, int first_band, int ncolumns) {
  const int c = get_global_id(0), m = get_global_id(1), b = get_global_id(2);
  const int columns = get_global_size(0), externals = get_global_size(1);
  __global double* to = conjugates + ((long)b * externals + m) * NP * columns + c;
  for (int p = 0; p < NP; ++p) {
    double z = 0.0;
    if (c < ncolumns && m < nex && p < PARTS)
      z = aqs[(((long)m * ntband + first_band + b) * ncouls + row_of_column[c]) * PARTS + p];
    to[(long)p * columns] = p ? -z : z;
  }
}

// The factor of CH, or occupation times that of SX: branches (A), (B), (C) of ../gpp.hpp as masks.
static void factors(vd w_re, vd w_im, double x, double f, int exchange, double gamma2, double sexcut2, vd* f_re, vd* f_im) {
#if REAL_W
  const vd D = x - w_re, d2 = D * D, w2 = w_re * w_re;
  const vm A = (d2 > (vd)(gamma2)) & (w2 < 2.5e5 * d2);
  *f_im = 0.0;
  if (!exchange) {
    *f_re = SEL(A, w_re / SEL(A, D, (vd)(1.0)), (vd)(0.0));
    return;
  }
  vd S = x + w_re;
  S = SEL(S == 0.0, (vd)(1e-100), S);
  // w^2/(D S) in A, -w/(2 S) in B.
  const vd ssx = SEL(A, w_re, (vd)(-0.5)) * w_re / (SEL(A, D, (vd)(1.0)) * S);
  const vd either = SEL(A, ssx, SEL(w2 > 1e-12 * d2, ssx, (vd)(0.0)));
  *f_re = f * (x < 0 ? SEL(either * either <= (vd)(sexcut2), either, (vd)(0.0)) : either);
#else
  const vd d_re = x - w_re, d2 = d_re * d_re + w_im * w_im, w2 = w_re * w_re + w_im * w_im;
  const vm A = (d2 > (vd)(gamma2)) & (w2 < 2.5e5 * d2);
  // delta = w conj(D)/|D|^2 with D = (d_re, -w_im)
  const vd r = 1.0 / SEL(A, d2, (vd)(1.0));
  const vd delta_re = SEL(A, (w_re * d_re - w_im * w_im) * r, (vd)(0.0));
  const vd delta_im = SEL(A, (w_im * d_re + w_re * w_im) * r, (vd)(0.0));
  *f_re = delta_re;
  *f_im = delta_im;
  if (!exchange) return;
  const vd s_re = x + w_re, s2 = s_re * s_re + w_im * w_im;
  const vd u = 1.0 / SEL(s2 > 0.0, s2, (vd)(1e-200));
  const vd h_re = (w_re * s_re + w_im * w_im) * u, h_im = (w_im * s_re - w_re * w_im) * u;
  const vm B = w2 > 1e-12 * d2;
  const vd t_re = SEL(A, delta_re * h_re - delta_im * h_im, SEL(B, -0.5 * h_re, (vd)(0.0)));
  const vd t_im = SEL(A, delta_re * h_im + delta_im * h_re, SEL(B, -0.5 * h_im, (vd)(0.0)));
  const vm keep = t_re * t_re + t_im * t_im <= (vd)(x < 0 ? sexcut2 : INFINITY);
  *f_re = SEL(keep, f * t_re, (vd)(0.0));
  *f_im = SEL(keep, f * t_im, (vd)(0.0));
#endif
}

// What a task is: one n', E and CH or SX; `of` counts [n'][iw][CH, SX].
typedef struct {
  int b, exchange;
  double x, f;
} Task;

static Task task_of(int of, const __global double* wx, const __global double* occ, int first_band, int nw, int first_energy,
                    int energies) {
  Task t;
  t.exchange = of & 1;
  t.b = of / (2 * energies);
  const int n1 = first_band + t.b;
  t.x = kept_off_zero(wx[(long)n1 * nw + first_energy + of / 2 % energies]);
  t.f = occ[n1];
  return t;
}

#define NUMBERS_OF_W (REAL_W ? 1 : 2)
#define FORM (NUMBERS_OF_W + PARTS)  // numbers that keep_pairs keeps of a pair (G,G')

// w and v I of VW rows of one column.
static void read_pairs(const __global double* wtilde, const __global double* I_eps, long pair, int rest, double v, vd* w_re,
                       vd* w_im, vd* i_re, vd* i_im) {
  load_complex(wtilde + 2 * pair, rest, w_re, w_im);
  load_flavour(I_eps + pair * PARTS, rest, i_re, i_im);
  *i_re *= v;
  *i_im *= v;
}

static void make_vector(vd w_re, vd w_im, vd i_re, vd i_im, Task t, double gamma2, double sexcut2, __local double* to) {
  vd f_re, f_im;
  factors(w_re, w_im, t.x, t.f, t.exchange, gamma2, sexcut2, &f_re, &f_im);
#if NP == 1
  STORE(f_re * i_re, to);
#elif REAL_W
  STORE(f_re * i_re, to);
  STORE(f_re * i_im, to + BLOCK);
#elif REAL
  STORE(f_re * i_re, to);
  STORE(f_im * i_re, to + BLOCK);
#else
  STORE(f_re * i_re - f_im * i_im, to);
  STORE(f_re * i_im + f_im * i_re, to + BLOCK);
#endif
}

// The vectors of a block, shared out among the work-items of a group: column j, from row g.
#define VECTORS (BLOCK / VW)
#define FOR_EACH_VECTOR(i) for (int i = get_local_id(0); i < COLUMNS * VECTORS; i += LOCAL)

#if KEEP
// A of a block of rows and of the work-group's columns: [column][part][BLOCK].
static void make_block(const __global double* wtilde, const __global double* I_eps, const __global int* igp_of_column,
                       const __global double* v_of_column, int first_column, int ncolumns, int ncouls, int row0, int count,
                       Task t, double gamma2, double sexcut2, __local double* a) {
  FOR_EACH_VECTOR(i) {
    const int j = i / VECTORS, g = i % VECTORS * VW, c = first_column + j;
    if (g >= count) continue;
    vd w_re = 0.0, w_im = 0.0, i_re = 0.0, i_im = 0.0;
    if (c < ncolumns)
      read_pairs(wtilde, I_eps, (long)igp_of_column[c] * ncouls + row0 + g, ncouls - row0 - g, v_of_column[c], &w_re, &w_im,
                 &i_re, &i_im);
    make_vector(w_re, w_im, i_re, i_im, t, gamma2, sexcut2, a + (long)j * NP * BLOCK + g);
  }
}
#else
// w and v I of a block of rows and of the work-group's columns: [column][number][BLOCK].
static void keep_pairs(const __global double* wtilde, const __global double* I_eps, const __global int* igp_of_column,
                       const __global double* v_of_column, int first_column, int ncolumns, int ncouls, int row0, int count,
                       __local double* pairs) {
  FOR_EACH_VECTOR(i) {
    const int j = i / VECTORS, g = i % VECTORS * VW, c = first_column + j;
    if (g >= count) continue;
    vd w_re = 0.0, w_im = 0.0, i_re = 0.0, i_im = 0.0;
    if (c < ncolumns)
      read_pairs(wtilde, I_eps, (long)igp_of_column[c] * ncouls + row0 + g, ncouls - row0 - g, v_of_column[c], &w_re, &w_im,
                 &i_re, &i_im);
    __local double* to = pairs + (long)j * FORM * BLOCK + g;
    STORE(w_re, to);
#if !REAL_W
    STORE(w_im, to + BLOCK);
#endif
    STORE(i_re, to + NUMBERS_OF_W * BLOCK);
#if !REAL
    STORE(i_im, to + (NUMBERS_OF_W + 1) * BLOCK);
#endif
  }
}

static void make_block(const __local double* pairs, int count, Task t, double gamma2, double sexcut2, __local double* a) {
  FOR_EACH_VECTOR(i) {
    const int j = i / VECTORS, g = i % VECTORS * VW;
    if (g >= count) continue;
    const __local double* from = pairs + (long)j * FORM * BLOCK + g;
    const vd w_re = LOAD(from), i_re = LOAD(from + NUMBERS_OF_W * BLOCK);
#if REAL_W
    const vd w_im = 0.0;
#else
    const vd w_im = LOAD(from + BLOCK);
#endif
#if REAL
    const vd i_im = 0.0;
#else
    const vd i_im = LOAD(from + (NUMBERS_OF_W + 1) * BLOCK);
#endif
    make_vector(w_re, w_im, i_re, i_im, t, gamma2, sexcut2, a + (long)j * NP * BLOCK + g);
  }
}
#endif

// A register tile: [column][part][vector].
#define CLEAR(sum)                                \
  _Pragma("unroll") for (int j = 0; j < CT; ++j)  \
  _Pragma("unroll") for (int p = 0; p < NP; ++p)  \
  _Pragma("unroll") for (int v = 0; v < V; ++v) sum[j][p][v] = 0.0
// Where it lies in memory: [column][part][WIDTH].
#define FETCH(sum, from)                          \
  _Pragma("unroll") for (int j = 0; j < CT; ++j)  \
  _Pragma("unroll") for (int p = 0; p < NP; ++p)  \
  _Pragma("unroll") for (int v = 0; v < V; ++v) sum[j][p][v] = LOAD((from) + (j * NP + p) * WIDTH + v * LN * VW)
#define PUT(sum, to)                              \
  _Pragma("unroll") for (int j = 0; j < CT; ++j)  \
  _Pragma("unroll") for (int p = 0; p < NP; ++p)  \
  _Pragma("unroll") for (int v = 0; v < V; ++v) STORE(sum[j][p][v], (to) + (j * NP + p) * WIDTH + v * LN * VW)

// sum[column][part][vector] += sum over k < count of rows[k][part][WIDTH] * factor[column][part][stride].
#if NP == 1
#define MULTIPLY(sum, rows, factor, stride, count)                                                     \
  for (int k = 0; k < (count); ++k) {                                                                  \
    vd m_re[V];                                                                                        \
    _Pragma("unroll") for (int v = 0; v < V; ++v) m_re[v] = LOAD((rows) + (long)k * WIDTH + v * LN * VW); \
    _Pragma("unroll") for (int j = 0; j < CT; ++j) {                                                   \
      const vd b_re = (vd)((factor)[(long)j * (stride) + k]);                                          \
      _Pragma("unroll") for (int v = 0; v < V; ++v) sum[j][0][v] = fma(m_re[v], b_re, sum[j][0][v]);   \
    }                                                                                                  \
  }
#else
#define MULTIPLY(sum, rows, factor, stride, count)                                                     \
  for (int k = 0; k < (count); ++k) {                                                                  \
    vd m_re[V], m_im[V];                                                                               \
    _Pragma("unroll") for (int v = 0; v < V; ++v) {                                                    \
      m_re[v] = LOAD((rows) + (long)k * 2 * WIDTH + v * LN * VW);                                      \
      m_im[v] = LOAD((rows) + ((long)k * 2 + 1) * WIDTH + v * LN * VW);                                \
    }                                                                                                  \
    _Pragma("unroll") for (int j = 0; j < CT; ++j) {                                                   \
      const vd b_re = (vd)((factor)[(long)j * 2 * (stride) + k]);                                      \
      const vd b_im = (vd)((factor)[((long)j * 2 + 1) * (stride) + k]);                                \
      _Pragma("unroll") for (int v = 0; v < V; ++v) {                                                  \
        sum[j][0][v] = fma(m_re[v], b_re, sum[j][0][v]);                                               \
        sum[j][1][v] = fma(m_re[v], b_im, sum[j][1][v]);                                               \
        sum[j][0][v] = fma(-m_im[v], b_im, sum[j][0][v]);                                              \
        sum[j][1][v] = fma(m_im[v], b_re, sum[j][1][v]);                                               \
      }                                                                                                \
    }                                                                                                  \
  }
#endif

#if LOCAL > 1
#define GROUP_BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#else
#define GROUP_BARRIER
#endif

// T: [n'][iw][CH, SX][panel][column][part][WIDTH]. Groups: columns; tasks; panels, where KEEP.
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void multiply_rows(
    const __global double* rows, const __global double* wtilde, const __global double* I_eps,
    const __global int* igp_of_column, const __global double* v_of_column, const __global double* wx,
    const __global double* occ, __global double* T, int ncouls, int nw, int ncolumns, int panels, int first_band, int bands,
    int first_energy, int energies, int tasks, double gamma, double sexcut) {
  __local double a[COLUMNS * NP * BLOCK];
#if !KEEP
  __local double pairs[COLUMNS * FORM * BLOCK];
#endif
  const double gamma2 = gamma * gamma, sexcut2 = sexcut * sexcut;
  const int ln = get_local_id(0) % LN, lc = get_local_id(0) / LN;
  const int first_column = get_group_id(0) * COLUMNS, columns = get_num_groups(0) * COLUMNS;
  const long product = (long)columns * NP * WIDTH;  // of one panel
  rows += ln * VW;
  T += (long)(first_column + lc * CT) * NP * WIDTH + ln * VW;
  const __local double* mine = a + (long)lc * CT * NP * BLOCK;
  vd sum[CT][NP][V];
#if KEEP
  const int of = get_group_id(1), panel = get_group_id(2);
  const Task t = task_of(of, wx, occ, first_band, nw, first_energy, energies);
  if (t.exchange && !(t.f > 0)) return;
  rows += ((long)t.b * panels + panel) * ncouls * NP * WIDTH;
  CLEAR(sum);
  for (int row0 = 0; row0 < ncouls; row0 += BLOCK) {
    const int count = min(BLOCK, ncouls - row0);
    GROUP_BARRIER;
    make_block(wtilde, I_eps, igp_of_column, v_of_column, first_column, ncolumns, ncouls, row0, count, t, gamma2, sexcut2, a);
    GROUP_BARRIER;
    MULTIPLY(sum, rows + (long)row0 * NP * WIDTH, mine, BLOCK, count);
  }
  PUT(sum, T + ((long)of * panels + panel) * product);
#else
  const int begin = get_group_id(1) * tasks, end = min(begin + tasks, 2 * energies * bands);
  for (int row0 = 0; row0 < ncouls; row0 += BLOCK) {
    const int count = min(BLOCK, ncouls - row0);
    GROUP_BARRIER;
    keep_pairs(wtilde, I_eps, igp_of_column, v_of_column, first_column, ncolumns, ncouls, row0, count, pairs);
    for (int of = begin; of < end; ++of) {
      const Task t = task_of(of, wx, occ, first_band, nw, first_energy, energies);
      if (t.exchange && !(t.f > 0)) continue;
      GROUP_BARRIER;
      make_block(pairs, count, t, gamma2, sexcut2, a);
      GROUP_BARRIER;
      for (int panel = 0; panel < panels; ++panel) {
        const __global double* from = rows + (((long)t.b * panels + panel) * ncouls + row0) * NP * WIDTH;
        __global double* to = T + ((long)of * panels + panel) * product;
        if (row0 == 0) {
          CLEAR(sum);
        } else {
          FETCH(sum, to);
        }
        MULTIPLY(sum, from, mine, BLOCK, count);
        PUT(sum, to);
      }
    }
  }
#endif
}

// sums (+)= over all n' and columns: [iw][CH, SX][panel][m][part][WIDTH]. Groups: m; iw and CH or SX; panels.
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void multiply_columns(
    const __global double* T, const __global double* conjugates, const __global double* occ, __global double* sums,
    int columns, int first_band, int bands, int again) {
  const int ln = get_local_id(0) % LN, lc = get_local_id(0) / LN;
  const int m = (get_group_id(0) * LC + lc) * CT, externals = get_num_groups(0) * COLUMNS;
  const int of = get_group_id(1), all = get_num_groups(1), panel = get_group_id(2), panels = get_num_groups(2);
  __global double* to = sums + (((long)of * panels + panel) * externals + m) * NP * WIDTH + ln * VW;
  vd sum[CT][NP][V];
  if (again) {
    FETCH(sum, to);
  } else {
    CLEAR(sum);
  }
  for (int b = 0; b < bands; ++b) {
    if ((of & 1) && !(occ[first_band + b] > 0)) continue;
    const __global double* from = T + (((long)b * all + of) * panels + panel) * columns * NP * WIDTH + ln * VW;
    const __global double* factor = conjugates + ((long)b * externals + m) * NP * columns;
    MULTIPLY(sum, from, factor, columns, columns);
  }
  PUT(sum, to);
}

// One work-item for each n, m and iw.
__kernel void unpack(const __global double* sums, __global double* asx, __global double* ach, int nex, int externals,
                     int panels, int first_energy) {
  const int n = get_global_id(0), m = get_global_id(1), iw = get_global_id(2);
  const long at = 2 * (((long)(first_energy + iw) * nex + m) * nex + n);
  for (int exchange = 0; exchange < 2; ++exchange) {
    const __global double* from =
        sums + (((2L * iw + exchange) * panels + n / WIDTH) * externals + m) * NP * WIDTH + n % WIDTH;
    const double factor = exchange ? -1.0 : 0.5;
    __global double* to = (exchange ? asx : ach) + at;
    to[0] = factor * from[0];
    to[1] = NP == 2 ? factor * from[(NP - 1) * WIDTH] : 0.0;
  }
}
