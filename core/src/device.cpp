// SPDX-License-Identifier: BSD-3-Clause
#include "device.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <vector>

#include "process.hpp"
#include "registry.hpp"
#include "text.hpp"

using suite::concat;
using suite::Failure;
using suite::core::bytes_text;
using suite::core::require_ok;

// At least one. A backend whose runtime does not even count its devices (no driver) cannot be used here,
// which is not the same as a device that failed at work.
static int device_count(const suite_backend& backend) {
  suite_error error{};
  int count = 0;
  const int status = backend.device_count(&count, &error);
  require_ok(status == SUITE_DEVICE_ERROR ? SUITE_NOT_FOUND : status, error, "backend " + std::string(backend.name));
  if (count <= 0) throw Failure(SUITE_NOT_FOUND, std::string("backend ") + backend.name + " has no device on this machine");
  return count;
}

suite_device::suite_device(const suite::core::Plugin& plugin, int index)
    : backend(&plugin.backend), name(concat(plugin.backend.name, ":", index)) {
  suite_error error{};
  const int count = device_count(*backend);
  if (index >= count)
    throw Failure(SUITE_NOT_FOUND, concat("there is no device ", name, ": backend ", backend->name, " has ", count,
                                          count == 1 ? " device" : " devices", ", up to ", backend->name, ":", count - 1));
  require_ok(backend->open(index, &queue, &error), error, "device " + name);
}

suite_device::~suite_device() { backend->close(queue); }

void* suite_device::allocate(uint64_t bytes, const std::string& what) {
  suite_error error{};
  uint64_t free = 0, total = 0;
  const bool told = backend->memory(queue, &free, &total, &error) == SUITE_OK && total > 0;
  const std::string need = what + " needs " + bytes_text(bytes) + " on " + name;
  // Where memory is overcommitted, allocation succeeds and the process is killed later: compare first.
  if (told && bytes > free) throw Failure(SUITE_OUT_OF_MEMORY, need + ", which has " + bytes_text(free) + " free of " + bytes_text(total));
  void* data = nullptr;
  const int status = backend->allocate(queue, bytes, &data, &error);
  if (status == SUITE_OUT_OF_MEMORY && told)
    throw Failure(SUITE_OUT_OF_MEMORY, need + ", which has " + bytes_text(free) + " free of " + bytes_text(total));
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
  throw Failure(SUITE_UNSUPPORTED, "eight runs are in progress on " + name + "; wait for one of them first");
}

namespace suite::core {

void require_ok(int status, const suite_error& error, const std::string& what) {
  if (status == SUITE_OK) return;
  if (status < SUITE_OK || status > SUITE_INTERNAL) status = SUITE_INTERNAL;
  const char* said = error.message[0] ? error.message : status_name(status);
  throw Failure(static_cast<suite_status>(status), fitted(what + ": " + std::string(said, strnlen(said, sizeof error.message))));
}

namespace {

// What each device says of itself, or why it cannot be opened.
struct Described {
  std::string name, description, problem;
};
std::vector<Described> describe_devices(const Plugin& plugin) {
  std::vector<Described> devices;
  for (int index = 0, count = device_count(plugin.backend); index < count; ++index) {
    Described device{concat(plugin.backend.name, ":", index), "", ""};
    try {
      const suite_device opened(plugin, index);
      const char* text = opened.backend->describe(opened.queue);
      device.description = text ? text : "";
    } catch (const Failure& e) { device.problem = e.what(); }
    devices.push_back(device);
  }
  return devices;
}

std::vector<std::string> words_of(const std::vector<Described>& devices) {
  std::vector<std::string> words;
  for (const auto& device : devices) {
    std::string word;
    for (char c : device.description + " ") {
      if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_') {
        word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      } else {
        if (word.size() > 2 && std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
        word.clear();
      }
    }
  }
  return words;
}

// The one device whose description holds the part. Two of them are an error: nobody is to wonder which one
// ran.
int index_of(const Plugin& plugin, const std::string& part) {
  const std::vector<Described> devices = describe_devices(plugin);
  std::vector<std::string> lines, fitting;
  int found = 0;
  for (size_t i = 0; i < devices.size(); ++i) {
    const auto& d = devices[i];
    lines.push_back(d.name + " (" + (d.problem.empty() ? d.description : "unavailable: " + d.problem) + ")");
    if (!describes(d.description, part)) continue;
    fitting.push_back(lines.back());
    found = static_cast<int>(i);
  }
  if (fitting.size() == 1) return found;
  if (fitting.empty()) {
    std::string lower = part;
    for (char& letter : lower) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    const std::string near = did_you_mean(lower, words_of(devices));
    throw Failure(SUITE_NOT_FOUND,
                  fitted(std::string("no device of backend ") + plugin.backend.name + " has " + quoted(part) + " in its description" +
                         (near.empty() ? "; there are: " : near + " There are: ") + joined(lines, ", ")));
  }
  throw Failure(SUITE_INVALID_ARGUMENT, fitted(concat(quoted(part), " fits ", fitting.size(), " devices of backend ", plugin.backend.name,
                                                      "; give the number of one of them: ", joined(fitting, ", "))));
}

}  // namespace

bool describes(const std::string& description, const std::string& part) {
  const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  return std::search(description.begin(), description.end(), part.begin(), part.end(), same) != description.end();
}

// Processes of one node take the devices in turn. OpenCL lists CPUs beside GPUs, and only those like
// the first one are meant. Others are not opened to ask what they are: a context takes hundreds of MiB of a
// GPU until the process ends.
static int index_of_this_process(const Plugin& plugin) {
  const long rank = local_rank();
  if (rank <= 0) return 0;
  const int count = device_count(plugin.backend);
  if (std::string(plugin.backend.name) != "opencl") return static_cast<int>(rank % count);
  const std::vector<Described> devices = describe_devices(plugin);
  std::vector<int> alike;
  for (int index = 0; index < count; ++index)
    if (devices[index].description == devices[0].description) alike.push_back(index);
  return alike[static_cast<size_t>(rank) % alike.size()];
}

suite_device* open_device(const DeviceName& device) {
  const Plugin& plugin = find_backend(device.name);
  if (!device.part.empty()) return new suite_device(plugin, index_of(plugin, device.part));
  return new suite_device(plugin, device.index == DeviceName::of_this_process ? index_of_this_process(plugin) : device.index);
}

uint64_t array_bytes(const suite_array& array, const std::string& name) {
  uint64_t bytes = type_size(array.type);
  if (bytes == 0) throw Failure(SUITE_INVALID_ARGUMENT, concat(name, " has the unknown type ", array.type));
  if (array.rank < 0 || array.rank > SUITE_MAX_RANK)
    throw Failure(SUITE_INVALID_ARGUMENT, concat(name, " has rank ", array.rank, "; it must be from 0 to 6"));
  constexpr uint64_t most = uint64_t(1) << 62;
  for (int d = 0; d < array.rank; ++d) {
    if (array.extent[d] < 1)
      throw Failure(SUITE_INVALID_ARGUMENT, concat("extent ", d + 1, " of ", name, " is ", array.extent[d], "; it must be at least 1"));
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(array.extent[d]), &bytes) || bytes > most)
      throw Failure(SUITE_INVALID_ARGUMENT, name + " would have more than 2^62 bytes");
  }
  return bytes;
}

}  // namespace suite::core
