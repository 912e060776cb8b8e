// SPDX-License-Identifier: BSD-3-Clause
// What the host code of this plugin's parts has in common.
#pragma once

#include <algorithm>
#include <vector>

#include <suite/device.hpp>

#include "../call.hpp"
#include "../device/tables.hpp"

#include "device.cuh"

namespace suite::dfpt {

using gpu::blocks_for;

inline constexpr int64_t most_blocks = (int64_t{1} << 31) - 1;
inline unsigned grid_of(int64_t blocks) {
  if (blocks > most_blocks)
    throw Failure(SUITE_UNSUPPORTED,
                  "the call takes " + text_of(blocks) + " blocks of threads; this implementation supports up to " + text_of(most_blocks));
  return static_cast<unsigned>(blocks);
}

// Bytes of so many numbers in shared memory, refused where a block cannot have them.
inline size_t shared_numbers(const gpu::Queue& queue, int64_t count, const char* what) {
  const size_t bytes = static_cast<size_t>(count) * sizeof(double);
  if (bytes > queue.properties().shared_per_block)
    throw Failure(SUITE_UNSUPPORTED,
                  concat(what, " take ", bytes, " bytes of a block's memory; this device has ", queue.properties().shared_per_block));
  return bytes;
}

// Directions are treated three at a time as long as there are three, then one by one: f(dirs, first) with
// dirs a constant.
template <class F> void by_directions(int64_t n_dir, F&& f) {
  int64_t first = 0;
  for (; first + 3 <= n_dir; first += 3) f(std::integral_constant<int, 3>(), static_cast<int>(first));
  for (; first < n_dir; ++first) f(std::integral_constant<int, 1>(), static_cast<int>(first));
}

}  // namespace suite::dfpt
