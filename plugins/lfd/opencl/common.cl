// SPDX-License-Identifier: BSD-3-Clause
// What all kernels of this family share. Build options beside those of suite/opencl/vectors.hpp:
//   BLOCKS  0: psi(Norb,Nz,Ny,Nx), interleaved complex numbers; 1: blocks of VW orbitals, each a grid of points with a
//           vector of real and one of imaginary parts, rows and planes padded, because distances that are powers of two
//           compete for the same lines of a cache
// Work is spread by SHARE: dimension 0 strides over the orbitals, dimension 1 takes contiguous shares, so that a
// processor gets few large pieces and a GPU one number for each work-item.
#define REAL NUMBER
#if SINGLE
#define INTEGER int
#else
#define INTEGER long
#endif

// Rows of BLOCKS are aligned to their vectors; vstore would not know, and some processors' compilers store in pieces.
#define LOAD_ALIGNED(p) (*(const __global vr*)(p))
#define STORE_ALIGNED(v, p) (*(__global vr*)(p) = (v))

// The row of vector b of the orbitals at point (i,j,k): where it begins.
static size_t row_at(int i, int j, int k, int b, int nx, int ny, int nz, int norb) {
#if BLOCKS
  const size_t line = 2 * (size_t)nz + 3, plane = line * ny + 5, block = plane * nx + 7;
  return (b * block + i * plane + j * line + 2 * (size_t)k) * VW;
#else
  return 2 * ((((size_t)i * ny + j) * nz + k) * norb + (size_t)b * VW);
#endif
}

// How many orbitals of a row exist.
#if BLOCKS
#define REST(b, norb) VW
#else
#define REST(b, norb) ((norb) - (b) * VW)
#endif

static void load_row(const __global real* p, int rest, vr* re, vr* im) {
#if BLOCKS
  *re = LOAD_ALIGNED(p);
  *im = LOAD_ALIGNED(p + VW);
#elif VW == 1
  *re = p[0];
  *im = p[1];
#else
  if (rest >= VW) {
    const vr a = LOAD(p), b = LOAD(p + VW);
    *re = (vr)(a.even, b.even);
    *im = (vr)(a.odd, b.odd);
    return;
  }
  real r[VW], i[VW];
  for (int l = 0; l < VW; ++l) {
    r[l] = l < rest ? p[2 * l] : 0;
    i[l] = l < rest ? p[2 * l + 1] : 0;
  }
  *re = LOAD(r);
  *im = LOAD(i);
#endif
}

static void store_row(__global real* p, int rest, vr re, vr im) {
#if BLOCKS
  STORE_ALIGNED(re, p);
  STORE_ALIGNED(im, p + VW);
#elif VW == 1
  p[0] = re;
  p[1] = im;
#else
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
  real r[VW], i[VW];
  STORE(re, r);
  STORE(im, i);
  for (int l = 0; l < rest && l < VW; ++l) {
    p[2 * l] = r[l];
    p[2 * l + 1] = i[l];
  }
#endif
}

// (re,im) times c + i s.
static void turn(vr* re, vr* im, vr c, vr s) {
  const vr x = c * *re - s * *im;
  *im = c * *im + s * *re;
  *re = x;
}

// e^{i (A+k).r} of the orbitals of vector b; waves: A+k, [direction][orbital], as many as whole vectors have.
static void bloch_phase(const __global double* waves, int b, int norb, double x, double y, double z, vr* c, vr* s) {
  const int padded = VECTORS(norb) * VW;
  const __global double* w = waves + b * VW;
  const vd angle = LOAD(w) * x + LOAD(w + padded) * y + LOAD(w + 2 * padded) * z;
  vd cosine;
  const vd sine = sincos(angle, &cosine);
  *c = TO_REAL(cosine);
  *s = TO_REAL(sine);
}
