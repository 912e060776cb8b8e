// SPDX-License-Identifier: BSD-3-Clause
// dfpt.sum_up, the fastest version: vectors of points. Far fields by solid harmonics of the inverse vector u =
// (r - R)/|r - R|^2, since Y_lm / r^(l+1) = r^-1 u^l Y_lm: no powers, no branches. Near fields from lists that
// the host makes (near_pairs.hpp): the points of a block that lie near one atom, in vectors that share a knot,
// so that the coefficients of the splines are the same for all lanes and come from the nearest cache.
//   atoms  x, y, z and the square of the multipole radius of each; atom_grid: first knot, length, factor

// Directions at once: one pass for the field's three.
#define AT_ONCE 3

// sums[d] += sum_lm Y_lm f_d(lm); two chains for each direction.
INLINE void add_components(const vd* Y, int n_lm, __global const double* f, size_t next_direction, int n, vd* sums) {
  if (n == 3) {
    __global const double *f0 = f, *f1 = f + next_direction, *f2 = f1 + next_direction;
    vd a0 = 0, a1 = 0, a2 = 0, b0 = Y[0] * f0[0], b1 = Y[0] * f1[0], b2 = Y[0] * f2[0];
    int lm = 1;
    for (; lm + 1 < n_lm; lm += 2) {
      a0 += Y[lm] * f0[lm];
      a1 += Y[lm] * f1[lm];
      a2 += Y[lm] * f2[lm];
      b0 += Y[lm + 1] * f0[lm + 1];
      b1 += Y[lm + 1] * f1[lm + 1];
      b2 += Y[lm + 1] * f2[lm + 1];
    }
    if (lm < n_lm) {
      a0 += Y[lm] * f0[lm];
      a1 += Y[lm] * f1[lm];
      a2 += Y[lm] * f2[lm];
    }
    sums[0] = a0 + b0;
    sums[1] = a1 + b1;
    sums[2] = a2 + b2;
    return;
  }
  for (int d = 0; d < n; ++d) {
    vd sum[4] = {0, 0, 0, 0};
    int lm = 0;
    for (; lm + 3 < n_lm; lm += 4)
      UNROLL for (int k = 0; k < 4; ++k) sum[k] += Y[lm + k] * f[lm + k];
    for (; lm < n_lm; ++lm) sum[0] += Y[lm] * f[lm];
    sums[d] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    f += next_direction;
  }
}

// Every vector of points and every atom; also sets the potentials to begin with.
KERNEL void far_field(__global const double* coords, __global const double* atoms, __global const int* atom_table,
                      __global const double* moments, __global double* potential, int n_points, int n_atoms,
                      int n_tables, int n_dir, int l_max) {
  const int n_lm = (l_max + 1) * (l_max + 1), vectors = VECTORS(n_points);
  const size_t next = (size_t)n_lm * n_tables;
  for (int v = SHARE_BEGIN(1, vectors) + ITEM; v < SHARE_END(1, vectors); v += LOCAL) {
    const vl p = 3 * points_from(v * VW, n_points);
    const vd x = look_up(coords, p), y = look_up(coords, p + 1), z = look_up(coords, p + 2);
    for (int d0 = 0; d0 < n_dir; d0 += AT_ONCE) {
      const int n = min(AT_ONCE, n_dir - d0);
      vd total[AT_ONCE] = {0, 0, 0};
      for (int a = 0; a < n_atoms; ++a) {
        const way w = way_from(atoms + 4 * a, x, y, z);
        const vl is_far = w.r2 >= (vd)atoms[4 * a + 3];
        if (!ANY(is_far)) continue;
        const vd inverse = is_far ? 1 / w.r2 : (vd)0;
        vd Y[COMPONENTS], sums[AT_ONCE];
        solid_harmonics(l_max, w.x * inverse, w.y * inverse, w.z * inverse, inverse, Y);
        add_components(Y, n_lm, moments + (size_t)n_lm * (atom_table[a] - 1) + next * d0, next, n, sums);
        const vd front = sqrt(inverse);
        UNROLL for (int d = 0; d < AT_ONCE; ++d) if (d < n) total[d] += front * sums[d];
      }
      UNROLL for (int d = 0; d < AT_ONCE; ++d)
        if (d < n) store_first(total[d], potential + (size_t)(d0 + d) * n_points + v * VW, n_points - v * VW);
    }
  }
}

