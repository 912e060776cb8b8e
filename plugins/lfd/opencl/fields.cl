// SPDX-License-Identifier: BSD-3-Clause
// Fields on the grid: phases, exchange and correlation, potential, steps of the field's wave equation, transforms.
// Vectors of VW points. FUNCTIONAL: 0 none, 1 Perdew and Wang 1992, 2 Perdew and Zunger 1981 (../functional.hpp).
#ifndef FUNCTIONAL
#define FUNCTIONAL 0
#endif
#if VW == 1
#define SELECT(mask, yes, no) ((mask) ? (yes) : (no))
#else
#define SELECT(mask, yes, no) select((vr)(no), (vr)(yes), (mask))
#endif

// Energy per electron and potential at density n; densities below 1e-20 count as 0.
static vr exchange_correlation(vr n, vr* vxc) {
#if FUNCTIONAL == 0
  *vxc = 0;
  return 0;
#else
  const vr c = cbrt(SELECT(n >= (real)1e-20, n, (real)1e-20));
  const vr ex = (real)-0.73855876638202240588 * c, rs = (real)0.62035049089940001667 / c, x = sqrt(rs);
#if FUNCTIONAL == 1
  const real A2 = (real)(2 * 0.0310907), a1 = (real)0.21370;
  const real b1 = (real)7.5957, b2 = (real)3.5876, b3 = (real)1.6382, b4 = (real)0.49294;
  const vr Q = A2 * x * (b1 + x * (b2 + x * (b3 + x * b4)));
  const vr rs_dQ = A2 * x * (b1 / 2 + x * (b2 + x * (b3 * (real)1.5 + x * (2 * b4))));
  const vr inverse = 1 / Q, L = log1p(inverse), front = A2 * (1 + a1 * rs), ec = -front * L;
  const vr vc = ec - (front * (rs_dQ * inverse) / (Q + 1) - A2 * a1 * rs * L) / 3;
#else
  const real g = (real)-0.1423, b1 = (real)1.0529, b2 = (real)0.3334;
  const real A = (real)0.0311, B = (real)-0.048, C = (real)0.0020, D = (real)-0.0116;
  const vr d = 1 / (1 + b1 * x + b2 * rs), low = g * d, L = log(rs);
  const vr low_v = low * (1 + (real)(7.0 / 6) * b1 * x + (real)(4.0 / 3) * b2 * rs) * d;
  const vr high = A * L + B + C * rs * L + D * rs;
  const vr high_v = A * L + (B - A / 3) + (real)(2.0 / 3) * C * rs * L + (2 * D - C) / 3 * rs;
  const vr ec = SELECT(rs < 1, high, low), vc = SELECT(rs < 1, high_v, low_v);
#endif
  *vxc = SELECT(n >= (real)1e-20, (real)(4.0 / 3) * ex + vc, (real)0);
  return SELECT(n >= (real)1e-20, ex + ec, (real)0);
#endif
}

__kernel void compute_vxc(const __global real* rho, __global real* vxc, __global real* exc, int points, int wants_exc) {
  const int vectors = VECTORS(points), last = SHARE_END(0, vectors);
  for (int q = SHARE_BEGIN(0, vectors); q < last; ++q) {
    const int at = q * VW, rest = points - at;
    vr v;
    const vr e = exchange_correlation(load_first(rho + at, rest), &v);
    store_first(v, vxc + at, rest);
    if (wants_exc) store_first(e, exc + at, rest);
  }
}

// v = vloc + vH + vxc + E.r
__kernel void compute_v(const __global real* vloc, const __global real* vH, const __global real* vxc, __global real* v,
                        int nx, int ny, int nz, int has_vxc, double ex, double ey, double ez) {
  const int points = nx * ny * nz, last = SHARE_END(0, points);
  for (int q = SHARE_BEGIN(0, points); q < last; ++q)
    v[q] = (real)((double)vloc[q] + vH[q] + (has_vxc ? vxc[q] : 0) + ex * (q / (ny * nz) - nx / 2) +
                  ey * (q / nz % ny - ny / 2) + ez * (q % nz - nz / 2));
}

// v = vloc + vH + vxc(rho), what follows from the density.
__kernel void potential(const __global real* vloc, const __global real* vH, const __global real* rho, __global real* v,
                        int points) {
  const int vectors = VECTORS(points), last = SHARE_END(0, vectors);
  for (int q = SHARE_BEGIN(0, vectors); q < last; ++q) {
    const int at = q * VW, rest = points - at;
    vr vxc;
    exchange_correlation(load_first(rho + at, rest), &vxc);
    store_first(load_first(vloc + at, rest) + load_first(vH + at, rest) + vxc, v + at, rest);
  }
}

