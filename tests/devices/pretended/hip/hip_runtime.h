// SPDX-License-Identifier: BSD-3-Clause
// The part of HIP that the backend uses, pretended on the host, to test the backend's own logic where there
// is no GPU: two devices of 64 MiB; copies from and to pinned memory are carried out as late as allowed, when
// an event or the stream is synchronised, so that a buffer used again too early shows.
// PRETENDED_FAULT="MemcpyAsync 700" makes that function return 700.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#define __HIP_PLATFORM_AMD__ 1
#define HIP_VERSION_MAJOR 5

struct dim3 {
  unsigned x, y, z;
};
enum hipError_t {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorMemoryAllocation = 2,
  hipErrorNoDevice = 100,
  hipErrorInvalidDevice = 101,
  hipErrorECCNotCorrectable = 214,
  hipErrorIllegalAddress = 700,
  hipErrorLaunchFailure = 719,
  hipErrorUnknown = 999
};
enum hipMemcpyKind { hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice };
enum hipMemoryType { hipMemoryTypeHost, hipMemoryTypeDevice };
enum { hipHostMallocDefault = 0, hipStreamNonBlocking = 1 };
struct hipDeviceProp_t {
  char name[256];
  char gcnArchName[256];
  int multiProcessorCount, clockRate;
};
struct hipPointerAttribute_t {
  hipMemoryType memoryType;
  int device, isManaged;
};

namespace pretended {

struct Copy {
  void* to;
  std::vector<char> kept;  // of pageable memory, which the runtime has copied already
  const void* from;
  size_t bytes;
};
struct Stream {
  std::deque<Copy> waiting;
  size_t enqueued = 0, done = 0;
  void carry_out(size_t until) {
    for (; done < until; ++done, waiting.pop_front()) {
      const Copy& copy = waiting.front();
      std::memcpy(copy.to, copy.from ? copy.from : copy.kept.data(), copy.bytes);
    }
  }
};
struct Event {
  Stream* stream = nullptr;
  size_t after = 0;
};
struct Block {
  size_t bytes;
  int device;  // -1: pinned host memory
};
struct State {
  int device = 0;
  std::map<uintptr_t, Block> blocks;
  uint64_t used[2] = {0, 0};
};
inline constexpr uint64_t total = 64 << 20;
inline State& state() {
  static State& all = *new State;
  return all;
}
inline const Block* find(const void* data, size_t bytes) {
  const auto address = reinterpret_cast<uintptr_t>(data);
  auto at = state().blocks.upper_bound(address);
  if (at == state().blocks.begin()) return nullptr;
  --at;
  return address + bytes <= at->first + at->second.bytes && address < at->first + at->second.bytes ? &at->second : nullptr;
}
inline hipError_t fault(const char* function) {
  const char* wanted = std::getenv("PRETENDED_FAULT");
  if (!wanted) return hipSuccess;
  std::istringstream words(wanted);
  std::string name;
  int code = 0;
  words >> name >> code;
  return name == function ? static_cast<hipError_t>(code) : hipSuccess;
}
inline hipError_t take(void** data, size_t bytes, int device) {
  if (device >= 0 && bytes > total - state().used[device]) return hipErrorMemoryAllocation;
  if (::posix_memalign(data, 256, bytes) != 0) return hipErrorMemoryAllocation;
  state().blocks[reinterpret_cast<uintptr_t>(*data)] = {bytes, device};
  if (device >= 0) state().used[device] += bytes;
  return hipSuccess;
}
inline hipError_t give_back(void* data) {
  const auto at = state().blocks.find(reinterpret_cast<uintptr_t>(data));
  if (at == state().blocks.end()) return data ? hipErrorInvalidValue : hipSuccess;
  if (at->second.device >= 0) state().used[at->second.device] -= at->second.bytes;
  state().blocks.erase(at);
  std::free(data);
  return hipSuccess;
}

}  // namespace pretended

using hipStream_t = pretended::Stream*;
using hipEvent_t = pretended::Event*;

