// SPDX-License-Identifier: BSD-3-Clause
// Sums over lists of reciprocal vectors: structure factors, the p term, the long-range part of the Ewald
// interaction, plane waves. A list lies as n1, n2, n3 and G^2, `count` of each, filled up with zeros to whole
// vectors (`size` of each); coefficients likewise, one row for each set.

// rho(count,channels,nwalker): sums of charge_j exp(i G.r_j), the first `first` particles in channel 0. A row
// is a piece of the list for one walker.
#define PIECE (8 * LOCAL)
KERNEL void structure_factor(__global const double* rele, __global const double* charge, int has_charge,
                             __global const double* cell, __global const double* list, int count, int size,
                             __global double* rho, int channels, int netot, int first, int nwalker) {
  const int pieces = (VECTORS(count) + PIECE - 1) / PIECE, rows = pieces * nwalker;
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const int w = row / pieces, begin = row % pieces * PIECE, end = min(begin + PIECE, VECTORS(count));
    __global const double* r = rele + 3 * (size_t)w * netot;
    for (int channel = 0; channel < channels; ++channel) {
      __global double* to = rho + 2 * ((size_t)w * channels + channel) * count;
      const int from = channel ? first : 0, until = channel || channels == 1 ? netot : first;
      for (int g = begin + ITEM; g < end; g += LOCAL) {
        vd re = 0, im = 0;
        for (int j = from; j < until; ++j) {
          double s[3];
          phases_at(cell, r + 3 * j, s);
          vd sine;
          const vd cosine = wave_at(list, size, g, s, &sine);
          const double q = has_charge ? charge[j] : 1;
          re += q * cosine;
          im += q * sine;
        }
        store_complex(re, im, to + 2 * g * VW, count - g * VW);
      }
    }
  }
}

// rho after the move of one electron, of walkers where accept is not 0.
KERNEL void structure_factor_moved(__global const double* rele, __global const double* rnew,
                                   __global const int* accept, int has_accept, __global const double* cell,
                                   __global const double* list, int count, int size, __global double* rho,
                                   __global const double* charge, int has_charge, int channels, int channel,
                                   int netot, int electron, int nwalker) {
  const double q = has_charge ? charge[electron] : 1;
  for (int w = SHARE_BEGIN(1, nwalker); w < SHARE_END(1, nwalker); ++w) {
    if (has_accept && accept[w] == 0) continue;
    __global double* to = rho + 2 * ((size_t)w * channels + channel) * count;
    double s_new[3], s_old[3];
    phases_at(cell, rnew + 3 * (size_t)w, s_new);
    phases_at(cell, rele + 3 * ((size_t)w * netot + electron), s_old);
    FOR_EACH(g, VECTORS(count)) {
      vd re, im, sine_new, sine_old;
      load_complex(to + 2 * g * VW, count - g * VW, &re, &im);
      const vd cosine_new = wave_at(list, size, g, s_new, &sine_new),
               cosine_old = wave_at(list, size, g, s_old, &sine_old);
      store_complex(re + q * (cosine_new - cosine_old), im + q * (sine_new - sine_old), to + 2 * g * VW,
                    count - g * VW);
    }
  }
}

// Where the sums of a row go; those that are not wanted have a 0 in `has`. has_* are bits: 1 value, 2
// gradient, 4 Laplacian.
static void put(int row, const double* sums, __global const double* cell, __global double* value,
                __global double* gradient, __global double* laplacian, int has) {
  __global const double* b = RECIPROCAL(cell);
  if (has & 1) value[row] = sums[0];
  if (has & 2)
    for (int d = 0; d < 3; ++d)
      gradient[3 * (size_t)row + d] = sums[1] * b[d] + sums[2] * b[3 + d] + sums[3] * b[6 + d];
  if (has & 4) laplacian[row] = sums[4];
}

