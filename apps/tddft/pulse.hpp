// SPDX-License-Identifier: BSD-3-Clause
// The electric field on the electrons, in both gauges. H has E.r (length) or A (velocity), E = -dA/dt.
#pragma once

#include "settings.hpp"

namespace suite::tddft {

double vector_potential(const Laser& laser, double t);
double electric_field(const Laser& laser, double t);  // -dA/dt

// What lfd.propagate takes as `drive` of the step that starts at t: E or A in its middle. A kick K is not in
// E, which would be infinite, but A = -K from t = 0 on.
Vec3 drive(const Settings& settings, int run, double t);

// A at time t (velocity gauge; else 0), and the mean of E over the step that starts at t, for the work done.
Vec3 potential_at(const Settings& settings, int run, double t);
Vec3 mean_field(const Settings& settings, int run, double t);

}  // namespace suite::tddft
