// SPDX-License-Identifier: BSD-3-Clause
#include "records.hpp"

#include <array>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::gw {

bool has_records(const std::filesystem::path& path) {
  std::array<char, 4> mark{};
  std::ifstream(path, std::ios::binary).read(mark.data(), mark.size());
  return mark == std::array<char, 4>{96, 0, 0, 0} || mark == std::array<char, 4>{0, 0, 0, 96};
}

Records::Records(const std::filesystem::path& path) : path_(path) {
  std::error_code error;
  stream_.rdbuf()->pubsetbuf(nullptr, 0);  // records are read whole, and marks lie far apart
  stream_.open(path, std::ios::binary);
  if (!std::filesystem::is_regular_file(path, error) || !stream_) throw Failure(SUITE_NOT_FOUND, path.string() + ": there is no such file");
  size_ = static_cast<int64_t>(std::filesystem::file_size(path));
  const auto refuse = [&](const char* sentence) { throw Failure(SUITE_INVALID_ARGUMENT, path.string() + ": " + sentence); };
  // The first record of all these files is a title of 96 bytes.
  std::vector<char> first(8);
  if (!stream_.read(first.data(), 8)) {
    stream_.clear();
  } else if (get<int64_t>(first, 0) == 96) {
    refuse("its record marks have 8 bytes; files of gfortran and ifx, whose marks have 4, are read");
  } else if (get<uint32_t>(first, 0) == uint32_t{96} << 24) {
    refuse("its numbers have the byte order of another kind of machine (big-endian)");
  }
  stream_.seekg(0);
}

void Records::fail(const std::string& what, const std::string& sentence) const {
  throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{}: record {} ({}) {}", path_.string(), number_, what, sentence));
}

int32_t Records::mark(const std::string& what) {
  int32_t length = 0;
  if (!stream_.read(reinterpret_cast<char*>(&length), 4)) fail(what, fmt::format("is missing: the file ends after {} bytes", size_));
  position_ += 4;
  return length;
}

int64_t Records::begin(const std::string& what, int64_t bytes) {
  ++number_;
  const int64_t length = mark(what);
  if (length < 0 || position_ + length + 4 > size_)
    fail(what, fmt::format("says it has {} bytes, and {} follow in the file", length, size_ - position_));
  if (bytes >= 0 && length != bytes) fail(what, fmt::format("has {} bytes where {} are expected", length, bytes));
  return length;
}

void Records::end(const std::string& what, int64_t length) {
  position_ += length;
  if (mark(what) != length) fail(what, fmt::format("does not end with its length of {} bytes", length));
}

std::vector<char> Records::next(const std::string& what, int64_t bytes) {
  const int64_t length = begin(what, bytes);
  std::vector<char> data(static_cast<size_t>(length));
  stream_.read(data.data(), length);
  end(what, length);
  return data;
}

int64_t Records::skip(const std::string& what, int64_t bytes) {
  const int64_t length = begin(what, bytes), content = position_;
  stream_.seekg(position_ + length);
  end(what, length);
  return content;
}

void Records::read_at(int64_t position, char* to, int64_t bytes, const std::string& what) const {
  stream_.clear();
  stream_.seekg(position);
  if (!stream_.read(to, bytes)) throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{}: {} cannot be read", path_.string(), what));
}

void Records::require_end(const std::string& what) const {
  if (position_ != size_) fail(what, fmt::format("should be the last, and {} bytes follow", size_ - position_));
}

}  // namespace suite::gw
