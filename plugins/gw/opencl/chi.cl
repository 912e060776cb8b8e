// SPDX-License-Identifier: BSD-3-Clause
// gw.chi, as ../cpu/chi.cpp has it: a slab of pairs is packed into panels of rows and of columns, the latter scaled, and an item sums tiles
// of V vectors of rows and CT columns. Further build options: P, numbers of an element of M; V; CT.
#define WIDTH (V * VW)  // rows of a panel

// M of a slab of pairs: a panel's elements of one pair at panel*panel_step + k*pair_step, real parts before imaginary ones; zeros behind the
// last row.
KERNEL void pack_pair_rows(__global const double* aqs, __global const int* pairs, __global double* rows, int ncouls, int first, int some,
                           int row_panels, long panel_step, long pair_step) {
  for (int at = SHARE_BEGIN(1, row_panels) + ITEM; at < SHARE_END(1, row_panels); at += LOCAL)
    for (int k = 0; k < some; ++k) {
      __global const double* from = aqs + (size_t)pairs[first + k] * ncouls * P;
      __global double* to = rows + at * panel_step + k * pair_step;
      for (int i = 0; i < WIDTH; ++i) {
        const int ig = at * WIDTH + i;
        for (int p = 0; p < P; ++p) to[p * WIDTH + i] = ig < ncouls ? from[(size_t)ig * P + p] : 0.0;
      }
    }
}

// factor conj(M): [panel][k][column][part], zeros for padding and behind the last column. A factor is one number if they are real, else two.
KERNEL void pack_pair_columns(__global const double* aqs, __global const int* pairs, __global const int* columns,
                              __global const double* factors, __global double* to, int ncouls, int ngpown, int first, int some,
                              int column_panels, int slab, long first_factor, int real_factor) {
  factors += first_factor + (size_t)first * (real_factor ? 1 : 2);
  for (int at = SHARE_BEGIN(1, column_panels) + ITEM; at < SHARE_END(1, column_panels); at += LOCAL)
    for (int c = 0; c < CT; ++c) {
      const int igp = at * CT + c, g = igp < ngpown ? columns[igp] : -1;
      for (int k = 0; k < some; ++k) {
        const double f_re = factors[real_factor ? k : 2 * k], f_im = real_factor ? 0.0 : factors[2 * k + 1];
        __global const double* m = aqs + ((size_t)pairs[first + k] * ncouls + (g < 0 ? 0 : g)) * P;
        __global double* element = to + (((size_t)at * slab + k) * CT + c) * P;
        const double re = g < 0 ? 0.0 : m[0];
#if P == 2
        const double im = g < 0 ? 0.0 : m[1];
        element[0] = f_re * re + f_im * im;
        element[1] = f_im * re - f_re * im;
#else
        element[0] = f_re * re;
#endif
      }
    }
}

// One element of chi. Of a Hermitian matrix those below the diagonal are summed; the diagonal is real to the last bit.
static void add_element(__global double* chi, int ncouls, int ig, int igp, double re, double im, int hermitian) {
  __global double* to = chi + ((size_t)igp * ncouls + ig) * P;
  __global double* mirrored = chi + ((size_t)ig * ncouls + igp) * P;
  if (hermitian && ig < igp) return;
  to[0] += re;
  if (hermitian && ig > igp) mirrored[0] += re;
#if P == 2
  if (hermitian && ig == igp) return;
  to[1] += im;
  if (hermitian) mirrored[1] -= im;
#endif
}

// Tiles in an order in which `block` panels of rows stay in a cache, for each panel of columns.
KERNEL void multiply_pairs(__global const double* rows, __global const double* packed, __global double* chi, int ncouls, int ngpown, int some,
                           int row_panels, int column_panels, int block, int slab, long panel_step, long pair_step, long first_element,
                           int hermitian) {
  const int blocks = (row_panels + block - 1) / block, all = blocks * column_panels * block;
  chi += first_element;
  for (int at = SHARE_BEGIN(1, all) + ITEM; at < SHARE_END(1, all); at += LOCAL) {
    const int row = at / block / column_panels * block + at % block, column = at / block % column_panels;
    if (row >= row_panels || (hermitian && (row + 1) * WIDTH <= column * CT)) continue;
    __global const double* a = rows + row * panel_step;
    __global const double* b = packed + (size_t)column * slab * CT * P;
    vd sum[CT][P][V];
    UNROLL for (int c = 0; c < CT; ++c) UNROLL for (int p = 0; p < P; ++p) UNROLL for (int v = 0; v < V; ++v) sum[c][p][v] = 0.0;
    for (int k = 0; k < some; ++k, a += pair_step, b += CT * P) {
      vd a_re[V];
      UNROLL for (int v = 0; v < V; ++v) a_re[v] = LOAD(a + v * VW);
#if P == 2
      vd a_im[V];
      UNROLL for (int v = 0; v < V; ++v) a_im[v] = LOAD(a + WIDTH + v * VW);
#endif
      UNROLL for (int c = 0; c < CT; ++c) {
        const vd b_re = (vd)(b[c * P]);
        UNROLL for (int v = 0; v < V; ++v) sum[c][0][v] = fma(a_re[v], b_re, sum[c][0][v]);
#if P == 2
        const vd b_im = (vd)(b[c * P + 1]);
        UNROLL for (int v = 0; v < V; ++v) {
          sum[c][1][v] = fma(a_re[v], b_im, sum[c][1][v]);
          sum[c][0][v] = fma(-a_im[v], b_im, sum[c][0][v]);
          sum[c][1][v] = fma(a_im[v], b_re, sum[c][1][v]);
        }
#endif
      }
    }
    UNROLL for (int c = 0; c < CT; ++c) {
      const int igp = column * CT + c;
      double re[WIDTH], im[WIDTH];
      UNROLL for (int v = 0; v < V; ++v) {
        STORE(sum[c][0][v], re + v * VW);
        STORE(sum[c][P - 1][v], im + v * VW);
      }
      if (igp >= ngpown) continue;
      for (int i = 0; i < WIDTH && row * WIDTH + i < ncouls; ++i) add_element(chi, ncouls, row * WIDTH + i, igp, re[i], im[i], hermitian);
    }
  }
}
