// SPDX-License-Identifier: BSD-3-Clause
// lfd.hpsi (../lfd.hpp). Build options beside those of suite/opencl/vectors.hpp:
//   W        numbers that a work-item takes of a line of psi: even where COMPLEX, since real and imaginary parts alternate
//   COMPLEX  psi is complex; MOVING: there are A or k
//   RADIUS   neighbours on each side
//   UNIFORM  all orbitals of the fastest index have one A + k
//   NPROJ    projectors of an atom, PHASED: there are A or k
#define PARTS (COMPLEX ? 2 : 1)
#if W == 1
typedef real wr;
#define LOAD_W(p) (*(p))
#define STORE_W(v, p) (*(p) = (v))
#else
typedef CAT(NUMBER, W) wr;
#define LOAD_W(p) CAT(vload, W)(0, (p))
#define STORE_W(v, p) CAT(vstore, W)((v), 0, (p))
#endif

#define PERIODIC 0
#define ZEROS 1
#define GHOSTS 2

// Sizes of a call, along the axes of the arrays; nfast, row: orbitals of a point, and their numbers.
typedef struct {
  int n[3], low[3], m[3], boundary[3];
  int nfast, row;
} Sizes;

#ifdef RADIUS
// Up to W numbers from p on.
static wr load_some(const __global real* p, int count) {
#if W > 1
  if (count < W) {
    real part[W];
    for (int l = 0; l < W; ++l) part[l] = l < count ? p[l] : 0;
    return LOAD_W(part);
  }
#endif
  return LOAD_W(p);
}

// The number of a neighbour along an axis, -1 where there are zeros.
static int neighbour(const Sizes* g, int a, int i) {
  const int n = g->n[a];
  if ((i >= 0 && i < n) || g->boundary[a] == GHOSTS) return i;
  if (g->boundary[a] == ZEROS) return INT_MIN;
  return ((i % n) + n) % n;
}

// Numbers e + step row .. of a line whose first number is at `line`.
static wr along_line(const __global real* line, const Sizes* g, int e, int step, int count) {
  const int from = e + step * g->row, length = g->n[0] * g->row;
  if ((from >= 0 && from + count <= length) || g->boundary[0] == GHOSTS) return load_some(line + from, count);
#if W == 1
  const int i = neighbour(g, 0, e / g->row + step);
  return i == INT_MIN ? 0 : line[i * g->row + e % g->row];
#else
  real part[W];
  for (int l = 0; l < W; ++l) {
    const int i = l < count ? neighbour(g, 0, (e + l) / g->row + step) : INT_MIN;
    part[l] = i == INT_MIN ? 0 : line[i * g->row + (e + l) % g->row];
  }
  return LOAD_W(part);
#endif
}

// The weights of a term, [term][orbital], and the potential with the center's.
#if UNIFORM
#define WEIGHT(term) (weights[(size_t)(term) * norb + slow * g.nfast])
#else
#define WEIGHT(term) weights_of(weights + (size_t)(term) * norb + slow * g.nfast, g.row, e, count)
static wr weights_of(const __global real* weights, int row, int e, int count) {
#if W == 1
  return weights[e % row];
#else
  real part[W];
  for (int l = 0; l < W; ++l) part[l] = l < count ? weights[(e + l) % row / PARTS] : 0;
  return LOAD_W(part);
#endif
}
#endif

// v: of this line. spin: of each orbital of this slow index, or null.
static wr centers(const __global real* v, const __global int* spin, const __global real* weights, size_t points, const Sizes* g, int e,
                  int count) {
#if W == 1
  return v[(spin ? points * (spin[e % g->row] - 1) : 0) + e / g->row] + weights[UNIFORM ? 0 : e % g->row];
#else
  real part[W];
  for (int l = 0; l < W; ++l) {
    const int orbital = (e + l) % g->row / PARTS;
    part[l] = l < count ? v[(spin ? points * (spin[orbital] - 1) : 0) + (e + l) / g->row] + weights[UNIFORM ? 0 : orbital] : 0;
  }
  return LOAD_W(part);
#endif
}

