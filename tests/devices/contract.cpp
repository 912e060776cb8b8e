// SPDX-License-Identifier: BSD-3-Clause
// docs/add-a-backend.md, asked of every backend on the search path. One that cannot run here must say why,
// and is skipped.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include <suite/suite.hpp>

using suite::Device;
using suite::Failure;
using suite::Kernel;

namespace {

struct Found {
  std::string name;
  const suite_backend* table;
};

std::vector<Found> backends() {
  std::vector<Found> found;
  suite_visit(
      [](void* with, const char*, const suite_plugin* plugin, const char*) {
        if (plugin && plugin->backend) static_cast<std::vector<Found>*>(with)->push_back({plugin->backend->name, plugin->backend});
      },
      &found);
  return found;
}

// A queue of the backend itself, without the core between.
struct Queue {
  explicit Queue(const suite_backend* backend, int device = 0) : table(backend) {
    suite_error error{};
    suite::require(table->open(device, &queue, &error), error);
  }
  Queue(const Queue&) = delete;
  ~Queue() { table->close(queue); }
  void* allocate(size_t bytes) const {
    suite_error error{};
    void* data = nullptr;
    suite::require(table->allocate(queue, bytes, &data, &error), error);
    return data;
  }
  const suite_backend* table;
  suite_queue* queue = nullptr;
};

// Runs what is promised on each backend that can run here.
void on_each(const std::function<void(const Found&)>& promise) {
  for (const Found& backend : backends()) {
    BOOST_TEST_CONTEXT("backend " << backend.name) {
      suite_error error{};
      int count = 0;
      const int status = backend.table->device_count(&count, &error);
      if (status != SUITE_OK || count == 0) {
        BOOST_TEST((status == SUITE_OK || error.message[0] != 0));
        std::cout << "skipped: backend " << backend.name << ": " << (status == SUITE_OK ? "no device on this machine" : error.message)
                  << '\n';
        continue;
      }
      promise(backend);
    }
  }
}

std::string probe_file(const std::string& backend) { return PROBE_FOLDER "/suite_probe_" + backend + ".so"; }

// OpenCL's memory objects are handles: they have no inside that one could point to.
bool has_addresses(const Found& backend) { return backend.name != "opencl"; }

// What f throws, with its status; empty where it throws nothing.
template <class F> std::string failure(suite_status status, F f) {
  try {
    f();
  } catch (const Failure& e) {
    BOOST_TEST(e.status() == status);
    return e.what();
  }
  return "";
}
bool says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  BOOST_TEST_MESSAGE("'" << text << "' does not contain '" << part << "'");
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_cannot_run_is_listed_and_refused_with_its_reason) {
  for (const Found& backend : backends()) {
    suite_error error{};
    int count = 0;
    if (backend.table->device_count(&count, &error) == SUITE_OK && count > 0) continue;
    const std::string opened = failure(SUITE_NOT_FOUND, [&] { Device device(backend.name); });
    BOOST_TEST(says(opened, backend.name));
    BOOST_TEST(says(opened, error.message));
    if (!std::filesystem::exists(probe_file(backend.name))) continue;
    suite_call* call = nullptr;
    BOOST_TEST(suite_open("probe.words", probe_file(backend.name).c_str(), nullptr, &call, &error) != SUITE_OK);
    BOOST_TEST(says(error.message, backend.name));
  }
}

BOOST_AUTO_TEST_CASE(a_device_describes_itself_and_its_memory) {
  on_each([](const Found& backend) {
    const Device device(backend.name);
    BOOST_TEST(!device.describe().empty());
    uint64_t free = 0, total = 0;
    suite_error error{};
    BOOST_REQUIRE(suite_device_memory(device.handle(), &free, &total, &error) == SUITE_OK);
    BOOST_TEST(total > 0u);
    BOOST_TEST(free <= total);
  });
}

