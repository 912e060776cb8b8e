// SPDX-License-Identifier: BSD-3-Clause
// The sums over G pair by pair, as the steps `pair` and `split_loops` make them: numbers of a vector are
// other particles, in fractions as into_frame has put them; e^{i G.r} is a product of powers of three
// exponentials. powers.cl and waves.cl stand before this text.
//   EWALD  1: the same loop over pairs has the sum over images too (ewald.cl stands before this text)

// cos and sin of G.r of the vector (n1,n2,n3), from tables in which sines of negative powers change sign.
#define POWER(t, d, n, c, s)                                   \
  const vd c = t[d][abs(n)][0], s = (n) < 0 ? -t[d][abs(n)][1] : t[d][abs(n)][1];
static vd product_of(vd c1, vd s1, vd c2, vd s2, vd c3, vd s3, vd* sine) {
  const vd c12 = c1 * c2 - s1 * s2, s12 = s1 * c2 + c1 * s2;
  *sine = s12 * c3 + c12 * s3;
  return c12 * c3 - s12 * s3;
}
// Each work-item has its tables for itself.
KERNEL void sums_by_pairs(__global const double* rele, __global const double* rnew,
                          __global const double* fractions, __global const double* charge, int has_charge,
                          __global const double* cell, __global const double* list, __global const double* a,
                          int nset, int count, int size, __global double* value, __global double* gradient,
                          __global double* laplacian, int has, int one, int npos, int netot, int nup,
                          int second, int fsize, int rows
#if EWALD
                          , __global const double* images, int image_count, double alpha, double cutoff,
                          __global double* short_range
#endif
) {
#if LOCAL > 1
  __local double shared[5 * LOCAL];
#else
  __local double* shared = 0;
#endif
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const int w = row / npos, i = one < 0 ? row % npos : one, spin = i >= nup;
    const int place = spin ? i - nup + second : i;
    double at[3];
    phases_at(cell, one < 0 ? rele + 3 * ((size_t)w * netot + i) : rnew + 3 * (size_t)row, at);
    __global const double* x = fractions + (size_t)w * 3 * fsize;
    vd v = 0, g1 = 0, g2 = 0, g3 = 0, l = 0;
    vd near[4] = {0, 0, 0, 0};
    for (int channel = 0; channel < 2; ++channel) {
      __global const double* factor = a + ROW_OF(nset, spin, channel);
      const int end = (channel ? fsize : second) / VW;
      for (int b = (channel ? second / VW : 0) + ITEM; b < end; b += LOCAL) {
        vd t[3][POWERS][2];
        const vd d[3] = {at[0] - LOAD(x + b * VW), at[1] - LOAD(x + fsize + b * VW),
                         at[2] - LOAD(x + 2 * fsize + b * VW)};
        const vl there = (d[0] == d[0]) && (lane_numbers() != (vl)(place - b * VW));
        for (int k = 0; k < 3; ++k) powers_of(there ? d[k] : (vd)0, t[k]);
        const vd q = there ? (has_charge ? LOAD(charge + b * VW) : (vd)1) : (vd)0;
        for (int g = 0; g < count; ++g) {
          const int n1 = (int)list[g], n2 = (int)list[size + g], n3 = (int)list[2 * size + g];
          POWER(t, 0, n1, c1, s1)
          POWER(t, 1, n2, c2, s2)
          POWER(t, 2, n3, c3, s3)
          vd sine;
          const vd cosine = product_of(c1, s1, c2, s2, c3, s3, &sine);
          const vd c = factor[g] * q * cosine, s = factor[g] * q * sine;
          v += c;
          g1 -= n1 * s;
          g2 -= n2 * s;
          g3 -= n3 * s;
          l -= list[3 * size + g] * c;
        }
#if EWALD
        add_images(cell, d, there, q, images, image_count, alpha, cutoff, near);
#endif
      }
    }
    double sums[5] = {sum_of(v), sum_of(g1), sum_of(g2), sum_of(g3), sum_of(l)};
    group_sums(sums, 5, shared);
    if (ITEM == 0) put(row, sums, cell, value, gradient, laplacian, has);
#if EWALD
    for (int k = 0; k < 4; ++k) sums[k] = sum_of(near[k]);
    group_sums(sums, 4, shared);
    if (ITEM == 0)
      for (int k = 0; k < 4; ++k) short_range[4 * (size_t)row + k] = sums[k];
#endif
  }
}

