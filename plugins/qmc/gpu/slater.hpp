// SPDX-License-Identifier: BSD-3-Clause
// The windows of all walkers, as slater_ratio and slater_update get them.
#pragma once

#include "call.hpp"
#include "window.cuh"

namespace suite::qmc {

struct Windows {
  int n, kmax;
  double *phi, *columns, *binv;  // null where there are none
  int* electron;
  __device__ __forceinline__ Window of_walker(int64_t w) const {
    return {n, kmax, phi + w * n * kmax, columns + w * n * kmax, binv + w * kmax * kmax, electron + w * (kmax + 1)};
  }
};

// Those of a call.
template <class Call> Windows windows_of(const Call& c) {
  const int n = static_cast<int>(c.n());
  if (!has_delayed(c)) return {n, 0, nullptr, nullptr, nullptr, nullptr};
  return {n,
          static_cast<int>(c.kmax()),
          device_data<double>(c.delayed_phi),
          device_data<double>(c.delayed_dbar),
          device_data<double>(c.delayed_binv),
          device_data<int>(c.delayed_electron)};
}

// Sets *wrong where a window is none, for the kernels behind it; what is wrong the host finds out then (slater_ratio.cu).
void look_at_windows(const gpu::Queue& queue, const Windows& windows, int64_t nwalker, int* wrong);
void refuse_wrong_windows(const gpu::Queue& queue, const Windows& windows, int64_t nwalker);

}  // namespace suite::qmc
