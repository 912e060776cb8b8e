// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma at many energies, `energies=interpolated` (../pole_bins.hpp): the loop over modes collects moments of those of each bin of
// w, which serve all energies far from the bin. What is near a bin is summed over exactly, for NE = 3 energies at a time, the last of
// which may be one energy repeatedly. A list of infinite modes, whose w is one, has a single moment. Further build options:
//   AT_A_TIME      moments that a work-item keeps in registers
//   STILL          1: also static CH
//   BLOCK_COLUMNS  columns G' of a work-item
//
// tables, in doubles: low, high, centre and radius of each list, the infinite one included; edges of the bins; of each vector of bands
// the numbers of its bands among all external ones' (-1: none), and whether they are occupied, WIDTH each.
#define LISTS (BINS + 1)
#define EDGES (4 * LISTS)
#define VECTORS_AT (EDGES + BINS)
#define MOMENTS SUITE_GPP_MOMENTS
// Sums of a band: moments of the bins, the one of the infinite modes, static CH.
#define OF_INFINITE (BINS * MOMENTS * PARTS)
#define OF_STILL (OF_INFINITE + PARTS)
#define SUMS (OF_STILL + STILL * PARTS)
// Of a band near bins at NE energies: CH and SX, re and im.
#define NEAR_SUMS (4 * NE)
// Of a band at an energy and a list: c0 and u of the series at x and at -x.
#define FACTORS 4

// Modes of one column G' in one block of rows G: w, I v (times w where there is a pole), w^2; 1/w and T_j(t) from j = 1 on; the row.
// starts: where each list begins.
__kernel void sort_modes(const __global double* wtilde, const __global double* I_eps, const __global int* igp_of_column,
                         const __global double* v_of_column, const __global double* tables, __global double* modes,
                         __global double* basis, __global int* row_of_mode, __global int* starts, int ncouls, int block_rows, int first_column) {
  const int c = get_global_id(0), block = get_global_id(1), blocks = get_global_size(1);
  const int row0 = block * block_rows, rows = min(block_rows, ncouls - row0);
  const long at = (long)igp_of_column[first_column + c] * ncouls + row0, list = (long)c * blocks + block;
  const double v = v_of_column[first_column + c];
  const __global double* edges = tables + EDGES;
  wtilde += 2 * at;
  I_eps += PARTS * at;
  modes += list * block_rows * 4;
  basis += list * block_rows * MOMENTS;
  row_of_mode += list * block_rows;
  starts += list * (KINDS + 1);
  int start[KINDS + 1];
  for (int k = 0; k <= KINDS; ++k) start[k] = 0;
  for (int g = 0; g < rows; ++g) ++start[kind_of(wtilde[2 * g], edges) + 1];
  for (int k = 0; k <= KINDS; ++k) starts[k] = start[k] += k > 0 ? start[k - 1] : 0;
  for (int g = 0; g < rows; ++g) {
    const double w = wtilde[2 * g];
    const int kind = kind_of(w, edges), k = start[kind]++;
    const double scale = kind == NONE ? v : v * w;
#if REAL
    vstore4((double4)(w, scale * I_eps[g], 0.0, w * w), k, modes);
#else
    vstore4((double4)(w, scale * I_eps[2 * g], scale * I_eps[2 * g + 1], w * w), k, modes);
#endif
    row_of_mode[k] = (row0 + g) * PARTS * WIDTH;
    __global double* T = basis + k * MOMENTS;
    T[0] = kind == NONE ? 1.0 : 1 / w;
    if (kind >= BINS) continue;
    const double t = (w - tables[4 * kind + 2]) / tables[4 * kind + 3];
    double before = 1, here = t;
    for (int j = 1; j < MOMENTS; ++j) {
      T[j] = here;
      const double next = 2 * t * here - before;
      before = here;
      here = next;
    }
  }
}

