// SPDX-License-Identifier: BSD-3-Clause
// The window of delayed updates of one walker, as slater_ratio reads and slater_update fills it.
#pragma once

#include "kernels.hpp"

namespace suite::qmc::reference {

struct Window {
  int64_t n = 0, kmax = 0;
  const double *phi = nullptr, *columns = nullptr,
               *binv = nullptr;       // delayed_phi, delayed_dbar, delayed_binv
  const int32_t* electron = nullptr;  // how many wait, then who
  int64_t count() const { return electron ? electron[0] : 0; }
  // Column i of dbar as it is after the moves that wait.
  std::vector<double> column(const double* dbar, int64_t i) const;
};

// Of one walker, empty where the call has none.
template <class Call> Window window_of(bool there, const Call& c, int64_t walker) {
  Window window;
  window.n = c.n();
  if (!there) return window;
  window.kmax = c.kmax();
  window.phi = &c.delayed_phi(0, 0, walker);
  window.columns = &c.delayed_dbar(0, 0, walker);
  window.binv = &c.delayed_binv(0, 0, walker);
  window.electron = &c.delayed_electron(0, walker);
  check_window(window.electron, window.kmax, window.n, walker);
  return window;
}

}  // namespace suite::qmc::reference
