// SPDX-License-Identifier: BSD-3-Clause
// Copies between the caller's memory and pinned buffers, which one core alone does at a fraction of what a GPU's link carries.
#pragma once

#include <algorithm>
#include <cstddef>

namespace suite {

// Where the piece of thread t of `threads` begins; pieces are whole cache lines but for the last.
inline size_t piece_begin(size_t bytes, int threads, int t) {
  constexpr size_t line = 64;
  const size_t lines = (bytes + line - 1) / line, n = static_cast<size_t>(threads);
  return std::min(bytes, (lines / n * static_cast<size_t>(t) + std::min(lines % n, static_cast<size_t>(t))) * line);
}

// How many threads such a copy is worth: each at least half a megabyte, which takes it longer than to wake up.
int copy_threads(size_t bytes);

void copy_by_threads(void* to, const void* from, size_t bytes);

}  // namespace suite
