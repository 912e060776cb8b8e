// SPDX-License-Identifier: BSD-3-Clause
// A run with all that belongs to its states, held against a sigma_hp.log of BerkeleyGW.
#pragma once

#include <string>
#include <vector>

#include "bench.hpp"
#include "output.hpp"

namespace suite::gw::test {

struct Solved {
  Solved(const Settings& settings, const std::filesystem::path& folder);
  Solution solution() const { return {settings, outcome.result, states}; }
  Settings settings;
  Outcome outcome;
  std::vector<Quasiparticle> states;
};

// Boost's checks that the states are those of the log, every column to `tolerance`, which is at least the 2e-9 eV that nine digits leave.
void check_columns(const Solved& ours, const std::filesystem::path& log, double tolerance);

// Gallium arsenide whose two spins differ in everything, of polarised_wavefunctions.py; with a dielectric matrix of its own, as BerkeleyGW averages v.
Settings polarised();

}  // namespace suite::gw::test
