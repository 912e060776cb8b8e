// SPDX-License-Identifier: BSD-3-Clause
#include "growing_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <suite/plugin.hpp>

namespace suite::core {

// Blanks are written, not only reserved: where the disk is full, a write says so, and a store into memory
// would end the process.
std::string GrowingFile::grow(size_t capacity) {
  constexpr size_t step = size_t(1) << 20;
  static const auto& blanks = *new std::string(step, ' ');  // never destroyed: exit handlers may still write
  const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  const uint64_t at = begin_ + used_, begin = at / page * page, end = begin + (capacity / step + 2) * step;
  if (end > largest) return concat("it has reached ", largest >> 20, " MiB");
  for (uint64_t filled = begin_ + window_size_; filled < end;) {
    const ssize_t wrote = ::pwrite(descriptor_, blanks.data(), std::min<uint64_t>(step, end - filled), static_cast<off_t>(filled));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return std::strerror(wrote < 0 ? errno : ENOSPC);
    filled += static_cast<uint64_t>(wrote);
  }
  void* mapped = ::mmap(nullptr, end - begin, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, static_cast<off_t>(begin));
  if (mapped == MAP_FAILED) return std::strerror(errno);
  if (window_) ::munmap(window_, window_size_);
  window_ = static_cast<char*>(mapped);
  window_size_ = end - begin;
  used_ = at - begin;
  begin_ = begin;
  return "";
}

std::string GrowingFile::append(const std::string& text) {
  if (used_ + text.size() + room_to_end > window_size_)
    if (std::string why = grow(text.size() + room_to_end); !why.empty()) return why;
  std::memcpy(window_ + used_, text.data(), text.size());
  used_ += text.size();
  return "";
}

void GrowingFile::finish(const std::string& ending) {
  if (descriptor_ < 0) return;
  if (window_ && used_ + ending.size() <= window_size_) {
    std::memcpy(window_ + used_, ending.data(), ending.size());
    used_ += ending.size();
  }
  if (window_) ::munmap(window_, window_size_);
  // Where this fails, blanks are left at the end: a reader of JSON passes over them.
  [[maybe_unused]] const int cut = ::ftruncate(descriptor_, static_cast<off_t>(begin_ + used_));
  ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace suite::core
