// SPDX-License-Identifier: BSD-3-Clause
// suite/opencl.hpp - for kernels on the backend "opencl": checked calls, programs with a cache of binaries,
// launches. Header-only; the plugin links libOpenCL. Written for OpenCL 1.2 devices. Since 0.1.
//
// An array on the device is a cl_mem: suite_array.data holds the handle itself, and memory_of() gives it
// back. It is not an address, so no offset may be added to it: a kernel takes whole buffers and adds offsets in
// its source. Only handles made by the backend's allocate are known to it (`place`), because an unknown one
// cannot be asked safely.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS  // clCreateCommandQueue: what replaces it is not in 1.2
#include <CL/cl.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <suite/deterministic.hpp>
#include <suite/plugin.hpp>
#include <suite/sha256.hpp>

namespace suite::opencl {

// "CL_OUT_OF_RESOURCES"; "an unknown OpenCL error" for a code that the standard does not list.
inline const char* error_name(cl_int code) {
  static constexpr struct {
    cl_int code;
    const char* name;
  } names[] = {
#define SUITE_CL_NAME(x) {x, #x}
      SUITE_CL_NAME(CL_DEVICE_NOT_FOUND),
      SUITE_CL_NAME(CL_DEVICE_NOT_AVAILABLE),
      SUITE_CL_NAME(CL_COMPILER_NOT_AVAILABLE),
      SUITE_CL_NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE),
      SUITE_CL_NAME(CL_OUT_OF_RESOURCES),
      SUITE_CL_NAME(CL_OUT_OF_HOST_MEMORY),
      SUITE_CL_NAME(CL_PROFILING_INFO_NOT_AVAILABLE),
      SUITE_CL_NAME(CL_MEM_COPY_OVERLAP),
      SUITE_CL_NAME(CL_BUILD_PROGRAM_FAILURE),
      SUITE_CL_NAME(CL_MAP_FAILURE),
      SUITE_CL_NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET),
      SUITE_CL_NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
      SUITE_CL_NAME(CL_COMPILE_PROGRAM_FAILURE),
      SUITE_CL_NAME(CL_LINKER_NOT_AVAILABLE),
      SUITE_CL_NAME(CL_LINK_PROGRAM_FAILURE),
      SUITE_CL_NAME(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
      SUITE_CL_NAME(CL_INVALID_VALUE),
      SUITE_CL_NAME(CL_INVALID_DEVICE_TYPE),
      SUITE_CL_NAME(CL_INVALID_PLATFORM),
      SUITE_CL_NAME(CL_INVALID_DEVICE),
      SUITE_CL_NAME(CL_INVALID_CONTEXT),
      SUITE_CL_NAME(CL_INVALID_QUEUE_PROPERTIES),
      SUITE_CL_NAME(CL_INVALID_COMMAND_QUEUE),
      SUITE_CL_NAME(CL_INVALID_HOST_PTR),
      SUITE_CL_NAME(CL_INVALID_MEM_OBJECT),
      SUITE_CL_NAME(CL_INVALID_BINARY),
      SUITE_CL_NAME(CL_INVALID_BUILD_OPTIONS),
      SUITE_CL_NAME(CL_INVALID_PROGRAM),
      SUITE_CL_NAME(CL_INVALID_PROGRAM_EXECUTABLE),
      SUITE_CL_NAME(CL_INVALID_KERNEL_NAME),
      SUITE_CL_NAME(CL_INVALID_KERNEL_DEFINITION),
      SUITE_CL_NAME(CL_INVALID_KERNEL),
      SUITE_CL_NAME(CL_INVALID_ARG_INDEX),
      SUITE_CL_NAME(CL_INVALID_ARG_VALUE),
      SUITE_CL_NAME(CL_INVALID_ARG_SIZE),
      SUITE_CL_NAME(CL_INVALID_KERNEL_ARGS),
      SUITE_CL_NAME(CL_INVALID_WORK_DIMENSION),
      SUITE_CL_NAME(CL_INVALID_WORK_GROUP_SIZE),
      SUITE_CL_NAME(CL_INVALID_WORK_ITEM_SIZE),
      SUITE_CL_NAME(CL_INVALID_GLOBAL_OFFSET),
      SUITE_CL_NAME(CL_INVALID_EVENT_WAIT_LIST),
      SUITE_CL_NAME(CL_INVALID_EVENT),
      SUITE_CL_NAME(CL_INVALID_OPERATION),
      SUITE_CL_NAME(CL_INVALID_BUFFER_SIZE),
      SUITE_CL_NAME(CL_INVALID_GLOBAL_WORK_SIZE),
#undef SUITE_CL_NAME
      {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
      {-9999, "NVIDIA's illegal access of a buffer"},
  };
  for (const auto& n : names)
    if (n.code == code) return n.name;
  return "an unknown OpenCL error";
}

// Codes after which nothing in the context can be expected to work again.
inline bool is_lost(cl_int code) {
  return code == CL_DEVICE_NOT_AVAILABLE || code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST || code == -9999;
}

inline suite_status status_of(cl_int code) {
  return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY ? SUITE_OUT_OF_MEMORY : SUITE_DEVICE_ERROR;
}

// Throws unless the code says success. tried: "clEnqueueNDRangeKernel of sigma_best".
inline void check(cl_int code, const std::string& tried) {
  if (code == CL_SUCCESS) return;
  std::string sentence = concat(error_name(code), " (", code, ") from ", tried);
  if (is_lost(code)) sentence += ": the device was lost or the work on it was aborted; open it again";
  throw Failure(status_of(code), sentence);
}

struct Release {
  void operator()(cl_program p) const { clReleaseProgram(p); }
  void operator()(cl_kernel k) const { clReleaseKernel(k); }
  void operator()(cl_event e) const { clReleaseEvent(e); }
};
using Program = std::unique_ptr<std::remove_pointer_t<cl_program>, Release>;
using Kernel = std::unique_ptr<std::remove_pointer_t<cl_kernel>, Release>;

inline cl_mem memory_of(const suite_array& array) { return static_cast<cl_mem>(array.data); }

// A property of a device: a number or a string.
template <class T> T device_info(cl_device_id id, cl_device_info what, const char* name) {
  T value{};
  check(clGetDeviceInfo(id, what, sizeof value, &value, nullptr), std::string("clGetDeviceInfo of ") + name);
  return value;
}
template <> inline std::string device_info<std::string>(cl_device_id id, cl_device_info what, const char* name) {
  size_t bytes = 0;
  check(clGetDeviceInfo(id, what, 0, nullptr, &bytes), std::string("clGetDeviceInfo of ") + name);
  std::string text(bytes, '\0');
  check(clGetDeviceInfo(id, what, bytes, text.data(), nullptr), std::string("clGetDeviceInfo of ") + name);
  text.resize(text.find('\0') == text.npos ? text.size() : text.find('\0'));
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text.substr(text.find_first_not_of(' ') == text.npos ? text.size() : text.find_first_not_of(' '));
}

// SUITE_DETERMINISTIC=1: kernels divide their work as for a device with this many units, whatever the device has. A
// CPU has as many units as threads.
constexpr cl_uint deterministic_units = 16;

// The properties of the queue's device that kernels need.
struct Device {
  Device(const suite_backend* backend, suite_queue* suite_queue) : queue(static_cast<cl_command_queue>(backend->native(suite_queue))) {
    check(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr), "clGetCommandQueueInfo");
    check(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof id, &id, nullptr), "clGetCommandQueueInfo");
    name = device_info<std::string>(id, CL_DEVICE_NAME, "CL_DEVICE_NAME");
    is_processor = device_info<cl_device_type>(id, CL_DEVICE_TYPE, "CL_DEVICE_TYPE") & CL_DEVICE_TYPE_CPU;
    most_items = device_info<size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, "CL_DEVICE_MAX_WORK_GROUP_SIZE");
    doubles = device_info<cl_uint>(id, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, "CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE");
    units =
        deterministic_wanted() ? deterministic_units : device_info<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS, "CL_DEVICE_MAX_COMPUTE_UNITS");
    local_bytes = device_info<cl_ulong>(id, CL_DEVICE_LOCAL_MEM_SIZE, "CL_DEVICE_LOCAL_MEM_SIZE");
  }
  cl_command_queue queue = nullptr;
  cl_context context = nullptr;
  cl_device_id id = nullptr;
  std::string name;
  bool is_processor = false;  // work-items are loops: kernels want explicit vectors
  size_t most_items = 1;      // of a work-group
  cl_uint doubles = 0;        // in the widest vector; 0: no double precision
  cl_uint units = 1;
  cl_ulong local_bytes = 0;
};

