// SPDX-License-Identifier: BSD-3-Clause
// The part of CUDA's runtime that suite's plugins use, on the executor: the object files of the cuda plugins, linked with this library
// in place of cudart, run unchanged. Everything is done when a call returns.
//   SUITE_PTX_SEED    of the order in which warps and blocks run (default 1)
//   SUITE_PTX_COUNTS  file for the counts of executed instructions, written when the process ends
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "device.hpp"
#include "fatbin.hpp"

struct CUstream_st {};
struct CUevent_st {
  std::chrono::steady_clock::time_point at;
};
// What a capture has put off: done in this order by each launch of the graph.
struct CUgraph_st {
  std::vector<std::function<cudaError_t()>> work;
};
struct CUgraphExec_st : CUgraph_st {};
struct CUkern_st {
  void** binary = nullptr;
  std::string name;
  int allowed_dynamic = -1;  // bytes; negative: never asked for
};

namespace {

using namespace suite::ptx;

constexpr size_t memory_bytes = size_t{2} << 30, shared_without_asking = 48 << 10, shared_most = 163 << 10;
constexpr int multiprocessors = 4;

struct Binary {
  const void* fatbin = nullptr;
  std::unique_ptr<Module> module;
};
struct Configuration {
  dim3 grid, block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
};

struct Runtime {
  std::recursive_mutex mutex;
  Device device{std::getenv("SUITE_PTX_SEED") ? std::strtoull(std::getenv("SUITE_PTX_SEED"), nullptr, 10) : 1};
  std::map<const void*, CUkern_st> kernels;  // by the host's function
  std::map<const void*, size_t> pinned;
};

// Never destroyed: plugins unregister themselves when the process ends.
Runtime& runtime() {
  static Runtime* const made = new Runtime;
  return *made;
}

thread_local std::vector<Configuration> configurations;
thread_local std::unique_ptr<CUgraph_st> captured;
thread_local cudaError_t last_error = cudaSuccess;
thread_local std::string last_text;

cudaError_t result(cudaError_t error, const std::string& text = {}) {
  if (error != cudaSuccess) {
    last_error = error;
    last_text = text;
  }
  return error;
}

void write_counts() {
  const char* const path = std::getenv("SUITE_PTX_COUNTS");
  if (!path) return;
  std::ofstream out(path);
  out << "{\n  \"unit\": \"executed instructions of PTX, of each lane; warp_instructions: of each warp\",\n  \"kernels\": [";
  const char* separator = "";
  for (const auto& [symbol, counts] : runtime().device.counts()) {
    out << separator << "\n    {\"kernel\": \"" << readable(symbol) << "\", \"launches\": " << counts.launches
        << ", \"blocks\": " << counts.blocks << ", \"warp_instructions\": " << counts.warp_instructions;
    for (size_t k = 0; k < kind_names.size(); ++k) out << ", \"" << kind_names[k] << "\": " << counts.lanes[k];
    out << "}";
    separator = ",";
  }
  out << "\n  ]\n}\n";
}

// The kernel's module is read when it is first needed.
const Function& function_of(CUkern_st& kernel) {
  auto& binary = *reinterpret_cast<Binary*>(kernel.binary);
  if (!binary.module) {
    std::string text = ptx_of(binary.fatbin);
    if (text.empty()) throw ParseError("the plugin has no PTX, only machine code (CMAKE_CUDA_ARCHITECTURES)");
    binary.module = std::make_unique<Module>(std::move(text));
    for (const auto& [name, variable] : binary.module->variables())
      if (variable.global) runtime().device.add_variable(variable.global, variable.bytes);
  }
  return binary.module->function(kernel.name);
}

cudaError_t run(const Launch& what) {
  const auto findings = runtime().device.run(what);
  if (findings.empty()) return cudaSuccess;
  for (const Finding& finding : findings) std::cerr << "ptx: " << sentence(finding) << '\n';
  return result(cudaErrorLaunchFailure, sentence(findings.front()));
}

// At once, or by the graph that is captured.
template <class F> cudaError_t do_or_capture(F&& f) {
  if (!captured) return f();
  captured->work.push_back(std::forward<F>(f));
  return cudaSuccess;
}

cudaError_t launch(CUkern_st& kernel, dim3 grid, dim3 block, void** arguments, size_t shared) {
  static const int at_exit = std::atexit(write_counts);
  static_cast<void>(at_exit);
  try {
    const Function& function = function_of(kernel);
    const uint64_t threads = uint64_t{block.x} * block.y * block.z;
    if (threads == 0 || threads > 1024 || grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.y > 65535 || grid.z > 65535)
      return result(cudaErrorInvalidConfiguration, "invalid configuration argument");
    const size_t all = function.shared_sum + shared;
    if (all > (kernel.allowed_dynamic >= 0 ? shared_most : shared_without_asking) ||
        (kernel.allowed_dynamic >= 0 && shared > static_cast<size_t>(kernel.allowed_dynamic)))
      return result(cudaErrorInvalidValue, std::to_string(all) + " bytes of shared memory were not asked for");
    Launch what{&function, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, static_cast<uint32_t>(shared), {}};
    what.parameters.resize(function.parameter_bytes);
    for (size_t n = 0; n < function.parameters.size(); ++n)
      std::memcpy(what.parameters.data() + function.parameters[n].offset, arguments[n], function.parameters[n].bytes);
    return do_or_capture([what] { return run(what); });
  } catch (const std::exception& e) {
    std::cerr << "ptx: " << readable(kernel.name) << ": " << e.what() << '\n';
    return result(cudaErrorInvalidPtx, e.what());
  }
}

bool is_in_device(const void* data, size_t bytes) {
  const auto at = reinterpret_cast<uint64_t>(data);
  const auto found = runtime().device.find(at);
  return bytes == 0 || (at >= found.begin && at + bytes <= found.end);
}

}  // namespace

