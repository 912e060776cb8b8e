// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma for real w >= 0 with results of single bands, on a processor: the sums of ../cpu/tile.hpp. The lanes of a vector are
// bands n', of all external bands, so that each has sums of its own and a mode w(G,G') is the same in all of them: the modes of a
// column G' are first put in order (take_apart), and those without a pole or with an infinite one need no reciprocal. With v(G')
// and, unless STATIC, w in I, and P = M_nn'(G) I:
//   empty bands       CH: P/D                                              D = x - w
//   occupied ones     R = P/(x^2 - w^2), S = w R:  CH: x R + S,  SX: S     in branch A
// Sums over G are multiplied by conj(M_mn'(G')) once for a column. Further build options:
//   STATIC         1: also static CH
//   CLOSE          1: energies close to each other: sums of P q D^k with q = 1/(product of the D_i)
//   BLOCK_COLUMNS  columns G' of a work-item
//
// tables, in doubles: edges of the bins; of each vector of bands: VW times the band's number among all external ones' (-1: none),
// whether it is occupied; above, below: the edges beyond which no mode needs a test; from x0 on, for the launch's energies: x and
// c (x^2 where a band is occupied, x where it is empty), [vector][NE][VW] each, and whether sexcut may matter, [vector]; from
// limits0 on the factors of I of an infinite mode, CH and SX, [vector][nw][VW] each.
#define NS (4 * NE + 2)
#define OF_VECTOR (2 * VW + 2)

// Modes of one column G' in one block of rows G, a list for each kind: w, I v (times w where it is finite, unless STATIC), w^2;
// the row of each, and how many there are.
__kernel void take_apart(const __global double* wtilde, const __global double* I_eps, const __global int* igp_of_column,
                         const __global double* v_of_column, const __global double* edges, __global double* modes,
                         __global int* row_of_mode, __global int* counts, int ncouls, int first_column) {
  const int c = get_global_id(0), block = get_global_id(1), blocks = get_global_size(1);
  const int row0 = block * BLOCK_ROWS, rows = min(BLOCK_ROWS, ncouls - row0);
  const long at = (long)igp_of_column[first_column + c] * ncouls + row0, list = (long)c * blocks + block;
  const double v = v_of_column[first_column + c];
  wtilde += 2 * at;
  I_eps += PARTS * at;
  modes += list * KINDS * BLOCK_ROWS * 4;
  row_of_mode += list * KINDS * BLOCK_ROWS;
  int count[KINDS];
  for (int k = 0; k < KINDS; ++k) count[k] = 0;
  for (int g = 0; g < rows; ++g) {
    const double w = wtilde[2 * g];
    const int kind = kind_of(w, edges);
    const double scale = kind < BINS && !STATIC ? v * w : v;
    const int k = kind * BLOCK_ROWS + count[kind]++;
#if REAL
    vstore4((double4)(w, scale * I_eps[g], 0.0, w * w), k, modes);
#else
    vstore4((double4)(w, scale * I_eps[2 * g], scale * I_eps[2 * g + 1], w * w), k, modes);
#endif
    row_of_mode[k] = (row0 + g) * PARTS * VW;
  }
  for (int k = 0; k < KINDS; ++k) counts[list * KINDS + k] = count[k];
}

