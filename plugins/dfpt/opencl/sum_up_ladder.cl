// SPDX-License-Identifier: BSD-3-Clause
// The published steps of dfpt.sum_up ("An OpenCL implementation of all-electron density-functional
// perturbation theory in FHI-aims", Front. Chem. 11, 1156891 (2023), sections 4.2 to 4.4, from its text), for
// free boundaries; its recursions for the harmonics are those of ../harmonics.hpp. Numbers, not vectors: VW is 1.
//   naive         a work-item for a batch of points, a direction after the other; a branch for points near no
//                 nucleus, another for each atom; two-dimensional temporaries in global memory
//   parallelism   a work-item for a point, batches being implicit; vectors for temporaries
//   memory        moments in constant memory (SPACE), harmonics in private arrays with subscripts known at
//                 compile time, loops over (l,m) fused
//   control_flow  points near some nucleus and the others apart, as lists from the host; near and far in one
//                 call; L_MAX and N_DIR are build options
#define SUM_UP_ARGUMENTS(space)                                                                                 \
  __global const double *coords, __global const double *atoms, __global const int *atom_table,                \
      __global const double *atom_grid, __global const double *spline, space const double *moments,           \
      __global double *potential, __global double *workspace, __global const int *list, int n_list, int n_points,  \
      int n_atoms, int n_knots, int n_tables, int n_dir, int l_max, int by_shells

typedef struct {
  int knot;
  double fraction;
} place;
static place place_of(__global const double* grid, int by_shells, int n_knots, double r) {
  const double x = knot_of(grid, by_shells, n_knots, r);
  place p;
  p.knot = min((int)x, n_knots - 2);
  p.fraction = x - p.knot;
  return p;
}

// Q_lm without the powers of x + iy, by l at one m.
typedef struct {
  double q, below;
} rising;
static rising first_of_column(int m) {
  rising c;
  c.q = HARMONIC_N[m];
  c.below = 0;
  return c;
}
static rising next_of_column(rising c, int l, int m, double z, double r2) {
  rising up;
  up.q = HARMONIC_A[l * (LARGEST_L + 1) + m] * z * c.q - HARMONIC_B[l * (LARGEST_L + 1) + m] * r2 * c.below;
  up.below = c.q;
  return up;
}

// Step naive: Y_lm by way of a table of Q_lm and one of powers, all of them first.
static void harmonics_by_tables(int l_max, double x, double y, double z, double r2, __global double* Q,
                                __global double* power, __global double* Y) {
  power[0] = 1;
  power[1] = 0;
  for (int m = 1; m <= l_max; ++m) {
    power[2 * m] = power[2 * m - 2] * x - power[2 * m - 1] * y;
    power[2 * m + 1] = power[2 * m - 1] * x + power[2 * m - 2] * y;
  }
  for (int m = 0; m <= l_max; ++m) {
    rising c = first_of_column(m);
    for (int l = m; l <= l_max; ++l) {
      if (l > m) c = next_of_column(c, l, m, z, r2);
      Q[l * (l_max + 1) + m] = c.q;
    }
  }
  for (int l = 0; l <= l_max; ++l)
    for (int m = -l; m <= l; ++m)
      Y[l * l + l + m] = Q[l * (l_max + 1) + abs(m)] * (m < 0 ? power[1 - 2 * m] : power[2 * m]);
}
static void far_by_tables(int l_max, displacement w, __global const double* moments, __global double* workspace, double* sum) {
  __global double *Q = workspace, *power = Q + COMPONENTS, *Y = power + 2 * (LARGEST_L + 1);
  const double r = sqrt(w.r2);
  harmonics_by_tables(l_max, w.x / r, w.y / r, w.z / r, 1, Q, power, Y);
  double front = 1 / r;
  for (int l = 0; l <= l_max; ++l, front /= r)
    for (int m = -l; m <= l; ++m) *sum += front * moments[l * l + l + m] * Y[l * l + l + m];
}
static void near_by_tables(int l_max, displacement w, __global const double* grid, int by_shells, int n_knots,
                           __global const double* table, __global double* workspace, double* sum) {
  __global double *Q = workspace, *power = Q + COMPONENTS, *Y = power + 2 * (LARGEST_L + 1);
  const double r = sqrt(w.r2);
  const int outside = r > grid[0], n_lm = (l_max + 1) * (l_max + 1);
  harmonics_by_tables(l_max, outside ? w.x / r : 0, outside ? w.y / r : 0, outside ? w.z / r : 0, outside, Q, power, Y);
  const place p = place_of(grid, by_shells, n_knots, r);
  __global const double* f = table + (size_t)4 * n_lm * p.knot;
  for (int lm = 0; lm < n_lm; ++lm) {
    const double t = p.fraction;
    *sum += (f[lm] + t * (f[n_lm + lm] + t * (f[2 * n_lm + lm] + t * f[3 * n_lm + lm]))) * Y[lm];
  }
}