// 9 MiB and a bit: several turns of a staging buffer.
BOOST_AUTO_TEST_CASE(what_goes_up_comes_down_again) {
  on_each([](const Found& backend) {
    const Queue queue(backend.table), other(backend.table);
    for (const size_t count : {size_t(1), size_t(1000), size_t((9 << 20) + 24) / 8}) {
      std::vector<double> there(count), back(count, -1);
      std::iota(there.begin(), there.end(), 0.5);
      const size_t bytes = count * sizeof(double);
      void* data = queue.allocate(bytes);
      if (has_addresses(backend)) BOOST_TEST(reinterpret_cast<uintptr_t>(data) % 64 == 0u);
      suite_error error{};
      BOOST_TEST(backend.table->upload(queue.queue, data, there.data(), bytes, &error) == SUITE_OK);
      std::vector<double> overwritten = there;  // upload has returned: its source may change
      there.assign(count, 0);
      BOOST_TEST(backend.table->download(queue.queue, back.data(), data, bytes, &error) == SUITE_OK);
      BOOST_TEST(backend.table->wait(queue.queue, &error) == SUITE_OK);
      BOOST_TEST((back == overwritten));
      backend.table->release(queue.queue, data);
    }
  });
}

BOOST_AUTO_TEST_CASE(marks_tell_time_and_refuse_a_slot_that_is_not_there) {
  on_each([](const Found& backend) {
    const Queue queue(backend.table);
    suite_error error{};
    for (int slot = 0; slot < 16; ++slot) BOOST_TEST(backend.table->mark(queue.queue, slot, &error) == SUITE_OK);
    BOOST_TEST(backend.table->wait(queue.queue, &error) == SUITE_OK);
    BOOST_TEST(backend.table->seconds(queue.queue, 0, 15) >= 0);
    BOOST_TEST(backend.table->mark(queue.queue, 16, &error) == SUITE_INVALID_ARGUMENT);
    BOOST_TEST(backend.table->mark(queue.queue, -1, nullptr) == SUITE_INVALID_ARGUMENT);
  });
}

BOOST_AUTO_TEST_CASE(too_much_memory_is_refused_with_what_is_needed_and_there) {
  on_each([](const Found& backend) {
    const Queue queue(backend.table);
    suite_error error{};
    void* data = nullptr;
    BOOST_TEST(backend.table->allocate(queue.queue, size_t(1) << 60, &data, &error) == SUITE_OUT_OF_MEMORY);
    BOOST_TEST(error.message[0] != 0);
    const Device device(backend.name);
    const std::string text = failure(SUITE_OUT_OF_MEMORY, [&] { suite::Array<double> array(device, {int64_t(1) << 56}); });
    BOOST_TEST(says(text, "needs"));
    BOOST_TEST(says(text, "free of"));
    void* small = queue.allocate(64);  // it goes on
    backend.table->release(queue.queue, small);
  });
}

BOOST_AUTO_TEST_CASE(the_place_of_an_address_is_known_or_said_to_be_unknown) {
  on_each([](const Found& backend) {
    const Queue queue(backend.table);
    std::vector<double> host(100);
    void* data = queue.allocate(800);
    const int here = backend.table->place(queue.queue, host.data()), there = backend.table->place(queue.queue, data);
    BOOST_TEST((here == SUITE_HOST || here == -1));
    if (backend.table->shares_host_memory == 0) BOOST_TEST((there == SUITE_DEVICE || there == -1));
    if (there == SUITE_DEVICE && has_addresses(backend))
      BOOST_TEST(backend.table->place(queue.queue, static_cast<char*>(data) + 799) == SUITE_DEVICE);
    backend.table->release(queue.queue, data);
  });
}

