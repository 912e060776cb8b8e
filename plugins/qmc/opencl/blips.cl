// SPDX-License-Identifier: BSD-3-Clause
// Orbitals as tricubic blips, and copies of walkers.
//   REAL   of the coefficients: double or float

#if VW == 1
#define LOAD_COEFFICIENTS(p) ((double)*(p))
#else
#define LOAD_COEFFICIENTS(p) CAT(convert_double, VW)(CAT(vload, VW)(0, (p)))
#endif
static vd coefficients_at(__global const REAL* p, int rest) {
  if (rest >= VW) return LOAD_COEFFICIENTS(p);
  double x[VW];
  for (int l = 0; l < VW; ++l) x[l] = l < rest ? (double)p[l] : 0;
  return LOAD(x);
}

// The four blips of one direction that have a value at s: grid points, values and derivatives by s.
static void four_blips(double s, int n, int* at, double (*t)[4]) {
  const double x = s * n, low = floor(x), y = x - low, z = 1 - y;
  // As a number from 0 to n - 1; x may be large.
  int first = (int)(low - floor(low / n) * n) - 1;
  for (int i = 0; i < 4; ++i) {
    int point = first + i;
    point += point < 0 ? n : 0;
    at[i] = point >= n ? point - n : point;
  }
  t[0][0] = 0.25 * z * z * z;
  t[0][1] = 1 - y * y * (1.5 - 0.75 * y);
  t[0][2] = 1 - z * z * (1.5 - 0.75 * z);
  t[0][3] = 0.25 * y * y * y;
  t[1][0] = -0.75 * z * z * n;
  t[1][1] = (-3 * y + 2.25 * y * y) * n;
  t[1][2] = (3 * z - 2.25 * z * z) * n;
  t[1][3] = 0.75 * y * y * n;
  t[2][0] = 1.5 * z * n * n;
  t[2][1] = (-3 + 4.5 * y) * n * n;
  t[2][2] = (-3 + 4.5 * z) * n * n;
  t[2][3] = 1.5 * y * n * n;
}

KERNEL void orbitals_blip(__global const REAL* c, __global const double* r, __global const double* cell,
                          __global double* phi, __global double* dphi, __global double* d2phi, int has,
                          int norb, int nx, int ny, int nz, int rows) {
  __global const double* b = FRACTION(cell);
  double metric[6];  // xx, yy, zz, xy, xz, yz of b_i.b_j, twice where i /= j
  for (int k = 0; k < 6; ++k) {
    const int i = k < 3 ? k : k == 5, j = k < 3 ? k : k == 3 ? 1 : 2;
    metric[k] = (k < 3 ? 1 : 2) * (b[3 * i] * b[3 * j] + b[3 * i + 1] * b[3 * j + 1] + b[3 * i + 2] * b[3 * j + 2]);
  }
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const double position[3] = {r[3 * (size_t)row], r[3 * (size_t)row + 1], r[3 * (size_t)row + 2]};
    double s[3];
    apply(b, position, s);
    int px[4], py[4], pz[4];
    double x[3][4], y[3][4], z[3][4];
    four_blips(s[0], nx, px, x);
    four_blips(s[1], ny, py, y);
    four_blips(s[2], nz, pz, z);
    // Of each of the 16 lines along z: factors of its sums by z, z' and z''.
    double weight[16][6];
    for (int line = 0; line < 16; ++line) {
      const int i = line / 4, j = line % 4;
      weight[line][0] = x[0][i] * y[0][j];
      weight[line][1] = x[1][i] * y[0][j];
      weight[line][2] = x[0][i] * y[1][j];
      // Laplacian, by the metric of the fractions
      weight[line][3] = metric[0] * x[2][i] * y[0][j] + metric[1] * x[0][i] * y[2][j] + metric[3] * x[1][i] * y[1][j];
      weight[line][4] = metric[4] * x[1][i] * y[0][j] + metric[5] * x[0][i] * y[1][j];
      weight[line][5] = metric[2] * x[0][i] * y[0][j];
    }
    FOR_EACH(v, VECTORS(norb)) {
      const int rest = norb - v * VW;
      vd value = 0, first[3] = {0, 0, 0}, laplacian = 0;
      for (int line = 0; line < 16; ++line) {
        __global const REAL* at = c + (((size_t)px[line / 4] * ny + py[line % 4]) * nz) * norb + v * VW;
        const vd q0 = coefficients_at(at + (size_t)pz[0] * norb, rest),
                 q1 = coefficients_at(at + (size_t)pz[1] * norb, rest),
                 q2 = coefficients_at(at + (size_t)pz[2] * norb, rest),
                 q3 = coefficients_at(at + (size_t)pz[3] * norb, rest);
        const vd sum = z[0][0] * q0 + z[0][1] * q1 + z[0][2] * q2 + z[0][3] * q3;
        value += weight[line][0] * sum;
        if (!(has & 6)) continue;
        const vd sum1 = z[1][0] * q0 + z[1][1] * q1 + z[1][2] * q2 + z[1][3] * q3,
                 sum2 = z[2][0] * q0 + z[2][1] * q1 + z[2][2] * q2 + z[2][3] * q3;
        first[0] += weight[line][1] * sum;
        first[1] += weight[line][2] * sum;
        first[2] += weight[line][0] * sum1;
        laplacian += weight[line][3] * sum + weight[line][4] * sum1 + weight[line][5] * sum2;
      }
      store_first(value, phi + (size_t)row * norb + v * VW, rest);
      for (int d = 0; d < 3 && has & 2; ++d)
        store_first(first[0] * b[d] + first[1] * b[3 + d] + first[2] * b[6 + d],
                    dphi + ((size_t)row * 3 + d) * norb + v * VW, rest);
      if (has & 4) store_first(laplacian, d2phi + (size_t)row * norb + v * VW, rest);
    }
  }
}

// Slot w of data(size,nslot) gets what slot from(w), from 1, has.
KERNEL void copy_slots(__global const int* from, __global double* data, ulong size, int nwalker) {
  for (int w = SHARE_BEGIN(1, nwalker); w < SHARE_END(1, nwalker); ++w) {
    const int source = from[w] - 1;
    if (source == w) continue;
    for (ulong i = ITEM; i < size; i += LOCAL) data[(size_t)w * size + i] = data[(size_t)source * size + i];
  }
}
