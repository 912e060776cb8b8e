// SPDX-License-Identifier: BSD-3-Clause
// Fortran's sequential unformatted files: records, with a length of four bytes before and after each.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace suite::gw {

// Whether the file begins with a record of 96 bytes, as all of BerkeleyGW's do, in either byte order.
bool has_records(const std::filesystem::path& path);

class Records {
public:
  // Fails where there is no such file, and for a file whose first record shows another convention than that of gfortran and ifx on a
  // little-endian machine.
  explicit Records(const std::filesystem::path& path);

  // The next record; `bytes` is the length it must have, -1 if unknown. `what` names it in messages.
  std::vector<char> next(const std::string& what, int64_t bytes = -1);
  // Goes past the next record, which must have that length. Where its content begins.
  int64_t skip(const std::string& what, int64_t bytes);
  // Some bytes of the content of a record that was skipped.
  void read_at(int64_t position, char* to, int64_t bytes, const std::string& what) const;
  // Fails unless the last record ends the file.
  void require_end(const std::string& what) const;

  const std::filesystem::path& path() const { return path_; }
  // "FILE: record NUMBER (WHAT) SENTENCE", of the record that was read last.
  [[noreturn]] void fail(const std::string& what, const std::string& sentence) const;

private:
  int64_t begin(const std::string& what, int64_t bytes);
  void end(const std::string& what, int64_t length);
  int32_t mark(const std::string& what);
  std::filesystem::path path_;
  mutable std::ifstream stream_;
  int64_t size_ = 0, position_ = 0;
  int number_ = 0;
};

template <class T> T get(const std::vector<char>& record, size_t index) {
  T value;
  std::memcpy(&value, record.data() + index * sizeof(T), sizeof(T));
  return value;
}

// `count` values from byte `offset` of a record on.
template <class T> std::vector<T> get_list(const std::vector<char>& record, size_t count, size_t offset = 0) {
  std::vector<T> values(count);
  if (count > 0) std::memcpy(values.data(), record.data() + offset, count * sizeof(T));
  return values;
}

}  // namespace suite::gw
