// SPDX-License-Identifier: BSD-3-Clause
// The backends "cuda" and "hip", from this one file (suite/gpu.hpp): memory of the device, one stream per
// queue, events as marks, transfers through two pinned buffers.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>

#include "copy.hpp"

#include <suite/gpu/runtime.hpp>

namespace gpu = suite::gpu;
using suite::concat;
using suite::Failure;
using suite::guarded;

namespace {

#if defined(SUITE_GPU_HIP)
using DeviceProperties = hipDeviceProp_t;
using PointerAttributes = hipPointerAttribute_t;
#if defined(__HIP_PLATFORM_AMD__)
#if HIP_VERSION_MAJOR >= 6
auto type_of(const PointerAttributes& attributes) { return attributes.type; }
#else
auto type_of(const PointerAttributes& attributes) { return attributes.memoryType; }
#endif
#endif
#else
using DeviceProperties = cudaDeviceProp;
using PointerAttributes = cudaPointerAttributes;
#endif

constexpr int slots = 16;
// Pageable memory reaches the device through a pinned buffer: while one travels the other is filled, by several threads. Smaller
// copies than this are left to the runtime, which stages them itself.
constexpr size_t stage_bytes = size_t(4) << 20;

struct FreePinned {
  void operator()(void* pinned) const {
#if defined(SUITE_GPU_HIP)
    static_cast<void>(hipHostFree(pinned));
#else
    static_cast<void>(cudaFreeHost(pinned));
#endif
  }
};
struct DestroyStream {
  void operator()(std::remove_pointer_t<gpu::Stream>* stream) const { static_cast<void>(SUITE_GPU_NAME(StreamDestroy)(stream)); }
};
struct DestroyEvent {
  void operator()(std::remove_pointer_t<gpu::Event>* event) const { static_cast<void>(SUITE_GPU_NAME(EventDestroy)(event)); }
};
using Pinned = std::unique_ptr<void, FreePinned>;
using Event = std::unique_ptr<std::remove_pointer_t<gpu::Event>, DestroyEvent>;

Event make_event() {
  gpu::Event event = nullptr;
  SUITE_GPU_CALL(EventCreate, &event);
  return Event(event);
}

Pinned make_pinned() {
  void* pinned = nullptr;
#if defined(SUITE_GPU_HIP)
  SUITE_GPU_CALL(HostMalloc, &pinned, stage_bytes, hipHostMallocDefault);
#else
  SUITE_GPU_CALL(HostAlloc, &pinned, stage_bytes, cudaHostAllocDefault);
#endif
  return Pinned(pinned);
}

struct Stage {
  Pinned memory;
  Event free;  // after this event the buffer may be used again
};

}  // namespace

struct suite_queue {
  int device = 0;
  std::unique_ptr<std::remove_pointer_t<gpu::Stream>, DestroyStream> stream;
  Event marks[slots];
  Stage stages[2];
  std::string description;
};

