// SPDX-License-Identifier: BSD-3-Clause
// sum_n f_n <psi_n| i[T,r] |psi_n> of a block, without hx hy hz: bond by bond Im(psi_i* e^{i(A+k)h}
// psi_{i+1})/h. The block holds chi (cells.hpp), and the phase u at the end of the step is still to come; it
// changes the bond from i to i+1 by u_i* u_{i+1}.
#pragma once

#include "block_rows.hpp"

namespace suite::lfd {

// total[d] of the plane i.
template <class T>
void currents_of_plane(const Blocks<T>& blocks, const Vector<T>* psi, const T* u, Vector<T> f, const WaveVectors<T>* waves, int64_t i,
                       double* total) {
  using V = Vector<T>;
  const Grid& g = blocks.grid();
  const CellOrder order(g);
  V border[3][2];
  for (int d = 0; d < 3 && waves; ++d) {
    double r[3] = {0, 0, 0};
    r[d] = static_cast<double>(g.n[d]) * g.h[d];
    waves->phase(r, border[d][0], border[d][1]);
  }
  for (int64_t j = 0; j < g.n[1]; ++j) {
    V sum[3] = {};
    for (int64_t k = 0; k < g.n[2]; ++k) {
      const V* const a = psi + blocks.at(i, j, k);
      const T* const ua = u + 2 * order.place(i, j, k);
      for (int d = 0; d < 3; ++d) {
        if (g.n[d] == 1) continue;
        int64_t at[] = {i, j, k};
        const bool crosses = ++at[d] == g.n[d];
        if (crosses) at[d] = 0;
        const V* const b = psi + blocks.at(at[0], at[1], at[2]);
        const T* const ub = u + 2 * order.place(at[0], at[1], at[2]);
        const T c = ua[0] * ub[0] + ua[1] * ub[1], s = ua[0] * ub[1] - ua[1] * ub[0];
        V re = a[0] * b[0] + a[1] * b[1], im = a[0] * b[1] - a[1] * b[0];
        if (crosses && waves) {
          const V x = border[d][0] * re - border[d][1] * im;
          im = border[d][0] * im + border[d][1] * re;
          re = x;
        }
        sum[d] += c * im + s * re;
      }
    }
    for (int d = 0; d < 3; ++d)
      for (int l = 0; l < lanes<T>; ++l) total[d] += static_cast<double>(f[l] * sum[d][l]) / g.h[d];
  }
}

}  // namespace suite::lfd
