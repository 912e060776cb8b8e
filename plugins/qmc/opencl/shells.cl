// SPDX-License-Identifier: BSD-3-Clause
// Contracted shells, of Slater functions where SLATER is 1, else of Gaussians: a row is a vector of positions, one in each lane.

// Components of the solid harmonics of 0 to l and the gradients of those of l, without their norms: twins of the functions of
// ../solid_harmonics.hpp.
static void solid_harmonics(int top, vd x, vd y, vd z, vd r2, vd* value) {
  value[0] = 1;
  for (int l = 1; l <= top; ++l) {
    const vd *one = value + (l - 1) * (l - 1), *two = value + (l - 2) * (l - 2);
    vd* now = value + l * l;
    for (int k = 0; k < 2 * l - 1; ++k) {
      const int m = (k + 1) / 2;
      vd sum = (2 * l - 1) * z * one[k];
      if (m <= l - 2) sum -= (l + m - 1) * r2 * two[k];
      now[k] = sum * (1.0 / (l - m));
    }
    const vd c = l == 1 ? one[0] : one[2 * l - 3], s = l == 1 ? (vd)0 : one[2 * l - 2];
    now[2 * l - 1] = (2 * l - 1) * (x * c - y * s);
    now[2 * l] = (2 * l - 1) * (x * s + y * c);
  }
}
// Component k; `one` are those of l - 1.
static void harmonic_gradient(int l, int k, const vd* one, vd* gradient) {
  const int m = (k + 1) / 2, sine = k > 0 && k % 2 == 0;
  const vd c0 = m == 0 ? (vd)0 : m == 1 ? one[0] : one[2 * m - 3], s0 = m < 2 ? (vd)0 : one[2 * m - 2];
  const vd c1 = m == l ? (vd)0 : m == 0 ? one[0] : one[2 * m - 1], s1 = m == 0 || m == l ? (vd)0 : one[2 * m];
  const vd c2 = m + 1 < l ? one[2 * m + 1] : (vd)0, s2 = m + 1 < l ? one[2 * m + 2] : (vd)0;
  const double down = 0.5 * (l + m) * (l + m - 1);
  if (m == 0) {
    gradient[0] = -c2;
    gradient[1] = -s2;
  } else if (sine) {
    gradient[0] = down * s0 - 0.5 * s2;
    gradient[1] = down * c0 + 0.5 * c2;
  } else {
    gradient[0] = down * c0 - 0.5 * c2;
    gradient[1] = -down * s0 - 0.5 * s2;
  }
  gradient[2] = (l + m) * (sine ? s1 : c1);
}

static vd of_lanes(__global const double* r, int first, int npos, int d) {
  double x[VW];
  for (int lane = 0; lane < VW; ++lane) x[lane] = r[3 * (size_t)min(first + lane, npos - 1) + d];
  return LOAD(x);
}

