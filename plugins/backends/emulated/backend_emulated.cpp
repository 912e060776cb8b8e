// SPDX-License-Identifier: BSD-3-Clause
// The backend "emulated": GPU kernels run by the CPU (suite/emulation), to test them where there is no
// GPU. It keeps the manners of one: memory of its own, NaN where nothing was written, a warp of 32 or 64
// lanes.
//   SUITE_EMULATED_WARP     32 (as NVIDIA) or 64 (as AMD's CDNA); 32 when unset
//   SUITE_EMULATED_DEVICES  1 to 16; 1 when unset
//   SUITE_EMULATED_MEMORY   MiB of each device; 2048 when unset
#include <sched.h>
#include <time.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>

#include <suite/emulation/stream.hpp>
#include <suite/deterministic.hpp>
#include <suite/plugin.hpp>

#include "memory.hpp"

using suite::concat;
using suite::Failure;
using suite::guarded;
using suite::emulated::Memory;

struct suite_queue {
  suite::emulation::Stream stream;
  Memory* memory;
  double marks[16] = {};
  std::string name, description;
};

namespace {

constexpr int slots = 16;

int64_t number_from_environment(const char* name, int64_t otherwise, int64_t low, int64_t high) {
  const char* text = std::getenv(name);
  if (!text || !*text) return otherwise;
  int64_t value = 0;
  const auto read = std::from_chars(text, text + std::strlen(text), value);
  if (read.ec != std::errc() || *read.ptr || value < low || value > high)
    throw Failure(SUITE_INVALID_ARGUMENT, concat(name, " is '", text, "'; it must be a number from ", low, " to ", high));
  return value;
}

int warp_lanes() {
  const auto lanes = static_cast<int>(number_from_environment("SUITE_EMULATED_WARP", 32, 32, 64));
  if (lanes != 32 && lanes != 64)
    throw Failure(SUITE_INVALID_ARGUMENT, concat("SUITE_EMULATED_WARP is '", lanes, "'; it must be one of 32, 64"));
  return lanes;
}

// Devices last as long as the process, like real ones.
std::deque<Memory>& devices() {
  static std::deque<Memory>& all = *[] {
    const int64_t count = number_from_environment("SUITE_EMULATED_DEVICES", 1, 1, 16);
    const int64_t mebibytes = number_from_environment("SUITE_EMULATED_MEMORY", 2048, 1, int64_t(1) << 24);
    auto* made = new std::deque<Memory>;
    for (int64_t i = 0; i < count; ++i) made->emplace_back(static_cast<uint64_t>(mebibytes) << 20);
    return made;
  }();
  return all;
}

// A deterministic run has the same device wherever it runs: kernels cut their work by its multiprocessors.
int usable_cores() {
  constexpr int of_a_deterministic_run = 16;
  if (suite::deterministic_wanted()) return of_a_deterministic_run;
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

int device_count(int* count, suite_error* error) {
  return guarded(error, [&] { *count = static_cast<int>(devices().size()); });
}

int open(int device, suite_queue** queue, suite_error* error) {
  return guarded(error, [&] {
    const int warp = warp_lanes(), cores = usable_cores();
    // As much as a block has on an A100 (CUDA) or on any AMD GPU.
    const size_t shared = warp == 32 ? 163 * 1024 : 64 * 1024;
    auto* made = new suite_queue{{device, warp, cores, shared}, &devices()[static_cast<size_t>(device)], {}, {}, {}};
    made->name = concat("emulated:", device);
    made->description =
        concat("emulated GPU, ", cores, cores == 1 ? " core" : " cores", ", warps of ", warp, " lanes; for tests, not for speed");
    *queue = made;
  });
}

void close(suite_queue* queue) { delete queue; }

int allocate(suite_queue* queue, size_t bytes, void** data, suite_error* error) {
  return guarded(error, [&] { *data = queue->memory->allocate(bytes); });
}

void release(suite_queue* queue, void* data) { queue->memory->release(data); }

// Throws unless the device's side of a copy lies on this device and the host's side does not.
void check_copy(const suite_queue& queue, const void* device, const void* host, size_t bytes) {
  const size_t left = queue.memory->bytes_left(device);
  if (left == 0) throw Failure(SUITE_INVALID_ARGUMENT, "the device address is not memory of " + queue.name);
  if (left < bytes)
    throw Failure(SUITE_INVALID_ARGUMENT, concat("a copy of ", bytes, " bytes, but the array on ", queue.name, " ends after ", left));
  for (const Memory& memory : devices())
    if (memory.holds(host)) throw Failure(SUITE_INVALID_ARGUMENT, "the host address is memory of a device");
}

int upload(suite_queue* queue, void* device, const void* host, size_t bytes, suite_error* error) {
  return guarded(error, [&] {
    if (bytes == 0) return;
    check_copy(*queue, device, host, bytes);
    std::memcpy(device, host, bytes);
  });
}

int download(suite_queue* queue, void* host, const void* device, size_t bytes, suite_error* error) {
  return guarded(error, [&] {
    if (bytes == 0) return;
    check_copy(*queue, device, host, bytes);
    std::memcpy(host, device, bytes);
  });
}

int wait(suite_queue* queue, suite_error* error) {
  return guarded(error, [&] {
    if (const std::string damage = queue->memory->damage(); !damage.empty()) throw Failure(SUITE_DEVICE_ERROR, damage);
  });
}

int mark(suite_queue* queue, int slot, suite_error* error) {
  return guarded(error, [&] {
    if (slot < 0 || slot >= slots)
      throw Failure(SUITE_INVALID_ARGUMENT, concat("the slot of a mark is ", slot, "; it must be from 0 to 15"));
    timespec now;
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    queue->marks[slot] = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  });
}

double seconds(suite_queue* queue, int from, int to) {
  if (from < 0 || from >= slots || to < 0 || to >= slots) return 0;
  return queue->marks[to] - queue->marks[from];
}

void* native(suite_queue* queue) { return &queue->stream; }

const char* describe(suite_queue* queue) { return queue->description.c_str(); }

int memory(suite_queue* queue, uint64_t* free, uint64_t* total, suite_error*) {
  *free = queue->memory->free();
  *total = queue->memory->total();
  return SUITE_OK;
}

int place(suite_queue*, const void* data) {
  for (const Memory& memory : devices())
    if (memory.holds(data)) return SUITE_DEVICE;
  return SUITE_HOST;
}

constexpr suite_backend emulated{sizeof(suite_backend),
                                 "emulated",
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

SUITE_BACKEND_PLUGIN(&emulated)
