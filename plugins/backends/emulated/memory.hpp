// SPDX-License-Identifier: BSD-3-Clause
// The memory of an emulated device: host memory, but apart from it. Every array is an allocation of its own,
// filled with bytes 0xff (NaN in both real types) as a device's memory is not zero either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace suite::emulated {

class Memory {
public:
  explicit Memory(uint64_t total) : total_(total) {}

  // Throws OUT_OF_MEMORY with what is needed and what is there.
  void* allocate(size_t bytes);
  void release(void* data);
  bool holds(const void* data) const { return bytes_left(data) > 0; }
  // Bytes from data to the end of the array that it points into; 0 where it points into none.
  size_t bytes_left(const void* data) const;
  uint64_t free() const;
  uint64_t total() const { return total_; }
  // A sentence on an array that was written beyond its end, once; empty where all are whole. AddressSanitizer
  // sees the write itself, so there this stays silent.
  std::string damage();

private:
  uint64_t total_, used_ = 0;
  mutable std::mutex guard_;
  std::map<uintptr_t, size_t> arrays_;  // address to bytes
  std::string damage_;                  // of arrays that are gone
};

}  // namespace suite::emulated
