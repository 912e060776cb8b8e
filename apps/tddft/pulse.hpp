// SPDX-License-Identifier: BSD-3-Clause
// Electric field acting on the electrons in both gauges. H contains E.r (length) or A (velocity), E = -dA/dt.
#pragma once

#include "settings.hpp"

namespace suite::tddft {

double vector_potential(const Laser& laser, double t);
double electric_field(const Laser& laser, double t);  // -dA/dt

// Value of `drive` of lfd.propagate for the step that starts at t: E or A at its middle. A kick K is not part of E, which would be
// infinite; instead A = -K from t = 0 on.
Vec3 drive(const Settings& settings, int run, double t);

// A at time t (velocity gauge; else 0), and the mean of E over the step that starts at t, for the work done.
Vec3 potential_at(const Settings& settings, int run, double t);
Vec3 mean_field(const Settings& settings, int run, double t);

}  // namespace suite::tddft