// One vector of bands, BLOCK_COLUMNS columns, one block of rows. partial: [block of columns and rows][vector][SUMS][WIDTH].
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void sum_moments(
    const __global double* packed_rows, const __global double* packed_columns, const __global double* all_modes,
    const __global double* all_basis, const __global int* row_of_mode, const __global int* starts, const __global int* row_of_column,
    __global double* partial, int ncouls, int block_rows, int first_column, int columns, int first_block, int blocks, int again) {
  const int vector = get_group_id(0), vectors = get_num_groups(0), lane = get_local_id(0) * VW;
  const int column_block = get_global_id(1), block = first_block + (int)get_global_id(2);
  vd sums[SUMS];
  for (int s = 0; s < SUMS; ++s) sums[s] = 0.0;
  const __global double* rows = packed_rows + (long)vector * ncouls * PARTS * WIDTH + lane;
  const __global double* of_columns = packed_columns + (long)vector * ncouls * PARTS * WIDTH + lane;
  for (int j = column_block * BLOCK_COLUMNS; j < min((column_block + 1) * BLOCK_COLUMNS, columns); ++j) {
    const long list = (long)j * blocks + block;
    const __global double* m = of_columns + (long)row_of_column[first_column + j] * PARTS * WIDTH;
    const __global double* modes = all_modes + list * block_rows * 4;
    const __global double* basis = all_basis + list * block_rows * MOMENTS;
    const __global int* row_of = row_of_mode + list * block_rows;
    const __global int* count = starts + list * (KINDS + 1);
    vd still[PARTS];
#pragma unroll
    for (int p = 0; p < PARTS; ++p) still[p] = 0.0;
    for (int b = 0; b < BINS; ++b) {
      const int begin = FIRST(b), end = END(b);
      if (begin == end) continue;
#pragma unroll
      for (int first = 0; first < MOMENTS; first += AT_A_TIME) {
        vd U[AT_A_TIME][PARTS];
#pragma unroll
        for (int i = 0; i < AT_A_TIME; ++i)
#pragma unroll
          for (int p = 0; p < PARTS; ++p) U[i][p] = 0.0;
        for (int k = begin; k < end; ++k) {
          PRODUCT;
          const __global double* T = basis + k * MOMENTS + first;
#pragma unroll
          for (int i = 0; i < AT_A_TIME; ++i)
#pragma unroll
            for (int p = 0; p < PARTS; ++p) U[i][p] += first + i == 0 ? P[p] : P[p] * T[i];
#if STILL
          if (first == 0)
#pragma unroll
            for (int p = 0; p < PARTS; ++p) still[p] += P[p] * T[0];
#endif
        }
#pragma unroll
        for (int i = 0; i < AT_A_TIME; ++i) add_conjugate(U[i], m, sums + (b * MOMENTS + first + i) * PARTS);
      }
    }
    vd infinite[PARTS];
#pragma unroll
    for (int p = 0; p < PARTS; ++p) infinite[p] = 0.0;
    for (int k = FIRST(INFINITE); k < END(INFINITE); ++k) {
      PRODUCT;
#pragma unroll
      for (int p = 0; p < PARTS; ++p) infinite[p] += P[p];
#if STILL
#pragma unroll
      for (int p = 0; p < PARTS; ++p) still[p] += P[p] * basis[k * MOMENTS];
#endif
    }
    add_conjugate(infinite, m, sums + OF_INFINITE);
#if STILL
    for (int k = FIRST(NONE); k < END(NONE); ++k) {
      PRODUCT;
#pragma unroll
      for (int p = 0; p < PARTS; ++p) still[p] += P[p];
    }
    add_conjugate(still, m, sums + OF_STILL);
#endif
  }
  const long slot = (long)get_global_id(2) * get_global_size(1) + column_block;
  partial += (slot * vectors + vector) * SUMS * WIDTH + lane;
  for (int s = 0; s < SUMS; ++s) STORE(again ? LOAD(partial + s * WIDTH) + sums[s] : sums[s], partial + s * WIDTH);
}

// x of the NE energies of a group, for one band; far from all poles where there is no band.
static void energies_of(const __global double* wx, double band, int group, int nw, double* x) {
  for (int i = 0; i < NE; ++i) x[i] = band < 0 ? -1e3 : kept_off_zero(wx[(long)band * nw + min(group * NE + i, nw - 1)]);
}

