// SPDX-License-Identifier: BSD-3-Clause
// Between psi(Norb,Nz,Ny,Nx) and the blocks of lfd.propagate, which hold chi = e^{i(A+k).r} psi.
// BLOCH: there are A or k.

static void load_interleaved(const __global real* p, int rest, vr* re, vr* im) {
#if VW == 1
  *re = p[0];
  *im = p[1];
#else
  real r[VW], i[VW];
  if (rest >= VW) {
    const vr a = LOAD(p), b = LOAD(p + VW);
    *re = (vr)(a.even, b.even);
    *im = (vr)(a.odd, b.odd);
    return;
  }
  for (int l = 0; l < VW; ++l) {
    r[l] = l < rest ? p[2 * l] : 0;
    i[l] = l < rest ? p[2 * l + 1] : 0;
  }
  *re = LOAD(r);
  *im = LOAD(i);
#endif
}

static void store_interleaved(__global real* p, int rest, vr re, vr im) {
#if VW > 1
  if (rest >= VW) {
    vr a, b;
    a.even = re.lo;
    a.odd = im.lo;
    b.even = re.hi;
    b.odd = im.hi;
    STORE(a, p);
    STORE(b, p + VW);
    return;
  }
#endif
  real r[VW], i[VW];
  STORE(re, r);
  STORE(im, i);
  for (int l = 0; l < VW && l < rest; ++l) {
    p[2 * l] = r[l];
    p[2 * l + 1] = i[l];
  }
}

__kernel void pack(const __global real* psi, __global real* blocks, const __global double* waves, int nx, int ny, int nz,
                   int norb, double hx, double hy, double hz) {
  const int points = nx * ny * nz, last = SHARE_END(1, points);
  for (int q = SHARE_BEGIN(1, points); q < last; ++q) {
    const int i = q / (ny * nz), j = q / nz % ny, k = q % nz;
    for (int b = (int)get_global_id(0); b < VECTORS(norb); b += (int)get_global_size(0)) {
      vr re, im;
      load_interleaved(psi + 2 * ((size_t)q * norb + b * VW), norb - b * VW, &re, &im);
#if BLOCH
      vr c, s;
      bloch_phase(waves, b, norb, (i - nx / 2) * hx, (j - ny / 2) * hy, (k - nz / 2) * hz, &c, &s);
      turn(&re, &im, c, s);
#endif
      store_row(blocks + row_at(i, j, k, b, nx, ny, nz, norb), VW, re, im);
    }
  }
}

// u: the phase that the orbitals still wait for.
__kernel void unpack(__global real* psi, const __global real* blocks, const __global double* waves,
                     const __global real* u, int nx, int ny, int nz, int norb, double hx, double hy, double hz) {
  const int points = nx * ny * nz, last = SHARE_END(1, points);
  for (int q = SHARE_BEGIN(1, points); q < last; ++q) {
    const int i = q / (ny * nz), j = q / nz % ny, k = q % nz;
    for (int b = (int)get_global_id(0); b < VECTORS(norb); b += (int)get_global_size(0)) {
      vr re, im;
      load_row(blocks + row_at(i, j, k, b, nx, ny, nz, norb), VW, &re, &im);
      turn(&re, &im, u[2 * q], u[2 * q + 1]);
#if BLOCH
      vr c, s;
      bloch_phase(waves, b, norb, (i - nx / 2) * hx, (j - ny / 2) * hy, (k - nz / 2) * hz, &c, &s);
      turn(&re, &im, c, -s);
#endif
      __global real* to = psi + 2 * ((size_t)q * norb + b * VW);
      store_interleaved(to, norb - b * VW, re, im);
    }
  }
}
