// SPDX-License-Identifier: BSD-3-Clause
// Positions in the frame of the cell, and the vectors to the closest images.

// matrix r(3,n,nwalker) into x, y, z of each walker, the numbers from `first` on beginning at `second`. What
// fills up the vectors is not a number, so that it is within no distance of anything.
KERNEL void into_frame(__global const double* r, __global const double* cell, int matrix, __global double* to,
                       int n, int first, int second, int size, int nwalker) {
  for (int w = SHARE_BEGIN(1, nwalker); w < SHARE_END(1, nwalker); ++w) {
    __global double* x = to + (size_t)w * 3 * size;
    FOR_EACH(p, size) {
      const int i = p < second ? p : p - second + first, there = p < second ? i < first : i < n;
      double y[3] = {NAN, NAN, NAN};
      if (there) {
        double at[3];
        for (int d = 0; d < 3; ++d) at[d] = r[3 * ((size_t)w * n + i) + d];
        apply(cell + matrix, at, y);
      }
      for (int d = 0; d < 3; ++d) x[d * size + p] = y[d];
    }
  }
}

// Vectors of the frame and their lengths, the four numbers of each lane together; the first `rest` lanes are there.
static void store_fours(__global const double* cell, vd x, vd y, vd z, __global double* p, int rest) {
  __global const double* back = BACK(cell);
  const vd rx = back[0] * x + back[1] * y + back[2] * z, ry = back[3] * x + back[4] * y + back[5] * z,
           rz = back[6] * x + back[7] * y + back[8] * z, r = sqrt(x * x + y * y + z * z) * UNIT(cell);
#if VW == 1
  vstore4((double4)(rx, ry, rz, r), 0, p);
#else
  vd xz[2], yr[2], quads[4];
  INTERLEAVE(rx, rz, xz[0], xz[1])
  INTERLEAVE(ry, r, yr[0], yr[1])
  INTERLEAVE(xz[0], yr[0], quads[0], quads[1])
  INTERLEAVE(xz[1], yr[1], quads[2], quads[3])
  for (int q = 0; q < 4; ++q) store_first(quads[q], p + q * VW, 4 * rest - q * VW);
#endif
}

// eevecs(4,nto,nfrom,nwalker); a row is one `from`.
KERNEL void closest_images(__global const double* from, __global const double* to, __global const double* cell,
                           __global double* eevecs, int nfrom, int nto, int padded_from, int padded_to,
                           int nwalker) {
  const int rows = nfrom * nwalker;
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const int w = row / nfrom, i = row % nfrom;
    __global const double* a = from + (size_t)w * 3 * padded_from + i;
    __global const double* b = to + (size_t)w * 3 * padded_to;
    __global double* out = eevecs + (size_t)row * 4 * nto;
    const double ax = a[0], ay = a[padded_from], az = a[2 * padded_from];
    FOR_EACH(j, VECTORS(nto)) {
      vd x = LOAD(b + j * VW) - ax, y = LOAD(b + padded_to + j * VW) - ay, z = LOAD(b + 2 * padded_to + j * VW) - az;
      closest_image(cell, &x, &y, &z);
      store_fours(cell, x, y, z, out + (size_t)4 * j * VW, nto - j * VW);
    }
  }
}

// eivecs(4,nion,positions); a row is one position. The ions lie in the frame.
KERNEL void ion_distances(__global const double* r, __global const double* ions, __global const double* cell,
                          __global double* eivecs, int nion, int padded_ions, int rows) {
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const double position[3] = {r[3 * (size_t)row], r[3 * (size_t)row + 1], r[3 * (size_t)row + 2]};
    double at[3];
    apply(FRAME(cell), position, at);
    FOR_EACH(j, VECTORS(nion)) {
      vd x = at[0] - LOAD(ions + j * VW), y = at[1] - LOAD(ions + padded_ions + j * VW),
         z = at[2] - LOAD(ions + 2 * padded_ions + j * VW);
      closest_image(cell, &x, &y, &z);
      store_fours(cell, x, y, z, eivecs + (size_t)4 * ((size_t)row * nion + j * VW), nion - j * VW);
    }
  }
}
