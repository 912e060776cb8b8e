// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <suite/sha256.hpp>

#include "io_failure.hpp"
#include "deferred_error_driver.hpp"
#include "element_type.hpp"
#include "handles.hpp"
#include "hdf5.hpp"

namespace suite::hdf5 {

namespace {

// Extents of a chunk of about a MiB: whole rows of the last dimensions, as many as fit. Checksums need
// chunks.
std::vector<hsize_t> chunk_of(const std::vector<int64_t>& shape, size_t element) {
  std::vector<hsize_t> chunk(shape.begin(), shape.end());
  hsize_t left = std::max<hsize_t>(1, (1 << 20) / element);
  for (size_t d = chunk.size(); d-- > 0;) {
    chunk[d] = std::clamp<hsize_t>(chunk[d], 1, left);
    left = std::max<hsize_t>(1, left / chunk[d]);
  }
  return chunk;
}

std::string numbered(const std::string& stem, int n) { return concat(stem, "-", n, ".h5"); }

constexpr int most_files = 1000000;

// A number that no file has while one has the number before it. Found by doubling and halving: thousands of ranks
// may number their files together, and every look asks the file system.
int free_number(const std::string& stem) {
  const auto taken = [&](int n) { return ::access(numbered(stem, n).c_str(), F_OK) == 0; };
  int low = 0, high = 1;
  while (high < most_files && taken(high)) low = std::exchange(high, 2 * high);
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (taken(middle) ? low : high) = middle;
  }
  return high;
}

}  // namespace

Writer::Writer(std::filesystem::path path)
    : path_(std::move(path)), temporary_(concat(path_.string(), ".part", ::getpid())), file_(std::make_unique<DeferredErrorFile>()) {
  Quiet quiet;
  file_->descriptor = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file_->descriptor < 0) fail(std::strerror(errno));
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  if (set_deferred_error_driver(access, file_.get()) >= 0) id_ = H5Fcreate(temporary_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (id_ >= 0 && !file_->error) return;
  const std::string reason = file_->error ? std::strerror(file_->error) : last_error();
  close();
  fail(reason);
}

Writer::~Writer() { close(); }

// What is not finished is taken away.
void Writer::close() {
  Quiet quiet;
  if (id_ >= 0) H5Fclose(id_);
  id_ = -1;
  if (file_->descriptor < 0) return;
  ::close(file_->descriptor);
  file_->descriptor = -1;
  ::unlink(temporary_.c_str());
}

void Writer::fail(const std::string& what) const { throw IoFailure("cannot write '" + path_.string() + "': " + what); }

void Writer::require(bool good, const std::string& what) const {
  if (file_->error) fail(std::strerror(file_->error));
  if (!good) fail(what + ": " + last_error());
}

// data: none for zeros, which take their room on the disk at once, as readers want it.
void Writer::make(const std::string& dataset, int64_t type, const std::vector<int64_t>& shape, const void* data) {
  const std::vector<hsize_t> extent(shape.begin(), shape.end());
  const int rank = static_cast<int>(extent.size());
  const bool empty = std::find(extent.begin(), extent.end(), hsize_t{0}) != extent.end();
  const Handle space(H5Screate_simple(rank, extent.data(), nullptr), H5Sclose);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose), how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  if (rank == 0) H5Pset_layout(how, H5D_COMPACT);  // in the header, which has a checksum of its own
  if (!empty && rank > 0) {
    const auto chunk = chunk_of(shape, H5Tget_size(type));
    H5Pset_chunk(how, rank, chunk.data());
    H5Pset_fletcher32(how);
    if (!data) H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
  }
  const Handle set(H5Dcreate2(id_, dataset.c_str(), type, space, links, how, H5P_DEFAULT), H5Dclose);
  require(set >= 0 && (empty || !data || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0), "dataset " + dataset);
}

void Writer::write(const std::string& dataset, int64_t type, const void* data, const std::vector<int64_t>& shape) {
  Quiet quiet;
  make(dataset, type, shape, data);
  size_t bytes = H5Tget_size(type);
  for (int64_t extent : shape) bytes *= static_cast<size_t>(extent);
  text(digest_name, hexadecimal(sha256(data, bytes)), dataset);
}

void Writer::create(const std::string& dataset, const std::vector<int64_t>& shape) {
  Quiet quiet;
  make(dataset, H5T_NATIVE_DOUBLE, shape, nullptr);
}

void Writer::write_block(const std::string& dataset, const std::vector<int64_t>& offset, const std::vector<int64_t>& count,
                         const double* data) {
  Quiet quiet;
  const std::vector<hsize_t> from(offset.begin(), offset.end()), extent(count.begin(), count.end());
  const Handle set(H5Dopen2(id_, dataset.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle space(set >= 0 ? H5Dget_space(set) : -1, H5Sclose);
  const Handle memory(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose);
  require(space >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, from.data(), nullptr, extent.data(), nullptr) >= 0 &&
              H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, data) >= 0,
          "dataset " + dataset);
}

template <class T> void Writer::write(const std::string& dataset, const T* data, const std::vector<int64_t>& shape) {
  write(dataset, memory_type<T>(), data, shape);
}

void Writer::array(const std::string& dataset, const suite_array& host) {
  const ElementType type(host.type);
  if (type < 0) fail(concat("dataset ", dataset, ": it has the unknown type ", host.type));
  write(dataset, type, host.data, std::vector<int64_t>(std::reverse_iterator(host.extent + host.rank), std::reverse_iterator(host.extent)));
}

void Writer::attribute(const std::string& name, int64_t type, const void* value, const std::string& of) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle made(H5Acreate_by_name(id_, of.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  require(made >= 0 && H5Awrite(made, type, value) >= 0, "attribute " + name);
}

void Writer::text(const std::string& name, const std::string& value, const std::string& of) {
  Quiet quiet;
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, value.size() + 1);
  attribute(name, type, value.c_str(), of);
}

void Writer::number(const std::string& name, double value, const std::string& of) {
  Quiet quiet;
  attribute(name, H5T_NATIVE_DOUBLE, &value, of);
}

// Everything on the disk, under the temporary name.
void Writer::finish() {
  Quiet quiet;
  const bool flushed = H5Fflush(id_, H5F_SCOPE_GLOBAL) >= 0;
  require(flushed, "it cannot be flushed");
  const bool closed = H5Fclose(std::exchange(id_, -1)) >= 0;
  require(closed, "it cannot be closed");
  if (::fsync(file_->descriptor) != 0) fail(std::strerror(errno));
}

void Writer::commit() {
  finish();
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail(std::strerror(errno));
  ::close(std::exchange(file_->descriptor, -1));
}

std::filesystem::path Writer::commit_numbered(const std::string& stem) {
  finish();
  for (int n = free_number(stem); n < most_files; ++n) {
    path_ = numbered(stem, n);
    // A link, unlike a new name, never takes the place of a file that is there.
    if (::link(temporary_.c_str(), path_.c_str()) == 0) {
      close();
      return path_;
    }
    if (errno != EEXIST) break;
  }
  fail(std::strerror(errno));
}

template void Writer::write<int>(const std::string&, const int*, const std::vector<int64_t>&);
template void Writer::write<int64_t>(const std::string&, const int64_t*, const std::vector<int64_t>&);
template void Writer::write<float>(const std::string&, const float*, const std::vector<int64_t>&);
template void Writer::write<double>(const std::string&, const double*, const std::vector<int64_t>&);

}  // namespace suite::hdf5