// u = size e^{i (factor v + slope.r + constant)}, sx = slope_x hx and so on, the slot-th of several. The angle and its
// functions are made in double.
__kernel void phases(const __global real* v, __global real* u, int slot, int nx, int ny, int nz, double factor, double sx,
                     double sy, double sz, double constant_, double size) {
  const int points = nx * ny * nz, vectors = VECTORS(points), last = SHARE_END(0, vectors);
  u += 2 * (size_t)points * slot;
  for (int q = SHARE_BEGIN(0, vectors); q < last; ++q) {
    const int at = q * VW, rest = points - at;
    double offset[VW];
    for (int l = 0; l < VW; ++l) {
      const int p = at + l;
      offset[l] = constant_ + sx * (p / (ny * nz) - nx / 2) + sy * (p / nz % ny - ny / 2) + sz * (p % nz - nz / 2);
    }
    vd c;
    const vd s = sincos(factor * TO_DOUBLE(load_first(v + at, rest)) + LOAD(offset), &c);
    const vr re = TO_REAL(size * c), im = TO_REAL(size * s);
    real r[VW], i[VW];
    STORE(re, r);
    STORE(im, i);
    for (int l = 0; l < VW && l < rest; ++l) {
      u[2 * (at + l)] = r[l];
      u[2 * (at + l) + 1] = i[l];
    }
  }
}

// rho of the blocks' shares, in their order (count 0: rho is there), and by plane: sums of x, y, z times rho, and of
// rho.
__kernel void collect(const __global real* shares, __global real* rho, __global double* moments, int nx, int ny, int nz,
                      int count, int slot, double hx, double hy, double hz) {
  moments += 4 * (size_t)nx * slot;
  const int last = SHARE_END(0, nx), points = nx * ny * nz;
  for (int i = SHARE_BEGIN(0, nx); i < last; ++i) {
    vd n = 0, y = 0, z = 0;
    vd lane;
#if VW == 1
    lane = 0;
#else
    double lanes[VW];
    for (int l = 0; l < VW; ++l) lanes[l] = l;
    lane = LOAD(lanes);
#endif
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; k += VW) {
        const int at = (i * ny + j) * nz + k, rest = nz - k;
        vr sum;
        if (count > 0) {
          sum = load_first(shares + at, rest);
          vd all = TO_DOUBLE(sum);
          for (int b = 1; b < count; ++b) all += TO_DOUBLE(load_first(shares + (size_t)b * points + at, rest));
          sum = TO_REAL(all);
          store_first(sum, rho + at, rest);
        } else {
          sum = load_first(rho + at, rest);
        }
        const vd r = TO_DOUBLE(sum);
        n += r;
        y += (j - ny / 2) * hy * r;
        z += (lane + (double)(k - nz / 2)) * hz * r;
      }
    moments[4 * i] = (i - nx / 2) * hx * sum_of(n);
    moments[4 * i + 1] = sum_of(y);
    moments[4 * i + 2] = sum_of(z);
    moments[4 * i + 3] = sum_of(n);
  }
}

// By plane, three numbers: sums of vloc rho, vH rho and exc rho.
__kernel void field_energies(const __global real* vloc, const __global real* vH, const __global real* rho,
                             __global double* partial, int nx, int plane) {
  const int last = SHARE_END(0, nx);
  for (int i = SHARE_BEGIN(0, nx); i < last; ++i) {
    vd ion = 0, hartree = 0, xc = 0;
    for (int p = 0; p < plane; p += VW) {
      const int at = i * plane + p, rest = plane - p;
      const vr n = load_first(rho + at, rest);
      vr vxc;
      const vr exc = exchange_correlation(n, &vxc);
      const vd r = TO_DOUBLE(n);
      ion += TO_DOUBLE(load_first(vloc + at, rest)) * r;
      hartree += TO_DOUBLE(load_first(vH + at, rest)) * r;
      xc += TO_DOUBLE(exc) * r;
    }
    partial[3 * i] = sum_of(ion);
    partial[3 * i + 1] = sum_of(hartree);
    partial[3 * i + 2] = sum_of(xc);
  }
}

