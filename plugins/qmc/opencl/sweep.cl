// SPDX-License-Identifier: BSD-3-Clause
// qmc.sweep: a group walks a walker through all its sweeps, with windows.cl and philox.cl before this text. Nothing but the
// walker's own arrays is touched, so that groups never wait for each other.
//
//   MOVE       0: metropolis, 1: langevin
//   HAS_U, HAS_P
//   CAPACITY   moves of the window, to whole vectors
//   IN_LOCAL   1: the small arrays lie in local memory (WORK is __local), WORK_SIZE numbers
//
// Electrons lie in the frame as into_frame has put them. The one that moves is not a number there meanwhile,
// so that loops over the others need not look for it.

static uint4 draw(long seed, long stream, long sweep, int electron, int block) {
  return philox((uint4)((uint)(4 * electron + block), (uint)sweep, (uint)stream, (uint)((ulong)stream >> 32)),
                (uint2)((uint)seed, (uint)((ulong)seed >> 32)));
}
static void gaussians(uint4 words, double* g) {
  const double scale = 2.3283064365386963e-10;  // 2^-32
  const double size1 = sqrt(-2 * log((words.x + 0.5) * scale)), size2 = sqrt(-2 * log((words.z + 0.5) * scale));
  const double angle1 = 6.283185307179586 * ((words.y + 0.5) * scale),
               angle2 = 6.283185307179586 * ((words.w + 0.5) * scale);
  double c1;
  g[1] = size1 * sincos(angle1, &c1);
  g[0] = size1 * c1;
  g[2] = size2 * cos(angle2);
}
static double uniform(uint4 words) {
  return (double)((((ulong)words.x << 32) | words.y) >> 11) * 1.1102230246251565e-16;  // 2^-53
}

// What a position gives: the logarithm of the Jastrow factor, its gradient in the frame (u) and along the
// numbers of G (p), the ratio of determinants, and the gradient of the determinant along the numbers of k.
#define VALUE 0
#define OF_U 1
#define OF_P 4
#define RATIO 7
#define OF_D 8
#define SUMS 11

#if HAS_U
#define U_STRIDE (FORM ? 4 * (NALPHA - 3) : NALPHA)
INLINE vd u_sum(WORK const double* x, int begin, int end, int size, __global const double* cell,
                __global const double* c, double L, const double* at, vd* g) {
  const double unit = UNIT(cell);
  vd v = 0;
  for (int b = begin + ITEM; b < end; b += LOCAL) {
    vd dx = at[0] - LOAD(x + b * VW), dy = at[1] - LOAD(x + size + b * VW), dz = at[2] - LOAD(x + 2 * size + b * VW);
#if MOVE == 0
    const vd r = sqrt(closest_square(cell, dx, dy, dz)) * unit;
    const vl inside = r < (vd)L;
    v += inside ? u_value_at(c, L, FORM ? (inside ? r : (vd)0) : r) : (vd)0;
#else
    closest_image(cell, &dx, &dy, &dz);
    const vd r = sqrt(dx * dx + dy * dy + dz * dz) * unit;
    const vl inside = r < (vd)L;
    const vd safe = inside ? r : (vd)1;
    const radial u = u_at(c, L, safe);
    const vd slope = u.first / safe;
    v += inside ? u.value : (vd)0;
    g[0] += inside ? slope * dx : (vd)0;
    g[1] += inside ? slope * dy : (vd)0;
    g[2] += inside ? slope * dz : (vd)0;
#endif
  }
  return v;
}
INLINE void add_u(WORK const double* x, int second, int size, __global const double* cell,
                  __global const double* alpha, double L, int nset, int spin, const double* at, vd* sums) {
  sums[VALUE] += u_sum(x, 0, second / VW, size, cell, alpha + U_STRIDE * set_of_pair(nset, spin, 0), L, at,
                       sums + OF_U);
  sums[VALUE] += u_sum(x, second / VW, size / VW, size, cell, alpha + U_STRIDE * set_of_pair(nset, spin, 1), L,
                       at, sums + OF_U);
}
#endif

