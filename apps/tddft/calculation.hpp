// SPDX-License-Identifier: BSD-3-Clause
// A calculation from the ground state to the last step.
#pragma once

#include "base/app.hpp"
#include "checkpoint.hpp"
#include "settings.hpp"

namespace suite::tddft {

struct Calculation {
  Progress progress;
  std::vector<double> density;  // at the end, 1/bohr^3
  double norm_error = 0;        // at the end: the largest |<psi|psi> - 1|
  bool restarted = false;
  int64_t restarted_at = 0;  // step
  int stopped_by = 0;        // the signal, or 0
  double ground_state_s = 0, propagation_s = 0;
};

// Ground state, or the checkpoint that settings.restart names; then every run. Looks at the energy, writes
// checkpoints into context.folder and ends early on a signal. Collective; the same on every rank but for
// rounding.
Calculation calculate(const Settings& settings, app::Context& context);

}  // namespace suite::tddft
