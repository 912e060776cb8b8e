// SPDX-License-Identifier: BSD-3-Clause
// The frequencies at which a model of the self-energy needs eps^-1.
#pragma once

#include "plan.hpp"

namespace suite::gw {

// Those that are not in the settings. Contour deformation: an imaginary grid w0 t/(1-t) with equal steps of t, and a real one up to where residues of the
// wanted states can lie. Several poles: two lines in the complex plane. Nothing changes for other models, or where eps^-1 is read.
void complete_frequencies(Settings& settings);
// Failure where eps^-1 lacks a frequency that the model needs.
void require_frequencies(const Plan& plan);

}  // namespace suite::gw