BOOST_AUTO_TEST_CASE(a_kernel_gets_right_answers_and_refuses_addresses_of_the_wrong_side) {
  on_each([](const Found& backend) {
    if (!std::filesystem::exists(probe_file(backend.name))) return;
    const Device device(backend.name);
    Kernel kernel("probe.words", probe_file(backend.name), &device);
    constexpr int64_t n = 1000;
    std::vector<double> x(n), reversed(n), sums(n), binned(n);
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * 7919 % 1000);
    suite::Array<double> on_device(device, {n});
    on_device.upload(x);
    for (const bool from_device : {false, true}) {
      if (from_device) kernel.set("x", on_device.array());
      else kernel.set("x", x.data(), {n});
      kernel.set("reversed", reversed.data(), {n});
      kernel.set("sums", sums.data(), {n});
      kernel.set("binned", binned.data(), {n});
      BOOST_TEST(kernel.run() >= 0);
      kernel.get("reversed", reversed.data(), {n});
      kernel.get("sums", sums.data(), {n});
      kernel.get("binned", binned.data(), {n});
      std::vector<double> bins(8);
      for (size_t i = 0; i < x.size(); ++i) {
        const size_t first = i / 128 * 128;
        BOOST_REQUIRE_EQUAL(reversed[i], first + 128 <= x.size() ? x[first + 127 - i % 128] : x[i]);
        double sum = 0;
        for (size_t j = i / 32 * 32; j < std::min(x.size(), i / 32 * 32 + 32); ++j) sum += x[j];
        BOOST_REQUIRE_EQUAL(sums[i], sum);  // whole numbers: exact in any order
        bins[i % 8] += x[i];
      }
      for (size_t i = 0; i < binned.size(); ++i) BOOST_REQUIRE_EQUAL(binned[i], i < 8 ? bins[i] : 0);
    }
    suite_array wrong = suite::describe(x.data(), {n});
    wrong.place = SUITE_DEVICE;
    BOOST_TEST(says(failure(SUITE_INVALID_ARGUMENT, [&] { kernel.set("x", wrong); }), "x is declared to be on the device"));
    wrong = on_device.array();
    wrong.place = SUITE_HOST;
    BOOST_TEST(says(failure(SUITE_INVALID_ARGUMENT, [&] { kernel.set("x", wrong); }), "x is declared to be on the host"));
  });
}

BOOST_AUTO_TEST_CASE(devices_have_memory_of_their_own) {
  on_each([](const Found& backend) {
    suite_error error{};
    int count = 0;
    BOOST_REQUIRE(backend.table->device_count(&count, &error) == SUITE_OK);
    BOOST_TEST(says(failure(SUITE_NOT_FOUND, [&] { Device(backend.name + ":" + std::to_string(count)); }), "there is no device"));
    if (count < 2) {
      std::cout << "skipped: backend " << backend.name << " has one device only\n";
      return;
    }
    const Device first(backend.name + ":0"), second(backend.name + ":1");
    uint64_t free_before = 0, free_after = 0, total = 0;
    BOOST_REQUIRE(suite_device_memory(second.handle(), &free_before, &total, &error) == SUITE_OK);
    suite::Array<double> array(first, {1 << 20});
    BOOST_REQUIRE(suite_device_memory(second.handle(), &free_after, &total, &error) == SUITE_OK);
    BOOST_TEST(free_before == free_after);
  });
}

// What only the emulated backend promises.
BOOST_AUTO_TEST_CASE(the_emulated_device_finds_what_a_gpu_hides) {
  for (const Found& backend : backends()) {
    if (backend.name != "emulated") continue;
    const Queue queue(backend.table);
    suite_error error{};
    double value = 0;
    void* data = queue.allocate(8);
    BOOST_TEST(backend.table->download(queue.queue, &value, data, 8, &error) == SUITE_OK);
    BOOST_TEST(std::isnan(value));
    double two[2] = {1, 2};
    BOOST_TEST(backend.table->upload(queue.queue, data, two, 16, &error) == SUITE_INVALID_ARGUMENT);
    BOOST_TEST(says(error.message, "a copy of 16 bytes"));
    BOOST_TEST(backend.table->upload(queue.queue, two, two, 8, &error) == SUITE_INVALID_ARGUMENT);
    BOOST_TEST(says(error.message, "is not memory of emulated:0"));
    BOOST_TEST(backend.table->upload(queue.queue, data, data, 8, &error) == SUITE_INVALID_ARGUMENT);
    BOOST_TEST(says(error.message, "host address is memory of a device"));
#if !defined(__SANITIZE_ADDRESS__)
    static_cast<volatile char*>(data)[8] = 1;  // what a kernel with a wrong index does
    BOOST_TEST(backend.table->wait(queue.queue, &error) == SUITE_DEVICE_ERROR);
    BOOST_TEST(says(error.message, "an array of 8 bytes on the device was written beyond its end"));
    BOOST_TEST(backend.table->wait(queue.queue, &error) == SUITE_OK);
#endif
    backend.table->release(queue.queue, data);
    const char* was = std::getenv("SUITE_EMULATED_WARP");
    const std::string kept = was ? was : "32";
    for (const char* lanes : {"48", "sixty-four", "0"}) {
      ::setenv("SUITE_EMULATED_WARP", lanes, 1);
      BOOST_TEST(says(failure(SUITE_INVALID_ARGUMENT, [] { Device device("emulated"); }), std::string("'") + lanes + "'"));
    }
    ::setenv("SUITE_EMULATED_WARP", kept.c_str(), 1);
    BOOST_TEST(says(Device("emulated").describe(), kept + " lanes"));
  }
}

