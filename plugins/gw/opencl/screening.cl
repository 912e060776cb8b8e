// SPDX-License-Identifier: BSD-3-Clause
// gw.screening: an item for each G vector, then for each pair (G,G'). The formulas are those of ../pole.hpp; vectors would have to gather the density.

typedef struct {
  double re, im;
} pole;

static pole invalid_pole(int mode, pole root) {
  const pole none = {0, 0}, fixed = {2 * 13.60569253, 0}, limit = {1e12, 0};
  return mode == 1 ? root : mode == 2 ? fixed : mode == 3 ? limit : none;
}

static pole hybertsen_louie(pole omega, pole I, int mode) {
  const double tiny = 1e-12;
  const double overlap = omega.re * I.re + omega.im * I.im, norm_I = I.re * I.re + I.im * I.im,
               norm_omega = omega.re * omega.re + omega.im * omega.im;
  pole w = {0, 0};
  if (norm_I < tiny || norm_omega < tiny || norm_omega < tiny * norm_I || overlap * overlap < tiny * norm_omega * norm_I) return w;
  const double w2 = norm_omega / overlap;
  const pole root = {0, sqrt(fabs(w2))};
  if (w2 < 0) return invalid_pole(mode, root);
  w.re = root.im;
  return w;
}

static pole godby_needs(pole I, pole second, double w_i2, int mode) {
  const double tiny = 1e-12;
  const double d_re = I.re - second.re, d_im = I.im - second.im, norm = d_re * d_re + d_im * d_im;
  pole w = {0, 0};
  if (I.re * I.re + I.im * I.im < tiny && second.re * second.re + second.im * second.im < tiny) return w;
  w.re = 1e12;
  if (norm == 0) return w;
  const double re2 = w_i2 * (second.re * d_re + second.im * d_im) / norm, im2 = w_i2 * (second.im * d_re - second.re * d_im) / norm;
  w.re = sqrt(fabs(re2));
  if (re2 >= 0) return w;
  const double im = sqrt(0.5 * (sqrt(re2 * re2 + im2 * im2) - re2));
  const pole root = {0.5 * fabs(im2) / im, im2 < 0 ? -im : im};
  return invalid_pole(mode, root);
}

// The lattice's bdot as in ../metric.hpp.
static double determinant(const double* m) {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[3] * (m[1] * m[8] - m[2] * m[7]) + m[6] * (m[1] * m[5] - m[2] * m[4]);
}

static bool is_of_a_lattice(const double* m) {
  return fabs(m[1] - m[3]) <= 1e-9 * fabs(m[4]) && fabs(m[2] - m[6]) <= 1e-9 * fabs(m[8]) && fabs(m[5] - m[7]) <= 1e-9 * fabs(m[8]) &&
         determinant(m) > 0 && m[0] > 0 && m[0] * m[4] - m[1] * m[3] > 0;
}

KERNEL void set_rows(__global const int* g, __global const double* vcoul, __global const double* q, __global const double* bdot,
                     __global double* rows, __global int* wrong, int ncouls, double factor, double plasma2_volume, double w_imaginary2) {
  double m[9];
  for (int i = 0; i < 9; ++i) m[i] = bdot[i];
  for (int ig = SHARE_BEGIN(1, ncouls) + ITEM; ig < SHARE_END(1, ncouls); ig += LOCAL) {
    __global double* const row = rows + 6 * (size_t)ig;
    double x[3];
    for (int i = 0; i < 3; ++i) row[3 + i] = x[i] = q[i] + g[3 * ig + i];
    for (int i = 0; i < 3; ++i) row[i] = factor * vcoul[ig] * (m[i] * x[0] + m[i + 3] * x[1] + m[i + 6] * x[2]);
    if (ig > 0) continue;
    *wrong = is_of_a_lattice(m) ? 0 : 1;
    const double pi = 3.14159265358979323846;
    rows[6 * (size_t)ncouls] = plasma2_volume / (8 * pi * pi * pi / sqrt(determinant(m)));
    rows[6 * (size_t)ncouls + 1] = w_imaginary2;
  }
}

KERNEL void pair_poles(__global const double* rows, __global const int* wrong, __global const int* g, __global const double* rho, __global const int* columns,
                       __global const double* epsinv, __global const double* epsinv_imaginary, __global double* I_eps,
                       __global double* wtilde, int ncouls, int pairs, int reach_x, int reach_y, int reach_z, int model,
                       int mode, int parts) {
  if (*wrong) return;
  const double plasma2 = rows[6 * (size_t)ncouls], w_i2 = rows[6 * (size_t)ncouls + 1];
  for (int at = SHARE_BEGIN(1, pairs) + ITEM; at < SHARE_END(1, pairs); at += LOCAL) {
    const int ig = at % ncouls, column = columns[at / ncouls];
    const double delta = ig == column ? 1 : 0;
    pole I = {0, 0}, w = {0, 0};
    if (column >= 0) {
      I.re = delta - epsinv[(size_t)at * parts];
      if (parts == 2) I.im = -epsinv[(size_t)at * 2 + 1];
      const bool small = I.re * I.re + I.im * I.im < 1e-12;
      bool none = false;
      if (model == 0) {
        const int x = g[3 * ig] - g[3 * column], y = g[3 * ig + 1] - g[3 * column + 1], z = g[3 * ig + 2] - g[3 * column + 2];
        pole omega = {0, 0};
        __global const double *const row = rows + 6 * (size_t)ig, *const other = rows + 6 * (size_t)column;
        if (row[3] == 0 && row[4] == 0 && row[5] == 0) {
          omega.re = delta * plasma2;
        } else if (abs(x) <= reach_x && abs(y) <= reach_y && abs(z) <= reach_z) {
          const double factor = row[0] * other[3] + row[1] * other[4] + row[2] * other[5];
          const size_t place = (((size_t)(x + reach_x) * (2 * reach_y + 1) + (y + reach_y)) * (2 * reach_z + 1) + (z + reach_z)) * parts;
          omega.re = factor * rho[place];
          if (parts == 2) omega.im = factor * rho[place + 1];
        }
        w = hybertsen_louie(omega, I, mode);
        none = small;
      } else if (model == 1) {
        pole second = {delta - epsinv_imaginary[(size_t)at * parts], 0};
        if (parts == 2) second.im = -epsinv_imaginary[(size_t)at * 2 + 1];
        w = godby_needs(I, second, w_i2, mode);
        none = small && second.re * second.re + second.im * second.im < 1e-12;
      } else {
        w.re = 1e12;
      }
      if (none) I.re = I.im = 0;
    }
    I_eps[(size_t)at * parts] = I.re;
    if (parts == 2) I_eps[(size_t)at * 2 + 1] = I.im;
    wtilde[2 * (size_t)at] = w.re;
    wtilde[2 * (size_t)at + 1] = w.im;
  }
}
