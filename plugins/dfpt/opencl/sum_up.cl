// SPDX-License-Identifier: BSD-3-Clause
// dfpt.sum_up, the fastest version: vectors of points. Far fields by solid harmonics of the inverse vector u =
// (r - R)/|r - R|^2, since Y_lm / r^(l+1) = r^-1 u^l Y_lm: no powers, no branches. Near fields from lists that
// the host makes (near_pairs.hpp): the points of a block that lie near one atom, in vectors that share a knot,
// so that the coefficients of the splines are the same for all lanes and come from the nearest cache.
//   atoms  x, y, z and the square of the multipole radius of each; atom_grid: first knot, length, factor
//   L_MAX  build option
// With C_m + i S_m = (x + i y)^m and Y_lm = Q_lm C_m or Q_l|m| S_|m| (../harmonics.hpp), sums over lm are made m by
// m: of the near fields in powers of z, which `tables` makes of the splines, and of the far ones in Q.
#define N_LM ((L_MAX + 1) * (L_MAX + 1))

// Directions are done three at a time, the rest alone.
#define AT_ONCE 3

// powers: sum_l c_lm Q_lm = sum_l p_lm z^(l-m), [power of the spline][component] behind each knot, as spline.
// scaled: moments times their factors where Q_mm = 1 and Q_lm = z Q_(l-1)m - FALL(l, m) r^2 Q_(l-2)m.
#define A(l, m) HARMONIC_A[(l) * (LARGEST_L + 1) + (m)]
#define B(l, m) HARMONIC_B[(l) * (LARGEST_L + 1) + (m)]
#define FALL(l, m) (B(l, m) / (A(l, m) * A((l) - 1, m)))
KERNEL void tables(__global const double* spline, __global const double* moments, __global double* powers,
                   __global double* scaled, int rows, int all_moments) {
  double Q[L_MAX + 1][L_MAX + 1][L_MAX + 1];  // [l][m][k]: of z^k in Q_lm
  double factor[L_MAX + 1][L_MAX + 1];
  UNROLL for (int m = 0; m <= L_MAX; ++m) {
    UNROLL for (int l = m; l <= L_MAX; ++l) {
      factor[l][m] = l == m ? HARMONIC_N[m] : factor[l - 1][m] * A(l, m);
      UNROLL for (int k = 0; k <= l - m; ++k) {
        double q = l == m ? HARMONIC_N[m] : 0;
        if (k > 0) q = A(l, m) * Q[l - 1][m][k - 1];
        if (l > m + 1 && k < l - m - 1) q -= B(l, m) * Q[l - 2][m][k];
        Q[l][m][k] = q;
      }
    }
  }
  for (int i = SHARE_BEGIN(1, rows) + ITEM; i < SHARE_END(1, rows); i += LOCAL) {
    __global const double* c = spline + (size_t)N_LM * i;
    __global double* p = powers + (size_t)N_LM * i;
    UNROLL for (int l = 0; l <= L_MAX; ++l) {
      UNROLL for (int m = -l; m <= l; ++m) {
        const int order = m < 0 ? -m : m;
        double sum = 0;
        UNROLL for (int up = l; up <= L_MAX; up += 2) sum += Q[up][order][l - order] * c[up * up + up + m];
        p[l * l + l + m] = sum;
      }
    }
  }
  for (int i = SHARE_BEGIN(1, all_moments) + ITEM; i < SHARE_END(1, all_moments); i += LOCAL)
    UNROLL for (int l = 0; l <= L_MAX; ++l)
      UNROLL for (int m = -l; m <= l; ++m) {
        const size_t lm = (size_t)N_LM * i + l * l + l + m;
        scaled[lm] = factor[l][m < 0 ? -m : m] * moments[lm];
      }
}

