// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <cmath>
#include <memory>

BOOST_AUTO_TEST_SUITE(calls_compute_what_was_set)

BOOST_AUTO_TEST_CASE(on_both_kinds_of_backend) {
  for (const char* implementation : {"cpu", "packed", "remote", "remote:1", TEST_PLUGINS "/suite_probe_remote.so"}) {
    BOOST_TEST_CONTEXT(implementation) {
      SumCall call(implementation);
      call.kernel.run();
      call.fetch();
      BOOST_TEST((call.total == std::vector<double>{6, 12}));
      BOOST_TEST((call.state == std::vector<double>{11, 22, 33}));
      call.kernel.run();  // state goes on from where it was, wherever it lies
      call.fetch();
      BOOST_TEST((call.state == std::vector<double>{12, 24, 36}));
    }
  }
}

BOOST_AUTO_TEST_CASE(results_come_back_to_the_arrays_that_were_set) {
  for (const char* implementation : {"cpu", "packed", "remote"}) {
    BOOST_TEST_CONTEXT(implementation) {
      SumCall call(implementation);
      call.kernel.run();
      BOOST_TEST((call.total == std::vector<double>{6, 12}));
      BOOST_TEST((call.state == std::vector<double>{11, 22, 33}));
      BOOST_TEST(call.counters[0] == 1);
      call.total.assign(2, 0);
      call.kernel.start();
      call.kernel.wait();
      BOOST_TEST((call.total == std::vector<double>{6, 12}));
      BOOST_TEST((call.state == std::vector<double>{12, 24, 36}));
      // Into another array, as the run has left it.
      std::vector<double> elsewhere(3);
      call.kernel.get("state", elsewhere.data(), {3});
      BOOST_TEST((elsewhere == call.state));
    }
  }
}

BOOST_AUTO_TEST_CASE(sums_over_nothing_are_zero) {
  for (const char* implementation : {"cpu", "packed", "remote"}) {
    BOOST_TEST_CONTEXT(implementation) {
      SumCall call(implementation);
      call.kernel.run();
      BOOST_TEST((call.total == std::vector<double>{6, 12}));
      // Addresses of arrays without an element do not matter.
      const double* const nowhere = nullptr;
      call.kernel.set("weight", nowhere, {0});
      call.kernel.set("values", nowhere, {0, 2, 1});
      call.kernel.set("state", static_cast<double*>(nullptr), {0});
      call.kernel.run();
      BOOST_TEST((call.total == std::vector<double>{0, 0}));
      BOOST_TEST(call.counters[1] == 0);
      BOOST_TEST((call.state == std::vector<double>{11, 22, 33}));  // of the run before
      std::vector<double> elsewhere{5, 5};
      call.kernel.get("total", elsewhere.data(), {2, 1});
      BOOST_TEST((elsewhere == std::vector<double>{0, 0}));
      // Extents are checked as ever; and there is something to sum again.
      call.kernel.set("weight", call.weight.data(), {3});
      BOOST_TEST(outcome([&] { call.kernel.run(); }) == "invalid argument: n is 3 in weight but 0 in values");
      call.set();
      call.kernel.run();
      BOOST_TEST((call.total == std::vector<double>{6, 12}));
    }
  }
}

BOOST_AUTO_TEST_CASE(in_the_kernels_layout_too) {
  for (const char* implementation : {"packed", "remotepacked"}) {
    BOOST_TEST_CONTEXT(implementation) {
      suite::Kernel kernel("probe.copy", implementation);
      const std::vector<double> in{1, 2, 3, 4, 5, 6};
      std::vector<double> raw(6), copy(6), fixed_copy(6);
      kernel.set("in", in.data(), {3, 2});
      kernel.set("fixed", in.data(), {3, 2});
      kernel.set("raw", raw.data(), {6});
      kernel.set("copy", copy.data(), {3, 2});
      kernel.set("fixed_copy", fixed_copy.data(), {3, 2});
      kernel.run();
      BOOST_TEST((copy == in));
      BOOST_TEST((fixed_copy == in));
    }
  }
}