// The pairs by these tables: for each G one loop over the others.
KERNEL void sums_by_tables(__global const double* rele, __global const double* rnew,
                           __global const double* fractions, __global const double* tables,
                           __global const double* charge, int has_charge, __global const double* cell,
                           __global const double* list, __global const double* a, int nset, int count, int size,
                           __global double* value, __global double* gradient, __global double* laplacian,
                           int has, int one, int npos, int netot, int nup, int second, int fsize, int rows) {
#if LOCAL > 1
  __local double shared[5 * LOCAL];
#else
  __local double* shared = 0;
#endif
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const int w = row / npos, i = one < 0 ? row % npos : one, spin = i >= nup;
    const int place = spin ? i - nup + second : i;
    double at[3];
    phases_at(cell, one < 0 ? rele + 3 * ((size_t)w * netot + i) : rnew + 3 * (size_t)row, at);
    __global const double* x = fractions + (size_t)w * 3 * fsize;
    __global const double* t = tables + (size_t)w * 6 * POWERS * fsize;
    vd v = 0, g1 = 0, g2 = 0, g3 = 0, l = 0;
    for (int g = 0; g < count; ++g) {
      const int n1 = (int)list[g], n2 = (int)list[size + g], n3 = (int)list[2 * size + g];
      const double turns = n1 * at[0] + n2 * at[1] + n3 * at[2];
      vd own_cosine;
      const vd own_sine = sincos_turns((vd)turns, &own_cosine);
      __global const double* t1 = t + (size_t)2 * abs(n1) * fsize;
      __global const double* t2 = t + (size_t)2 * (POWERS + abs(n2)) * fsize;
      __global const double* t3 = t + (size_t)2 * (2 * POWERS + abs(n3)) * fsize;
      const double sign1 = n1 < 0 ? -1 : 1, sign2 = n2 < 0 ? -1 : 1, sign3 = n3 < 0 ? -1 : 1;
      vd c = 0, s = 0;
      for (int channel = 0; channel < 2; ++channel) {
        const double factor = a[ROW_OF(nset, spin, channel) + g];
        const int end = (channel ? fsize : second) / VW;
        for (int b = (channel ? second / VW : 0) + ITEM; b < end; b += LOCAL) {
          vd sine;
          const vd cosine =
              product_of(LOAD(t1 + b * VW), sign1 * LOAD(t1 + fsize + b * VW), LOAD(t2 + b * VW),
                         sign2 * LOAD(t2 + fsize + b * VW), LOAD(t3 + b * VW),
                         sign3 * LOAD(t3 + fsize + b * VW), &sine);
          const vd turn = LOAD(x + b * VW);
          const vl there = (turn == turn) && (lane_numbers() != (vl)(place - b * VW));
          const vd q = there ? (has_charge ? LOAD(charge + b * VW) : (vd)1) * factor : (vd)0;
          c += q * cosine;
          s += q * sine;
        }
      }
      const vd both = own_cosine * c + own_sine * s, minus = own_cosine * s - own_sine * c;
      v += both;
      g1 += n1 * minus;
      g2 += n2 * minus;
      g3 += n3 * minus;
      l -= list[3 * size + g] * both;
    }
    double sums[5] = {sum_of(v), sum_of(g1), sum_of(g2), sum_of(g3), sum_of(l)};
    group_sums(sums, 5, shared);
    if (ITEM == 0) put(row, sums, cell, value, gradient, laplacian, has);
  }
}
