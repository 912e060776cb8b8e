// SPDX-License-Identifier: BSD-3-Clause
// The named choices of the family as every implementation offers them: same names, same order, same default.
// They say what is computed; how it is computed is a parameter `variant` (steps.hpp) or a knob of one
// implementation.
#pragma once

#include "qmc.hpp"

namespace suite::qmc::parameter {

inline constexpr suite_parameter form{
    "form", 0,     0,
    1,      forms, "polynomial: (r - L_u)^C times a polynomial in r\nbspline: uniform cubic B-splines"};
inline constexpr suite_parameter move{
    "move", 0, 0, 1, moves, "metropolis: a Gaussian step\nlangevin: drift and diffusion, fixed nodes"};

}  // namespace suite::qmc::parameter
