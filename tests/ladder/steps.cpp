// SPDX-License-Identifier: BSD-3-Clause
#include <boost/test/unit_test.hpp>

#include <iterator>

#include <suite/plugin.hpp>

#include "../common/outcome.hpp"
#include "steps.hpp"

using namespace suite;
using suite::app::Step, suite::app::steps_of, suite::app::published_text, suite::app::by_device;
using suite::test::outcome;

namespace {

constexpr const char *of = "the large size", *source = "a paper, table 2";
constexpr suite_published v1[] = {
    {"V100", 1.63, 1.63, "s", of, source}, {"V100", 3.71, 3.71, "TFLOP", of, source}, {"A100", 1.17, 1.17, "s", of, source}};
constexpr suite_published v2[] = {{"V100", 1.73, 1.73, "s", of, source}, {"A100", 1.1, 1.1, "s", of, source}};
constexpr suite_published v3[] = {{"V100", 1.3, 1.36, "s", of, source}};
constexpr suite_published v4[] = {{"V100", 1.1, 1.12, "times as fast as the loop over pairs", nullptr, source}};
constexpr suite_published v5[] = {{"V100", 1.66, 1.66, "s", of, source}};

constexpr suite_choice choices[] = {step("v1", "as published", v1),
                                    step("v2", "faster on one device, slower on the other", v2),
                                    step("v3", "a range of times", v3),
                                    step("v4", "a ratio, which says nothing of the step before", v4),
                                    step("back", "within 3 % of v1", v5, "v1"),
                                    step("surprise", "what is said counts more than what was published", v3, "v1", SUITE_SLOWER),
                                    choice("best", "no number", SUITE_FASTER)};
constexpr suite_parameter parameter = variant("variant", 6, choices, "the steps");

Step named(const std::string& name) {
  for (const Step& s : steps_of(parameter))
    if (s.choice.name == name) return s;
  throw Failure(SUITE_NOT_FOUND, name);
}

}  // namespace

BOOST_AUTO_TEST_CASE(steps_come_in_the_order_of_their_choices) {
  std::string names, afters;
  for (const Step& s : steps_of(parameter)) names += s.choice.name + std::string(" "), afters += s.after + " ";
  BOOST_TEST(names == "v1 v2 v3 v4 back surprise best ");
  BOOST_TEST(afters == " v1 v2 v3 v1 v1 surprise ");
}

BOOST_AUTO_TEST_CASE(published_seconds_say_what_to_expect) {
  BOOST_TEST(named("v1").expectation == "");
  BOOST_TEST(named("v2").expectation == "slower (V100), faster (A100)");
  BOOST_TEST(named("v2").expected == SUITE_UNKNOWN);
  BOOST_TEST(named("v3").expectation == "faster");  // the middle of the range
  BOOST_TEST(named("v3").expected == SUITE_FASTER);
  BOOST_TEST(named("v4").expectation == "");
  BOOST_TEST(named("back").expected == SUITE_SAME);
}

BOOST_AUTO_TEST_CASE(what_the_plugin_expects_goes_first) {
  BOOST_TEST(named("surprise").expected == SUITE_SLOWER);
  BOOST_TEST(named("surprise").expectation == "slower");
  BOOST_TEST(named("best").expected == SUITE_FASTER);
}

BOOST_AUTO_TEST_CASE(all_numbers_are_told_with_their_units) {
  BOOST_TEST(published_text(v1) == "V100 1.63 s, 3.71 TFLOP; A100 1.17 s");
  BOOST_TEST(published_text(v3) == "V100 1.3 to 1.36 s");
  BOOST_TEST(published_text(v4) == "V100 1.1 to 1.12 times as fast as the loop over pairs");
  BOOST_TEST(published_text({}) == "");
  const auto devices = by_device(v1);
  BOOST_REQUIRE(devices.size() == 2u);
  BOOST_TEST(devices[0].device == "V100");
  BOOST_TEST(devices[0].seconds == 1.63);
  BOOST_TEST(devices[1].text == "A100 1.17 s");
  BOOST_TEST(by_device(v3)[0].seconds == (1.3 + 1.36) / 2);
  BOOST_TEST(by_device(v4)[0].seconds == 0);
}

BOOST_AUTO_TEST_CASE(times_within_3_percent_are_the_same) {
  using suite::app::effect_of;
  BOOST_TEST(effect_of(0.96, 1) == SUITE_FASTER);
  BOOST_TEST(effect_of(0.98, 1) == SUITE_SAME);
  BOOST_TEST(effect_of(1.02, 1) == SUITE_SAME);
  BOOST_TEST(effect_of(1.04, 1) == SUITE_SLOWER);
}

BOOST_AUTO_TEST_CASE(a_number_is_no_ladder) {
  const suite_parameter number = knob("block", 32, 1, 64, "pairs", "pairs of a block");
  BOOST_TEST(outcome([&] { steps_of(number); }) == "unsupported: parameter block does not describe steps: it is a number, not a choice");
}
