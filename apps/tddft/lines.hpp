// SPDX-License-Identifier: BSD-3-Clause
// The excitations behind the maxima of a spectrum.
#pragma once

#include <vector>

#include "spectrum.hpp"

namespace suite::tddft {

// Maxima above the threshold, each refined by a parabola; then energies and strengths of all of them together
// by least squares with the known shape of a line, over the neighbourhood of the maxima.
std::vector<Peak> find_lines(const Spectrum& spectrum, Observable observable, double duration, const SpectrumSettings& settings);

}  // namespace suite::tddft
