// SPDX-License-Identifier: BSD-3-Clause
// dfpt.rho and dfpt.h, the fastest versions: products of small matrices, batch by batch, in register tiles of
// TILE_ROWS rows, a number at a time, by TILE_VECTORS vectors. chi has the functions of a point side by side, so
// that its rows are read as they lie; P and H being symmetric, only n <= m counts, and twice off the diagonal.
// The part of P or H that belongs to a segment (../segments.hpp) lies in the group's own memory, rows m of
// columns n <= m, padded to `ld`. Sums over segments are added to H in their order: the same bits each time.
//   batch    of each: first point, points, first in list, functions; wave_at: where its chi begin
//   place    in its segment, of each entry of the list; list, function: of the basis, from 0
#define TILE_VECTORS 3
#if VW == 4
#define TILE_ROWS 4
#else
#define TILE_ROWS 8
#endif
#define TILE_WIDTH (TILE_VECTORS * VW)
#define TILES(n, edge) (((n) + (edge) - 1) / (edge))

#define CLEAR(sum) \
  UNROLL for (int r = 0; r < TILE_ROWS; ++r) UNROLL for (int v = 0; v < TILE_VECTORS; ++v) sum[r][v] = 0
// sum(r,v) += sum_k a(r,k) b(k,v); expressions of r and k, and a row of b of k.
#define MULTIPLY(sum, first, last, a, b)                                                \
  for (int k = (first); k < (last); ++k) {                                              \
    vd x[TILE_VECTORS];                                                                 \
    UNROLL for (int v = 0; v < TILE_VECTORS; ++v) x[v] = LOAD((b) + v * VW);            \
    UNROLL for (int r = 0; r < TILE_ROWS; ++r) {                                        \
      const double factor = (a);                                                        \
      UNROLL for (int v = 0; v < TILE_VECTORS; ++v) sum[r][v] += factor * x[v];         \
    }                                                                                   \
  }

typedef struct {
  int first_point, points, first, n;
  size_t wave;
} piece;
static piece piece_of(__global const int* batch, __global const ulong* wave_at, int b) {
  piece p;
  p.first_point = batch[4 * b];
  p.points = batch[4 * b + 1];
  p.first = batch[4 * b + 2];
  p.n = batch[4 * b + 3];
  p.wave = wave_at[b];
  return p;
}

// Where the rows of points p, p+1, .. begin; beyond the last one it is the last one's again.
#define POINT_ROWS(chi, b, p)               \
  __global const double* row[TILE_ROWS];    \
  UNROLL for (int r = 0; r < TILE_ROWS; ++r) row[r] = (chi) + (size_t)min((p) + r, (b).points - 1) * (b).n

// VW neighbours in a list follow each other in what it points to.
static int follow(__global const int* place, int rest) { return rest >= VW && place[VW - 1] - place[0] == VW - 1; }

// Densities from matrices.

// Rows m of the segment's P: 2 P(n,m) for n < m, P(m,m), and 0 up to ld.
static void read_part(__global const double* P, __global const int* function, int n_functions, int n_basis, int ld,
                      __global double* part) {
  FOR_EACH(m, n_functions) {
    __global double* row = part + (size_t)m * ld;
    __global const double* column = P + (size_t)n_basis * function[m];
    int n = 0;
    while (n < m) {
      if (follow(function + n, m - n)) {
        STORE(2 * LOAD(column + function[n]), row + n);
        n += VW;
      } else {
        row[n] = 2 * column[function[n]];
        ++n;
      }
    }
    row[m] = column[function[m]];
    for (n = m + 1; n < ld; ++n) row[n] = 0;
  }
}

// Rows k of a batch's matrix from column n0 on, `from` the first that has any.
static void read_panel(__global const double* part, int ld, __global const int* place, int n, int from, int n0,
                       __global double* panel) {
  for (int k = from + ITEM; k < n; k += LOCAL) {
    __global const double* row = part + (size_t)place[k] * ld;
    __global double* to = panel + (size_t)k * TILE_WIDTH;
    for (int v = 0; v < TILE_WIDTH; v += VW) {
      if (follow(place + n0 + v, n - n0 - v))
        STORE(LOAD(row + place[n0 + v]), to + v);
      else
        for (int l = v; l < v + VW; ++l) to[l] = n0 + l < n ? row[place[n0 + l]] : 0;
    }
  }
}

