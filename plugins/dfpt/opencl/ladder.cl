// SPDX-License-Identifier: BSD-3-Clause
// The published steps of dfpt.rho and dfpt.h ("An OpenCL implementation of all-electron density-functional
// perturbation theory in FHI-aims", Front. Chem. 11, 1156891 (2023), sections 4.2 to 4.4, from its text).
// Numbers, not vectors: VW is 1. A group has a batch. With N_DIR the text is the last step, else those before.
//   naive         one work-item for a batch; its matrix and a product with all its points in global memory
//   parallelism   a group for a batch, its points or elements shared by the work-items; no temporaries
//   memory        tiles of 32 x 32 in local memory
//   control_flow  tiles of one triangle only, work without result left out by the host, N_DIR directions at once
// The source has matrices only; orbitals follow steps naive (temporaries) and parallelism (none).
#define EDGE 32

typedef struct {
  int first_point, points, n;
  __global const int* list;
  __global const double* chi;
  size_t wave;
} batch_data;
static batch_data batch_of(__global const int* batch, __global const ulong* wave_at, __global const int* list,
                           __global const double* wave, int b) {
  batch_data d;
  d.first_point = batch[4 * b];
  d.points = batch[4 * b + 1];
  d.n = batch[4 * b + 3];
  d.list = list + batch[4 * b + 2];
  d.wave = wave_at[b];
  d.chi = wave + d.wave;
  return d;
}

#define RHO_ARGUMENTS                                                                                           \
  __global const int *work, __global const int *batch, __global const ulong *wave_at, __global const int *list, \
      __global const double *wave, __global const double *P, __global const double *C1, __global double *rho,   \
      __global double *workspace, ulong workspace_size, int n_work, int n_basis, int n_occ, int n_points, int n_dir, int first,    \
      int kept

// Of the upper triangle.
static double element(__global const double* P, int n_basis, int m, int n) {
  return P[min(m, n) + (size_t)n_basis * max(m, n)];
}

#ifndef N_DIR
static int is_somewhere(__global const double* chi, int n) {
  for (int m = 0; m < n; ++m)
    if (chi[m] != 0) return 1;
  return 0;
}
KERNEL void rho_naive(RHO_ARGUMENTS) {
  __global double* matrix = workspace + workspace_size * get_global_id(1);
  for (int i = SHARE_BEGIN(1, n_work); i < SHARE_END(1, n_work); ++i) {
    const batch_data b = batch_of(batch, wave_at, list, wave, work[i]);
    __global double* product = matrix + (size_t)b.n * b.n;
    for (int d = 0; d < n_dir; ++d) {
      for (int n = 0; n < b.n; ++n)
        for (int m = 0; m < b.n; ++m)
          matrix[m + (size_t)b.n * n] = element(P + (size_t)n_basis * n_basis * d, n_basis, b.list[m], b.list[n]);
      for (int p = 0; p < b.points; ++p) {
        __global const double* chi = b.chi + (size_t)b.n * p;
        double sum = 0;
        if (is_somewhere(chi, b.n)) {
          for (int n = 0; n < b.n; ++n) {
            double one = 0;
            for (int m = 0; m < b.n; ++m) one += matrix[m + (size_t)b.n * n] * chi[m];
            product[n + (size_t)b.n * p] = one;
          }
          for (int n = 0; n < b.n; ++n) sum += product[n + (size_t)b.n * p] * chi[n];
        }
        rho[(size_t)n_points * d + b.first_point + p] = sum;
      }
    }
  }
}

KERNEL void rho_parallelism(RHO_ARGUMENTS) {
  for (int i = SHARE_BEGIN(1, n_work); i < SHARE_END(1, n_work); ++i) {
    const batch_data b = batch_of(batch, wave_at, list, wave, work[i]);
    for (int d = 0; d < n_dir; ++d) {
      __global const double* matrix = P + (size_t)n_basis * n_basis * d;
      FOR_EACH(p, b.points) {
        __global const double* chi = b.chi + (size_t)b.n * p;
        double sum = 0;
        for (int n = 0; n < b.n; ++n) {
          double one = 0;
          for (int m = 0; m < b.n; ++m) one += element(matrix, n_basis, b.list[m], b.list[n]) * chi[m];
          sum += one * chi[n];
        }
        rho[(size_t)n_points * d + b.first_point + p] = sum;
      }
    }
  }
}

