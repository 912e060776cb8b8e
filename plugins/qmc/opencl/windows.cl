// SPDX-License-Identifier: BSD-3-Clause
// Delayed updates of inverse Slater matrices, for slater.cl and sweep.cl.
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
  int n, k, capacity;                    // electrons, moves at most, and that filled up to whole vectors
  int stride;                        // of binv
  // [n][capacity] of moves; for bringing up to date: [k][padded n], [n][capacity], [k][padded n], [k][capacity]
  __global double *V, *U, *P, *T, *R, *B;
  __global double* binv;             // (stride,k)
  __global int* who;                 // how many wait, then their electrons from 1
} window;

// s_l = sum_a x_a F(a,l), l < count. partial: room for max(LOCAL VW, capacity) numbers.
INLINE void products(WORK const double* x, __global const double* F, int n, int capacity, int count, WORK double* s,
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
        sum[k][q] += x[a + k] * LOAD(column + (size_t)(a + k) * capacity + q * VW);
    for (; a < n; ++a)
      UNROLL for (int q = 0; q < 2; ++q) sum[0][q] += x[a] * LOAD(column + (size_t)a * capacity + q * VW);
    UNROLL for (int q = 0; q < 2; ++q)
      STORE((sum[0][q] + sum[1][q]) + (sum[2][q] + sum[3][q]), s + l + q * VW);
  }
