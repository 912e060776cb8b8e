// SPDX-License-Identifier: BSD-3-Clause
// An open device, shared by calls.
#pragma once

#include <atomic>
#include <string>

#include <suite/plugin.hpp>
#include <suite/suite.h>

#include "plugin_table.hpp"
#include "registry.hpp"

struct suite_device {
  suite_device(const suite::core::Plugin& plugin, int index);
  ~suite_device();
  suite_device(const suite_device&) = delete;
  suite_device& operator=(const suite_device&) = delete;

  void keep() { ++users_; }
  void release() {
    if (--users_ == 0) delete this;
  }
  bool shares_host_memory() const { return backend->shares_host_memory != 0; }
  void* allocate(uint64_t bytes, const std::string& what);
  void release(void* data) { backend->release(queue, data); }
  void upload(void* device, const void* host, uint64_t bytes);
  void download(void* host, const void* device, uint64_t bytes);
  // A pair of time marks for one run under way; there are eight.
  int take_marks();
  void free_marks(int pair) { marks_taken_ &= ~(1u << pair); }

  const suite_backend* backend;
  suite_queue* queue = nullptr;
  std::string name;  // "cpu:0"

private:
  std::atomic<int> users_{1};
  unsigned marks_taken_ = 0;
};

namespace suite::core {

// Throws what a backend or plugin function reported, with the name of what was tried.
void require_ok(int status, const suite_error& error, const std::string& what);
suite_device* open_device(const DeviceName& device);
// Whether a description holds a part, in whatever case of letters.
bool describes(const std::string& description, const std::string& part);
// Bytes of an array; throws when its extents are not sane.
uint64_t array_bytes(const suite_array& array, const std::string& name);

}  // namespace suite::core
