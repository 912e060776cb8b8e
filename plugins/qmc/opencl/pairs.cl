// SPDX-License-Identifier: BSD-3-Clause
// The u term of one electron with all others, and its derivatives by the parameters. A row is one position of
// one walker. Electrons lie in the frame as into_frame has put them: those of spin down from `second` on.
// Bits of has: 1 value, 2 gradient, 4 Laplacian.

// Vector b of the electrons: the closest vectors to the seat, distances (1 for those beyond the cutoff), and
// which of them count.
typedef struct {
  vd x, y, z, r;
  vl inside;
} others;
static others others_at(int b, seat s, __global const double* x, int size, __global const double* cell,
                        double cutoff) {
  others o;
  o.x = s.at[0] - LOAD(x + b * VW);
  o.y = s.at[1] - LOAD(x + size + b * VW);
  o.z = s.at[2] - LOAD(x + 2 * size + b * VW);
  closest_image(cell, &o.x, &o.y, &o.z);
  const vd r = sqrt(o.x * o.x + o.y * o.y + o.z * o.z) * UNIT(cell);
  o.inside = (r < (vd)cutoff) && (lane_numbers() != (vl)(s.place - b * VW));
  o.r = o.inside ? r : (vd)1;
  return o;
}

KERNEL void jastrow_u(__global const double* rele, __global const double* rnew, __global const double* frame,
                      __global const double* cell, __global const double* alpha, double cutoff, int nset,
                      __global double* value, __global double* gradient, __global double* laplacian, int has,
                      int one, int npos, int netot, int nup, int second,
                      int size, int rows) {
#if LOCAL > 1
  __local double shared[5 * LOCAL];
#else
  __local double* shared = 0;
#endif
  const int stride = FORM ? 4 * (NALPHA - 3) : NALPHA;
  __global const double* back = BACK(cell);
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const seat s = seat_of(row, rele, rnew, cell, one, npos, netot, nup, second);
    __global const double* x = frame + (size_t)s.w * 3 * size;
    vd v = 0, gx = 0, gy = 0, gz = 0, l = 0;
    for (int spin = 0; spin < 2; ++spin) {
      __global const double* c = alpha + stride * set_of_pair(nset, s.spin, spin);
      const int end = (spin ? size : second) / VW;
      for (int b = (spin ? second / VW : 0) + ITEM; b < end; b += LOCAL) {
        const others o = others_at(b, s, x, size, cell, cutoff);
        if (!(has & 6)) {
          v += o.inside ? u_value_at(c, cutoff, o.r) : (vd)0;
          continue;
        }
        const radial u = u_at(c, cutoff, o.r);
        const vd slope = o.inside ? u.first / o.r : (vd)0;
        v += o.inside ? u.value : (vd)0;
        gx += o.inside ? slope * o.x : (vd)0;
        gy += o.inside ? slope * o.y : (vd)0;
        gz += o.inside ? slope * o.z : (vd)0;
        l += (o.inside ? u.second : (vd)0) + 2 * slope;
      }
    }
    double sums[5] = {sum_of(v), sum_of(gx), sum_of(gy), sum_of(gz), sum_of(l)};
    group_sums(sums, 5, shared);
    if (ITEM != 0) continue;
    value[row] = sums[0];
    if (has & 2) {
      double g[3];
      apply(back, sums + 1, g);
      for (int d = 0; d < 3; ++d) gradient[3 * (size_t)row + d] = g[d];
    }
    if (has & 4) laplacian[row] = sums[4];
  }
}

#define BLOCK 4  // coefficients at a time