// Modes that need no test: to += M I/(c - e), and, occupied, to_w += M I w/(c - e), with e = w^2 where a band is occupied, else w.
static inline __attribute__((always_inline)) void far_modes(const __global double* rows, const __global double* modes,
                                                            const __global int* row_of, const __global int* count, int above, int below,
                                                            int occupied, const vd* c, vm squared, vd (*to)[PARTS], vd (*to_w)[PARTS],
                                                            vd* still) {
  vd U[NE][PARTS], W[NE][PARTS];
#pragma unroll
  for (int i = 0; i < NE; ++i)
#pragma unroll
    for (int p = 0; p < PARTS; ++p) U[i][p] = W[i][p] = 0.0;
  for (int b = 0; b < BINS; ++b)
    for (int k = b * BLOCK_ROWS; (b >= above || b < below) && k < b * BLOCK_ROWS + count[b]; ++k) {
      PRODUCT;
      const double w = modes[4 * k];
      const vd e = occupied ? SEL(squared, (vd)(modes[4 * k + 3]), (vd)(w)) : (vd)(w);
      vd D[NE];
#pragma unroll
      for (int i = 0; i < NE; ++i) D[i] = c[i] - e;
#if CLOSE
#if NE == 1
      const vd q = (STATIC ? w : 1.0) / D[0];
#elif NE == 2
      const vd q = (STATIC ? w : 1.0) / (D[0] * D[1]);
#else
      const vd q = (STATIC ? w : 1.0) / (D[0] * D[1] * D[2]);
#endif
#pragma unroll
      for (int p = 0; p < PARTS; ++p) {
        vd term = P[p] * q;
#pragma unroll
        for (int i = 0; i < NE; ++i) {
          if (i > 0) term *= D[NE / 3];
          U[i][p] += term;
          if (occupied) W[i][p] += term * w;
        }
      }
#else
      vd r[NE];
      reciprocals(D, w, r);
#pragma unroll
      for (int i = 0; i < NE; ++i)
#pragma unroll
        for (int p = 0; p < PARTS; ++p) {
          const vd term = P[p] * r[i];
          U[i][p] += term;
          if (occupied) W[i][p] += term * w;
        }
#endif
#if STATIC
#pragma unroll
      for (int p = 0; p < PARTS; ++p) still[p] += P[p];
#endif
    }
#if CLOSE && NE > 1
  // 1/D_0 = q (D + d_1), 1/D_1 = q D of two energies, D = D_0; of three, D = D_1:
  // 1/D_0 = q D (D + d_2), 1/D_1 = q (D + d_0)(D + d_2), 1/D_2 = q D (D + d_0).
#define SEPARATE(U, to, p)                                               \
  if (NE == 2) {                                                         \
    to[0][p] += U[1][p] + (c[1] - c[0]) * U[0][p];                       \
    to[1][p] += U[1][p];                                                 \
  } else {                                                               \
    const vd d0 = c[0] - c[1], d2 = c[NE - 1] - c[1];                    \
    to[0][p] += U[NE - 1][p] + d2 * U[1][p];                             \
    to[1][p] += U[NE - 1][p] + (d0 + d2) * U[1][p] + d0 * d2 * U[0][p];  \
    to[NE - 1][p] += U[NE - 1][p] + d0 * U[1][p];                        \
  }
#else
#define SEPARATE(U, to, p) \
  for (int i = 0; i < NE; ++i) to[i][p] += U[i][p]
#endif
#pragma unroll
  for (int p = 0; p < PARTS; ++p) {
    SEPARATE(U, to, p);
    if (occupied) {
      SEPARATE(W, to_w, p);
    }
  }
}

static inline __attribute__((always_inline)) void column_sums(const __global double* rows, const __global double* m,
                                                              const __global double* modes, const __global int* row_of,
                                                              const __global int* count, int occupied, int above, int below, int cut,
                                                              const vd* x, const vd* c, vm squared, double gamma, double sexcut,
                                                              vd* sums, vd* infinite_sums) {
  vd ch[NE][PARTS], sx[NE][PARTS], still[PARTS], infinite[PARTS];
#pragma unroll
  for (int p = 0; p < PARTS; ++p) {
    still[p] = infinite[p] = 0.0;
#pragma unroll
    for (int i = 0; i < NE; ++i) ch[i][p] = sx[i][p] = 0.0;
  }
  far_modes(rows, modes, row_of, count, above, below, occupied, c, squared, ch, sx, still);
  if (occupied)
#pragma unroll
    for (int i = 0; i < NE; ++i)
#pragma unroll
      for (int p = 0; p < PARTS; ++p) ch[i][p] = SEL(squared, x[i] * ch[i][p] + sx[i][p], ch[i][p]);
  near_modes(rows, modes, row_of, count, ((1 << above) - 1) & ~((1 << below) - 1), occupied, cut, x, gamma, sexcut, ch, sx, still);
  for (int k = INFINITE * BLOCK_ROWS; k < INFINITE * BLOCK_ROWS + count[INFINITE]; ++k) {
    PRODUCT;
#pragma unroll
    for (int p = 0; p < PARTS; ++p) infinite[p] += P[p];
  }
#pragma unroll
  for (int i = 0; i < NE; ++i) {
    add_conjugate(ch[i], m, sums + 4 * i);
    if (occupied) add_conjugate(sx[i], m, sums + 4 * i + 2);
  }
  add_conjugate(infinite, m, infinite_sums);
#if STATIC
  for (int k = NONE * BLOCK_ROWS; k < NONE * BLOCK_ROWS + count[NONE]; ++k) {
    PRODUCT;
#pragma unroll
    for (int p = 0; p < PARTS; ++p) still[p] += P[p];
  }
#pragma unroll
  for (int p = 0; p < PARTS; ++p) still[p] += infinite[p];
  add_conjugate(still, m, sums + 4 * NE);
#endif
}

