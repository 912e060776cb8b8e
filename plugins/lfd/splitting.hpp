// SPDX-License-Identifier: BSD-3-Clause
// The numbers of the space-splitting method (formulas in lfd.hpp; docs/theory/lfd.md). On one pair of points
// the kinetic exponential is
//   [[ep, em], [em, ep]] = ep [[1, i t], [i t, 1]],   ep = e^{-i phi/2} cos(phi/2),   em = i t ep,   t =
//   tan(phi/2)
// so that a pair costs four multiply-adds and the constant ep may be collected elsewhere: ep of all three
// directions and of all parts multiplies every point alike.
#pragma once

#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>

#include "lfd.hpp"

namespace suite::lfd {

struct Rotation {
  std::complex<double> ep, em;
  double tangent;
};

inline double splitting_angle(double dt, double h, bool mass_correction) {
  const double theta = dt / (2 * h * h);
  return mass_correction ? std::atan(theta) : theta;
}

// phi = theta for a half, 2 theta for a full part.
inline Rotation rotation(double theta, Part part) {
  const double half_phi = part == Part::half ? theta / 2 : theta;
  const double c = std::cos(half_phi), s = std::sin(half_phi);
  const std::complex<double> phase(c, -s);
  return {phase * c, phase * std::complex<double>(0, s), s / c};
}

// A whole step of the kinetic propagator in tangent form: half, full, half in each direction. The constants
// ep of all parts together are size e^{i angle}.
struct TangentStep {
  double half[3] = {0, 0, 0}, full[3] = {0, 0, 0};  // tangents, rounded to the precision T of the call
  double size = 1, angle = 0;
};
template <class T> TangentStep tangent_step(const double* theta) {
  TangentStep step;
  for (int d = 0; d < 3; ++d) {
    step.half[d] = static_cast<T>(rotation(theta[d], Part::half).tangent);
    step.full[d] = static_cast<T>(rotation(theta[d], Part::full).tangent);
    // cos of half the angles from the tangents as they were rounded, so that the step is unitary.
    step.size /= (1 + step.half[d] * step.half[d]) * std::sqrt(1 + step.full[d] * step.full[d]);
    step.angle -= 2 * theta[d];
  }
  return step;
}

// Where theta reaches pi/2, the full part exchanges neighbours and its tangent is infinite; slow waves have
// turned long before. With the mass correction theta stays below pi/2 for every dt.
inline double largest_time_step(double h) { return std::numbers::pi * h * h; }

inline void check_time_step(double dt, const double* h, const int64_t* n, bool mass_correction, Kinetic kinetic = Kinetic::differences) {
  static constexpr const char* names[] = {"hx", "hy", "hz"};
  if (!std::isfinite(dt)) throw Failure(SUITE_INVALID_ARGUMENT, "dt is not finite");
  for (int d = 0; d < 3 && !mass_correction && kinetic == Kinetic::differences; ++d) {
    if (n[d] == 1 || std::abs(dt) < largest_time_step(h[d])) continue;
    char sentence[256];
    std::snprintf(sentence, sizeof sentence,
                  "dt is %g hbar/Ha, but with %s = %g bohr the splitting of the kinetic energy requires |dt| < "
                  "pi h^2 = %g; it is accurate below about %g",
                  dt, names[d], h[d], largest_time_step(h[d]), 0.3 * h[d] * h[d]);
    throw Failure(SUITE_INVALID_ARGUMENT, sentence);
  }
}

}  // namespace suite::lfd
