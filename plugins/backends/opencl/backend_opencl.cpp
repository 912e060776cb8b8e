// SPDX-License-Identifier: BSD-3-Clause
// The backend "opencl": the devices of all platforms, in the order in which the loader lists them. Each open
// device is an in-order queue; those of one device share a context, so that kernels can share programs
// (suite/opencl/engine.hpp). An allocation is a cl_mem, whose handle stands for the address
// (suite/opencl.hpp).
//
// Where the device has memory of its own, transfers go through two pinned pieces of 4 MiB in turn: while the
// device fetches one, the host fills the other, and upload returns when the host's array is copied.
// Processors, and transfers smaller than 64 KiB, are served directly. SUITE_OPENCL_STAGING=1 or 0 decides
// otherwise. On a CPU a queue takes as many cores as OMP_NUM_THREADS says.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <unordered_map>

#include <suite/opencl.hpp>

using suite::concat;
using suite::Failure;
using suite::opencl::check;
using suite::opencl::device_info;

namespace {

constexpr int slots = 16;
constexpr size_t piece_bytes = size_t(4) << 20, direct_bytes = size_t(64) << 10;
constexpr cl_int platform_not_found = -1001;        // CL_PLATFORM_NOT_FOUND_KHR of cl_khr_icd
constexpr cl_device_info free_memory_amd = 0x4039;  // of cl_amd_device_attribute_query: KiB

using Event = std::unique_ptr<std::remove_pointer_t<cl_event>, suite::opencl::Release>;

// A pinned piece of host memory and the last transfer that used it.
struct Piece {
  cl_mem memory = nullptr;
  char* address = nullptr;
  Event busy;
};

std::vector<cl_device_id> all_devices() {
  cl_uint platforms = 0;
  const cl_int code = clGetPlatformIDs(0, nullptr, &platforms);
  if (code == platform_not_found || (code == CL_SUCCESS && platforms == 0))
    throw Failure(SUITE_DEVICE_ERROR, "no OpenCL platform: install an ICD such as pocl-opencl-icd (clGetPlatformIDs found none)");
  check(code, "clGetPlatformIDs");
  std::vector<cl_platform_id> ids(platforms);
  check(clGetPlatformIDs(platforms, ids.data(), nullptr), "clGetPlatformIDs");
  std::vector<cl_device_id> devices;
  for (const cl_platform_id platform : ids) {
    cl_uint count = 0;
    const cl_int got = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
    if (got == CL_DEVICE_NOT_FOUND || count == 0) continue;
    check(got, "clGetDeviceIDs");
    devices.resize(devices.size() + count);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data() + devices.size() - count, nullptr), "clGetDeviceIDs");
  }
  return devices;
}

std::string platform_info(cl_platform_id platform, cl_platform_info what) {
  char text[256] = {};
  return clGetPlatformInfo(platform, what, sizeof text - 1, text, nullptr) == CL_SUCCESS ? text : "";
}

// ", peak 166 GFLOP/s FP64 at 2.60 GHz" of a CPU, with two FMA units of the native width a core; the
// clock alone of a GPU, which does not tell its FP64 units.
std::string peak(cl_device_id id, cl_uint units) {
  const double GHz = 1e-3 * device_info<cl_uint>(id, CL_DEVICE_MAX_CLOCK_FREQUENCY, "CL_DEVICE_MAX_CLOCK_FREQUENCY");
  const auto lanes = device_info<cl_uint>(id, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, "CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE");
  const auto type = device_info<cl_device_type>(id, CL_DEVICE_TYPE, "CL_DEVICE_TYPE");
  char text[64] = "";
  if (GHz > 0 && lanes > 0 && (type & CL_DEVICE_TYPE_CPU))
    std::snprintf(text, sizeof text, ", peak %.0f GFLOP/s FP64 at %.2f GHz", GHz * units * lanes * 4, GHz);
  else if (GHz > 0) std::snprintf(text, sizeof text, ", %.2f GHz", GHz);
  return text;
}

