// SPDX-License-Identifier: BSD-3-Clause
// Inverse Slater matrices: ratios, updates, fresh matrices; windows.cl stands before this text.

#if LOCAL > 1
#define SHARED(n) __local double shared[(n) * LOCAL]
#else
#define SHARED(n) __local double* shared = 0
#endif

// The work of a group begins at its number times work_size: row, phi (padded n each), s, c, b, y (capacity
// each), partial.
typedef struct {
  __global double *row, *phi, *s, *c, *b, *y, *partial;
} small_arrays;
static small_arrays small_of(__global double* work, size_t work_size, int n, int capacity) {
  small_arrays a;
  const int padded = PADDED(n);
  a.row = work + work_size * get_global_id(1);
  a.phi = a.row + padded;
  a.s = a.phi + padded;
  a.c = a.s + capacity;
  a.b = a.c + capacity;
  a.y = a.b + capacity;
  a.partial = a.y + capacity;
  return a;
}

static void transpose_into(__global const double* columns, __global double* rows, int n, int capacity, int count) {
  FOR_EACH(t, n * count) rows[(size_t)(t % n) * capacity + t / n] = columns[t];
}

// Windows as the caller has them, into the transposed arrays.
KERNEL void transpose_windows(__global const double* delayed_phi, __global const double* delayed_dbar,
                              __global const int* delayed_electron, __global double* V, __global double* U, int n,
                              int kmax, int capacity, int nwalker) {
  for (int w = SHARE_BEGIN(1, nwalker); w < SHARE_END(1, nwalker); ++w) {
    const int count = delayed_electron[(size_t)w * (kmax + 1)];
    transpose_into(delayed_phi + (size_t)w * n * kmax, V + (size_t)w * n * capacity, n, capacity, count);
    transpose_into(delayed_dbar + (size_t)w * n * kmax, U + (size_t)w * n * capacity, n, capacity, count);
  }
}

KERNEL void slater_ratio(__global const double* dbar, __global const double* phi, __global const double* dphi,
                         __global const double* d2phi, __global const double* delayed_dbar,
                         __global const double* binv, __global const int* who, __global const double* V,
                         __global double* work, ulong work_size, __global double* ratio, __global double* drift,
                         __global double* laplacian, int has_window, int has_drift, int has_laplacian, int one,
                         int n, int npos, int kmax, int capacity, int nwalker) {
  SHARED(1);
  const small_arrays a = small_of(work, work_size, n, capacity);
  const int each = one < 0 ? 1 : npos, rows = nwalker * npos / each;
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const int w = row * each / npos, i = one < 0 ? row % npos : one;
    __global const double* matrix = dbar + (size_t)w * n * n;
    __global const int* waiting = who + (size_t)w * (kmax + 1);
    const int count = has_window ? waiting[0] : 0;
    FOR_EACH(b, VECTORS(n)) STORE(LOAD(matrix + (size_t)i * n + BEGIN(b, n)), a.row + BEGIN(b, n));
    BARRIER;
    if (count > 0) {
      products(a.row, V + (size_t)w * n * capacity, n, capacity, count, a.s, a.partial);
      FOR_EACH(m, count) {
        double sum = 0;
        for (int l = 0; l < count; ++l)
          sum += (a.s[l] - (waiting[1 + l] == i + 1)) * binv[((size_t)w * kmax + m) * kmax + l];
        a.c[m] = sum;
      }
      BARRIER;
      for (int b = ITEM; b < VECTORS(n); b += LOCAL) {
        vd sum = LOAD(matrix + (size_t)i * n + BEGIN(b, n));
        for (int m = 0; m < count; ++m)
          sum -= a.c[m] * LOAD(delayed_dbar + ((size_t)w * kmax + m) * n + BEGIN(b, n));
        STORE(sum, a.row + BEGIN(b, n));
      }
      BARRIER;
    }
    for (int p = row * each; p < (row + 1) * each; ++p) {
      const double r = dot_of(a.row, phi + (size_t)p * n, n, shared);
      if (ITEM == 0) ratio[p] = r;
      for (int d = 0; d < 3 && has_drift; ++d) {
        const double g = dot_of(a.row, dphi + ((size_t)p * 3 + d) * n, n, shared);
        if (ITEM == 0) drift[3 * (size_t)p + d] = g / r;
      }
      if (has_laplacian) {
        const double l = dot_of(a.row, d2phi + (size_t)p * n, n, shared);
        if (ITEM == 0) laplacian[p] = l / r;
      }
    }
    BARRIER;
  }
}

