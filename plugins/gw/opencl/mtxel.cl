// SPDX-License-Identifier: BSD-3-Clause
// gw.mtxel: Fourier transforms of lines, of as many bands at a time as a vector has numbers, so that no number
// has to change its lane. An item has a line to itself; its memory is `scratch`, two lines long.

// Words of a pass, as ../device/mtxel.hpp has them.
#define INNER 2
#define IN_STRIDE 3
#define OUT_STRIDE 4
#define STAGES 5
#define RADIX 6
#define FIRST_IN 22
#define FIRST_OUT 25

#define WORDS __global const int* words, __global const double* roots
#define LINES int n, int lines, int panels

typedef struct {
  vd re, im;
} vz;
// Not INLINE: where a compiler inlines a function that returns a struct, oclgrind does not know what it leaves.
#define POINT(p, i) ((p) + (size_t)(i) * (2 * VW))
static vz get(__global const double* p) {
  const vz z = {LOAD(p), LOAD(p + VW)};
  return z;
}
INLINE void put(__global double* p, vz z) {
  STORE(z.re, p);
  STORE(z.im, p + VW);
}
static vz plus(vz a, vz b) {
  const vz c = {a.re + b.re, a.im + b.im};
  return c;
}
static vz minus(vz a, vz b) {
  const vz c = {a.re - b.re, a.im - b.im};
  return c;
}
static vz plus_i(vz a, vz b) {
  const vz c = {a.re - b.im, a.im + b.re};
  return c;
}
static vz minus_i(vz a, vz b) {
  const vz c = {a.re + b.im, a.im - b.re};
  return c;
}
static vz times(vz a, double re, double im) {
  const vz c = {a.re * re - a.im * im, a.re * im + a.im * re};
  return c;
}

INLINE void butterfly_2(vz* z) {
  const vz a = z[0];
  z[0] = plus(a, z[1]);
  z[1] = minus(a, z[1]);
}
INLINE void butterfly_4(vz* z) {
  const vz a = plus(z[0], z[2]), b = minus(z[0], z[2]), c = plus(z[1], z[3]), d = minus(z[1], z[3]);
  z[0] = plus(a, c);
  z[1] = plus_i(b, d);
  z[2] = minus(a, c);
  z[3] = minus_i(b, d);
}
// Sums of pairs of points go with cosines, differences with sines.
INLINE void odd_butterfly(int radix, vz* z, const double* cosine, const double* sine) {
  const int pairs = radix / 2;
  vz sum[3], difference[3];
  const vz first = z[0];
  for (int q = 0; q < pairs; ++q) {
    sum[q] = plus(z[q + 1], z[radix - 1 - q]);
    difference[q] = minus(z[q + 1], z[radix - 1 - q]);
    z[0] = plus(z[0], sum[q]);
  }
  for (int k = 1; k <= pairs; ++k) {
    vz even = first, odd = {0, 0};
    for (int q = 1; q <= pairs; ++q) {
      const int turn = k * q % radix, folded = turn <= pairs ? turn : radix - turn;
      const double c = cosine[folded - 1], s = turn <= pairs ? sine[folded - 1] : -sine[folded - 1];
      even.re += c * sum[q - 1].re;
      even.im += c * sum[q - 1].im;
      odd.re += s * difference[q - 1].re;
      odd.im += s * difference[q - 1].im;
    }
    z[k] = plus_i(even, odd);
    z[radix - k] = minus_i(even, odd);
  }
}
INLINE void butterfly_3(vz* z) {
  const double c[] = {-0.5}, s[] = {0.86602540378443864676};
  odd_butterfly(3, z, c, s);
}
INLINE void butterfly_5(vz* z) {
  const double c[] = {0.30901699437494742410, -0.80901699437494742410}, s[] = {0.95105651629515357212, 0.58778525229247312917};
  odd_butterfly(5, z, c, s);
}
INLINE void butterfly_7(vz* z) {
  const double c[] = {0.62348980185873353053, -0.22252093395631440429, -0.90096886790241912624},
               s[] = {0.78183148246802980871, 0.97492791218182360702, 0.43388373911755812048};
  odd_butterfly(7, z, c, s);
}

