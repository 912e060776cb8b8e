// SPDX-License-Identifier: BSD-3-Clause
// What bands.cl and moments.cl share: bands n' of all external bands are the lanes of vectors of WIDTH, VW of a work-item, and a mode
// w(G,G') is the same in all of them. Modes of a column G' in a block of rows G lie in lists by w. Further build options:
//   BINS        lists of finite modes
//   COMPACT     1: the lists of a column lie one behind the other, and counts are where they begin; 0: each has BLOCK_ROWS places, the
//               rows G of a block
//   STATIC      1: modes hold I v without w where they are finite
#define WIDTH (VW * LOCAL)
// Kinds of modes: finite ones by the edges that w exceeds, infinite ones, and those without a pole.
#define INFINITE BINS
#define NONE (BINS + 1)
#define KINDS (BINS + 2)
#if COMPACT
#define FIRST(b) count[b]
#define END(b) count[(b) + 1]
#else
#define FIRST(b) ((b) * BLOCK_ROWS)
#define END(b) ((b) * BLOCK_ROWS + count[b])
#endif

static int kind_of(double w, const __global double* edges) {
  int kind = 0;
#pragma unroll
  for (int b = 1; b < BINS; ++b) kind += w > edges[b];
  return w == 0 ? NONE : w == 1e12 ? INFINITE : kind;
}

// M of all bands as [vector][G][part][WIDTH]; zeros where a lane has no band. A work-item packs `step` rows G of one lane. tables: from
// first + vector stride on the numbers of a vector's bands among all external ones', -1 for none.
__kernel void pack_bands(const __global double* m, const __global double* tables, __global double* packed, int ncouls, int step,
                         int first, int stride) {
  const int vector = get_global_id(0), lane = get_global_id(1), row0 = get_global_id(2) * step;
  const int row1 = min(row0 + step, ncouls);
  const double band = tables[first + vector * stride + lane];
  packed += (long)vector * ncouls * PARTS * WIDTH + lane;
  m += (long)fmax(band, 0.0) * ncouls * PARTS;
  if (band < 0) {
    for (int i = row0 * PARTS; i < row1 * PARTS; ++i) packed[(long)i * WIDTH] = 0;
  } else {
    for (int i = row0 * PARTS; i < row1 * PARTS; ++i) packed[(long)i * WIDTH] = m[i];
  }
}

// P = a I for mode k.
#if REAL
#define PRODUCT                                 \
  const __global double* a = rows + row_of[k];  \
  const vd P[1] = {LOAD(a) * modes[4 * k + 1]}
#else
#define PRODUCT                                                         \
  const __global double* a = rows + row_of[k];                          \
  const vd a_re = LOAD(a), a_im = LOAD(a + WIDTH);                      \
  const vd P[2] = {a_re * modes[4 * k + 1] - a_im * modes[4 * k + 2],   \
                   a_re * modes[4 * k + 2] + a_im * modes[4 * k + 1]}
#endif

// r[i] = scale/D[i] from one division.
static void reciprocals(const vd* D, double scale, vd* r) {
#if NE == 1
  r[0] = (STATIC ? scale : 1.0) / D[0];
#elif NE == 2
  const vd q = (STATIC ? scale : 1.0) / (D[0] * D[1]);
  r[0] = q * D[1];
  r[1] = q * D[0];
#else
  const vd d01 = D[0] * D[1], q = (STATIC ? scale : 1.0) / (d01 * D[2]), q2 = q * D[2];
  r[2] = q * d01;
  r[0] = q2 * D[1];
  r[1] = q2 * D[0];
#endif
}

// Modes near a pole of one of the bands, in the lists that have a bit in `near`: branches as selections.
static void near_modes(const __global double* rows, const __global double* modes, const __global int* row_of,
                       const __global int* count, int near, int occupied, int cut, const vd* x, double gamma, double sexcut,
                       vd (*ch)[PARTS], vd (*sx)[PARTS], vd* still) {
  for (int b = 0; near >> b; ++b)
    for (int k = FIRST(b); (near >> b & 1) && k < END(b); ++k) {
      PRODUCT;
      const double w = modes[4 * k], limit = fmax(gamma * gamma, modes[4 * k + 3] * (1 / 2.5e5));
      vd S[NE], DS[NE], r[NE];
      vm A[NE];
#pragma unroll
      for (int i = 0; i < NE; ++i) {
        const vd D = x[i] - w;
        A[i] = D * D > limit;
        S[i] = x[i] + w;
        S[i] = SEL(S[i] == 0.0, (vd)(1e-100), S[i]);
        DS[i] = occupied ? SEL(A[i], D, (vd)(-2.0)) * S[i] : SEL(A[i], D, (vd)(1.0));
      }
      // Occupied: 1/(D S) in A, -1/(2 S) in B.
      reciprocals(DS, w, r);
#pragma unroll
      for (int i = 0; i < NE; ++i) {
        const vd f = SEL(A[i], occupied ? r[i] * S[i] : r[i], (vd)(0.0));
#pragma unroll
        for (int p = 0; p < PARTS; ++p) ch[i][p] += P[p] * f;
        if (occupied) {
          vd h = SEL(A[i], w * r[i], r[i]);
          if (cut) {
            const vd ssx = STATIC ? h : h * w;
            h = SEL((ssx * ssx > sexcut * sexcut) & (x[i] < 0.0), (vd)(0.0), h);
          }
#pragma unroll
          for (int p = 0; p < PARTS; ++p) sx[i][p] += P[p] * h;
        }
      }
#if STATIC
#pragma unroll
      for (int p = 0; p < PARTS; ++p) still[p] += P[p];
#endif
    }
}

// to += a conj(m)
static void add_conjugate(const vd* a, const __global double* m, vd* to) {
#if REAL
  to[0] += a[0] * LOAD(m);
#else
  const vd re = LOAD(m), im = LOAD(m + WIDTH);
  to[0] += a[0] * re + a[1] * im;
  to[1] += a[1] * re - a[0] * im;
#endif
}