#define LOCKED const std::lock_guard lock(runtime().mutex)

extern "C" {

// For the tests: the kernels of a plugin, and how often each was launched, a line each: "3 suite::gpp::sum_near<true>".
const char* suite_ptx_launches(const char* plugin) {
  LOCKED;
  static std::string text;
  const std::string file = std::filesystem::path(plugin).filename();
  std::map<std::string, uint64_t> launches;
  for (const auto& [host, kernel] : runtime().kernels) {
    Dl_info where{};
    if (!dladdr(host, &where) || std::filesystem::path(where.dli_fname).filename() != file) continue;
    const auto counts = runtime().device.counts().find(kernel.name);
    launches[readable(kernel.name)] += counts == runtime().device.counts().end() ? 0 : counts->second.launches;
  }
  text.clear();
  for (const auto& [name, count] : launches) text += std::to_string(count) + " " + name + "\n";
  return text.c_str();
}

void** __cudaRegisterFatBinary(void* wrapper) {
  struct Wrapper {
    int magic, version;
    const void* data;
  };
  auto* const binary = new Binary{static_cast<const Wrapper*>(wrapper)->data, nullptr};
  return reinterpret_cast<void**>(binary);
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}  // the counts are still wanted
void __cudaRegisterFunction(void** binary, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*, int*) {
  LOCKED;
  runtime().kernels[host] = {binary, name, -1};
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  if (configurations.empty()) return result(cudaErrorMissingConfiguration);
  const Configuration last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  LOCKED;
  const auto at = runtime().kernels.find(host);
  if (at == runtime().kernels.end()) return result(cudaErrorInvalidDeviceFunction);
  *kernel = &at->second;
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t) {
  LOCKED;
  return launch(*kernel, grid, block, arguments, shared);
}
cudaError_t cudaLaunchKernel(const void* host, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream) {
  cudaKernel_t kernel = nullptr;
  const cudaError_t error = __cudaGetKernel(&kernel, host);
  return error == cudaSuccess ? __cudaLaunchKernel(kernel, grid, block, arguments, shared, stream) : error;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* host) {
  LOCKED;
  cudaKernel_t kernel = nullptr;
  if (__cudaGetKernel(&kernel, host) != cudaSuccess) return cudaErrorInvalidDeviceFunction;
  try {
    const Function& function = function_of(*kernel);
    *attributes = {};
    attributes->sharedSizeBytes = function.shared_sum;
    attributes->localSizeBytes = function.frame_bytes;
    attributes->maxThreadsPerBlock = 1024;
    return cudaSuccess;
  } catch (const std::exception& e) {
    std::cerr << "ptx: " << readable(kernel->name) << ": " << e.what() << '\n';
    return result(cudaErrorInvalidPtx, e.what());
  }
}
cudaError_t cudaFuncSetAttribute(const void* host, cudaFuncAttribute attribute, int value) {
  LOCKED;
  cudaKernel_t kernel = nullptr;
  if (__cudaGetKernel(&kernel, host) != cudaSuccess) return cudaErrorInvalidDeviceFunction;
  cudaFuncAttributes attributes;
  const cudaError_t error = cudaFuncGetAttributes(&attributes, host);
  if (error != cudaSuccess) return error;
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (attributes.sharedSizeBytes + static_cast<size_t>(value) > shared_most) return result(cudaErrorInvalidValue);
  kernel->allowed_dynamic = value;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : result(cudaErrorInvalidDevice); }
cudaError_t cudaDriverGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "PTX executor");
  properties->major = 8;
  properties->multiProcessorCount = multiprocessors;
  properties->warpSize = warp_lanes;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount: *value = multiprocessors; return cudaSuccess;
    case cudaDevAttrWarpSize: *value = warp_lanes; return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = static_cast<int>(shared_most); return cudaSuccess;
    default: return cudaErrorInvalidValue;
  }
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  LOCKED;
  *total = memory_bytes;
  *free = memory_bytes - std::min(memory_bytes, runtime().device.allocated());
  return cudaSuccess;
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess: return "cudaSuccess";
    case cudaErrorMemoryAllocation: return "cudaErrorMemoryAllocation";
    case cudaErrorLaunchFailure: return "cudaErrorLaunchFailure";
    case cudaErrorInvalidPtx: return "cudaErrorInvalidPtx";
    case cudaErrorInvalidValue: return "cudaErrorInvalidValue";
    case cudaErrorInvalidConfiguration: return "cudaErrorInvalidConfiguration";
    default: return "an error of CUDA's runtime";
  }
}
const char* cudaGetErrorString(cudaError_t error) { return last_text.empty() ? cudaGetErrorName(error) : last_text.c_str(); }
cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }

