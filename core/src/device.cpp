// SPDX-License-Identifier: BSD-3-Clause
#include "device.hpp"

#include <cstring>

#include "registry.hpp"
#include "text.hpp"

using suite::Failure;
using suite::core::bytes_text;
using suite::core::require_ok;

suite_device::suite_device(const suite::core::Plugin& plugin, int index)
    : backend(&plugin.backend), name(std::string(plugin.backend.name) + ":" + std::to_string(index)) {
  suite_error error{};
  int count = 0;
  require_ok(backend->device_count(&count, &error), error, "backend " + std::string(backend->name));
  if (count <= 0)
    throw Failure(SUITE_NOT_FOUND,
                  std::string("backend ") + backend->name + " has no device on this machine");
  if (index >= count)
    throw Failure(SUITE_NOT_FOUND, "there is no device " + name + ": backend " + backend->name + " has " +
                                       std::to_string(count) + (count == 1 ? " device" : " devices") +
                                       ", up to " + backend->name + ":" + std::to_string(count - 1));
  require_ok(backend->open(index, &queue, &error), error, "device " + name);
}

suite_device::~suite_device() { backend->close(queue); }

void* suite_device::allocate(uint64_t bytes, const std::string& what) {
  suite_error error{};
  uint64_t free = 0, total = 0;
  const bool told = backend->memory(queue, &free, &total, &error) == SUITE_OK && total > 0;
  const std::string need = what + " needs " + bytes_text(bytes) + " on " + name;
  // Where memory is overcommitted, allocation succeeds and the process is killed later: compare first.
  if (told && bytes > free)
    throw Failure(SUITE_OUT_OF_MEMORY,
                  need + ", which has " + bytes_text(free) + " free of " + bytes_text(total));
  void* data = nullptr;
  const int status = backend->allocate(queue, bytes, &data, &error);
  if (status == SUITE_OUT_OF_MEMORY && told)
    throw Failure(SUITE_OUT_OF_MEMORY,
                  need + ", which has " + bytes_text(free) + " free of " + bytes_text(total));
  require_ok(status, error, need);
  return data;
}

void suite_device::upload(void* device, const void* host, uint64_t bytes) {
  suite_error error{};
  require_ok(backend->upload(queue, device, host, bytes, &error), error, "upload to " + name);
}

void suite_device::download(void* host, const void* device, uint64_t bytes) {
  suite_error error{};
  require_ok(backend->download(queue, host, device, bytes, &error), error, "download from " + name);
}

int suite_device::take_marks() {
  for (int pair = 0; pair < 8; ++pair)
    if (!(marks_taken_ >> pair & 1)) {
      marks_taken_ |= 1u << pair;
      return pair;
    }
  throw Failure(SUITE_UNSUPPORTED, "eight runs are under way on " + name + "; wait for one of them");
}

namespace suite::core {

void require_ok(int status, const suite_error& error, const std::string& what) {
  if (status == SUITE_OK) return;
  if (status < SUITE_OK || status > SUITE_INTERNAL) status = SUITE_INTERNAL;
  const char* said = error.message[0] ? error.message : status_name(status);
  throw Failure(static_cast<suite_status>(status),
                fitted(what + ": " + std::string(said, strnlen(said, sizeof error.message))));
}

suite_device* open_device(const std::string& backend, int index) {
  const Plugin& plugin = find_backend(backend);
  return new suite_device(plugin, index);
}

uint64_t array_bytes(const suite_array& array, const std::string& name) {
  uint64_t bytes = type_size(array.type);
  if (bytes == 0)
    throw Failure(SUITE_INVALID_ARGUMENT, name + " has the unknown type " + std::to_string(array.type));
  if (array.rank < 0 || array.rank > SUITE_MAX_RANK)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  name + " has rank " + std::to_string(array.rank) + "; 0 to 6 are possible");
  constexpr uint64_t most = uint64_t(1) << 62;
  for (int d = 0; d < array.rank; ++d) {
    if (array.extent[d] < 1)
      throw Failure(SUITE_INVALID_ARGUMENT, "extent " + std::to_string(d + 1) + " of " + name + " is " +
                                                std::to_string(array.extent[d]) + "; it must be at least 1");
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(array.extent[d]), &bytes) || bytes > most)
      throw Failure(SUITE_INVALID_ARGUMENT, name + " would have more than 2^62 bytes");
  }
  return bytes;
}

}  // namespace suite::core
