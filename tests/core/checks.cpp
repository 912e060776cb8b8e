// SPDX-License-Identifier: BSD-3-Clause
// Every rule of a call, with the sentence that a user reads when it is broken.
#include "support.hpp"

#include <cstdlib>
#include <limits>

BOOST_AUTO_TEST_SUITE(calls_check_what_they_are_given)

static const double nan_value = std::numeric_limits<double>::quiet_NaN();

BOOST_AUTO_TEST_CASE(names) {
  SumCall call("cpu");
  BOOST_TEST(outcome([&] { call.kernel.set("weigth", 1.0); }) ==
             "not found: probe.sum has no argument 'weigth'; did you mean 'weight'? There are: gain, nm, "
             "weight, values, offsets, "
             "state, total, counters");
  BOOST_TEST(outcome([&] { call.kernel.set_parameter("fctor", 1); }) ==
             "not found: probe.sum on cpu has no parameter 'fctor'; did you mean 'factor'? There are: "
             "factor, variant");
  BOOST_TEST(outcome([&] { call.kernel.choose("variant", "dubbed"); }) ==
             "not found: variant has no choice 'dubbed'; did you mean 'doubled'? There are: plain, doubled");
  BOOST_TEST(outcome([&] { call.kernel.choose("factor", "plain"); }) ==
             "invalid argument: factor takes a number from 1 to 8, not the name 'plain'");
  BOOST_TEST(outcome([&] { call.kernel.set_parameter("factor", 9); }) == "invalid argument: factor is 9; it must be from 1 to 8");
  BOOST_TEST(outcome([&] { call.kernel.set_parameter("variant", 2); }) == "invalid argument: variant is 2; it must be from 0 to 1");
  const std::string absurd(100000, 'x');
  const std::string said = outcome([&] { call.kernel.set(absurd.c_str(), 1.0); });
  BOOST_TEST(said.size() < 320);
  BOOST_TEST(said.find("There") == std::string::npos);
  BOOST_TEST(said.find("there are: gain") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(types_and_ranks) {
  for (const char* implementation : {"cpu", "remote"}) {
    SumCall call(implementation);
    const std::vector<float> single(6);
    BOOST_TEST(outcome([&] {
                 call.kernel.set("values", single.data(), {3, 2, 1});
               }) == "invalid argument: values takes real64 or complex128, but real32 was given");
    BOOST_TEST(outcome([&] { call.kernel.set("gain", 1); }) == "invalid argument: gain takes real64, but int32 was given");
    BOOST_TEST(outcome([&] {
                 call.kernel.set("weight", call.weight.data(), {3, 1});
               }) == "invalid argument: weight has rank 1 (n), but an array of rank 2 was given");
    BOOST_TEST(outcome([&] { call.kernel.set("weight", 1.0); }) == "invalid argument: weight has rank 1 (n), but a scalar was given");
    BOOST_TEST(outcome([&] { call.kernel.set("gain", call.weight.data(), {1}); }) ==
               "invalid argument: gain has rank 0 (a scalar), but an array of rank 1 was given");
    suite_array array = suite::describe(call.weight.data(), {3});
    array.rank = 9;
    BOOST_TEST(outcome([&] { call.kernel.set("weight", array); }) ==
               "invalid argument: weight has rank 1 (n), but an array of rank 9 was given");
    array.rank = -2;
    BOOST_TEST(outcome([&] { call.kernel.set("weight", array); }) ==
               "invalid argument: weight has rank 1 (n), but an array of rank -2 was given");
    array = suite::describe(call.weight.data(), {3});
    array.place = 7;
    BOOST_TEST(outcome([&] { call.kernel.set("weight", array); }) ==
               "invalid argument: the place of weight is 7; it must be one of 0 (host), 1 (device)");
    array.type = 77;
    BOOST_TEST(outcome([&] { call.kernel.set("weight", array); }) ==
               "invalid argument: weight takes real64 or complex128, but unknown type was given");
    BOOST_TEST(outcome([&] { call.kernel.set("weight", suite_array{}); }) ==
               "invalid argument: weight is not optional, but its data is NULL");
    // None of these harmed the call.
    BOOST_TEST(outcome([&] { call.kernel.run(); }) == "ok");
  }
}

BOOST_AUTO_TEST_CASE(extents) {
  for (const char* implementation : {"cpu", "remote"}) {
    SumCall call(implementation);
    BOOST_TEST(outcome([&] {
                 call.kernel.set("values", call.values.data(), {3, 0, 1});
               }) == "invalid argument: extent 2 of values is 0; it must be at least 1");
    BOOST_TEST(outcome([&] {
                 call.kernel.set("values", call.values.data(), {3, 2, -4});
               }) == "invalid argument: extent 3 of values is -4; it must be at least 1");
    BOOST_TEST(outcome([&] {
                 call.kernel.set("values", call.values.data(), {int64_t(1) << 40, int64_t(1) << 40});
               }) == "invalid argument: values would have more than 2^62 bytes");
    call.kernel.set("values", call.values.data(), {2, 3, 1});
    BOOST_TEST(outcome([&] { call.kernel.run(); }) == "invalid argument: n is 3 in weight but 2 in values");
    call.kernel.set("values", call.values.data(), {3, 1, 2});
    BOOST_TEST(outcome([&] { call.kernel.run(); }) == "invalid argument: m is 1 in values but 2 in total");
    call.set();
    const std::vector<int32_t> offsets(4);
    call.kernel.set("offsets", offsets.data(), {4});
    BOOST_TEST(outcome([&] { call.kernel.run(); }) == "invalid argument: extent 1 of offsets is 4 but m+1 is 3 (m = 2 of values)");
    call.kernel.set("offsets", offsets.data(), {3});
    BOOST_TEST(outcome([&] { call.kernel.run(); }) == "ok");
    call.kernel.set("counters", call.counters.data(), {1});
    BOOST_TEST(outcome([&] { call.kernel.run(); }) == "invalid argument: extent 1 of counters is 1 but 2 is 2");
  }
}

BOOST_AUTO_TEST_CASE(shape_expressions) {
  suite::Kernel kernel("probe.six", "cpu");
  std::vector<float> in(64), out(64);
  const std::vector<int32_t> rows(16);
  kernel.set("in", in.data(), {2, 2, 2, 2, 2, 2});
  kernel.set("out", out.data(), {4, 4, 2});
  BOOST_TEST(outcome([&] { kernel.run(); }) == "ok");
  kernel.set("out", out.data(), {4, 4, 3});
  BOOST_TEST(outcome([&] { kernel.run(); }) == "invalid argument: extent 3 of out is 3 but (e+f)/2 is 2 (e = 2 of in, f = 2 of in)");
  kernel.set("out", out.data(), {4, 4, 2});
  kernel.set("triangle", in.data(), {4});
  BOOST_TEST(outcome([&] { kernel.run(); }) == "invalid argument: extent 1 of triangle is 4 but a*(a+1)/2 is 3 (a = 2 of in, a = 2 of in)");
  kernel.set("triangle", in.data(), {3});
  // nrow is found from 2*nrow-1 = 7, then checked in nrow+1.
  kernel.set("rows", rows.data(), {7});
  kernel.set("row", rows.data(), {5});
  BOOST_TEST(outcome([&] { kernel.run(); }) == "ok");
  kernel.set("row", rows.data(), {6});
  BOOST_TEST(outcome([&] { kernel.run(); }) == "invalid argument: extent 1 of row is 6 but nrow+1 is 5 (nrow = 4 of rows)");
}

BOOST_AUTO_TEST_CASE(missing_arguments) {
  suite::Kernel kernel("probe.sum", "cpu");
  BOOST_TEST(outcome([&] { kernel.run(); }) == "invalid argument: weight of probe.sum is not set");
  BOOST_TEST(outcome([&] { kernel.cost(); }) == "invalid argument: weight of probe.sum is not set");
  double one = 0;
  BOOST_TEST(outcome([&] { kernel.get("total", &one, {1, 1}); }) == "invalid argument: total was not set, so it has no value to return");
}

BOOST_AUTO_TEST_CASE(nan_and_infinities) {
  for (const char* implementation : {"cpu", "remote"}) {
    SumCall call(implementation);
    call.values[4] = nan_value;
    BOOST_TEST(outcome([&] {
                 call.kernel.set("values", call.values.data(), {3, 2, 1}), call.kernel.run();
               }) == "invalid argument: values(2,2,1) is NaN");
    call.values[4] = -std::numeric_limits<double>::infinity();
    BOOST_TEST(outcome([&] {
                 call.kernel.set("values", call.values.data(), {3, 2, 1}), call.kernel.run();
               }) == "invalid argument: values(2,2,1) is infinite");
    call.values[4] = std::numeric_limits<double>::max();
    BOOST_TEST(outcome([&] { call.kernel.set("values", call.values.data(), {3, 2, 1}), call.kernel.run(); }) == "ok");
    call.kernel.set("gain", nan_value);
    BOOST_TEST(outcome([&] { call.kernel.run(); }) == "invalid argument: gain is NaN");
    call.kernel.set("gain", 1.0);
    // What a kernel only writes may hold anything.
    call.total[0] = nan_value;
    call.kernel.set("total", call.total.data(), {2, 1});
    BOOST_TEST(outcome([&] { call.kernel.run(); }) == "ok");
    std::vector<float> in(6000, 1.0f), out(1);
    suite::Kernel six("probe.six", implementation);
    in[5432] = std::numeric_limits<float>::quiet_NaN();
    BOOST_TEST(outcome([&] {
                 six.set("in", in.data(), {1, 1, 1, 1, 1, 6000});
                 six.set("out", out.data(), {1, 2, 3000});
                 six.run();
               }) == "invalid argument: in(1,1,1,1,1,5433) is NaN");
  }
}

BOOST_AUTO_TEST_CASE(complex_nan_has_the_index_of_its_number) {
  suite::Kernel kernel("probe.sum", "cpu");
  std::vector<Complex> weight(5);
  weight[3] = {0, nan_value};
  std::vector<Complex> total(1), state(5), values(5);
  kernel.set("values", values.data(), {5});
  kernel.set("state", state.data(), {5});
  kernel.set("total", total.data(), {1});
  kernel.set("weight", weight.data(), {5});
  BOOST_TEST(outcome([&] { kernel.run(); }) == "invalid argument: weight(4) is NaN");
}

BOOST_AUTO_TEST_CASE(the_nan_check_can_be_turned_off) {
  ::setenv("SUITE_CHECK", "0", 1);
  SumCall call("cpu");
  ::unsetenv("SUITE_CHECK");
  call.values[0] = nan_value;
  BOOST_TEST(outcome([&] { call.set(), call.kernel.run(); }) == "ok");
}

BOOST_AUTO_TEST_CASE(results_are_fetched_into_fitting_arrays_only) {
  for (const char* implementation : {"cpu", "remote"}) {
    SumCall call(implementation);
    call.kernel.run();
    std::vector<double> other(2);
    BOOST_TEST(outcome([&] {
                 call.kernel.get("total", other.data(), {2, 2});
               }) ==
               "invalid argument: total has the extents (2,1) in this call, but an array of (2,2) was given "
               "to receive it");
    const std::vector<Complex> wrong(2);
    BOOST_TEST(outcome([&] {
                 call.kernel.get("total", wrong.data(), {2, 1});
               }) ==
               "invalid argument: total is real64 in this call, but an array of complex128 was given to "
               "receive it");
    BOOST_TEST(outcome([&] { call.kernel.get("total", other.data(), {2}); }) == "ok");
    BOOST_TEST(other[1] == 12);
  }
}

BOOST_AUTO_TEST_CASE(what_a_kernel_refuses_is_told_with_its_name) {
  SumCall call("cpu");
  call.kernel.set("gain", -1.0);
  BOOST_TEST(outcome([&] { call.kernel.run(); }) == "unsupported: probe.sum: a gain of -1 is not served");
  call.kernel.set("gain", 1.0);
  BOOST_TEST(outcome([&] { call.kernel.run(); }) == "ok");
  BOOST_TEST(outcome([&] { call.kernel.generate("huge", 1); }) == "invalid argument: probe.sum: no size is named 'huge'");
  suite::Kernel six("probe.six", "cpu");
  BOOST_TEST(outcome([&] { six.generate("1", 1); }) == "unsupported: probe.six does not generate arguments");
}

BOOST_AUTO_TEST_CASE(too_much_memory_is_refused_before_it_is_touched) {
  suite::Kernel kernel("probe.sum", "cpu");
  const std::string said = outcome([&] { kernel.generate("absurd", 1); });
  BOOST_TEST(said.find("out of memory: probe.sum of size 'absurd' needs 32.0 PiB on cpu:0, which has ") == 0, said);
  BOOST_TEST(said.find(" free of ") != std::string::npos);
  suite::Kernel remote("probe.sum", "remote");
  BOOST_TEST(outcome([&] { remote.generate("100000", 1); }) ==
             "out of memory: probe.sum of size '100000' needs 3.1 MiB on remote:0, which has 1.0 MiB free of "
             "1.0 MiB");
}

BOOST_AUTO_TEST_CASE(null_pointers_are_refused) {
  suite_error error{};
  BOOST_TEST(suite_set(nullptr, "x", nullptr, &error) == SUITE_INVALID_ARGUMENT);
  BOOST_TEST(std::string(error.message) == "the call is NULL");
  suite_call* call = nullptr;
  BOOST_TEST(suite_open(nullptr, "cpu", nullptr, &call, &error) == SUITE_INVALID_ARGUMENT);
  BOOST_TEST(std::string(error.message) == "the name of the kernel is NULL");
  BOOST_TEST(suite_open("probe.sum", "cpu", nullptr, nullptr, nullptr) == SUITE_INVALID_ARGUMENT);
  BOOST_TEST(suite_run(nullptr, nullptr, nullptr) == SUITE_INVALID_ARGUMENT);
  SumCall good("cpu");
  BOOST_TEST(suite_set(good.kernel.handle(), nullptr, nullptr, &error) == SUITE_INVALID_ARGUMENT);
  BOOST_TEST(std::string(error.message) == "the name of an argument of probe.sum is NULL");
  BOOST_TEST(suite_set(good.kernel.handle(), "gain", nullptr, &error) == SUITE_INVALID_ARGUMENT);
  BOOST_TEST(suite_get(good.kernel.handle(), "total", nullptr, &error) == SUITE_INVALID_ARGUMENT);
  suite_close(nullptr);
  suite_forget(nullptr);
  suite_device_close(nullptr);
  suite_visit(nullptr, nullptr);
  suite_warnings(nullptr, nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
