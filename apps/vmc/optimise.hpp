// SPDX-License-Identifier: BSD-3-Clause
// Optimisation of the Jastrow factor: what is known of each function on the way.
#pragma once

#include "jastrow.hpp"
#include "statistics.hpp"

namespace suite::vmc {

// What was measured of one wave function, and what its change promised.
struct Cycle {
  Jastrow jastrow;
  Reblocked energy;
  double variance_error = 0;
  double acceptance = 0;
  double before = 0, after = 0;  // of the target, on its configurations
  int iterations = 0;
  double variance() const { return energy.variance; }
};

}  // namespace suite::vmc