// One vector of bands, BLOCK_COLUMNS columns, one block of rows. partial: [external][block of columns and rows][n'][NS].
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void sum_bands(
    const __global double* packed_rows, const __global double* packed_columns, const __global double* modes,
    const __global int* row_of_mode, const __global int* counts, const __global int* row_of_column, const __global double* tables,
    __global double* partial, int ncouls, int nb, int nw, int iw0, int x0, int limits0, int first_column, int columns,
    int occupied_vectors, double gamma, double sexcut) {
  const int vector = get_global_id(0), vectors = get_global_size(0);
  const int column_block = get_global_id(1), block = get_global_id(2), blocks = get_global_size(2);
  const __global double* of_vector = tables + BINS + vector * OF_VECTOR;
  const __global double* x_table = tables + x0 + vector * NE * VW;
  const __global double* c_table = x_table + vectors * NE * VW;
  const int above = (int)of_vector[2 * VW], below = (int)of_vector[2 * VW + 1];
  const int cut = tables[x0 + 2 * vectors * NE * VW + vector] != 0, occupied = vector < occupied_vectors;
  const vm squared = LOAD(of_vector + VW) != 0.0;
  vd x[NE], c[NE], sums[NS], infinite[2];
#pragma unroll
  for (int i = 0; i < NE; ++i) {
    x[i] = LOAD(x_table + i * VW);
    c[i] = LOAD(c_table + i * VW);
  }
#pragma unroll
  for (int s = 0; s < NS; ++s) sums[s] = 0.0;
  infinite[0] = infinite[1] = 0.0;
  const __global double* rows = packed_rows + (long)vector * ncouls * PARTS * VW;
  const __global double* of_columns = packed_columns + (long)vector * ncouls * PARTS * VW;
  for (int j = column_block * BLOCK_COLUMNS; j < min((column_block + 1) * BLOCK_COLUMNS, columns); ++j) {
    const long list = (long)j * blocks + block;
    const __global double* m = of_columns + (long)row_of_column[first_column + j] * PARTS * VW;
    const __global double* of_list = modes + list * KINDS * BLOCK_ROWS * 4;
    const __global int* row_of = row_of_mode + list * KINDS * BLOCK_ROWS;
    if (occupied)
      column_sums(rows, m, of_list, row_of, counts + list * KINDS, 1, above, below, cut, x, c, squared, gamma, sexcut, sums, infinite);
    else
      column_sums(rows, m, of_list, row_of, counts + list * KINDS, 0, above, below, 0, x, c, squared, gamma, sexcut, sums, infinite);
  }
  const __global double* ch_limit = tables + limits0 + ((long)vector * nw + iw0) * VW;
  const __global double* sx_limit = ch_limit + (long)vectors * nw * VW;
#pragma unroll
  for (int i = 0; i < NE; ++i)
#pragma unroll
    for (int p = 0; p < PARTS; ++p) {
      sums[4 * i + p] += LOAD(ch_limit + i * VW) * infinite[p];
      sums[4 * i + 2 + p] = SEL(squared, sums[4 * i + 2 + p] + LOAD(sx_limit + i * VW) * infinite[p], (vd)(0.0));
    }
  double lanes[NS * VW];
#pragma unroll
  for (int s = 0; s < NS; ++s) STORE(sums[s], lanes + s * VW);
  const int place = column_block * blocks + block, places = get_global_size(1) * blocks;
  for (int l = 0; l < VW; ++l) {
    const int band = (int)of_vector[l];
    if (band < 0) continue;
    __global double* to = partial + (((long)(band / nb) * places + place) * nb + band % nb) * NS;
    for (int s = 0; s < NS; ++s) to[s] = lanes[s * VW + l];
  }
}
