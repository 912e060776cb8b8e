// SPDX-License-Identifier: BSD-3-Clause
// The plots of a run, as SVG.
#pragma once

#include "output.hpp"

namespace suite::tddft {

// spectrum.svg, dipole.svg and density.svg, those that there is something to draw of.
std::vector<app::TextFile> figures(const Solution& solution, const std::string& title);

}  // namespace suite::tddft
