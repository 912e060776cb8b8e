// SPDX-License-Identifier: BSD-3-Clause
// Figures of a run as SVG.
#pragma once

#include "output.hpp"

namespace suite::tddft {

// Returns spectrum.svg, harmonics.svg, dipole.svg and density.svg, as far as their data exist.
std::vector<app::TextFile> figures(const Solution& solution, const std::string& title);

}  // namespace suite::tddft
