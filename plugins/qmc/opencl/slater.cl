// SPDX-License-Identifier: BSD-3-Clause
// Inverse Slater matrices: delayed updates, ratios, matrices anew.
//
// A window of k moves that wait: M the inverse matrix of which dbar has the rows as columns, E the unit
// vectors of the electrons moved, V their new columns, U = E^T M, B = U V. Row i of the inverse is then
// M_i - (M_i V - E_i) B^-1 U. V and U are kept transposed, [orbital][move], so that products with one row
// are sums of rows, and no vector has to be added up.
//   WORK   where the small arrays of a group lie: __global or __local
// Columns of dbar have n numbers, at least VW: their last vector begins at n - VW and takes some twice.

#define TILE_ROWS 6
#if VW > 1
#define TILE_MOVES 4    // vectors
#define TILE_ORBITALS 3
#define TILE_ROW 8      // of one row
#else
#define TILE_MOVES 1
#define TILE_ORBITALS 1
#define TILE_ROW 1
#endif
#define TILE_P 4        // moves
#define WINDOW_STEP (TILE_MOVES * VW)

#define BEGIN(b, n) min((b) * VW, (n) - VW)
// The lanes of vector b that no vector before has.
#define OWN_LANES(b, n) (lane_numbers() >= (vl)((b) * VW - BEGIN(b, n)))

typedef struct {
  int n, k, room;                    // electrons, moves at most, and that filled up to whole vectors
  int stride;                        // of binv
  __global double *V, *U, *P, *T;    // [n][room] of moves; for bringing up to date: [k][padded n], [n][room]
  __global double* binv;             // (stride,k)
  __global int* who;                 // how many wait, then their electrons from 1
} window;

// s_l = sum_a x_a F(a,l), l < count. partial: room for max(LOCAL VW, room) numbers.
INLINE void products(WORK const double* x, __global const double* F, int n, int room, int count, WORK double* s,
                     WORK double* partial) {
#if LOCAL == 1
  for (int l = 0; l < count; l += 2 * VW) {
    // Four orbitals at a time, so that additions need not wait for each other.
    vd sum[4][2];
    UNROLL for (int k = 0; k < 4; ++k) sum[k][0] = sum[k][1] = 0;
    __global const double* column = F + l;
    int a = 0;
    for (; a + 4 <= n; a += 4)
      UNROLL for (int k = 0; k < 4; ++k) UNROLL for (int q = 0; q < 2; ++q)
        sum[k][q] += x[a + k] * LOAD(column + (size_t)(a + k) * room + q * VW);
    for (; a < n; ++a)
      UNROLL for (int q = 0; q < 2; ++q) sum[0][q] += x[a] * LOAD(column + (size_t)a * room + q * VW);
    UNROLL for (int q = 0; q < 2; ++q)
      STORE((sum[0][q] + sum[1][q]) + (sum[2][q] + sum[3][q]), s + l + q * VW);
  }
#else
  const int vectors = VECTORS(count), pieces = max(1, LOCAL / max(vectors, 1));
  for (int t = ITEM; t < vectors * pieces; t += LOCAL) {
    const int l = t % vectors * VW, piece = t / vectors;
    vd sum = 0;
    for (int a = n * piece / pieces; a < n * (piece + 1) / pieces; ++a) sum += x[a] * LOAD(F + (size_t)a * room + l);
    STORE(sum, partial + piece * vectors * VW + l);
  }
  BARRIER;
  FOR_EACH(l, count) {
    double sum = 0;
    for (int piece = 0; piece < pieces; ++piece) sum += partial[piece * vectors * VW + l];
    s[l] = sum;
  }
  BARRIER;
#endif
}

