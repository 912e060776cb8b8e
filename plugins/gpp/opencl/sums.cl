// SPDX-License-Identifier: BSD-3-Clause
// Putting sums together, and a look at w. One program for all calls.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// partial: [external][count][ns], ns = 4 ne + 2 sums in the order of best.cl. A work-group of LOCAL items adds the `count`
// of one external band and one sum, in an order that depends on LOCAL alone, and puts it into the results: again = 0 for
// the first panel of rows, else added.
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void gather(const __global double* partial, __global double* asx,
                                                                        __global double* ach, __global double* achs,
                                                                        int count, int ne, int nw, int iw0, int e0,
                                                                        int has_static, int again) {
  const int s = get_global_id(1), e = get_global_id(2), ns = 4 * ne + 2, me = get_local_id(0);
  partial += (long)e * count * ns + s;
  double total = 0;
  for (int i = me; i < count; i += LOCAL) total += partial[(long)i * ns];
#if LOCAL > 1
  __local double scratch[LOCAL];
  scratch[me] = total;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me > 0) return;
  for (int l = 1; l < LOCAL; ++l) total += scratch[l];
#endif
  __global double* to;
  if (s < 4 * ne) {
    to = (s & 2 ? asx : ach) + 2 * ((e0 + e) * nw + iw0 + s / 4) + (s & 1);
    total *= s & 2 ? -1.0 : 0.5;
  } else {
    if (!has_static) return;
    to = achs + 2 * (e0 + e) + (s & 1);
    total *= -0.5;
  }
  if (again) total += *to;
  *to = total;
}

// partial of the sums kept band by band: [external][pairs][n'][ns]; to bands [external][n'][ns].
__kernel void gather_bands(const __global double* partial, __global double* bands, int count, int nb, int ns, int again) {
  const int i = get_global_id(0), e = get_global_id(2);
  const int size = nb * ns;
  double total = 0;
  for (int p = 0; p < count; ++p) total += partial[((long)e * count + p) * size + i];
  __global double* to = bands + (long)e * size + i;
  if (again) total += *to;
  *to = total;
}

// One work-item an external band and sum: the total over n' in their order, and CH of each n': of all energies, of
// energy iw_n1 (-1: none), static.
__kernel void finish_bands(const __global double* bands, const __global double* occ, __global double* asx,
                           __global double* ach, __global double* ach_n1, __global double* ach_n1_iw, __global double* achs,
                           __global double* achs_n1, int nb, int ne, int nw, int iw0, int e0, int totals, int has_static,
                           int by_band, int iw_n1, int static_by_band) {
  const int s = get_global_id(1), e = get_global_id(2), ns = 4 * ne + 2;
  bands += (long)e * nb * ns + s;
  double total = 0;
  for (int n1 = 0; n1 < nb; ++n1) {
    const double one = bands[(long)n1 * ns];
    if (s >= 4 * ne) {
      total -= 0.5 * one;
      if (static_by_band) achs_n1[2 * ((long)(e0 + e) * nb + n1) + (s & 1)] = -0.5 * one;
    } else if (s & 2) {
      total -= occ[n1] * one;
    } else {
      total += 0.5 * one;
      if (by_band) ach_n1[2 * (((long)(e0 + e) * nb + n1) * nw + iw0 + s / 4) + (s & 1)] = 0.5 * one;
      if (iw0 + s / 4 == iw_n1) ach_n1_iw[2 * ((long)(e0 + e) * nb + n1) + (s & 1)] = 0.5 * one;
    }
  }
  if (s < 4 * ne) {
    if (totals) (s & 2 ? asx : ach)[2 * ((long)(e0 + e) * nw + iw0 + s / 4) + (s & 1)] = total;
  } else if (has_static) {
    achs[2 * (e0 + e) + (s & 1)] = total;
  }
}

// Whether all w are real, not negative and not beyond `largest`, and the lowest that is not 0: found[2 i], found[2 i + 1].
__kernel void look_at_poles(const __global double* wtilde, __global double* found, ulong n, double largest) {
  const ulong step = get_global_size(0);
  // Four at a time, in the lanes of a vector.
  const ulong fours = n / 4;
  double4 low = largest;
  long4 wrong = 0;
  for (ulong i = get_global_id(0); i < fours; i += step) {
    const double8 z = vload8(i, wtilde);
    wrong |= ~((z.odd == 0.0) & (z.even >= 0.0) & (z.even <= largest));
    low = fmin(low, select(z.even, (double4)(largest), z.even <= 0.0));
  }
  double lowest = fmin(fmin(low.x, low.y), fmin(low.z, low.w)), real = any(wrong) ? 0 : 1;
  for (ulong i = 4 * fours + get_global_id(0); i < n; i += step) {
    const double re = wtilde[2 * i], im = wtilde[2 * i + 1];
    if (!(im == 0 && re >= 0 && re <= largest)) real = 0;
    if (re > 0) lowest = fmin(lowest, re);
  }
  found[2 * get_global_id(0)] = real;
  found[2 * get_global_id(0) + 1] = lowest;
}

// The highest w below `largest` that a work-item meets, and the w at so many places: found[(1 + samples) i], ...
__kernel void sample_poles(const __global double* wtilde, __global double* found, ulong n, double largest, int samples) {
  const ulong me = get_global_id(0), items = get_global_size(0);
  double highest = 0;
  for (ulong i = me; i < n; i += items) highest = wtilde[2 * i] < largest ? fmax(highest, wtilde[2 * i]) : highest;
  found += (1 + samples) * me;
  found[0] = highest;
  for (int s = 0; s < samples; ++s) found[1 + s] = n == 0 ? 0.0 : wtilde[2 * ((me * samples + s) * n / (items * samples))];
}
