// SPDX-License-Identifier: BSD-3-Clause
// What a run is said to keep in memory: counts without a grid, what makes it less, and what is refused.
#include <boost/test/unit_test.hpp>

#include <cmath>

#include <suite/plugin.hpp>

#include <common/quantities.hpp>
#include <dfpt/memory.hpp>

#include "molecules.hpp"

using namespace suite::all_electron;
using namespace dfpt_app_test;

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
    const Counts shared = counts_of(setup, 2);
    BOOST_TEST(shared.functions == counts.functions);
    BOOST_TEST(shared.points == static_cast<double>(setup.grid.n_points()) / 2);
    BOOST_TEST((shared.atoms == 3 && shared.n_lm == 25));
  }
}

// Points near an atom are counted as if they were at their own atom's nucleus.
BOOST_AUTO_TEST_CASE(near_pairs_are_forecast) {
  Molecule strand;
  for (int i = 0; i < 12; ++i) strand.atoms.push_back({i % 3 == 0 ? 7 : 6, {0.4 * (i % 2), 0, 2.7 * i}});
  Choices choices;
  choices.tier = 0;
  const Setup setup = prepare(strand, choices);
  double pairs = 0;
  for (size_t p = 0; p < setup.grid.n_points(); ++p)
    for (size_t a = 0; a < setup.atom_species.size(); ++a) {
      const double *const x = &setup.grid.coords[3 * p], *const atom = &setup.atom_coords[3 * a];
      pairs += std::hypot(x[0] - atom[0], x[1] - atom[1], x[2] - atom[2]) <
               setup.tables.multipole_radius[static_cast<size_t>(setup.atom_species[a] - 1)];
    }
  const double forecast = counts_of(setup, 1).near_pairs, before = counts_of(strand, choices).near_pairs;
  BOOST_TEST_MESSAGE(pairs << " pairs, " << forecast << " expected, " << before << " before the set-up");
  BOOST_TEST((forecast > 0.8 * pairs && forecast < 1.3 * pairs));
  BOOST_TEST((before > 0.9 * pairs && before < 2 * pairs));
  BOOST_TEST(counts_of(setup, 4).near_pairs == forecast / 4);
}

BOOST_AUTO_TEST_CASE(what_the_message_names_needs_less_memory) {
  const Counts counts{9018, 1.3e7, 3003, 25, 5e8};
  Settings settings;
  const double all = memory_of(counts, settings).all();
  Settings one_direction = settings, short_histories = settings, few_knots = settings, ground_state = settings;
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