// hpsi = H psi without projectors. Dimension 0: the numbers of a line; dimension 1: lines of all planes, ghosts as well.
__kernel void stencil(const __global real* psi, const __global real* v, const __global int* spins, int has_spins,
                      const __global real* weights, __global real* hpsi, Sizes g, int nslow) {
  const int length = g.n[0] * g.row, full = g.m[0] * g.row, norb = g.nfast * nslow;
  const size_t lines = (size_t)nslow * g.m[2] * g.m[1], points = (size_t)g.n[0] * g.n[1] * g.n[2];
  const size_t from = lines * get_global_id(1) / get_global_size(1), to = lines * (get_global_id(1) + 1) / get_global_size(1);
  for (size_t line = from; line < to; ++line) {
    const int j = (int)(line % g.m[1]) - g.low[1], k = (int)(line / g.m[1] % g.m[2]) - g.low[2];
    const size_t slow = line / ((size_t)g.m[1] * g.m[2]);
    __global real* out = hpsi + line * full;
    if (j < 0 || j >= g.n[1] || k < 0 || k >= g.n[2]) {
      for (int e = (int)get_global_id(0); e < full; e += (int)get_global_size(0)) out[e] = 0;
      continue;
    }
    for (int e = (int)get_global_id(0); e < full - length; e += (int)get_global_size(0))
      out[e < g.low[0] * g.row ? e : e + length] = 0;
    out += g.low[0] * g.row;
    const __global real* in = psi + line * full + g.low[0] * g.row;
    const __global real *up[2][RADIUS], *down[2][RADIUS];
    for (int m = 1; m <= RADIUS; ++m) {
      const int j_up = neighbour(&g, 1, j + m), j_down = neighbour(&g, 1, j - m);
      const int k_up = neighbour(&g, 2, k + m), k_down = neighbour(&g, 2, k - m);
      up[0][m - 1] = j_up == INT_MIN ? 0 : in + (long)(j_up - j) * full;
      down[0][m - 1] = j_down == INT_MIN ? 0 : in + (long)(j_down - j) * full;
      up[1][m - 1] = k_up == INT_MIN ? 0 : in + (long)(k_up - k) * g.m[1] * full;
      down[1][m - 1] = k_down == INT_MIN ? 0 : in + (long)(k_down - k) * g.m[1] * full;
    }
    const __global real* potential = v + (size_t)g.n[0] * (j + (size_t)g.n[1] * k);
    const __global int* spin = has_spins ? spins + slow * g.nfast : 0;
    for (int e = W * (int)get_global_id(0); e < length; e += W * (int)get_global_size(0)) {
      const int count = min(W, length - e);
      wr sum = centers(potential, spin, weights + slow * g.nfast, points, &g, e, count) * load_some(in + e, count);
      wr slope = 0;
      for (int m = 1; m <= RADIUS; ++m) {
        const wr a = along_line(in, &g, e, m, count), b = along_line(in, &g, e, -m, count);
        sum += WEIGHT(2 * m - 1) * (a + b);
#if MOVING
        slope += WEIGHT(2 * m) * (a - b);
#endif
        for (int axis = 0; axis < 2; ++axis) {
          const wr c = up[axis][m - 1] ? load_some(up[axis][m - 1] + e, count) : 0;
          const wr d = down[axis][m - 1] ? load_some(down[axis][m - 1] + e, count) : 0;
          sum += WEIGHT(2 * ((axis + 1) * RADIUS + m) - 1) * (c + d);
#if MOVING
          slope += WEIGHT(2 * ((axis + 1) * RADIUS + m)) * (c - d);
#endif
        }
      }
#if MOVING
      sum.even -= slope.odd;
      sum.odd += slope.even;
#endif
      if (count == W) {
        STORE_W(sum, out + e);
      } else {
        real part[W];
        STORE_W(sum, part);
        for (int l = 0; l < count; ++l) out[e + l] = part[l];
      }
    }
  }
}
#else

