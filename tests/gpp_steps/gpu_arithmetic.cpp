// SPDX-License-Identifier: BSD-3-Clause
// What a term of each published step costs on a GPU: its arithmetic, run with a number that counts.
#include <boost/test/unit_test.hpp>

#include <utility>

#include "../../plugins/gpp/gpu/term.cuh"
#include "../../plugins/gpp/step_cost.hpp"
#include "counted.hpp"

namespace gpp = suite::gpp;

template <int Step> static void check_step() {
  using Complex = gpp::Complex<Counted>;
  const auto pair = gpp::make_pair<Step>(Complex{w[0], w[1]}, Complex{I[0], I[1]}, cut);
  Complex ssx, sch;
  Counted::flops = 0;
  gpp::term<Step>(pair, x, broadening, cut, ssx, sch);
  BOOST_TEST_CONTEXT("step " << Step) {
    BOOST_TEST(sch.re.value != 0);  // it was branch A
    BOOST_TEST(Counted::flops == gpp::step_cost_detail::term(Step, false));
  }
}

BOOST_AUTO_TEST_CASE(the_steps_of_gpus_do_what_is_counted) {
  [&]<int... i>(std::integer_sequence<int, i...>) { (check_step<i + 1>(), ...); }(std::make_integer_sequence<int, 10>());
}
