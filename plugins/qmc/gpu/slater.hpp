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

// Those of a call, checked.
template <class Call> Windows windows_of(const gpu::Queue& queue, const Call& c) {
  const int n = static_cast<int>(c.n());
  if (!has_delayed(c)) return {n, 0, nullptr, nullptr, nullptr, nullptr};
  const int64_t kmax = c.kmax();
  const std::vector<int32_t> electron = on_host<int32_t>(queue, c.delayed_electron);
  for (int64_t w = 0; w < c.nwalker(); ++w) check_window(&electron[(kmax + 1) * w], kmax, n, w);
  return {n,
          static_cast<int>(kmax),
          device_data<double>(c.delayed_phi),
          device_data<double>(c.delayed_dbar),
          device_data<double>(c.delayed_binv),
          device_data<int>(c.delayed_electron)};
}

}  // namespace suite::qmc
