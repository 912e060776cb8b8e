// SPDX-License-Identifier: BSD-3-Clause
// dfpt.basis: vectors of points of a batch; the harmonics of an atom once for all of its functions that follow
// each other in the list. Batches are shared by groups.
//   batch    of each: first point, points, first in list, functions; wave_at: where its chi begin
//   basis    of each function: atom, radial function, component l^2 + l + m, from 0; l

KERNEL void functions(__global const int* batch, __global const ulong* wave_at, __global const int* list,
                      __global const double* coords, __global const double* atom_coords, __global const int* species,
                      __global const double* grids, __global const int* basis, __global const double* spline,
                      __global const double* outer_radius, __global double* wave, int n_batches, int n_knots,
                      int l_max) {
  for (int i = SHARE_BEGIN(1, n_batches); i < SHARE_END(1, n_batches); ++i) {
    const int first = batch[4 * i], points = batch[4 * i + 1], n = batch[4 * i + 3];
    __global const int* in_list = list + batch[4 * i + 2];
    FOR_EACH(t, VECTORS(points)) {
      const vl at = 3 * ((vl)first + points_from(t * VW, points));
      const vd px = look_up(coords, at), py = look_up(coords, at + 1), pz = look_up(coords, at + 2);
      const int count = min(VW, points - t * VW);
      __global double* to = wave + wave_at[i] + (size_t)t * VW * n;
      vd Y[COMPONENTS], r = 0, fraction = 0;
      vl knot = 0;
      int atom = -1;
      for (int m = 0; m < n; ++m) {
        __global const int* f = basis + 4 * in_list[m];
        if (f[0] != atom) {
          atom = f[0];
          __global const double* grid = grids + 3 * (species[atom] - 1);
          const displacement w = displacement_from(atom_coords + 3 * atom, px, py, pz);
          r = sqrt(w.r2);
          const vd x = knot_of(grid, 0, n_knots, r);
          knot = TO_LONG(smaller(floor(x), (vd)(n_knots - 2)));
          fraction = x - TO_DOUBLE(knot);
          direction_harmonics(l_max, w, r, grid[0], Y);
        }
        __global const double* table = spline + (size_t)4 * n_knots * f[1];
        const vl k = 4 * knot;
        const vd radial =
            look_up(table, k) +
            fraction * (look_up(table, k + 1) + fraction * (look_up(table, k + 2) + fraction * look_up(table, k + 3)));
        const vd value = r < (vd)outer_radius[f[1]] ? radial * Y[f[2]] : (vd)0;
        double values[VW];
        STORE(value, values);
        for (int l = 0; l < count; ++l) to[(size_t)n * l + m] = values[l];
      }
    }
  }
}
