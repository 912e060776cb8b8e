// SPDX-License-Identifier: BSD-3-Clause
// The nonlocal pseudopotential: a work-group for the VW orbitals of a vector walks the atoms in order, its work-items
// share the points of a sphere. NPROJ projectors; LOCAL work-items; U: the orbitals wait for a phase u which they have
// not taken yet; PHASED: there are A or k. Points that need no phase have shift 0 (in BLOCKS all but those whose sphere
// reaches across the border).

#if LOCAL > 1
#define WORKSPACE __local vr workspace[LOCAL * 2 * NPROJ];
#else
#define WORKSPACE __local vr* const workspace = 0;
#endif

typedef struct {
  int nsphere, natom, nx, ny, nz, norb;
} Shape;

static void phase_of_point(const __global double* shift, const __global double* waves, Shape g, int b, vr* c, vr* s) {
  if (shift[0] == 0 && shift[1] == 0 && shift[2] == 0) {
    *c = 1;
    *s = 0;
  } else {
    bloch_phase(waves, b, g.norb, shift[0], shift[1], shift[2], c, s);
  }
}

// c[2 q], c[2 q + 1]: sum_p weight_p beta_qp row_p, of all work-items; weight: every third number, or none.
static void project(const __global real* psi, const __global real* u, const __global int* points, int count,
                    const __global double* shift, const __global real* beta, const __global double* weight,
                    const __global double* waves, Shape g, int b, vr* c, __local vr* workspace) {
  for (int q = 0; q < 2 * NPROJ; ++q) c[q] = 0;
  for (int p = (int)get_local_id(0); p < count; p += LOCAL) {
    const int at = points[p];
    vr re, im;
    load_row(psi + row_at(at / (g.ny * g.nz), at / g.nz % g.ny, at % g.nz, b, g.nx, g.ny, g.nz, g.norb),
             REST(b, g.norb), &re, &im);
#if U
    turn(&re, &im, u[2 * at], u[2 * at + 1]);
#endif
#if PHASED
    vr cosine, sine;
    phase_of_point(shift + 3 * p, waves, g, b, &cosine, &sine);
    turn(&re, &im, cosine, sine);
#endif
    const real times = weight ? (real)weight[3 * p] : 1;
    for (int q = 0; q < NPROJ; ++q) {
      const real x = times * beta[p * NPROJ + q];
      c[2 * q] += x * re;
      c[2 * q + 1] += x * im;
    }
  }
#if LOCAL > 1
  for (int q = 0; q < 2 * NPROJ; ++q) workspace[(int)get_local_id(0) * 2 * NPROJ + q] = c[q];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int q = 0; q < 2 * NPROJ; ++q) {
    vr sum = 0;
    for (int l = 0; l < LOCAL; ++l) sum += workspace[l * 2 * NPROJ + q];
    c[q] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

// psi += B K B^H psi times. K: with hx hy hz, [atom][i][j] re, im.
__kernel void nonlocal(__global real* psi, const __global real* u, const __global int* counts,
                       const __global int* points, const __global double* shifts, const __global real* betas,
                       const __global real* K, const __global double* waves, int nsphere, int natom, int descending,
                       double times, int nx, int ny, int nz, int norb) {
  WORKSPACE
  const Shape g = {nsphere, natom, nx, ny, nz, norb};
  const int b = (int)get_group_id(0);
  for (int a = 0; a < natom; ++a) {
    const int atom = descending ? natom - 1 - a : a;
    const __global int* at = points + (size_t)atom * nsphere;
    const __global double* shift = shifts + 3 * (size_t)atom * nsphere;
    const __global real* beta = betas + (size_t)atom * nsphere * NPROJ;
    const __global real* k = K + 2 * (size_t)atom * NPROJ * NPROJ;
    vr c[2 * NPROJ], kc[2 * NPROJ];
    project(psi, u, at, counts[atom], shift, beta, 0, waves, g, b, c, workspace);
    for (int i = 0; i < NPROJ; ++i) {
      vr re = 0, im = 0;
      for (int j = 0; j < NPROJ; ++j) {
        const real x = k[2 * (i * NPROJ + j)], y = k[2 * (i * NPROJ + j) + 1];
        re += x * c[2 * j] - y * c[2 * j + 1];
        im += x * c[2 * j + 1] + y * c[2 * j];
      }
      kc[2 * i] = (real)times * re;
      kc[2 * i + 1] = (real)times * im;
    }
    for (int p = (int)get_local_id(0); p < counts[atom]; p += LOCAL) {
      vr re = 0, im = 0;
      for (int q = 0; q < NPROJ; ++q) {
        re += beta[p * NPROJ + q] * kc[2 * q];
        im += beta[p * NPROJ + q] * kc[2 * q + 1];
      }
#if PHASED
      vr cosine, sine;
      phase_of_point(shift + 3 * p, waves, g, b, &cosine, &sine);
      turn(&re, &im, cosine, -sine);
#endif
#if U
      turn(&re, &im, u[2 * at[p]], -u[2 * at[p] + 1]);
#endif
      __global real* row =
          psi + row_at(at[p] / (ny * nz), at[p] / nz % ny, at[p] % nz, b, nx, ny, nz, norb);
      vr x, y;
      load_row(row, REST(b, norb), &x, &y);
      store_row(row, REST(b, norb), x + re, y + im);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}

// <psi_n|V_nl|psi_n> of each orbital. D: [atom][i][j], times (hx hy hz)^2.
__kernel void nonlocal_energies(const __global real* psi, const __global int* counts, const __global int* points,
                                const __global double* shifts, const __global real* betas, const __global double* D,
                                const __global double* waves, __global double* enl, int nsphere, int natom, int nx,
                                int ny, int nz, int norb) {
  WORKSPACE
  const Shape g = {nsphere, natom, nx, ny, nz, norb};
  const int b = (int)get_group_id(0);
  vd sum = 0;
  for (int atom = 0; atom < natom; ++atom) {
    vr c[2 * NPROJ];
    project(psi, psi, points + (size_t)atom * nsphere, counts[atom], shifts + 3 * (size_t)atom * nsphere,
            betas + (size_t)atom * nsphere * NPROJ, 0, waves, g, b, c, workspace);
    const __global double* d = D + (size_t)atom * NPROJ * NPROJ;
    for (int i = 0; i < NPROJ; ++i)
      for (int j = 0; j < NPROJ; ++j)
        sum += d[i * NPROJ + j] *
               (TO_DOUBLE(c[2 * i]) * TO_DOUBLE(c[2 * j]) + TO_DOUBLE(c[2 * i + 1]) * TO_DOUBLE(c[2 * j + 1]));
  }
  if (get_local_id(0) > 0) return;
  double lanes[VW];
  STORE(sum, lanes);
  for (int l = 0; l < VW && b * VW + l < norb; ++l) enl[b * VW + l] = lanes[l];
}

// Of each vector of orbitals, three numbers, scale times sum_n f_n i[V_nl,r] = -2 sum f Im sum D_ij c_i* m_j, m = <B|(r - R)|psi>.
__kernel void nonlocal_currents(const __global real* psi, const __global int* counts, const __global int* points,
                                const __global double* shifts, const __global real* betas, const __global double* D,
                                const __global double* displacements, const __global double* waves,
                                const __global double* f, __global double* partial, int nsphere, int natom, int nx,
                                int ny, int nz, int norb, int from, double scale) {
  WORKSPACE
  const Shape g = {nsphere, natom, nx, ny, nz, norb};
  const int b = (int)get_group_id(0);
  for (int axis = 0; axis < 3; ++axis) {
    vd sum = 0;
    for (int atom = 0; atom < natom; ++atom) {
      vr c[2 * NPROJ], m[2 * NPROJ];
      const __global int* at = points + (size_t)atom * nsphere;
      const __global double* shift = shifts + 3 * (size_t)atom * nsphere;
      const __global real* beta = betas + (size_t)atom * nsphere * NPROJ;
      project(psi, psi, at, counts[atom], shift, beta, 0, waves, g, b, c, workspace);
      project(psi, psi, at, counts[atom], shift, beta, displacements + 3 * (size_t)atom * nsphere + axis, waves, g, b,
              m, workspace);
      const __global double* d = D + (size_t)atom * NPROJ * NPROJ;
      for (int i = 0; i < NPROJ; ++i)
        for (int j = 0; j < NPROJ; ++j)
          sum -= 2 * d[i * NPROJ + j] * (TO_DOUBLE(c[2 * i]) * TO_DOUBLE(m[2 * j + 1]) -
                                         TO_DOUBLE(c[2 * i + 1]) * TO_DOUBLE(m[2 * j]));
    }
    if (get_local_id(0) == 0) partial[3 * (from + b) + axis] = scale * sum_of(LOAD(f + b * VW) * sum);
  }
}