KERNEL void rho_memory(RHO_ARGUMENTS) {
  __local double tile[EDGE * EDGE];
  for (int i = SHARE_BEGIN(1, n_work); i < SHARE_END(1, n_work); ++i) {
    const batch_data b = batch_of(batch, wave_at, list, wave, work[i]);
    for (int d = 0; d < n_dir; ++d) {
      __global double* to = rho + (size_t)n_points * d + b.first_point;
      FOR_EACH(p, b.points) to[p] = 0;
      for (int n0 = 0; n0 < b.n; n0 += EDGE)
        for (int m0 = 0; m0 < b.n; m0 += EDGE) {
          const int columns = min(EDGE, b.n - n0), rows = min(EDGE, b.n - m0);
          BARRIER;
          FOR_EACH(t, rows * columns)
            tile[t % rows + EDGE * (t / rows)] =
                element(P + (size_t)n_basis * n_basis * d, n_basis, b.list[m0 + t % rows], b.list[n0 + t / rows]);
          BARRIER;
          FOR_EACH(p, b.points) {
            __global const double* chi = b.chi + (size_t)b.n * p;
            double sum = 0;
            for (int n = 0; n < columns; ++n) {
              double one = 0;
              for (int m = 0; m < rows; ++m) one += tile[m + EDGE * n] * chi[m0 + m];
              sum += one * chi[n0 + n];
            }
            to[p] += sum;
          }
        }
      BARRIER;
    }
  }
}
#else
KERNEL void clear(__global double* rho, int count) {
  for (int t = SHARE_BEGIN(1, count) + ITEM; t < SHARE_END(1, count); t += LOCAL) rho[t] = 0;
}
KERNEL void rho_control_flow(RHO_ARGUMENTS) {
  __local double tile[EDGE * EDGE];
  for (int i = SHARE_BEGIN(1, n_work); i < SHARE_END(1, n_work); ++i) {
    const batch_data b = batch_of(batch, wave_at, list, wave, work[i]);
    for (int n0 = 0; n0 < b.n; n0 += EDGE)
      for (int m0 = 0; m0 <= n0; m0 += EDGE) {
        const int columns = min(EDGE, b.n - n0), rows = min(EDGE, b.n - m0);
        const double factor = m0 == n0 ? 1 : 2;
        UNROLL for (int d = 0; d < N_DIR; ++d) {
          BARRIER;
          FOR_EACH(t, rows * columns)
            tile[t % rows + EDGE * (t / rows)] =
                element(P + (size_t)n_basis * n_basis * d, n_basis, b.list[m0 + t % rows], b.list[n0 + t / rows]);
          BARRIER;
          FOR_EACH(p, b.points) {
            __global const double* chi = b.chi + (size_t)b.n * p;
            double sum = 0;
            for (int n = 0; n < columns; ++n) {
              double one = 0;
              for (int m = 0; m < rows; ++m) one += tile[m + EDGE * n] * chi[m0 + m];
              sum += one * chi[n0 + n];
            }
            rho[(size_t)n_points * d + b.first_point + p] += factor * sum;
          }
        }
      }
    BARRIER;
  }
}
#endif

static double orbital_at(__global const double* C, __global const int* list, __global const double* chi, int n) {
  double psi = 0;
  for (int m = 0; m < n; ++m) psi += C[list[m]] * chi[m];
  return psi;
}
// P: the orbitals. kept: psi and psi1 of all points first.
KERNEL void rho_from_orbitals(RHO_ARGUMENTS) {
  __global double* psi = workspace + workspace_size * get_global_id(1);
  for (int i = SHARE_BEGIN(1, n_work); i < SHARE_END(1, n_work); ++i) {
    const batch_data b = batch_of(batch, wave_at, list, wave, work[i]);
    for (int d = 0; d < n_dir; ++d) {
      __global const double* other = C1 + (size_t)n_basis * n_occ * d;
      FOR_EACH(p, b.points) {
        __global const double* chi = b.chi + (size_t)b.n * p;
        double sum = 0;
        __global double* psi1 = psi + (size_t)n_occ * b.points;
        for (int o = 0; o < n_occ; ++o) {
          const double value = orbital_at(P + (size_t)n_basis * o, b.list, chi, b.n);
          const double one = first ? orbital_at(other + (size_t)n_basis * o, b.list, chi, b.n) : value;
          if (kept) {
            psi[o + (size_t)n_occ * p] = value;
            psi1[o + (size_t)n_occ * p] = one;
          } else {
            sum += value * one;
          }
        }
        for (int o = 0; o < n_occ && kept; ++o) sum += psi[o + (size_t)n_occ * p] * psi1[o + (size_t)n_occ * p];
        rho[(size_t)n_points * d + b.first_point + p] = (first ? 4 : 2) * sum;
      }
    }
  }
}