#if FORM == 0
// (r - L)^C r^l of the coefficients from `first` on.
static void basis_at(int first, double L, vd r, radial* basis) {
  const vd x = r - L, f2 = CUT == 3 ? x : (vd)1, f1 = f2 * x, f = f1 * x;
  vd q = 1, q1 = 0, q2 = 0;  // r^l, r^(l-1), r^(l-2), or 0 where the derivatives are
  for (int l = 0; l < first + BLOCK; ++l) {
    if (l >= first) {
      radial u;
      u.value = f * q;
      u.first = CUT * f1 * q + f * (l * q1);
      u.second = CUT * (CUT - 1) * f2 * q + 2 * CUT * f1 * (l * q1) + f * (l * (l - 1) * q2);
      basis[l - first] = u;
    }
    q2 = q1;
    q1 = q;
    q *= r;
  }
}
#else
static void basis_at(int first, double L, vd r, radial* basis) {
  const double h1 = (NALPHA - 3) / L, d1 = h1 / 2, d2 = h1 * h1;
  const vd t = r * h1, interval = smaller(floor(t), (vd)(NALPHA - 4));
  const vd x = t - interval, y = 1 - x;
  for (int l = 0; l < BLOCK; ++l) {
    const vd k = (double)(first + l) - interval;  // which of the four splines of the interval
    const vl k0 = k == (vd)0, k1 = k == (vd)1, k2 = k == (vd)2, k3 = k == (vd)3;
    radial u;
    const vd p1 = 4 - x * x * (6 - 3 * x), p2 = 1 + x * (3 + x * (3 - 3 * x));
    u.value = (k0 ? y * y * y : k1 ? p1 : k2 ? p2 : k3 ? x * x * x : (vd)0) / 6;
    u.first = (k0 ? -y * y : k1 ? x * (3 * x - 4) : k2 ? 1 + x * (2 - 3 * x) : k3 ? x * x : (vd)0) * d1;
    u.second = (k0 ? y : k1 ? 3 * x - 2 : k2 ? 1 - 3 * x : k3 ? x : (vd)0) * d2;
    basis[l] = u;
  }
}
#endif

// dvalue(NALPHA,nset,npos,nwalker) and its kin, one block of coefficients after the other.
KERNEL void jastrow_u_derivatives(__global const double* rele, __global const double* rnew,
                                  __global const double* frame, __global const double* cell, double cutoff,
                                  int nset, __global double* dvalue, __global double* dgradient,
                                  __global double* dlaplacian, int has, int one, int npos, int netot, int nup, int second,
                                  int size, int rows) {
#if LOCAL > 1
  __local double shared[5 * BLOCK * LOCAL];
#else
  __local double* shared = 0;
#endif
  __global const double* back = BACK(cell);
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const seat s = seat_of(row, rele, rnew, cell, one, npos, netot, nup, second);
    __global const double* x = frame + (size_t)s.w * 3 * size;
    for (int first = 0; first < NALPHA; first += BLOCK)
      for (int set = 0; set < nset; ++set) {
        vd v[5 * BLOCK];
        for (int l = 0; l < 5 * BLOCK; ++l) v[l] = 0;
        for (int spin = 0; spin < 2; ++spin) {
          if (set_of_pair(nset, s.spin, spin) != set) continue;
          const int end = (spin ? size : second) / VW;
          for (int b = (spin ? second / VW : 0) + ITEM; b < end; b += LOCAL) {
            const others o = others_at(b, s, x, size, cell, cutoff);
            const vd inverse = 1 / o.r;
            radial basis[BLOCK];
            basis_at(first, cutoff, o.r, basis);
            for (int l = 0; l < BLOCK; ++l) {
              const vd slope = o.inside ? basis[l].first * inverse : (vd)0;
              v[5 * l] += o.inside ? basis[l].value : (vd)0;
              v[5 * l + 1] += o.inside ? slope * o.x : (vd)0;
              v[5 * l + 2] += o.inside ? slope * o.y : (vd)0;
              v[5 * l + 3] += o.inside ? slope * o.z : (vd)0;
              v[5 * l + 4] += (o.inside ? basis[l].second : (vd)0) + 2 * slope;
            }
          }
        }
        double sums[5 * BLOCK];
        for (int l = 0; l < 5 * BLOCK; ++l) sums[l] = sum_of(v[l]);
        group_sums(sums, 5 * BLOCK, shared);
        if (ITEM != 0) continue;
        for (int l = 0; l < BLOCK && first + l < NALPHA; ++l) {
          const size_t at = ((size_t)row * nset + set) * NALPHA + first + l;
          if (has & 1) dvalue[at] = sums[5 * l];
          if (has & 2) {
            double g[3];
            apply(back, sums + 5 * l + 1, g);
            for (int d = 0; d < 3; ++d) dgradient[3 * at + d] = g[d];
          }
          if (has & 4) dlaplacian[at] = sums[5 * l + 4];
        }
      }
  }
}