cudaError_t cudaMalloc(void** data, size_t bytes) {
  LOCKED;
  *data = nullptr;
  if (bytes > memory_bytes - std::min(memory_bytes, runtime().device.allocated())) return result(cudaErrorMemoryAllocation);
  if (bytes) *data = runtime().device.allocate(bytes);
  return bytes == 0 || *data ? cudaSuccess : result(cudaErrorMemoryAllocation);
}
cudaError_t cudaFree(void* data) {
  LOCKED;
  return !data || runtime().device.release(data) ? cudaSuccess : result(cudaErrorInvalidValue);
}
cudaError_t cudaHostAlloc(void** data, size_t bytes, unsigned) {
  LOCKED;
  *data = std::malloc(bytes);
  if (!*data) return result(cudaErrorMemoryAllocation);
  runtime().pinned[*data] = bytes;
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* data) {
  LOCKED;
  runtime().pinned.erase(data);
  std::free(data);
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* data) {
  LOCKED;
  *attributes = {};
  const auto above = runtime().pinned.upper_bound(data);
  const bool is_pinned = above != runtime().pinned.begin() &&
                         static_cast<const char*>(data) < static_cast<const char*>(std::prev(above)->first) + std::prev(above)->second;
  attributes->type = is_in_device(data, 1) ? cudaMemoryTypeDevice : is_pinned ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  LOCKED;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if ((to_device && !is_in_device(to, bytes)) || (from_device && !is_in_device(from, bytes)))
    return result(cudaErrorInvalidValue, "a copy of " + std::to_string(bytes) + " bytes leaves the array of the device");
  return do_or_capture([=] {
    if (bytes) std::memmove(to, from, bytes);
    return cudaSuccess;
  });
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t) {
  LOCKED;
  if (!is_in_device(to, bytes)) return result(cudaErrorInvalidValue, "cudaMemset leaves the array of the device");
  return do_or_capture([=] {
    if (bytes) std::memset(to, value, bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
  if (captured) return result(cudaErrorIllegalState, "the stream is captured already");
  captured = std::make_unique<CUgraph_st>();
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
  *graph = captured.release();
  return *graph ? cudaSuccess : result(cudaErrorIllegalState, "the stream is not captured");
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  *executable = new CUgraphExec_st{*graph};
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t) {
  LOCKED;
  for (const auto& one : executable->work)
    if (const cudaError_t error = one(); error != cudaSuccess) return error;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return delete graph, cudaSuccess; }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) { return delete executable, cudaSuccess; }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return *stream = new CUstream_st, cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return delete stream, cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return captured ? result(cudaErrorStreamCaptureUnsupported, "a wait while the stream is captured") : cudaSuccess;
}
#if CUDART_VERSION >= 12080
cudaError_t cudaStreamGetDevice(cudaStream_t, int* device) { return *device = 0, cudaSuccess; }
#endif
cudaError_t cudaEventCreate(cudaEvent_t* event) { return *event = new CUevent_st, cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete event, cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) { return event->at = std::chrono::steady_clock::now(), cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  *milliseconds = std::chrono::duration<float, std::milli>(to->at - from->at).count();
  return cudaSuccess;
}
}