// The published codes leave points far from every nucleus out; here they have no near field.
static int is_near_some(__global const double* atoms, int n_atoms, double x, double y, double z) {
  for (int a = 0; a < n_atoms; ++a)
    if (displacement_from(atoms + 4 * a, x, y, z).r2 < atoms[4 * a + 3]) return 1;
  return 0;
}

#ifndef L_MAX
KERNEL void naive(SUM_UP_ARGUMENTS(__global)) {
  const int n_lm = (l_max + 1) * (l_max + 1), batches = (n_points + BATCH - 1) / BATCH;
  workspace += (size_t)(get_global_id(1) * LOCAL + ITEM) * WORKSPACE;
  for (int batch = SHARE_BEGIN(1, batches) + ITEM; batch < SHARE_END(1, batches); batch += LOCAL)
    for (int d = 0; d < n_dir; ++d)
      for (int p = batch * BATCH; p < min(n_points, (batch + 1) * BATCH); ++p) {
        const double x = coords[3 * p], y = coords[3 * p + 1], z = coords[3 * p + 2];
        const int some = is_near_some(atoms, n_atoms, x, y, z);
        double sum = 0;
        for (int a = 0; a < n_atoms; ++a) {
          const displacement w = displacement_from(atoms + 4 * a, x, y, z);
          const size_t table = atom_table[a] - 1 + (size_t)n_tables * d;
          if (some && w.r2 < atoms[4 * a + 3])
            near_by_tables(l_max, w, atom_grid + 3 * a, by_shells, n_knots, spline + 4 * n_lm * n_knots * table, workspace,
                           &sum);
          else
            far_by_tables(l_max, w, moments + n_lm * table, workspace, &sum);
        }
        potential[(size_t)d * n_points + p] = sum;
      }
}
#endif

// Step parallelism: one-dimensional temporaries, the powers and Y_lm; what they are made of is not kept.
static void harmonics_in_workspace(int l_max, double x, double y, double z, double r2, __global double* workspace) {
  double c = 1, s = 0;
  for (int m = 0; m <= l_max; ++m) {
    rising up = first_of_column(m);
    for (int l = m; l <= l_max; ++l) {
      if (l > m) up = next_of_column(up, l, m, z, r2);
      if (m > 0) workspace[l * l + l - m] = up.q * s;
      workspace[l * l + l + m] = up.q * c;
    }
    const double t = c * x - s * y;
    s = s * x + c * y;
    c = t;
  }
}

#ifndef L_MAX
KERNEL void parallelism(SUM_UP_ARGUMENTS(__global)) {
  const int n_lm = (l_max + 1) * (l_max + 1);
  __global double* Y = workspace + (size_t)(get_global_id(1) * LOCAL + ITEM) * WORKSPACE;
  for (int p = SHARE_BEGIN(1, n_points) + ITEM; p < SHARE_END(1, n_points); p += LOCAL) {
    const double x = coords[3 * p], y = coords[3 * p + 1], z = coords[3 * p + 2];
    const int some = is_near_some(atoms, n_atoms, x, y, z);
    for (int d = 0; d < n_dir; ++d) {
      double sum = 0;
      for (int a = 0; a < n_atoms; ++a) {
        const displacement w = displacement_from(atoms + 4 * a, x, y, z);
        const size_t table = atom_table[a] - 1 + (size_t)n_tables * d;
        const double r = sqrt(w.r2);
        if (some && w.r2 < atoms[4 * a + 3]) {
          const int outside = r > atom_grid[3 * a];
          harmonics_in_workspace(l_max, outside ? w.x / r : 0, outside ? w.y / r : 0, outside ? w.z / r : 0, outside, Y);
          const place at = place_of(atom_grid + 3 * a, by_shells, n_knots, r);
          __global const double* f = spline + 4 * n_lm * (at.knot + n_knots * table);
          for (int lm = 0; lm < n_lm; ++lm) {
            const double t = at.fraction;
            sum += (f[lm] + t * (f[n_lm + lm] + t * (f[2 * n_lm + lm] + t * f[3 * n_lm + lm]))) * Y[lm];
          }
        } else {
          harmonics_in_workspace(l_max, w.x / r, w.y / r, w.z / r, 1, Y);
          double front = 1 / r;
          for (int l = 0; l <= l_max; ++l, front /= r)
            for (int lm = l * l; lm < (l + 1) * (l + 1); ++lm) sum += front * moments[n_lm * table + lm] * Y[lm];
        }
      }
      potential[(size_t)d * n_points + p] = sum;
    }
  }
}
#endif