namespace {

// The runtime's current device belongs to the calling thread, which may have used another one since.
void select(const suite_queue* queue) { SUITE_GPU_CALL(SetDevice, queue->device); }

int device_count(int* count, suite_error* error) {
  return guarded(error, [&] {
    *count = 0;
    const gpu::Status status = SUITE_GPU_NAME(GetDeviceCount)(count);
    if (status == SUITE_GPU_NAME(ErrorNoDevice)) {
      *count = 0;
#if defined(__HIP_PLATFORM_AMD__)
      // HIP answers the same where the kernel's driver is missing.
      if (::access("/dev/kfd", F_OK) != 0) gpu::check(status, "no AMD GPU driver (amdgpu, /dev/kfd)");
#endif
      static_cast<void>(SUITE_GPU_NAME(GetLastError)());
      return;
    }
#if !defined(__HIP_PLATFORM_AMD__)
    if (status == cudaErrorInsufficientDriver) {
      int driver = 0;
      static_cast<void>(cudaDriverGetVersion(&driver));
      gpu::check(status, driver == 0 ? "no CUDA driver" : "the CUDA driver is too old");
    }
#endif
    gpu::check(status, SUITE_GPU_TEXT "GetDeviceCount");
  });
}

#if defined(__HIP_PLATFORM_AMD__)
int clock_kHz(int, const DeviceProperties& properties) { return properties.clockRate; }

// Flops of a compute unit per cycle in double precision, on its vector units; 0: not known. (AMD: CDNA, CDNA
// 2, 3, RDNA)
int flops_per_cycle(const DeviceProperties& properties) {
  const std::string name = properties.gcnArchName;
  const auto is = [&](const char* gfx) { return name.rfind(gfx, 0) == 0; };
  return is("gfx90a") || is("gfx94") ? 128 : is("gfx906") || is("gfx908") ? 64 : is("gfx10") || is("gfx11") ? 8 : 0;
}
#else
int clock_kHz(int device, const DeviceProperties&) {
  int kHz = 0;
  return cudaDeviceGetAttribute(&kHz, cudaDevAttrClockRate, device) == cudaSuccess ? kHz : 0;
}

// The same of a multiprocessor (CUDA C++ Programming Guide, "Arithmetic Instructions").
int flops_per_cycle(const DeviceProperties& properties) {
  const int arch = 10 * properties.major + properties.minor;
  return arch == 90 || arch == 100 ? 128 : arch == 60 || arch == 70 || arch == 80 ? 64 : arch >= 61 && arch <= 89 ? 4 : 0;
}
#endif

// ", peak 33.5 TFLOP/s FP64 at 1.98 GHz"
std::string peak(int device, const DeviceProperties& properties) {
  const double GHz = 1e-6 * clock_kHz(device, properties);
  const double tera = 1e-3 * GHz * properties.multiProcessorCount * flops_per_cycle(properties);
  char text[64] = "";
  if (tera > 0) std::snprintf(text, sizeof text, ", peak %.1f TFLOP/s FP64 at %.2f GHz", tera, GHz);
  return text;
}

std::string description(int device) {
  DeviceProperties properties;
  SUITE_GPU_CALL(GetDeviceProperties, &properties, device);
  int driver = 0;
  SUITE_GPU_CALL(DriverGetVersion, &driver);
  std::string text = properties.name;
#if defined(__HIP_PLATFORM_AMD__)
  text += concat(", ", properties.gcnArchName, ", ", properties.multiProcessorCount, " compute units, driver ", driver);
#else
  text += concat(", sm_", properties.major, properties.minor, ", ", properties.multiProcessorCount, " multiprocessors, driver for CUDA ",
                 driver / 1000, ".", driver % 1000 / 10);
#endif
  return text + peak(device, properties);
}

int open(int device, suite_queue** queue, suite_error* error) {
  return guarded(error, [&] {
    auto made = std::make_unique<suite_queue>();
    made->device = device;
    select(made.get());
    gpu::Stream stream = nullptr;
    SUITE_GPU_CALL(StreamCreateWithFlags, &stream, SUITE_GPU_NAME(StreamNonBlocking));
    made->stream.reset(stream);
    for (Event& mark : made->marks) mark = make_event();
    made->description = description(device);
    *queue = made.release();
  });
}

void close(suite_queue* queue) {
  static_cast<void>(SUITE_GPU_NAME(SetDevice)(queue->device));
  static_cast<void>(SUITE_GPU_NAME(StreamSynchronize)(queue->stream.get()));
  delete queue;
}

int allocate(suite_queue* queue, size_t bytes, void** data, suite_error* error) {
  return guarded(error, [&] {
    select(queue);
    const gpu::Status status = SUITE_GPU_NAME(Malloc)(data, bytes);
    if (status == SUITE_GPU_NAME(ErrorMemoryAllocation)) {
      static_cast<void>(SUITE_GPU_NAME(GetLastError)());
      size_t free = 0, total = 0;
      SUITE_GPU_CALL(MemGetInfo, &free, &total);
      throw Failure(SUITE_OUT_OF_MEMORY,
                    concat("an array needs ", bytes, " bytes; ", free, " of ", total, " are free (", gpu::text(status), ")"));
    }
    gpu::check(status, SUITE_GPU_TEXT "Malloc");
  });
}

// Work that still uses the memory is waited for by the runtime.
void release(suite_queue* queue, void* data) {
  static_cast<void>(SUITE_GPU_NAME(SetDevice)(queue->device));
  static_cast<void>(SUITE_GPU_NAME(Free)(data));
}

Stage& ready_stage(suite_queue* queue, size_t turn) {
  Stage& stage = queue->stages[turn % 2];
  if (!stage.memory) {
    stage.free = make_event();
    stage.memory = make_pinned();
  } else {
    SUITE_GPU_CALL(EventSynchronize, stage.free.get());
  }
  return stage;
}

bool is_pinned(const void* host) {
  PointerAttributes attributes{};
  const gpu::Status status = SUITE_GPU_NAME(PointerGetAttributes)(&attributes, host);
  if (status != SUITE_GPU_NAME(Success)) static_cast<void>(SUITE_GPU_NAME(GetLastError)());
#if defined(__HIP_PLATFORM_AMD__)
  return status == hipSuccess && type_of(attributes) == hipMemoryTypeHost;
#else
  return status == SUITE_GPU_NAME(Success) && attributes.type == SUITE_GPU_NAME(MemoryTypeHost);
#endif
}

// What is pinned, or small, goes as it is.
bool goes_directly(const void* host, size_t bytes) { return bytes < stage_bytes || is_pinned(host); }

int upload(suite_queue* queue, void* device, const void* host, size_t bytes, suite_error* error) {
  return guarded(error, [&] {
    select(queue);
    gpu::Stream stream = queue->stream.get();
    if (goes_directly(host, bytes)) {
      SUITE_GPU_CALL(MemcpyAsync, device, host, bytes, SUITE_GPU_NAME(MemcpyHostToDevice), stream);
      SUITE_GPU_CALL(StreamSynchronize, stream);
      return;
    }
    for (size_t done = 0, turn = 0; done < bytes; ++turn) {
      const size_t part = std::min(stage_bytes, bytes - done);
      Stage& stage = ready_stage(queue, turn);
      suite::copy_by_threads(stage.memory.get(), static_cast<const char*>(host) + done, part);
      SUITE_GPU_CALL(MemcpyAsync, static_cast<char*>(device) + done, stage.memory.get(), part, SUITE_GPU_NAME(MemcpyHostToDevice), stream);
      SUITE_GPU_CALL(EventRecord, stage.free.get(), stream);
      done += part;
    }
  });
}

int download(suite_queue* queue, void* host, const void* device, size_t bytes, suite_error* error) {
  return guarded(error, [&] {
    select(queue);
    gpu::Stream stream = queue->stream.get();
    if (goes_directly(host, bytes)) {
      SUITE_GPU_CALL(MemcpyAsync, host, device, bytes, SUITE_GPU_NAME(MemcpyDeviceToHost), stream);
      SUITE_GPU_CALL(StreamSynchronize, stream);
      return;
    }
    const size_t parts = (bytes + stage_bytes - 1) / stage_bytes;
    const auto part_bytes = [&](size_t part) { return std::min(stage_bytes, bytes - part * stage_bytes); };
    // Part n is on its way while part n-1 is copied out.
    for (size_t part = 0; part <= parts; ++part) {
      if (part < parts) {
        Stage& stage = ready_stage(queue, part);
        SUITE_GPU_CALL(MemcpyAsync, stage.memory.get(), static_cast<const char*>(device) + part * stage_bytes, part_bytes(part),
                       SUITE_GPU_NAME(MemcpyDeviceToHost), stream);
        SUITE_GPU_CALL(EventRecord, stage.free.get(), stream);
      }
      if (part > 0) {
        const Stage& stage = ready_stage(queue, part - 1);
        suite::copy_by_threads(static_cast<char*>(host) + (part - 1) * stage_bytes, stage.memory.get(), part_bytes(part - 1));
      }
    }
  });
}

int wait(suite_queue* queue, suite_error* error) {
  return guarded(error, [&] {
    select(queue);
    SUITE_GPU_CALL(StreamSynchronize, queue->stream.get());
  });
}

int mark(suite_queue* queue, int slot, suite_error* error) {
  return guarded(error, [&] {
    if (slot < 0 || slot >= slots)
      throw Failure(SUITE_INVALID_ARGUMENT, concat("the slot of a mark is ", slot, "; it must be from 0 to 15"));
    select(queue);
    SUITE_GPU_CALL(EventRecord, queue->marks[slot].get(), queue->stream.get());
  });
}

double seconds(suite_queue* queue, int from, int to) {
  if (from < 0 || from >= slots || to < 0 || to >= slots) return 0;
  float milliseconds = 0;
  const gpu::Status status = SUITE_GPU_NAME(EventElapsedTime)(&milliseconds, queue->marks[from].get(), queue->marks[to].get());
  if (status == SUITE_GPU_NAME(Success)) return 1e-3 * static_cast<double>(milliseconds);
  static_cast<void>(SUITE_GPU_NAME(GetLastError)());
  return 0;
}

void* native(suite_queue* queue) { return queue->stream.get(); }

const char* describe(suite_queue* queue) { return queue->description.c_str(); }

int memory(suite_queue* queue, uint64_t* free, uint64_t* total, suite_error* error) {
  return guarded(error, [&] {
    select(queue);
    size_t free_bytes = 0, total_bytes = 0;
    SUITE_GPU_CALL(MemGetInfo, &free_bytes, &total_bytes);
    *free = free_bytes;
    *total = total_bytes;
  });
}

int place(suite_queue*, const void* data) {
  PointerAttributes attributes{};
  const gpu::Status status = SUITE_GPU_NAME(PointerGetAttributes)(&attributes, data);
  if (status != SUITE_GPU_NAME(Success)) {
    static_cast<void>(SUITE_GPU_NAME(GetLastError)());
    // To older runtimes memory that they did not allocate is an invalid value.
    return status == SUITE_GPU_NAME(ErrorInvalidValue) ? SUITE_HOST : -1;
  }
#if defined(__HIP_PLATFORM_AMD__)
  if (attributes.isManaged) return -1;
  return type_of(attributes) == hipMemoryTypeDevice ? SUITE_DEVICE : SUITE_HOST;
#else
  switch (attributes.type) {
    case SUITE_GPU_NAME(MemoryTypeUnregistered):
    case SUITE_GPU_NAME(MemoryTypeHost): return SUITE_HOST;
    case SUITE_GPU_NAME(MemoryTypeDevice): return SUITE_DEVICE;
    default: return -1;  // managed memory is at home on both sides
  }
#endif
}

constexpr suite_backend table{sizeof(suite_backend),
                              SUITE_GPU_BACKEND,
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
