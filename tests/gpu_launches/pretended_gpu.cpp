// SPDX-License-Identifier: BSD-3-Clause
// AMD's runtime, pretended, for the host sides of the plugins for HIP: a launch is compared with the limits of a device and not
// executed, so that every kernel can be planned at sizes that no processor computes in a day. Preloaded under the runtime's name,
// it is what the plugins load on their first call (cmake/hip_on_demand.cpp); with the limits of an NVIDIA GPU the same host code
// plans the launches of the plugins for CUDA.
//
//   SUITE_PRETENDED_GPU   a file: "limit <name> <value>" and "kernel <symbol> <static shared bytes> <registers> <most threads>", one a line;
//                         suite_pretend(file) makes another device of it
//   SUITE_PRETENDED_LOG   a file that gets a line for each launch unlike all before
//
// Memory of the device is memory of this process that takes no page until it is written. Above 512 MiB an array is one page after
// another the same 2 MiB, so that it may be as large as the device's: what it holds is no result, and no launch may depend on it.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include <hip/hip_runtime_api.h>

namespace {

constexpr size_t repeated_from = size_t(512) << 20, repeated_bytes = size_t(2) << 20;

struct Kernel {
  std::string symbol;
  size_t fixed = 0;  // static shared memory
  unsigned registers = 0, most_threads = 0;  // 0: the compiler's report does not have the kernel
  size_t asked = 0;  // dynamic shared memory that FuncSetAttribute allowed
};
struct Configuration {
  dim3 grid, block;
  size_t shared;
  hipStream_t stream;
};
struct Device {
  std::map<std::string, uint64_t> limits;
  std::map<std::string, Kernel> known;  // by symbol
  std::map<const void*, Kernel> kernels;  // by the address that stands for it on the host
  std::map<uintptr_t, size_t> arrays, pinned;  // address to bytes
  size_t used = 0;
  int turn = -1;  // number of the device: hosts remember what they asked of each
  std::FILE* log = nullptr;

  std::set<std::string> logged;

  Device() {
    const char* name = std::getenv("SUITE_PRETENDED_GPU");
    become(name ? name : "");
    const char* path = std::getenv("SUITE_PRETENDED_LOG");
    log = path ? std::fopen(path, "w") : nullptr;
  }
  void become(const char* name) {
    ++turn;
    limits.clear();
    known.clear();
    logged.clear();
    std::ifstream file(name);
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string what, key;
      words >> what >> key;
      if (what == "limit") words >> limits[key];
      if (what == "kernel") {
        Kernel& kernel = known[key];
        kernel.symbol = key;
        words >> kernel.fixed >> kernel.registers >> kernel.most_threads;
      }
    }
    if (limits.empty()) {
      std::fprintf(stderr, "'%s' has no limits of a device (SUITE_PRETENDED_GPU)\n", name);
      std::abort();
    }
    for (auto& [function, kernel] : kernels) kernel = described(kernel.symbol);
  }
  Kernel described(const std::string& symbol) const {
    const auto at = known.find(symbol);
    return at == known.end() ? Kernel{symbol} : at->second;
  }
  uint64_t limit(const char* name) const { return limits.at(name); }
};

// Never destroyed: plugins go after it.
Device& device() {
  static Device& one = *new Device;
  return one;
}
int waits = 0, launches = 0, graphs = 0;
bool captured = false;
thread_local hipError_t last = hipSuccess;
thread_local std::string why;

size_t up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

hipError_t fail(hipError_t error, const std::string& sentence) {
  why = sentence;
  return last = error;
}

const std::pair<const uintptr_t, size_t>* find(const std::map<uintptr_t, size_t>& arrays, const void* data) {
  auto at = arrays.upper_bound(reinterpret_cast<uintptr_t>(data));
  if (at == arrays.begin()) return nullptr;
  --at;
  return reinterpret_cast<uintptr_t>(data) - at->first < at->second ? &*at : nullptr;
}
bool is_repeated(const void* data) {
  const auto* array = find(device().arrays, data);
  return array && array->second > repeated_from;
}

size_t registers_of_block(const Kernel& kernel, unsigned threads) {
  const Device& d = device();
  return up(threads, d.limit("warp")) * up(kernel.registers, d.limit("registers_unit"));
}

