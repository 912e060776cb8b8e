// SPDX-License-Identifier: BSD-3-Clause
#include "texts.hpp"

#include "sources.hpp"

namespace suite::qmc::cl::text {

const char *const common = common_cl, *const geometry = geometry_cl, *const pairs = pairs_cl,
           *const waves = waves_cl, *const ewald = ewald_cl, *const ladder = ladder_cl, *const powers = powers_cl,
           *const slater = slater_cl, *const blips = blips_cl, *const energy = energy_cl,
           *const sweep = sweep_cl;

}  // namespace suite::qmc::cl::text