// sum_{j/=i} charge_j sum_G a_G cos(G.r_ij) and derivatives, by rho less what the particle itself has in it.
KERNEL void sums_by_rho(__global const double* rele, __global const double* rnew, __global const double* charge,
                        int has_charge, __global const double* cell, __global const double* list,
                        __global const double* a, int nset, int count, int size, __global const double* rho,
                        int channels, __global double* value, __global double* gradient,
                        __global double* laplacian, int has, int one, int npos, int netot, int nup, int rows) {
#if LOCAL > 1
  __local double shared[5 * LOCAL];
#else
  __local double* shared = 0;
#endif
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const int w = row / npos, i = one < 0 ? row % npos : one, spin = i >= nup;
    __global const double* old = rele + 3 * ((size_t)w * netot + i);
    double s[3], s_old[3];
    phases_at(cell, one < 0 ? old : rnew + 3 * (size_t)row, s);
    phases_at(cell, old, s_old);
    const double q = has_charge ? charge[i] : 1;
    vd v = 0, g1 = 0, g2 = 0, g3 = 0, l = 0;
    FOR_EACH(g, VECTORS(count)) {
      vd sine, sine_old;
      const vd cosine = wave_at(list, size, g, s, &sine);
      vd cosine_old = cosine;
      sine_old = sine;
      if (one >= 0) cosine_old = wave_at(list, size, g, s_old, &sine_old);
      const vd own = LOAD(a + ROW_OF(nset, spin, spin) + g * VW) * q;
      vd re = -own * cosine_old, im = -own * sine_old;
      for (int channel = 0; channel < channels; ++channel) {
        vd x, y;
        load_complex(rho + 2 * (((size_t)w * channels + channel) * count + g * VW), count - g * VW, &x, &y);
        const vd factor = LOAD(a + (channels == 1 ? 0 : ROW_OF(nset, spin, channel)) + g * VW);
        re += factor * x;
        im += factor * y;
      }
      const vd c = cosine * re + sine * im, minus = cosine * im - sine * re;
      v += c;
      g1 += LOAD(list + g * VW) * minus;
      g2 += LOAD(list + size + g * VW) * minus;
      g3 += LOAD(list + 2 * size + g * VW) * minus;
      l -= LOAD(list + 3 * size + g * VW) * c;
    }
    double sums[5] = {sum_of(v), sum_of(g1), sum_of(g2), sum_of(g3), sum_of(l)};
    group_sums(sums, 5, shared);
    for (int k = 0; k < 5 && netot == 1; ++k) sums[k] = 0;  // there are no others
    if (ITEM == 0) put(row, sums, cell, value, gradient, laplacian, has);
  }
}

