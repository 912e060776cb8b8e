// SPDX-License-Identifier: BSD-3-Clause
// The short-range part of the Ewald interaction, and the sums of both parts.

// erfc(x)/r of x = alpha r and exp(-x^2): (1 + 2x) exp(x^2) erfc(x) is a polynomial of 1/(x + 3) for x up to
// 7 to 4e-16, a Chebyshev interpolation of our own.
static vd screened(vd x, vd r, vd gaussian) {
  const vd product = (1 + 2 * x) * r, inverse = 1 / ((x + 3) * product);
  const vd u = 8.571428571428571 * (inverse * product) - 1.8571428571428572;
  vd p = -1.9807309169006573e-12;
  p = p * u + 5.123897468812039e-11;
  p = p * u - 7.720927242560464e-11;
  p = p * u - 7.310535646718298e-10;
  p = p * u + 2.412470084003483e-09;
  p = p * u + 5.87401408859314e-09;
  p = p * u - 4.23061756063128e-08;
  p = p * u - 2.5794132994632222e-08;
  p = p * u + 6.446711178079765e-07;
  p = p * u - 7.4003109120523e-08;
  p = p * u - 1.0182568349991888e-05;
  p = p * u - 9.52574166224877e-07;
  p = p * u + 0.00017800502678349826;
  p = p * u + 0.0003201778595546197;
  p = p * u - 0.002689806660965729;
  p = p * u - 0.018878961617252093;
  p = p * u - 0.061208984567423116;
  p = p * u - 0.11919360899863117;
  p = p * u - 0.12253274415606083;
  p = p * u + 0.03925303246489048;
  p = p * u + 1.284763515696441;
  return gaussian * p * (inverse * (x + 3));
}

// Adds q erfc(alpha |d-R|)/|d-R| over the images R within the cutoff, and minus its gradient, for the lanes
// that are there; x, y, z is a closest image.
static void add_near(vd x, vd y, vd z, vl there, vd q, __global const double* images, int image_count,
                     double alpha, double cutoff, vd* near) {
  for (int k = 0; k < image_count; ++k) {
    const vd dx = x - images[3 * k], dy = y - images[3 * k + 1], dz = z - images[3 * k + 2];
    const vd square = dx * dx + dy * dy + dz * dz;
    const vl inside = there && (square < (vd)(cutoff * cutoff));
    if (!ANY(inside)) continue;
    const vd safe = inside ? square : (vd)1, r = sqrt(safe);
    const vd gaussian = exp(-alpha * alpha * safe), v = screened(alpha * r, r, gaussian);
    const vd slope = inside ? q * (v + 1.1283791670955126 * alpha * gaussian) / safe : (vd)0;
    near[0] += inside ? q * v : (vd)0;
    near[1] += slope * (inside ? dx : (vd)0);
    near[2] += slope * (inside ? dy : (vd)0);
    near[3] += slope * (inside ? dz : (vd)0);
  }
}

// The same from a difference in fractions of the lattice vectors.
static void add_images(__global const double* cell, const vd* fractions, vl there, vd q,
                       __global const double* images, int image_count, double alpha, double cutoff, vd* near) {
  __global const double* m = DIRECT(cell);
  __global const double* into = FRAME(cell);
  __global const double* back = BACK(cell);
  vd r[3], f[3];
  for (int d = 0; d < 3; ++d) r[d] = fractions[0] * m[d] + fractions[1] * m[3 + d] + fractions[2] * m[6 + d];
  for (int d = 0; d < 3; ++d) f[d] = into[3 * d] * r[0] + into[3 * d + 1] * r[1] + into[3 * d + 2] * r[2];
  closest_image(cell, &f[0], &f[1], &f[2]);
  for (int d = 0; d < 3; ++d) r[d] = back[3 * d] * f[0] + back[3 * d + 1] * f[1] + back[3 * d + 2] * f[2];
  add_near(r[0], r[1], r[2], there, q, images, image_count, alpha, cutoff, near);
}