// The series of every band, energy and list, and for each vector and NE energies the lists that are near some band, a bit each; the bit
// after theirs says whether some x is negative.
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void find_near(const __global double* tables, const __global double* wx,
                                                                           __global double* factors, __global int* near, int nw,
                                                                           double gamma, double sexcut) {
  const int vector = get_group_id(0), group = get_global_id(1), groups = get_global_size(1);
  const __global double* of_vector = tables + VECTORS_AT + vector * 2 * WIDTH;
  const long at = (long)vector * groups + group;
  int mask = 0;
  for (int lane = get_local_id(0) * VW; lane < (int)(get_local_id(0) + 1) * VW; ++lane) {
    const bool occupied = of_vector[WIDTH + lane] != 0;
    double x[NE];
    energies_of(wx, of_vector[lane], group, nw, x);
    for (int i = 0; i < NE; ++i) {
      mask |= (x[i] < 0) << LISTS;
      for (int b = 0; b < LISTS; ++b) {
        __global double* to = factors + ((at * NE + i) * LISTS + b) * FACTORS * WIDTH + lane;
        const double low = tables[4 * b], high = tables[4 * b + 1], c = tables[4 * b + 2], r = tables[4 * b + 3];
        struct Series ch = {0, 0, true}, sx = {0, 0, true};
        if (b == INFINITE) {
          ch.c0 = 1 / (x[i] - c);
          sx.c0 = 1 / (-x[i] - c);
        } else if (low <= high) {
          ch = series_of(x[i], c, r);
          if (occupied) sx = series_of(-x[i], c, r);
        }
        if (of_vector[lane] >= 0 && low <= high &&
            !(ch.holds && sx.holds && without_tests(x[i], low, high, occupied, gamma, sexcut)))
          mask |= 1 << b;
        to[0] = ch.c0;
        to[WIDTH] = ch.u;
        to[2 * WIDTH] = sx.c0;
        to[3 * WIDTH] = sx.u;
      }
    }
  }
#if LOCAL > 1
  __local int masks[LOCAL];
  masks[get_local_id(0)] = mask;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) > 0) return;
  for (int l = 1; l < LOCAL; ++l) mask |= masks[l];
#endif
  near[at] = mask;
}

// The lists near one vector of bands at NE energies. partial: [block of columns and rows][vector][group of energies][NEAR_SUMS][WIDTH].
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void sum_near(
    const __global double* packed_rows, const __global double* packed_columns, const __global double* all_modes,
    const __global int* row_of_mode, const __global int* starts, const __global int* row_of_column, const __global double* tables,
    const __global double* wx, const __global int* near, __global double* partial, int ncouls, int block_rows, int nw, int groups, int first_column,
    int columns, int first_block, int blocks, int occupied_vectors, double gamma, double sexcut, int again) {
  const int vector = get_group_id(0) / groups, group = get_group_id(0) % groups, lane = get_local_id(0) * VW;
  const int column_block = get_global_id(1), block = first_block + (int)get_global_id(2);
  const long slot = (long)get_global_id(2) * get_global_size(1) + column_block;
  partial += (slot * get_num_groups(0) + get_group_id(0)) * NEAR_SUMS * WIDTH + lane;
  const int mask = near[get_group_id(0)], lists = mask & ((1 << LISTS) - 1), occupied = vector < occupied_vectors;
  if (lists == 0 && again) return;
  vd x[NE], sums[NEAR_SUMS];
  double x_of_lane[VW][NE], of_energy[VW];
  for (int l = 0; l < VW; ++l) energies_of(wx, tables[VECTORS_AT + vector * 2 * WIDTH + lane + l], group, nw, x_of_lane[l]);
#pragma unroll
  for (int i = 0; i < NE; ++i) {
    for (int l = 0; l < VW; ++l) of_energy[l] = x_of_lane[l][i];
    x[i] = LOAD(of_energy);
  }
#pragma unroll
  for (int s = 0; s < NEAR_SUMS; ++s) sums[s] = 0.0;
  const __global double* rows = packed_rows + (long)vector * ncouls * PARTS * WIDTH + lane;
  const __global double* of_columns = packed_columns + (long)vector * ncouls * PARTS * WIDTH + lane;
  for (int j = column_block * BLOCK_COLUMNS; lists != 0 && j < min((column_block + 1) * BLOCK_COLUMNS, columns); ++j) {
    const long list = (long)j * blocks + block;
    const __global double* m = of_columns + (long)row_of_column[first_column + j] * PARTS * WIDTH;
    vd ch[NE][PARTS], sx[NE][PARTS];
#pragma unroll
    for (int i = 0; i < NE; ++i)
#pragma unroll
      for (int p = 0; p < PARTS; ++p) ch[i][p] = sx[i][p] = 0.0;
    near_modes(rows, all_modes + list * block_rows * 4, row_of_mode + list * block_rows, starts + list * (KINDS + 1), lists, occupied,
               mask >> LISTS, x, gamma, sexcut, ch, sx, 0);
#pragma unroll
    for (int i = 0; i < NE; ++i) {
      add_conjugate(ch[i], m, sums + 4 * i);
      if (occupied) add_conjugate(sx[i], m, sums + 4 * i + 2);
    }
  }
  for (int s = 0; s < NEAR_SUMS; ++s) STORE(again ? LOAD(partial + s * WIDTH) + sums[s] : sums[s], partial + s * WIDTH);
}