// energy: sum f ekin, int vloc rho, sum f enl, 1/2 int vH rho, int exc rho. By one work-item.
__kernel void add_energies(const __global double* partial, const __global double* f, const __global double* ekin,
                           const __global double* enl, __global double* energy, int nx, int norb, double dr) {
  double sums[5] = {0, 0, 0, 0, 0};
  for (int n = 0; n < norb; ++n) {
    sums[0] += f[n] * ekin[n];
    sums[2] += f[n] * enl[n];
  }
  for (int i = 0; i < nx; ++i) {
    sums[1] += dr * partial[3 * i];
    sums[3] += 0.5 * dr * partial[3 * i + 1];
    sums[4] += dr * partial[3 * i + 2];
  }
  for (int e = 0; e < 5; ++e) energy[e] = sums[e];
}

__kernel void fill(__global real* to, int from, int count, double value) {
  const int last = SHARE_END(0, count);
  for (int q = SHARE_BEGIN(0, count); q < last; ++q) to[from + q] = (real)value;
}

// source = rho less its mean, in two passes of which the second takes what rounding left. By one work-group.
__kernel void source_of(const __global real* rho, __global real* source, int points) {
  __local double sums[LOCAL];
  const int lid = (int)get_local_id(0), size = (int)get_local_size(0);
  for (int pass = 0; pass < 2; ++pass) {
    double mine = 0;
    for (int q = lid; q < points; q += size) mine += pass == 0 ? rho[q] : source[q];
    sums[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    double mean = 0;
    for (int l = 0; l < size; ++l) mean += sums[l];
    mean /= points;
    for (int q = lid; q < points; q += size) source[q] = (real)((pass == 0 ? rho[q] : source[q]) - mean);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// A step of the field in one loop, from v to v_next; c: kappa/h^2 of each direction. Second differences one by one, whose
// sum over the grid vanishes but for rounding: one factor of v would make its mean drift. w and v_next of the points
// [begin,end).
static void fused_points(const __global real* v, __global real* w, __global real* v_next, const __global real* source,
                         int nx, int ny, int nz, real cx, real cy, real cz, real cr, real gamma_, int line) {
  const int i = line / ny, j = line % ny, at = line * nz;
  const __global real* here = v + at;
  const __global real* xp = v + ((i + 1 < nx ? i + 1 : 0) * ny + j) * nz;
  const __global real* xm = v + ((i > 0 ? i - 1 : nx - 1) * ny + j) * nz;
  const __global real* yp = v + (i * ny + (j + 1 < ny ? j + 1 : 0)) * nz;
  const __global real* ym = v + (i * ny + (j > 0 ? j - 1 : ny - 1)) * nz;
  for (int k = 0; k < nz;) {
    if (k > 0 && k + VW < nz) {  // neither this vector nor its neighbours touch the border
      const vr x = LOAD(here + k);
      const vr change = cx * (LOAD(xp + k) - 2 * x + LOAD(xm + k)) + cy * (LOAD(yp + k) - 2 * x + LOAD(ym + k)) +
                        cz * (LOAD(here + k + 1) - 2 * x + LOAD(here + k - 1)) + cr * LOAD(source + at + k);
      const vr old = LOAD(w + at + k), now = old + (change - gamma_ * old);
      STORE(now, w + at + k);
      STORE(x + now, v_next + at + k);
      k += VW;
    } else {
      const int kp = k + 1 < nz ? k + 1 : 0, km = k > 0 ? k - 1 : nz - 1;
      const real x = here[k];
      const real change = cx * (xp[k] - 2 * x + xm[k]) + cy * (yp[k] - 2 * x + ym[k]) +
                          cz * (here[kp] - 2 * x + here[km]) + cr * source[at + k];
      const real old = w[at + k], now = old + (change - gamma_ * old);
      w[at + k] = now;
      v_next[at + k] = x + now;
      ++k;
    }
  }
}

__kernel void fused_step(const __global real* v, __global real* w, __global real* v_next, const __global real* source,
                         int nx, int ny, int nz, double cx, double cy, double cz, double cr, double gamma_) {
  const int last = SHARE_END(0, nx * ny);
  for (int line = SHARE_BEGIN(0, nx * ny); line < last; ++line)
    fused_points(v, w, v_next, source, nx, ny, nz, cx, cy, cz, cr, gamma_, line);
}

// An even number of them by one work-item, which on a CPU costs less than starting as many kernels.
__kernel void fused_steps(__global real* v, __global real* w, __global real* other, const __global real* source, int nx,
                          int ny, int nz, double cx, double cy, double cz, double cr, double gamma_, int pairs) {
  for (int step = 0; step < pairs; ++step) {
    for (int line = 0; line < nx * ny; ++line)
      fused_points(v, w, other, source, nx, ny, nz, cx, cy, cz, cr, gamma_, line);
    for (int line = 0; line < nx * ny; ++line)
      fused_points(other, w, v, source, nx, ny, nz, cx, cy, cz, cr, gamma_, line);
  }
}

// The same step as the source document has it: the change of all points, then its addition.
__kernel void field_change(const __global real* v, const __global real* w, __global real* change,
                           const __global real* source, int nx, int ny, int nz, double kx, double ky, double kz,
                           double kr, double damping) {
  const real cx = (real)kx, cy = (real)ky, cz = (real)kz, cr = (real)kr, gamma_ = (real)damping;
  const int points = nx * ny * nz, last = SHARE_END(0, points);
  for (int q = SHARE_BEGIN(0, points); q < last; ++q) {
    const int i = q / (ny * nz), j = q / nz % ny, k = q % nz;
    const real x = v[q];
    change[q] = cx * (v[q + (i + 1 < nx ? 1 : 1 - nx) * ny * nz] - 2 * x + v[q + (i > 0 ? -1 : nx - 1) * ny * nz]) +
                cy * (v[q + (j + 1 < ny ? 1 : 1 - ny) * nz] - 2 * x + v[q + (j > 0 ? -1 : ny - 1) * nz]) +
                cz * (v[q + (k + 1 < nz ? 1 : 1 - nz)] - 2 * x + v[q + (k > 0 ? -1 : nz - 1)]) + cr * source[q] -
                gamma_ * w[q];
  }
}
__kernel void field_add(__global real* v, __global real* w, const __global real* change, int points) {
  const int last = SHARE_END(0, points);
  for (int q = SHARE_BEGIN(0, points); q < last; ++q) {
    const real now = w[q] + change[q];
    w[q] = now;
    v[q] += now;
  }
}

// C(m,n) = sum_i A(m,i) B(i,n), row-major, of `batches` pairs B and C (A for all): tiles of 8 rows and VW columns.
__kernel void product(const __global real* A, const __global real* B, __global real* C, int rows, int inner, int columns,
                      int batches) {
  const int row_tiles = (rows + 7) / 8, column_tiles = (columns + VW - 1) / VW;
  const int tiles = batches * row_tiles * column_tiles, last = SHARE_END(0, tiles);
  for (int tile = SHARE_BEGIN(0, tiles); tile < last; ++tile) {
    const int column = tile % column_tiles * VW, row = tile / column_tiles % row_tiles * 8;
    const int batch = tile / (column_tiles * row_tiles), rest = columns - column;
    const __global real* b = B + (size_t)batch * inner * columns + column;
    const __global real* a[8];
    for (int r = 0; r < 8; ++r) a[r] = A + (size_t)min(row + r, rows - 1) * inner;
    vr s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
    for (int i = 0; i < inner; ++i) {
      const vr x = load_first(b + (size_t)i * columns, rest);
      s0 += a[0][i] * x;
      s1 += a[1][i] * x;
      s2 += a[2][i] * x;
      s3 += a[3][i] * x;
      s4 += a[4][i] * x;
      s5 += a[5][i] * x;
      s6 += a[6][i] * x;
      s7 += a[7][i] * x;
    }
    const vr s[8] = {s0, s1, s2, s3, s4, s5, s6, s7};
    for (int r = 0; r < 8 && row + r < rows; ++r)
      store_first(s[r], C + ((size_t)batch * rows + row + r) * columns + column, rest);
  }
}

// values *= table
__kernel void scale_waves(__global real* values, const __global real* table, int count) {
  const int last = SHARE_END(0, count);
  for (int q = SHARE_BEGIN(0, count); q < last; ++q) values[q] *= table[q];
}

// K steps of each wave at once (../spectrum.hpp). table: dd, dw, wd, ww and 4 pi/lambda.
__kernel void field_power(const __global real* rho, __global real* v, __global real* w, const __global real* table,
                          int count) {
  const int last = SHARE_END(0, count);
  for (int q = SHARE_BEGIN(0, count); q < last; ++q) {
    const real rest = table[4 * (size_t)count + q] * rho[q], d = v[q] - rest, x = w[q];
    v[q] = rest + table[q] * d + table[count + q] * x;
    w[q] = table[2 * (size_t)count + q] * d + table[3 * (size_t)count + q] * x;
  }
}