// cos and sin of q.(r - R) at all points of all spheres, for each different q.
__kernel void sphere_phases(const __global double* momenta, const __global double* displacements, __global real* phases, int points,
                            int count) {
  for (size_t i = get_global_id(0); i < (size_t)points * count; i += get_global_size(0)) {
    const __global double *q = momenta + 3 * (i / points), *r = displacements + 3 * (i % points);
    double cosine;
    const double sine = sincos(q[0] * r[0] + q[1] * r[1] + q[2] * r[2], &cosine);
    phases[2 * i] = (real)cosine;
    phases[2 * i + 1] = (real)sine;
  }
}

// hpsi += V_nl psi: a work-group for an orbital, whose work-items share the points of a sphere. places: of the points, in elements of psi.
// D: [atom][i][j], with hx hy hz.
__kernel void spheres(const __global real* psi, const __global int* counts, const __global long* places, const __global real* betas,
                      const __global real* D, const __global real* phases, const __global int* momentum_of_orbital,
                      __global real* hpsi, int nsphere, int natom, int norb, int nfast, long slice) {
#if LOCAL > 1
  __local real workspace[LOCAL * PARTS * NPROJ];
#endif
  const int item = (int)get_local_id(0);
  for (int n = (int)get_group_id(1); n < norb; n += (int)get_num_groups(1)) {
    const long start = n % nfast + n / nfast * slice;
    for (int atom = 0; atom < natom; ++atom) {
      const __global long* place = places + (size_t)atom * nsphere;
      const __global real* beta = betas + (size_t)atom * nsphere * NPROJ;
#if PHASED
      const __global real* phase = phases + 2 * ((size_t)momentum_of_orbital[n] * natom + atom) * nsphere;
#endif
      real c[PARTS * NPROJ], d[PARTS * NPROJ];
      for (int q = 0; q < PARTS * NPROJ; ++q) c[q] = 0;
      for (int p = item; p < counts[atom]; p += LOCAL) {
        const __global real* x = psi + PARTS * (start + place[p]);
#if COMPLEX
#if PHASED
        const real re = phase[2 * p] * x[0] - phase[2 * p + 1] * x[1], im = phase[2 * p] * x[1] + phase[2 * p + 1] * x[0];
#else
        const real re = x[0], im = x[1];
#endif
        for (int q = 0; q < NPROJ; ++q) {
          c[q] += beta[p * NPROJ + q] * re;
          c[NPROJ + q] += beta[p * NPROJ + q] * im;
        }
#else
        for (int q = 0; q < NPROJ; ++q) c[q] += beta[p * NPROJ + q] * x[0];
#endif
      }
#if LOCAL > 1
      for (int q = 0; q < PARTS * NPROJ; ++q) workspace[item * PARTS * NPROJ + q] = c[q];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int q = 0; q < PARTS * NPROJ; ++q) {
        real sum = 0;
        for (int l = 0; l < LOCAL; ++l) sum += workspace[l * PARTS * NPROJ + q];
        c[q] = sum;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
#endif
      const __global real* of_atom = D + (size_t)atom * NPROJ * NPROJ;
      for (int i = 0; i < NPROJ; ++i)
        for (int part = 0; part < PARTS; ++part) {
          real sum = 0;
          for (int j = 0; j < NPROJ; ++j) sum += of_atom[i * NPROJ + j] * c[part * NPROJ + j];
          d[part * NPROJ + i] = sum;
        }
      for (int p = item; p < counts[atom]; p += LOCAL) {
        real re = 0, im = 0;
        for (int q = 0; q < NPROJ; ++q) {
          re += beta[p * NPROJ + q] * d[q];
#if COMPLEX
          im += beta[p * NPROJ + q] * d[NPROJ + q];
#endif
        }
        __global real* x = hpsi + PARTS * (start + place[p]);
#if PHASED
        x[0] += phase[2 * p] * re + phase[2 * p + 1] * im;
        x[1] += phase[2 * p] * im - phase[2 * p + 1] * re;
#else
        x[0] += re;
#if COMPLEX
        x[1] += im;
#endif
#endif
      }
      barrier(CLK_GLOBAL_MEM_FENCE);
    }
  }
}
#endif