// Row i as the moves that wait make it. c: its coefficients (M_i V - E_i) B^-1.
INLINE void current_row(__global const double* dbar, window w, int i, WORK double* row, WORK double* s,
                        WORK double* c, WORK double* partial) {
  const int count = w.who[0];
  __global const double* own = dbar + (size_t)i * w.n;
  FOR_EACH(b, VECTORS(w.n)) STORE(LOAD(own + BEGIN(b, w.n)), row + BEGIN(b, w.n));
  BARRIER;
  if (count == 0) return;
  products(row, w.V, w.n, w.room, count, s, partial);
  FOR_EACH(m, count) {
    double sum = 0;
    for (int l = 0; l < count; ++l)
      sum += (s[l] - (w.who[1 + l] == i + 1)) * w.binv[l + (size_t)w.stride * m];
    c[m] = sum;
  }
  BARRIER;
  for (int first = TILE_ROW * ITEM; first < VECTORS(w.n); first += TILE_ROW * LOCAL) {
    vd sum[TILE_ROW];
    int begin[TILE_ROW];
    UNROLL for (int q = 0; q < TILE_ROW; ++q) begin[q] = BEGIN(first + q, w.n);
    UNROLL for (int q = 0; q < TILE_ROW; ++q) sum[q] = LOAD(own + begin[q]);
    for (int m = 0; m < count; ++m) {
      __global const double* column = dbar + (size_t)(w.who[1 + m] - 1) * w.n;
      UNROLL for (int q = 0; q < TILE_ROW; ++q) sum[q] -= c[m] * LOAD(column + begin[q]);
    }
    UNROLL for (int q = 0; q < TILE_ROW; ++q) STORE(sum[q], row + begin[q]);
  }
  BARRIER;
}

// Move with the new column phi and the ratio joins; row, s and c are those of current_row for electron i,
// which is not in the window; b and y: room for `room` numbers each.
INLINE void join(__global const double* dbar, window w, int i, WORK const double* phi, double ratio, WORK double* c,
                 WORK double* b, WORK double* y, WORK double* partial) {
  const int count = w.who[0];
#if LOCAL == 1
  // U as it lies in dbar, eight rows at a time.
  for (int l = 0; l < count; l += 8) {
    __global const double* column[8];
    vd sum[8];
    UNROLL for (int k = 0; k < 8; ++k) {
      column[k] = dbar + (size_t)(w.who[1 + min(l + k, count - 1)] - 1) * w.n;
      sum[k] = 0;
    }
    const int whole = w.n / VW;
    for (int v = 0; v < whole; ++v) {
      const vd x = LOAD(phi + v * VW);
      UNROLL for (int k = 0; k < 8; ++k) sum[k] += x * LOAD(column[k] + v * VW);
    }
    if (whole * VW < w.n) {
      const vd x = OWN_LANES(whole, w.n) ? LOAD(phi + w.n - VW) : (vd)0;
      UNROLL for (int k = 0; k < 8; ++k) sum[k] += x * LOAD(column[k] + w.n - VW);
    }
    UNROLL for (int k = 0; k < 8; ++k)
      if (l + k < count) b[l + k] = sum_of(sum[k]);
  }
#else
  products(phi, w.U, w.n, w.room, count, b, partial);
#endif
  FOR_EACH(l, count) {
    double sum = 0;
    for (int m = 0; m < count; ++m) sum += w.binv[l + (size_t)w.stride * m] * b[m];
    y[l] = sum / ratio;
  }
  FOR_EACH(a, w.n) {
    w.V[(size_t)a * w.room + count] = phi[a];
#if LOCAL > 1
    w.U[(size_t)a * w.room + count] = dbar[(size_t)i * w.n + a];
#endif
  }
  BARRIER;
  FOR_EACH(t, (count + 1) * (count + 1)) {
    const int l = t % (count + 1), m = t / (count + 1);
    __global double* to = w.binv + l + (size_t)w.stride * m;
    if (l < count && m < count) *to += y[l] * c[m];
    if (l < count && m == count) *to = -y[l];
    if (l == count && m < count) *to = -c[m] / ratio;
    if (l == count && m == count) *to = 1 / ratio;
  }
  BARRIER;
  if (ITEM == 0) {
    w.who[0] = count + 1;
    w.who[1 + count] = i + 1;
  }
  BARRIER;
}

