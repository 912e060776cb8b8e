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
    return {n,
            kmax,
            phi + w * n * kmax,
            columns + w * n * kmax,
            binv + w * kmax * kmax,
            electron + w * (kmax + 1)};
  }
};

// The four arguments that begin at `delayed`, checked.
inline Windows windows_of(const gpu::Queue& queue, const suite_array* delayed, const suite_array& dbar) {
  const int n = static_cast<int>(dbar.extent[0]);
  if (!has_delayed(delayed[0], delayed[1], delayed[2], delayed[3]))
    return {n, 0, nullptr, nullptr, nullptr, nullptr};
  const int64_t kmax = delayed[0].extent[1];
  const std::vector<int32_t> electron = on_host<int32_t>(queue, delayed[3]);
  for (int64_t w = 0; w < dbar.extent[2]; ++w) check_window(&electron[(kmax + 1) * w], kmax, n, w);
  return {n,
          static_cast<int>(kmax),
          device_data<double>(delayed[0]),
          device_data<double>(delayed[1]),
          device_data<double>(delayed[2]),
          device_data<int>(delayed[3])};
}

}  // namespace suite::qmc
