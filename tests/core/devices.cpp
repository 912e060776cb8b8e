// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <cstdlib>
#include <memory>

#include "remote.hpp"

BOOST_AUTO_TEST_SUITE(devices_hold_their_own_memory)

BOOST_AUTO_TEST_CASE(names_and_numbers) {
  BOOST_TEST(outcome([] { suite::Device("cpu:1"); }) == "not found: there is no device cpu:1: backend cpu has 1 device, up to cpu:0");
  BOOST_TEST(outcome([] { suite::Device("remote:7"); }) ==
             "not found: there is no device remote:7: backend remote has 2 devices, up to remote:1");
  for (const std::string name : {"cpu:-1", "cpu:", "cpu:99999999999"})
    BOOST_TEST(outcome([&] { suite::Device{name}; }) ==
               "invalid argument: the device of '" + name +
                   "' must be a number, as in cuda:1, or a part of its description, as in opencl:pocl");
  BOOST_TEST(outcome([] { suite::Device("cpi"); }).find("not found: no backend 'cpi'; did you mean 'cpu'? There are: ") == 0);
  BOOST_TEST(suite::Device("remote:1").describe() == "pretended device");
  const std::string cpu = suite::Device("cpu").describe();
  BOOST_TEST(cpu.find(" core") != std::string::npos, cpu);
}

// Two ranks of a node do not both take the first of its two devices.
BOOST_AUTO_TEST_CASE(processes_of_a_node_take_devices_in_turn) {
  const auto name = [](const char* asked) { return std::string(suite_device_name(suite::Device(asked).handle())); };
  BOOST_TEST(name("remote") == "remote:0");
  for (const char* launcher : {"OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID", "SUITE_LOCAL_RANK"}) {
    BOOST_TEST_CONTEXT(launcher) {
      for (int rank = 0; rank < 4; ++rank) {
        ::setenv(launcher, std::to_string(rank).c_str(), 1);
        BOOST_TEST(name("remote") == "remote:" + std::to_string(rank % 2));
        BOOST_TEST(name("remote:0") == "remote:0");  // who names one gets it
        BOOST_TEST(name("remote:1") == "remote:1");
        BOOST_TEST(name("cpu") == "cpu:0");
        const suite::Kernel kernel("probe.sum", "remote");
        BOOST_TEST(suite_device_name(suite_call_device(kernel.handle())) == "remote:" + std::to_string(rank % 2));
      }
      ::unsetenv(launcher);
    }
  }
  ::setenv("OMPI_COMM_WORLD_LOCAL_RANK", "1", 1);
  ::setenv("SUITE_LOCAL_RANK", "0", 1);
  BOOST_TEST(name("remote") == "remote:0");  // the user's word counts
  ::setenv("SUITE_LOCAL_RANK", "one", 1);
  BOOST_TEST(outcome([&] { name("remote"); }) == "invalid argument: SUITE_LOCAL_RANK is 'one'; it must be a number, 0 or more");
  ::unsetenv("SUITE_LOCAL_RANK");
  ::unsetenv("OMPI_COMM_WORLD_LOCAL_RANK");
}

BOOST_AUTO_TEST_CASE(a_part_of_the_description_names_a_device) {
  const std::string cpu = suite::Device("cpu").describe();
  BOOST_TEST(suite::Device("cpu:CORE").describe() == cpu);
  BOOST_TEST(outcome([] { suite::Device("cpu:coress"); }) ==
             "not found: no device of backend cpu has 'coress' in its description; did you mean '" +
                 std::string(cpu.find(" cores") != std::string::npos ? "cores" : "core") + "'? There are: cpu:0 (" + cpu + ")");
  BOOST_TEST(outcome([] { suite::Device("remote:pretended"); }) ==
             "invalid argument: 'pretended' fits 2 devices of backend remote; give the number of one of them: remote:0 "
             "(pretended device), remote:1 (pretended device)");
  const suite::Device remote("remote:1");
  SumCall("remote:pretended", &remote).kernel.run();
  BOOST_TEST(outcome([&] { SumCall("remote:real", &remote); }) ==
             "invalid argument: device remote:real is required, but the given device is remote:1");
}

BOOST_AUTO_TEST_CASE(memory_is_told) {
  uint64_t free = 0, total = 0;
  const suite::Device cpu("cpu");
  BOOST_TEST(suite_device_memory(cpu.handle(), &free, &total, nullptr) == SUITE_OK);
  BOOST_TEST(free > 0);
  BOOST_TEST(total >= free);
}

BOOST_AUTO_TEST_CASE(calls_share_a_device_and_its_arrays) {
  const suite::Device device("remote:1");
  suite::Array<double> weight(device, {3}), total(device, {2, 1});
  weight.upload(std::vector<double>{1, 2, 3});
  SumCall one("remote", &device), two("remote:1", &device);
  for (auto* call : {&one, &two}) {
    call->kernel.set("weight", weight.array());
    call->kernel.set("total", total.array());
    call->kernel.run();
    std::vector<double> result(2);
    total.download(result);
    BOOST_TEST((result == std::vector<double>{6, 12}));
    call->kernel.get("total", result.data(), {2, 1});
    BOOST_TEST(result[1] == 12);
  }
  // From device array to device array.
  suite::Array<double> copy(device, {2, 1});
  one.kernel.get("total", copy.array());
  std::vector<double> result(2);
  copy.download(result);
  BOOST_TEST((result == std::vector<double>{6, 12}));
}

BOOST_AUTO_TEST_CASE(a_shared_memory_device_has_arrays_too) {
  const suite::Device device("cpu");
  suite::Array<double> weight(device, {3});
  weight.upload(std::vector<double>{2, 2, 2});
  SumCall call("cpu", &device);
  call.kernel.set("weight", weight.array());
  call.kernel.run();
  BOOST_TEST(call.total[0] == 6);
}