BOOST_AUTO_TEST_CASE(kept_results_stay_until_they_are_asked_for) {
  SumCall call("remote");
  call.kernel.keep("state");
  call.kernel.run();
  BOOST_TEST(call.total[0] == 6);
  BOOST_TEST((call.state == std::vector<double>{10, 20, 30}));
  call.kernel.get("state", call.state.data(), {3});
  BOOST_TEST((call.state == std::vector<double>{11, 22, 33}));
  call.kernel.set("state", call.state.data(), {3});  // what was set last counts
  call.kernel.run();
  BOOST_TEST((call.state == std::vector<double>{12, 24, 36}));
  // Where memory is shared there is nothing to leave behind.
  SumCall shared("cpu");
  shared.kernel.keep("state");
  shared.kernel.run();
  BOOST_TEST((shared.state == std::vector<double>{11, 22, 33}));
  BOOST_TEST(outcome([&] { call.kernel.keep("weight"); }) ==
             "invalid argument: weight of probe.sum is not a result, so there is nothing to keep on the device");
  call.kernel.forget();
  BOOST_TEST(outcome([&] { call.kernel.keep("state"); }) ==
             "invalid argument: state was not set, so there is nothing to keep on the device");
}

BOOST_AUTO_TEST_CASE(what_was_kept_and_what_came_back_are_not_mixed_up) {
  SumCall call("remote");
  call.kernel.run();
  call.kernel.keep("state");  // from now on
  call.kernel.run();
  BOOST_TEST((call.state == std::vector<double>{11, 22, 33}));
  std::vector<double> elsewhere(3);
  call.kernel.get("state", elsewhere.data(), {3});
  BOOST_TEST((elsewhere == std::vector<double>{12, 24, 36}));
}

BOOST_AUTO_TEST_CASE(shared_memory_is_used_in_place) {
  SumCall call("cpu");
  call.kernel.run();
  call.values[0] = 7;  // seen without being set again
  call.kernel.run();
  BOOST_TEST(call.total[0] == 12);
}

BOOST_AUTO_TEST_CASE(a_copying_backend_took_its_copy_at_set) {
  SumCall call("remote");
  call.values[0] = 7;
  call.kernel.run();
  call.fetch();
  BOOST_TEST(call.total[0] == 6);
}

BOOST_AUTO_TEST_CASE(the_flavour_is_one_per_call) {
  for (const char* implementation : {"cpu", "remote"}) {
    suite::Kernel kernel("probe.sum", implementation);
    const std::vector<Complex> weight{{0, 1}}, values{{2, 0}, {0, 3}};
    std::vector<Complex> state{{1, 1}}, total(2);
    kernel.set("weight", weight.data(), {1});
    kernel.set("values", values.data(), {1, 2});  // nex = 1 left out
    kernel.set("state", state.data(), {1});
    kernel.set("total", total.data(), {2});
    kernel.run();
    kernel.get("total", total.data(), {2});
    BOOST_TEST((total == std::vector<Complex>{{0, 2}, {-3, 0}}));
    const std::vector<double> real{1};
    kernel.set("weight", real.data(), {1});
    BOOST_TEST(outcome([&] { kernel.run(); }) ==
               "invalid argument: weight is real64 but values is complex128; one call takes one of them for both");
  }
}

BOOST_AUTO_TEST_CASE(scalars_are_copied_and_optional_ones_may_go) {
  for (const char* implementation : {"cpu", "remote"}) {
    SumCall call(implementation);
    call.kernel.set("gain", 3.0);
    call.kernel.run();
    call.fetch();
    BOOST_TEST(call.total[0] == 18);
    suite_array none{};
    call.kernel.set("gain", none);
    call.kernel.run();
    call.fetch();
    BOOST_TEST(call.total[0] == 6);
    BOOST_TEST(call.kernel.argument("gain").rank == -1);
    BOOST_TEST(call.kernel.argument("values").extent[1] == 2);
  }
}