// A sentence on why the launch cannot start; empty where it can.
std::string defect(const Kernel& kernel, dim3 grid, dim3 block, size_t dynamic) {
  const Device& d = device();
  const auto size = uint64_t(block.x) * block.y * block.z;
  std::ostringstream text;
  if (kernel.most_threads == 0) text << "the compilers' report does not have " << kernel.symbol;
  else if (grid.x < 1 || grid.y < 1 || grid.z < 1 || grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
    text << "a grid of " << grid.x << "," << grid.y << "," << grid.z << " blocks; 2147483647,65535,65535 are possible";
  else if (d.limit("grid_threads_x") && uint64_t(grid.x) * block.x > d.limit("grid_threads_x"))
    text << uint64_t(grid.x) * block.x << " threads along x; " << d.limit("grid_threads_x") << " are possible";
  else if (size < 1 || size > 1024 || block.z > 64) text << "a block of " << block.x << "," << block.y << "," << block.z << " threads";
  else if (size > kernel.most_threads) text << size << " threads in a block; the kernel is compiled for " << kernel.most_threads;
  else if (kernel.fixed + dynamic > d.limit("shared_per_block"))
    text << kernel.fixed << " + " << dynamic << " bytes of static and dynamic shared memory; a block can have "
         << d.limit("shared_per_block");
  else if (kernel.fixed + dynamic > d.limit("shared_unasked") && dynamic > kernel.asked)
    text << kernel.fixed << " + " << dynamic << " bytes of static and dynamic shared memory; more than " << d.limit("shared_unasked")
         << " have to be asked for, and " << kernel.asked << " dynamic ones were";
  else if (registers_of_block(kernel, static_cast<unsigned>(size)) > d.limit("registers"))
    text << size << " threads of " << kernel.registers << " registers; a multiprocessor has " << d.limit("registers");
  return text.str();
}

thread_local Configuration pushed;

}  // namespace

