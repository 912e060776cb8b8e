// SPDX-License-Identifier: BSD-3-Clause
// The f term of one electron with all others at all ions. A row is one position of one walker, seats and electrons lie as for u (seats.cl, pairs.cl).
// Of an ion within reach, gamma and the powers of r_i make H_mn, H'_mn and H''_mn, which serve all others; the ions lie in the frame.
//   NEN, NEE   numbers of powers of r_j and of r_ij
//   CUT        C
//   NSETS      sets of gamma by the spins of a pair

#define TABLE (NEN * NEE)

// From an ion: the vector in the frame and its length.
typedef struct {
  double v[3], r;
} from_ion;
static from_ion from_ion_at(seat s, __global const double* ions, int nion, int ion, __global const double* cell) {
  vd x = s.at[0] - ions[ion], y = s.at[1] - ions[nion + ion], z = s.at[2] - ions[2 * nion + ion];
  closest_image(cell, &x, &y, &z);
  from_ion f;
#if VW == 1
  f.v[0] = x, f.v[1] = y, f.v[2] = z;
#else
  f.v[0] = x.s0, f.v[1] = y.s0, f.v[2] = z.s0;
#endif
  f.r = sqrt(f.v[0] * f.v[0] + f.v[1] * f.v[1] + f.v[2] * f.v[2]) * UNIT(cell);
  return f;
}

// (r - L)^C r^l with derivatives, and the slope over r, at r = 0 the second derivative.
typedef struct {
  double value, second, slope;
} power_at;
static power_at power_of(int l, double L, double r) {
  const double x = r - L, f2 = CUT == 3 ? x : 1, f1 = f2 * x, f = f1 * x;
  double q = 1, q1 = 0, q2 = 0;  // r^l, r^(l-1), r^(l-2), or 0 where l times it is
  for (int k = 0; k < l; ++k) {
    q2 = q1;
    q1 = q;
    q *= r;
  }
  power_at p;
  const double first = CUT * f1 * q + f * (l * q1);
  p.value = f * q;
  p.second = CUT * (CUT - 1) * f2 * q + 2 * CUT * f1 * (l * q1) + f * (l * (l - 1) * q2);
  p.slope = r > 0 ? first / r : p.second;
  return p;
}

// Vector b of the electrons: vectors and distances to the seat and distances to an ion; which of them count.
typedef struct {
  vd x, y, z, r, at_ion;
  vl inside;
} others;
static others others_at(int b, seat s, __global const double* x, int size, __global const double* ions, int nion, int ion,
                        __global const double* cell, double L) {
  others o;
  const vd px = LOAD(x + b * VW), py = LOAD(x + size + b * VW), pz = LOAD(x + 2 * size + b * VW);
  vd ix = px - ions[ion], iy = py - ions[nion + ion], iz = pz - ions[2 * nion + ion];
  closest_image(cell, &ix, &iy, &iz);
  const vd at_ion = sqrt(ix * ix + iy * iy + iz * iz) * UNIT(cell);
  o.inside = (at_ion < (vd)L) && (lane_numbers() != (vl)(s.place - b * VW));
  o.at_ion = o.inside ? at_ion : (vd)L;  // where the term is 0
  o.x = s.at[0] - px;
  o.y = s.at[1] - py;
  o.z = s.at[2] - pz;
  closest_image(cell, &o.x, &o.y, &o.z);
  o.x = o.inside ? o.x : (vd)0;
  o.y = o.inside ? o.y : (vd)0;
  o.z = o.inside ? o.z : (vd)0;
  o.r = sqrt(o.x * o.x + o.y * o.y + o.z * o.z) * UNIT(cell);
  return o;
}
static vd cut_off(vd r, double L) {
  const vd x = r - L;
  return CUT == 3 ? x * x * x : x * x;
}

static void put_local(__global const double* back, const double* sums, __global double* value, __global double* gradient,
                      __global double* laplacian, int has, size_t at) {
  if (has & 1) value[at] = sums[0];
  if (has & 2) {
    double g[3];
    apply(back, sums + 1, g);
    for (int d = 0; d < 3; ++d) gradient[3 * at + d] = g[d];
  }
  if (has & 4) laplacian[at] = sums[4];
}

