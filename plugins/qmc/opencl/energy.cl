// SPDX-License-Identifier: BSD-3-Clause
// The Slater part of local energies, and their sums. A row is an electron of a walker.

// slater(4,netot,nwalker): grad_i D/D and lap_i D/D where electron i is.
KERNEL void slater_at_electrons(__global const double* rele, __global const double* cell,
                                __global const double* list, int size, __global const double* dbar_up,
                                __global const double* dbar_dn, __global double* slater, int netot, int nup,
                                int rows) {
#if LOCAL > 1
  __local double shared[4 * LOCAL];
#else
  __local double* shared = 0;
#endif
  __global const double* b = RECIPROCAL(cell);
  for (int row = SHARE_BEGIN(1, rows); row < SHARE_END(1, rows); ++row) {
    const int w = row / netot, i = row % netot, n = i < nup ? nup : netot - nup;
    __global const double* column =
        i < nup ? dbar_up + ((size_t)w * n + i) * n : dbar_dn + ((size_t)w * n + i - nup) * n;
    double s[3];
    phases_at(cell, rele + 3 * (size_t)row, s);
    vd g[3] = {0, 0, 0}, l = 0;
    FOR_EACH(m, VECTORS(n / 2)) {
      vd sine, of_cos, of_sin;
      const vd cosine = wave_at(list, size, m, s, &sine);
      load_pairs(column + 1 + 2 * m * VW, n - 1 - 2 * m * VW, &of_cos, &of_sin);
      const vd value = of_cos * cosine + of_sin * sine, slope = of_sin * cosine - of_cos * sine;
      for (int d = 0; d < 3; ++d) g[d] += LOAD(list + d * size + m * VW) * slope;
      l -= LOAD(list + 3 * size + m * VW) * value;
    }
    double sums[4] = {sum_of(g[0]), sum_of(g[1]), sum_of(g[2]), sum_of(l)};
    group_sums(sums, 4, shared);
    if (ITEM != 0) continue;
    for (int d = 0; d < 3; ++d)
      slater[4 * (size_t)row + d] = sums[0] * b[d] + sums[1] * b[3 + d] + sums[2] * b[6 + d];
    slater[4 * (size_t)row + 3] = sums[3];
  }
}

// The five energies. The parts of u and p: values, gradients and Laplacians by electron.
KERNEL void sum_up_energies(__global const double* slater, __global const double* u, __global const double* u_gradient,
                            __global const double* u_laplacian, int has_u, __global const double* p,
                            __global const double* p_gradient, __global const double* p_laplacian, int has_p,
                            __global const double* ewald, __global double* energy, __global double* velocity,
                            int has_velocity, __global double* jastrow, int has_jastrow, int netot, int nwalker) {
#if LOCAL > 1
  __local double shared[4 * LOCAL];
#else
  __local double* shared = 0;
#endif
  for (int w = SHARE_BEGIN(1, nwalker); w < SHARE_END(1, nwalker); ++w) {
    double sums[4] = {0, 0, 0, 0};  // KEI, TI, FISQ, J
    FOR_EACH(i, netot) {
      const size_t row = (size_t)w * netot + i;
      const double value = (has_u ? u[row] : 0) + (has_p ? p[row] : 0),
                   laplacian = (has_u ? u_laplacian[row] : 0) + (has_p ? p_laplacian[row] : 0);
      double of_jastrow = 0, of_slater = 0, both = 0;  // squares and product of gradients
      for (int d = 0; d < 3; ++d) {
        const double g = (has_u ? u_gradient[3 * row + d] : 0) + (has_p ? p_gradient[3 * row + d] : 0),
                     h = slater[4 * row + d];
        of_jastrow += g * g;
        of_slater += h * h;
        both += g * h;
        if (has_velocity) velocity[3 * row + d] = g + h;
      }
      const double of_determinant = slater[4 * row + 3];
      sums[0] -= 0.5 * (of_determinant + 2 * both + laplacian + of_jastrow);
      sums[1] -= 0.25 * (of_determinant - of_slater + laplacian);
      sums[2] += 0.5 * (of_slater + 2 * both + of_jastrow);
      sums[3] += 0.5 * value;
    }
    group_sums(sums, 4, shared);
    if (ITEM != 0) continue;
    energy[5 * (size_t)w] = sums[0] + ewald[w];
    for (int k = 0; k < 3; ++k) energy[5 * (size_t)w + 1 + k] = sums[k];
    energy[5 * (size_t)w + 4] = ewald[w];
    if (has_jastrow) jastrow[w] = sums[3];
  }
}