extern "C" {

// Another device from now on, with the memory that is in use. Queues and kernels of the former one must be closed.
void suite_pretend(const char* file) { device().become(file); }
// Calls so far that made the host wait for the device, and that launched a kernel or a graph.
int suite_pretended_waits() { return waits; }
int suite_pretended_launches() { return launches; }
int suite_pretended_graphs() { return graphs; }

// The driver is "there".
int access(const char* path, int mode) noexcept {
  if (std::strcmp(path, "/dev/kfd") == 0) return 0;
  return ::faccessat(-100 /* AT_FDCWD */, path, mode, 0);
}

void** __hipRegisterFatBinary(const void*) { return new void*(nullptr); }
void __hipUnregisterFatBinary(void**) {}
void __hipRegisterFunction(void**, const void* function, char*, const char* name, unsigned, void*, void*, dim3*, dim3*, int*) {
  device().kernels[function] = device().described(name);
}
void __hipRegisterVar(void**, void*, char*, char*, int, size_t, int, int) {}
void __hipRegisterManagedVar(void**, void**, void*, const char*, size_t, unsigned) {}

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, hipStream_t stream) {
  pushed = {grid, block, shared, stream};
  return hipSuccess;
}
hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, hipStream_t* stream) {
  *grid = pushed.grid;
  *block = pushed.block;
  *shared = pushed.shared;
  *stream = pushed.stream;
  return hipSuccess;
}
hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void**, size_t shared, hipStream_t) {
  const auto found = device().kernels.find(function);
  if (found == device().kernels.end()) return fail(hipErrorInvalidDeviceFunction, "no such kernel");
  const Kernel& kernel = found->second;
  const std::string sentence = defect(kernel, grid, block, shared);
  if (Device& d = device(); d.log) {
    std::ostringstream text;
    text << kernel.symbol << ' ' << grid.x << ',' << grid.y << ',' << grid.z << ' ' << block.x << ',' << block.y << ',' << block.z << ' '
         << shared << ' ' << sentence;
    if (d.logged.insert(text.str()).second) std::fprintf(d.log, "%s\n", text.str().c_str());
  }
  if (!captured) ++launches;
  return sentence.empty() ? hipSuccess : fail(hipErrorInvalidConfiguration, sentence);
}
// A graph is not kept: its launches were compared with the limits when they were captured.
hipError_t hipStreamBeginCapture(hipStream_t, hipStreamCaptureMode) {
  if (std::exchange(captured, true)) return fail(hipErrorIllegalState, "the stream is captured already");
  return hipSuccess;
}
hipError_t hipStreamEndCapture(hipStream_t, hipGraph_t* graph) {
  captured = false;
  *graph = reinterpret_cast<hipGraph_t>(new int);
  return hipSuccess;
}
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* executable, hipGraph_t, unsigned long long) {
  *executable = reinterpret_cast<hipGraphExec_t>(new int);
  return hipSuccess;
}
hipError_t hipGraphLaunch(hipGraphExec_t, hipStream_t) {
  ++graphs;
  return hipSuccess;
}
hipError_t hipGraphDestroy(hipGraph_t graph) {
  delete reinterpret_cast<int*>(graph);
  return hipSuccess;
}
hipError_t hipGraphExecDestroy(hipGraphExec_t executable) {
  delete reinterpret_cast<int*>(executable);
  return hipSuccess;
}
hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* function) {
  const Kernel& kernel = device().kernels.at(function);
  *attributes = {};
  // SUITE_PRETENDED_FORGETFUL: what a host sees that does not ask for the static bytes; for the test of this test.
  attributes->sharedSizeBytes = std::getenv("SUITE_PRETENDED_FORGETFUL") ? 0 : kernel.fixed;
  attributes->numRegs = static_cast<int>(kernel.registers);
  attributes->maxThreadsPerBlock = static_cast<int>(kernel.most_threads);
  return hipSuccess;
}
hipError_t hipFuncSetAttribute(const void* function, hipFuncAttribute, int value) {
  Kernel& kernel = device().kernels.at(function);
  const uint64_t most = device().limit("shared_per_block");
  if (kernel.fixed + static_cast<size_t>(value) > most) {
    std::ostringstream text;
    text << kernel.fixed << " + " << value << " bytes of static and dynamic shared memory are asked for; a block can have " << most;
    return fail(hipErrorInvalidValue, text.str());
  }
  kernel.asked = static_cast<size_t>(value);
  return hipSuccess;
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads, size_t shared) {
  const Device& d = device();
  const Kernel& kernel = d.kernels.at(function);
  uint64_t most = std::min(d.limit("blocks"), d.limit("threads") / up(static_cast<size_t>(threads), d.limit("warp")));
  if (kernel.fixed + shared > 0) most = std::min(most, d.limit("shared_per_multiprocessor") / (kernel.fixed + shared));
  if (const size_t registers = registers_of_block(kernel, static_cast<unsigned>(threads)))
    most = std::min(most, d.limit("registers") / registers);
  *blocks = static_cast<int>(most);
  return hipSuccess;
}

hipError_t hipGetDeviceCount(int* count) {
  *count = 1;
  return hipSuccess;
}
hipError_t hipSetDevice(int) { return hipSuccess; }
hipError_t hipGetDevice(int* number) {
  *number = device().turn;
  return hipSuccess;
}
hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int) {
  std::memset(static_cast<void*>(properties), 0, sizeof *properties);
  std::strcpy(properties->name, "pretended");
  properties->multiProcessorCount = static_cast<int>(device().limit("multiprocessors"));
  return hipSuccess;
}
hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int) {
  const Device& d = device();
  switch (attribute) {
    case hipDeviceAttributeMultiprocessorCount: *value = static_cast<int>(d.limit("multiprocessors")); return hipSuccess;
    case hipDeviceAttributeWarpSize: *value = static_cast<int>(d.limit("warp")); return hipSuccess;
    case hipDeviceAttributeMaxSharedMemoryPerBlock: *value = static_cast<int>(d.limit("shared_per_block")); return hipSuccess;
    default: return fail(hipErrorInvalidValue, "an attribute that is not pretended");
  }
}
hipError_t hipDriverGetVersion(int* version) {
  *version = 0;
  return hipSuccess;
}
hipError_t hipGetLastError() { return std::exchange(last, hipSuccess); }
const char* hipGetErrorName(hipError_t) { return "pretended"; }
const char* hipGetErrorString(hipError_t) { return why.c_str(); }