// sum_lm moment_lm S_lm of `some` directions, at u.
INLINE void add_moments(__global const double* moments, size_t next, int some, vd x, vd y, vd z, vd r2, vd* sums) {
  vd c = 1, s = 0;
  UNROLL for (int m = 0; m <= L_MAX; ++m) {
    vd q = 1, below = 0, C[AT_ONCE], S[AT_ONCE];
    UNROLL for (int l = m; l <= L_MAX; ++l) {
      if (l > m) {
        const vd up = l == m + 1 ? z * q : z * q - FALL(l, m) * r2 * below;
        below = q;
        q = up;
      }
      UNROLL for (int d = 0; d < some; ++d) {
        __global const double* f = moments + d * next + l * l + l;
        C[d] = l == m ? (vd)f[m] : C[d] + q * f[m];
        S[d] = l == m ? (vd)f[-m] : S[d] + q * f[-m];
      }
    }
    UNROLL for (int d = 0; d < some; ++d) sums[d] = m == 0 ? C[d] : sums[d] + C[d] * c + S[d] * s;
    const vd up = m == 0 ? x : c * x - s * y;
    s = m == 0 ? y : s * x + c * y;
    c = up;
  }
}

// Of an atom, where it is far.
INLINE void add_far(__global const double* atom, __global const double* moments, size_t next, int some, vd x, vd y, vd z,
                    vd* total) {
  const displacement w = displacement_from(atom, x, y, z);
  const vl is_far = w.r2 >= (vd)atom[3];
  if (!ANY(is_far)) return;
  const vd inverse = is_far ? 1 / w.r2 : (vd)0, front = sqrt(inverse);
  vd sums[AT_ONCE];
  add_moments(moments, next, some, w.x * inverse, w.y * inverse, w.z * inverse, inverse, sums);
  UNROLL for (int d = 0; d < some; ++d) total[d] += front * sums[d];
}

INLINE void far_sums(__global const double* coords, __global const double* atoms, __global const int* atom_table,
                     __global const double* scaled, size_t next, int some, int n_points, int n_atoms, int v,
                     __global double* potential) {
  const vl p = 3 * points_from(v * VW, n_points);
  const vd x = look_up(coords, p), y = look_up(coords, p + 1), z = look_up(coords, p + 2);
  vd total[AT_ONCE] = {0, 0, 0};
  for (int a = 0; a < n_atoms; ++a)
    add_far(atoms + 4 * a, scaled + (size_t)N_LM * (atom_table[a] - 1), next, some, x, y, z, total);
  UNROLL for (int d = 0; d < some; ++d)
    store_first(total[d], potential + (size_t)d * n_points + v * VW, n_points - v * VW);
}

// Every vector of points and every atom; also sets the potentials to begin with.
KERNEL void far_field(__global const double* coords, __global const double* atoms, __global const int* atom_table,
                      __global const double* scaled, __global double* potential, int n_points, int n_atoms,
                      int n_tables, int n_dir) {
  const int vectors = VECTORS(n_points);
  const size_t next = (size_t)N_LM * n_tables;
  for (int v = SHARE_BEGIN(1, vectors) + ITEM; v < SHARE_END(1, vectors); v += LOCAL) {
    int d = 0;
    for (; d + AT_ONCE <= n_dir; d += AT_ONCE)
      far_sums(coords, atoms, atom_table, scaled + next * d, next, AT_ONCE, n_points, n_atoms, v,
               potential + (size_t)d * n_points);
    for (; d < n_dir; ++d)
      far_sums(coords, atoms, atom_table, scaled + next * d, next, 1, n_points, n_atoms, v,
               potential + (size_t)d * n_points);
  }
}

// A leaf's expansion (far_tree.cl) at points seen from its centre: sum_lm conj(R_lm) L_lm, whose real parts for m and -m
// are the same. R_lm = Q_l (re + i im) with Q of the column m.
INLINE void add_expansion(__global const double* L, int order, int some, vd x, vd y, vd z, vd* total) {
  const vd r2 = x * x + y * y + z * z;
  vd re = 1, im = 0;
  for (int m = 0; m <= order; ++m) {
    if (m > 0) {
      const double over = 1.0 / (2 * m);
      const vd up = (re * x - im * y) * over;
      im = (re * y + im * x) * over;
      re = up;
    }
    vd below = 0, q = m > 0 ? 2 : 1, in_re[AT_ONCE] = {0, 0, 0}, in_im[AT_ONCE] = {0, 0, 0};
    for (int l = m; l <= order; ++l) {
      if (l > m) {
        const vd up = (z * q * (double)(2 * l - 1) - r2 * below) * (1.0 / ((l + m) * (l - m)));
        below = q;
        q = up;
      }
      __global const double* component = L + 8 * (l * (l + 1) / 2 + m);
      UNROLL for (int d = 0; d < some; ++d) {
        in_re[d] += q * component[d];
        in_im[d] += q * component[4 + d];
      }
    }
    UNROLL for (int d = 0; d < some; ++d) total[d] += re * in_re[d] + im * in_im[d];
  }
}

