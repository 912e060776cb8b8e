// SPDX-License-Identifier: BSD-3-Clause
// The second stage of every sum.
#pragma once

#include "device.cuh"

namespace suite::gpp {

// total[q] (+)= the sum over slots[q][.], always in the same order: one block for each q,
static __global__ void __launch_bounds__(128) add_many_slots(const double* slots, int64_t count, bool first, double* total) {
  double sum[1] = {};
  for (int64_t i = threadIdx.x; i < count; i += blockDim.x) sum[0] += slots[blockIdx.x * count + i];
  block_sum<1, 128>(sum, [&](int, double all) { total[blockIdx.x] = first ? all : total[blockIdx.x] + all; });
}
// or, for few slots, one thread.
static __global__ void __launch_bounds__(32)
    add_few_slots(const double* slots, int64_t count, bool first, int64_t quantities, double* total) {
  const int64_t q = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (q >= quantities) return;
  double sum = first ? 0 : total[q];
  for (int64_t i = 0; i < count; ++i) sum += slots[q * count + i];
  total[q] = sum;
}

inline void add_slots(gpu::Stream stream, const double* slots, int64_t count, bool first, int64_t quantities, double* total) {
  constexpr int64_t few = 64;
  if (count > few) SUITE_GPU_LAUNCH(add_many_slots, static_cast<unsigned>(quantities), 128, 0, stream, slots, count, first, total);
  else
    SUITE_GPU_LAUNCH(add_few_slots, static_cast<unsigned>((quantities + 31) / 32), 32, 0, stream, slots, count, first, quantities, total);
}

}  // namespace suite::gpp
