// SPDX-License-Identifier: BSD-3-Clause
// What all kernels of this family share, behind suite/opencl/vectors.hpp and solid_harmonics (engine.cpp
// writes it from ../harmonics.hpp). Numbers in arrays of a caller are from 1, all others from 0.
// Rows of work are shared by groups along dimension 1; the items of a group share a row.
#define LARGEST_L 8
#define COMPONENTS ((LARGEST_L + 1) * (LARGEST_L + 1))

// Points first, first+1, .. or those of a list; what is beyond the last one is that one again.
static vl points_from(int first, int n) {
  const vl p = (vl)first + lane_numbers();
  return p < (vl)(n - 1) ? p : (vl)(n - 1);
}

// The way from a nucleus to points, and its square: the same bits wherever it is computed, because both
// fields ask it on which side of the border a point lies.
typedef struct {
  vd x, y, z, r2;
} displacement;
static displacement displacement_from(__global const double* nucleus, vd x, vd y, vd z) {
  displacement w;
  w.x = x - nucleus[0];
  w.y = y - nucleus[1];
  w.z = z - nucleus[2];
  w.r2 = fma(w.z, w.z, fma(w.y, w.y, w.x * w.x));
  return w;
}

// Radial grids (../grid.hpp): first knot, length, factor of each species. The knot's number, from 0 to
// n_knots - 1.
static vd knot_of(__global const double* grid, int by_shells, int n_knots, vd r) {
  const vd q = r / grid[1], x = grid[2] * (by_shells ? sqrt(-expm1(-q)) : log(q));
  return x > (vd)0 ? smaller(x, (vd)(n_knots - 1)) : (vd)0;
}

// Y_lm of the direction, all of l > 0 being 0 where r is `nucleus` or less.
INLINE void direction_harmonics(int l_max, displacement w, vd r, double nucleus, vd* Y) {
  const vl outside = r > (vd)nucleus;
  const vd inverse = outside ? 1 / r : (vd)0;
  solid_harmonics(l_max, w.x * inverse, w.y * inverse, w.z * inverse, outside ? (vd)1 : (vd)0, Y);
}
