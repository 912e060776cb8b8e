// SPDX-License-Identifier: BSD-3-Clause
// The second stage of every sum.
#pragma once

#include "device.cuh"

namespace suite::gpp {

inline constexpr int slot_threads = 128;

// total[q] (+)= the sum over slots[q][.], always in the same order. One block per q.
static __global__ void __launch_bounds__(slot_threads) add_slots(const double* slots, int64_t count, bool first, double* total) {
  double sum[1] = {};
  for (int64_t i = threadIdx.x; i < count; i += slot_threads) sum[0] += slots[blockIdx.x * count + i];
  block_sum<1, slot_threads>(sum, [&](int, double all) { total[blockIdx.x] = first ? all : total[blockIdx.x] + all; });
}

}  // namespace suite::gpp