BOOST_AUTO_TEST_CASE(prepare_runs_after_constants_or_shapes_changed_only) {
  for (const char* implementation : {"cpu", "remote"}) {
    SumCall call(implementation);
    const auto prepares = [&] {
      call.kernel.run();
      call.fetch();
      return call.counters[0];
    };
    BOOST_TEST(prepares() == 1);
    BOOST_TEST(prepares() == 1);
    call.kernel.set("values", call.values.data(), {3, 2, 1});
    BOOST_TEST(prepares() == 1);
    call.kernel.set("weight", call.weight.data(), {3});
    BOOST_TEST(prepares() == 2);
    call.kernel.set("gain", 1.0);  // an optional argument appears
    BOOST_TEST(prepares() == 3);
    call.kernel.set("gain", 2.0);
    BOOST_TEST(prepares() == 3);
  }
}

BOOST_AUTO_TEST_CASE(parameters_take_effect_at_the_next_run) {
  SumCall call("cpu");
  call.kernel.set_parameter("factor", 5);
  call.kernel.choose("variant", "doubled");
  call.kernel.run();
  BOOST_TEST(call.total[0] == 60);
  const int64_t made = call.counters[1];
  call.kernel.set_parameter("factor", 5);  // no change, no new kernel
  call.kernel.run();
  BOOST_TEST(call.counters[1] == made);
  call.kernel.set_parameter("factor", 1);
  call.kernel.run();
  BOOST_TEST(call.counters[1] == made + 1);
  BOOST_TEST(call.total[0] == 12);
  int64_t value = -1;
  BOOST_TEST(suite_get_parameter(call.kernel.handle(), "variant", &value, nullptr) == SUITE_OK);
  BOOST_TEST(value == 1);
}

BOOST_AUTO_TEST_CASE(start_and_wait) {
  const suite::Device device("remote");
  SumCall one("remote", &device), two("remote", &device);
  one.kernel.start();
  two.kernel.start();
  const std::string busy = "invalid argument: probe.sum is running; call suite_wait first";
  BOOST_TEST(outcome([&] { one.kernel.start(); }) == busy);
  BOOST_TEST(outcome([&] { one.kernel.set("gain", 1.0); }) == busy);
  BOOST_TEST(outcome([&] { one.fetch(); }) == busy);
  // The pretended clock advances a quarter second per mark.
  BOOST_TEST(two.kernel.wait() == 0.25);
  BOOST_TEST(one.kernel.wait() == 0.25);
  BOOST_TEST(outcome([&] { one.kernel.wait(); }) == "invalid argument: probe.sum was not started, so there is nothing to wait for");
}

BOOST_AUTO_TEST_CASE(eight_runs_may_be_under_way) {
  const suite::Device device("remote");
  std::vector<std::unique_ptr<SumCall>> calls;
  for (int i = 0; i < 9; ++i) calls.push_back(std::make_unique<SumCall>("remote", &device));
  for (int i = 0; i < 8; ++i) calls[i]->kernel.start();
  BOOST_TEST(outcome([&] { calls[8]->kernel.start(); }) ==
             "unsupported: eight runs are in progress on remote:0; wait for one of them first");
  calls[0]->kernel.wait();
  BOOST_TEST(outcome([&] { calls[8]->kernel.start(); }) == "ok");
  // Closing calls that still run, in any order, is allowed.
}

BOOST_AUTO_TEST_CASE(forget_drops_everything) {
  for (const char* implementation : {"cpu", "remote"}) {
    SumCall call(implementation);
    call.kernel.run();
    call.kernel.forget();
    BOOST_TEST(call.kernel.argument("weight").rank == -1);
    BOOST_TEST(outcome([&] { call.kernel.run(); }) == "invalid argument: weight of probe.sum is not set");
    call.set();
    call.kernel.run();
    call.fetch();
    BOOST_TEST(call.total[0] == 6);
  }
}

BOOST_AUTO_TEST_CASE(generated_arguments_start_as_nan_where_the_kernel_writes) {
  for (const char* implementation : {"cpu", "remote"}) {
    suite::Kernel kernel("probe.sum", implementation);
    kernel.generate("4", 3);
    std::vector<double> total(2);
    kernel.get("total", total.data(), {2, 1});
    BOOST_TEST(std::isnan(total[0]));
    kernel.run();
    kernel.get("total", total.data(), {2, 1});
    BOOST_TEST(total[0] == 30);  // 3 (1+2+3+4)
    BOOST_TEST(kernel.cost().flops == 16);
    BOOST_TEST(kernel.argument("values").extent[0] == 4);
  }
}

