// SPDX-License-Identifier: BSD-3-Clause
// sum_n f_n <psi_n| i[T,r] |psi_n> of a block, without hx hy hz: bond by bond Im(psi_i* e^{i(A+k)h}
// psi_{i+1})/h. The block holds chi (cells.hpp), and the phase u at the end of the step is still to come: rows
// take it as they are loaded. Only bonds across the border have another phase, one for all of a line.
#pragma once

#include "block_rows.hpp"

namespace suite::lfd {

template <class T> class BondCurrents {
public:
  using V = Vector<T>;

  // waves: null where chi is psi.
  BondCurrents(const Blocks<T>& blocks, const T* u, const WaveVectors<T>* waves) : blocks_(blocks), order_(blocks.grid()), u_(u) {
    const Grid& g = blocks.grid();
    for (int d = 0; d < 3; ++d) {
      border_[d] = {fill(T(1)), V{}};
      double r[3] = {0, 0, 0};
      r[d] = static_cast<double>(g.n[d]) * g.h[d];
      if (waves) waves->phase(r, border_[d].re, border_[d].im);
    }
  }

  // total[d] of the plane i.
  void add_plane(const V* psi, V f, int64_t i, double* total) const {
    const Grid& g = blocks_.grid();
    V sum[3] = {};
    for (int64_t j = 0; j < g.n[1]; ++j) {
      if (i + 1 < g.n[0] && j + 1 < g.n[1]) add_line<false>(psi, i, j, sum);
      else add_line<true>(psi, i, j, sum);
    }
    for (int d = 0; d < 3; ++d)
      for (int l = 0; l < lanes<T>; ++l) total[d] += static_cast<double>(f[l] * sum[d][l]) / g.h[d];
  }

private:
  struct Row {
    V re, im;
  };
  struct Line {
    const V* rows;
    const T* phases;
  };
  Line line(const V* psi, int64_t i, int64_t j) const { return {psi + blocks_.at(i, j, 0), u_ + 2 * order_.place(i, j, 0)}; }
  [[gnu::always_inline]] static Row row(const Line& line, int64_t k, int64_t place) {
    const V re = line.rows[2 * k], im = line.rows[2 * k + 1];
    const T c = line.phases[2 * place], s = line.phases[2 * place + 1];
    return {c * re - s * im, c * im + s * re};
  }
  // a* b; its real part only where a phase will turn it.
  template <bool whole> [[gnu::always_inline]] static void add_bond(const Row& a, const Row& b, Row& sum) {
    if constexpr (whole) sum.re += a.re * b.re + a.im * b.im;
    sum.im += a.re * b.im - a.im * b.re;
  }
  static V turned(const Row& sum, const Row& phase) { return phase.re * sum.im + phase.im * sum.re; }

  template <bool crosses> void add_line(const V* psi, int64_t i, int64_t j, V* sum) const {
    const int64_t* const n = blocks_.grid().n;
    const bool along_x = n[0] > 1, along_y = n[1] > 1;
    const bool last_x = i + 1 == n[0], last_y = j + 1 == n[1];
    const Line own = line(psi, i, j), x = line(psi, last_x ? 0 : i + 1, j), y = line(psi, i, last_y ? 0 : j + 1);
    Row to_x{}, to_y{}, to_z{}, around{};
    const Row first = row(own, 0, 0);
    Row before = first;
    for (int64_t k = 0; k < n[2]; ++k) {
      const int64_t place = order_.along_z(k);
      const Row here = row(own, k, place);
      if (along_x) add_bond<crosses>(here, row(x, k, place), to_x);
      if (along_y) add_bond<crosses>(here, row(y, k, place), to_y);
      if (k > 0) add_bond<false>(before, here, to_z);
      before = here;
    }
    sum[0] += crosses && last_x ? turned(to_x, border_[0]) : to_x.im;
    sum[1] += crosses && last_y ? turned(to_y, border_[1]) : to_y.im;
    if (n[2] == 1) return;
    add_bond<true>(before, first, around);
    sum[2] += to_z.im + turned(around, border_[2]);
  }

  const Blocks<T>& blocks_;
  CellOrder order_;
  const T* u_;
  Row border_[3];
};

}  // namespace suite::lfd