// A stage of radix R after `done` points: k and b of Stockham's order.
#define STAGE(R)                                                                                                       \
  INLINE void stage_##R(int n, int done, __global const double* roots, __global const double* in, __global double* out) { \
    const int far = n / R, blocks = far / done, turn = n / (done * R);                                                 \
    for (int k = 0; k < done; ++k)                                                                                     \
      for (int b = 0; b < blocks; ++b) {                                                                               \
        vz z[R];                                                                                                       \
        z[0] = get(POINT(in, k + done * b));                                                                           \
        UNROLL for (int q = 1; q < R; ++q) {                                                                           \
          z[q] = get(POINT(in, k + done * b + q * far));                                                               \
          if (k > 0) z[q] = times(z[q], roots[2 * (q * k * turn)], roots[2 * (q * k * turn) + 1]);                      \
        }                                                                                                              \
        butterfly_##R(z);                                                                                              \
        UNROLL for (int q = 0; q < R; ++q) put(POINT(out, k + done * (R * b + q)), z[q]);                               \
      }                                                                                                                \
  }
STAGE(2)
STAGE(3)
STAGE(4)
STAGE(5)
STAGE(7)

// The transform of the line in the item's memory; where it is afterwards.
static __global double* transformed(WORDS, int n, __global double* line) {
  __global double *from = line, *to = POINT(line, n);
  int done = 1;
  for (int s = 0; s < words[STAGES]; ++s) {
    const int r = words[RADIX + s];
    if (r == 2) stage_2(n, done, roots, from, to);
    if (r == 3) stage_3(n, done, roots, from, to);
    if (r == 4) stage_4(n, done, roots, from, to);
    if (r == 5) stage_5(n, done, roots, from, to);
    if (r == 7) stage_7(n, done, roots, from, to);
    done *= r;
    __global double* const last = from;
    from = to;
    to = last;
  }
  return from;
}

#define MINE(scratch, n) POINT(scratch, (size_t)(get_group_id(1) * LOCAL + ITEM) * 2 * (n))
#define FOR_LINES(l) for (int l = SHARE_BEGIN(1, lines * panels) + ITEM; l < SHARE_END(1, lines * panels); l += LOCAL)
#define ALL_IN(o, e) for (int e = words[words[FIRST_IN] + (o)]; e < words[words[FIRST_IN] + (o) + 1]; ++e)
#define ALL_OUT(o, e) for (int e = words[words[FIRST_OUT] + (o)]; e < words[words[FIRST_OUT] + (o) + 1]; ++e)
#define POSITION_IN(e) words[words[FIRST_IN + 1] + (e)]
#define AT_IN(e, i) (words[words[FIRST_IN + 2] + (e)] + (size_t)(i) * words[IN_STRIDE])
#define POSITION_OUT(e) words[words[FIRST_OUT + 1] + (e)]
#define AT_OUT(e, i) (words[words[FIRST_OUT + 2] + (e)] + (size_t)(i) * words[OUT_STRIDE])

INLINE void clear(__global double* line, int n) {
  const vz zero = {0, 0};
  for (int j = 0; j < n; ++j) put(POINT(line, j), zero);
}
INLINE void load_line(WORDS, int n, int o, int i, __global const double* panel, __global double* line) {
  clear(line, n);
  ALL_IN(o, e) put(POINT(line, POSITION_IN(e)), get(POINT(panel, AT_IN(e, i))));
}
INLINE void store_line(WORDS, int o, int i, __global const double* line, __global double* panel) {
  ALL_OUT(o, e) put(POINT(panel, AT_OUT(e, i)), get(POINT(line, POSITION_OUT(e))));
}

KERNEL void from_sphere(WORDS, __global const double* coefficients, __global double* out, __global double* scratch, LINES,
                        int out_size, int npw, int nbands, int first, int s, int parts, int per_lane) {
  __global double* const mine = MINE(scratch, n);
  FOR_LINES(l) {
    const int panel = l / lines, o = l % lines;
    clear(mine, n);
    ALL_IN(o, e) {
      double re[VW], im[VW];
      for (int lane = 0; lane < VW; ++lane) {
        const int band = first + (panel * VW + lane) * per_lane;
        const size_t at = (((size_t)s * nbands + band) * npw + AT_IN(e, 0)) * parts;
        re[lane] = band < nbands ? coefficients[at] : 0;
        im[lane] = band >= nbands                             ? 0
                   : parts == 2                               ? coefficients[at + 1]
                   : per_lane == 2 && band + 1 < nbands       ? coefficients[at + npw]
                                                              : 0;
      }
      const vz z = {LOAD(re), LOAD(im)};
      put(POINT(mine, POSITION_IN(e)), z);
    }
    store_line(words, roots, o, 0, transformed(words, roots, n, mine), POINT(out, (size_t)panel * out_size));
  }
}

