// SPDX-License-Identifier: BSD-3-Clause
// Exact energy of the Slater determinant of a system: the expected energy of a run without a Jastrow factor.
#pragma once

#include "system.hpp"

namespace suite::vmc {

// Per cell, Ha.
struct HartreeFock {
  double kinetic = 0;   // sum over the filled plane waves of k^2/2
  double exchange = 0;  // -1/2 sum over the spins, sum_{k/=k'} 4 pi/(V |k - k'|^2)
  double madelung = 0;  // N xi/2: each electron with its own images
  double total() const { return kinetic + exchange + madelung; }
};

// With the Ewald interaction, for closed shells.
HartreeFock hartree_fock(const System& system);

}  // namespace suite::vmc