BOOST_AUTO_TEST_CASE(the_device_given_must_be_the_one_asked_for) {
  const suite::Device cpu("cpu"), remote("remote:1");
  BOOST_TEST(outcome([&] { suite::Kernel("probe.sum", "remote", &cpu); }) ==
             "invalid argument: probe.sum on remote runs on backend remote, but the given device is cpu:0");
  BOOST_TEST(outcome([&] { suite::Kernel("probe.sum", "remote:0", &remote); }) ==
             "invalid argument: device remote:0 is required, but the given device is remote:1");
}

BOOST_AUTO_TEST_CASE(a_closed_device_lives_as_long_as_its_calls) {
  auto device = std::make_unique<suite::Device>("remote");
  SumCall call("remote", device.get());
  device.reset();
  BOOST_TEST(outcome([&] { call.kernel.run(), call.fetch(); }) == "ok");
  BOOST_TEST(call.total[0] == 6);
}

BOOST_AUTO_TEST_CASE(arrays_of_unequal_shape_are_not_copied) {
  const suite::Device device("remote");
  suite::Array<double> there(device, {2, 3});
  std::vector<double> here(6);
  suite_error error{};
  suite_array host = suite::describe(here.data(), {3, 2});
  BOOST_TEST(suite_upload(device.handle(), &there.array(), &host, &error) == SUITE_INVALID_ARGUMENT);
  BOOST_TEST(std::string(error.message) == "extent 1 is 2 in the device array but 3 in the host array");
  host = suite::describe(reinterpret_cast<const float*>(here.data()), {2, 3});
  BOOST_TEST(suite_download(device.handle(), &host, &there.array(), &error) == SUITE_INVALID_ARGUMENT);
  BOOST_TEST(std::string(error.message) == "the device array is real64 but the host array is real32");
  host = suite::describe(here.data(), {2, 3});
  BOOST_TEST(suite_upload(device.handle(), &host, &host, &error) == SUITE_INVALID_ARGUMENT);
  BOOST_TEST(std::string(error.message) == "the device array is not on the device");
}

BOOST_AUTO_TEST_CASE(mixed_up_pointers_are_noticed) {
  const suite::Device device("remote");
  suite::Array<double> weight(device, {3});
  SumCall call("remote", &device);
  suite_array wrong = weight.array();
  wrong.place = SUITE_HOST;
  BOOST_TEST(outcome([&] { call.kernel.set("weight", wrong); }) ==
             "invalid argument: weight is declared to be on the host, but its address is on the device");
  wrong = suite::describe(call.weight.data(), {3});
  wrong.place = SUITE_DEVICE;
  BOOST_TEST(outcome([&] { call.kernel.set("weight", wrong); }) ==
             "invalid argument: weight is declared to be on the device, but its address is on the host");
  // A failed set leaves the argument unset, not half set.
  BOOST_TEST(outcome([&] { call.kernel.run(); }) == "invalid argument: weight of probe.sum is not set");
  double gain = 1;
  wrong = suite::describe(&gain, {});
  wrong.place = SUITE_DEVICE;
  BOOST_TEST(outcome([&] { call.kernel.set("gain", wrong); }) == "invalid argument: gain is a scalar and must be on the host");
}

BOOST_AUTO_TEST_CASE(a_full_device_says_what_it_needs_and_has) {
  const suite::Device device("remote");
  BOOST_TEST(outcome([&] {
               suite::Array<double>(device, {1024, 1024});
             }) == "out of memory: an array needs 8.0 MiB on remote:0, which has 1.0 MiB free of 1.0 MiB");
  const suite::Device overcommitting("remote:1");
  BOOST_TEST(outcome([&] {
               suite::Array<double>(overcommitting, {1024, 1024});
             }) == "out of memory: an array needs 8.0 MiB on remote:1, which has 1.0 MiB free of 1.0 MiB");
  SumCall call("remote", &device);
  const std::vector<double> large(200000);
  BOOST_TEST(outcome([&] {
               call.kernel.set("values", large.data(), {100000, 2});
             }) == "out of memory: values needs 1.5 MiB on remote:0, which has 1023.9 KiB free of 1.0 MiB");
}

BOOST_AUTO_TEST_CASE(everything_is_given_back) {
  const suite::Device device("remote");
  uint64_t before = 0, after = 0;
  suite_device_memory(device.handle(), &before, nullptr, nullptr);
  {
    SumCall call("remote", &device);
    call.kernel.run();
    suite_device_memory(device.handle(), &after, nullptr, nullptr);
    BOOST_TEST(after < before);
    call.kernel.forget();
    suite_device_memory(device.handle(), &after, nullptr, nullptr);
    BOOST_TEST(after == before);
    call.set();
  }
  suite_device_memory(device.handle(), &after, nullptr, nullptr);
  BOOST_TEST(after == before);
}

BOOST_AUTO_TEST_CASE(another_owner_keeps_the_device_of_a_call_open) {
  suite_device* device = nullptr;
  suite_array array{};
  array.type = SUITE_REAL64;
  array.rank = 1;
  array.extent[0] = 2;
  {
    const SumCall call("remote");
    device = suite_call_device(call.kernel.handle());
    suite_device_keep(device);
  }
  BOOST_TEST(std::string(suite_device_name(device)) == "remote:0");
  BOOST_TEST(suite_allocate(device, &array, nullptr) == SUITE_OK);
  suite_release(device, &array);
  suite_device_close(device);
  suite_device_keep(nullptr);
  BOOST_TEST(!suite_device_native(nullptr));
}

BOOST_AUTO_TEST_SUITE_END()