// dfpt.h

// points, first_of_points: those of each batch that count. right: chi itself, or the second set of functions.
#define H_ARGUMENTS                                                                                                 \
  __global const int *batch, __global const ulong *wave_at, __global const int *list, __global const int *points,   \
      __global const int *first_of_points, __global const double *wave, __global const double *wave_right,          \
      __global const double *W, __global const double *v, int has_v, __global const double *C, __global double *blocks, \
      ulong block_size, __global double *workspace, ulong workspace_size, int first_batch, int n_batches, int n_basis, int n_occ, \
      int n_points, int n_dir

typedef struct {
  batch_data b;
  __global const double* right;
  __global const int* point;  // those that count, in the batch
  int count;
} h_data;
#define H_DATA(i)                                                                     \
  h_data h;                                                                           \
  h.b = batch_of(batch, wave_at, list, wave, first_batch + (i));                      \
  h.right = wave_right + h.b.wave;                                                    \
  h.point = points + first_of_points[first_batch + (i)];                              \
  h.count = first_of_points[first_batch + (i) + 1] - first_of_points[first_batch + (i)]
#define WEIGHT(p, d) (W[h.b.first_point + (p)] * (has_v ? v[(size_t)n_points * (d) + h.b.first_point + (p)] : 1))

#ifndef N_DIR
KERNEL void h_naive(H_ARGUMENTS) {
  __global double* scaled = workspace + workspace_size * get_global_id(1);
  for (int i = SHARE_BEGIN(1, n_batches); i < SHARE_END(1, n_batches); ++i) {
    H_DATA(i);
    const int n = h.b.n;
    for (int d = 0; d < n_dir; ++d) {
      __global double* block = blocks + block_size * i + (size_t)n * n * d;
      for (int t = 0; t < n * n; ++t) block[t] = 0;
      for (int side = 0; side < 2; ++side) {
        __global const double *a = side ? h.b.chi : h.right, *x = side ? h.right : h.b.chi;
        for (int p = 0; p < h.b.points; ++p)
          for (int k = 0; k < n; ++k) scaled[k + (size_t)n * p] = 0.5 * WEIGHT(p, d) * a[k + (size_t)n * p];
        for (int k = 0; k < n; ++k)
          for (int m = 0; m < n; ++m) {
            double sum = 0;
            for (int p = 0; p < h.b.points; ++p)
              if (W[h.b.first_point + p] != 0) sum += x[m + (size_t)n * p] * scaled[k + (size_t)n * p];
            block[m + (size_t)n * k] += sum;
          }
      }
    }
  }
}

KERNEL void h_parallelism(H_ARGUMENTS) {
  for (int i = SHARE_BEGIN(1, n_batches); i < SHARE_END(1, n_batches); ++i) {
    H_DATA(i);
    const int n = h.b.n;
    for (int d = 0; d < n_dir; ++d)
      FOR_EACH(t, n * n) {
        const int m = t % n, k = t / n;
        double sum = 0;
        for (int p = 0; p < h.b.points; ++p) {
          const size_t at = (size_t)n * p;
          sum += 0.5 * WEIGHT(p, d) * (h.b.chi[at + m] * h.right[at + k] + h.right[at + m] * h.b.chi[at + k]);
        }
        blocks[block_size * i + (size_t)n * n * d + t] = sum;
      }
  }
}
#endif