KERNEL void jastrow_f(__global const double* rele, __global const double* rnew, __global const double* frame, __global const double* cell,
                      __global const double* ions, __global const int* set_of_ion, __global const double* gamma,
                      __global const double* cutoff, __global double* value, __global double* gradient, __global double* laplacian,
                      int has, int nion, int one, int npos, int netot, int nup, int second, int size, int rows) {
#if LOCAL > 1
  __local double shared[5 * LOCAL];
#else
  __local double* shared = 0;
#endif
  const double unit = UNIT(cell);
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const seat s = seat_of(row, rele, rnew, cell, one, npos, netot, nup, second);
    __global const double* x = frame + (size_t)s.w * 3 * size;
    vd v = 0, gx = 0, gy = 0, gz = 0, l = 0;
    for (int ion = 0; ion < nion; ++ion) {
      const int set = set_of_ion[ion];
      if (set < 0) continue;
      const double L = cutoff[set];
      const from_ion e = from_ion_at(s, ions, nion, ion, cell);
      if (!(e.r < L)) continue;
      for (int spin = 0; spin < 2; ++spin) {
        __global const double* c = gamma + (size_t)NEN * TABLE * (set_of_pair(NSETS, s.spin, spin) + NSETS * set);
        double h[TABLE], h1[TABLE], h2[TABLE];  // with A, A'/r and A'' of r_i
        for (int k = 0; k < TABLE; ++k) h[k] = h1[k] = h2[k] = 0;
        for (int i = 0; i < NEN; ++i) {
          const power_at a = power_of(i, L, e.r);
          for (int k = 0; k < TABLE; ++k) {
            h[k] += c[i + NEN * k] * a.value;
            h1[k] += c[i + NEN * k] * a.slope;
            h2[k] += c[i + NEN * k] * a.second;
          }
        }
        const int end = (spin ? size : second) / VW;
        for (int b = (spin ? second / VW : 0) + ITEM; b < end; b += LOCAL) {
          const others o = others_at(b, s, x, size, ions, nion, ion, cell, L);
          if (!ANY(o.inside)) continue;
          const vd cut = cut_off(o.at_ion, L);
          // Polynomials in r_ij by Horner's rule: P with derivatives, P of A'/r with one, P of A''.
          vd p = 0, p1 = 0, p2 = 0, q = 0, q1 = 0, t = 0;
          for (int n = NEE - 1; n >= 0; --n) {
            vd of_h = 0, of_h1 = 0, of_h2 = 0;
            for (int m = NEN - 1; m >= 0; --m) {
              of_h = of_h * o.at_ion + h[m + NEN * n];
              of_h1 = of_h1 * o.at_ion + h1[m + NEN * n];
              of_h2 = of_h2 * o.at_ion + h2[m + NEN * n];
            }
            p2 = p2 * o.r + p1;
            p1 = p1 * o.r + p;
            p = p * o.r + of_h;
            q1 = q1 * o.r + q;
            q = q * o.r + of_h1;
            t = t * o.r + of_h2;
          }
          v += o.inside ? cut * p : (vd)0;
          if (!(has & 6)) continue;
          const vd inverse = o.r > (vd)0 ? 1 / (o.r > (vd)0 ? o.r : (vd)1) : (vd)0;
          const vd second_by_r = 2 * p2, slope = o.r > (vd)0 ? p1 * inverse : second_by_r;
          const vd across = (e.v[0] * o.x + e.v[1] * o.y + e.v[2] * o.z) * (unit * unit) * inverse;
          const vd factor = o.inside ? cut : (vd)0;
          gx += factor * (q * e.v[0] + slope * o.x);
          gy += factor * (q * e.v[1] + slope * o.y);
          gz += factor * (q * e.v[2] + slope * o.z);
          l += factor * (t + 2 * q + second_by_r + 2 * slope + 2 * q1 * across);
        }
      }
    }
    double sums[5] = {sum_of(v), sum_of(gx), sum_of(gy), sum_of(gz), sum_of(l)};
    group_sums(sums, 5, shared);
    if (ITEM == 0) put_local(BACK(cell), sums, value, gradient, laplacian, has, row);
  }
}

