// SPDX-License-Identifier: BSD-3-Clause
// What the published steps of gpp.sigma are said to cost: their arithmetic, run with a number that counts;
// and what every implementation on the search path says, of devices, too, that are not there.
#include <boost/test/unit_test.hpp>

#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <suite/suite.hpp>

#include "../../plugins/gpp/cpu/term.hpp"
#include "../../plugins/gpp/step_cost.hpp"
#include "counted.hpp"

namespace gpp = suite::gpp;

template <int Step> static void check_step() {
  using Complex = gpp::Z<Counted>;
  const auto pair = gpp::make_pair<Step>(Complex{w[0], w[1]}, Complex{I[0], I[1]}, cut);
  Complex ssx, sch;
  Counted::flops = 0;
  gpp::term<Step>(pair, x, broadening * broadening, cut, ssx, sch);
  BOOST_TEST_CONTEXT("step " << Step) {
    BOOST_TEST(sch.re.value != 0);  // it was branch A
    BOOST_TEST(Counted::flops == gpp::step_cost_detail::term(Step, true));
  }
}

BOOST_AUTO_TEST_CASE(the_steps_of_vectors_do_what_is_counted) {
  [&]<int... i>(std::integer_sequence<int, i...>) { (check_step<i + 1>(), ...); }(std::make_integer_sequence<int, 10>());
}

namespace {

struct Steps {
  std::vector<double> flops, bytes;  // per term, v1 to v9, best, fixed_length
};

const Steps gpu{{177, 177, 177, 181, 181, 132, 88, 77, 77, 12.5, 77}, {24, 8.02, 8.02, 16.04, 16.04, 16.04, 16.04, 16.04, 0.652, 0, 16.04}};
const std::map<std::string, Steps> expected{
    {"cpu", {{221, 221, 218, 221, 221, 151, 99, 88, 88, 12.5, 88}, {24, 8.02, 8.02, 16.04, 16.04, 16.04, 16.04, 16.04, 2.012, 0, 16.04}}},
    {"opencl",
     {{221, 221, 220, 223, 223, 153, 101, 90, 90, 12.5, 90}, {24, 8.02, 8.02, 16.04, 16.04, 16.04, 16.04, 16.04, 2.012, 0, 16.04}}},
    {"cuda", gpu},
    {"hip", gpu},
    {"emulated", gpu}};

std::vector<const suite_kernel_table*> tables() {
  std::vector<const suite_kernel_table*> found;
  suite_visit(
      [](void* with, const char*, const suite_plugin* plugin, const char*) {
        for (uint32_t i = 0; plugin && i < plugin->kernel_count; ++i)
          if (!std::strcmp(plugin->kernels[i]->kernel, "gpp.sigma"))
            static_cast<std::vector<const suite_kernel_table*>*>(with)->push_back(plugin->kernels[i]);
      },
      &found);
  return found;
}

// Rounded to a thousandth, as the table above is.
bool near(double a, double b) { return std::fabs(a - b) <= 0.0006; }

void check_table(const suite_kernel_table& table, const Steps& steps) {
  std::vector<suite_array> arguments(table.argument_count);
  for (auto& argument : arguments) argument.rank = -1;
  suite_error error{};
  BOOST_REQUIRE(table.generate("published", 1, arguments.data(), &error) == SUITE_OK);
  const double terms = 800.0 * 1385 * 11075 * 2;
  std::vector<int64_t> parameters;
  for (uint32_t i = 0; i < table.parameter_count; ++i) parameters.push_back(table.parameters[i].value);
  suite_cost stated{}, found{};
  BOOST_REQUIRE(gpp::Sigma::cost(arguments.data(), &stated) == SUITE_OK);
  BOOST_REQUIRE(table.cost(arguments.data(), parameters.data(), &found) == SUITE_OK);
  BOOST_TEST((found.flops == stated.flops && found.bytes == stated.bytes));  // the default is best
  for (size_t variant = 0; variant < steps.flops.size(); ++variant) {
    parameters[0] = static_cast<int64_t>(variant);
    BOOST_REQUIRE(table.cost(arguments.data(), parameters.data(), &found) == SUITE_OK);
    BOOST_TEST_CONTEXT(table.implementation << ' ' << table.parameters[0].choices[variant].name << ": " << found.flops / terms << " flop, "
                                            << found.bytes / terms << " bytes a term") {
      BOOST_TEST(near(found.flops / terms, steps.flops[variant]));
      if (variant == gpp::best_variant) BOOST_TEST(found.bytes == stated.bytes);
      else BOOST_TEST(near(found.bytes / terms, steps.bytes[variant]));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_implementation_counts_each_of_its_steps) {
  int seen = 0;
  for (const auto* table : tables())
    if (const auto steps = expected.find(table->implementation); steps != expected.end()) {
      BOOST_TEST_CONTEXT(table->implementation) {
        BOOST_REQUIRE(table->cost);
        check_table(*table, steps->second);
      }
      std::cout << table->implementation << '\n';
      ++seen;
    }
  BOOST_TEST(seen > 0);
}

BOOST_AUTO_TEST_CASE(a_call_counts_the_variant_that_is_chosen) {
  suite::Kernel kernel("gpp.sigma", "cpu");
  kernel.generate("ntband=8,ngpown=12,ncouls=40,nw=2,nvband=0", 1);
  const double terms = 8 * 12 * 40 * 2;
  BOOST_TEST(kernel.cost().flops == 12.5 * terms);
  kernel.choose("variant", "v1");
  BOOST_TEST(kernel.cost().flops == 221 * terms);
  kernel.choose("variant", "v9");
  BOOST_TEST(kernel.cost().flops == 88 * terms);
  kernel.choose("variant", "best");
  BOOST_TEST(kernel.cost().flops == 12.5 * terms);
}
