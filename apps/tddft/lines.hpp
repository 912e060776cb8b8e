// SPDX-License-Identifier: BSD-3-Clause
// Identifies the excitations behind the maxima of a spectrum.
#pragma once

#include <vector>

#include "spectrum.hpp"

namespace suite::tddft {

// Maxima above the threshold, each refined by a parabola; then a least-squares fit of the energies and strengths of all lines with the
// known line shape, over the neighbourhood of the maxima.
std::vector<Peak> find_lines(const Spectrum& spectrum, Observable observable, double duration, const SpectrumSettings& settings);

}  // namespace suite::tddft
