// SPDX-License-Identifier: BSD-3-Clause
// The module that captures are written by: HDF5 is linked here, not into libsuite.
#include <memory>
#include <mutex>

#include <suite/plugin.hpp>

#include "capture_module.h"
#include "hdf5/hdf5.hpp"

struct suite_capture_file {
  suite::hdf5::Writer writer;
};

namespace {

// HDF5 may have been built without support for threads.
template <class F> int alone(suite_error* error, F&& f) {
  static auto& one_at_a_time = *new std::mutex;  // never destroyed: a host's exit handlers may still call us
  return suite::guarded(error, [&] {
    const std::lock_guard lock(one_at_a_time);
    f();
  });
}

int create(const char* name, suite_capture_file** file, suite_error* error) {
  return alone(error, [&] { *file = new suite_capture_file{suite::hdf5::Writer(name)}; });
}

int text(suite_capture_file* file, const char* of, const char* name, const char* value, suite_error* error) {
  return alone(error, [&] { file->writer.text(name, value, of); });
}

int number(suite_capture_file* file, const char* of, const char* name, double value, suite_error* error) {
  return alone(error, [&] { file->writer.number(name, value, of); });
}

int array(suite_capture_file* file, const char* dataset, const suite_array* host, suite_error* error) {
  return alone(error, [&] { file->writer.array(dataset, *host); });
}

int commit(suite_capture_file* file, const char* stem, suite_error* error) {
  return alone(error, [&] { file->writer.commit_numbered(stem); });
}

void discard(suite_capture_file* file) {
  alone(nullptr, [&] { delete file; });
}

}  // namespace

const suite_capture_module* suite_capture_module_query(void) {
  static const suite_capture_module table{SUITE_CAPTURE_MODULE_VERSION, create, text, number, array, commit, discard};
  return &table;
}
