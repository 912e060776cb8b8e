// SPDX-License-Identifier: BSD-3-Clause
// A text file written as memory: what was appended is in the file when the process is killed the next moment,
// and no system call was needed for it. Until finish() the file ends in blanks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace suite::core {

class GrowingFile {
public:
  // Takes an open file of no length.
  explicit GrowingFile(int descriptor) : descriptor_(descriptor) {}
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;
  ~GrowingFile() { finish(""); }

  bool is_open() const { return descriptor_ >= 0; }
  // All of the text or nothing of it; then the reason is returned.
  std::string append(const std::string& text);
  // Adds the ending, for which there is always room where it has 8 bytes at most and something was appended before,
  // cuts the blanks off and closes the file.
  void finish(const std::string& ending);

  static constexpr uint64_t largest = uint64_t(1) << 30;

private:
  static constexpr size_t room_to_end = 8;
  std::string grow(size_t capacity);
  int descriptor_;
  char* window_ = nullptr;  // the file from begin_ on
  size_t window_size_ = 0, used_ = 0;
  uint64_t begin_ = 0;
};

}  // namespace suite::core
