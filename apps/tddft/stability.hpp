// SPDX-License-Identifier: BSD-3-Clause
// Limits of the time step and field step of a grid, checked before the run.
#pragma once

#include <string>

#include "settings.hpp"

namespace suite::tddft {

// theta = dt/(2 h^2) of the finest direction. The splitting error is theta^2/3 of the kinetic energy (theta^2 (kh)^2/4 with the mass
// correction); from pi/2 on the step is meaningless.
double splitting_angle(const Grid& grid, double dt);
double suggested_time_step(const Grid& grid);  // theta = 0.15
double largest_time_step(const Grid& grid);    // theta = pi/2

// Plane waves are scattered resonantly by the steps of a potential from the step on in which the phase of the grid's highest wave turns once,
// 0.42 h^2 of a cube; with a functional of the gradient, whose potential follows short waves of the density and makes them grow two at a
// time, from a quarter of that step on (docs/theory/tddft.md, "Steps with a gradient").
double resonant_time_step(const Settings& settings);
double default_time_step(const Settings& settings);

// The field's wave equation is stable for kappa 4 sum 1/h^2 < 4 - 2 gamma.
double largest_kappa(const Grid& grid, double gamma);

// Reports settings that cannot be propagated, with the number to use instead.
void refuse_unstable(const Settings& settings, const app::Input& input);

// Advice for the user: theta and its meaning, a grid that is too coarse, the margin of a field with dynamics.
std::string stability_advice(const Settings& settings);

}  // namespace suite::tddft