// A move of the ratio 0 is written down, with its number from 1, and ends its walker.
static int refused(double ratio, __global double* complaint, int move) {
  if (fabs(ratio) > 0 && isfinite(ratio)) return 0;
  if (ITEM == 0) {
    complaint[0] = move + 1;
    complaint[1] = ratio;
  }
  return 1;
}

KERNEL void sherman_morrison(__global double* dbar, __global const int* ie, __global const double* phi,
                             __global double* work, ulong work_size, __global double* ratio, int has_ratio,
                             __global double* complaints, int n, int nupdate, int nwalker) {
  SHARED(1);
  __global double* factor = work + work_size * get_global_id(1);
  __global double* row = factor + PADDED(n);
  for (int w = SHARE_BEGIN(1, nwalker); w < SHARE_END(1, nwalker); ++w) {
    __global double* matrix = dbar + (size_t)w * n * n;
    for (int move = 0; move < nupdate; ++move) {
      const size_t at = (size_t)w * nupdate + move;
      const int i = ie[at] - 1;
      if (i < 0) {
        if (ITEM == 0 && has_ratio) ratio[at] = 1;
        continue;
      }
      __global const double* column = phi + at * n;
      FOR_EACH(b, VECTORS(n)) STORE(LOAD(matrix + (size_t)i * n + BEGIN(b, n)), row + BEGIN(b, n));
      BARRIER;
      const double r = dot_of(row, column, n, shared);
      if (refused(r, complaints + 2 * (size_t)w, move)) break;
      if (ITEM == 0 && has_ratio) ratio[at] = r;
#if LOCAL == 1
      // A row is read once and changed while it is near.
      for (int j = 0; j < n; ++j) {
        __global double* other = matrix + (size_t)j * n;
        const double f = ((j == i ? -1 : 0) + dot_of(other, column, n, shared)) / r;
        for (int b = 0; b < VECTORS(n); ++b)
          if (b < n / VW) STORE(LOAD(other + b * VW) - f * LOAD(row + b * VW), other + b * VW);
        for (int a = n / VW * VW; a < n; ++a) other[a] -= f * row[a];
      }
#else
      for (int j = ITEM; j < n; j += LOCAL) {
        double sum = j == i ? -1 : 0;
        for (int a = 0; a < n; ++a) sum += matrix[(size_t)j * n + a] * column[a];
        factor[j] = sum / r;
      }
      BARRIER;
      FOR_EACH(t, n * n) matrix[t] -= factor[t / n] * row[t % n];
      BARRIER;
#endif
    }
  }
}

