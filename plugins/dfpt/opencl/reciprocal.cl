// SPDX-License-Identifier: BSD-3-Clause
// dfpt.reciprocal: the factors of pairs of plane waves, with neighbouring pairs in the lanes; then the sums over
// lines of pairs, with points in the lanes, whose phases are rotated along a line.

typedef struct {
  vd re, im;
} vc;
// Not INLINE: where a compiler inlines a function that returns a struct, oclgrind does not know what it leaves.
static vc vc_product(vc a, vc b) {
  vc c;
  c.re = a.re * b.re - a.im * b.im;
  c.im = a.re * b.im + a.im * b.re;
  return c;
}
static vc vc_unit(vd angle) {
  vc c;
  c.im = sincos(angle, &c.re);
  return c;
}

// sum_a e^(-i G.R_a) sum_lm moments (-i)^l/(2l-1)!! |G|^l Y_lm for the moments of one direction. Without a
// direction, at G = 0, only l = 0 counts.
static vc structure_factor(vd x, vd y, vd z, __global const double* atom_coords, __global const double* moments, int n_atoms, int l_max) {
  const int n_lm = (l_max + 1) * (l_max + 1);
  displacement G;
  G.x = x;
  G.y = y;
  G.z = z;
  G.r2 = x * x + y * y + z * z;
  const vd length = sqrt(G.r2);
  vd Y[COMPONENTS], power = 1;
  direction_harmonics(l_max, G, length, 0, Y);
  double factor = 1;  // (-i)^l/(2l-1)!! without its -i for odd l
  for (int l = 1; l <= l_max; ++l) {
    power *= length;
    factor *= (l % 2 ? 1.0 : -1.0) / (2 * l - 1);
    for (int lm = l * l; lm < (l + 1) * (l + 1); ++lm) Y[lm] *= factor * power;
  }
  vc sum;
  sum.re = sum.im = 0;
  for (int a = 0; a < n_atoms; ++a) {
    __global const double *R = atom_coords + 3 * (size_t)a, *M = moments + n_lm * (size_t)a;
    vc of_atom;
    of_atom.re = of_atom.im = 0;
    for (int l = 0; l <= l_max; ++l) {
      vd one = 0;
      for (int lm = l * l; lm < (l + 1) * (l + 1); ++lm) one += M[lm] * Y[lm];
      if (l % 2) of_atom.im -= one;
      else of_atom.re += one;
    }
    const vc part = vc_product(vc_unit(-(x * R[0] + y * R[1] + z * R[2])), of_atom);
    sum.re += part.re;
    sum.im += part.im;
  }
  return sum;
}

// An item takes a vector of pairs of one direction; the last pair stands in for those behind it.
KERNEL void make_factors(__global const double* pairs, __global const double* atom_coords, __global const double* moments,
                         __global double* factors, int n_pairs, int n_atoms, int n_dir, int l_max) {
  const int vectors = VECTORS(n_pairs), items = vectors * n_dir;
  for (int i = SHARE_BEGIN(1, items) + ITEM; i < SHARE_END(1, items); i += LOCAL) {
    const int first = i % vectors * VW, d = i / vectors;
    double pair[8][VW];
    for (int l = 0; l < VW; ++l)
      for (int k = 0; k < 8; ++k) pair[k][l] = pairs[8 * (size_t)min(first + l, n_pairs - 1) + k];
    __global const double* M = moments + (size_t)(l_max + 1) * (l_max + 1) * n_atoms * d;
    const vd x = LOAD(pair[0]), y = LOAD(pair[1]), z = LOAD(pair[2]), up = LOAD(pair[6]), down = LOAD(pair[7]);
    const vd dx = LOAD(pair[3]), dy = LOAD(pair[4]), dz = LOAD(pair[5]);
    vc plus = structure_factor(x + dx, y + dy, z + dz, atom_coords, M, n_atoms, l_max);
    vc minus = structure_factor(x - dx, y - dy, z - dz, atom_coords, M, n_atoms, l_max);
    plus.re *= up;
    plus.im *= up;
    minus.re *= down;
    minus.im *= down;
    double parts[4][VW];
    STORE(plus.re + minus.re, parts[0]);
    STORE(plus.im + minus.im, parts[1]);
    STORE(minus.im - plus.im, parts[2]);
    STORE(plus.re - minus.re, parts[3]);
    for (int l = 0; l < VW && first + l < n_pairs; ++l)
      for (int k = 0; k < 4; ++k) factors[4 * (d + (size_t)n_dir * (first + l)) + k] = parts[k][l];
  }
}

// Directions d, .., d+many-1 at a vector of points with these angles b_i.r; `many` is known at compile time.
INLINE void add_directions(int many, __global const int* lines, __global const double* factors, __global double* potential, int n_lines,
                           int n_points, int n_dir, int d, int first, const vd* angle) {
  const vc second = vc_unit(angle[1]), third = vc_unit(angle[2]);
  vd sum[3];
  UNROLL for (int q = 0; q < many; ++q) sum[q] = 0;
  vc along;
  int g1 = -1, g2 = 0;
  for (int i = 0; i < n_lines; ++i) {
    __global const int* line = lines + 4 * i;
    // The next line of the same g_1 is one rotation away as a rule.
    if (line[0] == g1 && line[1] == g2 + 1) along = vc_product(along, second);
    else along = vc_unit(line[0] * angle[0] + line[1] * angle[1]);
    g1 = line[0];
    g2 = line[1];
    vc of_line[3], phase;
    UNROLL for (int q = 0; q < many; ++q) of_line[q].re = of_line[q].im = 0;
    phase.re = 1;
    phase.im = 0;
    __global const double* f = factors + 4 * (d + (size_t)n_dir * line[2]);
    for (int k = 0; k < line[3]; ++k, f += 4 * n_dir) {
      UNROLL for (int q = 0; q < many; ++q) {
        of_line[q].re += f[4 * q] * phase.re + f[4 * q + 2] * phase.im;
        of_line[q].im += f[4 * q + 1] * phase.re + f[4 * q + 3] * phase.im;
      }
      phase = vc_product(phase, third);
    }
    UNROLL for (int q = 0; q < many; ++q) sum[q] += along.re * of_line[q].re - along.im * of_line[q].im;
  }
  UNROLL for (int q = 0; q < many; ++q) {
    __global double* to = potential + (size_t)n_points * (d + q) + first;
    store_first(load_first(to, n_points - first) + sum[q], to, n_points - first);
  }
}

KERNEL void add_lines(__global const double* coords, __global const double* reciprocal, __global const int* lines,
                      __global const double* factors, __global double* potential, int n_lines, int n_points, int n_dir) {
  const int vectors = VECTORS(n_points);
  for (int i = SHARE_BEGIN(1, vectors) + ITEM; i < SHARE_END(1, vectors); i += LOCAL) {
    double at[3][VW];
    for (int l = 0; l < VW; ++l)
      for (int k = 0; k < 3; ++k) at[k][l] = coords[3 * (size_t)min(i * VW + l, n_points - 1) + k];
    vd angle[3];
    for (int k = 0; k < 3; ++k)
      angle[k] = reciprocal[3 * k] * LOAD(at[0]) + reciprocal[3 * k + 1] * LOAD(at[1]) + reciprocal[3 * k + 2] * LOAD(at[2]);
    int d = 0;
    for (; d + 3 <= n_dir; d += 3) add_directions(3, lines, factors, potential, n_lines, n_points, n_dir, d, i * VW, angle);
    for (; d < n_dir; ++d) add_directions(1, lines, factors, potential, n_lines, n_points, n_dir, d, i * VW, angle);
  }
}
