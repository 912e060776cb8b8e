// SPDX-License-Identifier: BSD-3-Clause
// What all kernels of this family share. The functions of one number are twins of those in ../images.hpp,
// ../jastrow.hpp and ../philox.hpp, for vectors of numbers and in a language without templates: a change there
// is a change here.
//
// Build options beside those of suite/opencl/vectors.hpp:
//   KIND    of the lattice: 0 simple, 1 face-centred, 2 body-centred cubic, 3 any, 4 any by search, 5 none: open space
//   NALPHA, CUT, FORM   of the u term: coefficients, C, 0 polynomial and 1 B-splines
// Rows of work (positions, walkers) are shared by groups along dimension 1; the items of a group share a row.
//
// Pairs are looked at in a frame: of the cube, of edge 1, for the cubic lattices, Cartesian for others.

// Two vectors into one row of pairs, and back.
#if VW > 1
#define INTERLEAVE(a, b, first, second) \
  {                                     \
    (first).even = (a).lo;              \
    (first).odd = (b).lo;               \
    (second).even = (a).hi;             \
    (second).odd = (b).hi;              \
  }
#endif

// The sums of x[0..n-1] over the group, for all of its items; `shared` has room for n * LOCAL numbers.
static void group_sums(double* x, int n, __local double* shared) {
#if LOCAL > 1
  BARRIER;
  for (int v = 0; v < n; ++v) shared[v * LOCAL + ITEM] = x[v];
  BARRIER;
  for (int m = LOCAL; m > 1;) {
    const int middle = (m + 1) / 2;
    if (ITEM < m - middle)
      for (int v = 0; v < n; ++v) shared[v * LOCAL + ITEM] += shared[v * LOCAL + ITEM + middle];
    BARRIER;
    m = middle;
  }
  for (int v = 0; v < n; ++v) x[v] = shared[v * LOCAL];
#endif
}

// The cell as numbers, in the order in which the host writes them (cell.cpp).
#define FRAME(cell) ((cell) + 0)           // frame coordinates are FRAME r
#define BACK(cell) ((cell) + 9)            // and r is BACK of them
#define UNIT(cell) ((cell)[18])            // length of 1 in the frame
#define SHORT_INVERSE(cell) ((cell) + 19)  // of the basis of short vectors
#define SHORT_BASIS(cell) ((cell) + 28)
#define BOUND(cell) ((cell) + 37)          // vectors that bound the Wigner-Seitz cell
#define BOUND_INVERSE_SQUARE(cell) ((cell) + 58)
#define FRACTION(cell) ((cell) + 65)       // fractions of the lattice vectors are FRACTION r
#define RECIPROCAL(cell) ((cell) + 74)     // b_1, b_2, b_3
#define DIRECT(cell) ((cell) + 83)         // a_1, a_2, a_3

static void apply(__global const double* m, const double* x, double* y) {
  for (int i = 0; i < 3; ++i) y[i] = m[3 * i] * x[0] + m[3 * i + 1] * x[1] + m[3 * i + 2] * x[2];
}