// Tiles of both sides, 32 functions at 32 points; a work-item has some elements of the tile of H.
static void read_tile(__global const double* chi, int n, __global const int* point, int count, int m0,
                      __local double* tile) {
  const int rows = min(EDGE, n - m0);
  FOR_EACH(t, EDGE * EDGE) {
    const int m = t % EDGE, p = t / EDGE;
    tile[t] = m < rows && p < count ? chi[(size_t)n * point[p] + m0 + m] : 0;
  }
}
static void tile_of_block(__local const double* left, __local const double* right, __local const double* weight,
                          int count, int rows, int columns, int n, __global double* block) {
  FOR_EACH(t, rows * columns) {
    const int m = t % rows, k = t / rows;
    double sum = 0;
    for (int p = 0; p < count; ++p) sum += left[EDGE * p + m] * weight[p] * right[EDGE * p + k];
    block[m + (size_t)n * k] += sum;
  }
}
#ifdef N_DIR
#define ONE_TRIANGLE 1
#define DIRECTIONS N_DIR
#define KERNEL_OF_STEP h_control_flow
#else
#define ONE_TRIANGLE 0
#define DIRECTIONS n_dir
#define KERNEL_OF_STEP h_memory
#endif
KERNEL void KERNEL_OF_STEP(H_ARGUMENTS) {
  __local double left[EDGE * EDGE], right[EDGE * EDGE], weight[EDGE];
  const int sides = wave_right == wave ? 1 : 2;
  for (int i = SHARE_BEGIN(1, n_batches); i < SHARE_END(1, n_batches); ++i) {
    H_DATA(i);
    const int n = h.b.n;
    __global double* block = blocks + block_size * i;
    FOR_EACH(t, n * n * n_dir) block[t] = 0;
    for (int k0 = 0; k0 < n; k0 += EDGE)
      for (int m0 = 0; m0 < n; m0 += EDGE) {
        if (ONE_TRIANGLE && m0 > k0) continue;
        for (int p0 = 0; p0 < h.count; p0 += EDGE)
          for (int side = 0; side < sides; ++side) {
            const int count = min(EDGE, h.count - p0);
            BARRIER;
            read_tile(side ? h.right : h.b.chi, n, h.point + p0, count, m0, left);
            read_tile(side ? h.b.chi : h.right, n, h.point + p0, count, k0, right);
            for (int d = 0; d < DIRECTIONS; ++d) {
              BARRIER;
              FOR_EACH(p, count) weight[p] = WEIGHT(h.point[p0 + p], d) / sides;
              BARRIER;
              tile_of_block(left, right, weight, count, min(EDGE, n - m0), min(EDGE, n - k0), n,
                            block + (size_t)n * n * d + m0 + (size_t)n * k0);
            }
          }
      }
    BARRIER;
  }
}

KERNEL void h_of_orbitals(H_ARGUMENTS) {
  __global double* psi = workspace + workspace_size * get_global_id(1);
  for (int i = SHARE_BEGIN(1, n_batches); i < SHARE_END(1, n_batches); ++i) {
    H_DATA(i);
    const int n = h.b.n;
    FOR_EACH(t, n_occ * h.count) {
      __global const double* chi = h.b.chi + (size_t)n * h.point[t / n_occ];
      double sum = 0;
      for (int m = 0; m < n; ++m) sum += C[h.b.list[m] + (size_t)n_basis * (t % n_occ)] * chi[m];
      psi[t] = sum;
    }
    BARRIER;
    FOR_EACH(t, n * n_occ * n_dir) {
      const int m = t % n, o = t / n % n_occ, d = t / (n * n_occ);
      double sum = 0;
      for (int p = 0; p < h.count; ++p)
        sum += WEIGHT(h.point[p], d) * h.b.chi[m + (size_t)n * h.point[p]] * psi[o + n_occ * p];
      blocks[block_size * i + t] = sum;
    }
    BARRIER;
  }
}

// The results take one batch after the other; items share columns. n_occ: 0 for matrices.
KERNEL void add_blocks(__global const int* batch, __global const int* list, __global const double* blocks,
                       ulong block_size, __global double* result, int first_batch, int n_batches, int n_basis,
                       int n_occ, int n_dir) {
  const int all = n_occ ? n_occ : n_basis, begin = SHARE_BEGIN(1, all), end = SHARE_END(1, all);
  for (int i = 0; i < n_batches; ++i) {
    __global const int* of_batch = batch + 4 * (first_batch + i);
    __global const int* function = list + of_batch[2];
    const int n = of_batch[3], columns = n_occ ? n_occ : n;
    for (int k = 0; k < columns; ++k) {
      const int column = n_occ ? k : function[k];
      if (column < begin || column >= end || (column - begin) % LOCAL != ITEM) continue;
      for (int d = 0; d < n_dir; ++d) {
        __global const double* block = blocks + block_size * i + (size_t)n * columns * d;
        __global double* to = result + (size_t)n_basis * (column + (size_t)all * d);
        for (int m = 0; m < n; ++m)
          to[function[m]] += ONE_TRIANGLE && !n_occ && m / EDGE > k / EDGE ? block[k + n * m] : block[m + n * k];
      }
    }
  }
}
