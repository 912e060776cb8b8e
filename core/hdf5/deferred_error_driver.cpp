// SPDX-License-Identifier: BSD-3-Clause
#include "deferred_error_driver.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <new>

#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace suite::hdf5 {
namespace {

struct Open : H5FD_t {
  DeferredErrorFile* file = nullptr;
  haddr_t eoa = 0, eof = 0;  // what HDF5 has allocated, and how far it has written
};

DeferredErrorFile& file_of(H5FD_t* handle) { return *static_cast<Open*>(handle)->file; }

// f() as long as nothing has failed, again where a signal came in between; its failure is kept.
template <class F> void unless_failed(DeferredErrorFile& file, F&& f) {
  if (file.error) return;
  while (f() < 0) {
    if (errno == EINTR) continue;
    file.error = errno;
    return;
  }
}

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  const auto* given = static_cast<DeferredErrorFile* const*>(H5Pget_driver_info(access));
  auto* handle = given ? new (std::nothrow) Open{} : nullptr;
  if (handle) handle->file = *given;
  return handle;
}

herr_t close_file(H5FD_t* handle) {
  delete static_cast<Open*>(handle);
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  if (flags)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_eoa(const H5FD_t* handle, H5FD_mem_t) { return static_cast<const Open*>(handle)->eoa; }
haddr_t get_eof(const H5FD_t* handle, H5FD_mem_t) { return static_cast<const Open*>(handle)->eof; }
herr_t set_eoa(H5FD_t* handle, H5FD_mem_t, haddr_t end) {
  static_cast<Open*>(handle)->eoa = end;
  return 0;
}

// What was never written reads as zeros, as in a file with holes.
herr_t read(H5FD_t* handle, H5FD_mem_t, hid_t, haddr_t from, size_t bytes, void* to) {
  DeferredErrorFile& file = file_of(handle);
  auto* next = static_cast<char*>(to);
  while (bytes > 0 && !file.error) {
    ssize_t got = 0;
    unless_failed(file, [&] { return got = ::pread(file.descriptor, next, bytes, static_cast<off_t>(from)); });
    if (got <= 0) break;
    next += got;
    from += static_cast<haddr_t>(got);
    bytes -= static_cast<size_t>(got);
  }
  std::memset(next, 0, bytes);
  return 0;
}

herr_t write(H5FD_t* handle, H5FD_mem_t, hid_t, haddr_t to, size_t bytes, const void* from) {
  DeferredErrorFile& file = file_of(handle);
  const auto* next = static_cast<const char*>(from);
  auto& eof = static_cast<Open*>(handle)->eof;
  eof = std::max(eof, to + bytes);
  while (bytes > 0 && !file.error) {
    ssize_t put = 0;
    unless_failed(file, [&] { return put = ::pwrite(file.descriptor, next, bytes, static_cast<off_t>(to)); });
    if (put <= 0) break;
    next += put;
    to += static_cast<haddr_t>(put);
    bytes -= static_cast<size_t>(put);
  }
  return 0;
}

herr_t truncate(H5FD_t* handle, hid_t, hbool_t) {
  auto* open = static_cast<Open*>(handle);
  if (open->eof == open->eoa) return 0;
  unless_failed(*open->file, [&] { return ::ftruncate(open->file->descriptor, static_cast<off_t>(open->eoa)); });
  open->eof = open->eoa;
  return 0;
}

H5FD_class_t driver() {
  H5FD_class_t table{};
#if H5_VERSION_GE(1, 13, 0)
  table.version = H5FD_CLASS_VERSION;
  table.value = 600;  // 512 and above are free for drivers of one's own
#endif
  table.name = "suite_deferred_errors";
  table.maxaddr = (haddr_t(1) << 62) - 1;
  table.fc_degree = H5F_CLOSE_WEAK;
  table.fapl_size = sizeof(DeferredErrorFile*);
  table.open = open_file;
  table.close = close_file;
  table.query = query;
  table.get_eoa = get_eoa;
  table.set_eoa = set_eoa;
  table.get_eof = get_eof;
  table.read = read;
  table.write = write;
  table.truncate = truncate;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), table.fl_map);
  return table;
}

}  // namespace

// Registered again each time: a host that closes the whole HDF5 library (h5close_f) makes older identifiers
// void.
herr_t set_deferred_error_driver(hid_t access, DeferredErrorFile* file) {
  static const H5FD_class_t table = driver();
  const hid_t id = H5FDregister(&table);
  if (id < 0) return -1;
  const herr_t status = H5Pset_driver(access, id, &file);
  H5FDunregister(id);  // the properties, and then the file, hold it
  return status;
}

}  // namespace suite::hdf5