#define PRETENDED(function) \
  if (const hipError_t error = pretended::fault(#function); error != hipSuccess) return error

inline const char* hipGetErrorName(hipError_t error) {
  switch (error) {
    case hipSuccess: return "hipSuccess";
    case hipErrorInvalidValue: return "hipErrorInvalidValue";
    case hipErrorMemoryAllocation: return "hipErrorMemoryAllocation";
    case hipErrorIllegalAddress: return "hipErrorIllegalAddress";
    case hipErrorLaunchFailure: return "hipErrorLaunchFailure";
    default: return "hipErrorUnknown";
  }
}
inline const char* hipGetErrorString(hipError_t error) {
  return error == hipErrorIllegalAddress ? "an illegal memory access was encountered" : hipGetErrorName(error);
}
inline hipError_t hipGetLastError() { return hipSuccess; }
inline hipError_t hipGetDeviceCount(int* count) {
  PRETENDED(GetDeviceCount);
  *count = 2;
  return hipSuccess;
}
inline hipError_t hipSetDevice(int device) {
  PRETENDED(SetDevice);
  if (device < 0 || device > 1) return hipErrorInvalidDevice;
  pretended::state().device = device;
  return hipSuccess;
}
inline hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int) {
  PRETENDED(GetDeviceProperties);
  *properties = {"pretended GPU", "gfx90a", 1, 1000000};
  return hipSuccess;
}
inline hipError_t hipDriverGetVersion(int* version) {
  *version = 0;
  return hipSuccess;
}
inline hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  *total = pretended::total;
  *free = pretended::total - pretended::state().used[pretended::state().device];
  return hipSuccess;
}
inline hipError_t hipMalloc(void** data, size_t bytes) {
  PRETENDED(Malloc);
  return pretended::take(data, bytes, pretended::state().device);
}
inline hipError_t hipFree(void* data) { return pretended::give_back(data); }
inline hipError_t hipHostMalloc(void** data, size_t bytes, unsigned) {
  PRETENDED(HostMalloc);
  return pretended::take(data, bytes, -1);
}
inline hipError_t hipHostFree(void* data) { return pretended::give_back(data); }
inline hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* data) {
  const pretended::Block* block = pretended::find(data, 1);
  if (!block) return hipErrorInvalidValue;
  *attributes = {block->device < 0 ? hipMemoryTypeHost : hipMemoryTypeDevice, block->device, 0};
  return hipSuccess;
}
inline hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned) {
  PRETENDED(StreamCreateWithFlags);
  *stream = new pretended::Stream;
  return hipSuccess;
}
inline hipError_t hipStreamSynchronize(hipStream_t stream) {
  PRETENDED(StreamSynchronize);
  stream->carry_out(stream->enqueued);
  return hipSuccess;
}
inline hipError_t hipStreamDestroy(hipStream_t stream) {
  delete stream;
  return hipSuccess;
}
inline hipError_t hipEventCreate(hipEvent_t* event) {
  PRETENDED(EventCreate);
  *event = new pretended::Event;
  return hipSuccess;
}
inline hipError_t hipEventDestroy(hipEvent_t event) {
  delete event;
  return hipSuccess;
}
inline hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  PRETENDED(EventRecord);
  *event = {stream, stream->enqueued};
  return hipSuccess;
}
inline hipError_t hipEventSynchronize(hipEvent_t event) {
  PRETENDED(EventSynchronize);
  if (event->stream) event->stream->carry_out(event->after);
  return hipSuccess;
}
inline hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t, hipEvent_t) {
  *milliseconds = 1;
  return hipSuccess;
}
inline hipError_t hipMemcpyAsync(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  PRETENDED(MemcpyAsync);
  const void* device = kind == hipMemcpyHostToDevice ? to : from;
  const void* host = kind == hipMemcpyHostToDevice ? from : to;
  const pretended::Block* there = pretended::find(device, bytes);
  const pretended::Block* here = pretended::find(host, bytes);
  if (!there || there->device < 0 || (here && here->device >= 0)) return hipErrorInvalidValue;
  pretended::Copy copy{to, {}, from, bytes};
  if (!here && kind == hipMemcpyHostToDevice) {
    copy.kept.assign(static_cast<const char*>(from), static_cast<const char*>(from) + bytes);
    copy.from = nullptr;
  }
  stream->waiting.push_back(std::move(copy));
  ++stream->enqueued;
  if (!here && kind == hipMemcpyDeviceToHost) stream->carry_out(stream->enqueued);
  return hipSuccess;
}
#undef PRETENDED
