// SPDX-License-Identifier: BSD-3-Clause
// What time step and what field step a grid allows, said before work begins.
#pragma once

#include <string>

#include "settings.hpp"

namespace suite::tddft {

// theta = dt/(2 h^2) of the finest direction. The splitting's error is theta^2/3 of the kinetic energy (with
// the mass correction theta^2 (kh)^2/4); from pi/2 on it has no meaning.
double splitting_angle(const Grid& grid, double dt);
double suggested_time_step(const Grid& grid);  // theta = 0.15
double largest_time_step(const Grid& grid);    // theta = pi/2

// The field's wave equation is stable where kappa 4 sum 1/h^2 < 4 - 2 gamma.
double largest_kappa(const Grid& grid, double gamma);

// Adds to the input what cannot be propagated, with the number to use instead.
void refuse_unstable(const Settings& settings, const app::Input& input);

// Lines for the reader: theta and what it means, a grid that is too coarse, the margin of a field with
// dynamics.
std::string stability_advice(const Settings& settings);

}  // namespace suite::tddft
