// SPDX-License-Identifier: BSD-3-Clause
// What the tests of the app share.
#pragma once

#include <boost/test/unit_test.hpp>

#include <string>

#include <dfpt/integration_setup.hpp>
#include <dfpt/species_definition.hpp>

namespace dfpt_app_test {

// bohr
inline const suite::all_electron::Molecule hydrogen{
    {{1, {0, 0, -0.37 * suite::all_electron::bohr_per_angstrom}}, {1, {0, 0, 0.37 * suite::all_electron::bohr_per_angstrom}}}, 0};
inline const suite::all_electron::Molecule water{{{8, {0, 0, 0}}, {1, {-1.4304, 0, 1.1072}}, {1, {1.4304, 0, 1.1072}}}, 0};

inline void check_below(const std::string& what, double error, double tolerance) {
  BOOST_TEST((error <= tolerance), what << " is off by " << error << ", more than " << tolerance);
}

}  // namespace dfpt_app_test
