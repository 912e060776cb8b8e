// SPDX-License-Identifier: BSD-3-Clause
// The C border: every entry turns what is thrown into a status and a sentence.
#include <suite/suite.h>

#include <cstring>
#include <memory>

#include "call.hpp"
#include "device.hpp"
#include "process.hpp"
#include "registry.hpp"
#include "sha256.hpp"
#include "text.hpp"
#include "trace.hpp"

using suite::concat;
using suite::Failure;
using suite::guarded;
using namespace suite::core;

static void require_pointer(const void* pointer, const char* what) {
  if (!pointer) throw Failure(SUITE_INVALID_ARGUMENT, std::string("the ") + what + " is NULL");
}

int suite_device_open(const char* backend, suite_device** device, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(backend, "name of the backend");
    require_pointer(device, "place for the device");
    *device = nullptr;
    *device = open_device(parse_device(backend));
  });
}

void suite_device_close(suite_device* device) {
  if (device) device->release();
}

void suite_device_keep(suite_device* device) {
  if (device) device->keep();
}

const char* suite_device_describe(const suite_device* device) {
  const char* text = device ? device->backend->describe(device->queue) : nullptr;
  return text ? text : "";
}

void* suite_device_native(const suite_device* device) {
  return device && device->backend->native ? device->backend->native(device->queue) : nullptr;
}

const char* suite_device_name(const suite_device* device) { return device ? device->name.c_str() : ""; }

int suite_device_memory(suite_device* device, uint64_t* free, uint64_t* total, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(device, "device");
    uint64_t unwanted = 0;
    suite_error said{};
    require_ok(device->backend->memory(device->queue, free ? free : &unwanted, total ? total : &unwanted, &said), said,
               "memory of " + device->name);
  });
}

int suite_allocate(suite_device* device, suite_array* array, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(device, "device");
    require_pointer(array, "array");
    const uint64_t bytes = array_bytes(*array, "the array");
    array->data = device->allocate(bytes, "an array");
    array->place = SUITE_DEVICE;
    for (int d = array->rank; d < SUITE_MAX_RANK; ++d) array->extent[d] = 1;
  });
}

void suite_release(suite_device* device, suite_array* array) {
  if (!device || !array || !array->data) return;
  device->release(array->data);
  array->data = nullptr;
}

// Bytes to copy between two arrays that must agree.
static uint64_t copied_bytes(const suite_device* device, const suite_array* there, const suite_array* host) {
  require_pointer(device, "device");
  require_pointer(there, "device array");
  require_pointer(host, "host array");
  require_pointer(there->data, "data of the device array");
  require_pointer(host->data, "data of the host array");
  if (!device->shares_host_memory() && (there->place != SUITE_DEVICE || host->place != SUITE_HOST))
    throw Failure(SUITE_INVALID_ARGUMENT,
                  there->place != SUITE_DEVICE ? "the device array is not on the device" : "the host array is not on the host");
  if (there->type != host->type)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  std::string("the device array is ") + type_name(there->type) + " but the host array is " + type_name(host->type));
  const uint64_t bytes = array_bytes(*there, "the device array");
  array_bytes(*host, "the host array");
  for (int d = 0; d < SUITE_MAX_RANK; ++d) {
    const int64_t on_device = d < there->rank ? there->extent[d] : 1, on_host = d < host->rank ? host->extent[d] : 1;
    if (on_device != on_host)
      throw Failure(SUITE_INVALID_ARGUMENT,
                    concat("extent ", d + 1, " is ", on_device, " in the device array but ", on_host, " in the host array"));
  }
  return bytes;
}

int suite_upload(suite_device* device, const suite_array* there, const suite_array* host, suite_error* error) {
  return guarded(error, [&] {
    const uint64_t bytes = copied_bytes(device, there, host);
    const Span span("upload", *device, bytes);
    device->upload(there->data, host->data, bytes);
  });
}

int suite_download(suite_device* device, const suite_array* host, const suite_array* there, suite_error* error) {
  return guarded(error, [&] {
    const uint64_t bytes = copied_bytes(device, there, host);
    const Span span("download", *device, bytes);
    device->download(host->data, there->data, bytes);
  });
}

// A kernel runs on the device given, or on one of its own.
static suite_call* open_call(const std::string& kernel, const std::string& implementation, suite_device* device) {
  const bool is_path = implementation.find('/') != std::string::npos;
  const size_t colon = implementation.rfind(':');
  const bool numbered = colon != std::string::npos && colon + 1 < implementation.size() &&
                        implementation.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  const DeviceName name = is_path && !numbered ? DeviceName{implementation} : parse_device(implementation);
  const FoundKernel found = find_kernel(kernel, name.name);
  const std::string backend = found.kernel->table.backend;
  const std::string wanted = backend + ":" + (name.part.empty() ? std::to_string(name.index) : name.part);
  if (device && device->backend->name != backend)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fitted(kernel + " on " + name.name + " runs on backend " + backend + ", but the given device is " + device->name));
  const bool fits = !device             ? true
                    : name.part.empty() ? !numbered || device->name == wanted
                                        : describes(suite_device_describe(device), name.part);
  if (device && !fits)
    throw Failure(SUITE_INVALID_ARGUMENT, fitted("device " + wanted + " is required, but the given device is " + device->name));
  if (device) return new suite_call(found, device);
  struct LetGo {
    void operator()(suite_device* d) const { d->release(); }
  };
  const std::unique_ptr<suite_device, LetGo> own(open_device({backend, name.index, name.part}));
  return new suite_call(found, own.get());
}

