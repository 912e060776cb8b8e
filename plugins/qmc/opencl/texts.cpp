// SPDX-License-Identifier: BSD-3-Clause
#include "texts.hpp"

#include "sources.hpp"

namespace suite::qmc::cl::text {

const char* const common = common_cl;
const char* const geometry = geometry_cl;
const char* const seats = seats_cl;
const char* const pairs = pairs_cl;
const char* const waves = waves_cl;
const char* const ewald = ewald_cl;
const char* const ladder = ladder_cl;
const char* const powers = powers_cl;
const char* const slater = slater_cl;
const char* const windows = windows_cl;
const char* const blips = blips_cl;
const char* const shells = shells_cl;
const char* const chi = chi_cl;
const char* const f_term = f_term_cl;
const char* const pseudopotential = pseudopotential_cl;
const char* const energy = energy_cl;
const char* const philox = philox_cl;
const char* const sweep = sweep_cl;

}  // namespace suite::qmc::cl::text