// P = B^-1 U for TILE_P moves and TILE_ORBITALS vectors; 0 where a vector begins with lanes of the one before.
// What is behind the last move or vector is done as if it were that one.
INLINE void tile_of_P(__global const double* dbar, window w, int l, int b, int count) {
  const int padded = PADDED(w.n), last = VECTORS(w.n) - 1;
  vd sum[TILE_P][TILE_ORBITALS];
  int begin[TILE_ORBITALS];
  __global const double* factor[TILE_P];
  UNROLL for (int q = 0; q < TILE_ORBITALS; ++q) begin[q] = BEGIN(min(b + q, last), w.n);
  UNROLL for (int k = 0; k < TILE_P; ++k) {
    factor[k] = w.binv + min(l + k, count - 1);
    UNROLL for (int q = 0; q < TILE_ORBITALS; ++q) sum[k][q] = 0;
  }
  for (int m = 0; m < count; ++m) {
    __global const double* column = dbar + (size_t)(w.who[1 + m] - 1) * w.n;
    vd x[TILE_ORBITALS];
    UNROLL for (int q = 0; q < TILE_ORBITALS; ++q) x[q] = LOAD(column + begin[q]);
    UNROLL for (int k = 0; k < TILE_P; ++k)
      UNROLL for (int q = 0; q < TILE_ORBITALS; ++q) sum[k][q] += factor[k][(size_t)w.stride * m] * x[q];
  }
  UNROLL for (int k = 0; k < TILE_P; ++k)
    UNROLL for (int q = 0; q < TILE_ORBITALS; ++q) {
      const int v = min(b + q, last);
      STORE(OWN_LANES(v, w.n) ? sum[k][q] : (vd)0, w.P + (size_t)min(l + k, count - 1) * padded + v * VW);
    }
}

// T = M V - E for TILE_ROWS rows and TILE_MOVES vectors of moves.
INLINE void tile_of_T(__global const double* dbar, window w, int first, int l, int count) {
  __global const double* row[TILE_ROWS];
  vd sum[TILE_ROWS][TILE_MOVES];
  UNROLL for (int r = 0; r < TILE_ROWS; ++r) {
    row[r] = dbar + (size_t)min(first + r, w.n - 1) * w.n;
    UNROLL for (int q = 0; q < TILE_MOVES; ++q) sum[r][q] = 0;
  }
  for (int a = 0; a < w.n; ++a) {
    vd v[TILE_MOVES];
    UNROLL for (int q = 0; q < TILE_MOVES; ++q) v[q] = LOAD(w.V + (size_t)a * w.room + l + q * VW);
    UNROLL for (int r = 0; r < TILE_ROWS; ++r)
      UNROLL for (int q = 0; q < TILE_MOVES; ++q) sum[r][q] += row[r][a] * v[q];
  }
  UNROLL for (int r = 0; r < TILE_ROWS && first + r < w.n; ++r)
    UNROLL for (int q = 0; q < TILE_MOVES; ++q) STORE(sum[r][q], w.T + (size_t)(first + r) * w.room + l + q * VW);
}
// M -= T P for TILE_ROWS rows and TILE_ORBITALS whole vectors from b on. Rows and vectors at the end may be
// the same ones twice: all are read before the first one is written.
INLINE void tile_of_M(__global double* dbar, window w, int first, int b, int count) {
  const int padded = PADDED(w.n), last = w.n / VW - 1;
  __global double* row[TILE_ROWS];
  __global const double* t[TILE_ROWS];
  vd sum[TILE_ROWS][TILE_ORBITALS];
  int begin[TILE_ORBITALS];
  UNROLL for (int q = 0; q < TILE_ORBITALS; ++q) begin[q] = min(b + q, last) * VW;
  UNROLL for (int r = 0; r < TILE_ROWS; ++r) {
    const int i = min(first + r, w.n - 1);
    row[r] = dbar + (size_t)i * w.n;
    t[r] = w.T + (size_t)i * w.room;
    UNROLL for (int q = 0; q < TILE_ORBITALS; ++q) sum[r][q] = LOAD(row[r] + begin[q]);
  }
  for (int l = 0; l < count; ++l) {
    vd p[TILE_ORBITALS];
    UNROLL for (int q = 0; q < TILE_ORBITALS; ++q) p[q] = LOAD(w.P + (size_t)l * padded + begin[q]);
    UNROLL for (int r = 0; r < TILE_ROWS; ++r)
      UNROLL for (int q = 0; q < TILE_ORBITALS; ++q) sum[r][q] -= t[r][l] * p[q];
  }
  UNROLL for (int r = 0; r < TILE_ROWS; ++r)
    UNROLL for (int q = 0; q < TILE_ORBITALS; ++q) STORE(sum[r][q], row[r] + begin[q]);
}
// The same for the last vector, which shares lanes with the one before.
INLINE void tail_of_M(__global double* dbar, window w, int first, int count) {
  __global const double* p = w.P + w.n / VW * VW;
  __global const double* t[TILE_ROWS];
  vd sum[TILE_ROWS];
  UNROLL for (int r = 0; r < TILE_ROWS; ++r) {
    const int i = min(first + r, w.n - 1);
    t[r] = w.T + (size_t)i * w.room;
    sum[r] = LOAD(dbar + (size_t)(i + 1) * w.n - VW);
  }
  for (int l = 0; l < count; ++l) {
    const vd x = LOAD(p + (size_t)l * PADDED(w.n));
    UNROLL for (int r = 0; r < TILE_ROWS; ++r) sum[r] -= t[r][l] * x;
  }
  UNROLL for (int r = 0; r < TILE_ROWS; ++r)
    STORE(sum[r], dbar + (size_t)(min(first + r, w.n - 1) + 1) * w.n - VW);
}