// The cache of program binaries: files in $XDG_CACHE_HOME/suite or ~/.cache/suite, named by the SHA-256 of
// everything that determines the binary. A file is the digest of its contents, then the contents; whatever does
// not fit is ignored and built again. It is code that will run as us, so files and folder of others, or
// writable by others, are not touched. SUITE_OPENCL_CACHE=0 turns it off. A failure to write it is not an
// error.
namespace cache {

// Empty: no cache.
inline std::string folder() {
  if (const char* wanted = std::getenv("SUITE_OPENCL_CACHE"); wanted && std::string(wanted) == "0") return "";
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg == '/') return std::string(xdg) + "/suite";
  if (const char* home = std::getenv("HOME"); home && *home == '/') return std::string(home) + "/.cache/suite";
  return "";
}

inline bool is_ours(const struct stat& s) { return s.st_uid == ::geteuid() && !(s.st_mode & (S_IWGRP | S_IWOTH)); }

inline bool make_folder(const std::string& path) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    if (::mkdir(path.substr(0, slash).c_str(), 0700) != 0 && errno != EEXIST) return false;
    if (slash == path.npos) break;
  }
  struct stat s;
  return ::stat(path.c_str(), &s) == 0 && S_ISDIR(s.st_mode) && is_ours(s);
}