// All moves of a walker through a window: the caller's, or one of our own that is brought up to date at the
// end. delayed_phi and delayed_dbar are the caller's (kept: 1).
KERNEL void delayed_updates(__global double* dbar, __global const int* ie, __global const double* phi,
                            int has_moves, __global double* delayed_phi, __global double* delayed_dbar,
                            __global double* binv, __global int* who, int kept, __global double* V,
                            __global double* U, __global double* P, __global double* T, __global double* work,
                            ulong work_size, __global double* ratio, int has_ratio, __global double* complaints,
                            int n, int nupdate, int kmax, int capacity, int nwalker) {
  SHARED(1);
  const small_arrays a = small_of(work, work_size, n, capacity);
  const size_t group = get_global_id(1);
  for (int walker = SHARE_BEGIN(1, nwalker); walker < SHARE_END(1, nwalker); ++walker) {
    const size_t of_window = kept ? walker : group;
    window w;
    w.n = n;
    w.k = kmax;
    w.capacity = capacity;
    w.stride = kmax;
    w.V = V + of_window * n * capacity;
    w.U = U + of_window * n * capacity;
    w.P = P + group * (2 * PADDED(n) + capacity) * kmax;
    w.R = w.P + PADDED(n) * kmax;
    w.B = w.R + PADDED(n) * kmax;
    w.T = T + group * n * capacity;
    w.binv = binv + of_window * kmax * kmax;
    w.who = who + of_window * (kmax + 1);
    __global double* matrix = dbar + (size_t)walker * n * n;
    if (!kept) w.who[0] = 0;
    BARRIER;
    int flushed = !has_moves, failed = 0;
    for (int move = 0; move < (has_moves ? nupdate : 0); ++move) {
      const size_t at = (size_t)walker * nupdate + move;
      const int i = ie[at] - 1;
      if (i < 0) {
        if (ITEM == 0 && has_ratio) ratio[at] = 1;
        continue;
      }
      __global const double* column = phi + at * n;
      FOR_EACH(b, VECTORS(n)) STORE(LOAD(column + BEGIN(b, n)), a.phi + BEGIN(b, n));
      current_row(matrix, w, i, a.row, a.s, a.c, a.partial);
      const double r = dot_of(a.row, column, n, shared);
      failed = refused(r, complaints + 2 * (size_t)walker, move);
      if (failed) break;
      if (ITEM == 0 && has_ratio) ratio[at] = r;
      int again = 0;
      for (int l = 0; l < w.who[0]; ++l) again = again || w.who[1 + l] == i + 1;
      if (again) {
        bring_up_to_date(matrix, w);
        flushed = 1;
      }
      const int count = w.who[0];
      BARRIER;
      join(matrix, w, i, a.phi, r, a.c, a.b, a.y, a.partial);
      if (kept && count + 1 < kmax) {
        // What the caller sees of the window, cleared where it was brought up to date before.
        if (flushed) {
          FOR_EACH(t, n * kmax) {
            delayed_phi[(size_t)walker * n * kmax + t] = 0;
            delayed_dbar[(size_t)walker * n * kmax + t] = 0;
          }
          FOR_EACH(t, kmax * kmax) {
            if (t % kmax > count || t / kmax > count) w.binv[t] = 0;
          }
          FOR_EACH(l, kmax) {
            if (l > count) w.who[1 + l] = 0;
          }
          flushed = 0;
          BARRIER;
        }
        FOR_EACH(t, n) {
          delayed_phi[((size_t)walker * kmax + count) * n + t] = a.phi[t];
          delayed_dbar[((size_t)walker * kmax + count) * n + t] = matrix[(size_t)i * n + t];
        }
      }
      if (count + 1 == kmax) {
        bring_up_to_date(matrix, w);
        flushed = 1;
      }
      BARRIER;
    }
    if (!failed && (!kept || !has_moves)) bring_up_to_date(matrix, w);
    if (kept && flushed && !failed) {
      FOR_EACH(t, n * kmax) {
        delayed_phi[(size_t)walker * n * kmax + t] = 0;
        delayed_dbar[(size_t)walker * n * kmax + t] = 0;
      }
      FOR_EACH(t, kmax * kmax) w.binv[t] = 0;
      FOR_EACH(l, kmax + 1) w.who[l] = 0;
    }
    BARRIER;
  }
}

