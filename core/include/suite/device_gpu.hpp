// SPDX-License-Identifier: BSD-3-Clause
// suite/device_gpu.hpp - device.hpp for CUDA, HIP and the emulation.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include <suite/gpu/queue.hpp>

#define SUITE_DEVICE_BACKEND SUITE_GPU_BACKEND

namespace suite::device {

class Queue : public gpu::Queue {
public:
  Queue(const suite_backend* backend, suite_queue* queue, const int64_t*, const char*) : gpu::Queue(backend, queue) {}
  int lanes() const { return 1; }
  int64_t in_flight(int64_t items, int64_t most) const { return std::min(items, most); }
  void check_extent(const suite_array&, int, const char*) const {}
  void check_count(int64_t, const char*) const {}
};
using Count = int64_t;

template <class T> class Buffer {
public:
  Buffer(const gpu::Queue& queue, const char* what) : queue_(&queue), memory_(queue, what) {}
  void set(const std::vector<T>& values) {
    count_ = static_cast<int64_t>(values.size());
    if (values.empty()) return;
    memory_.upload(values.data(), count_);
    queue_->wait();  // `values` may go
  }
  // Returns itself, for a launch.
  const Buffer& at_least(int64_t count) {
    memory_.at_least(count);
    return *this;
  }
  // What it begins with, on the host; waits.
  T first() const {
    T value{};
    memory_.download(&value, 1);
    queue_->wait();
    return value;
  }
  T* data() const { return memory_.data(); }
  int64_t count() const { return count_; }

private:
  const gpu::Queue* queue_;
  gpu::Buffer<T> memory_;
  int64_t count_ = 0;
};

template <class... Own> constexpr std::array<suite_parameter, sizeof...(Own)> parameters(const Own&... own) { return {own...}; }
template <class... P> struct Kernel {
  void (*launcher)(const Queue&, int64_t items, P...);
};

struct OrNull {
  void* data;
};
template <class A> OrNull or_null(const A& argument) { return {argument.array().data}; }

// What a launcher gets for an argument.
template <class P, class A> P passed(const A& argument) {
  if constexpr (requires { argument.array(); }) return static_cast<P>(argument.array().data);
  else if constexpr (requires { argument.data(); }) return argument.data();
  else return static_cast<P>(argument);
}
template <class P> P passed(const OrNull& argument) { return static_cast<P>(argument.data); }

template <class... P, class... A> void launch(const Queue& queue, const Kernel<P...>& kernel, int64_t items, const A&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "a kernel must be given as many arguments as it declares");
  kernel.launcher(queue, items, passed<P>(arguments)...);
}

}  // namespace suite::device