// The moments of all blocks together, in the place of the first one's; zeros where there is none.
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void add_blocks(__global double* partial, int slots) {
  const int vector = get_group_id(0), vectors = get_num_groups(0), lane = get_local_id(0) * VW;
  const long size = (long)vectors * SUMS * WIDTH;
  partial += (long)vector * SUMS * WIDTH + lane;
  for (int s = get_global_id(1); s < SUMS; s += get_global_size(1)) {
    vd sum = 0.0;
    for (int i = 0; i < slots; ++i) sum += LOAD(partial + i * size + s * WIDTH);
    STORE(sum, partial + s * WIDTH);
  }
}

// to += c0 (A_0 + 2 sum_{j>0} u^j A_j)
static void add_series(vd c0, vd u, const __global double* A, int count, vd* to) {
#pragma unroll
  for (int p = 0; p < PARTS; ++p) {
    vd h = 0.0;
    for (int j = count - 1; j > 0; --j) h = h * u + LOAD(A + (j * PARTS + p) * WIDTH);
    to[p] += c0 * (2 * u * h + LOAD(A + p * WIDTH));
  }
}

// CH and SX of one vector of bands at NE energies, and static CH: bands, [n' of all external bands][4 nw + 2].
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void put_together(
    const __global double* tables, const __global double* moments, const __global double* factors, const __global int* near,
    const __global double* near_partial, __global double* bands, int nw, int occupied_vectors, int slots) {
  const int vector = get_group_id(0), vectors = get_num_groups(0), lane = get_local_id(0) * VW;
  const int group = get_global_id(1), groups = get_global_size(1), occupied = vector < occupied_vectors;
  const long at = (long)vector * groups + group, size = (long)vectors * groups * NEAR_SUMS * WIDTH;
  const __global double* of_vector = tables + VECTORS_AT + vector * 2 * WIDTH + lane;
  moments += (long)vector * SUMS * WIDTH + lane;
  near_partial += at * NEAR_SUMS * WIDTH + lane;
  const vm is_occupied = LOAD(of_vector + WIDTH) != 0.0;
  for (int i = 0; i < NE && group * NE + i < nw; ++i) {
    vd V[2], T[2], value[4];
    V[0] = V[1] = T[0] = T[1] = 0.0;
    const __global double* factor = factors + (at * NE + i) * LISTS * FACTORS * WIDTH + lane;
    for (int b = 0; b < LISTS; ++b, factor += FACTORS * WIDTH) {
      if (near[at] >> b & 1) continue;
      const __global double* A = moments + b * MOMENTS * PARTS * WIDTH;
      const int count = b == INFINITE ? 1 : MOMENTS;
      add_series(LOAD(factor), LOAD(factor + WIDTH), A, count, V);
      if (occupied) add_series(LOAD(factor + 2 * WIDTH), LOAD(factor + 3 * WIDTH), A, count, T);
    }
    // The sum of 1/(x + w) is less that of 1/(-x - w).
    for (int p = 0; p < 2; ++p) {
      value[p] = V[p];
      value[2 + p] = 0.5 * (V[p] + T[p]);
    }
    for (int s = 0; s < 4; ++s)
      for (int slot = 0; slot < slots; ++slot) value[s] += LOAD(near_partial + slot * size + (4 * i + s) * WIDTH);
    for (int p = 0; p < 2; ++p) value[2 + p] = SEL(is_occupied, value[2 + p], (vd)(0.0));
    double lanes[4 * VW];
    for (int s = 0; s < 4; ++s) STORE(value[s], lanes + s * VW);
    for (int l = 0; l < VW; ++l)
      for (int s = 0; s < 4 && of_vector[l] >= 0; ++s)
        bands[(long)of_vector[l] * (4 * nw + 2) + 4 * (group * NE + i) + s] = lanes[s * VW + l];
  }
  for (int l = 0; group == 0 && l < VW; ++l)
    for (int p = 0; p < 2 && of_vector[l] >= 0; ++p)
      bands[(long)of_vector[l] * (4 * nw + 2) + 4 * nw + p] = STILL && p < PARTS ? moments[(OF_STILL + p) * WIDTH + l] : 0.0;
}
