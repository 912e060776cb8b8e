// SPDX-License-Identifier: BSD-3-Clause
// What is done to the orbitals point by point and bond by bond; in either order of psi (common.cl).

// psi(Norb,Nz,Ny,Nx) with one layer of ghosts: d's two faces.
__kernel void ghosts(__global real* psi, int nx, int ny, int nz, int norb, int d) {
  const int n[3] = {nx, ny, nz};
  const int e = d == 0 ? 1 : 0, f = d == 2 ? 1 : 2;
  const size_t stride[3] = {(size_t)(ny + 2) * (nz + 2) * norb, (size_t)(nz + 2) * norb, (size_t)norb};
  const int last = SHARE_END(1, n[e] * n[f]);
  for (int q = SHARE_BEGIN(1, n[e] * n[f]); q < last; ++q) {
    const size_t line = (q / n[f] + 1) * stride[e] + (q % n[f] + 1) * stride[f];
    for (int o = (int)get_global_id(0); o < norb; o += (int)get_global_size(0))
      for (int part = 0; part < 2; ++part) {
        __global real* p = psi + 2 * (line + o) + part;
        p[0] = p[2 * n[d] * stride[d]];
        p[2 * (n[d] + 1) * stride[d]] = p[2 * stride[d]];
      }
  }
}

// A+k of the orbitals, three rows of numbers, and scale_d times cos and sin of (A+k)_d length_d, six rows, the slot-th of
// several; f in both precisions. Rows are as long as whole vectors; what no orbital uses is 0. k is not looked at where there is none.
__kernel void tables(const __global double* k, const __global double* f, __global double* waves, __global real* bonds, int slot,
                     __global double* f_double, __global real* f_real, int norb, int has_k, int has_f, double ax,
                     double ay, double az, double lx, double ly, double lz, double sx, double sy, double sz) {
  const int padded = VECTORS(norb) * VW, last = SHARE_END(0, padded);
  bonds += 6 * (size_t)padded * slot;
  for (int n = SHARE_BEGIN(0, padded); n < last; ++n) {
    const int there = n < norb;
    const double occupation = there && has_f ? f[n] : 0;
    f_double[n] = occupation;
    f_real[n] = (real)occupation;
    for (int d = 0; d < 3; ++d) {
      const double w = there ? (d == 0 ? ax : d == 1 ? ay : az) + (has_k ? k[3 * n + d] : 0) : 0;
      const double length = d == 0 ? lx : d == 1 ? ly : lz, scale = d == 0 ? sx : d == 1 ? sy : sz;
      waves[d * padded + n] = w;
      bonds[2 * d * padded + n] = (real)(scale * cos(w * length));
      bonds[(2 * d + 1) * padded + n] = (real)(scale * sin(w * length));
    }
  }
}

// The phase of the bond between two neighbours along d, of which `border` says whether it crosses the border: every bond
// of psi has one, of chi = e^{i(A+k).r} psi, which BLOCKS hold, those across the border.
static void bond_phase(const __global real* bonds, int d, int border, int v, int norb, vr* c, vr* s) {
  if (BLOCKS ? border : 1) {
    const int padded = VECTORS(norb) * VW;
    *c = LOAD(bonds + 2 * d * padded + v * VW);
    *s = LOAD(bonds + (2 * d + 1) * padded + v * VW);
  } else {
    *c = 1;
    *s = 0;
  }
}

