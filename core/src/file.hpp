// SPDX-License-Identifier: BSD-3-Clause
// A file read in pieces. It is not mapped: a file that is cut short meanwhile is an error then, not a SIGBUS;
// nor held in memory as a whole: the pages for a plugin of several megabytes cost more than its hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace suite::core {

class File {
public:
  // Throws suite::Failure when it cannot be read, is no regular file or is larger than that.
  File(const std::string& path, uint64_t largest);
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  uint64_t size() const { return size_; }
  // Exactly these bytes; throws suite::Failure where they are not there any more.
  void read(uint64_t offset, void* to, size_t bytes) const;

  template <class T> T at(uint64_t offset) const {
    T value;
    read(offset, &value, sizeof value);
    return value;
  }
  template <class T> std::vector<T> array(uint64_t offset, uint64_t count) const {
    std::vector<T> values(static_cast<size_t>(count));
    read(offset, values.data(), values.size() * sizeof(T));
    return values;
  }

private:
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

}  // namespace suite::core