int suite_open(const char* kernel, const char* implementation, suite_device* device, suite_call** call, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(call, "place for the call");
    *call = nullptr;
    require_pointer(kernel, "name of the kernel");
    require_pointer(implementation, "name of the implementation");
    Span span(kernel, implementation);
    *call = open_call(kernel, implementation, device);
    span.opened(**call);
  });
}

void suite_close(suite_call* call) { delete call; }

int suite_set(suite_call* call, const char* argument, const suite_array* array, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(call, "call");
    call->set(argument, array);
  });
}

int suite_keep(suite_call* call, const char* argument, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(call, "call");
    call->keep(argument);
  });
}

void suite_forget(suite_call* call) {
  if (call) guarded(nullptr, [&] { call->forget(); });
}

int suite_set_parameter(suite_call* call, const char* parameter, int64_t value, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(call, "call");
    call->set_parameter(parameter, value);
  });
}

int suite_choose(suite_call* call, const char* parameter, const char* choice, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(call, "call");
    call->choose(parameter, choice);
  });
}

int suite_get_parameter(const suite_call* call, const char* parameter, int64_t* value, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(call, "call");
    require_pointer(value, "place for the value");
    *value = call->parameter(parameter);
  });
}

int suite_run(suite_call* call, double* seconds, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(call, "call");
    Span span("run", *call);
    call->start();
    const double took = call->wait();
    span.took(*call, took);
    if (seconds) *seconds = took;
  });
}

int suite_start(suite_call* call, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(call, "call");
    const Span span("start", *call);
    call->start();
  });
}

int suite_wait(suite_call* call, double* seconds, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(call, "call");
    Span span("wait", *call);
    const double took = call->wait();
    span.took(*call, took);
    if (seconds) *seconds = took;
  });
}

int suite_overheads(const suite_call* call, double* prepare, double* transfer) {
  if (!call) return SUITE_INVALID_ARGUMENT;
  if (prepare) *prepare = call->prepare_seconds;
  if (transfer) *transfer = call->transfer_seconds;
  return SUITE_OK;
}

int suite_get(suite_call* call, const char* argument, const suite_array* array, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(call, "call");
    call->get(argument, array);
  });
}

const suite_kernel_table* suite_describe(const suite_call* call) { return call ? call->table : nullptr; }
const char* suite_plugin_file(const suite_call* call) { return call ? call->plugin->file.c_str() : ""; }
const suite_plugin* suite_plugin_table(const suite_call* call) { return call ? &call->plugin->table : nullptr; }
suite_device* suite_call_device(const suite_call* call) { return call ? call->device : nullptr; }

int suite_call_cost(const suite_call* call, suite_cost* cost, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(call, "call");
    require_pointer(cost, "place for the cost");
    *cost = const_cast<suite_call*>(call)->cost();
  });
}

int suite_call_merit(const suite_call* call, double* count, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(call, "call");
    require_pointer(count, "place for the count");
    *count = call->merit();
  });
}

int suite_generate(suite_call* call, const char* size, uint64_t seed, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(call, "call");
    call->generate(size, seed);
  });
}

int suite_argument_array(const suite_call* call, const char* argument, suite_array* array, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(call, "call");
    require_pointer(array, "place for the array");
    *array = call->bound_array(argument);
  });
}

int suite_expected_array(const suite_call* call, const char* argument, suite_array* array, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(call, "call");
    require_pointer(array, "place for the array");
    *array = call->expected_array(argument);
  });
}

int suite_register_plugin(const suite_plugin* plugin, suite_error* error) {
  return guarded(error, [&] {
    require_pointer(plugin, "plugin");
    register_plugin(*plugin);
  });
}

void suite_visit(void (*seen)(void*, const char*, const suite_plugin*, const char*), void* with) {
  guarded(nullptr, [&] {
    if (!seen) return;
    visit_plugins([&](const std::string& file, const Plugin* plugin, const std::string& why) {
      seen(with, file.c_str(), plugin ? &plugin->table : nullptr, plugin ? nullptr : why.c_str());
    });
  });
}

void suite_warnings(void (*seen)(void*, const char*), void* with) {
  guarded(nullptr, [&] {
    if (!seen) return;
    for (const auto& warning : process_warnings()) seen(with, warning.c_str());
  });
}

const char* suite_version(void) { return SUITE_VERSION; }
const char* suite_type_name(int32_t type) { return type_name(type); }
size_t suite_type_size(int32_t type) { return type_size(type); }
const char* suite_status_name(int status) { return status_name(status); }

int suite_hash_file(const char* file, char digits[65], suite_error* error) {
  return guarded(error, [&] {
    require_pointer(file, "name of the file");
    require_pointer(digits, "place for the digits");
    const std::string text = hexadecimal(hash_file(file));
    std::memcpy(digits, text.c_str(), text.size() + 1);
  });
}