// One part of one direction: pairs of points 2 p + first and the next along d. bonds: e^{i(A+k)h} (tables).
// As psi + em (partner - psi), ep being 1 - em: rounded constants then keep the norm to the rounding of em alone.
__kernel void kin_prop(__global real* psi, const __global real* bonds, int nx, int ny, int nz, int norb, int d,
                       int first, double em_x, double em_y) {
  const real em_re = (real)em_x, em_im = (real)em_y;
  const int n = d == 0 ? nx : d == 1 ? ny : nz, inner = d == 0 ? ny * nz : d == 1 ? nz : 1;
  const int pairs = nx * ny * nz / 2, last = SHARE_END(1, pairs);
  for (int q = SHARE_BEGIN(1, pairs); q < last; ++q) {
    const int rest = q / inner, pair = 2 * (rest % (n / 2)) + first, border = pair + 1 == n;
    const int line = rest / (n / 2) * n;
    const int a = (line + pair) * inner + q % inner, b = (line + (border ? 0 : pair + 1)) * inner + q % inner;
    for (int v = (int)get_global_id(0); v < VECTORS(norb); v += (int)get_global_size(0)) {
      __global real* pa = psi + row_at(a / (ny * nz), a / nz % ny, a % nz, v, nx, ny, nz, norb);
      __global real* pb = psi + row_at(b / (ny * nz), b / nz % ny, b % nz, v, nx, ny, nz, norb);
      vr c, s, ar, ai, br, bi;
      bond_phase(bonds, d, border, v, norb, &c, &s);
      load_row(pa, REST(v, norb), &ar, &ai);
      load_row(pb, REST(v, norb), &br, &bi);
      const vr pr = c * br - s * bi - ar, pi = c * bi + s * br - ai;
      const vr mr = c * ar + s * ai - br, mi = c * ai - s * ar - bi;
      store_row(pa, REST(v, norb), ar + (em_re * pr - em_im * pi), ai + (em_re * pi + em_im * pr));
      store_row(pb, REST(v, norb), br + (em_re * mr - em_im * mi), bi + (em_re * mi + em_im * mr));
    }
  }
}

// The same out of place, point by point into a work array, the way the source document has it.
__kernel void kin_prop_through(const __global real* psi, __global real* wrk, const __global real* bonds, int nx, int ny,
                               int nz, int norb, int d, int first, double ep_x, double ep_y, double em_x, double em_y) {
  const real ep_re = (real)ep_x, ep_im = (real)ep_y, em_re = (real)em_x, em_im = (real)em_y;
  const int n = d == 0 ? nx : d == 1 ? ny : nz, inner = d == 0 ? ny * nz : d == 1 ? nz : 1;
  const int points = nx * ny * nz, last = SHARE_END(1, points);
  for (int q = SHARE_BEGIN(1, points); q < last; ++q) {
    const int at = q / inner % n, low = at % 2 == first;  // the lower point of its pair
    const int other = low ? (at + 1 < n ? at + 1 : 0) : (at > 0 ? at - 1 : n - 1), p = q + (other - at) * inner;
    const int border = low ? at + 1 == n : at == 0;
    for (int v = (int)get_global_id(0); v < VECTORS(norb); v += (int)get_global_size(0)) {
      const size_t row = row_at(q / (ny * nz), q / nz % ny, q % nz, v, nx, ny, nz, norb);
      vr x, y, ar, ai, br, bi;
      bond_phase(bonds, d, border, v, norb, &x, &y);
      if (!low) y = -y;
      const vr c = em_re * x - em_im * y, s = em_re * y + em_im * x;
      load_row(psi + row, REST(v, norb), &ar, &ai);
      load_row(psi + row_at(p / (ny * nz), p / nz % ny, p % nz, v, nx, ny, nz, norb), REST(v, norb), &br, &bi);
      store_row(wrk + row, REST(v, norb), ep_re * ar - ep_im * ai + c * br - s * bi,
                ep_re * ai + ep_im * ar + c * bi + s * br);
    }
  }
}

// psi *= u(Nz,Ny,Nx).
__kernel void pot_prop(__global real* psi, const __global real* u, int nx, int ny, int nz, int norb) {
  const int points = nx * ny * nz, last = SHARE_END(1, points);
  for (int q = SHARE_BEGIN(1, points); q < last; ++q) {
    const vr c = u[2 * q], s = u[2 * q + 1];
    for (int v = (int)get_global_id(0); v < VECTORS(norb); v += (int)get_global_size(0)) {
      __global real* p = psi + row_at(q / (ny * nz), q / nz % ny, q % nz, v, nx, ny, nz, norb);
      vr re, im;
      load_row(p, REST(v, norb), &re, &im);
      turn(&re, &im, c, s);
      store_row(p, REST(v, norb), re, im);
    }
  }
}

// rho = sum_n f_n |psi_n|^2; f with as many numbers as whole vectors have.
__kernel void density(const __global real* psi, const __global double* f, __global real* rho, int nx, int ny, int nz,
                      int norb) {
  const int points = nx * ny * nz, last = SHARE_END(1, points);
  for (int q = SHARE_BEGIN(1, points); q < last; ++q) {
    vd sum = 0;
    for (int v = 0; v < VECTORS(norb); ++v) {
      vr re, im;
      load_row(psi + row_at(q / (ny * nz), q / nz % ny, q % nz, v, nx, ny, nz, norb), REST(v, norb), &re, &im);
      const vd x = TO_DOUBLE(re), y = TO_DOUBLE(im);
      sum += LOAD(f + v * VW) * (x * x + y * y);
    }
    rho[q] = (real)sum_of(sum);
  }
}

