// SPDX-License-Identifier: BSD-3-Clause
// suite/gpu/call.hpp - part of gpu.hpp: what the host code of a kernel does with its arguments.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace suite::gpu {

template <class T>
T* device_data(const suite_array& array) {
  return static_cast<T*>(array.data);
}

inline unsigned blocks_for(int64_t threads, int64_t per_block) {
  return static_cast<unsigned>((threads + per_block - 1) / per_block);
}

// An array of the device, on the host; empty where it is unset. Waits for the device.
template <class T>
std::vector<T> on_host(const Queue& queue, const suite_array& array) {
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

}  // namespace suite::gpu
