// SPDX-License-Identifier: BSD-3-Clause
// suite/suite.hpp - C++20 interface to suite.h: Device, Array and Kernel own their resources; failures throw suite::Failure.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <suite/plugin.hpp>
#include <suite/suite.h>

namespace suite {

// Throws the Failure that a C call reported.
inline void require(int status, const suite_error& error) {
  if (status != SUITE_OK) throw Failure(static_cast<suite_status>(status), error.message);
}

using Extents = std::initializer_list<int64_t>;

// Describes host memory that the caller owns. Extents: first index fastest; none for a scalar.
template <class T> suite_array describe(const T* data, Extents extents) {
  suite_array array{};
  array.data = const_cast<T*>(data);
  array.type = type_of<T>;
  static_assert(type_of<T> != 0, "int32_t, int64_t, float, double and their complex forms only");
  for (auto& e : array.extent) e = 1;
  for (int64_t e : extents) array.extent[array.rank++] = e;
  return array;
}

inline int64_t count_of(const suite_array& array) {
  int64_t n = 1;
  for (int d = 0; d < array.rank; ++d) n *= array.extent[d];
  return n;
}

// A device: "cpu", "cuda:1". Kernels opened on one device share its memory and queue.
class Device {
public:
  explicit Device(const std::string& backend) {
    suite_error error{};
    suite_device* opened = nullptr;
    require(suite_device_open(backend.c_str(), &opened, &error), error);
    handle_.reset(opened);
  }
  std::string describe() const { return suite_device_describe(handle_.get()); }
  suite_device* handle() const { return handle_.get(); }

private:
  struct Close {
    void operator()(suite_device* d) const { suite_device_close(d); }
  };
  std::unique_ptr<suite_device, Close> handle_;
};

// An array that lives on a device.
template <class T> class Array {
public:
  Array(const Device& device, Extents extents) : device_(device.handle()), array_(suite::describe<T>(nullptr, extents)) {
    suite_error error{};
    require(suite_allocate(device_, &array_, &error), error);
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  Array(Array&& other) noexcept : device_(other.device_), array_(std::exchange(other.array_, suite_array{})) {}
  ~Array() {
    if (array_.data) suite_release(device_, &array_);
  }
  void upload(std::span<const T> host) { copy(suite_upload, host.data(), true); }
  void download(std::span<T> host) const { copy(suite_download, host.data(), false); }
  const suite_array& array() const { return array_; }

private:
  template <class F> void copy(F function, const T* host, bool up) const {
    suite_array there = array_;
    there.data = const_cast<T*>(host);
    there.place = SUITE_HOST;
    suite_error error{};
    require(up ? function(device_, &array_, &there, &error) : function(device_, &there, &array_, &error), error);
  }
  suite_device* device_;
  suite_array array_;
};

// A kernel open on a device: set its arguments by name, run it, get results.
class Kernel {
public:
  Kernel(const std::string& kernel, const std::string& implementation, const Device* device = nullptr) {
    suite_error error{};
    suite_call* opened = nullptr;
    require(suite_open(kernel.c_str(), implementation.c_str(), device ? device->handle() : nullptr, &opened, &error), error);
    call_.reset(opened);
  }
  void set(const char* argument, const suite_array& array) {
    suite_error error{};
    require(suite_set(call_.get(), argument, &array, &error), error);
  }
  template <class T> void set(const char* argument, const T* data, Extents extents) { set(argument, suite::describe(data, extents)); }
  template <class T> void set(const char* argument, T scalar) { set(argument, suite::describe(&scalar, {})); }
  // Keeps a result on the device, until it is set again; get() copies it back.
  void keep(const char* argument) {
    suite_error error{};
    require(suite_keep(call_.get(), argument, &error), error);
  }
  void get(const char* argument, const suite_array& array) const {
    suite_error error{};
    require(suite_get(call_.get(), argument, &array, &error), error);
  }
  template <class T> void get(const char* argument, T* data, Extents extents) const { get(argument, suite::describe(data, extents)); }
  void choose(const char* parameter, const std::string& choice) {
    suite_error error{};
    require(suite_choose(call_.get(), parameter, choice.c_str(), &error), error);
  }
  void set_parameter(const char* parameter, int64_t value) {
    suite_error error{};
    require(suite_set_parameter(call_.get(), parameter, value, &error), error);
  }
  void generate(const std::string& size, uint64_t seed) {
    suite_error error{};
    require(suite_generate(call_.get(), size.c_str(), seed, &error), error);
  }
  suite_array argument(const char* name) const {
    suite_error error{};
    suite_array array{};
    require(suite_argument_array(call_.get(), name, &array, &error), error);
    return array;
  }
  // Seconds of execute by the device's clock.
  double run() {
    suite_error error{};
    double seconds = 0;
    require(suite_run(call_.get(), &seconds, &error), error);
    return seconds;
  }
  void start() {
    suite_error error{};
    require(suite_start(call_.get(), &error), error);
  }
  double wait() {
    suite_error error{};
    double seconds = 0;
    require(suite_wait(call_.get(), &seconds, &error), error);
    return seconds;
  }
  void forget() { suite_forget(call_.get()); }
  double merit() const {
    suite_error error{};
    double count = 0;
    require(suite_call_merit(call_.get(), &count, &error), error);
    return count;
  }
  suite_cost cost() const {
    suite_error error{};
    suite_cost cost{};
    require(suite_call_cost(call_.get(), &cost, &error), error);
    return cost;
  }
  const suite_kernel_table& table() const { return *suite_describe(call_.get()); }
  suite_call* handle() const { return call_.get(); }

private:
  struct Close {
    void operator()(suite_call* c) const { suite_close(c); }
  };
  std::unique_ptr<suite_call, Close> call_;
};

inline int64_t parameter_of(const Kernel& kernel, const char* name) {
  suite_error error{};
  int64_t value = 0;
  require(suite_get_parameter(kernel.handle(), name, &value, &error), error);
  return value;
}

// The largest tolerance of the selected choices, or 0.
inline double tolerance_of_choices(const Kernel& kernel) {
  double largest = 0;
  for (const suite_parameter& p : std::span(kernel.table().parameters, kernel.table().parameter_count))
    if (p.choices) largest = std::max(largest, p.choices[parameter_of(kernel, p.name)].tolerance);
  return largest;
}

// The factor for the tolerances of a call's outputs: they are stated for double precision, and count
// 1e8-fold in a call that has an argument of a type set in single precision.
inline double tolerance_factor(const Kernel& kernel) {
  const suite_kernel_table& table = kernel.table();
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    if (!(table.arguments[i].type & SUITE_TYPE_SET)) continue;
    const suite_array bound = kernel.argument(table.arguments[i].name);
    if (bound.rank >= 0 && (bound.type == SUITE_REAL32 || bound.type == SUITE_COMPLEX64)) return 1e8;
  }
  return 1;
}

// The allowed distance of a result from the reference, relative to the reference's max norm: its tolerance times tolerance_factor, or that
// of the selected choices if that is larger.
inline double allowed(const suite_argument& output, double factor, double of_choices) {
  return std::max(output.tolerance * factor, of_choices);
}

}  // namespace suite