// The contents of an entry; empty if it is missing or damaged.
inline std::string load(const std::string& file) {
  struct stat s;
  const int in = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (in < 0) return "";
  std::string text;
  if (::fstat(in, &s) == 0 && S_ISREG(s.st_mode) && is_ours(s) && s.st_size > 64 && s.st_size < (1 << 28)) {
    text.resize(static_cast<size_t>(s.st_size));
    size_t got = 0;
    for (ssize_t n; got < text.size() && (n = ::read(in, text.data() + got, text.size() - got)) > 0;) got += static_cast<size_t>(n);
    if (got != text.size()) text.clear();
  }
  ::close(in);
  if (text.size() <= 64) return "";
  const std::string binary = text.substr(64);
  return hexadecimal(sha256(binary.data(), binary.size())) == text.substr(0, 64) ? binary : "";
}

// Written beside and renamed, so that a reader sees a whole entry or none.
inline void store(const std::string& file, const std::string& binary) {
  static std::atomic<unsigned> counter{0};
  const std::string text = hexadecimal(sha256(binary.data(), binary.size())) + binary;
  const std::string beside = concat(file, ".", ::getpid(), ".", counter++);
  const int out = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (out < 0) return;
  size_t put = 0;
  for (ssize_t n; put < text.size() && (n = ::write(out, text.data() + put, text.size() - put)) > 0;) put += static_cast<size_t>(n);
  const bool whole = ::close(out) == 0 && put == text.size();
  if (!whole || ::rename(beside.c_str(), file.c_str()) != 0) ::unlink(beside.c_str());
}

}  // namespace cache

inline std::string build_log(cl_program program, cl_device_id id) {
  size_t bytes = 0;
  if (clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes) != CL_SUCCESS || bytes <= 1) return "(no build log)";
  std::string log(bytes, '\0');
  clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
  log.resize(log.find('\0') == log.npos ? log.size() : log.find('\0'));
  return log;
}

inline std::string cache_key(const Device& device, const std::string& source, const std::string& options) {
  Sha256 hash;
  const cl_platform_id platform = device_info<cl_platform_id>(device.id, CL_DEVICE_PLATFORM, "CL_DEVICE_PLATFORM");
  char version[256] = {};
  clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version - 1, version, nullptr);
  for (const std::string& part : {source, options, device.name, std::string(version), std::to_string(device.units),
                                  device_info<std::string>(device.id, CL_DEVICE_VENDOR, "CL_DEVICE_VENDOR"),
                                  device_info<std::string>(device.id, CL_DEVICE_VERSION, "CL_DEVICE_VERSION"),
                                  device_info<std::string>(device.id, CL_DRIVER_VERSION, "CL_DRIVER_VERSION")})
    hash.update(part.c_str(),
                part.size() + 1);  // with its zero byte, so that parts cannot run into each other
  return hexadecimal(hash.finish());
}

// Compiles source with options, or takes the binary from the cache. A program that does not compile is a
// failure with the first lines of the compiler's log. what: "gpp.sigma".
inline Program build_program(const Device& device, const std::string& source, const std::string& options, const std::string& what) {
  cl_int code = CL_SUCCESS;
  const std::string folder = cache::folder();
  const std::string file = folder.empty() ? "" : folder + "/opencl-" + cache_key(device, source, options);
  if (const std::string binary = file.empty() ? "" : cache::load(file); !binary.empty()) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
    const size_t size = binary.size();
    cl_int accepted = CL_SUCCESS;
    Program program(clCreateProgramWithBinary(device.context, 1, &device.id, &size, &bytes, &accepted, &code));
    if (program && code == CL_SUCCESS && accepted == CL_SUCCESS &&
        clBuildProgram(program.get(), 1, &device.id, options.c_str(), nullptr, nullptr) == CL_SUCCESS)
      return program;
  }
  const char* text = source.c_str();
  Program program(clCreateProgramWithSource(device.context, 1, &text, nullptr, &code));
  check(code, "clCreateProgramWithSource of " + what);
  code = clBuildProgram(program.get(), 1, &device.id, options.c_str(), nullptr, nullptr);
  if (code == CL_BUILD_PROGRAM_FAILURE)
    throw Failure(SUITE_DEVICE_ERROR,
                  what + " does not compile on " + device.name + ": " + build_log(program.get(), device.id) + " (options " + options + ")");
  check(code, "clBuildProgram of " + what + " with options " + options);
  if (!file.empty() && cache::make_folder(folder)) {
    size_t size = 0;
    if (clGetProgramInfo(program.get(), CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) == CL_SUCCESS && size > 0) {
      std::string binary(size, '\0');
      char* to = binary.data();
      if (clGetProgramInfo(program.get(), CL_PROGRAM_BINARIES, sizeof to, &to, nullptr) == CL_SUCCESS) cache::store(file, binary);
    }
  }
  return program;
}

