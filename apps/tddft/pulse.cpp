// SPDX-License-Identifier: BSD-3-Clause
#include "pulse.hpp"

#include <cmath>
#include <numbers>

namespace suite::tddft {
namespace {

using std::numbers::pi;

Vec3 along(const Vec3& direction, double length) { return {direction[0] * length, direction[1] * length, direction[2] * length}; }

}  // namespace

double vector_potential(const Laser& l, double t) {
  if (!(t > 0 && t < l.duration)) return 0;
  const double c = std::cos(pi * (t - l.duration / 2) / l.duration);
  return -l.amplitude / l.photon_energy * c * c * std::sin(l.photon_energy * (t - l.duration / 2) + l.phase);
}

double electric_field(const Laser& l, double t) {
  if (!(t > 0 && t < l.duration)) return 0;
  const double u = pi * (t - l.duration / 2) / l.duration, c = std::cos(u);
  const double carrier = l.photon_energy * (t - l.duration / 2) + l.phase;
  return l.amplitude * (c * c * std::cos(carrier) - pi / (l.duration * l.photon_energy) * std::sin(2 * u) * std::sin(carrier));
}

Vec3 potential_at(const Settings& s, int run, double t) {
  if (!s.propagation.velocity_gauge) return {};
  if (s.excitation == Excitation::kick) return along(s.direction_of(run), -s.kick);
  if (s.excitation == Excitation::laser) return along(s.direction, vector_potential(s.laser, t));
  return {};
}

Vec3 drive(const Settings& s, int run, double t) {
  const double middle = t + s.propagation.dt / 2;
  if (s.propagation.velocity_gauge) return potential_at(s, run, middle);
  if (s.excitation == Excitation::laser) return along(s.direction, electric_field(s.laser, middle));
  return {};
}

Vec3 mean_field(const Settings& s, int run, double t) {
  if (s.excitation != Excitation::laser) return {};
  if (!s.propagation.velocity_gauge) return drive(s, run, t);
  const double dt = s.propagation.dt;
  return along(s.direction, (vector_potential(s.laser, t) - vector_potential(s.laser, t + dt)) / dt);
}

}  // namespace suite::tddft
