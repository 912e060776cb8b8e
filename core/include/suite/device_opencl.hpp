// SPDX-License-Identifier: BSD-3-Clause
// suite/device_opencl.hpp - device.hpp for OpenCL.
#pragma once

#include <array>
#include <type_traits>
#include <vector>

#include <suite/opencl/engine.hpp>

#define SUITE_DEVICE_BACKEND "opencl"

namespace suite::device {

// The family's, which knows the text that stands before each of its kernels; defined once, in its folder opencl.
opencl::Engine engine_of_family(const suite_backend* backend, suite_queue* queue, opencl::Knobs knobs, const char* kernel);

class Queue : public opencl::Engine {
public:
  Queue(const suite_backend* backend, suite_queue* queue, const int64_t* knobs, const char* kernel)
      : opencl::Engine(engine_of_family(backend, queue, {knobs[0], knobs[1]}, kernel)) {}
  void select() const {}
  int lanes() const { return vector(); }
  int64_t in_flight(int64_t items, int64_t) const { return groups(opencl::ceil_div(items, local()), local()) * local(); }
  // Throw where there is more than a kernel counts. name: of the array; what: "shells".
  void check_extent(const suite_array& array, int d, const char* name) const { opencl::count_of(array, d, name); }
  void check_count(int64_t n, const char* what) const { opencl::as_int(n, what); }
};
using Count = cl_int;

template <class T> class Buffer {
public:
  Buffer(const Queue& queue, const char* what) : queue_(&queue), scratch_(queue.backend, queue.queue, what) {}
  void set(const std::vector<T>& values) {
    count_ = static_cast<int64_t>(values.size());
    memory_ = scratch_.upload(values);
  }
  // Returns itself, for a launch.
  const Buffer& at_least(int64_t count) {
    memory_ = scratch_.at_least(static_cast<size_t>(count) * sizeof(T));
    return *this;
  }
  // What it begins with, on the host; waits.
  T first() const {
    T value{};
    queue_->download(&value, memory_, sizeof value);
    queue_->wait();
    return value;
  }
  cl_mem memory() const { return memory_; }
  int64_t count() const { return count_; }

private:
  const Queue* queue_;
  opencl::Scratch scratch_;
  cl_mem memory_ = nullptr;
  int64_t count_ = 0;
};

template <class... Own> constexpr std::array<suite_parameter, sizeof...(Own) + 2> parameters(const Own&... own) {
  return {own..., opencl::vector_parameter, opencl::local_parameter};
}

// text: of the file's .cl.
template <class... P> struct Kernel {
  const char *name, *text;
};

struct OrNull {
  cl_mem memory;
};
template <class A> OrNull or_null(const A& argument) { return {opencl::memory_of(argument)}; }

// What a kernel gets for an argument; `any` is a buffer that stands for one that is unset.
template <class P, class A> auto passed(const A& argument, cl_mem any) {
  if constexpr (std::is_same_v<A, OrNull>) return argument.memory ? argument.memory : any;
  else if constexpr (requires { argument.array(); }) return opencl::memory_of(argument);
  else if constexpr (requires { argument.memory(); }) return argument.memory();
  else return static_cast<P>(argument);
}
// An array of the call rather than a buffer of ours: what a kernel writes there by mistake is seen.
template <class A> void note_memory(const A& argument, cl_mem& array, cl_mem& buffer) {
  if constexpr (requires { argument.memory(); }) buffer = argument.memory();
  else if constexpr (requires { argument.array(); }) array = opencl::memory_of(argument);
}

template <class... P, class... A> void launch(Queue& queue, const Kernel<P...>& kernel, int64_t items, const A&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "a kernel must be given as many arguments as it declares");
  cl_mem array = nullptr, buffer = nullptr;
  (note_memory(arguments, array, buffer), ...);
  const cl_mem any = array ? array : buffer;
  const int together = queue.local();
  queue.start(kernel.text, kernel.name, "", opencl::ceil_div(items, together), queue.lanes(), together, passed<P>(arguments, any)...);
}

}  // namespace suite::device
