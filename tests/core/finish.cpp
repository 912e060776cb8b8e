// SPDX-License-Identifier: BSD-3-Clause
// What a kernel finds out on the device is asked for after the work (suite_kernel_table.finish).
#include "support.hpp"

namespace {

struct LateCall {
  explicit LateCall(const std::string& implementation) : kernel("probe.late", implementation) { set(in); }
  void set(const std::vector<double>& values) {
    in = values;
    kernel.set("in", in.data(), {3});
    kernel.set("out", out.data(), {3});
    kernel.set("asked", asked.data(), {1});
  }
  std::vector<double> in{1, 2, 3}, out{0, 0, 0};
  std::vector<int64_t> asked{-1};
  suite::Kernel kernel;
};

const std::string refused = "invalid argument: probe.late: in(2) is negative";

}  // namespace

BOOST_AUTO_TEST_SUITE(kernels_are_asked_after_the_work)

BOOST_AUTO_TEST_CASE(a_refusal_is_an_error_of_the_wait_and_no_result_comes_back) {
  for (const char* implementation : {"cpu", "remote"}) {
    BOOST_TEST_CONTEXT(implementation) {
      LateCall call(implementation);
      call.kernel.run();
      BOOST_TEST((call.out == std::vector<double>{1, 2, 3}));
      call.set({4, -5, 6});
      call.kernel.start();
      BOOST_TEST(outcome([&] { call.kernel.wait(); }) == refused);
      if (std::string(implementation) == "remote") BOOST_TEST((call.out == std::vector<double>{1, 2, 3}));
      // The next run is another one.
      call.set({7, 8, 9});
      call.kernel.run();
      BOOST_TEST((call.out == std::vector<double>{7, 8, 9}));
      // By itself in the first run, then once for each run.
      BOOST_TEST(call.asked[0] == 3);
    }
  }
}

BOOST_AUTO_TEST_CASE(run_says_the_same_from_the_first_call_on) {
  for (const char* implementation : {"cpu", "remote"}) {
    BOOST_TEST_CONTEXT(implementation) {
      LateCall call(implementation);
      call.set({1, -2, 3});
      for (int turn = 0; turn < 2; ++turn) BOOST_TEST(outcome([&] { call.kernel.run(); }) == refused);
      call.set({1, 2, 3});
      call.kernel.run();
      call.set({1, -2, 3});
      for (int turn = 0; turn < 2; ++turn) BOOST_TEST(outcome([&] { call.kernel.run(); }) == refused);
    }
  }
}

// From before there was finish().
BOOST_AUTO_TEST_CASE(a_host_that_does_not_ask_is_told_by_execute) {
  const suite::Kernel described("probe.late", "cpu");
  const suite_kernel_table& table = described.table();
  suite_kernel* kernel = nullptr;
  suite_error error{};
  BOOST_REQUIRE(table.create(nullptr, nullptr, nullptr, &kernel, &error) == SUITE_OK);
  std::vector<double> in{1, -2, 3}, out(3);
  int64_t asked = 0;
  suite_array arguments[3]{};
  for (auto& array : arguments) {
    array.rank = 1;
    for (auto& extent : array.extent) extent = 1;
  }
  arguments[0].data = in.data(), arguments[1].data = out.data(), arguments[2].data = &asked;
  arguments[0].type = arguments[1].type = SUITE_REAL64, arguments[2].type = SUITE_INT64;
  arguments[0].extent[0] = arguments[1].extent[0] = 3;
  for (int turn = 0; turn < 3; ++turn) {
    in[1] = turn == 1 ? 2 : -2;
    error = {};
    BOOST_TEST(table.execute(kernel, arguments, &error) == (turn == 1 ? SUITE_OK : SUITE_INVALID_ARGUMENT));
    BOOST_TEST(std::string(error.message) == (turn == 1 ? "" : "in(2) is negative"));
  }
  BOOST_TEST(asked == 2);
  table.destroy(kernel);
}

BOOST_AUTO_TEST_SUITE_END()
