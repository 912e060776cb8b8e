// SPDX-License-Identifier: BSD-3-Clause
// Semi-local pseudopotentials, after philox.cl: an item finds the ions close to an electron, then a group places the points around each of
// them, vectors of points in the lanes. Twins of ../quadrature.hpp.
//   L_CHANNELS  number of l

// What the first kernel hands to the second, numbers of a pair:
#define ROTATION 0                    // the rule's rotation, rows one after the other
#define AXIS 9                        // direction from the ion to the electron in the rule's own frame
#define FROM_ION 12                   // vector from the ion
#define RADIUS 15
#define RADIAL 16                     // (2l+1) v_l
#define OF_PAIR (RADIAL + L_CHANNELS)  // their number

static double open_uniform(uint word) { return (word + 0.5) * 0x1p-32; }

static void random_rotation(uint4 words, double* m) {
  const double u = open_uniform(words.x), size0 = sqrt(1 - u), size1 = sqrt(u);
  double q[4];
  q[1] = size0 * sincos(6.283185307179586 * open_uniform(words.y), q);
  q[0] *= size0;
  q[3] = size1 * sincos(6.283185307179586 * open_uniform(words.z), q + 2);
  q[2] *= size1;
  m[0] = 1 - 2 * (q[2] * q[2] + q[3] * q[3]);
  m[1] = 2 * (q[1] * q[2] - q[0] * q[3]);
  m[2] = 2 * (q[1] * q[3] + q[0] * q[2]);
  m[3] = 2 * (q[1] * q[2] + q[0] * q[3]);
  m[4] = 1 - 2 * (q[1] * q[1] + q[3] * q[3]);
  m[5] = 2 * (q[2] * q[3] - q[0] * q[1]);
  m[6] = 2 * (q[1] * q[3] - q[0] * q[2]);
  m[7] = 2 * (q[2] * q[3] + q[0] * q[1]);
  m[8] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
}

static double radial_term(double coefficient, int power, double exponent, double r) {
  if (power < 0 && !(r > 0)) return 0;
  double x = coefficient * exp(-exponent * r * r);
  for (int k = 0; k < power; ++k) x *= r;
  for (int k = power; k < 0; ++k) x /= r;
  return x;
}

// d: the vector from the ion, of length r; m: the rotation.
static void put_pair(__global double* pair, const double* d, double r, const double* m, __global const int* first,
                     __global const int* power, __global const double* exponent, __global const double* coefficient) {
  for (int i = 0; i < 9; ++i) pair[ROTATION + i] = m[i];
  for (int j = 0; j < 3; ++j) {
    const double along = d[0] * m[j] + d[1] * m[3 + j] + d[2] * m[6 + j];
    pair[AXIS + j] = r > 0 ? along / r : m[6 + j];
    pair[FROM_ION + j] = d[j];
  }
  pair[RADIUS] = r;
  for (int l = 0; l < L_CHANNELS; ++l) {
    double v = 0;
    for (int t = first[l]; t < first[l + 1]; ++t) v += (2 * l + 1) * radial_term(coefficient[t], power[t], exponent[t], r);
    pair[RADIAL + l] = v;
  }
}

// Electron `which` of every walker, or all of them (which < 0). close(count): how many ions; ions(mpair,count), from 1 where has_ions.
KERNEL void find_pairs(__global const double* rele, __global const double* cell, __global const double* ions, int padded_ions,
                       int nion, __global const int* set_of_ion, __global const double* cutoff, __global const int* first,
                       __global const int* power, __global const double* exponent, __global const double* coefficient,
                       __global const long* stream, int turns, ulong seed, uint sweep, int netot, int nelectron, int which,
                       int mpair, int count, __global double* pairs, __global int* close_ions, __global int* ion_out,
                       int has_ions, int rows) {
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const int k = row * LOCAL + ITEM;
    if (k >= count) continue;
    const int w = k / nelectron, i = which < 0 ? k - w * nelectron : which;
    __global const double* r = rele + 3 * ((size_t)w * netot + i);
    const double position[3] = {r[0], r[1], r[2]};
    double at[3];
    apply(FRAME(cell), position, at);
    int close = 0;
    for (int v = 0; v < VECTORS(nion); ++v) {
      vd x = at[0] - LOAD(ions + v * VW), y = at[1] - LOAD(ions + padded_ions + v * VW),
         z = at[2] - LOAD(ions + 2 * padded_ions + v * VW);
      closest_image(cell, &x, &y, &z);
      const vd length = sqrt(x * x + y * y + z * z) * UNIT(cell);
      double lanes[4][VW];
#if VW == 1
      lanes[0][0] = x;
      lanes[1][0] = y;
      lanes[2][0] = z;
      lanes[3][0] = length;
#else
      STORE(x, lanes[0]);
      STORE(y, lanes[1]);
      STORE(z, lanes[2]);
      STORE(length, lanes[3]);
#endif
      for (int lane = 0; lane < min(VW, nion - v * VW); ++lane) {
        const int ion = v * VW + lane, set = set_of_ion[ion];
        if (set < 0 || !(lanes[3][lane] < cutoff[set])) continue;
        if (close < mpair) {
          const double scaled[3] = {lanes[0][lane], lanes[1][lane], lanes[2][lane]};
          double d[3], m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
          apply(BACK(cell), scaled, d);
          if (turns) {
            const uint number = 2 * netot + 1 + i * nion + ion;
            const ulong s = (ulong)stream[w];
            random_rotation(philox((uint4)(4 * number, sweep, (uint)s, (uint)(s >> 32)), (uint2)((uint)seed, (uint)(seed >> 32))), m);
          }
          const size_t slot = (size_t)k * mpair + close;
          put_pair(pairs + slot * OF_PAIR, d, lanes[3][lane], m, first + L_CHANNELS * set, power, exponent, coefficient);
          if (has_ions) ion_out[slot] = ion + 1;
        }
        ++close;
      }
    }
    close_ions[k] = close;
    for (int p = close; p < mpair && has_ions; ++p) ion_out[(size_t)k * mpair + p] = 0;
  }
}

