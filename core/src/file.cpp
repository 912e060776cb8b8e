// SPDX-License-Identifier: BSD-3-Clause
#include "file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <suite/plugin.hpp>

#include "text.hpp"

namespace suite::core {

[[noreturn]] static void cannot_be_read() { throw Failure(SUITE_NOT_FOUND, std::string("cannot be read: ") + std::strerror(errno)); }

File::File(const std::string& path, uint64_t largest) {
  // A FIFO must not block us: O_NONBLOCK, and only regular files are read.
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) throw Failure(SUITE_NOT_FOUND, std::string("cannot be opened: ") + std::strerror(errno));
  try {
    struct stat info;
    if (::fstat(descriptor_, &info) != 0) cannot_be_read();
    if (!S_ISREG(info.st_mode)) throw Failure(SUITE_NOT_FOUND, "is not a regular file");
    size_ = static_cast<uint64_t>(info.st_size);
    if (size_ > largest)
      throw Failure(SUITE_UNSUPPORTED, "has " + bytes_text(size_) + ", more than the " + bytes_text(largest) + " that a plugin may have");
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

File::~File() { ::close(descriptor_); }

void File::read(uint64_t offset, void* to, size_t bytes) const {
  auto* next = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = ::pread(descriptor_, next, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_be_read();
    if (got == 0) throw Failure(SUITE_UNSUPPORTED, "damaged: it was truncated while it was read");
    next += got;
    offset += static_cast<uint64_t>(got);
    bytes -= static_cast<size_t>(got);
  }
}

}  // namespace suite::core