// The closest image of a vector of the frame.
static void closest_image(__global const double* cell, vd* px, vd* py, vd* pz) {
  vd x = *px, y = *py, z = *pz;
#if KIND == 0
  x -= nearest(x);
  y -= nearest(y);
  z -= nearest(z);
#elif KIND == 1
  const vd tx = 2 * x, ty = 2 * y, tz = 2 * z;
  const vd nx = nearest(tx), ny = nearest(ty), nz = nearest(tz);
  const vd ex = tx - nx, ey = ty - ny, ez = tz - nz;
  const vd ax = fabs(ex), ay = fabs(ey), az = fabs(ez);
  const vd half_sum = 0.5 * (nx + ny + nz), most = larger(ax, larger(ay, az));
  const vd odd = 2 * fabs(half_sum - nearest(half_sum));  // 0 or 1
  // The largest loses its sign and a whole; equals are taken one after the other.
  const vd sx = (ax == most) ? copysign(odd, ex) : (vd)0;
  const vd sy = (ax != most && ay == most) ? copysign(odd, ey) : (vd)0;
  const vd sz = (ax != most && ay != most) ? copysign(odd, ez) : (vd)0;
  x = 0.5 * (ex - sx);
  y = 0.5 * (ey - sy);
  z = 0.5 * (ez - sz);
#elif KIND == 2
  const vd x1 = x - nearest(x), y1 = y - nearest(y), z1 = z - nearest(z);
  const vd x2 = x1 - copysign((vd)0.5, x1), y2 = y1 - copysign((vd)0.5, y1), z2 = z1 - copysign((vd)0.5, z1);
  // |x1| + |x2| = 1/2, so that the squares differ by the sum of |x1| less 3/4.
  const vl corner = fabs(x1) + fabs(y1) + fabs(z1) <= (vd)0.75;
  x = corner ? x1 : x2;
  y = corner ? y1 : y2;
  z = corner ? z1 : z2;
#elif KIND != 5
  __global const double* inverse = SHORT_INVERSE(cell);
  __global const double* basis = SHORT_BASIS(cell);
  vd n[3];
  for (int i = 0; i < 3; ++i) n[i] = nearest(inverse[3 * i] * x + inverse[3 * i + 1] * y + inverse[3 * i + 2] * z);
  for (int i = 0; i < 3; ++i) {
    x -= n[i] * basis[3 * i];
    y -= n[i] * basis[3 * i + 1];
    z -= n[i] * basis[3 * i + 2];
  }
#if KIND == 3
  __global const double* bound = BOUND(cell);
  __global const double* inverse_square = BOUND_INVERSE_SQUARE(cell);
  for (int moved = 1; moved;) {
    moved = 0;
    for (int i = 0; i < 7; ++i) {
      const vd t = (x * bound[3 * i] + y * bound[3 * i + 1] + z * bound[3 * i + 2]) * inverse_square[i];
      const vd step = (fabs(t) > (vd)(0.5 + 1e-13)) ? nearest(t) : (vd)0;
      x -= step * bound[3 * i];
      y -= step * bound[3 * i + 1];
      z -= step * bound[3 * i + 2];
      if (ANY(fabs(step) > (vd)0)) moved = 1;
    }
  }
#else
  vd best = x * x + y * y + z * z, bx = x, by = y, bz = z;
  for (int c = 0; c < 27; ++c) {
    const int n1 = c % 3 - 1, n2 = c / 3 % 3 - 1, n3 = c / 9 - 1;
    const vd tx = x + (n1 * basis[0] + n2 * basis[3] + n3 * basis[6]);
    const vd ty = y + (n1 * basis[1] + n2 * basis[4] + n3 * basis[7]);
    const vd tz = z + (n1 * basis[2] + n2 * basis[5] + n3 * basis[8]);
    const vd square = tx * tx + ty * ty + tz * tz;
    bx = (square < best) ? tx : bx;
    by = (square < best) ? ty : by;
    bz = (square < best) ? tz : bz;
    best = smaller(square, best);
  }
  x = bx;
  y = by;
  z = bz;
#endif
#endif
  *px = x;
  *py = y;
  *pz = z;
}

// The square of its length, for which one need not know which image it is.
static vd closest_square(__global const double* cell, vd x, vd y, vd z) {
#if KIND == 1
  // To the nearest integers, and where their sum is odd the largest difference the other way.
  const vd tx = 2 * x, ty = 2 * y, tz = 2 * z;
  const vd nx = nearest(tx), ny = nearest(ty), nz = nearest(tz);
  const vd ex = tx - nx, ey = ty - ny, ez = tz - nz;
  const vd half_sum = 0.5 * (nx + ny + nz), odd = fabs(half_sum - nearest(half_sum));  // 0 or 1/2
  const vd most = larger(larger(fabs(ex), fabs(ey)), fabs(ez));
  return 0.25 * (ex * ex + ey * ey + ez * ez) + odd * (0.5 - most);
#elif KIND == 2
  x -= nearest(x);
  y -= nearest(y);
  z -= nearest(z);
  return x * x + y * y + z * z + smaller((vd)0, 0.75 - (fabs(x) + fabs(y) + fabs(z)));
#else
  closest_image(cell, &x, &y, &z);
  return x * x + y * y + z * z;
#endif
}

// sin and cos of 2 pi t: to an eighth of a turn around a quarter, then Taylor's series.
static vd sincos_turns(vd t, vd* cosine) {
  const vd whole = t - nearest(t), quarter = nearest(4 * whole);
  const vd y = (whole - 0.25 * quarter) * 6.283185307179586, s = y * y;
  vd a = -7.647163731819816e-13, b = 4.779477332387385e-14;
  a = a * s + 1.6059043836821613e-10;
  b = b * s - 1.1470745597729725e-11;
  a = a * s - 2.505210838544172e-08;
  b = b * s + 2.08767569878681e-09;
  a = a * s + 2.7557319223985893e-06;
  b = b * s - 2.755731922398589e-07;
  a = a * s - 1.984126984126984e-04;
  b = b * s + 2.48015873015873e-05;
  a = a * s + 8.333333333333333e-03;
  b = b * s - 1.3888888888888889e-03;
  a = a * s - 1.6666666666666666e-01;
  b = b * s + 4.1666666666666664e-02;
  a = a * s * y + y;
  b = (b * s - 0.5) * s + 1;
  // quarter is -2 to 2: odd ones exchange, half a turn changes both signs.
  const vd size = fabs(quarter);
  const vl exchange = size == (vd)1;
  const vd sine = exchange ? b : a, other = exchange ? a : b;
  *cosine = ((quarter == (vd)1) || (size == (vd)2)) ? -other : other;
  return ((quarter == (vd)-1) || (size == (vd)2)) ? -sine : sine;
}