#else
  const int vectors = VECTORS(count), pieces = max(1, LOCAL / max(vectors, 1));
  for (int t = ITEM; t < vectors * pieces; t += LOCAL) {
    const int l = t % vectors * VW, piece = t / vectors;
    vd sum = 0;
    for (int a = n * piece / pieces; a < n * (piece + 1) / pieces; ++a) sum += x[a] * LOAD(F + (size_t)a * capacity + l);
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
  products(row, w.V, w.n, w.capacity, count, s, partial);
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
// which is not in the window; b and y: room for `capacity` numbers each.
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
  products(phi, w.U, w.n, w.capacity, count, b, partial);
#endif
  FOR_EACH(l, count) {
    double sum = 0;
    for (int m = 0; m < count; ++m) sum += w.binv[l + (size_t)w.stride * m] * b[m];
    y[l] = sum / ratio;
  }
  FOR_EACH(a, w.n) {
    w.V[(size_t)a * w.capacity + count] = phi[a];
#if LOCAL > 1
    w.U[(size_t)a * w.capacity + count] = dbar[(size_t)i * w.n + a];
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

// U into R, in rows as P has them: 0 where a vector begins with lanes of the one before.
INLINE void rows_of_U(__global const double* dbar, window w, int count) {
  const int padded = PADDED(w.n), vectors = VECTORS(w.n);
  FOR_EACH(t, count * vectors) {
    const int l = t / vectors, v = t % vectors;
    const vd x = LOAD(dbar + (size_t)(w.who[1 + l] - 1) * w.n + BEGIN(v, w.n));
    STORE(OWN_LANES(v, w.n) ? x : (vd)0, w.R + (size_t)l * padded + v * VW);
  }
}
// to(l,:) = sign sum_m F(l,m) x(m,:), added to what is there if `adds`, for TILE_P moves and TILE_ORBITALS
// vectors; F(l,m) at l down + m across. What is behind the last move or vector is that one once more, read
// before it is written.
INLINE void tile_of_P(__global double* to, int adds, double sign, __global const double* F, int down,
                      int across, __global const double* x, int padded, int l, int b, int count) {
  vd sum[TILE_P][TILE_ORBITALS], before[TILE_P][TILE_ORBITALS];
  size_t at[TILE_P];
  int begin[TILE_ORBITALS];
  UNROLL for (int q = 0; q < TILE_ORBITALS; ++q) begin[q] = min(b + q, padded / VW - 1) * VW;
  UNROLL for (int k = 0; k < TILE_P; ++k) {
    at[k] = min(l + k, count - 1);
    UNROLL for (int q = 0; q < TILE_ORBITALS; ++q) {
      sum[k][q] = 0;
      before[k][q] = adds ? LOAD(to + at[k] * padded + begin[q]) : (vd)0;
    }
  }
  for (int m = 0; m < count; ++m) {
    __global const double* row = x + (size_t)m * padded;
    vd y[TILE_ORBITALS];
    UNROLL for (int q = 0; q < TILE_ORBITALS; ++q) y[q] = LOAD(row + begin[q]);
    UNROLL for (int k = 0; k < TILE_P; ++k)
      UNROLL for (int q = 0; q < TILE_ORBITALS; ++q) sum[k][q] += F[at[k] * down + (size_t)across * m] * y[q];
  }
  UNROLL for (int k = 0; k < TILE_P; ++k)
    UNROLL for (int q = 0; q < TILE_ORBITALS; ++q)
      STORE(before[k][q] + sign * sum[k][q], to + at[k] * padded + begin[q]);
}

// M V, of which T is made, for TILE_ROWS rows and TILE_MOVES vectors of moves; with `moved` only the rows of
// the `rows` electrons moved: B = U V.
INLINE void tile_of_T(__global const double* dbar, window w, int moved, int rows, __global double* to,
                      int first, int l) {
  __global const double* row[TILE_ROWS];
  vd sum[TILE_ROWS][TILE_MOVES];
  UNROLL for (int r = 0; r < TILE_ROWS; ++r) {
    const int i = min(first + r, rows - 1);
    row[r] = dbar + (size_t)(moved ? w.who[1 + i] - 1 : i) * w.n;
    UNROLL for (int q = 0; q < TILE_MOVES; ++q) sum[r][q] = 0;
  }
  for (int a = 0; a < w.n; ++a) {
    vd v[TILE_MOVES];
    UNROLL for (int q = 0; q < TILE_MOVES; ++q) v[q] = LOAD(w.V + (size_t)a * w.capacity + l + q * VW);
    UNROLL for (int r = 0; r < TILE_ROWS; ++r)
      UNROLL for (int q = 0; q < TILE_MOVES; ++q) sum[r][q] += row[r][a] * v[q];
  }
  UNROLL for (int r = 0; r < TILE_ROWS && first + r < rows; ++r)
    UNROLL for (int q = 0; q < TILE_MOVES; ++q) STORE(sum[r][q], to + (size_t)(first + r) * w.capacity + l + q * VW);
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
    t[r] = w.T + (size_t)i * w.capacity;
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
    t[r] = w.T + (size_t)i * w.capacity;
    sum[r] = LOAD(dbar + (size_t)(i + 1) * w.n - VW);
  }
  for (int l = 0; l < count; ++l) {
    const vd x = LOAD(p + (size_t)l * PADDED(w.n));
    UNROLL for (int r = 0; r < TILE_ROWS; ++r) sum[r] -= t[r][l] * x;
  }
  UNROLL for (int r = 0; r < TILE_ROWS; ++r)
    STORE(sum[r], dbar + (size_t)(min(first + r, w.n - 1) + 1) * w.n - VW);
}

// dbar takes the moves that wait. P = B^-1 U: binv, grown by bordering, has lost digits where ratios were
// small; one step of refinement with B rebuilt, P += binv (U - B P), has them back (docs/theory/qmc.md).
INLINE void bring_up_to_date(__global double* dbar, window w) {
  const int count = w.who[0], padded = PADDED(w.n), vectors = VECTORS(w.n);
  if (count == 0) return;
  const int move_tiles = (count + WINDOW_STEP - 1) / WINDOW_STEP;
  FOR_EACH(t, ((count + TILE_ROWS - 1) / TILE_ROWS) * move_tiles)
  tile_of_T(dbar, w, 1, count, w.B, t / move_tiles * TILE_ROWS, t % move_tiles * WINDOW_STEP);
  rows_of_U(dbar, w, count);
  BARRIER;
  const int P_tiles = (count + TILE_P - 1) / TILE_P;
  for (int step = 0; step < 3; ++step) {
    const int back = step == 1;
    FOR_EACH(t, ((vectors + TILE_ORBITALS - 1) / TILE_ORBITALS) * P_tiles)
    tile_of_P(back ? w.R : w.P, step > 0, back ? -1 : 1, back ? w.B : w.binv, back ? w.capacity : 1,
              back ? 1 : w.stride, back ? w.P : w.R, padded, t % P_tiles * TILE_P,
              t / P_tiles * TILE_ORBITALS, count);
    BARRIER;
  }
  const int blocks = (w.n + TILE_ROWS - 1) / TILE_ROWS, at_once = LOCAL == 1 ? 1 : blocks;
  const int whole = w.n / VW, orbital_tiles = (whole + TILE_ORBITALS - 1) / TILE_ORBITALS;
  for (int block = 0; block < blocks; block += at_once) {
    FOR_EACH(t, at_once * move_tiles)
    tile_of_T(dbar, w, 0, w.n, w.T, (block + t / move_tiles) * TILE_ROWS, t % move_tiles * WINDOW_STEP);
    BARRIER;
    FOR_EACH(l, count) {
      const int i = w.who[1 + l] - 1;
      if (i / TILE_ROWS >= block && i / TILE_ROWS < block + at_once) w.T[(size_t)i * w.capacity + l] -= 1;
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
