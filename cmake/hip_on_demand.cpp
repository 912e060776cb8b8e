// SPDX-License-Identifier: BSD-3-Clause
// Linked into every plugin for HIP: the functions of AMD's runtime that suite uses. The first call of one
// loads the runtime. Linked directly, libamdhip64 would be loaded with the plugin, and its libhsa-runtime64
// measures the clock for 10 ms while it is loaded: every host would pay that for looking at a plugin, also
// where there is no AMD GPU; and where there is no libamdhip64 it could not look at all.
//
// What the compiler registers while the plugin is loaded is kept until then. A function that is not here is
// linked from libamdhip64 as usual, which then comes with the plugin.
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <hip/hip_runtime.h>

#define SUITE_TEXT_OF(x) #x
#define SUITE_TEXT(x) SUITE_TEXT_OF(x)
#ifndef SUITE_HIP_RUNTIME
#define SUITE_HIP_RUNTIME "libamdhip64.so." SUITE_TEXT(HIP_VERSION_MAJOR)
#endif
// Where the GPU's driver is met: on Linux, and on Linux within Windows.
#ifndef SUITE_HIP_NODES
#define SUITE_HIP_NODES "/dev/kfd", "/dev/dxg"
#endif

namespace {

// What the runtime calls the code of one source file.
using Handle = void**;
using Registration = std::function<void(void* library, Handle)>;

// That code, and what is to be told of it. The plugin's own handle is the address of this.
struct Module {
  const void* code;
  std::vector<Registration> registrations;
};
// Never destroyed: destructors of the plugin may come later.
std::vector<Module*>& modules() {
  static auto& all = *new std::vector<Module*>;
  return all;
}

struct Runtime {
  void* library = nullptr;
  std::string defect;
};

std::atomic<bool> asked{false};

template <class F> F* symbol(void* library, const char* name) { return library ? reinterpret_cast<F*>(::dlsym(library, name)) : nullptr; }

Runtime& open_runtime() {
  auto& runtime = *new Runtime;
  runtime.library = ::dlopen(SUITE_HIP_RUNTIME, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (const char* text = runtime.library ? nullptr : ::dlerror()) runtime.defect = text;
  if (const auto begin = symbol<Handle(const void*)>(runtime.library, "__hipRegisterFatBinary"))
    for (const Module* module : modules()) {
      const Handle handle = begin(module->code);
      for (const auto& tell : module->registrations) tell(runtime.library, handle);
    }
  asked = true;
  return runtime;
}

Runtime& runtime() {
  static Runtime& one = open_runtime();
  return one;
}

bool has_driver() {
  for (const char* node : {SUITE_HIP_NODES})
    if (::access(node, F_OK) == 0) return true;
  return false;
}

// Keeps a call of the runtime's function that registers a part of a module.
template <class... P, class... A> void keep(const char* name, void (*)(Handle, P...), Handle module, A... arguments) {
  reinterpret_cast<Module*>(module)->registrations.push_back([=](void* library, Handle handle) {
    if (const auto function = symbol<void(Handle, P...)>(library, name)) function(handle, arguments...);
  });
}

}  // namespace

// A function of the runtime; its parameters and arguments in parentheses.
#define ON_DEMAND(name, parameters, arguments)                                                       \
  extern "C" hipError_t name parameters {                                                            \
    static const auto function = symbol<hipError_t parameters>(runtime().library, SUITE_TEXT(name)); \
    return function ? function arguments : hipErrorSharedObjectInitFailed;                           \
  }
#define REGISTER(name, parameters, ...) \
  extern "C" void name parameters { keep(SUITE_TEXT(name), &name, __VA_ARGS__); }

extern "C" {
Handle __hipRegisterFatBinary(const void* code) {
  modules().push_back(new Module{code, {}});
  return reinterpret_cast<Handle>(modules().back());
}
// Plugins stay until the process ends, and by then the runtime may have gone before them.
void __hipUnregisterFatBinary(Handle) {}
}

REGISTER(__hipRegisterFunction,
         (Handle module, const void* function, char* name, const char* device_name, unsigned threads, void* thread, void* block,
          dim3* block_size, dim3* grid_size, int* warp),
         module, function, name, device_name, threads, thread, block, block_size, grid_size, warp)
REGISTER(__hipRegisterVar,
         (Handle module, void* variable, char* name, char* device_name, int external, size_t bytes, int constant, int global), module,
         variable, name, device_name, external, bytes, constant, global)
REGISTER(__hipRegisterManagedVar, (Handle module, void** pointer, void* initial, const char* name, size_t bytes, unsigned alignment),
         module, pointer, initial, name, bytes, alignment)

// Without a driver there is no device; that much is known without the runtime.
extern "C" hipError_t hipGetDeviceCount(int* count) {
  *count = 0;
  if (!has_driver()) return hipErrorNoDevice;
  const auto function = symbol<hipError_t(int*)>(runtime().library, "hipGetDeviceCount");
  return function ? function(count) : hipErrorSharedObjectInitFailed;
}
// What became of a call is asked of the runtime only where there was one.
extern "C" hipError_t hipGetLastError() {
  const auto function = asked ? symbol<hipError_t()>(runtime().library, "hipGetLastError") : nullptr;
  return function ? function() : hipSuccess;
}
extern "C" const char* hipGetErrorName(hipError_t error) {
  const auto function = asked ? symbol<const char*(hipError_t)>(runtime().library, "hipGetErrorName") : nullptr;
  if (function) return function(error);
  return error == hipErrorNoDevice ? "hipErrorNoDevice" : "hipErrorSharedObjectInitFailed";
}
extern "C" const char* hipGetErrorString(hipError_t error) {
  const auto function = asked ? symbol<const char*(hipError_t)>(runtime().library, "hipGetErrorString") : nullptr;
  if (function) return function(error);
  if (error == hipErrorNoDevice) return "there is neither /dev/kfd nor /dev/dxg";
  return runtime().defect.empty() ? "a function is missing in " SUITE_HIP_RUNTIME : runtime().defect.c_str();
}

ON_DEMAND(__hipPushCallConfiguration, (dim3 grid, dim3 block, size_t shared, hipStream_t stream), (grid, block, shared, stream))
ON_DEMAND(__hipPopCallConfiguration, (dim3 * grid, dim3* block, size_t* shared, hipStream_t* stream), (grid, block, shared, stream))
ON_DEMAND(hipLaunchKernel, (const void* function_address, dim3 blocks, dim3 threads, void** arguments, size_t shared, hipStream_t stream),
          (function_address, blocks, threads, arguments, shared, stream))
ON_DEMAND(hipFuncGetAttributes, (hipFuncAttributes * attributes, const void* kernel), (attributes, kernel))
ON_DEMAND(hipFuncSetAttribute, (const void* kernel, hipFuncAttribute attribute, int value), (kernel, attribute, value))
ON_DEMAND(hipOccupancyMaxActiveBlocksPerMultiprocessor, (int* blocks, const void* kernel, int threads, size_t shared),
          (blocks, kernel, threads, shared))

ON_DEMAND(hipSetDevice, (int device), (device))
ON_DEMAND(hipGetDevice, (int* device), (device))
ON_DEMAND(hipGetDeviceProperties, (hipDeviceProp_t * properties, int device), (properties, device))
ON_DEMAND(hipDeviceGetAttribute, (int* value, hipDeviceAttribute_t attribute, int device), (value, attribute, device))
ON_DEMAND(hipDeviceSynchronize, (), ())
ON_DEMAND(hipDriverGetVersion, (int* version), (version))

ON_DEMAND(hipMalloc, (void** data, size_t bytes), (data, bytes))
ON_DEMAND(hipFree, (void* data), (data))
ON_DEMAND(hipHostMalloc, (void** data, size_t bytes, unsigned flags), (data, bytes, flags))
ON_DEMAND(hipHostFree, (void* data), (data))
ON_DEMAND(hipMemGetInfo, (size_t * free, size_t* total), (free, total))
ON_DEMAND(hipMemcpy, (void* to, const void* from, size_t bytes, hipMemcpyKind kind), (to, from, bytes, kind))
ON_DEMAND(hipMemcpyAsync, (void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t stream),
          (to, from, bytes, kind, stream))
ON_DEMAND(hipMemsetAsync, (void* to, int value, size_t bytes, hipStream_t stream), (to, value, bytes, stream))
ON_DEMAND(hipPointerGetAttributes, (hipPointerAttribute_t * attributes, const void* data), (attributes, data))

ON_DEMAND(hipStreamCreateWithFlags, (hipStream_t * stream, unsigned flags), (stream, flags))
ON_DEMAND(hipStreamDestroy, (hipStream_t stream), (stream))
ON_DEMAND(hipStreamSynchronize, (hipStream_t stream), (stream))
ON_DEMAND(hipStreamBeginCapture, (hipStream_t stream, hipStreamCaptureMode mode), (stream, mode))
ON_DEMAND(hipStreamEndCapture, (hipStream_t stream, hipGraph_t* graph), (stream, graph))
ON_DEMAND(hipGraphInstantiateWithFlags, (hipGraphExec_t * executable, hipGraph_t graph, unsigned long long flags),
          (executable, graph, flags))
ON_DEMAND(hipGraphLaunch, (hipGraphExec_t executable, hipStream_t stream), (executable, stream))
ON_DEMAND(hipGraphDestroy, (hipGraph_t graph), (graph))
ON_DEMAND(hipGraphExecDestroy, (hipGraphExec_t executable), (executable))
ON_DEMAND(hipEventCreate, (hipEvent_t * event), (event))
ON_DEMAND(hipEventDestroy, (hipEvent_t event), (event))
ON_DEMAND(hipEventRecord, (hipEvent_t event, hipStream_t stream), (event, stream))
ON_DEMAND(hipEventSynchronize, (hipEvent_t event), (event))
ON_DEMAND(hipEventElapsedTime, (float* milliseconds, hipEvent_t from, hipEvent_t to), (milliseconds, from, to))