// Gauss and Jordan in place. Row j of A holds electron j's orbitals; step c takes the largest number of row c
// in a column that no step has had. complaints: 1 where it is 0.
KERNEL void slater_invert(__global const double* phi, __global double* dbar, __global double* logdet, int has_log,
                          __global double* sign, int has_sign, __global double* complaints,
                          __global double* work, ulong work_size, __global int* order, int n, int nwalker) {
#if LOCAL > 1
  __local double largest[LOCAL];
  __local int place[LOCAL];
#endif
  const int padded = PADDED(n), vectors = VECTORS(n);
  __global double* A = work + work_size * get_global_id(1);
  __global double* factor = A + (size_t)n * padded;
  __global int* column = order + (size_t)get_global_id(1) * 2 * n;  // of each step
  __global int* step = column + n;                                   // that has had each column, or -1
  for (int w = SHARE_BEGIN(1, nwalker); w < SHARE_END(1, nwalker); ++w) {
    FOR_EACH(t, n * padded) A[t] = t % padded < n ? phi[((size_t)w * n + t / padded) * n + t % padded] : 0;
    FOR_EACH(a, n) step[a] = -1;
    BARRIER;
    double log_of = 0, sign_of = 1;
    int singular = 0;
    for (int c = 0; c < n; ++c) {
      __global double* pivot_row = A + (size_t)c * padded;
      double most = -1;
      int q = -1;
      FOR_EACH(a, n) {
        const double size = fabs(pivot_row[a]);
        if (step[a] < 0 && size > most) {
          most = size;
          q = a;
        }
      }
#if LOCAL > 1
      largest[ITEM] = most;
      place[ITEM] = q;
      BARRIER;
      for (int item = 0; item < LOCAL; ++item)
        if (largest[item] > most || (largest[item] == most && place[item] >= 0 && place[item] < q)) {
          most = largest[item];
          q = place[item];
        }
      BARRIER;
#endif
      singular = !(most > 0) || !isfinite(most);
      if (singular) break;
      const double p = pivot_row[q], inverse = 1 / p;
      log_of += log(fabs(p));
      if (p < 0) sign_of = -sign_of;
      FOR_EACH(j, n) factor[j] = A[(size_t)j * padded + q];
      BARRIER;
      if (ITEM == 0) {
        step[q] = c;
        column[c] = q;
      }
      FOR_EACH(b, vectors) STORE(LOAD(pivot_row + b * VW) * inverse, pivot_row + b * VW);
      BARRIER;
      if (ITEM == 0) pivot_row[q] = inverse;
      FOR_EACH(j, n) {
        if (j != c) A[(size_t)j * padded + q] = 0;
      }
      BARRIER;
#if LOCAL == 1
      for (int j = 0; j < n; ++j) {
        if (j == c) continue;
        const double f = factor[j];
        __global double* row = A + (size_t)j * padded;
        for (int b = 0; b < vectors; ++b) STORE(LOAD(row + b * VW) - f * LOAD(pivot_row + b * VW), row + b * VW);
      }
#else
      FOR_EACH(t, n * vectors) {
        const int j = t / vectors, b = t % vectors;
        __global double* row = A + (size_t)j * padded;
        if (j != c) STORE(LOAD(row + b * VW) - factor[j] * LOAD(pivot_row + b * VW), row + b * VW);
      }
      BARRIER;
#endif
    }
    if (singular) {
      if (ITEM == 0) complaints[2 * (size_t)w] = 1;
      BARRIER;
      continue;
    }
    // Row r of A now gives orbital column[r] of the inverse, its column q electron step[q].
    FOR_EACH(t, n * n) {
      const int a = t % n, j = t / n;
      dbar[(size_t)w * n * n + t] = A[(size_t)step[a] * padded + column[j]];
    }
    BARRIER;
    if (ITEM == 0) {
      // The sign of the permutation, by its cycles; column is no longer needed.
      if (has_sign)
        for (int c = 0; c < n; ++c)
          while (step[c] != c) {
            const int other = step[c];
            step[c] = step[other];
            step[other] = other;
            sign_of = -sign_of;
          }
    }
    BARRIER;
    if (ITEM == 0 && has_log) logdet[w] = log_of;
    if (ITEM == 0 && has_sign) sign[w] = sign_of;
    BARRIER;
  }
}