// functions(VW,OUTPUTS,nao,rows): value, gradient, Laplacian, or the value alone. shell(4,nshell+1): ion, l, first function and first
// primitive, from 0. power(nprim) is of Slater functions.
KERNEL void shell_functions(__global const double* r, __global const double* rion, __global const int* shell,
                               __global const double* cutoff, __global const double* exponent,
                               __global const double* coefficient, __global const int* power, __global double* functions,
                               int nshell, int nao, int first, int npos, int rows) {
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const int p = first + row * VW;
    const vd rx = of_lanes(r, p, npos, 0), ry = of_lanes(r, p, npos, 1), rz = of_lanes(r, p, npos, 2);
    FOR_EACH(s, nshell) {
      __global const int* me = shell + 4 * s;
      __global const double* ion = rion + 3 * me[0];
      const int l = me[1];
      const vd x = rx - ion[0], y = ry - ion[1], z = rz - ion[2], r2 = x * x + y * y + z * z;
      vd R = 0, D = 0, B = 0;
      if (ANY(r2 < (vd)(cutoff[s] * cutoff[s]))) {
#if SLATER
        const vd d = sqrt(r2), inverse = d > (vd)0 ? (vd)1 / d : (vd)0;
#endif
        for (int k = me[3]; k < me[7]; ++k) {
          const double g = exponent[k];
#if SLATER
          const int n = power[k];
          vd whole = 1, one_less = inverse, two_less = 0;  // d^n, d^(n-1) and, where n > 0, d^(n-2); 0 for 1/d at the ion
          for (int i = 0; i < n; ++i) {
            two_less = one_less;
            one_less = whole;
            whole *= d;
          }
          const vd e = coefficient[k] * exp(-g * d);
          R += e * whole;
          D += e * (n * two_less - g * one_less);
          B += e * (g * (g * whole - 2 * (n + l + 1) * one_less) + n * (n + 2 * l + 1) * two_less);
#else
          const vd e = coefficient[k] * exp(-g * r2);
          R += e;
          D -= 2 * g * e;
          B += 4 * g * g * e;
#endif
        }
#if !SLATER
        B = B * r2 + (2 * l + 3) * D;
#endif
      }
      const vl inside = r2 < (vd)(cutoff[s] * cutoff[s]);
      B = inside ? B : (vd)0;
      D = inside ? D : (vd)0;
      R = inside ? R : (vd)0;
      vd harmonic[25];
      solid_harmonics(l, x, y, z, r2, harmonic);
      for (int k = 0; k < 2 * l + 1; ++k) {
        __global double* to = functions + ((size_t)row * nao + me[2] + k) * OUTPUTS * VW;
        const vd S = harmonic[l * l + k];
        STORE(R * S, to);
#if OUTPUTS > 1
        vd gradient[3] = {0, 0, 0};
        if (l > 0) harmonic_gradient(l, k, harmonic + (l - 1) * (l - 1), gradient);
        const vd slope = D * S;
        STORE(R * gradient[0] + slope * x, to + VW);
        STORE(R * gradient[1] + slope * y, to + 2 * VW);
        STORE(R * gradient[2] + slope * z, to + 3 * VW);
        STORE(B * S, to + 4 * VW);
#endif
      }
    }
  }
}

static void put_lanes(vd v, __global double* to, size_t step, int rest) {
  double x[VW];
#if VW == 1
  x[0] = v;
#else
  STORE(v, x);
#endif
  for (int lane = 0; lane < min(VW, rest); ++lane) to[lane * step] = x[lane];
}

// mo(stride,nao), the orbitals side by side, an even number of them.
KERNEL void shell_orbitals(__global const double* functions, __global const double* mo, __global double* phi,
                              __global double* dphi, __global double* d2phi, int has, int nao, int norb, int stride,
                              int first, int npos, int rows) {
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const int p = first + row * VW, rest = npos - p;
    FOR_EACH(pair, (norb + 1) / 2) {
      __global const double* f = functions + (size_t)row * nao * OUTPUTS * VW;
      vd sum[2][OUTPUTS];
      for (int q = 0; q < OUTPUTS; ++q) sum[0][q] = sum[1][q] = 0;
      for (int i = 0; i < nao; ++i, f += OUTPUTS * VW) {
        const double c0 = mo[(size_t)i * stride + 2 * pair], c1 = mo[(size_t)i * stride + 2 * pair + 1];
        UNROLL for (int q = 0; q < OUTPUTS; ++q) {
          const vd x = LOAD(f + q * VW);
          sum[0][q] += c0 * x;
          sum[1][q] += c1 * x;
        }
      }
      for (int side = 0; side < 2 && 2 * pair + side < norb; ++side) {
        const int a = 2 * pair + side;
        put_lanes(sum[side][0], phi + (size_t)p * norb + a, norb, rest);
#if OUTPUTS > 1
        for (int d = 0; d < 3 && has & 2; ++d)
          put_lanes(sum[side][1 + d], dphi + ((size_t)p * 3 + d) * norb + a, 3 * (size_t)norb, rest);
        if (has & 4) put_lanes(sum[side][4], d2phi + (size_t)p * norb + a, norb, rest);
#endif
      }
    }
  }
}