// "Portable Computing Language pthread-skylake-avx512-AMD EPYC, 2 compute units, OpenCL 3.0 PoCL 3.1+debian":
// the platform, then the device, so that either can be looked for.
std::string description(cl_device_id id) {
  const auto platform = device_info<cl_platform_id>(id, CL_DEVICE_PLATFORM, "CL_DEVICE_PLATFORM");
  const auto units = device_info<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS, "CL_DEVICE_MAX_COMPUTE_UNITS");
  const bool doubles = device_info<cl_ulong>(id, CL_DEVICE_DOUBLE_FP_CONFIG, "CL_DEVICE_DOUBLE_FP_CONFIG") != 0;
  std::string version = platform_info(platform, CL_PLATFORM_VERSION);
  version = version.substr(0, version.find("  "));  // PoCL appends how it was built
  const auto driver = device_info<std::string>(id, CL_DRIVER_VERSION, "CL_DRIVER_VERSION");
  return concat(platform_info(platform, CL_PLATFORM_NAME), " ", device_info<std::string>(id, CL_DEVICE_NAME, "CL_DEVICE_NAME"), ", ", units,
                units == 1 ? " compute unit" : " compute units", doubles ? "" : ", no double precision", peak(id, units), ", ", version,
                version.find(driver) == version.npos ? ", driver " + driver : "");
}

struct Context {
  explicit Context(cl_device_id id) {
    cl_int code = CL_SUCCESS;
    handle = clCreateContext(nullptr, 1, &id, nullptr, nullptr, &code);
    check(code, "clCreateContext on " + description(id));
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { clReleaseContext(handle); }
  cl_context handle = nullptr;
  std::atomic<bool> failed = false;  // the device may be lost to it
};

// The context of the queues that are open on this device; a new one where there is none, or where it failed:
// who opens a lost device again shall have it.
std::shared_ptr<Context> context_of(cl_device_id id) {
  static std::mutex mutex;
  static auto& contexts = *new std::map<cl_device_id, std::weak_ptr<Context>>;  // for whoever closes last
  const std::lock_guard lock(mutex);
  auto context = contexts[id].lock();
  if (!context || context->failed) contexts[id] = context = std::make_shared<Context>(id);
  return context;
}

// OMP_NUM_THREADS, where it is a number. 0: as many as there are.
cl_uint wanted_threads() {
  const char* text = std::getenv("OMP_NUM_THREADS");
  return text ? static_cast<cl_uint>(std::max(0, std::atoi(text))) : 0;
}

// The part of a CPU with as many cores as the process shall have threads, which a driver such as PoCL
// would not know: made once for each number. The whole device where it cannot be divided so.
cl_device_id part_of(cl_device_id id) {
  const auto units = device_info<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS, "CL_DEVICE_MAX_COMPUTE_UNITS");
  const auto type = device_info<cl_device_type>(id, CL_DEVICE_TYPE, "CL_DEVICE_TYPE");
  const cl_uint threads = wanted_threads();
  if (!(type & CL_DEVICE_TYPE_CPU) || threads == 0 || threads >= units) return id;
  static std::mutex mutex;
  static auto& parts = *new std::map<std::pair<cl_device_id, cl_uint>, cl_device_id>;
  const std::lock_guard lock(mutex);
  const auto [at, is_new] = parts.try_emplace({id, threads}, id);
  if (is_new) {
    const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, static_cast<cl_device_partition_property>(threads),
                                                   CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    cl_device_id part = nullptr;
    if (clCreateSubDevices(id, counts, 1, &part, nullptr) == CL_SUCCESS) at->second = part;
  }
  return at->second;
}

bool wants_staging(cl_device_id id) {
  if (const char* wanted = std::getenv("SUITE_OPENCL_STAGING"); wanted && *wanted) return std::string(wanted) != "0";
  return !device_info<cl_bool>(id, CL_DEVICE_HOST_UNIFIED_MEMORY, "CL_DEVICE_HOST_UNIFIED_MEMORY");
}

}  // namespace

