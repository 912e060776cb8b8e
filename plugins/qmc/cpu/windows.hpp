// SPDX-License-Identifier: BSD-3-Clause
// The windows of delayed moves as the arguments of a call have them, one for each walker.
#pragma once

#include "inverse.hpp"
#include "kernels.hpp"

namespace suite::qmc {

class Windows {
public:
  // Four arguments from `first` on: phi, dbar, binv, electron. Refuses windows that hold something else.
  Windows(const suite_array* first, bool there, int64_t n) : first_(first), there_(there), n_(n) {
    if (!there) return;
    kmax_ = first[2].extent[0];
    for (int64_t w = 0; w < first[0].extent[2]; ++w)
      check_window(numbers<int32_t>(first[3]) + (kmax_ + 1) * w, kmax_, n, w);
  }
  int64_t kmax() const { return kmax_; }
  // In doubles: where one window's electrons are kept, from 0.
  int64_t electrons_size() const { return kmax_ / 2 + 1; }

  Window of(int64_t w, double* electrons) const {
    auto* const own = reinterpret_cast<int32_t*>(electrons);
    if (!there_) return {nullptr, nullptr, nullptr, own, n_, n_, 0, 0};
    const int32_t* const given = numbers<int32_t>(first_[3]) + (kmax_ + 1) * w;
    for (int64_t l = 0; l < given[0]; ++l) own[l] = given[1 + l] - 1;
    return {results<double>(first_[0]) + n_ * kmax_ * w,
            results<double>(first_[1]) + n_ * kmax_ * w,
            results<double>(first_[2]) + kmax_ * kmax_ * w,
            own,
            n_,
            n_,
            kmax_,
            given[0]};
  }
  // Back into the arguments.
  void keep(int64_t w, const Window& window) const {
    int32_t* const given = results<int32_t>(first_[3]) + (kmax_ + 1) * w;
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
  const suite_array* first_;
  bool there_;
  int64_t n_, kmax_ = 0;
};

}  // namespace suite::qmc