// dbar takes the moves that wait.
INLINE void bring_up_to_date(__global double* dbar, window w) {
  const int count = w.who[0], padded = PADDED(w.n), vectors = VECTORS(w.n);
  if (count == 0) return;
  FOR_EACH(t, ((vectors + TILE_ORBITALS - 1) / TILE_ORBITALS) * ((count + TILE_P - 1) / TILE_P)) {
    const int l = t % ((count + TILE_P - 1) / TILE_P) * TILE_P, b = t / ((count + TILE_P - 1) / TILE_P);
    tile_of_P(dbar, w, l, b * TILE_ORBITALS, count);
  }
  BARRIER;
  const int blocks = (w.n + TILE_ROWS - 1) / TILE_ROWS, at_once = LOCAL == 1 ? 1 : blocks;
  const int move_tiles = (count + WINDOW_STEP - 1) / WINDOW_STEP;
  const int whole = w.n / VW, orbital_tiles = (whole + TILE_ORBITALS - 1) / TILE_ORBITALS;
  for (int block = 0; block < blocks; block += at_once) {
    FOR_EACH(t, at_once * move_tiles)
    tile_of_T(dbar, w, (block + t / move_tiles) * TILE_ROWS, t % move_tiles * WINDOW_STEP, count);
    BARRIER;
    FOR_EACH(l, count) {
      const int i = w.who[1 + l] - 1;
      if (i / TILE_ROWS >= block && i / TILE_ROWS < block + at_once) w.T[(size_t)i * w.room + l] -= 1;
    }
    BARRIER;
    FOR_EACH(t, at_once * orbital_tiles)
    tile_of_M(dbar, w, (block + t / orbital_tiles) * TILE_ROWS, t % orbital_tiles * TILE_ORBITALS, count);
    BARRIER;
    // The last vector shares lanes with the one before, which is done by now.
    if (whole < vectors) {
      FOR_EACH(t, at_once) tail_of_M(dbar, w, (block + t) * TILE_ROWS, count);
      BARRIER;
    }
  }
  if (ITEM == 0) w.who[0] = 0;
  BARRIER;
}

// sum_a row_a x_a over the group.
INLINE double dot_of(WORK const double* row, __global const double* x, int n, __local double* shared) {
  vd sum = 0;
  FOR_EACH(b, VECTORS(n)) {
    const vd product = LOAD(row + BEGIN(b, n)) * LOAD(x + BEGIN(b, n));
    sum += OWN_LANES(b, n) ? product : (vd)0;
  }
  double total[1] = {sum_of(sum)};
  group_sums(total, 1, shared);
  return total[0];
}