BOOST_AUTO_TEST_CASE(rank_six_and_shape_expressions) {
  for (const char* implementation : {"cpu", "remote"}) {
    suite::Kernel kernel("probe.six", implementation);
    std::vector<float> in(2 * 3 * 1 * 2 * 3 * 1, 1.0f), out(6 * 3 * 2);
    in.back() = 42;
    kernel.set("in", in.data(), {2, 3, 1, 2, 3});  // the sixth extent is 1
    kernel.set("out", out.data(), {6, 3, 2});
    kernel.run();
    kernel.get("out", out.data(), {6, 3, 2});
    BOOST_TEST((out == std::vector<float>(36, 42.0f)));
  }
}

BOOST_AUTO_TEST_CASE(what_a_call_tells_of_itself) {
  SumCall call("remote:1");
  BOOST_TEST(std::string(suite_describe(call.kernel.handle())->kernel) == "probe.sum");
  BOOST_TEST(std::string(suite_plugin_table(call.kernel.handle())->implementation) == "remote");
  BOOST_TEST(std::string(suite_plugin_file(call.kernel.handle())) == TEST_PLUGINS "/suite_probe_remote.so");
  BOOST_TEST(std::string(suite_device_describe(suite_call_device(call.kernel.handle()))) == "pretended device");
  double prepare = -1, transfer = -1;
  call.kernel.run();
  BOOST_TEST(suite_overheads(call.kernel.handle(), &prepare, &transfer) == SUITE_OK);
  BOOST_TEST(prepare >= 0);
  BOOST_TEST(transfer > 0);
  call.kernel.run();  // nothing was uploaded in between
  suite_overheads(call.kernel.handle(), &prepare, &transfer);
  BOOST_TEST(transfer == 0);
  BOOST_TEST(std::string(suite_version()).size() > 0);
  BOOST_TEST(suite_type_size(SUITE_COMPLEX128) == 16);
  BOOST_TEST(suite_type_size(0) == 0);
}

BOOST_AUTO_TEST_CASE(a_host_can_ask_what_an_array_must_be) {
  suite::Kernel kernel("probe.sum", "cpu");
  suite_error error{};
  suite_array expected{};
  const auto ask = [&](const char* argument) {
    BOOST_REQUIRE(suite_expected_array(kernel.handle(), argument, &expected, &error) == SUITE_OK);
    return std::vector<int64_t>(expected.extent, expected.extent + expected.rank);
  };
  using Extents = std::vector<int64_t>;
  BOOST_TEST((ask("total") == Extents{-1, -1}));
  BOOST_TEST(expected.type == 0);  // real or complex is still open
  BOOST_TEST((ask("counters") == Extents{2}));
  BOOST_TEST(expected.type == SUITE_INT64);
  const std::vector<double> weight{1, 2, 3}, values{1, 1, 1, 2, 2, 2};
  kernel.set("weight", weight.data(), {3});
  BOOST_TEST((ask("values") == Extents{3, -1, -1}));
  const std::vector<int32_t> offsets{0, 1, 2};
  kernel.set("offsets", offsets.data(), {3});
  BOOST_TEST((ask("total") == Extents{2, -1}));  // m + 1 is 3
  kernel.set("values", values.data(), {3, 2});
  BOOST_TEST((ask("total") == Extents{2, 1}));
  BOOST_TEST(expected.type == SUITE_REAL64);
  BOOST_TEST(!expected.data);
  BOOST_TEST((ask("state") == Extents{3}));
  // A result of an earlier run does not determine anything.
  std::vector<double> total(5);
  kernel.set("total", total.data(), {5, 1});
  BOOST_TEST((ask("total") == Extents{2, 1}));
  // Arrays that contradict each other determine nothing.
  kernel.set("weight", weight.data(), {2});
  BOOST_TEST(suite_expected_array(kernel.handle(), "total", &expected, &error) == SUITE_INVALID_ARGUMENT);
  BOOST_TEST(std::string(error.message) == "n is 2 in weight but 3 in values");
  BOOST_TEST(suite_expected_array(kernel.handle(), "totl", &expected, &error) == SUITE_NOT_FOUND);
}

BOOST_AUTO_TEST_SUITE_END()