// As far_tree.cl has it.
typedef struct {
  double centre[3];
  int parent, order, expansion, first_far, last_far, first_direct, last_direct, begin, end, unused;
} far_cell;

INLINE void leaf_sums(__global const double* coords, __global const double* atoms, __global const int* atom_table,
                      __global const double* scaled, __global const double* locals, size_t next, int some, int n_points,
                      __global const far_cell* leaf, __global const int* points, __global const int* direct,
                      __global double* potential) {
  const int vectors = VECTORS(leaf->end - leaf->begin);
  for (int v = ITEM; v < vectors; v += LOCAL) {
    const int first = leaf->begin + v * VW, count = min(VW, leaf->end - first);
    double at[3][VW];
    for (int l = 0; l < VW; ++l)
      for (int k = 0; k < 3; ++k) at[k][l] = coords[3 * (size_t)points[first + min(l, count - 1)] + k];
    const vd x = LOAD(at[0]), y = LOAD(at[1]), z = LOAD(at[2]);
    vd total[AT_ONCE] = {0, 0, 0};
    add_expansion(locals + (size_t)8 * leaf->expansion, leaf->order, some, x - leaf->centre[0], y - leaf->centre[1],
                  z - leaf->centre[2], total);
    for (int i = leaf->first_direct; i < leaf->last_direct; ++i)
      add_far(atoms + 4 * direct[i], scaled + (size_t)N_LM * (atom_table[direct[i]] - 1), next, some, x, y, z, total);
    UNROLL for (int d = 0; d < some; ++d) {
      double values[VW];
      STORE(total[d], values);
      for (int l = 0; l < count; ++l) potential[(size_t)d * n_points + points[first + l]] = values[l];
    }
  }
}

// The leaves of the tree, for the directions from first_dir on that `locals` is of; sets their potentials to begin with.
KERNEL void far_leaves(__global const double* coords, __global const double* atoms, __global const int* atom_table,
                       __global const double* scaled, __global const double* locals, __global const far_cell* cells,
                       __global const int* leaves, __global const int* points, __global const int* direct,
                       __global double* potential, int n_leaves, int n_points, int n_tables, int first_dir, int dirs) {
  const size_t next = (size_t)N_LM * n_tables;
  for (int leaf = SHARE_BEGIN(1, n_leaves); leaf < SHARE_END(1, n_leaves); ++leaf) {
    __global const far_cell* cell = cells + leaves[leaf];
    __global const double* moments = scaled + next * first_dir;
    __global double* to = potential + (size_t)first_dir * n_points;
    if (dirs == AT_ONCE)
      leaf_sums(coords, atoms, atom_table, moments, locals, next, AT_ONCE, n_points, cell, points, direct, to);
    else
      leaf_sums(coords, atoms, atom_table, moments, locals, next, 1, n_points, cell, points, direct, to);
  }
}

// The tables of `some` directions at unit vectors, by Horner's rule in z and then in t.
INLINE void near_sums(__global const double* powers, size_t next, int some, vd x, vd y, vd z, vd t, vd* sums) {
  vd f[4 * AT_ONCE], c = x, s = y;
  UNROLL for (int m = 0; m <= L_MAX; ++m) {
    UNROLL for (int i = 0; i < 4 * some; ++i) {
      __global const double* p = powers + i / 4 * next + i % 4 * N_LM;
      vd C = p[L_MAX * L_MAX + L_MAX + m], S = p[L_MAX * L_MAX + L_MAX - m];
      UNROLL for (int l = L_MAX - 1; l >= m; --l) {
        C = C * z + p[l * l + l + m];
        S = S * z + p[l * l + l - m];
      }
      f[i] = m == 0 ? C : f[i] + C * c + S * s;
    }
    if (m > 0) {
      const vd up = c * x - s * y;
      s = s * x + c * y;
      c = up;
    }
  }
  UNROLL for (int d = 0; d < some; ++d)
    sums[d] = ((f[4 * d + 3] * t + f[4 * d + 2]) * t + f[4 * d + 1]) * t + f[4 * d];
}