#ifndef SWEEP
#if LOCAL > 1
#define SHARED(n) __local double shared[(n) * LOCAL]
#else
#define SHARED(n) __local double* shared = 0
#endif

// The work of a group begins at its number times work_size: row, phi (padded n each), s, c, b, y (room
// each), partial.
typedef struct {
  __global double *row, *phi, *s, *c, *b, *y, *partial;
} small_arrays;
static small_arrays small_of(__global double* work, size_t work_size, int n, int room) {
  small_arrays a;
  const int padded = PADDED(n);
  a.row = work + work_size * get_global_id(1);
  a.phi = a.row + padded;
  a.s = a.phi + padded;
  a.c = a.s + room;
  a.b = a.c + room;
  a.y = a.b + room;
  a.partial = a.y + room;
  return a;
}

static void transpose_into(__global const double* columns, __global double* rows, int n, int room, int count) {
  FOR_EACH(t, n * count) rows[(size_t)(t % n) * room + t / n] = columns[t];
}

// Windows as the caller has them, into the transposed arrays.
KERNEL void transpose_windows(__global const double* delayed_phi, __global const double* delayed_dbar,
                              __global const int* delayed_electron, __global double* V, __global double* U, int n,
                              int kmax, int room, int nwalker) {
  for (int w = SHARE_BEGIN(nwalker); w < SHARE_END(nwalker); ++w) {
    const int count = delayed_electron[(size_t)w * (kmax + 1)];
    transpose_into(delayed_phi + (size_t)w * n * kmax, V + (size_t)w * n * room, n, room, count);
    transpose_into(delayed_dbar + (size_t)w * n * kmax, U + (size_t)w * n * room, n, room, count);
  }
}

KERNEL void slater_ratio(__global const double* dbar, __global const double* phi, __global const double* dphi,
                         __global const double* d2phi, __global const double* delayed_dbar,
                         __global const double* binv, __global const int* who, __global const double* V,
                         __global double* work, ulong work_size, __global double* ratio, __global double* drift,
                         __global double* laplacian, int has_window, int has_drift, int has_laplacian, int one,
                         int n, int npos, int kmax, int room, int nwalker) {
  SHARED(1);
  const small_arrays a = small_of(work, work_size, n, room);
  const int each = one < 0 ? 1 : npos, rows = nwalker * npos / each;
  for (int row = SHARE_BEGIN(rows); row < SHARE_END(rows); ++row) {
    const int w = row * each / npos, i = one < 0 ? row % npos : one;
    __global const double* matrix = dbar + (size_t)w * n * n;
    __global const int* waiting = who + (size_t)w * (kmax + 1);
    const int count = has_window ? waiting[0] : 0;
    FOR_EACH(b, VECTORS(n)) STORE(LOAD(matrix + (size_t)i * n + BEGIN(b, n)), a.row + BEGIN(b, n));
    BARRIER;
    if (count > 0) {
      products(a.row, V + (size_t)w * n * room, n, room, count, a.s, a.partial);
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
  for (int w = SHARE_BEGIN(nwalker); w < SHARE_END(nwalker); ++w) {
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
                            int n, int nupdate, int kmax, int room, int nwalker) {
  SHARED(1);
  const small_arrays a = small_of(work, work_size, n, room);
  const size_t group = get_global_id(1);
  for (int walker = SHARE_BEGIN(nwalker); walker < SHARE_END(nwalker); ++walker) {
    const size_t of_window = kept ? walker : group;
    window w;
    w.n = n;
    w.k = kmax;
    w.room = room;
    w.stride = kmax;
    w.V = V + of_window * n * room;
    w.U = U + of_window * n * room;
    w.P = P + group * PADDED(n) * kmax;
    w.T = T + group * n * room;
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
  for (int w = SHARE_BEGIN(nwalker); w < SHARE_END(nwalker); ++w) {
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
#endif