#ifdef NALPHA
typedef struct {
  vd value, first, second;
} radial;

// u at r < L; whatever it gives beyond is for the caller to leave out. Of B-splines: the cubics of the
// intervals, by the powers of the place in one (the host makes them).
static radial u_at(__global const double* c, double L, vd r) {
  radial u;
#if FORM == 0
  vd p = 0, p1 = 0, p2 = 0;
  UNROLL for (int l = NALPHA - 1; l >= 0; --l) {
    p2 = p2 * r + p1;
    p1 = p1 * r + p;
    p = p * r + c[l];
  }
  const vd x = r - L, f2 = CUT == 3 ? x : (vd)1, f1 = f2 * x, f = f1 * x;
  u.value = f * p;
  u.first = CUT * f1 * p + f * p1;
  u.second = CUT * (CUT - 1) * f2 * p + 2 * CUT * f1 * p1 + 2 * f * p2;
#else
  const double inverse_h = (NALPHA - 3) / L;
  const vd t = smaller(r, (vd)L) * inverse_h, interval = smaller(floor(t), (vd)(NALPHA - 4));
  const vd x = t - interval;
  const vl i = 4 * TO_LONG(interval);
  const vd c0 = look_up(c, i), c1 = look_up(c, i + 1), c2 = look_up(c, i + 2), c3 = look_up(c, i + 3);
  u.value = ((c3 * x + c2) * x + c1) * x + c0;
  u.first = ((3 * c3 * x + 2 * c2) * x + c1) * inverse_h;
  u.second = (6 * c3 * x + 2 * c2) * (inverse_h * inverse_h);
#endif
  return u;
}
static vd u_value_at(__global const double* c, double L, vd r) {
#if FORM == 0
  vd p = 0;
  UNROLL for (int l = NALPHA - 1; l >= 0; --l) p = p * r + c[l];
  const vd x = r - L;
  return (CUT == 3 ? x : (vd)1) * x * x * p;
#else
  return u_at(c, L, r).value;
#endif
}
#endif

// Which set of parameters a pair has, from 0.
static int set_of_pair(int nset, int spin_i, int spin_j) {
  return nset == 3 ? spin_i + spin_j : nset == 2 ? spin_i != spin_j : 0;
}
// Which row of coefficients the others of each channel have.
#define ROW_OF(nset, spin, other) (set_of_pair(nset, spin, other) * size)

// Lists of reciprocal vectors (waves.cl says how they lie). Positions in fractions of the lattice vectors:
static void phases_at(__global const double* cell, __global const double* r, double* s) {
  const double at[3] = {r[0], r[1], r[2]};
  apply(FRACTION(cell), at, s);
}
// exp(i G.r) of vector g of a list, r in fractions.
static vd wave_at(__global const double* list, int size, int g, const double* s, vd* sine) {
  vd cosine;
  *sine = sincos_turns(LOAD(list + g * VW) * s[0] + LOAD(list + size + g * VW) * s[1] +
                           LOAD(list + 2 * size + g * VW) * s[2],
                       &cosine);
  return cosine;
}

// Pairs of numbers: the first `rest` numbers are there, the others are 0.
static void load_pairs(__global const double* p, int rest, vd* first, vd* second) {
#if VW == 1
  *first = rest > 0 ? p[0] : 0;
  *second = rest > 1 ? p[1] : 0;
#else
  const vd a = load_first(p, rest), b = rest > VW ? load_first(p + VW, rest - VW) : (vd)0;
  *first = (vd)(a.even, b.even);
  *second = (vd)(a.odd, b.odd);
#endif
}
static void load_complex(__global const double* p, int rest, vd* re, vd* im) {
  load_pairs(p, 2 * rest, re, im);
}
static void store_complex(vd re, vd im, __global double* p, int rest) {
#if VW == 1
  p[0] = re;
  p[1] = im;
#else
  vd a, b;
  INTERLEAVE(re, im, a, b)
  store_first(a, p, 2 * rest);
  if (2 * rest > VW) store_first(b, p + VW, 2 * rest - VW);
#endif
}
