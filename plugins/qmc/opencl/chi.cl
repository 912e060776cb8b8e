// SPDX-License-Identifier: BSD-3-Clause
// The chi term: an item has a vector of positions and goes over the ions, which lie in the frame.
//   NALPHA, CUT, FORM=0   as for u (common.cl), with beta for alpha
//   NSPIN                 1: the same coefficients for both spins, 2: up, down

// The positions of an item, in the frame, and which of them are of spin down.
typedef struct {
  int first, rest;
  vd x, y, z;
  vl down;
} places;
static places places_of(int vector, __global const double* rele, __global const double* rnew,
                        __global const double* cell, int one, int npos, int nup, int positions) {
  places p;
  p.first = vector * VW;
  p.rest = positions - p.first;
  double x[3][VW];
  long down[VW];
  for (int lane = 0; lane < VW; ++lane) {
    const int position = min(p.first + lane, positions - 1);
    __global const double* r = (one < 0 ? rele : rnew) + 3 * (size_t)position;
    const double at[3] = {r[0], r[1], r[2]};
    double y[3];
    apply(FRAME(cell), at, y);
    for (int d = 0; d < 3; ++d) x[d][lane] = y[d];
    down[lane] = (one < 0 ? position % npos : one) >= nup ? -1 : 0;
  }
  p.x = LOAD(x[0]);
  p.y = LOAD(x[1]);
  p.z = LOAD(x[2]);
  p.down = LOAD(down);
  return p;
}

// The vector from an ion to each position, its length, and where that is below L.
typedef struct {
  vd x, y, z, r;
  vl inside;
} from_ion;
static from_ion from_ion_at(const places p, __global const double* ions, int nion, int ion, __global const double* cell,
                            double L) {
  from_ion f;
  f.x = p.x - ions[ion];
  f.y = p.y - ions[nion + ion];
  f.z = p.z - ions[2 * nion + ion];
  closest_image(cell, &f.x, &f.y, &f.z);
  f.r = sqrt(f.x * f.x + f.y * f.y + f.z * f.z) * UNIT(cell);
  f.inside = f.r < (vd)L;
  return f;
}

// At distance 0 the slope over it is the second derivative.
static void add_function(const from_ion f, radial u, vd* sums) {
  const vd apart = f.r > (vd)0 ? f.r : (vd)1;
  const vd slope = f.inside ? (f.r > (vd)0 ? u.first / apart : u.second) : (vd)0;
  sums[0] += f.inside ? u.value : (vd)0;
  sums[1] += slope * f.x;
  sums[2] += slope * f.y;
  sums[3] += slope * f.z;
  sums[4] += (f.inside ? u.second : (vd)0) + 2 * slope;
}

// Bits of has: 1 value, 2 gradient, 4 Laplacian; the numbers of neighbouring positions lie `step` apart.
static void put_sums(const places p, __global const double* cell, const vd* sums, __global double* value,
                     __global double* gradient, __global double* laplacian, int has, size_t step, size_t at) {
  double x[5][VW];
  for (int k = 0; k < 5; ++k) {
#if VW == 1
    x[k][0] = sums[k];
#else
    STORE(sums[k], x[k]);
#endif
  }
  for (int lane = 0; lane < min(VW, p.rest); ++lane) {
    const size_t to = (p.first + lane) * step + at;
    if (has & 1) value[to] = x[0][lane];
    const double scaled[3] = {x[1][lane], x[2][lane], x[3][lane]};
    double g[3];
    apply(BACK(cell), scaled, g);
    for (int d = 0; d < 3 && has & 2; ++d) gradient[3 * to + d] = g[d];
    if (has & 4) laplacian[to] = x[4][lane];
  }
}

KERNEL void jastrow_chi(__global const double* rele, __global const double* rnew, __global const double* cell,
                        __global const double* ions, __global const int* set_of_ion, __global const double* beta,
                        __global const double* cutoff, __global double* value, __global double* gradient,
                        __global double* laplacian, int has, int nion, int one, int npos, int nup, int positions,
                        int rows) {
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const int vector = row * LOCAL + ITEM;
    if (vector * VW >= positions) continue;
    const places p = places_of(vector, rele, rnew, cell, one, npos, nup, positions);
    vd sums[5] = {0, 0, 0, 0, 0};
    for (int ion = 0; ion < nion; ++ion) {
      const int set = set_of_ion[ion];
      if (set < 0) continue;
      const double L = cutoff[set];
      const from_ion f = from_ion_at(p, ions, nion, ion, cell, L);
      if (!ANY(f.inside)) continue;
      __global const double* c = beta + NALPHA * NSPIN * set;
      radial u = u_at(c, L, f.r);
#if NSPIN == 2
      if (ANY(p.down)) {
        const radial other = u_at(c + NALPHA, L, f.r);
        u.value = p.down ? other.value : u.value;
        u.first = p.down ? other.first : u.first;
        u.second = p.down ? other.second : u.second;
      }
#endif
      add_function(f, u, sums);
    }
    put_sums(p, cell, sums, value, gradient, laplacian, has, 1, 0);
  }
}

// A vector of positions and one coefficient: power l of a set and of both spins, the other of which gets 0.
KERNEL void jastrow_chi_derivatives(__global const double* rele, __global const double* rnew, __global const double* cell,
                                    __global const double* ions, __global const int* set_of_ion,
                                    __global const double* cutoff, __global double* dvalue, __global double* dgradient,
                                    __global double* dlaplacian, int has, int nset, int nion, int one, int npos, int nup,
                                    int positions, int rows) {
  const int vectors = VECTORS(positions);
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const long share = (long)row * LOCAL + ITEM;
    if (share >= (long)vectors * NALPHA * nset) continue;
    const int vector = (int)(share % vectors), l = (int)(share / vectors % NALPHA), of_set = (int)(share / vectors / NALPHA);
    const places p = places_of(vector, rele, rnew, cell, one, npos, nup, positions);
    vd sums[5] = {0, 0, 0, 0, 0};
    for (int ion = 0; ion < nion; ++ion) {
      if (set_of_ion[ion] != of_set) continue;
      const double L = cutoff[of_set];
      const from_ion f = from_ion_at(p, ions, nion, ion, cell, L);
      if (!ANY(f.inside)) continue;
      const vd x = f.r - L, f2 = CUT == 3 ? x : (vd)1, f1 = f2 * x, f0 = f1 * x;
      vd q = 1, q1 = 0, q2 = 0;  // r^l, r^(l-1), r^(l-2), or 0 where the derivatives are
      for (int k = 0; k < l; ++k) {
        q2 = q1;
        q1 = q;
        q *= f.r;
      }
      radial u;
      u.value = f0 * q;
      u.first = CUT * f1 * q + f0 * (l * q1);
      u.second = CUT * (CUT - 1) * f2 * q + 2 * CUT * f1 * (l * q1) + f0 * (l * (l - 1) * q2);
      add_function(f, u, sums);
    }
    for (int spin = 0; spin < NSPIN; ++spin) {
      vd mine[5];
      for (int k = 0; k < 5; ++k) mine[k] = NSPIN == 1 ? sums[k] : spin ? (p.down ? sums[k] : (vd)0) : (p.down ? (vd)0 : sums[k]);
      put_sums(p, cell, mine, dvalue, dgradient, dlaplacian, has, (size_t)NALPHA * NSPIN * nset,
               NALPHA * ((size_t)spin + NSPIN * of_set) + l);
    }
  }
}
