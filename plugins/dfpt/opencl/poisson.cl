// SPDX-License-Identifier: BSD-3-Clause
// dfpt.poisson: vectors of components (l,m) of one atom and direction, which differ in the powers of r only;
// those, and everything else that depends on the species alone, the host writes down once (poisson.cpp).
//   at_nucleus  3 weights of the parabola; grid_place: shell and fraction at each point of the logarithmic grid,
//               -1 behind the last shell; knot_place: first of six points, -1 below the grid, -2 behind the last
//               shell; knot_weight: six weights
//   steps       of ln r; pivot: of the splines' elimination; of_l: 1/(l+3), then 4 pi/(2l+1), padded n_lm of each
//   powers      [point][inner, outer, below, above][padded n_lm]: r^(l+3), r^(2-l), 4 pi/(2l+1) r^-(l+1) and r^l
//   knot_power  [knot][padded n_lm]: (r/r_1)^l below the grid, r^-(l+1) behind the last shell

// Second derivatives M of values x at n knots, both [knot][VW], not-a-knot (../spline.hpp).
static void second_derivatives(__global const double* x, int n, __global const double* pivot, __global double* M) {
  if (n < 3) {
    for (int k = 0; k < n; ++k) STORE((vd)0, M + k * VW);
    return;
  }
  for (int k = 1; k < n - 1; ++k)
    STORE(LOAD(x + (k - 1) * VW) - 2 * LOAD(x + k * VW) + LOAD(x + (k + 1) * VW), M + k * VW);
  for (int k = 2; k < n - 2; ++k) {
    vd right = 6 * LOAD(M + k * VW);
    right -= k == 2 ? LOAD(M + VW) : LOAD(M + (k - 1) * VW) / pivot[k - 1];
    if (k == n - 3) right -= LOAD(M + (n - 2) * VW);
    STORE(right, M + k * VW);
  }
  for (int k = n - 3; k >= 2; --k)
    STORE((LOAD(M + k * VW) - (k == n - 3 ? (vd)0 : LOAD(M + (k + 1) * VW))) / pivot[k], M + k * VW);
  const vd second = LOAD(M + VW), last = LOAD(M + (n - 2) * VW);
  STORE(n == 3 ? second : 2 * second - LOAD(M + 2 * VW), M);
  STORE(n == 3 ? second : 2 * last - LOAD(M + (n - 3) * VW), M + (n - 1) * VW);
}

// The four coefficients of an interval.
typedef struct {
  vd a, b, c, e;
} cubic;
static cubic cubic_of(__global const double* x, __global const double* M, int k) {
  const vd here = LOAD(M + k * VW), next = LOAD(M + (k + 1) * VW);
  cubic s;
  s.a = LOAD(x + k * VW);
  s.b = LOAD(x + (k + 1) * VW) - s.a - (2 * here + next) / 6;
  s.c = here / 2;
  s.e = (next - here) / 6;
  return s;
}

// Step 1: from n shells, n_lm apart, by way of their spline (x, M) to f on the logarithmic grid. has_s: the first
// lane is l = 0, which alone has a value at the nucleus.
static void shells_to_grid(__global const double* shells, int n_lm, int rest, int has_s, int n,
                           __global const double* at_nucleus, __global const int* place,
                           __global const double* fraction, int n_grid, __global const double* pivot,
                           __global double* x, __global double* M, __global double* f) {
  vd sum = 0;
  for (int i = 0; i < 3; ++i) sum += at_nucleus[i] * load_first(shells + (size_t)n_lm * i, rest);
  const vl is_s = lane_numbers() == (vl)(has_s ? 0 : -1);
  STORE(is_s ? sum : (vd)0, x);
  for (int i = 0; i < n; ++i) STORE(load_first(shells + (size_t)n_lm * i, rest), x + (i + 1) * VW);
  STORE((vd)0, x + (n + 1) * VW);
  second_derivatives(x, n + 2, pivot, M);
  for (int i = 0; i < n_grid; ++i) {
    vd value = 0;
    if (place[i] >= 0) {
      const cubic c = cubic_of(x, M, place[i]);
      const double d = fraction[i];
      value = c.a + d * (c.b + d * (c.c + d * c.e));
    }
    STORE(value, f + i * VW);
  }
}

// int g dx from point i to i + 1; g [point][VW].
static vd interval(__global const double* g, int i, int n, double step) {
  if (i == 0) return step / 24 * (9 * LOAD(g) + 19 * LOAD(g + VW) - 5 * LOAD(g + 2 * VW) + LOAD(g + 3 * VW));
  __global const double* at = g + (i - 1) * VW;
  if (i == n - 2)
    return step / 24 * (LOAD(at - VW) - 5 * LOAD(at) + 19 * LOAD(at + VW) + 9 * LOAD(at + 2 * VW));
  return step / 24 * (13 * (LOAD(at + VW) + LOAD(at + 2 * VW)) - LOAD(at) - LOAD(at + 3 * VW));
}

