// SPDX-License-Identifier: BSD-3-Clause
// Bands and density of states as text: files for other programs, a figure, a table for the terminal, and their part of result.json.
#pragma once

#include <string>

#include "bands.hpp"
#include "results.hpp"

namespace suite::gw {

// A block for each band: distance, k, mean-field and quasiparticle energy; an empty line at a jump, two between bands, as gnuplot has it.
std::string bands_file(const BandStructure& bands);
std::string dos_file(const BandStructure& bands);
// Both beside each other, energies from the valence top of each description.
std::string bands_plot(const BandStructure& bands, const std::string& system);
// Gaps, where they are, and the errors at points that were held out.
std::string bands_table(const BandStructure& bands);
BandsResult bands_results(const BandStructure& bands);

}  // namespace suite::gw
