// SPDX-License-Identifier: BSD-3-Clause
// What a run is said to keep in memory: counts without a grid, what makes it less, and what is refused.
#define BOOST_TEST_MODULE memory
#include <boost/test/unit_test.hpp>

#include <suite/plugin.hpp>

#include <common/quantities.hpp>
#include <dfpt/memory.hpp>

using namespace suite::all_electron;

namespace {

const Molecule water{{{8, {0, 0, 0}}, {1, {1.4304, 0, 1.1072}}, {1, {-1.4304, 0, 1.1072}}}, 0};

}  // namespace

BOOST_AUTO_TEST_CASE(counts_without_a_grid_are_those_of_the_set_up) {
  for (const int tier : {0, 2}) {
    Choices choices;
    choices.tier = tier;
    const Setup setup = prepare(water, choices);
    const Counts counts = counts_of(water, choices);
    BOOST_TEST(counts.functions == setup.basis.n_basis);
    BOOST_TEST(counts.points == static_cast<double>(setup.grid.raw_points));
    BOOST_TEST(counts.atoms == 3);
    BOOST_TEST(counts.n_lm == 25);
  }
}

BOOST_AUTO_TEST_CASE(what_the_message_names_needs_less_memory) {
  const Counts counts{9018, 1.3e7, 3003, 25};
  Settings settings;
  const double all = memory_of(counts, settings).all();
  Settings one_direction = settings, short_histories = settings, few_knots = settings,
           ground_state = settings;
  one_direction.directions = {2};
  short_histories.scf.history = short_histories.response.history = 4;
  few_knots.choices.n_knots = 128;
  ground_state.polarizability = false;
  for (const Settings& less : {one_direction, short_histories, few_knots, ground_state})
    BOOST_TEST(memory_of(counts, less).all() < 0.95 * all);
}

BOOST_AUTO_TEST_CASE(what_no_machine_holds_is_refused) {
  Memory memory;
  memory.points = 1;
  memory.tables = 1e6;
  BOOST_CHECK_NO_THROW(require_memory(memory));
  memory.matrices = 1e18;
  try {
    require_memory(memory);
    BOOST_ERROR("10^18 bytes were not refused");
  } catch (const suite::Failure& failure) {
    BOOST_TEST(failure.status() == SUITE_OUT_OF_MEMORY);
    const std::string text = failure.what();
    BOOST_TEST(text.find(suite::app::bytes_text(memory.all())) != std::string::npos, text);
    BOOST_TEST(text.find("'dfpt.directions'") != std::string::npos, text);
  }
}
