// SPDX-License-Identifier: BSD-3-Clause
#include "pulse.hpp"

#include <cmath>
#include <numbers>

namespace suite::tddft {
namespace {

using std::numbers::pi;

Vec3 along(const Vec3& direction, double length) { return {direction[0] * length, direction[1] * length, direction[2] * length}; }

template <class F> Vec3 sum_of(const Settings& s, F&& part) {
  Vec3 sum{};
  for (const Laser& pulse : s.pulses) {
    const Vec3 one = along(pulse.direction, part(pulse));
    for (size_t d = 0; d < 3; ++d) sum[d] += one[d];
  }
  return sum;
}

}  // namespace

double vector_potential(const Laser& l, double t) {
  const double since = t - l.maximum;
  if (!(std::abs(since) < l.duration / 2)) return 0;
  const double c = std::cos(pi * since / l.duration);
  return -l.amplitude / l.photon_energy * c * c * std::sin(l.photon_energy * since + l.phase);
}

double electric_field(const Laser& l, double t) {
  const double since = t - l.maximum;
  if (!(std::abs(since) < l.duration / 2)) return 0;
  const double u = pi * since / l.duration, c = std::cos(u), carrier = l.photon_energy * since + l.phase;
  return l.amplitude * (c * c * std::cos(carrier) - pi / (l.duration * l.photon_energy) * std::sin(2 * u) * std::sin(carrier));
}

Vec3 potential_at(const Settings& s, int run, double t) {
  if (!s.propagation.velocity_gauge) return {};
  if (s.excitation == Excitation::kick) return along(s.direction_of(run), -s.kick);
  return sum_of(s, [&](const Laser& pulse) { return vector_potential(pulse, t); });
}

Vec3 drive(const Settings& s, int run, double t) {
  const double middle = t + s.propagation.dt / 2;
  if (s.propagation.velocity_gauge) return potential_at(s, run, middle);
  return sum_of(s, [&](const Laser& pulse) { return electric_field(pulse, middle); });
}

Vec3 mean_field(const Settings& s, int run, double t) {
  if (!s.propagation.velocity_gauge) return drive(s, run, t);
  const double dt = s.propagation.dt;
  return sum_of(s, [&](const Laser& pulse) { return (vector_potential(pulse, t) - vector_potential(pulse, t + dt)) / dt; });
}

}  // namespace suite::tddft