// What points lie behind their knot (../fractions.hpp): scale, shift, the first of the coefficients and their number,
// none where the grid itself is asked.
INLINE vd fraction_of(__global const double* polynomial, __global const double* coefficients,
                      __global const double* grid, int by_shells, int n_knots, int knot, vd r) {
  const int count = (int)polynomial[3];
  if (count == 0) return knot_of(grid, by_shells, n_knots, r) - (double)knot;
  const vd u = r * polynomial[0] + polynomial[1];
  vd t = 0;
  for (int k = (int)polynomial[2]; k < (int)polynomial[2] + count; ++k) t = t * u + coefficients[k];
  return smaller(larger(t, (vd)0), (vd)1);
}

// Runs: an atom and its vectors of pairs in a block of points; blocks are shared by groups.
KERNEL void near_field(__global const double* coords, __global const double* atoms, __global const int* species,
                       __global const int* atom_table, __global const double* atom_grid,
                       __global const double* polynomials, __global const double* coefficients,
                       __global const double* spline, __global const double* powers, __global const int* block_run,
                       __global const int* run_atom, __global const int* run_vector, __global const int* vector_knot,
                       __global const int* pair_point, __global double* potential, int n_blocks, int n_points,
                       int n_knots, int n_tables, int n_dir, int by_shells) {
  const size_t next = (size_t)4 * N_LM * n_knots * n_tables;
  for (int block = SHARE_BEGIN(1, n_blocks); block < SHARE_END(1, n_blocks); ++block)
    for (int run = block_run[block]; run < block_run[block + 1]; ++run) {
      const int a = run_atom[run];
      for (int v = run_vector[run] + ITEM; v < run_vector[run + 1]; v += LOCAL) {
        const int knot = vector_knot[v];
        __global const int* point = pair_point + (size_t)v * VW;
        double at[3][VW];
        UNROLL for (int l = 0; l < VW; ++l)
          UNROLL for (int k = 0; k < 3; ++k) at[k][l] = coords[3 * (size_t)(point[l] < 0 ? point[0] : point[l]) + k];
        const displacement w = displacement_from(atoms + 4 * a, LOAD(at[0]), LOAD(at[1]), LOAD(at[2]));
        const vl is_near = w.r2 < (vd)atoms[4 * a + 3];
        const vd r = sqrt(w.r2);
        const vd t = fraction_of(polynomials + 4 * ((size_t)(species[a] - 1) * n_knots + knot), coefficients,
                                 atom_grid + 3 * a, by_shells, n_knots, knot, r);
        const vl outside = r > (vd)atom_grid[3 * a];
        const vd inverse = outside ? 1 / r : (vd)0, x = w.x * inverse, y = w.y * inverse, z = w.z * inverse;
        const size_t row = (size_t)4 * N_LM * (knot + (size_t)n_knots * (atom_table[a] - 1));
        for (int d = 0, n; d < n_dir; d += n) {
          vd sums[AT_ONCE];
          n = d + AT_ONCE <= n_dir ? AT_ONCE : 1;
          if (n == AT_ONCE)
            near_sums(powers + row + next * d, next, AT_ONCE, x, y, z, t, sums);
          else
            near_sums(powers + row + next * d, next, 1, x, y, z, t, sums);
          for (int i = 0; i < n; ++i) {
            // Up to the first knot only l = 0 is left, of which the table's first power is the value.
            const vd value = outside ? sums[i] : (vd)(HARMONIC_N[0] * spline[row + next * (d + i)]);
            double values[VW];
            STORE(is_near ? value : (vd)0, values);
            __global double* to = potential + (size_t)(d + i) * n_points;
            UNROLL for (int l = 0; l < VW; ++l)
              if (point[l] >= 0) to[point[l]] += values[l];
          }
        }
      }
      BARRIER;
    }
}
