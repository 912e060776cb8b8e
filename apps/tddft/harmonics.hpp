// SPDX-License-Identifier: BSD-3-Clause
// Real solid harmonics r^l Y_lm, homogeneous polynomials in x, y and z, and their gradients.
#pragma once

#include "system.hpp"

namespace suite::tddft {

constexpr int largest_l = 3;

// m = 0..2l; for l = 1 in the order x, y, z. Normalised on the unit sphere.
double solid_harmonic(int l, int m, const Vec3& r);
Vec3 solid_harmonic_gradient(int l, int m, const Vec3& r);

}  // namespace suite::tddft
