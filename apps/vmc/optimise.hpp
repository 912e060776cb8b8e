// SPDX-License-Identifier: BSD-3-Clause
// Optimisation of the Jastrow factor: data on each wave function of the sequence.
#pragma once

#include "jastrow.hpp"
#include "statistics.hpp"

namespace suite::vmc {

// Measurements of one wave function, and the predicted gain of its change.
struct Cycle {
  Jastrow jastrow;
  Reblocked energy;
  double variance_error = 0;
  double acceptance = 0;
  double before = 0, after = 0;  // target before and after the change, on its configurations
  int iterations = 0;
  double variance() const { return energy.variance; }
};

}  // namespace suite::vmc
