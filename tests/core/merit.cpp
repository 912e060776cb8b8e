// SPDX-License-Identifier: BSD-3-Clause
// The figure of merit of a kernel's table: what can be written there, and what number it gives.
#include <array>

#include "shape.hpp"
#include "support.hpp"

BOOST_AUTO_TEST_SUITE(merits_count_what_gets_done)

BOOST_AUTO_TEST_CASE(extents_and_scalars_multiply) {
  SumCall call("cpu");  // m = 2, nex = 1
  BOOST_TEST(std::string(call.kernel.table().merit_unit) == "sums");
  BOOST_TEST(std::string(call.kernel.table().merit_count) == "m*nex*nm");
  BOOST_TEST(call.kernel.merit() == 2);  // nm is unset and counts as 1
  call.kernel.set("nm", int32_t{7});
  BOOST_TEST(call.kernel.merit() == 14);
  call.kernel.set("nm", int32_t{-3});
  BOOST_TEST(call.kernel.merit() == 0);
  suite_error error{};
  BOOST_TEST(suite_call_merit(call.kernel.handle(), nullptr, &error) == SUITE_INVALID_ARGUMENT);
}

BOOST_AUTO_TEST_CASE(what_stands_in_no_shape_alone_is_solved_for) {
  suite::Kernel kernel("probe.six", "cpu");
  std::vector<float> in(192);
  const std::vector<int32_t> rows(16);
  BOOST_TEST(kernel.merit() == 0);  // a, b and c are not known yet, and the array that has them must be set
  kernel.set("in", in.data(), {2, 2, 3, 2, 2, 4});
  BOOST_TEST(kernel.merit() == 2 * (2 + 3));  // only arrays that may be left out have nrow: 1
  kernel.set("rows", rows.data(), {7});
  BOOST_TEST(kernel.merit() == 2 * (2 + 3) * 4);
}

BOOST_AUTO_TEST_CASE(a_kernel_may_name_none) { BOOST_TEST(suite::Kernel("probe.copy", "cpu").merit() == 0); }

BOOST_AUTO_TEST_CASE(a_merit_with_a_mistake_is_refused) {
  const std::array<suite_argument, 2> arguments{
      {{"count", SUITE_INT64, 0, SUITE_IN, 0, "", "1", "", nullptr, 0}, {"x", SUITE_REAL64, 2, SUITE_IN, 0, "n[,k]", "1", "", nullptr, 0}}};
  const auto with = [&](const char* unit, const char* count) {
    return outcome([&] { suite::core::Shapes(arguments.data(), arguments.size(), unit, count); });
  };
  BOOST_TEST(with(nullptr, nullptr) == "ok");
  BOOST_TEST(with("numbers", "n*k*count") == "ok");
  const std::string incomplete = "unsupported: its figure of merit lacks its unit or count";
  BOOST_TEST(with("numbers", nullptr) == incomplete);
  BOOST_TEST(with(nullptr, "n") == incomplete);
  BOOST_TEST(with("", "n") == incomplete);
  BOOST_TEST(with("numbers", "n*") == "unsupported: the count of its figure of merit, 'n*', cannot be read");
  BOOST_TEST(with("numbers", "") == "unsupported: the count of its figure of merit, '', cannot be read");
  BOOST_TEST(with("numbers", "n*m") ==
             "unsupported: its figure of merit 'n*m' uses 'm', which is neither an extent nor a scalar of its arguments");
}

BOOST_AUTO_TEST_SUITE_END()
