// SPDX-License-Identifier: BSD-3-Clause
// Inverse Slater matrices dbar(a,j), a column for each electron, and the window of accepted moves that they
// do not have yet (McDaniel et al., J. Chem. Phys. 147, 174107 (2017)). With V(:,m) the new columns of
// orbitals, U(:,l) the columns of dbar of the electrons that moved and B(l,m) = U(:,l).V(:,m), column j is
//   dbar'(:,j) = dbar(:,j) - sum_l c_l U(:,l),   c_l = sum_m (V(:,m).dbar(:,j) - delta(j, electron m))
//   Binv(m,l)
// and a move's ratio of determinants is the Schur complement of B's new row and column.
#pragma once

#include <cstdint>

#include "lanes.hpp"

namespace suite::qmc {

// Columns of V and U lie ld apart, those of Binv kmax.
struct Window {
  double *phi, *dbar, *binv;  // V(ld,kmax), U(ld,kmax), Binv(kmax,kmax)
  int32_t* electron;          // from 0
  int64_t n, ld, kmax, count;

  // Doubles of a window on borders of vectors, with padded columns, and one in memory of that size.
  static int64_t size(int64_t n, int64_t kmax) { return 2 * padded(n) * kmax + padded(kmax * kmax) + padded(kmax); }
  static Window in(double* memory, int64_t n, int64_t kmax);
};

// Doubles that the functions below need to work in. Columns of B lie flush_stride apart: whole groups of
// product_columns.
inline int64_t flush_stride(int64_t kmax) { return (kmax + 7) / 8 * 8; }
inline int64_t inverse_scratch(int64_t n, int64_t kmax) {
  return flush_stride(kmax) * flush_stride(kmax) + (8 + 2 * kmax) * padded(n) + 20 * padded(kmax);
}

double dot(const double* a, const double* b, int64_t n);

// Whether electron j waits.
inline bool waits(const Window& window, int64_t j) {
  for (int64_t l = 0; l < window.count; ++l)
    if (window.electron[l] == j) return true;
  return false;
}
// The column of electron j as it is now. The first `count` numbers of scratch are V(:,m).dbar(:,j) then.
void current_column(const Window& window, const double* dbar, int64_t j, double* column, double* scratch);
// Takes a move into the window: electron j, not in it yet, gets the column phi(n); `projected` is
// V(:,m).dbar(:,j) where the caller has it. Returns the ratio; 0 or what is not finite leaves the window as
// it was.
double add_move(Window& window, const double* dbar, int64_t j, const double* phi, const double* projected, double* scratch);
// dbar(n,n) gets all moves; the window is empty then.
void flush(Window& window, double* dbar, double* scratch);
// One move at once, in two passes over dbar. Returns the ratio; 0 or what is not finite leaves dbar as it
// was.
double sherman_morrison(double* dbar, int64_t n, int64_t j, const double* phi, double* scratch);

// dbar = D^-T of D(n,n); false where it is singular.
int64_t inversion_scratch(int64_t n);
bool invert(const double* D, int64_t n, double* dbar, double& logdet, double& sign, double* scratch);

}  // namespace suite::qmc
