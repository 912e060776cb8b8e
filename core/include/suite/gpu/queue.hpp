// SPDX-License-Identifier: BSD-3-Clause
// suite/gpu/queue.hpp - part of gpu.hpp, for any C++ compiler: the queue that a kernel was created on, and memory of the device. What
// they ask of the runtime comes with gpu.hpp in the plugin's .cu files, so that host code in .cpp files needs no header of CUDA or HIP.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <suite/gpu/properties.hpp>
#include <suite/plugin.hpp>

// The streams of CUDA, of HIP on AMD's devices, and of the emulation.
struct CUstream_st;
struct ihipStream_t;
namespace suite::emulation {
struct Stream;
}

namespace suite::gpu {

#if defined(SUITE_GPU_EMULATED)
#define SUITE_GPU_BACKEND "emulated"
using Stream = const emulation::Stream*;
#elif defined(__HIP__) || defined(SUITE_GPU_AMD)
using Stream = ihipStream_t*;
#else
using Stream = CUstream_st*;
#endif

// Number of blocks of a launch with one work item for each of `threads` threads.
inline unsigned blocks_for(int64_t threads, int64_t per_block) { return static_cast<unsigned>((threads + per_block - 1) / per_block); }

// The queue that a kernel was created on.
class Queue {
public:
  Queue(const suite_backend* backend, suite_queue* queue)
      : backend_(backend), queue_(queue), stream_(static_cast<Stream>(backend->native(queue))), properties_(properties_of(stream_)) {}
  Stream stream() const { return stream_; }
  const Properties& properties() const { return properties_; }
  // Call it first in execute() and prepare(): this thread may have used another device since.
  void select() const;
  void wait() const {
    suite_error error{};
    require(backend_->wait(queue_, &error), error);
  }
  void upload(void* device, const void* host, size_t bytes) const {
    suite_error error{};
    require(backend_->upload(queue_, device, host, bytes, &error), error);
  }
  void download(void* host, const void* device, size_t bytes) const {
    suite_error error{};
    require(backend_->download(queue_, host, device, bytes, &error), error);
  }
  void set_zero(void* device, size_t bytes) const;
  void* allocate(size_t bytes, const char* what) const {
    suite_error error{};
    void* data = nullptr;
    const int status = backend_->allocate(queue_, bytes, &data, &error);
    if (status != SUITE_OK) throw Failure(static_cast<suite_status>(status), std::string(what) + ": " + error.message);
    return data;
  }
  void release(void* data) const { backend_->release(queue_, data); }

private:
  static Properties properties_of(Stream stream);
  static void require(int status, const suite_error& error) {
    if (status != SUITE_OK) throw Failure(static_cast<suite_status>(status), error.message);
  }
  const suite_backend* backend_;
  suite_queue* queue_;
  Stream stream_;
  Properties properties_;
};

// Memory of the device that a kernel owns. It must go before the queue does.
template <class T> class Buffer {
public:
  Buffer(const Queue& queue, const char* what) : queue_(&queue), what_(what) {}
  Buffer(Buffer&& other) noexcept
      : queue_(other.queue_), what_(other.what_), data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { clear(); }

  // Capacity for count elements; the contents are lost if it has to grow. Throws OUT_OF_MEMORY naming what it
  // is for.
  T* at_least(int64_t count) {
    if (count > count_) {
      clear();
      data_ = static_cast<T*>(queue_->allocate(static_cast<size_t>(count) * sizeof(T), what_));
      count_ = count;
    }
    return data_;
  }
  void clear() {
    if (data_) queue_->release(data_);
    data_ = nullptr;
    count_ = 0;
  }
  T* data() const { return data_; }
  int64_t count() const { return count_; }
  void upload(const T* host, int64_t count) { queue_->upload(at_least(count), host, static_cast<size_t>(count) * sizeof(T)); }
  void download(T* host, int64_t count) const { queue_->download(host, data_, static_cast<size_t>(count) * sizeof(T)); }

private:
  const Queue* queue_;
  const char* what_;
  T* data_ = nullptr;
  int64_t count_ = 0;
};

}  // namespace suite::gpu