struct suite_queue {
  explicit suite_queue(cl_device_id device)
      : id(device),
        description(::description(device)),
        total(device_info<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE, "CL_DEVICE_GLOBAL_MEM_SIZE")),
        largest(device_info<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, "CL_DEVICE_MAX_MEM_ALLOC_SIZE")),
        shares_memory(device_info<cl_bool>(device, CL_DEVICE_HOST_UNIFIED_MEMORY, "CL_DEVICE_HOST_UNIFIED_MEMORY")),
        staging(wants_staging(device)),
        context(context_of(device)) {
    const std::string extensions = device_info<std::string>(device, CL_DEVICE_EXTENSIONS, "CL_DEVICE_EXTENSIONS");
    tells_free_memory = extensions.find("cl_amd_device_attribute_query") != extensions.npos;
    cl_int code = CL_SUCCESS;
    queue = clCreateCommandQueue(context->handle, id, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code != CL_SUCCESS) context->failed = true;
    check(code, "clCreateCommandQueue on " + description);
  }
  suite_queue(const suite_queue&) = delete;
  suite_queue& operator=(const suite_queue&) = delete;
  ~suite_queue() {
    if (!queue) return;
    clFinish(queue);
    for (Piece& piece : pieces) {
      piece.busy.reset();
      if (piece.address) clEnqueueUnmapMemObject(queue, piece.memory, piece.address, 0, nullptr, nullptr);
      if (piece.memory) clReleaseMemObject(piece.memory);
    }
    for (const auto& [memory, bytes] : allocated) clReleaseMemObject(static_cast<cl_mem>(const_cast<void*>(memory)));
    clFinish(queue);
    clReleaseCommandQueue(queue);
  }

  cl_device_id id;
  std::string description;
  cl_ulong total, largest;
  bool shares_memory, staging, tells_free_memory = false;
  std::shared_ptr<Context> context;
  cl_command_queue queue = nullptr;
  Event marks[slots];
  std::unordered_map<const void*, size_t> allocated;  // handle and bytes
  size_t allocated_bytes = 0;
  Piece pieces[2];

  // The buffer of that handle, of at least so many bytes.
  cl_mem buffer(const void* data, size_t bytes, const char* what) const {
    const auto found = allocated.find(data);
    if (found == allocated.end())
      throw Failure(SUITE_INVALID_ARGUMENT, std::string(what) + ": the device address is not memory of " + description +
                                                "; it may be a host address or memory of another device");
    if (bytes > found->second)
      throw Failure(SUITE_INVALID_ARGUMENT, concat(what, " of ", bytes, " bytes, but the memory on the device has ", found->second));
    return static_cast<cl_mem>(const_cast<void*>(data));
  }

  // The next pinned piece, free for use.
  Piece& next_piece(size_t i) {
    Piece& piece = pieces[i % 2];
    if (!piece.memory) {
      cl_int code = CL_SUCCESS;
      piece.memory = clCreateBuffer(context->handle, CL_MEM_ALLOC_HOST_PTR, piece_bytes, nullptr, &code);
      check(code, "clCreateBuffer of a pinned piece");
      piece.address = static_cast<char*>(
          clEnqueueMapBuffer(queue, piece.memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, piece_bytes, 0, nullptr, nullptr, &code));
      check(code, "clEnqueueMapBuffer of a pinned piece");
    }
    await(piece);
    return piece;
  }
  void await(Piece& piece) {
    if (!piece.busy) return;
    const cl_event event = piece.busy.get();
    check(clWaitForEvents(1, &event), "clWaitForEvents of a transfer");
    piece.busy.reset();
  }
};