// short_range(4,npos,nwalker): potential of the others' charges at a position, and its field.
KERNEL void ewald_short_range(__global const double* rele, __global const double* rnew,
                              __global const double* frame, __global const double* charge,
                              __global const double* cell, __global const double* images, int image_count,
                              double alpha, double cutoff, __global double* short_range, int one, int npos,
                              int netot, int size, int rows) {
#if LOCAL > 1
  __local double shared[4 * LOCAL];
#else
  __local double* shared = 0;
#endif
  __global const double* back = BACK(cell);
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const int w = row / npos, i = one < 0 ? row % npos : one;
    __global const double* r = one < 0 ? rele + 3 * ((size_t)w * netot + i) : rnew + 3 * (size_t)row;
    const double position[3] = {r[0], r[1], r[2]};
    double at[3];
    apply(FRAME(cell), position, at);
    __global const double* p = frame + (size_t)w * 3 * size;
    vd near[4] = {0, 0, 0, 0};
    FOR_EACH(b, size / VW) {
      vd x = at[0] - LOAD(p + b * VW), y = at[1] - LOAD(p + size + b * VW), z = at[2] - LOAD(p + 2 * size + b * VW);
      closest_image(cell, &x, &y, &z);
      const vd rx = back[0] * x + back[1] * y + back[2] * z, ry = back[3] * x + back[4] * y + back[5] * z,
               rz = back[6] * x + back[7] * y + back[8] * z;
      add_near(rx, ry, rz, lane_numbers() != (vl)(i - b * VW), LOAD(charge + b * VW), images, image_count,
               alpha, cutoff, near);
    }
    double sums[4];
    for (int k = 0; k < 4; ++k) sums[k] = sum_of(near[k]);
    group_sums(sums, 4, shared);
    if (ITEM == 0)
      for (int k = 0; k < 4; ++k) short_range[4 * (size_t)row + k] = sums[k];
  }
}

// Both parts together; total_charge of all particles.
KERNEL void ewald_sum_up(__global const double* short_range, __global const double* potential,
                         __global const double* gradient, __global const double* charge, double total_charge,
                         double background, double xi, __global double* energy, __global double* field,
                         __global double* total, int has, int one, int npos, int nwalker) {
#if LOCAL > 1
  __local double shared[LOCAL];
#else
  __local double* shared = 0;
#endif
  for (int w = SHARE_BEGIN(1, nwalker); w < SHARE_END(1, nwalker); ++w) {
    double sum[1] = {0};
    FOR_EACH(p, npos) {
      const size_t row = (size_t)w * npos + p;
      const double q = charge[one < 0 ? p : one];
      const double e =
          q * (short_range[4 * row] + potential[row] - background * (total_charge - q)) + q * q * xi;
      if (has & 1) energy[row] = e;
      if (has & 2)
        for (int d = 0; d < 3; ++d) field[3 * row + d] = short_range[4 * row + 1 + d] - gradient[3 * row + d];
      sum[0] += 0.5 * e;
    }
    group_sums(sum, 1, shared);
    if (ITEM == 0 && has & 4) total[w] = sum[0];
  }
}

// Where nothing but the energy of the cell is wanted, the long-range part is 1/2 sum_G w (|S_G|^2 - sum q^2).
KERNEL void ewald_total(__global const double* short_range, __global const double* rho,
                        __global const double* weight, int count, __global const double* charge,
                        double total_charge, double sum_of_squares, double background, double xi,
                        __global double* total, int netot, int nwalker) {
#if LOCAL > 1
  __local double shared[2 * LOCAL];
#else
  __local double* shared = 0;
#endif
  for (int w = SHARE_BEGIN(1, nwalker); w < SHARE_END(1, nwalker); ++w) {
    double sums[2] = {0, 0};
    FOR_EACH(i, netot) sums[0] += charge[i] * short_range[4 * ((size_t)w * netot + i)];
    vd far = 0;
    FOR_EACH(g, VECTORS(count)) {
      vd re, im;
      load_complex(rho + 2 * ((size_t)w * count + g * VW), count - g * VW, &re, &im);
      far += LOAD(weight + g * VW) * (re * re + im * im - sum_of_squares);
    }
    sums[1] = sum_of(far);
    group_sums(sums, 2, shared);
    if (ITEM == 0)
      total[w] = 0.5 * (sums[0] + sums[1] - background * (total_charge * total_charge - sum_of_squares) +
                        xi * sum_of_squares);
  }
}
