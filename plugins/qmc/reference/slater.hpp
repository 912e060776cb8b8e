// SPDX-License-Identifier: BSD-3-Clause
// The window of delayed updates of one walker, as slater_ratio reads and slater_update fills it.
#pragma once

#include "kernels.hpp"

namespace suite::qmc::reference {

struct Window {
  int64_t n = 0, kmax = 0;
  double *phi = nullptr, *columns = nullptr, *binv = nullptr;  // delayed_phi, delayed_dbar, delayed_binv
  int32_t* electron = nullptr;                                 // how many wait, then who
  int64_t count() const { return electron ? electron[0] : 0; }
  // Column i of dbar as it is after the moves that wait.
  std::vector<double> column(const double* dbar, int64_t i) const;
};

// From the four arguments that begin at `delayed_phi`.
inline Window window_of(bool there, const suite_array* delayed, int64_t n, int64_t walker) {
  Window window;
  window.n = n;
  if (!there) return window;
  window.kmax = delayed[0].extent[1];
  window.phi = static_cast<double*>(delayed[0].data) + n * window.kmax * walker;
  window.columns = static_cast<double*>(delayed[1].data) + n * window.kmax * walker;
  window.binv = static_cast<double*>(delayed[2].data) + window.kmax * window.kmax * walker;
  window.electron = static_cast<int32_t*>(delayed[3].data) + (window.kmax + 1) * walker;
  check_window(window.electron, window.kmax, n, walker);
  return window;
}

}  // namespace suite::qmc::reference
