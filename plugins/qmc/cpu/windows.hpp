// SPDX-License-Identifier: BSD-3-Clause
// The windows of delayed moves as the arguments of a call have them, one for each walker.
#pragma once

#include "inverse.hpp"
#include "kernels.hpp"

namespace suite::qmc {

class Windows {
public:
  // there: whether the call has them. Refuses windows that hold something else.
  template <class Call> Windows(const Call& c, bool there) : there_(there), n_(c.n()) {
    if (!there) return;
    kmax_ = c.kmax();
    phi_ = results<double>(c.delayed_phi);
    dbar_ = results<double>(c.delayed_dbar);
    binv_ = results<double>(c.delayed_binv);
    electron_ = results<int32_t>(c.delayed_electron);
    for (int64_t w = 0; w < c.nwalker(); ++w) check_window(electron_ + (kmax_ + 1) * w, kmax_, n_, w);
  }
  int64_t kmax() const { return kmax_; }
  // In doubles: where one window's electrons are kept, from 0.
  int64_t electrons_size() const { return kmax_ / 2 + 1; }

  Window of(int64_t w, double* electrons) const {
    auto* const own = reinterpret_cast<int32_t*>(electrons);
    if (!there_) return {nullptr, nullptr, nullptr, own, n_, n_, 0, 0};
    const int32_t* const given = electron_ + (kmax_ + 1) * w;
    for (int64_t l = 0; l < given[0]; ++l) own[l] = given[1 + l] - 1;
    return {phi_ + n_ * kmax_ * w, dbar_ + n_ * kmax_ * w, binv_ + kmax_ * kmax_ * w, own, n_, n_, kmax_, given[0]};
  }
  // Back into the arguments.
  void keep(int64_t w, const Window& window) const {
    int32_t* const given = electron_ + (kmax_ + 1) * w;
    std::fill_n(given, kmax_ + 1, 0);
    given[0] = static_cast<int32_t>(window.count);
    for (int64_t l = 0; l < window.count; ++l) given[1 + l] = window.electron[l] + 1;
  }
  // An empty window is 0 everywhere.
  static void clear(const Window& window) {
    std::fill_n(window.phi, window.n * window.kmax, 0.0);
    std::fill_n(window.dbar, window.n * window.kmax, 0.0);
    std::fill_n(window.binv, window.kmax * window.kmax, 0.0);
  }

private:
  bool there_;
  int64_t n_, kmax_ = 0;
  double *phi_ = nullptr, *dbar_ = nullptr, *binv_ = nullptr;  // changed by slater_update alone
  int32_t* electron_ = nullptr;
};

}  // namespace suite::qmc