// Step 3: `rest` components that exist.
static void put_table(__global const double* g, vd moment, __global const int* knot_place,
                      __global const double* knot_weight, __global const double* knot_power, int n_knots, int padded,
                      int n_lm, int rest, __global const double* pivot, __global double* x, __global double* M,
                      __global double* table) {
  for (int k = 0; k < n_knots; ++k) {
    const int place = knot_place[k];
    const vd power = LOAD(knot_power + (size_t)k * padded);
    vd sum = 0;
    if (place == -2)
      sum = moment * power;
    else if (place == -1)
      sum = LOAD(g) * power;
    else
      for (int j = 0; j < 6; ++j) sum += knot_weight[6 * k + j] * LOAD(g + (place + j) * VW);
    STORE(sum, x + k * VW);
  }
  second_derivatives(x, n_knots, pivot, M);
  for (int k = 0; k < n_knots; ++k, table += 4 * n_lm) {
    cubic s = {LOAD(x + k * VW), 0, 0, 0};
    if (k < n_knots - 1) s = cubic_of(x, M, k);
    store_first(s.a, table, rest);
    store_first(s.b, table + n_lm, rest);
    store_first(s.c, table + 2 * n_lm, rest);
    store_first(s.e, table + 3 * n_lm, rest);
  }
}

KERNEL void components(__global const int* species, __global const int* radial_points, __global const double* steps,
                       __global const double* at_nucleus, __global const int* grid_place,
                       __global const double* grid_fraction, __global const int* knot_place,
                       __global const double* knot_weight, __global const double* powers,
                       __global const double* knot_power, __global const double* of_l, __global const double* pivot,
                       __global const double* multipole, __global double* potential, __global double* moments,
                       __global double* density, int has_density, __global double* workspace, ulong workspace_size, int n_radial,
                       int n_grid, int n_knots, int n_atoms, int n_dir, int n_lm) {
  const int vectors = VECTORS(n_lm), padded = vectors * VW, count = vectors * n_atoms * n_dir;
  const int longest = max(n_radial + 2, n_knots);
  __global double *x = workspace + workspace_size * (get_global_id(1) * LOCAL + ITEM), *M = x + longest * VW,
                  *f = M + longest * VW, *g = f + n_grid * VW, *v = g + n_grid * VW;
  for (int t = SHARE_BEGIN(1, count) + ITEM; t < SHARE_END(1, count); t += LOCAL) {
    const int first = t % vectors * VW, rest = n_lm - first, s = species[t / vectors % n_atoms] - 1;
    const size_t which = t / vectors;  // of atom and direction
    const double step = steps[s];
    // Step 1.
    __global const double* shells = multipole + (size_t)n_lm * n_radial * which + first;
    shells_to_grid(shells, n_lm, rest, first == 0, radial_points[s], at_nucleus + 3 * s,
                   grid_place + (size_t)n_grid * s, grid_fraction + (size_t)n_grid * s, n_grid, pivot, x, M, f);
    // Step 2.
    __global const double* power = powers + (size_t)4 * padded * n_grid * s + first;
    for (int i = 0; i < n_grid; ++i) STORE(LOAD(power + (size_t)4 * padded * i) * LOAD(f + i * VW), g + i * VW);
    vd sum = LOAD(g) * LOAD(of_l + first);
    for (int i = 0; i < n_grid; ++i) {
      if (i > 0) sum += interval(g, i - 1, n_grid, step);
      STORE(LOAD(power + (size_t)4 * padded * i + 2 * padded) * sum, v + i * VW);
    }
    const vd moment = LOAD(of_l + padded + first) * sum;
    store_first(moment, moments + (size_t)n_lm * which + first, rest);
    for (int i = 0; i < n_grid; ++i)
      STORE(LOAD(power + (size_t)4 * padded * i + padded) * LOAD(f + i * VW), g + i * VW);
    sum = 0;
    for (int i = n_grid - 2; i >= 0; --i) {
      sum += interval(g, i, n_grid, step);
      STORE(LOAD(v + i * VW) + LOAD(power + (size_t)4 * padded * i + 3 * padded) * sum, v + i * VW);
    }
    // Step 3.
    const size_t table = (size_t)4 * n_lm * n_knots * which + first, knot = (size_t)n_knots * s;
    put_table(v, moment, knot_place + knot, knot_weight + 6 * knot, knot_power + padded * knot + first, n_knots, padded,
              n_lm, rest, pivot, x, M, potential + table);
    if (has_density)
      put_table(f, 0, knot_place + knot, knot_weight + 6 * knot, knot_power + padded * knot + first, n_knots, padded,
                n_lm, rest, pivot, x, M, density + table);
  }
}
