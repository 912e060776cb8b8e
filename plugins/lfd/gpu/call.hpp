// SPDX-License-Identifier: BSD-3-Clause
// What the host code of this plugin's parts has in common.
#pragma once

#include <algorithm>
#include <vector>

#include "../call.hpp"
#include "../parameters.hpp"
#include "../splitting.hpp"
#include "tables.hpp"

#include "device.cuh"

namespace suite::lfd {

template <class T>
T* device_data(const suite_array& array) {
  return static_cast<T*>(array.data);
}

// f(float()) or f(double()).
template <class F>
void by_precision(const suite_array& array, F&& f) {
  if (is_single(array))
    f(float());
  else
    f(double());
}

inline unsigned blocks_for(int64_t threads, int64_t per_block) {
  return static_cast<unsigned>((threads + per_block - 1) / per_block);
}

// An array of the device, on the host. Waits for the device.
template <class T>
std::vector<T> on_host(const gpu::Queue& queue, const suite_array& array) {
  int64_t count = 1;
  for (int d = 0; d < array.rank; ++d) count *= array.extent[d];
  std::vector<T> there(array.data ? static_cast<size_t>(count) : 0);
  if (!there.empty()) queue.download(there.data(), array.data, there.size() * sizeof(T));
  queue.wait();
  return there;
}

// A thread reads and writes a complex number in one piece.
template <class Kernel>
void check_addresses(const suite_array* a) {
  for (size_t i = 0; i < std::size(Kernel::arguments); ++i) {
    const size_t bytes = a[i].type == SUITE_COMPLEX128 ? 16 : a[i].type == SUITE_COMPLEX64 ? 8 : 1;
    if (reinterpret_cast<uintptr_t>(a[i].data) % bytes != 0)
      throw Failure(SUITE_INVALID_ARGUMENT, std::string(Kernel::arguments[i].name) +
                                                " lies at an address that is not a multiple of " +
                                                std::to_string(bytes) + " bytes");
  }
}

// Kernels count the points of a grid, cells filled up, in 32 bits.
inline void check_size(const Grid& g) {
  if (g.points() > int64_t{1} << 27)
    throw Failure(SUITE_UNSUPPORTED, "the grid has " + std::to_string(g.points()) +
                                         " points; this implementation serves up to " +
                                         std::to_string(int64_t{1} << 27));
}

}  // namespace suite::lfd