// Of one batch and direction; sums: a vector for each point.
static void density_of_batch(__global const double* chi, piece b, __global const int* place,
                             __global const double* part, int ld, __global double* panel, __global double* sums,
                             __global double* rho) {
  for (int n0 = 0; n0 < b.n; n0 += TILE_WIDTH) {
    read_panel(part, ld, place, b.n, n0, n0, panel);
    BARRIER;
    FOR_EACH(tile, TILES(b.points, TILE_ROWS)) {
      const int p = tile * TILE_ROWS;
      vd sum[TILE_ROWS][TILE_VECTORS];
      CLEAR(sum);
      POINT_ROWS(chi, b, p);
      MULTIPLY(sum, n0, b.n, row[r][k], panel + (size_t)k * TILE_WIDTH)
      UNROLL for (int r = 0; r < TILE_ROWS; ++r) {
        __global double* to = sums + (size_t)(p + r) * VW;
        vd total = n0 ? LOAD(to) : (vd)0;
        UNROLL for (int v = 0; v < TILE_VECTORS; ++v)
          if (n0 + v * VW < b.n) total += sum[r][v] * load_first(row[r] + n0 + v * VW, b.n - n0 - v * VW);
        STORE(total, to);
      }
    }
    BARRIER;
  }
  FOR_EACH(p, b.points) rho[p] = b.n ? sum_of(LOAD(sums + (size_t)p * VW)) : 0;
  BARRIER;
}

KERNEL void rho_of_matrices(__global const int* batch, __global const ulong* wave_at, __global const int* place,
                            __global const int* segment_batch, __global const int* segment_function,
                            __global const int* function, __global const double* wave, __global const double* P,
                            __global double* rho, __global double* workspace, ulong workspace_size, int part_size,
                            int panel_size, int n_segments, int n_basis, int n_points, int n_dir) {
  __global double* part = workspace + workspace_size * get_global_id(1);
  __global double* panel = part + (size_t)part_size * n_dir;
  for (int s = SHARE_BEGIN(1, n_segments); s < SHARE_END(1, n_segments); ++s) {
    const int n_functions = segment_function[s + 1] - segment_function[s], ld = PADDED(n_functions);
    for (int d = 0; d < n_dir; ++d)
      read_part(P + (size_t)n_basis * n_basis * d, function + segment_function[s], n_functions, n_basis, ld,
                part + (size_t)part_size * d);
    BARRIER;
    for (int i = segment_batch[s]; i < segment_batch[s + 1]; ++i) {
      const piece b = piece_of(batch, wave_at, i);
      for (int d = 0; d < n_dir; ++d)
        density_of_batch(wave + b.wave, b, place + b.first, part + (size_t)part_size * d, ld, panel, panel + panel_size,
                         rho + (size_t)n_points * d + b.first_point);
    }
  }
}

// Orbitals.

// Coefficients with the orbitals of a function side by side, 0 up to ldo.
KERNEL void turn_orbitals(__global const double* C, __global double* turned, int n_basis, int n_occ, int ldo,
                          int matrices) {
  for (int m = SHARE_BEGIN(1, n_basis * matrices); m < SHARE_END(1, n_basis * matrices); ++m) {
    __global const double* from = C + (size_t)(m / n_basis) * n_basis * n_occ + m % n_basis;
    FOR_EACH(i, ldo) turned[(size_t)m * ldo + i] = i < n_occ ? from[(size_t)n_basis * i] : 0;
  }
}

// Orbitals i0, i0+1, .. of points p, p+1, ..
#define ORBITALS(sum, chi, b, list, p, turned, ldo, i0) \
  CLEAR(sum);                                           \
  POINT_ROWS(chi, b, p);                                \
  MULTIPLY(sum, 0, (b).n, row[r][k], (turned) + (size_t)list[k] * (ldo) + (i0))

// psi: [tile of orbitals][point][TILE_WIDTH]
static void orbitals_of_batch(__global const double* chi, piece b, __global const int* list,
                              __global const double* turned, int ldo, int i0, __global double* psi) {
  FOR_EACH(tile, TILES(b.points, TILE_ROWS)) {
    const int p = tile * TILE_ROWS;
    vd sum[TILE_ROWS][TILE_VECTORS];
    ORBITALS(sum, chi, b, list, p, turned, ldo, i0)
    UNROLL for (int r = 0; r < TILE_ROWS; ++r) UNROLL for (int v = 0; v < TILE_VECTORS; ++v)
      STORE(sum[r][v], psi + (size_t)(p + r) * TILE_WIDTH + v * VW);
  }
}

