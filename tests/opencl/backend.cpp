// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <numeric>
#include <vector>

#include <suite/opencl.hpp>

#include "support.hpp"

namespace {

// A queue of the backend's own, closed at the end.
struct Queue {
  Queue() {
    suite_error error{};
    if (table.open(0, &queue, &error) != SUITE_OK) throw suite::Failure(SUITE_DEVICE_ERROR, error.message);
  }
  ~Queue() { table.close(queue); }
  const suite_backend& table = backend_table();
  suite_queue* queue = nullptr;
  suite_error error{};
};

cl_context context_of(const Queue& q) { return suite::opencl::Device(&q.table, q.queue).context; }

void goes_there_and_back() {
  Queue q;
  for (const size_t bytes : {size_t(1), size_t(4097), size_t(65536), (size_t(4) << 20) + 1, (size_t(9) << 20) + 3}) {
    std::vector<unsigned char> host(bytes), back(bytes);
    for (size_t i = 0; i < bytes; ++i) host[i] = static_cast<unsigned char>(i * 2654435761u >> 13);
    void* data = nullptr;
    BOOST_REQUIRE(q.table.allocate(q.queue, bytes, &data, &q.error) == SUITE_OK);
    BOOST_TEST(q.table.place(q.queue, data) == SUITE_DEVICE);
    BOOST_TEST(q.table.upload(q.queue, data, host.data(), bytes, &q.error) == SUITE_OK);
    const std::vector<unsigned char> kept = host;
    std::fill(host.begin(), host.end(), 0);  // upload has returned: the host's side may be reused
    BOOST_TEST(q.table.download(q.queue, back.data(), data, bytes, &q.error) == SUITE_OK);
    BOOST_TEST((back == kept), bytes << " bytes came back changed");
    q.table.release(q.queue, data);
    BOOST_TEST(q.table.place(q.queue, data) == SUITE_HOST);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(backend_keeps_its_contract)

BOOST_AUTO_TEST_CASE(bytes_go_there_and_back) {
  ::setenv("SUITE_OPENCL_STAGING", "0", 1);
  goes_there_and_back();
}

BOOST_AUTO_TEST_CASE(bytes_go_there_and_back_through_pinned_pieces) {
  ::setenv("SUITE_OPENCL_STAGING", "1", 1);
  goes_there_and_back();
  ::unsetenv("SUITE_OPENCL_STAGING");
}

BOOST_AUTO_TEST_CASE(wrong_addresses_are_refused) {
  Queue q;
  std::vector<double> host(8), other(8);
  BOOST_TEST(q.table.place(q.queue, host.data()) == SUITE_HOST);
  BOOST_TEST(q.table.upload(q.queue, other.data(), host.data(), 64, &q.error) == SUITE_INVALID_ARGUMENT);
  BOOST_TEST(contains(q.error.message, "upload: the device address is not memory of"));
  BOOST_TEST(q.table.download(q.queue, host.data(), other.data(), 64, &q.error) == SUITE_INVALID_ARGUMENT);
  void* data = nullptr;
  BOOST_REQUIRE(q.table.allocate(q.queue, 64, &data, &q.error) == SUITE_OK);
  BOOST_TEST(q.table.upload(q.queue, data, host.data(), 65, &q.error) == SUITE_INVALID_ARGUMENT);
  BOOST_TEST(contains(q.error.message, "upload of 65 bytes, but the memory on the device has 64"));
  q.table.release(q.queue, host.data());  // not ours: nothing happens
  q.table.release(q.queue, data);
}

BOOST_AUTO_TEST_CASE(a_mix_up_of_places_names_the_argument) {
  const suite::Device device("opencl");
  suite::Array<double> there(device, {7});
  suite::Kernel kernel("gpp.sigma", "opencl", &device);
  std::vector<double> host(7);
  suite_array array = suite::describe(host.data(), {7});
  array.place = SUITE_DEVICE;
  BOOST_TEST(
      contains(outcome([&] { kernel.set("vcoul", array); }), "vcoul is declared to be on the device, but its address is on the host"));
  array = there.array();
  array.place = SUITE_HOST;
  BOOST_TEST(
      contains(outcome([&] { kernel.set("vcoul", array); }), "vcoul is declared to be on the host, but its address is on the device"));
}

BOOST_AUTO_TEST_CASE(too_much_memory_is_refused_with_both_numbers) {
  const suite::Device device("opencl");
  const std::string said = outcome([&] { suite::Array<double>(device, {int64_t(1) << 45}); });
  BOOST_TEST(contains(said, "out of memory"), said);
  BOOST_TEST(contains(said, "needs"), said);
  BOOST_TEST(contains(said, "free of"), said);
  Queue q;
  void* data = nullptr;
  BOOST_TEST(q.table.allocate(q.queue, size_t(1) << 48, &data, &q.error) == SUITE_OUT_OF_MEMORY);
  BOOST_TEST(contains(q.error.message, "are left on"));
}

BOOST_AUTO_TEST_CASE(memory_is_counted) {
  Queue q;
  uint64_t free = 0, total = 0;
  BOOST_TEST(q.table.memory(q.queue, &free, &total, &q.error) == SUITE_OK);
  BOOST_TEST(total > 0u);
  BOOST_TEST(free <= total);
}

BOOST_AUTO_TEST_CASE(marks_measure_the_time_between) {
  Queue q;
  BOOST_TEST(q.table.mark(q.queue, 16, &q.error) == SUITE_INVALID_ARGUMENT);
  BOOST_REQUIRE(q.table.mark(q.queue, 0, &q.error) == SUITE_OK);
  std::vector<char> host(1 << 20);
  void* data = nullptr;
  BOOST_REQUIRE(q.table.allocate(q.queue, host.size(), &data, &q.error) == SUITE_OK);
  BOOST_REQUIRE(q.table.upload(q.queue, data, host.data(), host.size(), &q.error) == SUITE_OK);
  BOOST_REQUIRE(q.table.mark(q.queue, 15, &q.error) == SUITE_OK);
  BOOST_REQUIRE(q.table.wait(q.queue, &q.error) == SUITE_OK);
  BOOST_TEST(q.table.seconds(q.queue, 0, 15) > 0);
  BOOST_TEST(q.table.seconds(q.queue, 3, 4) == 0);  // never marked
  q.table.release(q.queue, data);
}

BOOST_AUTO_TEST_CASE(a_device_is_described_and_one_too_many_is_refused) {
  const std::string text = suite::Device("opencl:0").describe();
  BOOST_TEST(contains(text, "compute unit"), text);
  const std::string said = outcome([] { suite::Device("opencl:999"); });
  BOOST_TEST(contains(said, "there is no device opencl:999"), said);
}

// Two devices opened on one: each knows its own memory only, and a kernel of one is not given an array of the
// other.
BOOST_AUTO_TEST_CASE(memory_of_another_device_is_refused) {
  const suite::Device one("opencl"), two("opencl");
  suite::Array<double> on_one(one, {7});
  suite::Kernel kernel("gpp.sigma", "opencl", &two);
  BOOST_TEST(contains(outcome([&] { kernel.set("vcoul", on_one.array()); }), "vcoul is declared to be on the device"));
}

// After any failure, since the device may be lost; a transfer from nowhere is one that can be had.
BOOST_AUTO_TEST_CASE(a_context_is_shared_until_work_in_it_fails) {
  const Queue one, two;
  BOOST_TEST(context_of(one) == context_of(two));
  Queue failing;
  void* data = nullptr;
  BOOST_REQUIRE(failing.table.allocate(failing.queue, 64, &data, &failing.error) == SUITE_OK);
  BOOST_TEST(failing.table.upload(failing.queue, data, nullptr, 64, &failing.error) == SUITE_DEVICE_ERROR);
  const Queue next;
  BOOST_TEST(context_of(next) != context_of(one));
  BOOST_TEST(context_of(next) == context_of(Queue()));
}

BOOST_AUTO_TEST_SUITE_END()