static double near_sum(const double* Y, int n_lm, __global const double* f, double t) {
  double sum = 0;
  for (int lm = 0; lm < n_lm; ++lm)
    sum += (f[lm] + t * (f[n_lm + lm] + t * (f[2 * n_lm + lm] + t * f[3 * n_lm + lm]))) * Y[lm];
  return sum;
}
static double far_sum(const double* Y, int n_lm, SPACE const double* f) {
  double sum = 0;
  for (int lm = 0; lm < n_lm; ++lm) sum += f[lm] * Y[lm];
  return sum;
}

#ifndef L_MAX
KERNEL void memory(SUM_UP_ARGUMENTS(SPACE)) {
  const int n_lm = (l_max + 1) * (l_max + 1);
  double Y[COMPONENTS];
  for (int p = SHARE_BEGIN(1, n_points) + ITEM; p < SHARE_END(1, n_points); p += LOCAL) {
    const double x = coords[3 * p], y = coords[3 * p + 1], z = coords[3 * p + 2];
    const int some = is_near_some(atoms, n_atoms, x, y, z);
    for (int d = 0; d < n_dir; ++d) {
      double sum = 0;
      for (int a = 0; a < n_atoms; ++a) {
        const displacement w = displacement_from(atoms + 4 * a, x, y, z);
        const size_t table = atom_table[a] - 1 + (size_t)n_tables * d;
        if (some && w.r2 < atoms[4 * a + 3]) {
          const double r = sqrt(w.r2);
          direction_harmonics(l_max, w, r, atom_grid[3 * a], Y);
          const place at = place_of(atom_grid + 3 * a, by_shells, n_knots, r);
          sum += near_sum(Y, n_lm, spline + 4 * n_lm * (at.knot + n_knots * table), at.fraction);
        } else {
          const double inverse = 1 / w.r2;
          solid_harmonics(l_max, w.x * inverse, w.y * inverse, w.z * inverse, inverse, Y);
          sum += sqrt(inverse) * far_sum(Y, n_lm, moments + n_lm * table);
        }
      }
      potential[(size_t)d * n_points + p] = sum;
    }
  }
}
#endif

#ifdef L_MAX
#define N_LM ((L_MAX + 1) * (L_MAX + 1))
// One call for both fields: only what multiplies the harmonics differs.
INLINE void points_of_list(int some_near, SUM_UP_ARGUMENTS(SPACE)) {
  double Y[N_LM];
  for (int i = SHARE_BEGIN(1, n_list) + ITEM; i < SHARE_END(1, n_list); i += LOCAL) {
    const int p = list[i];
    const double x = coords[3 * p], y = coords[3 * p + 1], z = coords[3 * p + 2];
    double sum[N_DIR];
    UNROLL for (int d = 0; d < N_DIR; ++d) sum[d] = 0;
    for (int a = 0; a < n_atoms; ++a) {
      const displacement w = displacement_from(atoms + 4 * a, x, y, z);
      const int is_near = some_near && w.r2 < atoms[4 * a + 3];
      const double r = sqrt(w.r2), inverse = is_near ? (r > atom_grid[3 * a] ? 1 / r : 0) : 1 / w.r2;
      solid_harmonics(L_MAX, w.x * inverse, w.y * inverse, w.z * inverse, w.r2 * inverse * inverse, Y);
      const int table = atom_table[a] - 1;
      if (is_near) {
        const place at = place_of(atom_grid + 3 * a, by_shells, n_knots, r);
        UNROLL for (int d = 0; d < N_DIR; ++d) sum[d] +=
            near_sum(Y, N_LM, spline + 4 * N_LM * (at.knot + n_knots * (table + (size_t)n_tables * d)), at.fraction);
      } else {
        const double front = sqrt(inverse);
        UNROLL for (int d = 0; d < N_DIR; ++d) sum[d] += front * far_sum(Y, N_LM, moments + N_LM * (table + (size_t)n_tables * d));
      }
    }
    UNROLL for (int d = 0; d < N_DIR; ++d) potential[(size_t)d * n_points + p] = sum[d];
  }
}
#define CONTROL_FLOW(name, some_near)                                                                                \
  KERNEL void name(SUM_UP_ARGUMENTS(SPACE)) {                                                                        \
    points_of_list(some_near, coords, atoms, atom_table, atom_grid, spline, moments, potential, workspace, list, n_list, \
                   n_points, n_atoms, n_knots, n_tables, n_dir, l_max, by_shells);                                   \
  }
CONTROL_FLOW(near_points, 1)
CONTROL_FLOW(far_points, 0)
#endif