// sum_l v(l) P_l(x) over all channels.
static vd legendre_sum(__global const double* v, vd x) {
  vd before = 0, now = 1, sum = 0;
  for (int l = 0; l < L_CHANNELS; ++l) {
    sum += v[l] * now;
    const vd next = ((2 * l + 1) * x * now - l * before) * (1.0 / (l + 1));
    before = now;
    now = next;
  }
  return sum;
}

static void put_points(__global const double* pair, __global const double* at, __global double* points, vd x, vd y, vd z,
                       int rest) {
  double lanes[3][VW];
  for (int d = 0; d < 3; ++d) {
    __global const double* m = pair + ROTATION + 3 * d;
    const vd place = at[d] + (pair[RADIUS] * (m[0] * x + m[1] * y + m[2] * z) - pair[FROM_ION + d]);
#if VW == 1
    lanes[d][0] = place;
#else
    STORE(place, lanes[d]);
#endif
  }
  for (int lane = 0; lane < min(VW, rest); ++lane)
    for (int d = 0; d < 3; ++d) points[3 * lane + d] = lanes[d][lane];
}

// A row is an electron. rule(padded,4): directions by component and weights, filled up with zeros. Bits of has: 1 points, 2 energy,
// 4 negative; with the last two, ratio.
KERNEL void put_quadrature(__global const double* rele, __global const double* pairs, __global const int* close_ions,
                           __global const double* rule, int padded_points, int npoint, __global const double* ratio,
                           __global double* weight, __global double* points, __global double* energy,
                           __global double* negative, int has, int netot, int nelectron, int which, int mpair, int count) {
#if LOCAL > 1
  __local double shared[LOCAL];
#else
  __local double* shared = 0;
#endif
  for (int k = SHARE_BEGIN(1, count); k < SHARE_END(1, count); ++k) {
    const int w = k / nelectron, i = which < 0 ? k - w * nelectron : which, close = min(close_ions[k], mpair);
    __global const double* at = rele + 3 * ((size_t)w * netot + i);
    double sum[1] = {0};
    FOR_EACH(share, mpair * VECTORS(npoint)) {
      const int p = share / VECTORS(npoint), q = share % VECTORS(npoint) * VW, rest = npoint - q;
      const size_t slot = (size_t)k * mpair + p, to = slot * npoint + q;
      if (p >= close) {
        for (int lane = 0; lane < min(VW, rest); ++lane) {
          weight[to + lane] = 0;
          for (int d = 0; d < 3 && has & 1; ++d) points[3 * (to + lane) + d] = at[d];
          if (has & 4) negative[to + lane] = 0;
        }
        continue;
      }
      __global const double* pair = pairs + slot * OF_PAIR;
      const vd x = LOAD(rule + q), y = LOAD(rule + padded_points + q), z = LOAD(rule + 2 * padded_points + q);
      const vd cosine = pair[AXIS] * x + pair[AXIS + 1] * y + pair[AXIS + 2] * z;
      const vd of_points = LOAD(rule + 3 * padded_points + q) * legendre_sum(pair + RADIAL, cosine);
      double lanes[VW];
#if VW == 1
      lanes[0] = of_points;
#else
      STORE(of_points, lanes);
#endif
      for (int lane = 0; lane < min(VW, rest); ++lane) {
        weight[to + lane] = lanes[lane];
        if (!(has & 6)) continue;
        const double term = lanes[lane] * ratio[to + lane];
        sum[0] += term;
        if (has & 4) negative[to + lane] = term < 0 ? term : 0;
      }
      if (has & 1) put_points(pair, at, points + 3 * to, x, y, z, rest);
    }
    if (!(has & 2)) continue;
    group_sums(sum, 1, shared);
    if (ITEM == 0) energy[k] = sum[0];
  }
}
