// SPDX-License-Identifier: BSD-3-Clause
// The backend "remote": two devices that do not share host memory, of one mebibyte each. Device 1 overcommits
// as hosts do: it hands out more than it has.
#include "remote.hpp"

#include <cstdlib>
#include <cstring>
#include <map>

#include <suite/plugin.hpp>

struct suite_queue {
  std::map<void*, size_t> allocated;
  bool overcommits = false;
  size_t used = 0;
  double clock = 0, marks[16] = {};
};

namespace {

constexpr size_t capacity = 1 << 20;

int device_count(int* count, suite_error*) {
  *count = 2;
  return SUITE_OK;
}
int open(int device, suite_queue** queue, suite_error*) {
  *queue = new suite_queue;
  (*queue)->overcommits = device == 1;
  return SUITE_OK;
}
void close(suite_queue* queue) { delete queue; }
int allocate(suite_queue* queue, size_t bytes, void** data, suite_error* error) {
  if (!queue->overcommits && queue->used + bytes > capacity) {
    suite::tell(error, "no room");
    return SUITE_OUT_OF_MEMORY;
  }
  void* memory = std::malloc(bytes);
  std::memset(memory, 0xff, bytes);
  *data = remote::address(memory);
  queue->allocated[*data] = bytes;
  queue->used += bytes;
  return SUITE_OK;
}
void release(suite_queue* queue, void* data) {
  queue->used -= queue->allocated.at(data);
  queue->allocated.erase(data);
  std::free(remote::resolve(data));
}
int upload(suite_queue*, void* device, const void* host, size_t bytes, suite_error* error) {
  if (!remote::is_remote(device) || remote::is_remote(host)) {
    suite::tell(error, "addresses mixed up");
    return SUITE_DEVICE_ERROR;
  }
  std::memcpy(remote::resolve(device), host, bytes);
  return SUITE_OK;
}
int download(suite_queue*, void* host, const void* device, size_t bytes, suite_error* error) {
  if (!remote::is_remote(device) || remote::is_remote(host)) {
    suite::tell(error, "addresses mixed up");
    return SUITE_DEVICE_ERROR;
  }
  std::memcpy(host, remote::resolve(device), bytes);
  return SUITE_OK;
}
int wait(suite_queue*, suite_error*) { return SUITE_OK; }
int mark(suite_queue* queue, int slot, suite_error*) {
  queue->marks[slot] = queue->clock += 0.25;  // a clock that a test can foresee
  return SUITE_OK;
}
double seconds(suite_queue* queue, int from, int to) { return queue->marks[to] - queue->marks[from]; }
void* native(suite_queue*) { return nullptr; }
const char* describe(suite_queue*) { return "pretended device"; }
int memory(suite_queue* queue, uint64_t* free, uint64_t* total, suite_error*) {
  *free = capacity - queue->used;
  *total = capacity;
  return SUITE_OK;
}
int place(suite_queue*, const void* data) { return remote::is_remote(data) ? SUITE_DEVICE : SUITE_HOST; }

constexpr suite_backend table{sizeof(suite_backend),
                              "remote",
                              0,
                              device_count,
                              open,
                              close,
                              allocate,
                              release,
                              upload,
                              download,
                              wait,
                              mark,
                              seconds,
                              native,
                              describe,
                              memory,
                              place};

}  // namespace

SUITE_BACKEND_PLUGIN(&table)