// By gamma(NEN,NEN,NEE,NSETS,nset), one m and n after the other: sums over the others of A_m(r_j) with r_ij^n, with w = n r_ij^(n-2), which at
// r_ij = 0 is 0 for n = 1, and with w times the vector, then the powers of r_i.
KERNEL void jastrow_f_derivatives(__global const double* rele, __global const double* rnew, __global const double* frame,
                                  __global const double* cell, __global const double* ions, __global const int* set_of_ion,
                                  __global const double* cutoff, __global double* dvalue, __global double* dgradient,
                                  __global double* dlaplacian, int has, int nset, int nion, int one, int npos, int netot, int nup,
                                  int second, int size, int rows) {
#if LOCAL > 1
  __local double shared[5 * LOCAL];
#else
  __local double* shared = 0;
#endif
  const double unit = UNIT(cell);
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const seat s = seat_of(row, rele, rnew, cell, one, npos, netot, nup, second);
    __global const double* x = frame + (size_t)s.w * 3 * size;
    for (int set = 0; set < nset; ++set)
      for (int of_pair = 0; of_pair < NSETS; ++of_pair)
        for (int n = 0; n < NEE; ++n)
          for (int m = 0; m < NEN; ++m) {
            double out[NEN][5];
            for (int i = 0; i < NEN; ++i)
              for (int k = 0; k < 5; ++k) out[i][k] = 0;
            for (int ion = 0; ion < nion; ++ion) {
              if (set_of_ion[ion] != set) continue;
              const double L = cutoff[set];
              const from_ion e = from_ion_at(s, ions, nion, ion, cell);
              if (!(e.r < L)) continue;
              vd sum[5] = {0, 0, 0, 0, 0};
              for (int spin = 0; spin < 2; ++spin) {
                if (set_of_pair(NSETS, s.spin, spin) != of_pair) continue;
                const int end = (spin ? size : second) / VW;
                for (int b = (spin ? second / VW : 0) + ITEM; b < end; b += LOCAL) {
                  const others o = others_at(b, s, x, size, ions, nion, ion, cell, L);
                  vd power = cut_off(o.at_ion, L), w = power;
                  for (int k = 0; k < m; ++k) power *= o.at_ion;
                  if (n == 0) w = 0;
                  else if (n == 1) w = o.r > (vd)0 ? power / (o.r > (vd)0 ? o.r : (vd)1) : (vd)0;
                  else w = n * power;
                  for (int k = 2; k < n; ++k) w *= o.r;
                  for (int k = 0; k < n; ++k) power *= o.r;
                  sum[0] += o.inside ? power : (vd)0;
                  w = o.inside ? w : (vd)0;
                  sum[1] += w * o.x;
                  sum[2] += w * o.y;
                  sum[3] += w * o.z;
                  sum[4] += w;
                }
              }
              double t[5];
              for (int k = 0; k < 5; ++k) t[k] = sum_of(sum[k]);
              group_sums(t, 5, shared);
              const double across = (e.v[0] * t[1] + e.v[1] * t[2] + e.v[2] * t[3]) * (unit * unit);
              for (int i = 0; i < NEN; ++i) {
                const power_at a = power_of(i, L, e.r);
                out[i][0] += a.value * t[0];
                for (int d = 0; d < 3; ++d) out[i][1 + d] += a.slope * e.v[d] * t[0] + a.value * t[1 + d];
                out[i][4] += (a.second + 2 * a.slope) * t[0] + (n + 1) * a.value * t[4] + 2 * a.slope * across;
              }
            }
            const size_t at = NEN * (m + NEN * (n + NEE * (of_pair + NSETS * ((size_t)set + nset * (size_t)row))));
            for (int i = 0; i < NEN && ITEM == 0; ++i)
              put_local(BACK(cell), out[i], dvalue, dgradient, dlaplacian, has, at + i);
          }
  }
}