// sum_lm Y_lm (a + b t + c t^2 + e t^3), the coefficients of one knot being n_lm apart.
INLINE vd spline_sum(const vd* Y, int n_lm, __global const double* f, vd t) {
  __global const double *fb = f + n_lm, *fc = fb + n_lm, *fe = fc + n_lm;
  vd a0 = Y[0] * f[0], b0 = Y[0] * fb[0], c0 = Y[0] * fc[0], e0 = Y[0] * fe[0], a1 = 0, b1 = 0, c1 = 0, e1 = 0;
  int lm = 1;
  for (; lm + 1 < n_lm; lm += 2) {
    const vd y = Y[lm], next = Y[lm + 1];
    a0 += y * f[lm];
    b0 += y * fb[lm];
    c0 += y * fc[lm];
    e0 += y * fe[lm];
    a1 += next * f[lm + 1];
    b1 += next * fb[lm + 1];
    c1 += next * fc[lm + 1];
    e1 += next * fe[lm + 1];
  }
  if (lm < n_lm) {
    a0 += Y[lm] * f[lm];
    b0 += Y[lm] * fb[lm];
    c0 += Y[lm] * fc[lm];
    e0 += Y[lm] * fe[lm];
  }
  return (((e0 + e1) * t + (c0 + c1)) * t + (b0 + b1)) * t + (a0 + a1);
}

// Runs: an atom and its vectors of pairs in a block of points; blocks are shared by groups.
KERNEL void near_field(__global const double* coords, __global const double* atoms, __global const int* atom_table,
                       __global const double* atom_grid, __global const double* spline,
                       __global const int* block_run, __global const int* run_atom, __global const int* run_vector,
                       __global const int* vector_knot, __global const int* pair_point, __global double* potential,
                       int n_blocks, int n_points, int n_knots, int n_tables, int n_dir, int l_max, int by_shells) {
  const int n_lm = (l_max + 1) * (l_max + 1);
  for (int block = SHARE_BEGIN(1, n_blocks); block < SHARE_END(1, n_blocks); ++block)
    for (int run = block_run[block]; run < block_run[block + 1]; ++run) {
      const int a = run_atom[run];
      __global const double* grid = atom_grid + 3 * a;
      for (int v = run_vector[run] + ITEM; v < run_vector[run + 1]; v += LOCAL) {
        __global const int* point = pair_point + (size_t)v * VW;
        int lane[VW];
        double at[3][VW];
        for (int l = 0; l < VW; ++l) {
          lane[l] = point[l] < 0 ? point[0] : point[l];
          for (int k = 0; k < 3; ++k) at[k][l] = coords[3 * (size_t)lane[l] + k];
        }
        const way w = way_from(atoms + 4 * a, LOAD(at[0]), LOAD(at[1]), LOAD(at[2]));
        const vl is_near = w.r2 < (vd)atoms[4 * a + 3];
        const vd r = sqrt(w.r2), t = knot_of(grid, by_shells, n_knots, r) - (double)vector_knot[v];
        vd Y[COMPONENTS];
        direction_harmonics(l_max, w, r, grid[0], Y);
        __global const double* f =
            spline + (size_t)4 * n_lm * (vector_knot[v] + (size_t)n_knots * (atom_table[a] - 1));
        for (int d = 0; d < n_dir; ++d) {
          const vd value = spline_sum(Y, n_lm, f + (size_t)4 * n_lm * n_knots * n_tables * d, t);
          double values[VW];
          STORE(is_near ? value : (vd)0, values);
          __global double* to = potential + (size_t)d * n_points;
          for (int l = 0; l < VW; ++l)
            if (point[l] >= 0) to[lane[l]] += values[l];
        }
      }
      BARRIER;
    }
}