KERNEL void between(WORDS, __global const double* in, __global double* out, __global double* scratch, LINES, int in_size, int out_size,
                    int out_first, int out_step) {
  __global double* const mine = MINE(scratch, n);
  FOR_LINES(l) {
    const int panel = l / lines, o = l % lines / words[INNER], i = l % lines % words[INNER];
    load_line(words, roots, n, o, i, POINT(in, (size_t)panel * in_size), mine);
    store_line(words, roots, o, i, transformed(words, roots, n, mine), POINT(out, (size_t)(out_first + panel * out_step) * out_size));
  }
}

KERNEL void to_functions(WORDS, __global const double* in, __global double* out, __global double* scratch, LINES, int in_size, int out_size,
                         int out_first, int out_step, int nbands) {
  __global double* const mine = MINE(scratch, n);
  FOR_LINES(l) {
    const int panel = l / lines, o = l % lines / words[INNER], i = l % lines % words[INNER];
    load_line(words, roots, n, o, i, POINT(in, (size_t)panel * in_size), mine);
    __global const double* const line = transformed(words, roots, n, mine);
    for (int lane = 0; lane < VW && panel * VW + lane < nbands; ++lane) {
      __global double* const to = out + (size_t)(out_first + (panel * VW + lane) * out_step) * out_size * 2;
      ALL_OUT(o, e) {
        __global const double* const z = POINT(line, POSITION_OUT(e)) + lane;
        to[2 * AT_OUT(e, i)] = z[0];
        to[2 * AT_OUT(e, i) + 1] = z[VW];
      }
    }
  }
}

KERNEL void product_lines(WORDS, __global const double* functions, __global const double* grid, __global double* out,
                          __global double* scratch, LINES, int points, int out_size, int function, int first, int nspinor) {
  __global double* const mine = MINE(scratch, n);
  FOR_LINES(l) {
    const int panel = l / lines, i = l % lines;
    for (int s = 0; s < nspinor; ++s) {
      __global const double* const f = functions + (size_t)(function + s) * points * 2;
      __global const double* const u = POINT(grid, ((size_t)(first + panel) * nspinor + s) * points);
      ALL_IN(0, e) {
        const size_t at = AT_IN(e, i);
        const vz z = times(get(POINT(u, at)), f[2 * at], -f[2 * at + 1]);
        __global double* const to = POINT(mine, POSITION_IN(e));
        put(to, s == 0 ? z : plus(get(to), z));
      }
    }
    store_line(words, roots, 0, i, transformed(words, roots, n, mine), POINT(out, (size_t)panel * out_size));
  }
}

KERNEL void to_elements(WORDS, __global const double* in, __global const double* phase, __global double* aqs, __global double* scratch,
                        LINES, int in_size, int ncouls, int ntband, int external, int first, int has_phase, int conjugate,
                        int real_numbers, double factor) {
  __global double* const mine = MINE(scratch, n);
  FOR_LINES(l) {
    const int panel = l / lines, o = l % lines;
    load_line(words, roots, n, o, 0, POINT(in, (size_t)panel * in_size), mine);
    __global const double* const line = transformed(words, roots, n, mine);
    ALL_OUT(o, e) {
      const int ig = AT_OUT(e, 0);
      const vz value = get(POINT(line, POSITION_OUT(e)));
      double re[VW], im[VW];
      STORE(value.re * factor, re);
      STORE(value.im * factor, im);
      for (int lane = 0; lane < VW; ++lane) {
        const int band = first + (panel * VW + lane) * (real_numbers ? 2 : 1);
        if (band >= ntband) break;
        __global double* const to = aqs + (((size_t)external * ntband + band) * ncouls + ig) * (real_numbers ? 1 : 2);
        if (real_numbers) {
          const double f = has_phase ? phase[ig] : 1;
          to[0] = f * re[lane];
          if (band + 1 < ntband) to[ncouls] = f * im[lane];
        } else {
          const double x = re[lane], y = conjugate ? -im[lane] : im[lane];
          to[0] = has_phase ? x * phase[2 * ig] - y * phase[2 * ig + 1] : x;
          to[1] = has_phase ? x * phase[2 * ig + 1] + y * phase[2 * ig] : y;
        }
      }
    }
  }
}