namespace {

int device_count(int* count, suite_error* error) {
  return suite::guarded(error, [&] { *count = static_cast<int>(all_devices().size()); });
}

int open(int device, suite_queue** queue, suite_error* error) {
  return suite::guarded(error, [&] {
    const std::vector<cl_device_id> devices = all_devices();
    if (device < 0 || device >= static_cast<int>(devices.size()))
      throw Failure(SUITE_NOT_FOUND, concat("there is no OpenCL device ", device, "; all platforms have ", devices.size()));
    *queue = new suite_queue(part_of(devices[static_cast<size_t>(device)]));
  });
}

void close(suite_queue* queue) { delete queue; }

// guarded, for work on a queue: what fails there may be the loss of the device.
template <class Work> int guarded_on(suite_queue* queue, suite_error* error, Work work) {
  const int status = suite::guarded(error, work);
  if (status == SUITE_DEVICE_ERROR) queue->context->failed = true;
  return status;
}

int allocate(suite_queue* queue, size_t bytes, void** data, suite_error* error) {
  return guarded_on(queue, error, [&] {
    if (bytes > queue->total - std::min<size_t>(queue->total, queue->allocated_bytes))
      throw Failure(SUITE_OUT_OF_MEMORY, concat("a buffer of ", bytes, " bytes was asked for, and ", queue->total - queue->allocated_bytes,
                                                " of ", queue->total, " are left on ", queue->description));
    // Not a lack of memory: so much in one piece is refused however much there is.
    if (bytes > queue->largest)
      throw Failure(SUITE_UNSUPPORTED, concat("a buffer of ", bytes, " bytes was asked for, and ", queue->description, " allows at most ",
                                              queue->largest, " in one (CL_DEVICE_MAX_MEM_ALLOC_SIZE)"));
    cl_int code = CL_SUCCESS;
    const cl_mem memory = clCreateBuffer(queue->context->handle, CL_MEM_READ_WRITE, bytes, nullptr, &code);
    const std::string what = concat(" of a buffer of ", bytes, " bytes");
    check(code, "clCreateBuffer" + what);
    // Drivers put off the allocation until the first use, where its failure would name another thing.
    code = clEnqueueMigrateMemObjects(queue->queue, 1, &memory, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, nullptr, nullptr);
    if (code == CL_SUCCESS) code = clFinish(queue->queue);
    if (code != CL_SUCCESS) {
      clReleaseMemObject(memory);
      check(code == CL_OUT_OF_RESOURCES ? CL_MEM_OBJECT_ALLOCATION_FAILURE : code, "the allocation" + what);
    }
    queue->allocated.emplace(memory, bytes);
    queue->allocated_bytes += bytes;
    *data = memory;
  });
}

void release(suite_queue* queue, void* data) {
  const auto found = queue->allocated.find(data);
  if (found == queue->allocated.end()) return;
  queue->allocated_bytes -= found->second;
  queue->allocated.erase(found);
  clReleaseMemObject(static_cast<cl_mem>(data));
}

int upload(suite_queue* queue, void* device, const void* host, size_t bytes, suite_error* error) {
  return guarded_on(queue, error, [&] {
    const cl_mem to = queue->buffer(device, bytes, "upload");
    const auto* from = static_cast<const char*>(host);
    if (!queue->staging || bytes < direct_bytes) {
      check(clEnqueueWriteBuffer(queue->queue, to, CL_TRUE, 0, bytes, from, 0, nullptr, nullptr),
            concat("clEnqueueWriteBuffer of ", bytes, " bytes"));
      return;
    }
    for (size_t done = 0, i = 0; done < bytes; done += piece_bytes, ++i) {
      const size_t n = std::min(piece_bytes, bytes - done);
      Piece& piece = queue->next_piece(i);
      std::memcpy(piece.address, from + done, n);
      cl_event event = nullptr;
      check(clEnqueueWriteBuffer(queue->queue, to, CL_FALSE, done, n, piece.address, 0, nullptr, &event),
            concat("clEnqueueWriteBuffer of ", n, " bytes"));
      piece.busy.reset(event);
    }
    check(clFlush(queue->queue), "clFlush");
  });
}

int download(suite_queue* queue, void* host, const void* device, size_t bytes, suite_error* error) {
  return guarded_on(queue, error, [&] {
    const cl_mem from = queue->buffer(device, bytes, "download");
    auto* to = static_cast<char*>(host);
    if (!queue->staging || bytes < direct_bytes) {
      check(clEnqueueReadBuffer(queue->queue, from, CL_TRUE, 0, bytes, to, 0, nullptr, nullptr),
            concat("clEnqueueReadBuffer of ", bytes, " bytes"));
      return;
    }
    const size_t pieces = (bytes + piece_bytes - 1) / piece_bytes;
    // One piece is on its way while the one before is copied out.
    for (size_t i = 0; i <= pieces; ++i) {
      if (i < pieces) {
        Piece& piece = queue->next_piece(i);
        cl_event event = nullptr;
        check(clEnqueueReadBuffer(queue->queue, from, CL_FALSE, i * piece_bytes, std::min(piece_bytes, bytes - i * piece_bytes),
                                  piece.address, 0, nullptr, &event),
              concat("clEnqueueReadBuffer of a piece of ", bytes, " bytes"));
        piece.busy.reset(event);
        check(clFlush(queue->queue), "clFlush");
      }
      if (i > 0) {
        Piece& before = queue->pieces[(i - 1) % 2];
        queue->await(before);
        const size_t at = (i - 1) * piece_bytes;
        std::memcpy(to + at, before.address, std::min(piece_bytes, bytes - at));
      }
    }
  });
}

int wait(suite_queue* queue, suite_error* error) {
  return guarded_on(queue, error, [&] { check(clFinish(queue->queue), "clFinish on " + queue->description); });
}

int mark(suite_queue* queue, int slot, suite_error* error) {
  return guarded_on(queue, error, [&] {
    if (slot < 0 || slot >= slots)
      throw Failure(SUITE_INVALID_ARGUMENT, concat("the slot of a mark is ", slot, "; it must be from 0 to 15"));
    cl_event event = nullptr;
    check(clEnqueueMarkerWithWaitList(queue->queue, 0, nullptr, &event), "clEnqueueMarkerWithWaitList");
    queue->marks[slot].reset(event);
    check(clFlush(queue->queue), "clFlush");
  });
}

double seconds(suite_queue* queue, int from, int to) {
  cl_ulong ends[2] = {};
  const int which[2] = {from, to};
  for (int i = 0; i < 2; ++i) {
    if (which[i] < 0 || which[i] >= slots || !queue->marks[which[i]]) return 0;
    if (clGetEventProfilingInfo(queue->marks[which[i]].get(), CL_PROFILING_COMMAND_END, sizeof ends[i], &ends[i], nullptr) != CL_SUCCESS)
      return 0;
  }
  return 1e-9 * static_cast<double>(static_cast<int64_t>(ends[1] - ends[0]));
}

void* native(suite_queue* queue) { return queue->queue; }

const char* describe(suite_queue* queue) { return queue->description.c_str(); }

// MemAvailable of the host, for devices that take their memory from it; 0 when it is not told.
uint64_t host_memory_free() {
  std::ifstream info("/proc/meminfo");
  std::string key, rest;
  for (uint64_t kibibytes; info >> key >> kibibytes; std::getline(info, rest))
    if (key == "MemAvailable:") return kibibytes * 1024;
  return 0;
}

// OpenCL tells what a device has, not what is free: what this queue has not taken, unless an extension knows
// better.
int memory(suite_queue* queue, uint64_t* free, uint64_t* total, suite_error* error) {
  return suite::guarded(error, [&] {
    *total = queue->total;
    *free = queue->total - std::min<uint64_t>(queue->total, queue->allocated_bytes);
    if (queue->shares_memory) {
      if (const uint64_t host = host_memory_free(); host > 0) *free = std::min(*free, host);
    } else if (size_t kibibytes[2] = {}; queue->tells_free_memory &&
                                         clGetDeviceInfo(queue->id, free_memory_amd, sizeof kibibytes, kibibytes, nullptr) == CL_SUCCESS) {
      *free = std::min<uint64_t>(*free, uint64_t(kibibytes[0]) * 1024);
    }
  });
}

int place(suite_queue* queue, const void* data) { return queue->allocated.contains(data) ? SUITE_DEVICE : SUITE_HOST; }

constexpr suite_backend backend{sizeof(suite_backend),
                                "opencl",
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

SUITE_BACKEND_PLUGIN(&backend)