// The runtime's errors must come through in its own words; pretended/hip reports the one that it is told to.
BOOST_AUTO_TEST_CASE(what_the_runtime_reports_reaches_the_caller) {
  for (const Found& backend : backends()) {
    if (backend.name != "pretended") continue;
    const Queue queue(backend.table);
    std::vector<char> host(16 << 20);
    suite_error error{};
    void* data = queue.allocate(host.size());
    const auto fails = [&](const char* fault, suite_status status, const char* part, const auto& call) {
      ::setenv("PRETENDED_FAULT", fault, 1);
      error = {};
      BOOST_TEST_CONTEXT("fault " << fault) {
        BOOST_TEST(call() == status);
        BOOST_TEST(says(error.message, part));
      }
      ::unsetenv("PRETENDED_FAULT");
    };
    const auto upload = [&] { return backend.table->upload(queue.queue, data, host.data(), host.size(), &error); };
    const auto download = [&] { return backend.table->download(queue.queue, host.data(), data, host.size(), &error); };
    const auto wait = [&] { return backend.table->wait(queue.queue, &error); };
    fails("MemcpyAsync 700", SUITE_DEVICE_ERROR, "hipMemcpyAsync: hipErrorIllegalAddress: an illegal", upload);
    fails("MemcpyAsync 1", SUITE_DEVICE_ERROR, "hipMemcpyAsync: hipErrorInvalidValue", download);
    fails("EventSynchronize 719", SUITE_DEVICE_ERROR, "the device is lost to this process", download);
    fails("StreamSynchronize 719", SUITE_DEVICE_ERROR, "hipErrorLaunchFailure", wait);
    fails("EventRecord 1", SUITE_DEVICE_ERROR, "hipEventRecord", upload);
    fails("Malloc 2", SUITE_OUT_OF_MEMORY, "an array needs 64 bytes", [&] {
      void* more = nullptr;
      return backend.table->allocate(queue.queue, 64, &more, &error);
    });
    fails("GetDeviceCount 999", SUITE_DEVICE_ERROR, "hipGetDeviceCount", [&] {
      int count = 0;
      return backend.table->device_count(&count, &error);
    });
    for (const char* fault : {"StreamCreateWithFlags 2", "EventCreate 2", "GetDeviceProperties 1", "SetDevice 101"})
      fails(fault, std::strstr(fault, " 2") ? SUITE_OUT_OF_MEMORY : SUITE_DEVICE_ERROR, "hip", [&] {
        suite_queue* opened = nullptr;
        return backend.table->open(0, &opened, &error);
      });
    fails("HostMalloc 2", SUITE_OUT_OF_MEMORY, "hipHostMalloc", [&] {
      const Queue fresh(backend.table);
      return backend.table->upload(fresh.queue, data, host.data(), host.size(), &error);
    });
    BOOST_TEST(upload() == SUITE_OK);
    BOOST_TEST(wait() == SUITE_OK);
    backend.table->release(queue.queue, data);
  }
}
