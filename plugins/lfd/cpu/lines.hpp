// SPDX-License-Identifier: BSD-3-Clause
// The step of cells.hpp for grids with one point in some direction, where there are no cells: pair after pair
// along lines, direction after direction.
#pragma once

#include "cell_order.hpp"
#include "cells.hpp"

namespace suite::lfd {

template <class T> class Lines {
public:
  using V = Vector<T>;

  Lines(const Blocks<T>& blocks, const Tangents<T>& tangents) : blocks_(blocks), order_(blocks.grid()), t_(tangents) {}

  // moments[i / cell width] of every slab.
  void step(V* psi, const T* u, const Border<T>* border, V f, double* rho, Moments* moments) const {
    const int64_t* const n = blocks_.grid().n;
    each_point([&](int64_t i, int64_t j, int64_t k) {
      V* const p = psi + blocks_.at(i, j, k);
      const T c = u[2 * order_.place(i, j, k)], s = u[2 * order_.place(i, j, k) + 1];
      const V re = c * p[0] - s * p[1];
      p[1] = c * p[1] + s * p[0];
      p[0] = re;
    });
    for (int d = 0; d < 3; ++d) {
      if (n[d] == 1) continue;
      join(psi, d, 0, t_.half[d], nullptr);
      join(psi, d, 1, t_.full[d], border);
      join(psi, d, 0, t_.half[d], nullptr);
    }
    std::fill_n(moments, order_.cells[0], Moments{});
    each_point([&](int64_t i, int64_t j, int64_t k) {
      const V* const p = psi + blocks_.at(i, j, k);
      const V r = f * (p[0] * p[0] + p[1] * p[1]);
      double density = 0;
      for (int l = 0; l < lanes<T>; ++l) density += static_cast<double>(r[l]);
      if (rho) rho[order_.place(i, j, k)] = density;
      Moments& m = moments[i / order_.width[0]];
      m.n += density;
      m.x += static_cast<double>(i) * density;
      m.y += static_cast<double>(j) * density;
      m.z += static_cast<double>(k) * density;
    });
  }

private:
  template <class F> void each_point(F&& f) const {
    const int64_t* const n = blocks_.grid().n;
    for (int64_t i = 0; i < n[0]; ++i)
      for (int64_t j = 0; j < n[1]; ++j)
        for (int64_t k = 0; k < n[2]; ++k) f(i, j, k);
  }

  // The pairs (first, first + 1), (first + 2, first + 3), ... of direction d.
  void join(V* psi, int d, int64_t first, T t, const Border<T>* border) const {
    const int64_t n = blocks_.grid().n[d];
    each_point([&](int64_t i, int64_t j, int64_t k) {
      int64_t at[] = {i, j, k};
      if (at[d] % 2 != first) return;
      const bool crosses = at[d] + 1 == n;
      V* const a = psi + blocks_.at(i, j, k);
      at[d] = crosses ? 0 : at[d] + 1;
      V* const b = psi + blocks_.at(at[0], at[1], at[2]);
      const V c = crosses && border ? border->c[d] : fill(t), s = crosses && border ? border->s[d] : V{};
      const V ar = a[0] - s * b[0] - c * b[1], ai = a[1] + c * b[0] - s * b[1];
      const V br = b[0] + s * a[0] - c * a[1], bi = b[1] + c * a[0] + s * a[1];
      a[0] = ar, a[1] = ai, b[0] = br, b[1] = bi;
    });
  }

  const Blocks<T>& blocks_;
  CellOrder order_;
  Tangents<T> t_;
};

}  // namespace suite::lfd