// sums(p) += psi psi1, psi1 from `turned`; psi itself where first is 0.
static void add_products(__global const double* chi, piece b, __global const int* list, __global const double* turned,
                         int ldo, int i0, __global const double* psi, int first, __global double* sums) {
  FOR_EACH(tile, TILES(b.points, TILE_ROWS)) {
    const int p = tile * TILE_ROWS;
    vd sum[TILE_ROWS][TILE_VECTORS];
    if (first) {
      ORBITALS(sum, chi, b, list, p, turned, ldo, i0)
    } else {
      UNROLL for (int r = 0; r < TILE_ROWS; ++r) UNROLL for (int v = 0; v < TILE_VECTORS; ++v)
        sum[r][v] = LOAD(psi + (size_t)(p + r) * TILE_WIDTH + v * VW);
    }
    UNROLL for (int r = 0; r < TILE_ROWS; ++r) {
      vd total = i0 ? LOAD(sums + (size_t)(p + r) * VW) : (vd)0;
      UNROLL for (int v = 0; v < TILE_VECTORS; ++v)
        total += sum[r][v] * LOAD(psi + (size_t)(p + r) * TILE_WIDTH + v * VW);
      STORE(total, sums + (size_t)(p + r) * VW);
    }
  }
}

// first: there are first-order orbitals. points_room: points of a batch, in whole tiles.
KERNEL void rho_of_orbitals(__global const int* batch, __global const ulong* wave_at, __global const int* list,
                            __global const double* wave, __global const double* C, __global const double* C1,
                            __global double* rho, __global double* workspace, ulong workspace_size, int points_room, int first,
                            int n_batches, int n_basis, int ldo, int n_points, int n_dir) {
  __global double* psi = workspace + workspace_size * get_global_id(1);
  __global double* sums = psi + (size_t)points_room * TILE_WIDTH;
  for (int i = SHARE_BEGIN(1, n_batches); i < SHARE_END(1, n_batches); ++i) {
    const piece b = piece_of(batch, wave_at, i);
    for (int i0 = 0; i0 < ldo; i0 += TILE_WIDTH) {
      orbitals_of_batch(wave + b.wave, b, list + b.first, C, ldo, i0, psi);
      BARRIER;
      for (int d = 0; d < n_dir; ++d)
        add_products(wave + b.wave, b, list + b.first, C1 + (size_t)n_basis * ldo * d, ldo, i0, psi, first,
                     sums + (size_t)points_room * VW * d);
      BARRIER;
    }
    for (int d = 0; d < n_dir; ++d)
      FOR_EACH(p, b.points)
        rho[(size_t)n_points * d + b.first_point + p] =
            (first ? 4 : 2) * sum_of(LOAD(sums + ((size_t)points_room * d + p) * VW));
    BARRIER;
  }
}

// Integrals.

// W v chi of a batch in blocks of rows: [block][point][TILE_ROWS], 0 beyond the functions.
static void scale_rows(__global const double* chi, piece b, __global const double* W, __global const double* v,
                       int has_v, double factor, __global double* scaled) {
  FOR_EACH(t, TILES(b.n, TILE_ROWS) * b.points) {
    const int p = t % b.points, m0 = t / b.points * TILE_ROWS;
    const double weight = factor * W[p] * (has_v ? v[p] : 1);
    __global const double* from = chi + (size_t)p * b.n + m0;
    for (int r = 0; r < TILE_ROWS; ++r) scaled[(size_t)t * TILE_ROWS + r] = m0 + r < b.n ? weight * from[r] : 0;
  }
}

// [point][TILE_WIDTH]
static void read_columns(__global const double* chi, piece b, int n0, __global double* panel) {
  FOR_EACH(p, b.points)
    for (int v = 0; v < TILE_WIDTH; v += VW)
      STORE(n0 + v < b.n ? load_first(chi + (size_t)p * b.n + n0 + v, b.n - n0 - v) : (vd)0,
            panel + (size_t)p * TILE_WIDTH + v);
}

// Row m of the segment's H takes a tile's row.
static void add_row(const vd* sum, __global const int* place, int n, int n0, __global double* row) {
  UNROLL for (int v = 0; v < TILE_VECTORS; ++v) {
    const int n1 = n0 + v * VW;
    if (n1 >= n) continue;
    if (follow(place + n1, n - n1)) {
      __global double* to = row + place[n1];
      STORE(LOAD(to) + sum[v], to);
    } else {
      double x[VW];
      STORE(sum[v], x);
      for (int l = 0; l < VW && n1 + l < n; ++l) row[place[n1 + l]] += x[l];
    }
  }
}