// The neighbour of (i,j,k) along d, with the phase of the bond.
static void next_row(const __global real* psi, const __global real* bonds, int d, int i, int j, int k, int v, int nx,
                     int ny, int nz, int norb, vr* re, vr* im) {
  const int border = d == 0 ? i + 1 == nx : d == 1 ? j + 1 == ny : k + 1 == nz;
  if (d == 0) i = border ? 0 : i + 1;
  if (d == 1) j = border ? 0 : j + 1;
  if (d == 2) k = border ? 0 : k + 1;
  vr c, s;
  load_row(psi + row_at(i, j, k, v, nx, ny, nz, norb), REST(v, norb), re, im);
  bond_phase(bonds, d, border, v, norb, &c, &s);
  turn(re, im, c, s);
}

// By plane i and orbital: sum_d |e^{i(A+k)h} psi_{i+1} - psi_i|^2 times weight_d.
__kernel void kinetic_energies(const __global real* psi, const __global real* bonds, __global double* partial, int nx,
                               int ny, int nz, int norb, double wx, double wy, double wz) {
  const int padded = VECTORS(norb) * VW, last = SHARE_END(1, nx);
  for (int i = SHARE_BEGIN(1, nx); i < last; ++i)
    for (int v = (int)get_global_id(0); v < VECTORS(norb); v += (int)get_global_size(0)) {
      vd sum = 0;
      for (int j = 0; j < ny; ++j)
        for (int k = 0; k < nz; ++k) {
          vr re, im;
          load_row(psi + row_at(i, j, k, v, nx, ny, nz, norb), REST(v, norb), &re, &im);
          for (int d = 0; d < 3; ++d) {
            const double weight = d == 0 ? wx : d == 1 ? wy : wz;
            if (weight == 0) continue;
            vr r, m;
            next_row(psi, bonds, d, i, j, k, v, nx, ny, nz, norb, &r, &m);
            const vd x = TO_DOUBLE(r - re), y = TO_DOUBLE(m - im);
            sum += weight * (x * x + y * y);
          }
        }
      STORE(sum, partial + (size_t)i * padded + v * VW);
    }
}

// By plane i and vector v, three numbers: sum_n f_n Im(psi_i* e^{i(A+k)h} psi_{i+1}) times weight_d.
__kernel void currents(const __global real* psi, const __global real* bonds, const __global double* f,
                       __global double* partial, int nx, int ny, int nz, int norb, double wx, double wy, double wz) {
  const int last = SHARE_END(1, nx);
  for (int i = SHARE_BEGIN(1, nx); i < last; ++i)
    for (int v = (int)get_global_id(0); v < VECTORS(norb); v += (int)get_global_size(0))
      for (int d = 0; d < 3; ++d) {
        const double weight = d == 0 ? wx : d == 1 ? wy : wz;
        vd sum = 0;
        for (int j = 0; j < ny && weight != 0; ++j)
          for (int k = 0; k < nz; ++k) {
            vr re, im, r, m;
            load_row(psi + row_at(i, j, k, v, nx, ny, nz, norb), REST(v, norb), &re, &im);
            next_row(psi, bonds, d, i, j, k, v, nx, ny, nz, norb, &r, &m);
            sum += TO_DOUBLE(re) * TO_DOUBLE(m) - TO_DOUBLE(im) * TO_DOUBLE(r);
          }
        partial[3 * ((size_t)i * VECTORS(norb) + v) + d] = weight * sum_of(LOAD(f + v * VW) * sum);
      }
}

// out[s wanted + w] = sum_c partial[(s count + c) width + w] scale, in order.
__kernel void sum_partials(const __global double* partial, __global double* out, int count, int width, int wanted,
                           int from, double scale) {
  const int w = (int)get_global_id(0), s = (int)get_global_id(1);
  if (w >= wanted) return;
  double sum = 0;
  for (int c = 0; c < count; ++c) sum += partial[((size_t)s * count + c) * width + w];
  out[(size_t)(from + s) * wanted + w] = scale * sum;
}
