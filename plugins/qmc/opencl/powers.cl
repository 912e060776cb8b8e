// SPDX-License-Identifier: BSD-3-Clause
// e^{i G.r} as a product of powers of three exponentials, and structure factors by them.
//   NPOW   the highest power

#define POWERS (NPOW + 1)
static void powers_of(vd turns, vd (*t)[2]) {
  vd c1;
  const vd s1 = sincos_turns(turns, &c1);
  t[0][0] = 1;
  t[0][1] = 0;
  for (int m = 1; m < POWERS; ++m) {
    t[m][0] = t[m - 1][0] * c1 - t[m - 1][1] * s1;
    t[m][1] = t[m - 1][1] * c1 + t[m - 1][0] * s1;
  }
}

// Tables of all particles: [walker][direction][power][cos, sin][particle].
KERNEL void power_tables(__global const double* fractions, __global double* tables, int fsize, int nwalker) {
  const int blocks = fsize / VW, rows = blocks * 3 * nwalker;
  const int items = (int)get_global_size(0) * (int)get_global_size(1);
  for (int row = (int)get_global_id(1) * LOCAL + ITEM; row < rows; row += items) {
    const int b = row % blocks, d = row / blocks % 3, w = row / (3 * blocks);
    vd t[POWERS][2];
    const vd turns = LOAD(fractions + ((size_t)w * 3 + d) * fsize + b * VW);
    powers_of((turns == turns) ? turns : (vd)0, t);
    for (int m = 0; m < 2 * POWERS; ++m)
      STORE(t[m / 2][m % 2], tables + (((size_t)w * 3 + d) * 2 * POWERS + m) * fsize + b * VW);
  }
}

// Structure factors on a CPU: the numbers of a vector are particles, in fractions as into_frame has put
// them. A line of the list has the vectors of one n1 and n2 >= 0 or not; an entry is |n3| with the places of
// +n3 and -n3 in the list, or -1. Four products serve both. A row is a line of one channel of one walker.
KERNEL void structure_factor_by_lines(__global const double* fractions, __global const double* tables,
                                      __global const double* charge, int has_charge,
                                      __global const int* lines, int line_count, __global const int* entries,
                                      __global double* rho, int count, int channels, int second, int fsize,
                                      __global double* work, int nwalker) {
  const int rows = line_count * channels * nwalker;
  __global double* c12 = work + (size_t)2 * fsize * get_global_id(1);
  __global double* s12 = c12 + fsize;
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const int channel = row / line_count % channels, w = row / (line_count * channels);
    __global const int* line = lines + 4 * (row % line_count);  // n1, n2, its entries
    const int n1 = line[0], n2 = line[1];
    const int begin = (channel ? second : 0) / VW, end = (channel || channels == 1 ? fsize : second) / VW;
    __global const double* t = tables + (size_t)w * 6 * POWERS * fsize;
    __global const double* t1 = t + (size_t)2 * abs(n1) * fsize;
    __global const double* t2 = t + (size_t)2 * (POWERS + abs(n2)) * fsize;
    __global const double* x = fractions + (size_t)w * 3 * fsize;
    const double sign1 = n1 < 0 ? -1 : 1, sign2 = n2 < 0 ? -1 : 1;
    for (int b = begin * VW; b < end * VW; b += VW) {
      const vd c1 = LOAD(t1 + b), s1 = sign1 * LOAD(t1 + fsize + b), c2 = LOAD(t2 + b),
               s2 = sign2 * LOAD(t2 + fsize + b), turns = LOAD(x + b);
      const vd q = (turns == turns) ? (has_charge ? LOAD(charge + b) : (vd)1) : (vd)0;
      STORE(q * (c1 * c2 - s1 * s2), c12 + b);
      STORE(q * (s1 * c2 + c1 * s2), s12 + b);
    }
    __global double* to = rho + 2 * ((size_t)w * channels + channel) * count;
    for (int e = line[2]; e < line[3]; ++e) {
      __global const int* entry = entries + 3 * e;  // |n3|, place of +n3, place of -n3
      __global const double* t3 = t + (size_t)2 * (2 * POWERS + entry[0]) * fsize;
      vd cc[2], ss[2], cs[2], sc[2];
      UNROLL for (int k = 0; k < 2; ++k) cc[k] = ss[k] = cs[k] = sc[k] = 0;
      int b = begin * VW;
      for (; b + VW < end * VW; b += 2 * VW)
        UNROLL for (int k = 0; k < 2; ++k) {
          const vd c = LOAD(c12 + b + k * VW), s = LOAD(s12 + b + k * VW), c3 = LOAD(t3 + b + k * VW),
                   s3 = LOAD(t3 + fsize + b + k * VW);
          cc[k] += c * c3;
          ss[k] += s * s3;
          cs[k] += c * s3;
          sc[k] += s * c3;
        }
      if (b < end * VW) {
        const vd c = LOAD(c12 + b), s = LOAD(s12 + b), c3 = LOAD(t3 + b), s3 = LOAD(t3 + fsize + b);
        cc[0] += c * c3;
        ss[0] += s * s3;
        cs[0] += c * s3;
        sc[0] += s * c3;
      }
      const double cosines = sum_of(cc[0] + cc[1]), sines = sum_of(ss[0] + ss[1]),
                   mixed = sum_of(cs[0] + cs[1]), other = sum_of(sc[0] + sc[1]);
      if (entry[1] >= 0) {
        to[2 * entry[1]] = cosines - sines;
        to[2 * entry[1] + 1] = other + mixed;
      }
      if (entry[2] >= 0) {
        to[2 * entry[2]] = cosines + sines;
        to[2 * entry[2] + 1] = other - mixed;
      }
    }
  }
}