static void matrix_of_batch(piece b, __global const int* place, __global const double* scaled, size_t scaled_size,
                            __global const double* panel, int panel_size, int sides, int n0, __global double* part,
                            int ld) {
  const int blocks = TILES(b.n, TILE_ROWS);
  for (int block = n0 / TILE_ROWS + ITEM; block < blocks; block += LOCAL) {
    vd sum[TILE_ROWS][TILE_VECTORS];
    CLEAR(sum);
    for (int side = 0; side < sides; ++side) {
      __global const double* a = scaled + scaled_size * side + (size_t)block * b.points * TILE_ROWS;
      __global const double* x0 = panel + (size_t)panel_size * (sides - 1 - side);
      MULTIPLY(sum, 0, b.points, a[(size_t)k * TILE_ROWS + r], x0 + (size_t)k * TILE_WIDTH)
    }
    UNROLL for (int r = 0; r < TILE_ROWS; ++r) {
      const int m = block * TILE_ROWS + r;
      if (m < b.n) add_row(sum[r], place, b.n, n0, part + (size_t)place[m] * ld);
    }
  }
}

// One group for each segment from `first_segment` on. sides: 2 with wave_right.
KERNEL void h_of_segments(__global const int* batch, __global const ulong* wave_at, __global const int* place,
                          __global const int* segment_batch, __global const int* segment_function,
                          __global const double* wave, __global const double* wave_right, int sides,
                          __global const double* W, __global const double* v, int has_v, __global double* parts,
                          ulong parts_size, int part_size, __global double* workspace, ulong workspace_size, ulong scaled_size,
                          int panel_size, int first_segment, int n_segments, int n_points, int n_dir) {
  __global double* scaled = workspace + workspace_size * get_global_id(1);
  __global double* panel = scaled + scaled_size * sides;
  for (int i = SHARE_BEGIN(1, n_segments); i < SHARE_END(1, n_segments); ++i) {
    const int s = first_segment + i, n_functions = segment_function[s + 1] - segment_function[s],
              ld = PADDED(n_functions);
    __global double* part = parts + parts_size * i;
    for (int d = 0; d < n_dir; ++d)
      FOR_EACH(t, n_functions * (ld / VW)) STORE((vd)0, part + (size_t)part_size * d + (size_t)t * VW);
    BARRIER;
    for (int j = segment_batch[s]; j < segment_batch[s + 1]; ++j) {
      const piece b = piece_of(batch, wave_at, j);
      for (int d = 0; d < n_dir; ++d) {
        __global const double* potential = v + (has_v ? (size_t)n_points * d + b.first_point : 0);
        scale_rows(wave + b.wave, b, W + b.first_point, potential, has_v, 1.0 / sides, scaled);
        if (sides == 2)
          scale_rows(wave_right + b.wave, b, W + b.first_point, potential, has_v, 0.5, scaled + scaled_size);
        for (int n0 = 0; n0 < b.n; n0 += TILE_WIDTH) {
          read_columns(wave + b.wave, b, n0, panel);
          if (sides == 2) read_columns(wave_right + b.wave, b, n0, panel + panel_size);
          BARRIER;
          matrix_of_batch(b, place + b.first, scaled, scaled_size, panel, panel_size, sides, n0,
                          part + (size_t)part_size * d, ld);
          BARRIER;
        }
      }
    }
  }
}

// H(n,m) += the segments' rows m, n <= m, segment after segment; groups share the columns m of H.
KERNEL void add_segments(__global const int* segment_function, __global const int* function,
                         __global const double* parts, ulong parts_size, int part_size, __global double* H,
                         int first_segment, int n_segments, int n_basis, int n_dir) {
  const int begin = SHARE_BEGIN(1, n_basis), end = SHARE_END(1, n_basis);
  for (int i = 0; i < n_segments; ++i) {
    const int s = first_segment + i, n_functions = segment_function[s + 1] - segment_function[s],
              ld = PADDED(n_functions);
    __global const int* f = function + segment_function[s];
    for (int m = 0; m < n_functions; ++m) {
      if (f[m] < begin || f[m] >= end) continue;
      for (int d = ITEM; d < n_dir; d += LOCAL) {
        __global const double* row = parts + parts_size * i + (size_t)part_size * d + (size_t)m * ld;
        __global double* column = H + (size_t)n_basis * (f[m] + (size_t)n_basis * d);
        int n = 0;
        while (n <= m) {
          if (follow(f + n, m + 1 - n)) {
            STORE(LOAD(column + f[n]) + LOAD(row + n), column + f[n]);
            n += VW;
          } else {
            column[f[n]] += row[n];
            ++n;
          }
        }
      }
    }
  }
}

