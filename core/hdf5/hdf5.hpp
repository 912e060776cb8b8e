// SPDX-License-Identifier: BSD-3-Clause
// HDF5 files. Reading: every size is checked before memory is taken, and every failure names file and
// dataset. Writing: a reader finds the whole file with checksums, or the one that was there before.
#pragma once

#include <complex>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <suite/abi.h>

namespace suite::hdf5 {

inline constexpr int64_t any = -1;  // in an expected shape: this extent may have any value

// An array of a kernel: first index fastest. array.data is not used.
struct Array {
  suite_array array{};
  std::vector<char> bytes;
};

// A file opened for reading. HDF5's own messages stay off; what it says becomes part of the Failure.
class File {
public:
  explicit File(std::filesystem::path path);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const std::filesystem::path& path() const { return path_; }
  bool has(const std::string& dataset) const;
  std::vector<int64_t> shape(const std::string& dataset) const;

  // A whole dataset of int, int64_t, float or double, C order. Fails unless its shape is `expected`.
  template <class T> std::vector<T> read(const std::string& dataset, const std::vector<int64_t>& expected) const;
  // The block of `count` elements from `offset` of a dataset that has the shape `expected`.
  template <class T>
  std::vector<T> read_block(const std::string& dataset, const std::vector<int64_t>& expected, const std::vector<int64_t>& offset,
                            const std::vector<int64_t>& count) const;
  // The same to a place that has room for it.
  template <class T>
  void read_block(const std::string& dataset, const std::vector<int64_t>& expected, const std::vector<int64_t>& offset,
                  const std::vector<int64_t>& count, T* out) const;
  // A dataset with one element; fails when the value is outside low ... high.
  int integer(const std::string& dataset, int low, int high) const;
  double real(const std::string& dataset, double low, double high) const;

  // What Writer::array wrote, with its type and extents as an argument of a kernel has them. Its data are the
  // bytes.
  Array array(const std::string& dataset) const;

  // A dataset of texts, of variable or fixed length.
  std::vector<std::string> texts(const std::string& dataset, const std::vector<int64_t>& expected) const;

  // A text or number that is an attribute of the file, of a group or of a dataset, as Writer::text and number write it.
  bool has_attribute(const std::string& name, const std::string& of = "/") const;
  std::string text(const std::string& name, const std::string& of = "/") const;
  double number(const std::string& name, const std::string& of = "/") const;

  // "FILE: dataset NAME: SENTENCE", as a Failure.
  [[noreturn]] void fail(const std::string& dataset, const std::string& sentence) const;

private:
  // Whether these are the bytes that Writer wrote; a file of another program does not tell.
  enum class Digest { wanted, needed };
  void check_digest(const std::string& dataset, const void* data, size_t bytes, Digest digest) const;
  template <class T> T scalar(const std::string& dataset) const;
  std::filesystem::path path_;
  int64_t id_ = -1;
};

struct DeferredErrorFile;

// A file being written under a temporary name in the same folder. commit() brings it to the disk and gives it
// its name; without commit() nothing is left. Datasets carry Fletcher's checksum, and their SHA-256 as an
// attribute, since the former does not notice zeros in place of everything, so that a damaged file is found
// out. A full disk is a failure of write() or commit(), nothing worse.
class Writer {
public:
  explicit Writer(std::filesystem::path path);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // int, int64_t, float or double, C order. Throws IoFailure.
  template <class T> void write(const std::string& dataset, const T* data, const std::vector<int64_t>& shape);
  template <class T> void write(const std::string& dataset, const std::vector<T>& values) {
    write(dataset, values.data(), {static_cast<int64_t>(values.size())});
  }
  // A dataset of zeros of double, and a block of it: for one that is larger than what is in memory at a time. It has no SHA-256.
  void create(const std::string& dataset, const std::vector<int64_t>& shape);
  void write_block(const std::string& dataset, const std::vector<int64_t>& offset, const std::vector<int64_t>& count, const double* data);
  // An array of a kernel on the host, of any suite_type and with data. HDF5 names extents with the fastest
  // index last, so they stand in reverse; a complex number is a compound of r and i, as h5py has it.
  void array(const std::string& dataset, const suite_array& host);
  // Attributes of the file, or of a dataset.
  void text(const std::string& name, const std::string& value, const std::string& of = "/");
  void number(const std::string& name, double value, const std::string& of = "/");
  void commit();
  // As commit(), but for the name: the next of STEM-1.h5, STEM-2.h5, ... that no file has yet.
  std::filesystem::path commit_numbered(const std::string& stem);

private:
  [[noreturn]] void fail(const std::string& what) const;
  void require(bool good, const std::string& what) const;
  void write(const std::string& dataset, int64_t type, const void* data, const std::vector<int64_t>& shape);
  void make(const std::string& dataset, int64_t type, const std::vector<int64_t>& shape, const void* data);
  void attribute(const std::string& name, int64_t type, const void* value, const std::string& of);
  void finish();
  void close();
  std::filesystem::path path_, temporary_;
  std::unique_ptr<DeferredErrorFile> file_;
  int64_t id_ = -1;
};

}  // namespace suite::hdf5