hipError_t hipMalloc(void** data, size_t bytes) {
  if (captured) return fail(hipErrorStreamCaptureUnsupported, "an allocation while the stream is captured");
  Device& d = device();
  if (bytes > std::max<size_t>(d.limit("memory"), d.used) - d.used) return fail(hipErrorOutOfMemory, "out of memory");
  const size_t mapped = up(std::max<size_t>(bytes, 1), repeated_bytes);
  constexpr int anonymous = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* memory = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, anonymous, -1, 0);
  if (memory == MAP_FAILED) return fail(hipErrorMemoryAllocation, "no address space is left");
  if (bytes > repeated_from) {
    static const int page = [] {
      const int file = ::memfd_create("page", 0);
      return ::ftruncate(file, repeated_bytes) == 0 ? file : -1;
    }();
    for (size_t at = 0; at < mapped; at += repeated_bytes)
      if (::mmap(static_cast<char*>(memory) + at, repeated_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, page, 0) == MAP_FAILED)
        return fail(hipErrorMemoryAllocation, "no address space is left");
  }
  d.arrays[reinterpret_cast<uintptr_t>(memory)] = std::max<size_t>(bytes, 1);
  d.used += bytes;
  *data = memory;
  return hipSuccess;
}
hipError_t hipFree(void* data) {
  Device& d = device();
  const auto array = d.arrays.find(reinterpret_cast<uintptr_t>(data));
  if (array == d.arrays.end()) return data ? fail(hipErrorInvalidValue, "no array of the device") : hipSuccess;
  ::munmap(data, up(array->second, repeated_bytes));
  d.used -= array->second;
  d.arrays.erase(array);
  return hipSuccess;
}
hipError_t hipHostMalloc(void** data, size_t bytes, unsigned) {
  *data = std::malloc(bytes);
  device().pinned[reinterpret_cast<uintptr_t>(*data)] = bytes;
  return hipSuccess;
}
hipError_t hipHostFree(void* data) {
  device().pinned.erase(reinterpret_cast<uintptr_t>(data));
  std::free(data);
  return hipSuccess;
}
hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  *total = device().limit("memory");
  *free = std::max(*total, device().used) - device().used;
  return hipSuccess;
}
hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* data) {
  *attributes = {};
  const bool there = find(device().arrays, data), pinned = find(device().pinned, data);
  if (!there && !pinned) return last = hipErrorInvalidValue;
  attributes->memoryType = there ? hipMemoryTypeDevice : hipMemoryTypeHost;
  return hipSuccess;
}
hipError_t hipMemcpyAsync(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t) {
  const void* side = kind == hipMemcpyHostToDevice ? to : from;
  if (const auto* array = find(device().arrays, side); !array || reinterpret_cast<uintptr_t>(side) + bytes > array->first + array->second)
    return fail(hipErrorInvalidValue, "a copy beyond an array");
  if (!is_repeated(to)) std::memmove(to, from, bytes);
  return hipSuccess;
}
hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  ++waits;
  return hipMemcpyAsync(to, from, bytes, kind, nullptr);
}
hipError_t hipMemsetAsync(void* to, int value, size_t bytes, hipStream_t) {
  const auto* array = find(device().arrays, to);
  if (!array || reinterpret_cast<uintptr_t>(to) + bytes > array->first + array->second)
    return fail(hipErrorInvalidValue, "beyond an array");
  if (!is_repeated(to)) std::memset(to, value, bytes);
  return hipSuccess;
}

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned) {
  *stream = reinterpret_cast<hipStream_t>(new int);
  return hipSuccess;
}
hipError_t hipStreamDestroy(hipStream_t stream) {
  delete reinterpret_cast<int*>(stream);
  return hipSuccess;
}
hipError_t hipStreamSynchronize(hipStream_t) {
  if (captured) return fail(hipErrorStreamCaptureUnsupported, "a wait while the stream is captured");
  ++waits;
  return hipSuccess;
}
hipError_t hipDeviceSynchronize() {
  ++waits;
  return hipSuccess;
}
hipError_t hipEventCreate(hipEvent_t* event) {
  *event = reinterpret_cast<hipEvent_t>(new int);
  return hipSuccess;
}
hipError_t hipEventDestroy(hipEvent_t event) {
  delete reinterpret_cast<int*>(event);
  return hipSuccess;
}
hipError_t hipEventRecord(hipEvent_t, hipStream_t) { return hipSuccess; }
hipError_t hipEventSynchronize(hipEvent_t) {
  ++waits;
  return hipSuccess;
}
hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t, hipEvent_t) {
  *milliseconds = 0;
  return hipSuccess;
}
}
