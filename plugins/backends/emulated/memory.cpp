// SPDX-License-Identifier: BSD-3-Clause
#include "memory.hpp"

#include <cstdlib>
#include <cstring>
#include <utility>

#include <suite/plugin.hpp>

namespace suite::emulated {

namespace {

constexpr size_t alignment = 256;  // what CUDA promises
constexpr int uninitialised = 0xff, fence = 0xa5;
#if defined(__SANITIZE_ADDRESS__)
constexpr size_t fence_bytes = 0;
#else
constexpr size_t fence_bytes = 64;
#endif

bool broken(uintptr_t address, size_t bytes) {
  const auto* after = reinterpret_cast<const unsigned char*>(address) + bytes;
  for (size_t i = 0; i < fence_bytes; ++i)
    if (after[i] != fence) return true;
  return false;
}

std::string sentence(size_t bytes) { return concat("an array of ", bytes, " bytes on the device was written beyond its end"); }

}  // namespace

void* Memory::allocate(size_t bytes) {
  const std::lock_guard lock(guard_);
  const auto refuse = [&] {
    throw Failure(SUITE_OUT_OF_MEMORY, concat("an array needs ", bytes, " bytes; ", total_ - used_, " of ", total_, " are free"));
  };
  if (bytes > total_ - used_) refuse();
  void* data = nullptr;
  if (::posix_memalign(&data, alignment, bytes + fence_bytes) != 0) refuse();
  std::memset(data, uninitialised, bytes);
  std::memset(static_cast<unsigned char*>(data) + bytes, fence, fence_bytes);
  arrays_[reinterpret_cast<uintptr_t>(data)] = bytes;
  used_ += bytes;
  return data;
}

void Memory::release(void* data) {
  const std::lock_guard lock(guard_);
  const auto array = arrays_.find(reinterpret_cast<uintptr_t>(data));
  if (array == arrays_.end()) return;
  if (broken(array->first, array->second)) damage_ = sentence(array->second);
  used_ -= array->second;
  arrays_.erase(array);
  std::free(data);
}

size_t Memory::bytes_left(const void* data) const {
  const std::lock_guard lock(guard_);
  const auto address = reinterpret_cast<uintptr_t>(data);
  auto array = arrays_.upper_bound(address);
  if (array == arrays_.begin()) return 0;
  --array;
  return address - array->first < array->second ? array->first + array->second - address : 0;
}

uint64_t Memory::free() const {
  const std::lock_guard lock(guard_);
  return total_ - used_;
}

std::string Memory::damage() {
  const std::lock_guard lock(guard_);
  for (const auto& [address, bytes] : arrays_)
    if (broken(address, bytes)) {
      std::memset(reinterpret_cast<unsigned char*>(address) + bytes, fence, fence_bytes);
      damage_ = sentence(bytes);
    }
  return std::exchange(damage_, {});
}

}  // namespace suite::emulated