#if HAS_P
// Small arrays of the p term, psize numbers each.
#define RHO(channel, part) (2 * (channel) + (part))
#define OTHERS(part) (4 + (part))  // sum of a rho over the channels without the electron itself
#define CHANGE(part) (6 + (part))  // e^{i G.r'} - e^{i G.r}
INLINE void add_wave(WORK const double* p, int psize, __global const double* list, int g, vd c, vd s, vd* sums) {
  const vd re = LOAD(p + OTHERS(0) * psize + g * VW), im = LOAD(p + OTHERS(1) * psize + g * VW);
  sums[VALUE] += c * re + s * im;
#if MOVE == 1
  const vd minus = c * im - s * re;
  for (int d = 0; d < 3; ++d) sums[OF_P + d] += LOAD(list + d * psize + g * VW) * minus;
#endif
}
INLINE void add_p_here(WORK double* p, int count, int psize, __global const double* list, __global const double* a,
                       int nset, int spin, const double* s, vd* sums) {
  const int size = psize;
  FOR_EACH(g, VECTORS(count)) {
    vd sine;
    const vd cosine = wave_at(list, psize, g, s, &sine);
    const vd up = LOAD(a + ROW_OF(nset, spin, 0) + g * VW), dn = LOAD(a + ROW_OF(nset, spin, 1) + g * VW),
             own = spin ? dn : up;
    STORE(up * LOAD(p + RHO(0, 0) * psize + g * VW) + dn * LOAD(p + RHO(1, 0) * psize + g * VW) - own * cosine,
          p + OTHERS(0) * psize + g * VW);
    STORE(up * LOAD(p + RHO(0, 1) * psize + g * VW) + dn * LOAD(p + RHO(1, 1) * psize + g * VW) - own * sine,
          p + OTHERS(1) * psize + g * VW);
    STORE(-cosine, p + CHANGE(0) * psize + g * VW);
    STORE(-sine, p + CHANGE(1) * psize + g * VW);
    add_wave(p, psize, list, g, cosine, sine, sums);
  }
}
INLINE void add_p_there(WORK double* p, int count, int psize, __global const double* list, const double* s,
                        vd* sums) {
  FOR_EACH(g, VECTORS(count)) {
    vd sine;
    const vd cosine = wave_at(list, psize, g, s, &sine);
    STORE(LOAD(p + CHANGE(0) * psize + g * VW) + cosine, p + CHANGE(0) * psize + g * VW);
    STORE(LOAD(p + CHANGE(1) * psize + g * VW) + sine, p + CHANGE(1) * psize + g * VW);
    add_wave(p, psize, list, g, cosine, sine, sums);
  }
}
#endif

// The row of the inverse with the orbitals at s, which are kept in phi.
INLINE void add_orbitals(WORK const double* row, WORK double* phi, int n, __global const double* list, int size,
                         const double* s, vd* sums) {
  if (ITEM == 0) phi[0] = 1;
  vd ratio = 0;
  FOR_EACH(m, VECTORS(n / 2)) {
    vd sine;
    const vd cosine = wave_at(list, size, m, s, &sine);
    const int at = 1 + 2 * m * VW, rest = n - at;
#if VW == 1
    const vd of_cos = row[at], of_sin = rest > 1 ? row[at + 1] : 0;
    phi[at] = cosine;
    if (rest > 1) phi[at + 1] = sine;
#else
    // Both arrays have room for whole vectors behind their end; what lies there counts nothing.
    const vd a = LOAD(row + at), b = LOAD(row + at + VW);
    const vl i = 2 * lane_numbers();
    const vd of_cos = (i < (vl)rest) ? (vd)(a.even, b.even) : (vd)0,
             of_sin = (i + 1 < (vl)rest) ? (vd)(a.odd, b.odd) : (vd)0;
    vd first, last;
    INTERLEAVE(cosine, sine, first, last)
    STORE(first, phi + at);
    STORE(last, phi + at + VW);
#endif
    ratio += of_cos * cosine + of_sin * sine;
#if MOVE == 1
    const vd slope = of_sin * cosine - of_cos * sine;
    for (int d = 0; d < 3; ++d) sums[OF_D + d] += LOAD(list + d * size + m * VW) * slope;
#endif
  }
  sums[RATIO] += ratio;
}

// From the sums over the group: ratio and J stay, the drift grad ln|psi| comes out.
static void drift_of(__global const double* cell, const double* sums, double* v) {
  __global const double* b = RECIPROCAL(cell);
  apply(BACK(cell), sums + OF_U, v);
  for (int d = 0; d < 3; ++d)
    for (int i = 0; i < 3; ++i) v[d] += (sums[OF_P + i] + sums[OF_D + i] / sums[RATIO]) * b[3 * i + d];
}
// Umrigar's limit.
static void limit(double* v, double alimit, double tau) {
  const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], factor = 2 / (1 + sqrt(1 + 2 * alimit * square * tau));
  for (int d = 0; d < 3; ++d) v[d] *= factor;
}

