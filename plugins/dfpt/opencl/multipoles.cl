// SPDX-License-Identifier: BSD-3-Clause
// dfpt.multipoles: the points of a shell, listed by the host, in vectors; a lane's sums of a shell are added at
// its end. Shells are shared by work-items; those without points give 0.

KERNEL void project(__global const double* coords, __global const double* atom_coords, __global const int* first,
                    __global const int* point, __global const double* weight, __global const double* rho,
                    __global double* multipole, int n_radial, int n_atoms, int n_points, int n_dir, int l_max) {
  const int n_lm = (l_max + 1) * (l_max + 1), shells = n_radial * n_atoms;
  for (int s = SHARE_BEGIN(1, shells) + ITEM; s < SHARE_END(1, shells); s += LOCAL)
    for (int d = 0; d < n_dir; ++d) {
      __global double* to = multipole + (size_t)n_lm * (s + (size_t)shells * d);
      vd sums[COMPONENTS];
      for (int lm = 0; lm < n_lm; ++lm) sums[lm] = 0;
      for (int i = first[s]; i < first[s + 1]; i += VW) {
        double at[3][VW], factor[VW];
        for (int l = 0; l < VW; ++l) {
          const int p = point[min(i + l, first[s + 1] - 1)];
          for (int k = 0; k < 3; ++k) at[k][l] = coords[3 * (size_t)p + k];
          factor[l] = i + l < first[s + 1] ? weight[p] * rho[(size_t)n_points * d + p] : 0;
        }
        const displacement w = displacement_from(atom_coords + 3 * (s / n_radial), LOAD(at[0]), LOAD(at[1]), LOAD(at[2]));
        const vd f = LOAD(factor);
        vd Y[COMPONENTS];
        direction_harmonics(l_max, w, sqrt(w.r2), 0, Y);
        for (int lm = 0; lm < n_lm; ++lm) sums[lm] += f * Y[lm];
      }
      for (int lm = 0; lm < n_lm; ++lm) to[lm] = sum_of(sums[lm]);
    }
}