// The other triangle.
KERNEL void mirror(__global double* H, int n_basis, int n_dir) {
  for (int t = SHARE_BEGIN(1, n_basis * n_dir); t < SHARE_END(1, n_basis * n_dir); ++t) {
    __global double* matrix = H + (size_t)n_basis * n_basis * (t / n_basis);
    const int n = t % n_basis;
    for (int m = n + 1 + ITEM; m < n_basis; m += LOCAL)
      matrix[m + (size_t)n_basis * n] = matrix[n + (size_t)n_basis * m];
  }
}

// Products with orbitals: rows m of the segment, orbitals side by side.
KERNEL void hc_of_segments(__global const int* batch, __global const ulong* wave_at, __global const int* place,
                           __global const int* list, __global const int* segment_batch,
                           __global const int* segment_function, __global const double* wave, __global const double* C,
                           __global const double* W, __global const double* v, int has_v, __global double* parts,
                           ulong parts_size, int part_size, __global double* workspace, ulong workspace_size, ulong scaled_size,
                           int first_segment, int n_segments, int ldo, int n_points, int n_dir) {
  __global double* scaled = workspace + workspace_size * get_global_id(1);
  __global double* psi = scaled + scaled_size * n_dir;
  for (int i = SHARE_BEGIN(1, n_segments); i < SHARE_END(1, n_segments); ++i) {
    const int s = first_segment + i, n_functions = segment_function[s + 1] - segment_function[s];
    __global double* part = parts + parts_size * i;
    for (int d = 0; d < n_dir; ++d)
      FOR_EACH(t, n_functions * (ldo / VW)) STORE((vd)0, part + (size_t)part_size * d + (size_t)t * VW);
    BARRIER;
    for (int j = segment_batch[s]; j < segment_batch[s + 1]; ++j) {
      const piece b = piece_of(batch, wave_at, j);
      for (int d = 0; d < n_dir; ++d)
        scale_rows(wave + b.wave, b, W + b.first_point, v + (has_v ? (size_t)n_points * d + b.first_point : 0), has_v, 1,
                   scaled + scaled_size * d);
      const int blocks = TILES(b.n, TILE_ROWS);
      for (int i0 = 0; i0 < ldo; i0 += TILE_WIDTH) {
        orbitals_of_batch(wave + b.wave, b, list + b.first, C, ldo, i0, psi);
        BARRIER;
        FOR_EACH(t, n_dir * blocks) {
          const int d = t / blocks, block = t % blocks;
          vd sum[TILE_ROWS][TILE_VECTORS];
          CLEAR(sum);
          __global const double* a = scaled + scaled_size * d + (size_t)block * b.points * TILE_ROWS;
          MULTIPLY(sum, 0, b.points, a[(size_t)k * TILE_ROWS + r], psi + (size_t)k * TILE_WIDTH)
          UNROLL for (int r = 0; r < TILE_ROWS; ++r) {
            const int m = block * TILE_ROWS + r;
            if (m >= b.n) continue;
            __global double* to = part + (size_t)part_size * d + (size_t)place[b.first + m] * ldo + i0;
            UNROLL for (int q = 0; q < TILE_VECTORS; ++q) STORE(LOAD(to + q * VW) + sum[r][q], to + q * VW);
          }
        }
        BARRIER;
      }
    }
  }
}

// HC(m,i) += the segments' rows, segment after segment; groups share the columns i.
KERNEL void add_products_of_segments(__global const int* segment_function, __global const int* function,
                                     __global const double* parts, ulong parts_size, int part_size,
                                     __global double* HC, int first_segment, int n_segments, int n_basis, int n_occ,
                                     int ldo, int n_dir) {
  for (int t = SHARE_BEGIN(1, n_occ * n_dir) + ITEM; t < SHARE_END(1, n_occ * n_dir); t += LOCAL) {
    const int i = t % n_occ, d = t / n_occ;
    __global double* column = HC + (size_t)n_basis * t;
    for (int k = 0; k < n_segments; ++k) {
      const int s = first_segment + k, n_functions = segment_function[s + 1] - segment_function[s];
      __global const double* part = parts + parts_size * k + (size_t)part_size * d + i;
      for (int m = 0; m < n_functions; ++m) column[function[segment_function[s] + m]] += part[(size_t)m * ldo];
    }
  }
}