inline Kernel make_kernel(const Program& program, const char* name) {
  cl_int code = CL_SUCCESS;
  Kernel kernel(clCreateKernel(program.get(), name, &code));
  check(code, std::string("clCreateKernel of ") + name);
  return kernel;
}

// Global and local sizes of up to three dimensions; those of local that are 0 mean 1.
struct Range {
  size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1};
};

// Sets the arguments, in order, and enqueues. A range without work-items does nothing.
template <class... Arguments>
void launch(const Device& device, const Kernel& kernel, const char* name, const Range& range, const Arguments&... arguments) {
  for (size_t d = 0; d < 3; ++d)
    if (range.global[d] == 0) return;
  cl_uint index = 0;
  const auto set = [&](const auto& argument) {
    static_assert(std::is_trivially_copyable_v<std::decay_t<decltype(argument)>>);
    check(clSetKernelArg(kernel.get(), index, sizeof argument, &argument), concat("clSetKernelArg ", index, " of ", name));
    ++index;
  };
  (set(arguments), ...);
  const size_t local[3] = {std::max<size_t>(range.local[0], 1), std::max<size_t>(range.local[1], 1), std::max<size_t>(range.local[2], 1)};
  const cl_int code = clEnqueueNDRangeKernel(device.queue, kernel.get(), 3, nullptr, range.global, local, 0, nullptr, nullptr);
  if (code != CL_SUCCESS)
    check(code, concat("clEnqueueNDRangeKernel of ", name, " over ", range.global[0], " x ", range.global[1], " x ", range.global[2],
                       " in groups of ", local[0] * local[1] * local[2]));
}

// Device memory owned by a kernel, which grows and never shrinks.
class Scratch {
public:
  Scratch(const suite_backend* backend, suite_queue* queue, const char* what) : backend_(backend), queue_(queue), what_(what) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (data_) backend_->release(queue_, data_);
  }
  // Its handle; the contents are lost if it grows.
  cl_mem at_least(size_t bytes) {
    if (bytes > bytes_ || !data_) {
      if (data_) {
        wait();  // the old one may still be in use
        backend_->release(queue_, std::exchange(data_, nullptr));
      }
      bytes_ = 0;
      const size_t wanted = bytes > 0 ? bytes : 1;
      suite_error error{};
      const int status = backend_->allocate(queue_, wanted, &data_, &error);
      if (status != SUITE_OK) throw Failure(static_cast<suite_status>(status), concat(what_, ", ", wanted, " bytes: ", error.message));
      bytes_ = wanted;
    }
    return static_cast<cl_mem>(data_);
  }
  template <class T> cl_mem upload(const std::vector<T>& values) {
    const cl_mem memory = at_least(values.size() * sizeof(T));
    if (values.empty()) return memory;
    suite_error error{};
    require_status(backend_->upload(queue_, data_, values.data(), values.size() * sizeof(T), &error), error);
    return memory;
  }

private:
  void wait() {
    suite_error error{};
    require_status(backend_->wait(queue_, &error), error);
  }
  void require_status(int status, const suite_error& error) {
    if (status != SUITE_OK) throw Failure(static_cast<suite_status>(status), std::string(what_) + ": " + error.message);
  }
  const suite_backend* backend_;
  suite_queue* queue_;
  const char* what_;
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

// The elements of a device array, on the host.
template <class T> std::vector<T> read_back(const suite_backend* backend, suite_queue* queue, const suite_array& array, const char* name) {
  size_t count = 1;
  for (int d = 0; d < array.rank; ++d) count *= static_cast<size_t>(array.extent[d]);
  std::vector<T> values(count);
  suite_error error{};
  const int status = backend->download(queue, values.data(), array.data, count * sizeof(T), &error);
  if (status != SUITE_OK) throw Failure(static_cast<suite_status>(status), std::string("reading ") + name + " back: " + error.message);
  return values;
}

}  // namespace suite::opencl