// Derivatives of the p term by its coefficients: numbers of a vector are positions. by_star lists the vectors
// star by star, `begin` where each one begins.
KERNEL void derivatives_by_star(__global const double* rele, __global const double* rnew,
                                __global const double* cell, __global const double* list,
                                __global const int* by_star, __global const int* begin, int nstar, int nset,
                                int count, int size, __global const double* rho, __global double* value,
                                __global double* gradient, __global double* laplacian, int has, int one,
                                int npos, int netot, int nup, int nwalker) {
  const int blocks = VECTORS(npos), rows = blocks * nstar * nwalker;
  __global const double* b = RECIPROCAL(cell);
  for (int share = SHARE_BEGIN(1, rows) + ITEM; share < SHARE_END(1, rows); share += LOCAL) {
    const int w = share / (blocks * nstar), star = share / blocks % nstar, block = share % blocks;
    double x[3][VW], y[3][VW];
    int spin[VW];
    for (int lane = 0; lane < VW; ++lane) {
      const int p = min(block * VW + lane, npos - 1), i = one < 0 ? p : one;
      spin[lane] = i >= nup;
      double s[3], s_old[3];
      phases_at(cell, rele + 3 * ((size_t)w * netot + i), s_old);
      if (one < 0)
        for (int d = 0; d < 3; ++d) s[d] = s_old[d];
      else
        phases_at(cell, rnew + 3 * ((size_t)w * npos + p), s);
      for (int d = 0; d < 3; ++d) {
        x[d][lane] = s[d];
        y[d][lane] = s_old[d];
      }
    }
    vd s[3], s_old[3];
    for (int d = 0; d < 3; ++d) {
      s[d] = LOAD(x[d]);
      s_old[d] = LOAD(y[d]);
    }
    // By channel: value, three of the gradient, Laplacian; and the same of the electron itself.
    vd sums[3][5];
    for (int k = 0; k < 15; ++k) sums[k / 5][k % 5] = 0;
    for (int k = begin[star]; k < begin[star + 1]; ++k) {
      const int g = by_star[k];
      const double n1 = list[g], n2 = list[size + g], n3 = list[2 * size + g], square = list[3 * size + g];
      vd cosine, cosine_old;
      const vd sine = sincos_turns(n1 * s[0] + n2 * s[1] + n3 * s[2], &cosine);
      const vd sine_old = sincos_turns(n1 * s_old[0] + n2 * s_old[1] + n3 * s_old[2], &cosine_old);
      for (int channel = 0; channel < 3; ++channel) {
        __global const double* z = rho + 2 * (((size_t)w * 2 + (channel & 1)) * count + g);
        const vd re = channel == 2 ? cosine_old : (vd)z[0], im = channel == 2 ? sine_old : (vd)z[1];
        const vd c = cosine * re + sine * im, minus = cosine * im - sine * re;
        sums[channel][0] += c;
        sums[channel][1] += n1 * minus;
        sums[channel][2] += n2 * minus;
        sums[channel][3] += n3 * minus;
        sums[channel][4] -= square * c;
      }
    }
    double numbers[15][VW];
    for (int k = 0; k < 15; ++k) STORE(sums[k / 5][k % 5], numbers[k]);
    for (int lane = 0; lane < VW && block * VW + lane < npos; ++lane)
      for (int set = 0; set < nset; ++set) {
        double t[5] = {0, 0, 0, 0, 0};
        for (int channel = 0; channel < 2; ++channel)
          if (netot > 1 && set_of_pair(nset, spin[lane], channel) == set)
            for (int k = 0; k < 5; ++k)
              t[k] += numbers[5 * channel + k][lane] - (channel == spin[lane] ? numbers[10 + k][lane] : 0);
        const size_t at = (((size_t)w * npos + block * VW + lane) * nset + set) * nstar + star;
        if (has & 1) value[at] = t[0];
        if (has & 2)
          for (int d = 0; d < 3; ++d) gradient[3 * at + d] = t[1] * b[d] + t[2] * b[3 + d] + t[3] * b[6 + d];
        if (has & 4) laplacian[at] = t[4];
      }
  }
}

// One row (a position of one walker) of real plane waves: 1, cos, sin, cos, sin, ..
static void put_waves(__global double* to, int norb, int g, vd cosine, vd sine) {
  __global double* p = to + 1 + 2 * g * VW;
  const int rest = norb - 1 - 2 * g * VW;
#if VW == 1
  if (rest > 0) p[0] = cosine;
  if (rest > 1) p[1] = sine;
#else
  vd a, b;
  INTERLEAVE(cosine, sine, a, b)
  store_first(a, p, rest);
  store_first(b, p + VW, rest - VW);
#endif
}
KERNEL void orbitals_free(__global const double* r, __global const double* cell, __global const double* list,
                          int size, __global double* phi, __global double* dphi, __global double* d2phi,
                          int has, int norb, int rows) {
  __global const double* b = RECIPROCAL(cell);
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    double s[3];
    phases_at(cell, r + 3 * (size_t)row, s);
    __global double* value = phi + (size_t)row * norb;
    __global double* gradient = dphi + (size_t)row * norb * 3;
    __global double* laplacian = d2phi + (size_t)row * norb;
    if (ITEM == 0) {
      value[0] = 1;
      if (has & 4) laplacian[0] = 0;
      for (int d = 0; d < 3 && has & 2; ++d) gradient[d * norb] = 0;
    }
    FOR_EACH(g, VECTORS(norb / 2)) {
      vd sine;
      const vd cosine = wave_at(list, size, g, s, &sine);
      put_waves(value, norb, g, cosine, sine);
      if (has & 2)
        for (int d = 0; d < 3; ++d) {
          const vd k = LOAD(list + g * VW) * b[d] + LOAD(list + size + g * VW) * b[3 + d] +
                       LOAD(list + 2 * size + g * VW) * b[6 + d];
          put_waves(gradient + d * norb, norb, g, -k * sine, k * cosine);
        }
      if (has & 4) {
        const vd square = LOAD(list + 3 * size + g * VW);
        put_waves(laplacian, norb, g, -square * cosine, -square * sine);
      }
    }
  }
}