#if MOVE == 0
#define NSUMS 2  // value, ratio
#else
#define NSUMS SUMS
#endif
static void add_up(vd* lanes, double row_first, double* sums, __local double* shared) {
#if MOVE == 0
  double few[2] = {sum_of(lanes[VALUE]), sum_of(lanes[RATIO])};
  group_sums(few, 2, shared);
  sums[VALUE] = few[0];
  sums[RATIO] = few[1];
#else
  for (int k = 0; k < SUMS; ++k) sums[k] = sum_of(lanes[k]);
  group_sums(sums, SUMS, shared);
#endif
  sums[RATIO] += row_first;  // the orbital 1
}

KERNEL void sweep(__global double* rele, __global const double* cell, __global const double* kvec, int ksize,
                  __global const double* alpha, double L, int nset_u, __global const double* gvec, int ngvec,
                  int psize, __global const double* a, int nset_p, __global double* dbar_up,
                  __global double* dbar_dn, double tau, double alimit, int nsweep, long first_sweep, long seed,
                  __global const long* stream, __global int* accepted, __global double* diffusion,
                  int has_diffusion, __global double* logpsi, int has_logpsi, __global double* windows,
                  ulong window_size, __global int* whos, __global double* scratch, ulong work_size, int delay,
                  int netot, int nup, int second, int size, int nwalker) {
#if LOCAL > 1
  __local double shared[NSUMS * LOCAL];
#else
  __local double* shared = 0;
#endif
#if IN_LOCAL
  __local double work[WORK_SIZE];
#else
  __global double* work = scratch + work_size * get_global_id(1);
#endif
  const int most = max(nup, netot - nup), room_of_row = PADDED(most) + 2 * VW;
  WORK double* x = work;
  WORK double* row = x + 3 * size;
  WORK double* phi = row + room_of_row;
  WORK double* s = phi + room_of_row;
  WORK double* c = s + CAPACITY;
  WORK double* b = c + CAPACITY;
  WORK double* y = b + CAPACITY;
  WORK double* partial = y + CAPACITY;
  WORK double* p = partial + max(LOCAL * VW, CAPACITY);
  window w;
  w.k = delay;
  w.capacity = CAPACITY;
  w.stride = delay;
  w.V = windows + window_size * get_global_id(1);
  w.U = w.V + (size_t)most * CAPACITY;
  w.T = w.U + (size_t)most * CAPACITY;
  w.P = w.T + (size_t)most * CAPACITY;
  w.R = w.P + (size_t)PADDED(most) * delay;
  w.B = w.R + (size_t)PADDED(most) * delay;
  w.binv = w.B + (size_t)CAPACITY * delay;
  w.who = whos + (size_t)(delay + 1) * get_global_id(1);

  for (int walker = SHARE_BEGIN(1, nwalker); walker < SHARE_END(1, nwalker); ++walker) {
    __global double* r = rele + (size_t)walker * 3 * netot;
    FOR_EACH(q, size) {
      const int i = q < second ? q : q - second + nup, there = q < second ? i < nup : i < netot;
      double f[3] = {NAN, NAN, NAN};
      if (there) {
        const double at[3] = {r[3 * i], r[3 * i + 1], r[3 * i + 2]};
        apply(FRAME(cell), at, f);
      }
      for (int d = 0; d < 3; ++d) x[d * size + q] = f[d];
    }
#if HAS_P
    for (int channel = 0; channel < 2; ++channel) FOR_EACH(g, VECTORS(ngvec)) {
        vd re = 0, im = 0;
        for (int j = channel ? nup : 0; j < (channel ? netot : nup); ++j) {
          double t[3];
          phases_at(cell, r + 3 * j, t);
          vd sine;
          re += wave_at(gvec, psize, g, t, &sine);
          im += sine;
        }
        STORE(re, p + RHO(channel, 0) * psize + g * VW);
        STORE(im, p + RHO(channel, 1) * psize + g * VW);
      }
#endif
    if (ITEM == 0) w.who[0] = 0;
    BARRIER;
    int moved = 0;
    double diffused = 0, diffused_accepted = 0, log_sum = 0;
    for (int sweep = 0; sweep < nsweep; ++sweep)
      for (int i = 0; i < netot; ++i) {
        const int spin = i >= nup, j = spin ? i - nup : i, place = spin ? second + j : i;
        const int n = spin ? netot - nup : nup;
        __global double* dbar = (spin ? dbar_dn : dbar_up) + (size_t)walker * n * n;
        w.n = n;
        const double from[3] = {r[3 * i], r[3 * i + 1], r[3 * i + 2]};
        double there[3], frame_from[3], frame_to[3], t[3], sums[SUMS], here[SUMS], g[3], drift[3] = {0, 0, 0};
        apply(FRAME(cell), from, frame_from);
        apply(FRACTION(cell), from, t);
        if (ITEM == 0) x[place] = NAN;
        current_row(dbar, w, j, row, s, c, partial);
        gaussians(draw(seed, stream[walker], first_sweep + sweep, i, 0), g);
        // Sums that are not made stay 0.
        vd lanes[SUMS];
        for (int k = 0; k < SUMS; ++k) lanes[k] = 0;
#if HAS_U
        add_u(x, second, size, cell, alpha, L, nset_u, spin, frame_from, lanes);
#endif
#if HAS_P
        add_p_here(p, ngvec, psize, gvec, a, nset_p, spin, t, lanes);
#endif
#if MOVE == 1
        add_orbitals(row, phi, n, kvec, ksize, t, lanes);
        add_up(lanes, row[0], here, shared);
        drift_of(cell, here, drift);
        limit(drift, alimit, tau);
        for (int k = 0; k < SUMS; ++k) lanes[k] = 0;
#else
        lanes[VALUE] = -lanes[VALUE];  // of both positions one sum is enough
#endif
        double step = 0;
        for (int d = 0; d < 3; ++d) {
          there[d] = from[d] + sqrt(tau) * g[d] + tau * drift[d];
          step += tau * g[d] * g[d];
        }
        diffused += step;
        apply(FRAME(cell), there, frame_to);
        apply(FRACTION(cell), there, t);
#if HAS_U
        add_u(x, second, size, cell, alpha, L, nset_u, spin, frame_to, lanes);
#endif
#if HAS_P
        add_p_there(p, ngvec, psize, gvec, t, lanes);
#endif
        BARRIER;  // phi of the position before has been read
        add_orbitals(row, phi, n, kvec, ksize, t, lanes);
        add_up(lanes, row[0], sums, shared);
        double exponent = 0;
#if MOVE == 1
        const double log_ratio = log(fabs(sums[RATIO])) + sums[VALUE] - here[VALUE];
        drift_of(cell, sums, drift);
        limit(drift, alimit, tau);
        for (int d = 0; d < 3; ++d) {
          const double back = from[d] - there[d] - tau * drift[d];
          exponent -= back * back;
        }
        exponent = (exponent + step) / (2 * tau);
        const int crossed = !(sums[RATIO] > 0);
#else
        const double log_ratio = log(fabs(sums[RATIO])) + sums[VALUE];
        const int crossed = 0;
#endif
        exponent += 2 * log_ratio;
        const double u = uniform(draw(seed, stream[walker], first_sweep + sweep, i, 1));
        const int accept = !crossed && u < exp(exponent);
        if (ITEM == 0)
          for (int d = 0; d < 3; ++d) x[d * size + place] = accept ? frame_to[d] : frame_from[d];
        if (accept) {
          ++moved;
          diffused_accepted += step;
          log_sum += log_ratio;
          if (ITEM == 0)
            for (int d = 0; d < 3; ++d) r[3 * i + d] = there[d];
#if HAS_P
          FOR_EACH(v, VECTORS(ngvec))
          for (int part = 0; part < 2; ++part) {
            WORK double* rho = p + RHO(spin, part) * psize + v * VW;
            STORE(LOAD(rho) + LOAD(p + CHANGE(part) * psize + v * VW), rho);
          }
#endif
          join(dbar, w, j, phi, sums[RATIO], c, b, y, partial);
        }
        BARRIER;
        if (w.who[0] == delay || j == n - 1) bring_up_to_date(dbar, w);
      }
    // Back into the cell: fractions from 0 to 1.
    FOR_EACH(i, netot) {
      __global const double* direct = DIRECT(cell);
      double t[3];
      phases_at(cell, r + 3 * i, t);
      for (int k = 0; k < 3; ++k)
        for (int d = 0; d < 3; ++d) r[3 * i + d] -= floor(t[k]) * direct[3 * k + d];
    }
    if (ITEM == 0) {
      accepted[walker] = moved;
      if (has_diffusion) {
        diffusion[2 * (size_t)walker] = diffused_accepted;
        diffusion[2 * (size_t)walker + 1] = diffused;
      }
      if (has_logpsi) logpsi[walker] += log_sum;
    }
    BARRIER;
  }
}
