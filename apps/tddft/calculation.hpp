// SPDX-License-Identifier: BSD-3-Clause
// A calculation from the ground state to the last step.
#pragma once

#include "base/app.hpp"
#include "checkpoint.hpp"
#include "settings.hpp"

namespace suite::tddft {

struct Calculation {
  Progress progress;
  std::vector<double> density;  // at the end, bohr^-3
  double norm_error = 0;        // at the end: max |<psi|psi> - 1|
  bool restarted = false;
  int64_t restarted_at = 0;  // step
  int stopped_by = 0;        // signal that stopped the run, or 0
  double ground_state_s = 0, propagation_s = 0;
  int64_t ground_state_iterations = 0;  // of all steps of ions on the ground state
};

// Computes the ground state, or reads the checkpoint settings.restart, then propagates all runs. Samples the energy, writes checkpoints
// into context.folder and stops early on a signal. Collective; the result is the same on every rank up to rounding.
Calculation calculate(const Settings& settings, app::Context& context);

}  // namespace suite::tddft
