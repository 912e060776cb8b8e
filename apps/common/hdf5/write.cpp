// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "../io.hpp"
#include "handles.hpp"
#include "hdf5.hpp"

namespace suite::app::hdf5 {

namespace {

// Extents of a chunk of about a MiB: whole rows of the last dimensions, as many as fit. Checksums need
// chunks.
std::vector<hsize_t> chunk_of(const std::vector<int64_t>& shape, size_t element) {
  std::vector<hsize_t> chunk(shape.begin(), shape.end());
  hsize_t room = std::max<hsize_t>(1, (1 << 20) / element);
  for (size_t d = chunk.size(); d-- > 0;) {
    chunk[d] = std::clamp<hsize_t>(chunk[d], 1, room);
    room = std::max<hsize_t>(1, room / chunk[d]);
  }
  return chunk;
}

}  // namespace

Writer::Writer(std::filesystem::path path)
    : path_(std::move(path)), temporary_(path_.string() + ".part" + std::to_string(::getpid())) {
  Quiet quiet;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  id_ = H5Fcreate(temporary_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (id_ < 0) fail(last_error());
}

Writer::~Writer() {
  if (id_ < 0) return;
  Quiet quiet;
  H5Fclose(id_);
  ::unlink(temporary_.c_str());
}

void Writer::fail(const std::string& what) const {
  throw IoFailure("cannot write '" + path_.string() + "': " + what);
}

template <class T>
void Writer::write(const std::string& dataset, const T* data, const std::vector<int64_t>& shape) {
  Quiet quiet;
  const std::vector<hsize_t> extent(shape.begin(), shape.end());
  const int rank = static_cast<int>(extent.size());
  const bool empty = std::find(extent.begin(), extent.end(), hsize_t{0}) != extent.end();
  const Handle space(H5Screate_simple(rank, extent.data(), nullptr), H5Sclose);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose), how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  if (!empty && rank > 0) {
    const auto chunk = chunk_of(shape, sizeof(T));
    H5Pset_chunk(how, rank, chunk.data());
    H5Pset_fletcher32(how);
  }
  const Handle set(H5Dcreate2(id_, dataset.c_str(), memory_type<T>(), space, links, how, H5P_DEFAULT),
                   H5Dclose);
  if (set < 0) fail("dataset " + dataset + ": " + last_error());
  if (!empty && H5Dwrite(set, memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
    fail("dataset " + dataset + ": " + last_error());
}

void Writer::text(const std::string& name, const std::string& value) {
  Quiet quiet;
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type, value.size() + 1);
  const Handle attribute(H5Acreate2(id_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (attribute < 0 || H5Awrite(attribute, type, value.c_str()) < 0)
    fail("text " + name + ": " + last_error());
}

void Writer::commit() {
  Quiet quiet;
  if (H5Fflush(id_, H5F_SCOPE_GLOBAL) < 0) fail(last_error());
  const hid_t id = static_cast<hid_t>(id_);
  id_ = -1;
  const bool closed = H5Fclose(id) >= 0;
  const int fd = closed ? ::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC) : -1;
  const bool synced = fd >= 0 && ::fsync(fd) == 0;
  if (fd >= 0) ::close(fd);
  if (synced && ::rename(temporary_.c_str(), path_.c_str()) == 0) return;
  const std::string reason = closed ? std::strerror(errno) : last_error();
  ::unlink(temporary_.c_str());
  fail(reason);
}

template void Writer::write<int>(const std::string&, const int*, const std::vector<int64_t>&);
template void Writer::write<int64_t>(const std::string&, const int64_t*, const std::vector<int64_t>&);
template void Writer::write<float>(const std::string&, const float*, const std::vector<int64_t>&);
template void Writer::write<double>(const std::string&, const double*, const std::vector<int64_t>&);

}  // namespace suite::app::hdf5
