// SPDX-License-Identifier: BSD-3-Clause
// dfpt.response: products of matrices. result(i,j) = sum_k A(i,k) B(k,j), in register tiles: vectors of i, which
// lie side by side in A and in the result, times numbers of B.
#define TILE_VECTORS 3
#define TILE_COLUMNS 8
#define TILE_WIDTH (TILE_VECTORS * VW)

// Column j0 + c and rows i0, .. of A; what is beyond the edges is the last one's again or 0.
INLINE void tile_of_product(__global const double* A, int rows, __global const double* B, int b_step, int b_column,
                            int columns, int steps, int i0, int j0, vd sum[TILE_COLUMNS][TILE_VECTORS]) {
  __global const double* b[TILE_COLUMNS];
  UNROLL for (int c = 0; c < TILE_COLUMNS; ++c) {
    b[c] = B + (size_t)b_column * min(j0 + c, columns - 1);
    UNROLL for (int v = 0; v < TILE_VECTORS; ++v) sum[c][v] = 0;
  }
  const int whole = i0 + TILE_WIDTH <= rows;
  for (int k = 0; k < steps; ++k) {
    __global const double* a = A + (size_t)rows * k + i0;
    vd x[TILE_VECTORS];
    if (whole) {
      UNROLL for (int v = 0; v < TILE_VECTORS; ++v) x[v] = LOAD(a + v * VW);
    } else {
      UNROLL for (int v = 0; v < TILE_VECTORS; ++v)
        x[v] = i0 + v * VW < rows ? load_first(a + v * VW, rows - i0 - v * VW) : (vd)0;
    }
    UNROLL for (int c = 0; c < TILE_COLUMNS; ++c) {
      const double y = b[c][(size_t)b_step * k];
      UNROLL for (int v = 0; v < TILE_VECTORS; ++v) sum[c][v] += y * x[v];
    }
  }
}

// B(k,j) at b_step k + b_column j. energies: with has_gap the result is divided by e(j) - e(n_occ + i). A
// begins a_first behind; the matrices of n_dir directions lie a_size, b_size and rows * columns apart.
KERNEL void product(__global const double* A, ulong a_size, ulong a_first, __global const double* B, ulong b_size, int b_step,
                    int b_column, __global double* result, __global const double* energies, int has_gap, int n_occ,
                    int rows, int columns, int steps, int n_dir) {
  const int across = (rows + TILE_WIDTH - 1) / TILE_WIDTH, along = (columns + TILE_COLUMNS - 1) / TILE_COLUMNS;
  const int tiles = across * along * n_dir;
  for (int t = SHARE_BEGIN(1, tiles) + ITEM; t < SHARE_END(1, tiles); t += LOCAL) {
    const int i0 = t % across * TILE_WIDTH, j0 = t / across % along * TILE_COLUMNS, d = t / (across * along);
    vd sum[TILE_COLUMNS][TILE_VECTORS];
    tile_of_product(A + a_first + a_size * d, rows, B + b_size * d, b_step, b_column, columns, steps, i0, j0, sum);
    UNROLL for (int c = 0; c < TILE_COLUMNS; ++c) {
      if (j0 + c >= columns) continue;
      __global double* to = result + ((size_t)columns * d + j0 + c) * rows;
      UNROLL for (int v = 0; v < TILE_VECTORS; ++v) {
        const int i = i0 + v * VW;
        if (i >= rows) continue;
        vd x = sum[c][v];
        if (has_gap) x /= energies[j0 + c] - load_first(energies + n_occ + i, rows - i);
        store_first(x, to + i, rows - i);
      }
    }
  }
}

// The empty states of a function side by side: from C(n_basis,n_states), states n_occ and up.
KERNEL void turn_states(__global const double* C, __global double* turned, int n_basis, int n_occ, int n_empty) {
  for (int m = SHARE_BEGIN(1, n_basis); m < SHARE_END(1, n_basis); ++m)
    FOR_EACH(a, n_empty) turned[(size_t)m * n_empty + a] = C[(size_t)n_basis * (n_occ + a) + m];
}

// P1 = 2 (R + R^T) in place; groups share the columns.
KERNEL void symmetrise(__global double* P, int n_basis, int n_dir) {
  for (int t = SHARE_BEGIN(1, n_basis * n_dir); t < SHARE_END(1, n_basis * n_dir); ++t) {
    __global double* matrix = P + (size_t)n_basis * n_basis * (t / n_basis);
    const int n = t % n_basis;
    for (int m = ITEM; m <= n; m += LOCAL) {
      const double sum = 2 * (matrix[m + (size_t)n_basis * n] + matrix[n + (size_t)n_basis * m]);
      matrix[m + (size_t)n_basis * n] = matrix[n + (size_t)n_basis * m] = sum;
    }
  }
}
